"""
What moved, was changed or renamed: "we moved the wiki from Confluence to Notion".

What holds from then on is what stands after "to"; what was left is history.
"""

import re
from collections.abc import Iterator

from tilth.episodes.episode import Role
from tilth.knowledge.facts.statement import Statement
from tilth.knowledge.vocabulary.registries import Channel
from tilth.learning.candidate import Candidate, Harvest, Malformed, Turn
from tilth.learning.clauses.clauses import Clause, clauses
from tilth.learning.clauses.voice import told
from tilth.learning.values.claims import is_denied, is_named, is_told, triple_of
from tilth.learning.values.literals import LiteralKind, joined_by, literal_at

_LIKELY = 0.78
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
_ENDS = re.compile(
    r",|;|\s(?:because|since|so|but|and|as|bc|last|this|yesterday|today|now|in (?:19|20)\d\d|"
    r"in (?:early |mid |late )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*|"
    r"instead|too|already|which|where|when|for|on (?:mon|tues|wednes|thurs|fri|satur|sun)day)\b.*",
    re.IGNORECASE,
)
_SPEAKERS = frozenset({"we", "i"})
_ANY = frozenset(LiteralKind)
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
        if not is_told(clause) or is_denied(clause.plain):
            continue
        if (candidate := _moved(clause, turn)) is not None:
            yield candidate


def is_move(plain: str) -> bool:
    """Say whether a clause tells what somebody moved, and where to."""
    return _BY_US.fullmatch(plain) is not None


def _moved(clause: Clause, turn: Turn) -> Candidate | None:
    readable = clause.text.replace("\u2019", "'")
    for form in (_BY_US, _OF_ITSELF):
        if form.fullmatch(clause.plain) is None or (found := form.fullmatch(readable)) is None:
            continue
        value = _ENDS.sub("", found["to"]).strip('`" ')
        if not value or not is_named(found["what"]) or found["what"].casefold() in _SPEAKERS:
            return None
        predicate = _predicate(found["verb"].casefold(), value)
        triple = triple_of(found["what"], predicate, value) if predicate else None
        return Candidate(
            said=Statement(
                text=told(clause.text, turn.episode),
                triple=triple,
                channel=None if triple is None else Channel.ENTITY,
            ),
            quote=clause.text,
            kind=Harvest.FACT if form is _OF_ITSELF else Harvest.MILESTONE,
            confidence=_LIKELY,
        )
    return None


def _predicate(verb: str, value: str) -> str:
    """Return by what a new value is joined: what kind it is, or else how it came about, if so."""
    literal = literal_at(value, 0, _ANY)
    otherwise = _PREDICATES.get(verb, "set_to" if any(map(str.isdecimal, value)) else "")
    is_whole = literal is not None and literal.end == len(value)
    return joined_by(literal.kind, otherwise) if literal is not None and is_whole else otherwise
