"""Find the sentences that somebody typed or reported, and say whether they stand by themselves."""

import re
from collections.abc import Sequence

from tilth.core.text.pattern import AnyOf, pattern
from tilth.core.text.prose import Sentence, sentences
from tilth.core.text.tokens import index_terms
from tilth.core.text.typed_text import typed_in
from tilth.episodes.episode import Role
from tilth.exchanges.model import is_question

# A sentence of which a smaller share was typed is quoted, with a few of the user's words around it.
_TYPED_SHARE = 0.4
_BRIEF_CHARS = 100
_INLINE_CODE = pattern(r"`[^`\n]+`")
_LEAD = r"\W*(?:(?:ok|okay|yes|yeah|no|now|and|also|so|but|though|then|well|please|actually)\b\W*)*"
# Words that join a sentence to the one before, but not "so that", "so far", "and/or", "now that".
_OPENING = pattern(
    r"(?:(?:ok|okay|also|and|so|but|plus|then|hmm|well|oh|btw)\b(?!/|-)"
    r"(?! (?:that|far|long|much|many|few|little|forth|called|be it|then)\b)[\s,.…:;-]+)+"
    r"(?=[^\W\d_]|[`@/\d])",
    re.IGNORECASE,
)
_REST_CHARS_MIN = 12
# A statement on the branch or ticket that is being worked on: "Parent on the PR is …".
_OF_A_BRANCH = r"^\W*(?:the )?\w+ (?:on|of|for) the (?:pr|branch|ticket)\b"
# References to another sentence: without it, the sentence is not shown.
_LEANS = pattern(
    rf"^{_LEAD}(?:"
    r"(?:this|that|it|its|these|those|they|them|he|she|both|neither|same|which"
    r"|for example|(?:the )?ones|the (?:fix|last|above|issue|problem|error|changes?|tests?)\b"
    r"|(?:that|it|this)'?s)\b"
    r"|(?:i|we) (?:know|knew|think|thought|guess|believe|see|agree|mean|meant) that'?s\b"
    r"|(?:each|all|any|some|none|most) (?:one|of (?:them|these|those))\b"
    # The change at hand: "For the watcher change, let's …".
    r"|(?:for|in|on|with|during) the (?:[\w'`./-]+ ){0,3}(?:change|fix|commit|branch"
    r"|pr|task|step|phase|refactor\w*|migration|ticket|spawn)s?(?:,| (?:let'?s|that|i|we)\b))"
    r"|^\W*only (?:then|after that)\b"
    # An ordinal that refers back, but not one that says of what it is: "the first Monday of a
    # month".
    r"|\bthe (?:first|second|third|fourth)\b(?! \w+ (?:of|in)\b)|\bthe same\b(?! \w+ as\b)"
    r"|\b(?:do|did|does|like|of|for|with|about|after|than|on|to|in|from|by) that\W*$"
    r"|\boption [\w\d]\b|^\W*#?\d+\W"
    r"|\b(?:number|issue|point|item|finding|step|improvement|suggestion|observation|proposal|idea"
    r"|question)s? #?\d+\b(?! \w+ \w+ \w+ \w+)|(?:[:…]|\.\.\.)\s*$"
    # Answers to a claim, or references to a moment of this session.
    r"|\bthat(?:'?s| is| was)(?: \w+)? (?:not |n't )?(?:true|right|wrong|correct|false)\b"
    r"|(?<!do )(?<!done )(?<!work )\bhere\W*$"
    r"|\b(?:for|on|with|do|of) \d{1,2}(?= (?:before|after|and|or|first|too|next)\b|\W*$)"
    r"|\bbefore you (?:begin|start)\b\W*,"
    r"|\bthe (?:intended|expected|desired) (?:functionality|behaviou?r|result|output|effect)\b"
    rf"|{_OF_A_BRANCH}",
    re.IGNORECASE,
)
_LEANS_ON = AnyOf(
    "the former, the latter, the above, the following, the original, the other, the others,"
    " the rest, the previous, as above, see above, below, before you continue, before you proceed,"
    " before you go on, before you move on"
)
# What holds for an hour: where somebody is at the moment, or a line number of a file.
_TODAY = AnyOf("right now, just now, for now, at the moment, today, yesterday, tonight, tomorrow")
_PASSES = pattern(
    r"(?<!as )\bsoon\b|\bcurrently\b(?!.*\b(?:should|must)\b)"
    r"|\b(?:is|are|am|'re|'m|'s) now\b|\blines? \d+"
    r"|\b(?:is|are|am|'re|'m|'s)(?: not| all)? ready (?:to|for)\b"
    r"|\.\w{1,5}:\d+|/(?:private/)?tmp/",
    re.IGNORECASE,
)
# States of the moment: "All 214 tests pass", "lint is clean", "the branch is pushed".
_CHECKED = (
    r"(?:tests?|specs?|cases|checks?|lint|types?|type ?checks?|formatting|build|ci|suite|vet|mypy"
    r"|ruff|clippy|eslint|tsc|pytest)"
)
_OF_A_RUN = pattern(
    rf"\W*(?:\w+ ){{0,4}}{_CHECKED}(?:(?:,| and|, and) {_CHECKED})*"
    r" (?:all |now )*(?:pass(?:es|ed)?|(?:is|are)(?: all| now)* (?:green|clean|passing|fine))"
    r"(?: (?:now|again|cleanly|locally|in ci|in \d+(?:\.\d+)? ?s))*\W*$"
    r"|\W*(?:\S+ ){0,4}?(?:work|merge|rebase|branch|changes?|fix|fixes|commits?|everything|all)\b"
    r"[^,;:]{0,50}? (?:is|are|was|were|has been)(?: now)? (?:done and |committed and )?"
    r"(?:committed|pushed|staged)"
    r"(?: as [0-9a-f]{7,})?\W*$"
    r"|\W*(?:\S+ ){0,3}conflicts (?:is|are|were) (?:all )?(?:resolved|fixed)\W*$"
    r"|\W*(?:the )?working (?:tree|copy) is clean\W*$"
    r"|\W*nothing (?:\w+ )?is (?:open|left)(?: \S+){0,4}\W*$"
    r"|\W*\d+(?:\.\d+)? ?s(?:econds)?\W*$",
    re.IGNORECASE,
)
_RUN_PARTS = pattern(
    r"[;.](?:\s+|$)|,\s+(?=(?:and |the |all |\d|lint|types?|ci))|\s+and\s+(?=(?:the|all|\d+) )"
)
# "Those days", "on that day": the sentence may name earlier what they refer to.
_THAT_ONE = pattern(
    r"\b(?:these|those)\b(?: (?P<those>[a-z]{3,}))?"
    r"|\b(?:in|on|at|by|of|to|for|from|with|about|until|before|after)"
    r" that (?!reason|matter|order)(?P<that>[a-z]{3,})\b",
    re.IGNORECASE,
)
_OF_THIS = pattern(
    r"\b(?:this|these|those) \w+|\blines? \d+|/(?:private/)?tmp/|^\W*full transcript\b"
    rf"|{_OF_A_BRANCH}",
    re.IGNORECASE,
)
# "This project" or "this repository" is clear to whoever works there.
_THIS = pattern(
    r"(?P<other>\b(?:of|for|on|in|with|to|at|by|from|about|like|when|if|once|after|until|while) "
    r"|[:;] )?"
    r"\bthis\b(?! (?:project|repo|repository|code ?base|app|application|package|product)\b)"
    # "This makes", "this will": a pronoun as the subject refers to the sentence before.
    r"(?P<subject> (?:(?:is|was|will|would|can|could|should|may|might|must|has|does)(?:n'?t)?"
    r"|[a-z]{2,}[^\Wsiu]s)\b)?",
    re.IGNORECASE,
)
_PRONOUN = pattern(
    r"\b(?:it|its|they|them|their|he|she|him|her|here|there(?!'s\b| (?:is|are|was|were|must|should"
    r"|will|can|has|have)\b))(?:'\w+)?\b",
    re.IGNORECASE,
)
# The fewest content words before a pronoun for it to refer to something within the sentence.
_BEFORE_PRONOUN = 3
_OBJECT = pattern(r"\b(?:it|this|that|these|those|them|here|there)\b", re.IGNORECASE)
_NAMED = pattern(
    r"`[^`\n]+`|[\w-]+[/.][\w/.-]+\w|\w+\(\)|\b[A-Z][\w-]*[A-Z]\w*|\b[a-z]+[A-Z]\w+|\B--?\w[\w-]+"
    r"|\b\w+_\w+|#\d+|\b[A-Z]{2,}-\d+"
)
_SUPPOSES = pattern(
    rf"^{_LEAD}(?:let'?s (?:pause|see|say|assume|suppose)\W+)?"
    r"(?:if|unless|suppose|supposing|assuming|imagine|in case|hypothetically"
    r"|possibly|maybe|perhaps|i wonder|not sure (?:if|whether))\b",
    re.IGNORECASE,
)
# Questions without a question mark, and suppositions.
_ASKS_ANYHOW = pattern(
    r"\b(?:should|would|is|are|do|does|did|ca|could|wo)n'?t (?:we|it|they|you|there)\b"
    r"|\b(?:how|where|what|whether) to \w+(?: \w+){0,4}\W*$|\bright\W*$"
    rf"|^{_LEAD}(?:wait\W+|hmm\W+|so\W+)*(?:why|how come|what if|should (?:we|i)|can (?:we|i))\b"
    r"|\bi (?:no longer|do not|don'?t|cannot|can'?t|never) (?:\w+ly |quite )?"
    r"(?:recall|remember|know|understand)\b",
    re.IGNORECASE,
)
_IS_UNSURE = AnyOf(
    "seem, seems, maybe, perhaps, probably, possibly, looks like, dunno, do not know, dont know,"
    " don't know"
)
# The end of a sentence whose object follows elsewhere or on the next line.
_BREAKS_OFF = pattern(
    r"\b(?:to|to do|the|an?|of|for|with|and|or|is|are|about|from|(?:on|of|with|for|to) "
    r"(?:it|that|this))\W*$",
    re.IGNORECASE,
)
# Objections: somebody turns something down, asks why it is not otherwise, or says what it should
# be.
_OBJECTS = pattern(
    r"^\W*(?:(?:ok|okay|hmm+|yeah|and|but|also|so)\b\W*)*(?:no|nope|nah|stop|wait|hold on)\b"
    r"(?! (?:worries|problem|need to))"
    r"|\bwhy (?:ca|do|does|is|are|did|would|should|have|has)n'?t\b"
    r"|\b(?:should|would|could|is|are|do|does|did)n'?t (?:we|it|this|that|they|you|the)\b"
    r"|\b(?:i|we) (?:really )?(?:doubt|hate|prefer|only|always"
    r"|(?:no longer|never|do not|don'?t)"
    # Guesses at what was meant, such as "I don't think it's that", are no objections.
    r" (?!know|remember|recall|understand|see|have|mind|worry|think (?:it|that|this)(?:'?s| is)))\b"
    r"|\bi (?:did not|didn'?t|never) (?:tell|ask|want|say)\b"
    r"|\byou (?:just )?(?:are to|forgot|missed|deleted|duplicated|broke|removed|(?:did|have)(?: not"
    r"|n'?t)|should(?:n'?t| not)?)\b|, (?:and |but )?not (?!(?:sure|yet|bad|only)\b)\w"
    r"|\bstop \w{3,}ing\b"
    r"|\bno longer\b(?! (?:know|remember|recall|see)\b)|\bover-?complicat"
    r"|\bnot\b[^.;?]{2,60}\bbut\b",
    re.IGNORECASE,
)
_TURNS_DOWN = AnyOf(
    "why not, i'd rather, i would rather, i said, i told you, instead, rather than, overkill,"
    " unnecessary, redundant, pointless, too wide, too long, too many, too much, too big,"
    " too small, too slow, must not, must never, must only, must always, mustn't, mustnt,"
    " should not, should never, should only, should always, shouldn't, shouldnt"
)
# The speaker's own deeds: "I also updated the imports", "I've merged the other one".
_OWN_DEED = pattern(
    r"^\W*(?:(?:ok|okay|ah|now|and|also|so|but|well|yes|no)\b\W*)*"
    r"i(?:'ve| have| just| also| already| now)* (?!(?:need|want|expect|hop|decid|agree|lik)ed\b)"
    r"(?:\w{3,}[^e\W]ed|(?:us|mov|merg|creat|delet|updat|renam|remov|replac|chang)ed"
    r"|tried|did|ran|made|got|put|took|went|wrote|found|built|remember now|see now)\b",
    re.IGNORECASE,
)
# Requests in the form of a question.
_REQUESTS = pattern(
    r"\b(?:can|could|would|will|shall|should|may|might)(?:n'?t)? (?:you|we|i)\b"
    r"|\b(?:please|how about|what about|what if|would it|can it|let'?s)\b",
    re.IGNORECASE,
)
# References to a numbered list: "Address 1, 3 and 4", "option 2", "# 5".
_OF_A_LIST = pattern(
    r"^\W*\d|\b(?:option|issue|point|item|finding|step|number|top|address)s?:? #?\d+\b"
    r"|\b(?:option|choice) [a-d]\b|: \d+\.",
    re.IGNORECASE,
)
# Stems of words that people use with an agent whatever they want. "One", "use" and "way" are not
# stems and match nothing: with their stems, agents lack more of what they need (ADR 35).
_SAID_TO_ANYONE = """
    add again also back can chang code come could creat done file find first fix get give go good
    got help keep know last let like look lot made make more need new next now ok one pleas put
    right run same see set show start still sure take tell thing think time try two use want way
    well work yeah yes
"""
EVERYDAY = frozenset(_SAID_TO_ANYONE.split())
# Stems of words with which any piece of work ends.
_OF_ANY_BRANCH = """
    branch comment commit diff draft main master merg messag origin parent pr pull push rebas
    request review squash
"""
_SAID_ANYWHERE = EVERYDAY | frozenset(_OF_ANY_BRANCH.split())
_TELLING_MIN = 2
_WORD = pattern(r"[^\W\d_]{3,}")
_OWN_WORDS_MIN = 3
_POINTING_WORDS_MIN = 8


def own_sentences(text: str, role: Role) -> Sequence[Sentence]:
    """
    Return the sentences that are the speaker's own.

    For a user these are the sentences that a person typed, as far as the text shows it: outside of
    fences, quotations and pastes. How the message was captured is not considered; see
    `Episode.typed`.
    """
    found = sentences(text)
    if role is not Role.USER:
        return found
    typed = typed_in(text)
    return [
        one
        for one in found
        if len("".join(typed[one.start : one.end].split()))
        >= _TYPED_SHARE * len("".join(_without_short_code(one.text).split()))
    ]


def _without_short_code(text: str) -> str:
    """Return a short sentence without its inline code, which its author typed, too."""
    return text if len(text) > _BRIEF_CHARS else _INLINE_CODE.sub("", text)


def stands_alone(text: str) -> bool:
    """
    Say whether a sentence can be understood weeks later, without its neighbours.

    It names what it is about, and holds longer than the moment.
    """
    if any(form.search(text) for form in (_LEANS_ON, _TODAY, _LEANS, _PASSES, _BREAKS_OFF)):
        return False
    if len(set(index_terms(text)) - EVERYDAY) < _TELLING_MIN or _points_back(text):
        return False
    is_pointing = _OBJECT.search(text) is not None
    own = len(_WORD.findall(_OBJECT.sub("", text)))
    least = _POINTING_WORDS_MIN if is_pointing and not names_something(text) else _OWN_WORDS_MIN
    return own >= least


def _points_back(text: str) -> bool:
    """Say whether a pronoun refers to what precedes the sentence, and not to a part of it."""
    if not all(_is_named_before(text, one) for one in _THAT_ONE.finditer(text)):
        return True
    every = list(_THIS.finditer(text))
    if any(one["other"] or not one["subject"] for one in every):
        return True
    first = min((one.start() for one in (*every, *_PRONOUN.finditer(text))), default=None)
    return first is not None and len(index_terms(text[:first])) < _BEFORE_PRONOUN


def _is_named_before(text: str, pointing: re.Match[str]) -> bool:
    """Say whether a sentence names what it refers to, such as a day before "that day"."""
    noun = pointing["those"] or pointing["that"] or ""
    return bool(set(index_terms(noun)) & set(index_terms(text[: pointing.start()])))


def without_opening(text: str) -> str:
    """Return a sentence without words that join it to what came before: "also", "ok so"."""
    rest = text[found.end() :] if (found := _OPENING.match(text)) else text
    if rest == text or len(rest) < _REST_CHARS_MIN:
        return text
    return rest[0].upper() + rest[1:] if text[0].isupper() else rest


def breaks_off(text: str) -> bool:
    """Say whether a sentence ends where its object would follow."""
    return _BREAKS_OFF.search(text) is not None


def passes(text: str) -> bool:
    """Say whether a statement is over within a day, or holds only for a line number."""
    return _TODAY.search(text) or _PASSES.search(text) is not None


def tells_of_a_run(text: str) -> bool:
    """Say whether a text only tells how one run ended, and that its work is committed."""
    parts = [one for one in _RUN_PARTS.split(text) if one.strip(" .…")]
    return bool(parts) and all(_OF_A_RUN.match(one) for one in parts)


def points_or_passes(text: str) -> bool:
    """Say whether a value refers to "this", or to a place that is gone tomorrow."""
    return _OF_THIS.search(text) is not None


def objects(text: str) -> bool:
    """Say whether somebody turns something down, or wants it otherwise than it is."""
    return _TURNS_DOWN.search(text) or _OBJECTS.search(text) is not None


def own_terms(text: str) -> frozenset[str]:
    """Return the terms of *text* without those that are used whatever one works on."""
    return frozenset(index_terms(text)) - _SAID_ANYWHERE


def tells_own_deed(text: str) -> bool:
    """Say whether somebody tells what they did themselves."""
    return _OWN_DEED.match(text) is not None


def wants_nothing(text: str) -> bool:
    """Say whether a text only asks how something is, or thinks something through."""
    is_asking = is_question(text) and not _REQUESTS.search(text)
    return (is_asking or _SUPPOSES.match(text) is not None) and not objects(text)


def points_at_a_list(text: str) -> bool:
    """Say whether somebody answers with the number of an item of a list."""
    return _OF_A_LIST.search(text) is not None


def names_something(text: str) -> bool:
    """Say whether a sentence names a part of the work: code, a file, an option, an issue."""
    return _NAMED.search(text) is not None


def supposes(text: str) -> bool:
    """Say whether a sentence asks or only thinks aloud, and so states nothing."""
    is_asking = text.rstrip().endswith("?") or is_question(text)
    return (
        is_asking
        or _SUPPOSES.match(text) is not None
        or _IS_UNSURE.search(text)
        or _ASKS_ANYHOW.search(text) is not None
    )
