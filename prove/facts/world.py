"""
What is known, in plain Python: no table, no index, no key and no rule of the product.

The words of this world are few, so that folding them is lower case and no more. Whether two
statements say the same in other words is asked of the product's own reading alone.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import NamedTuple, TypeAlias

from tilth.core.errors import ForbiddenError
from tilth.knowledge.facts.statement import Statement

GLOBAL = "global"
Slot: TypeAlias = tuple[str, str, str]


class Who(NamedTuple):
    """A writer."""

    name: str
    kind: str

    @property
    def is_human(self) -> bool:
        """Whether it is one."""
        return self.kind == "human"


@dataclass(frozen=True, slots=True)
class Life:
    """What a fact is for a while."""

    scope: str
    lifecycle: str
    review: str
    authority: str
    begins: datetime
    ends: datetime | None
    checked: datetime
    successor: str | None = None


@dataclass(frozen=True, slots=True)
class Step:
    """A life, and at which place of the ledger it began, by which verb and whose."""

    life: Life
    since: int
    verb: str
    by: Who


@dataclass(slots=True)
class Fact:
    """A fact with everything that it was."""

    id: str
    seq: int
    by: Who
    recorded: datetime
    slot: Slot | None
    key: tuple[str, ...]
    confidence: float
    channel: str
    supersedes: str | None
    said: Statement
    thing: "Thing"
    sources: list[tuple[str, ...]]
    steps: list[Step]

    @property
    def life(self) -> Life:
        """What it is now."""
        return self.steps[-1].life

    @property
    def is_vouched(self) -> bool:
        """Whether a human stands behind it."""
        is_rule = self.life.authority == "instruction"
        return is_rule or self.by.is_human or self.life.review == "confirmed"

    @property
    def is_past(self) -> bool:
        """Whether it is a draft that was over when it was told."""
        is_over = self.life.ends is not None and self.life.ends <= self.recorded
        return is_over and self.life.lifecycle == "draft"

    def at(self, seq: int) -> Life | None:
        """Return what it was at a place in the ledger; None if it was not there yet."""
        known = [step.life for step in self.steps if step.since <= seq]
        return known[-1] if known else None

    def step(self, life: Life, seq: int, verb: str, by: Who) -> None:
        """Begin the next life."""
        self.steps.append(Step(life, seq, verb, by))


@dataclass(slots=True)
class Proposal:
    """Something that waits, or waited."""

    id: str
    seq: int
    kind: str
    key: str
    scope: str
    facts: list[str]
    retires: list[str]
    action: str | None = None
    decided: int | None = None
    snoozed: datetime | None = None
    # When what a removal is about ended, as whoever asked said.
    ends: datetime | None = None


@dataclass(slots=True, eq=False)
class Thing:
    """An entity."""

    names: list[str]
    scope: str
    merged_into: "Thing | None" = None

    @property
    def last(self) -> "Thing":
        """What it is in the end."""
        return self if self.merged_into is None else self.merged_into.last


@dataclass
class World:
    """All that is known."""

    facts: dict[str, Fact] = field(default_factory=dict)
    proposals: dict[str, Proposal] = field(default_factory=dict)
    things: list[Thing] = field(default_factory=list)
    # Predicates that a human registered meanwhile.
    registered: dict[str, tuple[str, str]] = field(default_factory=dict)

    def holder(self, slot: Slot | None, scope: str) -> Fact | None:
        """Return the current fact of a place; there is never more than one."""
        held = [
            one
            for one in self.facts.values()
            if slot is not None
            and (one.slot, one.life.scope, one.life.lifecycle) == (slot, scope, "current")
        ]
        if len(held) > 1:
            raise AssertionError(f"two facts hold {slot}")
        return held[0] if held else None

    def saying(self, key: tuple[str, ...], scope: str) -> Iterator[Fact]:
        """Yield the facts that say this."""
        for one in self.facts.values():
            if (one.key, one.life.scope) == (key, scope):
                yield one

    def thing(self, name: str, scope: str) -> Thing | None:
        """Return what goes by a name: in its own scope first, then as it is written, the oldest."""
        bearers = [
            one
            for one in self.things
            if one.scope in {GLOBAL, scope} and name.lower() in map(str.lower, one.names)
        ]
        bearers.sort(key=lambda one: (one.last.scope != scope, name not in one.names))
        return bearers[0].last if bearers else None

    def parts(self, thing: Thing, scope: str) -> list[Thing]:
        """Return a thing, and what was merged into it that is seen from a scope."""
        merged = [one for one in self.things if one.last is thing and one is not thing]
        return [thing, *(one for one in merged if one.scope in {GLOBAL, scope})]

    def called(self, name: str) -> "Thing | None":
        """Return what goes by a name anywhere: as it is written first, then the oldest."""
        bearers = [one for one in self.things if name.lower() in map(str.lower, one.names)]
        bearers.sort(key=lambda one: name not in one.names)
        return bearers[0].last if bearers else None

    def names(self, thing: "Thing") -> list[str]:
        """Return all names of a thing, and of what was merged into it."""
        return [name for one in self.things if one.last is thing for name in one.names]

    def contested(self) -> set[str]:
        """Return the current facts that an open proposal would end, or a draft would replace."""
        waiting = [one for one in self.proposals.values() if one.decided is None]
        named = {fact for one in waiting for fact in one.retires}
        drafts = [
            self.facts[fact]
            for one in waiting
            if one.kind in {"supersession", "promotion"}
            for fact in one.facts
        ]
        return {
            one.id
            for one in self.facts.values()
            if one.life.lifecycle == "current"
            and (one.id in named or any(_would_replace(draft, one) for draft in drafts))
        }

    def held(self, as_of: datetime, seq: int) -> set[str]:
        """Return the facts that held at an instant, as it was known at a place of the ledger."""
        found = set()
        for one in self.facts.values():
            life = one.at(seq)
            if life is not None and counts(life) and _covers(life, as_of):
                found.add(one.id)
        return found


def _would_replace(draft: Fact, held: Fact) -> bool:
    return (
        held.slot is not None
        and (draft.slot, draft.life.scope) == (held.slot, held.life.scope)
        and (draft.life.lifecycle, draft.life.review != "rejected") == ("draft", True)
        and (draft.life.ends is None or draft.life.ends > draft.life.checked)
        and draft.key != held.key
    )


def counts(life: Life) -> bool:
    """Say whether it held while it lasted, whatever became of it."""
    return life.review != "rejected" and (
        life.lifecycle in {"current", "superseded"}
        or (life.lifecycle == "historical" and life.ends is not None)
    )


def _covers(life: Life, at: datetime) -> bool:
    return life.begins <= at and (life.ends is None or at < life.ends)


def ended(life: Life, at: datetime, lifecycle: str, successor: str | None = None) -> Life:
    """Return *life* with an end: the earlier of two, and none before it began."""
    ends = at if life.ends is None else min(at, life.ends)
    return replace(
        life,
        lifecycle=lifecycle,
        ends=max(ends, life.begins),
        successor=successor or life.successor,
    )


def check_human(by: Who) -> None:
    """Refuse whoever is not one."""
    if not by.is_human:
        raise ForbiddenError("only a human may")
