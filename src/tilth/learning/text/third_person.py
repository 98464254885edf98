"""
Retell words in the third person.

"I prefer tabs" stands by itself only when it says who "I" is.
"""

import re

from tilth.episodes.episode import Episode, Role

_ROLE_NAMES = frozenset({"user", "human", "assistant", "agent", "system", "tool", "me", "you"})
# A name, whose words begin with capitals.
NAME = r"(?-i:[A-ZÀ-ÖØ-ÞĀ-Ž][\w'&-]*(?: (?:van |de |von |of )?[A-ZÀ-ÖØ-ÞĀ-Ž][\w'&-]*){0,3})"
# Who may decide, prefer or promise; third-person pronouns identify nobody.
SOMEBODY = (
    rf"(?:i|we|the (?:user|team|client|customers?|boss|board|company|others|group|majority|"
    r"maintainers?|vendor|management|office)|(?:my|our|his|her|their|the) (?:[a-z-]+ )?[a-z-]+|"
    rf"everybody|everyone|all of us|both of us|{NAME}(?: (?:from|of|at) [\w-]+)?)"
)
OFTEN = (
    r"(?:(?:really|strongly|generally|usually|always|also|still|now|just|finally|much|very much|"
    r"definitely|personally|would|normally|typically|mostly|all|both|have|has|had|already|"
    r"simply|absolutely|kind of|tend to|tends to|actually|certainly|do|does|did|'ve|'d|'s)\s+)*"
)
_QUOTED = r"(?P<quoted>`[^`]{1,200}`|\"[^\"]{1,400}\"|“[^“”]{1,400}”)"
_FIRST = re.compile(
    rf"{_QUOTED}|(?<![\w'])(?:(?P<aux>shall|should|can|could|may|must|will|would|do|did|am|"
    r"was|have|had) I(?= [a-z])|(?P<be>I'm|I am|am I)|(?P<have>I've|I have)|(?P<havent>I haven't)|"
    r"(?P<dont>I don't)|(?P<will>I'll)|(?P<would>I'd)|I (?P<adverbs>(?:(?:\w+ly|also|"
    r"always|never|just|still|often|only|now|sometimes|even|already|both|once|hardly|rather) )*)"
    r"(?P<verb>[a-z]+)|(?P<i>I)|(?P<my>my|mine)|(?P<me>me|myself))(?![\w'])",
    re.IGNORECASE,
)
_BY_VERB = {
    "be": "is",
    "have": "has",
    "havent": "hasn't",
    "dont": "doesn't",
    "will": "will",
    "would": "would",
}
# Verbs without an ending: modals and past forms.
_UNBENT_WORDS = (
    "am are will would can could should shall might must may did had was were went got made took "
    "said told found thought knew saw came gave chose began wrote ran kept put set cut hit "
    "let read sent built bought brought felt left met paid sold spent stood taught understood "
    "won broke drove flew forgot grew held led lost meant spoke fell ordered threw woke heard "
    "became cost "
    "ought won't can't cannot couldn't wouldn't shouldn't didn't wasn't hadn't "
)
_UNBENT = frozenset(_UNBENT_WORDS.split())
# "Needed" and "agreed" are past forms, "need" and "feed" are not.
_OF_THE_PAST = re.compile(r"(?<!e)ed$|(?:agr|fr|guarant|decr)eed$")
_ASKED = {"do": "does", "am": "is", "have": "has"}
_BENT = {"am": "is", "have": "has", "do": "does", "go": "goes"}
_EMPHASIS = re.compile(r"\*{1,3}|~~")
# "Im 15", "ive sold it": typed in a hurry.
_HURRIED = re.compile(r"\bi(?=m\b|ve\b)(?<!')(m|ve)\b", re.IGNORECASE)
# Laughs, smiles and interjections.
_LAUGHED = (
    r"(?:lol|lmao|rofl|xd|(?:b?w?a?ha){2,}h?|haha\w*|hehe\w*|btw|by the way|just saying|"
    r"(?:so |pls |please )?do(?:n't|nt) ask|for your notes|in case you (?:wondered|care)|fwiw)"
)
_SMILED = r"(?:[:;=]['^-]?[()DPp]+(?!\w)|<3|[\U0001F300-\U0001FAFF\u2600-\u27BF\uFE0F\u200D]+)"
_THROWN_IN = re.compile(
    rf"(?P<joint>[,;]?\s+)(?:{_LAUGHED}\b|{_SMILED})(?=[\s,.;:!?)]|$)|^(?:{_LAUGHED}\b[,.!]*|"
    rf"{_SMILED})\s+",
    re.IGNORECASE,
)
_AFTER_END = re.compile(r"(?<=[.!?] )the(?= (?:user|assistant)\b)")
# A dot that begins a word ("../lib", ".env") keeps its space.
_SPACE_BEFORE = re.compile(r"\s+(?=[,;:!?](?!\w)|\.(?![\w./]))")
_ENDING = " \t\n,;:-\u2013\u2014"
_ENDS = (".", "!", "?", "\u2026", ":")


def speaker_of(episode: Episode) -> str:
    """Return the speaker of *episode*: a name if one is known, else the role."""
    name = " ".join(episode.speaker.split())
    if name and name.casefold() not in _ROLE_NAMES:
        return name
    return "assistant" if episode.role is Role.ASSISTANT else "user"


def in_third_person(text: str, episode: Episode) -> str:
    """Return *text* of *episode* as one sentence in the third person."""
    text = _THROWN_IN.sub("", _EMPHASIS.sub("", text).replace("\u2019", "'"))
    text = _SPACE_BEFORE.sub("", " ".join(text.split())).strip(_ENDING)
    name = speaker_of(episode)
    who = f"the {name}" if name in _ROLE_NAMES else name
    text = _FIRST.sub(lambda found: _third(found, who), _HURRIED.sub(r"I'\1", text))
    return _AFTER_END.sub(lambda found: found[0].title(), _capitalised(text))


def join_sentences(before: str, said: str) -> str:
    """Return two retold statements as consecutive sentences."""
    before = before.rstrip(_ENDING)
    return f"{before}{'' if before.endswith(_ENDS) else '.'} {_capitalised(said)}"


def _capitalised(text: str) -> str:
    """Return a sentence with a capital at its beginning, unless it begins with a name of code."""
    first = text.split(" ", 1)[0]
    is_word = first.islower() and first.replace("'", "").rstrip(",.!?:;").isalpha()
    return text[:1].upper() + text[1:] if is_word else text


def _third(found: re.Match[str], who: str) -> str:
    kind = found.lastgroup
    if kind == "quoted" or kind is None:
        return found[0]
    if kind == "aux":
        aux = found["aux"]
        return f"{_ASKED.get(aux.casefold(), aux)} {who}"
    if kind == "verb":
        return f"{who} {found['adverbs']}{_bent(found['verb'])}"
    if kind == "my":
        return f"{who}'s"
    return f"{who} {_BY_VERB[kind]}" if kind in _BY_VERB else who


def _bent(verb: str) -> str:
    """Return the third person of a verb that went with "I"."""
    low = verb.casefold()
    if low in _UNBENT or _OF_THE_PAST.search(low):
        return verb
    if low in _BENT:
        return _BENT[low]
    if low.endswith(("s", "sh", "ch", "x", "z")):
        return f"{verb}es"
    if low.endswith("y") and low[-2:-1] not in {*"aeiou", ""}:
        return f"{verb[:-1]}ies"
    return f"{verb}s"
