"""
Values that are only named: "firmware 1.14", "API port: 8443", "deadline 4 December".

A clause of a person that holds a name and its value, and nothing else.
"""

import re
from collections.abc import Iterator
from itertools import islice

from tilth.episodes.episode import Role
from tilth.knowledge.facts.statement import Statement
from tilth.knowledge.vocabulary.registries import Channel
from tilth.learning.candidate import Candidate, Harvest, Malformed, Turn
from tilth.learning.clauses.clauses import Clause, clauses
from tilth.learning.clauses.context import is_pasted
from tilth.learning.clauses.voice import told
from tilth.learning.clauses.wholeness import is_whole
from tilth.learning.values.claims import is_named, is_told, triple_of
from tilth.learning.values.literals import Literal, LiteralKind, joined_by, literal_at

_K = LiteralKind
_LIKELY = 0.72
# What is a value wherever it stands; a bare number or word is one only where a sentence says so.
_KINDS = frozenset({_K.URL, _K.HOST, _K.IP, _K.EMAIL, _K.VERSION, _K.SCHEDULE})
_AFTER_OF = _KINDS | {_K.AMOUNT, _K.TIME, _K.DATE}
_AFTER_COLON = frozenset(_K)
_NAME_WORDS_MAX = 4
_WORD = re.compile(r"[A-Za-z][\w-]*")
_GAP = re.compile(r"(?:(?P<colon>\s?[:=])|\sof\b)?\s*")
# With one of these it is a sentence that lacks its verb, or its verb is not told by a value.
_NO_NAME_WORDS = """
    is are was were be has have had does did do took takes need needs costs cost want wants at on
    in to than about only from by for with of and or until since got not no goes into like runs
    starts step page line till before after next last see ok just via as
"""
_NO_NAME = frozenset(_NO_NAME_WORDS.split())


def fields(turn: Turn) -> Iterator[Candidate | Malformed]:
    """Yield the values that a person names."""
    episode = turn.episode
    if not turn.is_spoken or episode.role is not Role.USER or is_pasted(turn):
        return
    for clause in clauses(episode.text):
        if is_told(clause) and is_whole(clause.text):
            yield from _field(clause, turn)


def _field(clause: Clause, turn: Turn) -> Iterator[Candidate]:
    end = len(clause.plain.rstrip(" .!"))
    for word in islice(_WORD.finditer(clause.plain), _NAME_WORDS_MAX):
        name = clause.text[: word.end()]
        gap = _GAP.match(clause.plain, word.end())
        if gap is None or not _is_name(name):
            return
        kinds = _AFTER_COLON if gap["colon"] else _AFTER_OF if gap[0].strip() else _KINDS
        literal = literal_at(clause.text, gap.end(), kinds) if gap[0] else None
        if literal is not None and literal.end == end:
            yield _candidate(clause, name, literal, turn)
            return


def _is_name(name: str) -> bool:
    words = name.casefold().split()
    return is_named(name) and _NO_NAME.isdisjoint(words)


def _candidate(clause: Clause, name: str, literal: Literal, turn: Turn) -> Candidate:
    triple = triple_of(name, joined_by(literal.kind), literal.text.strip('`"'))
    return Candidate(
        said=Statement(text=told(clause.text, turn.episode), triple=triple, channel=Channel.ENTITY),
        quote=clause.text,
        kind=Harvest.FACT,
        confidence=_LIKELY,
    )
