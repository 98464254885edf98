"""
The clauses of a sentence: what each says by itself, without the words that only lead to it.

People put several statements into one breath ("not now, and btw the port is
8081"). Each is looked at by itself. A clause keeps where it stands, so that
what is quoted of it is quoted word for word.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tilth.extraction.prose import Sentence, sentences
from tilth.extraction.spoken.lexicon import PREDICATES, VERBS


@dataclass(frozen=True, slots=True, kw_only=True)
class Clause:
    """
    A part of a sentence that says something by itself; `text` and `plain` as in a `Sentence`.

    `order` counts the clauses of a text, `prior` is the one before it, and `is_denying` says
    whether "no", "wrong" or "actually" led to it. What is asked states nothing.
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
        """What the sentence says before it, as it is looked at."""
        return self.sentence.plain[: self.start - self.sentence.start]

    def said(self, begin: int, end: int) -> str:
        """Return some of its words as they were written."""
        return self.text[begin:end]


_WHO = (
    r"(?:i|we|he|she|they|it|you|who|this|that|there|the|our|my|your|their|his|her|"
    r"please|pls|let's|lets|don't|never|always|keep|says|so|then|some|all|"
    r"(?:i|we|you|they|he|she|it|that|there)'(?:m|re|s|ve|ll|d))"
)
# What a person asks for begins with one of these.
_ASK = (
    r"(?:go|do|ask|call|tell|give|bring|send|use|make|let|put|take|set|warn|write|ping|skip|stop|"
    r"leave|check|remember|note|first)"
)
_DASH = "[-\\u2013\\u2014]"
# What a value is set against stays with it.
_SET_AGAINST = r"(?:not|rather|instead|no longer|as opposed)\b"
# What a new statement begins with; some need no comma before them.
_JOINTS = re.compile(
    rf";\s+|\s+(?:{_DASH}|--)\s+|(?<=[^\s!])!+\s+|\s+(?=:\(|:\)|:-\)|:D)"
    rf"|,\s+(?:(?:and|but|so|though|although|yet|also|plus|or|because|since|"
    rf"as)\s+)?(?=(?:{_WHO}|{_ASK})\b)"
    rf"|,\s+(?=(?-i:[A-Z\u00c0-\u00de][\w'-]+)\s+(?:always|never|usually|often|still|also)\b)"
    rf"|,\s+(?:and\s+)?(?!{_SET_AGAINST})(?=(?:[\w`'/.#:-]+\s+){{1,4}}(?:{VERBS})\b)"
    rf"|\s+(?:and|but|so|because|cos|bc)\s+(?=(?:btw\b|by the way\b|{_WHO}\b))"
    rf"|,\s+(?:but|so|because|cos|since|and)\s+|,\s+(?=[$€£]?\d)"
    rf"|,\s+(?!{_SET_AGAINST})(?=(?:[a-z][\w-]*\s+){{1,3}}[$€£]?\d)|"
    rf"\s+since\s+(?=(?-i:[A-Z])\w+\s+\w)"
    rf"|\s+and\s+(?=(?:{PREDICATES})\s+[^\s,;]*\s*[^\s,;]*\s*\S*[\dA-Z])"
    rf"|\s+and\s+(?=(?:[\w'-]+\s+){{1,3}}(?:is|are|was|were|has|have|will|must|needs?|goes|"
    rf"runs?|lives?|takes?)\b)"
    r"|:\s+(?=\S+\s+\S+)",
    re.IGNORECASE,
)
# Within "a, b, and c" a comma parts no statements, unless one begins with its subject.
_LIST = re.compile(r",\s+[^\W\d][^\s,\d]*(?: [^\W\d][^\s,\d]*)?,\s+(?:and|or)\s+", re.IGNORECASE)
_CLAUSE = re.compile(rf"(?:{_WHO}|{_ASK})\b", re.IGNORECASE)
# What stands before a colon and says of what kind that is which comes after it.
_LABEL = re.compile(
    r"\b(?:deci(?:sion|ded)|agreed|settled|resolved|approved|facts?|filing|note|self|fyi|record|"
    r"confirmed|verified|"
    r"checked|reminder|update|context|background|important|psa|til|goals?|aims?|objectives?|"
    r"targets?|todo|backlog|"
    r"later|scope|correction|typo|verdict|consensus|plan|conclusion|take|view|opinion|gap|"
    r"limitation|call|answer|"
    r"file|up|know|deadline|due|out|with|by|via|from|was|is)(?:\s[^:,;]{0,60})?$",
    re.IGNORECASE,
)
# What makes a question of the statement before it.
_TAG_WORDS_MAX = 3
_ASKS = re.compile(
    r"(?:can|could|would|will|do|does|did|is|are|was|were|have|has|had|should|shall|may|might|"
    r"must|am|isn't|aren't|"
    r"don't|doesn't|didn't|won't|can't|what|which|who|whom|whose|where|when|why|how|or|any)\b",
    re.IGNORECASE,
)
_SAID_FIRST = (
    r"ok(?:ay|i)?|k|kk|alright|all right|right|yeah|yes|yep|yup|ya|sure|great|perfect|cool|nice|"
    r"lovely|awesome|sweet|super|excellent|brilliant|wonderful|bravo|thanks(?: a (?:lot|ton))?|"
    r"thank you(?: so much)?|thx|ty|cheers|fine|good|hm+|uh|um+|erm|ehm|oh|ah|aha|hey|hi|"
    r"hello|morning|good morning|evening|well|so(?! far\b)|and|but|then|now|again|anyways?|"
    r"ha(?:ha)*|"
    r"lol|wow|ugh|look|listen|true|agreed(?=[!,.])|understood|noted|got it|i see|makes sense|"
    r"sounds good|phew|yikes|exactly|correct|indeed|of course|absolutely|definitely|also|"
    r"btw|by the way|fwiw|tbh|to be honest|one more thing|one thing|another thing|quick note|"
    r"quick one|and also|as (?:i|we) (?:said|discussed)|pls|plz|kindly|really|meanwhile|"
    r"on second thought|thinking about it|ultimately|basically|obviously|clearly|because|"
    r"fair enough|a ton|in case it matters|please|works!+"
)
_LEAD = re.compile(rf"(?:{_SAID_FIRST})\b(?:\s*[,.!:…]+|\s+{_DASH})?(?:\s+|$)", re.IGNORECASE)
_MARKUP = re.compile(r"[^\w\s\"'`(/<$#~.@&€£\\-]+\s*|\s+|:[()D]\s*|[()]+")
_DENIAL = re.compile(
    r"(?:"
    r"(?:no(?:pe)?|nah|nay|false|wrong|incorrect|not (?:quite|exactly|really|right|true|correct)|"
    r"(?:that's|that is|this is|it's|you're|you are|that was|thats) (?:\w+ )?(?:wrong|incorrect|"
    r"not (?:quite )?(?:right|correct|true|it|accurate)|outdated|out of date|stale|a typo|mistaken|"
    r"false|not what i (?:said|meant|asked)|(?:been|got) replaced)|that's been replaced|"
    r"actually|wait|hold on|hang on|scratch that|strike that|correction|typo|my (?:bad|mistake)|"
    r"sorry|"
    r"oops|whoops|i (?:misspoke|was wrong|was mistaken|made a mistake|got (?:it|that) wrong)(?: "
    r"\w+)?|"
    r"one thing i have to (?:take back|correct)|i (?:have to|must|need to) correct (?:myself|"
    r"that|you))"
    r"(?:\s*[,.!:;…]+\s*|\s+(?:-|--|\u2013|\u2014)\s+|\s*$)"
    r"|(?:no(?:pe)?|nah)\s+(?=(?:no|it's|its|that's|it is|the|we|i|use|they|he|she|this|my|our|"
    r"i'm)\b)"
    r"|actually\s+|wait\s+(?=\w)"
    r")",
    re.IGNORECASE,
)
_LEADS_MAX = 8
_FIRST_SENTENCES, _LAST_SENTENCES = 160, 40


def clauses(text: str) -> Iterator[Clause]:
    """Yield the clauses of what somebody wrote, in their order."""
    before: Clause | None = None
    is_denying = False
    for sentence in _ends_of(sentences(text)):
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


def _ends_of(said: Sequence[Sentence]) -> Sequence[Sentence]:
    """Return the first and the last of many sentences: what lies between them was pasted."""
    if len(said) <= _FIRST_SENTENCES + _LAST_SENTENCES:
        return said
    return [*said[:_FIRST_SENTENCES], *said[-_LAST_SENTENCES:]]


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
    """Return where it begins to say something after the words that lead, and if they deny."""
    at, is_denying = 0, False
    for _ in range(_LEADS_MAX):
        denial = _DENIAL.match(plain, at)
        found = denial or _LEAD.match(plain, at) or _MARKUP.match(plain, at)
        if found is None or found.end() == at:
            break
        at, is_denying = found.end(), is_denying or denial is not None
    return at, is_denying


def _cuts(plain: str) -> Iterator[tuple[int, int]]:
    begin, is_list = 0, _LIST.search(plain) is not None
    for joint in _JOINTS.finditer(plain):
        if joint[0].startswith(":") and _LABEL.search(plain, begin, joint.start()):
            continue
        if is_list and joint[0].startswith(",") and not _CLAUSE.match(plain, joint.end()):
            continue
        yield begin, joint.start()
        begin = joint.end()
    yield begin, len(plain)


def _is_asked(plain: str, start: int, cuts: Sequence[tuple[int, int]]) -> bool:
    """Say whether a clause asks: the last of a question does, and what a tag makes one of."""
    if not plain.rstrip("\"')_ ").endswith("?"):
        return False
    last = cuts[-1][0]
    is_tagged = len(plain[last:].split()) <= _TAG_WORDS_MAX
    return start >= last or is_tagged or _ASKS.match(plain, start) is not None
