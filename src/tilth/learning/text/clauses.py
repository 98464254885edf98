"""
Split sentences into clauses, each without words that only lead to it.

People put several statements into one breath ("not now, and btw the port is 8081"); each is
examined by itself. A clause keeps its position, so that quotes of it are word for word.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from tilth.core.dataclass import dataclass
from tilth.core.text.prose import Sentence, sentences
from tilth.learning.text.verb_forms import PREDICATES, VERBS


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """
    A part of a sentence that states something by itself; `text` and `plain` as in a `Sentence`.

    `order` counts the clauses of a text, `prior` is the one before it, and `is_denying` says
    whether "no", "wrong" or "actually" led to it. A question states nothing.
    """

    text: str
    start: int
    plain: str
    sentence: Sentence
    order: int = 0
    prior: str = ""
    is_denying: bool = False
    is_asked: bool = False

    @property
    def end(self) -> int:
        """Where it ends in the text."""
        return self.start + len(self.text)

    @property
    def ahead(self) -> str:
        """The part of the sentence before it, in normal form."""
        return self.sentence.plain[: self.start - self.sentence.start]

    def said(self, begin: int, end: int) -> str:
        """Return some of its words as written."""
        return self.text[begin:end]


# A subject of one word, or what leads up to one.
_OPENING = (
    r"(?:i|we|he|she|they|it|you|who|this|that|there|please|pls|let's|lets|don't|"
    r"(?:never|always)(?=\s+\w+\s+\S)|keep|says|then|btw|by the way|"
    r"(?:i|we|you|they|he|she|it|that|there|who)'(?:m|re|s|ve|ll|d))"
)
# How a person's request begins.
_ASK = (
    r"(?:go|do|ask|call|tell|give|bring|send|use|make|let|put|take|set|warn|write|ping|skip|stop|"
    r"leave|check|remember|note|first)"
)
_DASH = "[-\\u2013\\u2014]"
_AND = r"(?:and|though|although|yet|also|plus|or|since)"
# Where a new clause may begin, if a clause follows.
_JOINTS = re.compile(
    rf"(?P<hard>;\s+|\s+(?:{_DASH}|--)\s+|(?<=[^\s!])!+\s+|\s+(?=:\(|:\)|:-\)|:D))"
    rf"|(?P<colon>:\s+(?=\S+\s+\S+))"
    rf"|(?P<firm>,\s+(?:but|so)\s+)|(?P<comma>,\s+(?:{_AND}\s+)?)|\s+(?:and|but|so|since)\s+",
    re.IGNORECASE,
)
# A contrast stays with its value.
_SET_AGAINST = re.compile(r"(?:not|rather|instead|no longer|as opposed)\b", re.IGNORECASE)
_CLAUSE = re.compile(rf"(?:{_OPENING}|{_ASK})\b", re.IGNORECASE)
_VERBAL = re.compile(
    rf"(?!(?:in|on|at|of|for|with|by|from|to|and|or)\b)(?:[\w`'/.#:&-]+\s+){{1,6}}?"
    rf"(?<!\bthe )(?<!\ba )(?<!\bof )(?<!\bto )(?<!\bfor )(?:{VERBS})\b",
    re.IGNORECASE,
)
# "From now on they pay": a time, place or manner comes first.
_FRONTED = re.compile(
    r"(?:from|in|on|at|by|after|before|until|with|for|this|last|next)\b(?:\s+[\w'-]+){1,4}?\s+"
    r"(?:i|we|they|he|she|it)\s+\w",
    re.IGNORECASE,
)
# Without a comma before it, a clause is only recognised by the plainest verbs.
_PLAINLY = re.compile(
    r"(?:[\w'-]*[^\W\d][\w'-]*\s+){1,3}(?:is|are|was|were|has|have|will|must|needs?|goes|runs?|"
    r"lives?|takes?|went|came|kills?)\b",
    re.IGNORECASE,
)
# A predicate whose subject stands before.
_PREDICATE = re.compile(rf"(?:{PREDICATES})\s+\S", re.IGNORECASE)
# "Keep recordings 10 days, events 60": the verb is the one before.
_GAPPED = re.compile(r"(?:[^\W\d][\w-]*\s+){1,3}[$€£]?\d")
_FIGURE = re.compile(r"\d")
_SPECIFIC = re.compile(r"\d|[A-Z]")
# Within "a, b, and c" a comma separates no clauses, unless one has its own subject.
_LIST = re.compile(r",\s+[^\W\d][^\s,\d]*(?: [^\W\d][^\s,\d]*)?,\s+(?:and|or)\s+", re.IGNORECASE)
# A label: it stands before a colon and says the kind of what follows.
_LABEL = re.compile(
    r"\b(?:deci(?:sion|ded)|agreed|settled|resolved|"
    r"approved|facts?|filing|note|self|fyi|record|confirmed|verified|checked|reminder|update|"
    r"context|background|important|psa|til|goals?|aims?|objectives?|targets?|todo|backlog|later|"
    r"scope|correction|typo|verdict|consensus|plan|conclusion|take|view|opinion|gap|limitation|"
    r"call|answer|file|up|know|deadline|due|out|with|by|via|from|was|is)(?:\s[^:,;]{0,60})?$",
    re.IGNORECASE,
)
# In words: a tag that turns the statement before it into a question.
_TAG_WORDS_MAX = 3
_ASKS = re.compile(
    r"(?:can|could|would|will|do|does|did|is|are|was|were|have|has|had|should|shall|may|might|"
    r"must|am|isn't|aren't|"
    r"don't|doesn't|didn't|won't|can't|what|which|who|whom|whose|where|when|why|how|or|any)\b",
    re.IGNORECASE,
)
# How questions begin, with a question mark or without.
_ASKING = re.compile(
    r"\W*(?:(?:and|so|but|ok|hm+|on|in|at|to|from|for|with|by|since|until)\s+)?"
    r"(?:(?:what|which|who|whom|whose|where|why|how)\b(?![^?]*:)|(?:do|does|did|is|are|was|were|am|"
    r"should|shall|has|have|had)\s+(?:i|you|u|we|they|he|she|it|there|this|"
    r"that|any(?:one|body)|some(?:one|body)|every(?:one|body))\b)",
    re.IGNORECASE,
)
_SAID_FIRST = (
    r"ok(?:ay|i)?|k|kk|alright|all right|right|yeah|"
    r"yes|yep|yup|ya|sure|great|perfect|cool|nice|lovely|awesome|sweet|super|excellent|brilliant|"
    r"wonderful|bravo|thanks(?: a (?:lot|ton))?|thank you(?: so much)?|thx|ty|cheers|fine|good|"
    r"hm+|uh|um+|erm|ehm|oh|ah|aha|hey|hi|hello|morning|good morning|evening|well|so(?! far\b)|"
    r"and|but|then|now|again|anyways?|ha(?:ha)*|lol|wow|ugh|look|listen|true|agreed(?=[!,.])|"
    r"understood|noted|got it|i see|makes sense|sounds good|phew|yikes|exactly|correct|indeed|"
    r"of course|absolutely|definitely|also|btw|by the way|fwiw|tbh|to be honest|one more thing|"
    r"one thing|another thing|quick note|quick one|and also|as (?:i|we) (?:said|discussed)|"
    r"pls|plz|kindly|really|meanwhile|on second thought|thinking about it|ultimately|"
    r"basically|obviously|clearly|because|fair enough|a ton|in case it matters|please|works!+"
)
_LEAD = re.compile(rf"(?:{_SAID_FIRST})\b(?:\s*[,.!:…]+|\s+{_DASH})?(?:\s+|$)", re.IGNORECASE)
_MARKUP = re.compile(r"[^\w\s\"'`(/<$#~.@&€£\\-]+\s*|\s+|:[()D]\s*|[()]+")
_DENIAL = re.compile(
    r"(?:(?:no(?:pe)?|nah|nay|false|wrong|incorrect|not (?:quite|exactly|really|"
    r"right|true|correct)|(?:that's|that is|this is|it's|you're|you are|that was|thats) (?:\w+ )?"
    r"(?:wrong|incorrect|not (?:quite )?(?:right|correct|true|it|accurate)|outdated|out of date|"
    r"stale|a typo|mistaken|false|not what i (?:said|meant|asked)|(?:been|got) replaced)|"
    r"that's been replaced|actually|wait|hold on|hang on|scratch that|strike that|"
    r"correction|typo|my (?:bad|mistake)|sorry|oops|whoops|i (?:misspoke|was wrong|was mistaken|"
    r"made a mistake|got (?:it|that) wrong)(?: \w+)?|one thing i have to (?:take back|correct)|"
    r"i (?:have to|must|need to) correct (?:myself|that|you))"
    r"(?:\s*[,.!:;…]+\s*|\s+(?:-|--|\u2013|\u2014)\s+|\s*$)|(?:no(?:pe)?|nah)\s+(?=(?:no|it's|"
    r"its|that's|it is|the|we|i|use|they|he|she|this|my|our|i'm)\b)|actually\s+|wait\s+(?=\w))",
    re.IGNORECASE,
)
_LEADS_MAX = 8
_FIRST_SENTENCES, _LAST_SENTENCES = 160, 40


def clauses(text: str) -> Iterator[Clause]:
    """Yield the clauses of a text, in order."""
    said: Sequence[Sentence] = sentences(text)
    if len(said) > _FIRST_SENTENCES + _LAST_SENTENCES:
        # In a text with more sentences, the middle was pasted.
        said = [*said[:_FIRST_SENTENCES], *said[-_LAST_SENTENCES:]]
    before: Clause | None = None
    is_denying = False
    for sentence in said:
        for clause in _parts(sentence):
            if any(map(str.isalnum, clause.plain)):
                before = replace(
                    clause,
                    order=before.order + 1 if before else 0,
                    prior=before.text if before else "",
                    is_denying=clause.is_denying or is_denying,
                )
                is_denying = False
                yield before
            else:
                is_denying = is_denying or clause.is_denying


def asks(plain: str) -> bool:
    """Say whether words begin like a question."""
    return _ASKING.match(plain) is not None


def _parts(sentence: Sentence) -> Iterator[Clause]:
    cuts = list(_cuts(sentence.plain))
    for begin, end in cuts:
        skipped, denies = unled(sentence.plain[begin:end])
        body = sentence.plain[begin + skipped : end]
        start = begin + skipped + len(body) - len(body.lstrip())
        stop = start + len(body.strip())
        yield Clause(
            text=sentence.text[start:stop],
            start=sentence.start + start,
            plain=sentence.plain[start:stop],
            sentence=sentence,
            is_denying=denies,
            is_asked=_is_asked(sentence.plain, start, cuts),
        )


def unled(plain: str) -> tuple[int, bool]:
    """Return where the statement begins after leading words, and whether these deny."""
    at, is_denying = 0, False
    for _ in range(_LEADS_MAX):
        denial = _DENIAL.match(plain, at)
        found = denial or _LEAD.match(plain, at) or _MARKUP.match(plain, at)
        if found is None or found.end() == at:
            break
        at, is_denying = found.end(), is_denying or denial is not None
    return at, is_denying


def _cuts(plain: str) -> Iterator[tuple[int, int]]:
    begin, joints = 0, list(_JOINTS.finditer(plain))
    is_list = _LIST.search(plain) is not None
    for number, joint in enumerate(joints):
        end = joints[number + 1].start() if number + 1 < len(joints) else len(plain)
        left, right = plain[begin : joint.start()], plain[joint.end() : end]
        is_item = is_list and joint["comma"] and not _CLAUSE.match(right)
        if not is_item and _parts_here(joint, left, right):
            yield begin, joint.start()
            begin = joint.end()
    yield begin, len(plain)


def _parts_here(joint: re.Match[str], left: str, right: str) -> bool:
    """Say whether a joint separates two clauses."""
    if joint["hard"] or joint["firm"]:
        return True
    if joint["colon"]:
        return _LABEL.search(left) is None
    if _SET_AGAINST.match(right):
        return False
    if _CLAUSE.match(right) or _FRONTED.match(right):
        return True
    return _goes_on(left, right) if joint["comma"] else _begins_plainly(right)


def _goes_on(left: str, right: str) -> bool:
    """Say whether the words after a comma are a clause."""
    if _VERBAL.match(right) or _PREDICATE.match(right):
        return True
    is_gapped = _GAPPED.match(right) is not None and _FIGURE.search(left) is not None
    return is_gapped and (_VERBAL.match(left) or _CLAUSE.match(left)) is not None


def _begins_plainly(right: str) -> bool:
    """Say whether the words after a mere "and" are a clause."""
    is_telling = _PREDICATE.match(right) is not None and _SPECIFIC.search(right) is not None
    return is_telling or _PLAINLY.match(right) is not None


def _is_asked(plain: str, start: int, cuts: Sequence[tuple[int, int]]) -> bool:
    """Say whether a clause asks: the last one of a question, or one with a tag."""
    if asks(plain[start:]) and not plain[:start].strip():
        return True
    if not plain.rstrip("\"')_ ").endswith("?"):
        return False
    last = cuts[-1][0]
    is_tagged = len(plain[last:].split()) <= _TAG_WORDS_MAX
    return start >= last or is_tagged or _ASKS.match(plain, start) is not None
