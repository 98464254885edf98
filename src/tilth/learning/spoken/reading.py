"""What a clause is read as, and the forms by which each kind of statement is known."""

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
    What a clause states, as far as it can be told from its form.

    `text` is what it says where that takes more than its own words.
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
    """A form of words, and how much it is worth in a person's mouth and in an agent's."""

    pattern: re.Pattern[str]
    of_person: float
    of_agent: float


# People who type in a hurry leave apostrophes out where that makes no other word.
_APOSTROPHE = re.compile(
    r"(?<=n)'(?=t)|(?<=\bi)'(?=m|ve)|(?<=let|hat)'(?=s)|(?<=you|hey)'(?=re|ve)"
)


def lenient(pattern: str) -> str:
    """Return *pattern* with apostrophes that may be missing."""
    return _APOSTROPHE.sub(lambda found: found[0].replace("'", "'?"), pattern)


def form(pattern: str, of_person: float, of_agent: float = 0.0) -> Form:
    """Return the form that begins a clause with *pattern*, in any case."""
    return Form(re.compile(lenient(pattern), re.IGNORECASE), of_person, of_agent)


def is_agents(turn: Turn) -> bool:
    """Say whether an agent speaks."""
    return turn.episode.role is Role.ASSISTANT


def known(forms: Iterable[Form], clause: Clause, turn: Turn) -> tuple[float, re.Match[str]] | None:
    """Return the first form in which *clause* is, and what it is worth; None if it is in none."""
    for one in forms:
        worth = one.of_agent if is_agents(turn) else one.of_person
        if worth and (found := one.pattern.match(clause.plain)):
            return worth, found
    return None
