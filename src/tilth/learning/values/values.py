"""
Read current values: ports, places, versions, amounts, times, tools.

A value counts if a sentence states it of something named in the same sentence, if a person only
names both ("API port: 8443", "deadline 4 December"), or if something moved or was changed to it
("we moved the wiki from Confluence to Notion"). Questions, guesses, negations, plans and past
states give none.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from tilth.core.dataclass import dataclass
from tilth.core.scope import key_of
from tilth.core.text.prose import Sentence, sentences
from tilth.episodes.episode import Role
from tilth.knowledge.facts.statement import Statement, Triple
from tilth.knowledge.vocabulary.registries import Channel
from tilth.learning.candidate import Candidate, Malformed, StatementKind, Turn
from tilth.learning.text.clause_context import is_at_work, is_pasted
from tilth.learning.text.clauses import Clause, clauses
from tilth.learning.text.third_person import in_third_person, speaker_of
from tilth.learning.text.triples import is_named
from tilth.learning.text.valid_from import begins_later
from tilth.learning.text.wholeness import is_whole
from tilth.learning.values.claims import (
    Subject,
    is_asserted,
    is_denied,
    is_echo,
    is_me,
    is_us,
    subject_before,
    triple_of,
    without_question,
)
from tilth.learning.values.forms import (
    FORMS,
    OF_AGENTS,
    Form,
    Names,
    is_holder,
    name_after,
    places_after,
)
from tilth.learning.values.literals import Literal, LiteralKind, joined_by, literal_at

_K = LiteralKind
# The confidence of a value in an unmistakable form, and of a plain name or count.
_CERTAIN, _LIKELY = 0.85, 0.75
_STRONG = frozenset({_K.URL, _K.HOST, _K.IP, _K.PATH, _K.EMAIL, _K.PORT, _K.VERSION, _K.SCHEDULE})
# The kinds that count in an agent's working remarks, or in a paste: unmistakable values.
_OF_WORK = _STRONG | {_K.AMOUNT}
# Predicates that take any kind of value, whose own predicate is more specific.
_OPEN = frozenset({"port", "located_in", "set_to"})
_ASKED_CHARS = 400
_LIVES = re.compile(r"(?:lives?|sits?|resides?)\b", re.IGNORECASE)
_FROM_THE_ROOT = ("/", "~", "$")
_PORTS = range(80, 1 << 16)
# The least number of parts by which an unmarked dotted number is a version.
_VERSION_PARTS_MIN = 3
# The most words in the subject of a bare number: "SLO is 300".
_COUNTED_WORDS_MAX = 5
# Subjects that are one of many.
_GENERAL = frozenset({"file", "files", "default", "row", "rows", "number"})
_ATTRIBUTES = {
    "port": "port",
    "version": "current_version",
    "status": "status",
    "owner": "owned_by",
    "phase": "phase",
    "birthday": "birthday",
    "email": "email_address",
    "e-mail": "email_address",
    "ip": "ip_address",
}
_OF = re.compile(
    rf"(?P<first>{'|'.join(_ATTRIBUTES)}) (?:of|for) (?:the |our |my )?(?P<of>.+)"
    rf"|(?P<having>.+?)(?:['\u2019]s)? (?P<last>{'|'.join(_ATTRIBUTES)})",
    re.IGNORECASE,
)
# A literal that only describes what follows: "a gl.inet router".
_GOES_ON = re.compile(
    r"[ -](?!(?:and|or|but|so|because|since|now|for|from|until|till|to|on|in|at|with|without|by|"
    r"via|as|per|of|if|when|while|again|instead|only|too|already|today|btw|yet|then|this|next|"
    r"here|there|is|are|was|were|has|max|min|total|each|plus|and/or|where|which|not|right|tho)\b)"
    r"[a-z]{3,}"
)
# A figure that needs another one: "150 over 95", "six times slower".
_AGAINST = re.compile(r"\s(?:over|out of|(?:times )?(?:[a-z]{2,10}er|more|less|as [a-z]+)\b)")
_DESCRIBING = frozenset({_K.HOST, _K.CODE, _K.VERSION, _K.PRODUCT})
# Possessives whose owner is named elsewhere.
_OF_OTHERS = frozenset({"your", "his", "her", "its", "their"})
_QUALIFIED = re.compile(r"(?:current|new|old|actual|latest)\s+(?=\S)", re.IGNORECASE)
_NEEDS = re.compile(r"needs?\b", re.IGNORECASE)
_TRAILING = re.compile(r"(?:[\s,;]|\s(?:and|but|while))+$")


@dataclass(frozen=True, slots=True)
class _Claim:
    """A value that a sentence states; `is_whole` says that the verb takes nothing more."""

    form: Form
    subject: Subject
    verb: int
    value: str
    end: int
    kind: LiteralKind | None
    is_whole: bool = True


def values(turn: Turn) -> Iterator[Candidate | Malformed]:
    """Yield the current values that somebody states."""
    episode = turn.episode
    if not turn.is_spoken:
        return
    before = turn.before.text if turn.before and turn.before.role is Role.USER else ""
    # In reply to a question, even an agent's passing remark is an answer.
    is_telling = episode.role is Role.USER or "?" in before[-_ASKED_CHARS:]
    parts = list(clauses(episode.text))
    ends = [clause.end for clause in parts]
    for sentence in sentences(episode.text):
        claims = _claims(sentence, FORMS if is_telling else OF_AGENTS) if parts else []
        claims = [
            one for one in claims if _is_for_later(one, sentence, turn, is_telling=is_telling)
        ]
        for claim, quote in zip(claims, _stated(sentence, claims, ends), strict=True):
            clause = parts[_clause_at(ends, sentence.start + claim.verb)]
            told_to = sentence.start + claim.end - clause.start
            if begins_later(sentence.plain[: claim.subject.begin], episode.occurred_at):
                continue
            if is_asserted(clause, told_to) and is_whole(quote) and not is_echo(quote, turn):
                yield from _candidate(claim, without_question(quote), turn)


def _is_for_later(claim: _Claim, sentence: Sentence, turn: Turn, *, is_telling: bool) -> bool:
    """
    Say whether a value is one that will be asked for: a place, an amount, a choice.

    The place of a piece of code counts if an agent says where it put it for good. In working
    remarks and pastes only unmistakable values count.
    """
    lives = _LIVES.match(sentence.plain, claim.verb) is not None
    is_rooted = claim.kind not in {_K.CODE, _K.PATH} or claim.value.startswith(_FROM_THE_ROOT)
    if not (is_telling or is_rooted or lives):
        return False
    is_among_work = is_at_work(turn) or is_pasted(turn)
    return not is_among_work or claim.kind in _OF_WORK or (claim.kind is not None and lives)


def _stated(sentence: Sentence, claims: Sequence[_Claim], ends: Sequence[int]) -> Iterator[str]:
    """Yield the words of each claim: from its subject to the end of its clause."""
    for number, claim in enumerate(claims):
        stop = ends[_clause_at(ends, sentence.start + claim.end)] - sentence.start
        if number + 1 < len(claims):
            stop = min(stop, claims[number + 1].subject.begin)
        yield _TRAILING.sub("", sentence.text[claim.subject.begin : max(stop, claim.end)])


def _claims(sentence: Sentence, forms: Sequence[Form]) -> list[_Claim]:
    """Return the claims of a sentence in order; of two at one position, the first form's."""
    claims: list[_Claim] = []
    for form in forms:
        for verb in form.verb.finditer(sentence.plain):
            claim = _claim(sentence, form, verb)
            if claim is not None and not any(
                one.subject.begin < claim.end and claim.subject.begin < one.end for one in claims
            ):
                claims.append(claim)
    return sorted(claims, key=lambda claim: claim.verb)


def _claim(sentence: Sentence, form: Form, verb: re.Match[str]) -> _Claim | None:
    subject = subject_before(sentence.text, sentence.plain, verb.start())
    if subject is None or subject.name.casefold() in _GENERAL:
        return None
    read = (
        literal_at(sentence.text, at, form.kinds) for at in places_after(sentence.plain, verb.end())
    )
    literal = next(filter(None, read), None)
    if literal is not None and _fits(literal, subject, form):
        is_whole = _is_whole_value(literal, sentence.plain)
        claim = _Claim(
            form, subject, verb.start(), literal.text, literal.end, literal.kind, is_whole
        )
    elif form.names is not Names.NONE and (
        name := name_after(sentence, form.names, subject, verb.end())
    ):
        # A person who needs something does not depend on it as a program does.
        is_whole = _NEEDS.match(verb[0]) is None
        claim = _Claim(form, subject, verb.start(), name, verb.end() + len(name), None, is_whole)
    else:
        return None
    around = sentence.plain[subject.begin : verb.start()] + sentence.plain[verb.end() : claim.end]
    return None if is_denied(around) else claim


def _is_whole_value(literal: Literal, plain: str) -> bool:
    """Say whether a value ends where it seems to, and does not belong to what follows."""
    is_described = literal.kind in _DESCRIBING and _GOES_ON.match(plain, literal.end) is not None
    return not is_described and _AGAINST.match(plain, literal.end) is None


def _fits(literal: Literal, subject: Subject, form: Form) -> bool:
    """Say whether a value belongs to the subject, and is no mere number beside it."""
    if is_us(subject) and form.predicate == "set_to":
        return literal.kind in {_K.AMOUNT, _K.COUNT}
    match literal.kind:
        case LiteralKind.NUMBER:
            if form.predicate == "port":
                return literal.text.isdecimal() and int(literal.text) in _PORTS
            return len(subject.name.split()) <= _COUNTED_WORDS_MAX
        case LiteralKind.CODE:
            return form.predicate != "set_to" or len(literal.text.split()) == 1
        case _:
            return True


def _candidate(claim: _Claim, quote: str, turn: Turn) -> Iterator[Candidate]:
    """Yield a claim if it is a triple; in words alone it is left to the other extractors."""
    triple = _triple(claim, turn)
    if triple is not None:
        said = Statement(
            text=in_third_person(quote, turn.episode), triple=triple, channel=Channel.ENTITY
        )
        confidence = _CERTAIN if claim.kind in _STRONG else _LIKELY
        yield Candidate(said, quote, StatementKind.FACT, confidence)


def _clause_at(ends: Sequence[int], at: int) -> int:
    """Return the index of the clause that reaches to *at* or beyond."""
    return min(bisect_left(ends, at), len(ends) - 1)


def _triple(claim: _Claim, turn: Turn) -> Triple | None:
    """Return a claim as a triple; None if that would distort the words."""
    subject = _subject(claim, turn)
    predicate = _predicate(claim)
    if not subject or not predicate or not _joins(claim, predicate):
        return None
    value = claim.value.strip('`"\u201c\u201d')
    if found := _OF.fullmatch(subject):
        subject = found["of"] or found["having"]
        predicate = _ATTRIBUTES[(found["first"] or found["last"]).casefold()]
    if predicate == "port":
        value = value.lower().removeprefix("port").strip(" :")
    return triple_of(subject, predicate, value)


def _subject(claim: _Claim, turn: Turn) -> str:
    """Return the subject of a triple; empty if only the speakers know it."""
    subject, episode = claim.subject, turn.episode
    if is_us(subject):
        # Without a project, nobody knows who "we" are.
        return key_of(episode.scope)
    if is_me(subject):
        return speaker_of(episode)
    if subject.whose in _OF_OTHERS:
        return ""
    name = _QUALIFIED.sub("", subject.name, count=1)
    return f"{speaker_of(episode)}'s {name}" if subject.whose == "my" else name


def _joins(claim: _Claim, predicate: str) -> bool:
    """Say whether a predicate joins the two as the verb did."""
    if claim.kind is None:
        # What something is counts as a value if it is one of a few: a user, a region, a plan.
        return claim.is_whole and (predicate != "set_to" or is_holder(claim.subject))
    if is_us(claim.subject) and predicate == "scheduled_for":
        return False
    return claim.is_whole


def _predicate(claim: _Claim) -> str:
    """Return the predicate of a value: its kind is more specific than the verb."""
    predicate, value = claim.form.predicate, claim.value
    if claim.kind is None or predicate not in _OPEN:
        return predicate
    if claim.kind in {_K.AMOUNT, _K.COUNT}:
        return "set_to"
    # "V2" and "1.4.2" are surely versions, "99.9" may be a share.
    is_version = value[0] in "vV" or value.count(".") + 1 >= _VERSION_PARTS_MIN
    if claim.kind is _K.VERSION and predicate == "set_to" and not is_version:
        return predicate
    return joined_by(claim.kind, predicate)


_OF_MOVE = 0.78
_PREDICATES = {
    "moved": "located_in",
    "migrated": "hosted_on",
    "switched": "uses",
    "upgraded": "current_version",
    "renamed": "renamed_to",
}
_VERB = (
    r"(?P<verb>moved|migrated|switched|changed|upgraded|downgraded|bumped|raised|lowered|increased|"
    r"reduced|renamed|rebranded|went|updated|set|extended|postponed|rescheduled)"
)
_WHAT = r"(?:the |our |my )?(?P<what>[\w@./'-]+(?: [\w@./'-]+){0,4}?)"
_TO = r"(?: over| back)?(?: from (?P<old>\S+(?: \S+){0,4}?))? (?:to|into|onto) (?P<to>\S.*?)[.! ]*"
_MOVE_ENDS = re.compile(
    r",|;|\s(?:because|since|so|but|and|as|bc|last|this|yesterday|today|now|in (?:19|20)\d\d|"
    r"in (?:early |mid |late )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*|"
    r"instead|too|already|which|where|when|for|on (?:mon|tues|wednes|thurs|fri|satur|sun)day)\b.*",
    re.IGNORECASE,
)
_SPEAKERS = frozenset({"we", "i"})
_BY_US = re.compile(
    rf"(?:(?:we|i)(?:'ve| have| had| just| finally| recently| now)* )?{_VERB} {_WHAT}{_TO}",
    re.IGNORECASE,
)
_OF_ITSELF = re.compile(
    rf"{_WHAT}(?: has| have| was| were| is| are| got| just| now| been)* {_VERB}{_TO}", re.IGNORECASE
)


def moves(turn: Turn) -> Iterator[Candidate | Malformed]:
    """Yield what a person says has moved, and where to."""
    episode = turn.episode
    if not turn.is_spoken or episode.role is not Role.USER:
        return
    for clause in clauses(episode.text):
        if not is_asserted(clause) or is_denied(clause.plain):
            continue
        if (candidate := _moved(clause, turn)) is not None:
            yield candidate


def _moved(clause: Clause, turn: Turn) -> Candidate | None:
    readable = clause.text.replace("\u2019", "'")
    for form in (_BY_US, _OF_ITSELF):
        if form.fullmatch(clause.plain) is None or (found := form.fullmatch(readable)) is None:
            continue
        value = _MOVE_ENDS.sub("", found["to"]).strip('`" ')
        if not value or not is_named(found["what"]) or found["what"].casefold() in _SPEAKERS:
            return None
        predicate = _predicate_of_move(found["verb"].casefold(), value)
        triple = triple_of(found["what"], predicate, value) if predicate else None
        channel = None if triple is None else Channel.ENTITY
        said = Statement(
            text=in_third_person(clause.text, turn.episode), triple=triple, channel=channel
        )
        kind = StatementKind.FACT if form is _OF_ITSELF else StatementKind.MILESTONE
        return Candidate(said, clause.text, kind, _OF_MOVE)
    return None


def _predicate_of_move(verb: str, value: str) -> str:
    """Return the predicate of a new value, by its kind or else by the verb."""
    literal = literal_at(value, 0, frozenset(_K))
    otherwise = _PREDICATES.get(verb, "set_to" if any(map(str.isdecimal, value)) else "")
    is_whole = literal is not None and literal.end == len(value)
    return joined_by(literal.kind, otherwise) if literal is not None and is_whole else otherwise
