"""The reading of a clause, and the forms by which each kind of statement is recognised."""

import re
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import TypeAlias

from tilth.core.dataclass import dataclass
from tilth.episodes.episode import Role
from tilth.knowledge.facts.statement import Triple
from tilth.knowledge.vocabulary.registries import Channel
from tilth.learning.candidate import StatementKind, Turn
from tilth.learning.text.clauses import Clause


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """
    What a clause states, judging by its form.

    `text` is the statement, where it takes more than the clause's own words.
    """

    kind: StatementKind
    confidence: float
    text: str = ""
    due: datetime | None = None
    old_value: str | None = None
    new_value: str | None = None
    triple: Triple | None = None
    channel: Channel | None = None


Reader: TypeAlias = Callable[[Clause, Turn], Reading | None]


@dataclass(frozen=True, slots=True)
class Form:
    """A pattern, with its confidence for a person and for an agent."""

    pattern: re.Pattern[str]
    of_person: float
    of_agent: float


# Where people in a hurry may omit the apostrophe without making another word.
_APOSTROPHE = re.compile(
    r"(?<=n)'(?=t)|(?<=\bi)'(?=m|ve)|(?<=let|hat)'(?=s)|(?<=you|hey)'(?=re|ve)"
)


def lenient(pattern: str) -> str:
    """Return *pattern* with optional apostrophes."""
    return _APOSTROPHE.sub(lambda found: found[0].replace("'", "'?"), pattern)


def form(pattern: str, of_person: float, of_agent: float = 0.0) -> Form:
    """Return the form of clauses that begin with *pattern*, in any case."""
    return Form(re.compile(lenient(pattern), re.IGNORECASE), of_person, of_agent)


def is_agents(turn: Turn) -> bool:
    """Say whether an agent speaks."""
    return turn.episode.role is Role.ASSISTANT


def first_match(
    forms: Iterable[Form], clause: Clause, turn: Turn
) -> tuple[float, re.Match[str]] | None:
    """Return the confidence and match of the first form that fits *clause*; None if none does."""
    for one in forms:
        worth = one.of_agent if is_agents(turn) else one.of_person
        if worth and (found := one.pattern.match(clause.plain)):
            return worth, found
    return None
