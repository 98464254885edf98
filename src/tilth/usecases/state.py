"""What is so now, or was so then: answered from facts, never from what was said about them."""

from dataclasses import dataclass, replace
from datetime import datetime

from tilth.domain.fact import Fact
from tilth.domain.lifecycle import Lifecycle
from tilth.domain.recall import Freshness, freshness_of
from tilth.ports import Clock, FactFilter, Store
from tilth.usecases.facts import check_page

LIMIT_MAX = 100
_WIDER = frozenset({Lifecycle.CURRENT, Lifecycle.SUPERSEDED, Lifecycle.HISTORICAL})


@dataclass(frozen=True, slots=True)
class StateFact:
    """A fact of a state, and how far its age invites to check it."""

    fact: Fact
    freshness: Freshness


@dataclass(frozen=True, slots=True)
class State:
    """
    What is so; `count` is how many facts there are in all.

    `is_widened` says that nothing held, and that these are what did once.
    """

    facts: tuple[StateFact, ...]
    count: int
    is_widened: bool


def state(
    store: Store, clock: Clock, which: FactFilter, *, limit: int = 10, is_widening: bool = False
) -> State:
    """
    Return what holds, the newest first; with *is_widening*, what did hold if nothing does.

    Raises:
        InvalidInputError: *limit* is not from 1 to 100.
    """
    check_page(limit, LIMIT_MAX)
    now = clock.now()
    is_timeless = which.moment.as_of is not None or which.lifecycles is not None
    asked = which if is_timeless else replace(which, now=now)
    with store.read() as view:
        found = view.facts.select(asked, limit=limit)
        count = view.facts.count(asked)
        is_widened = is_widening and not found
        if is_widened:
            asked = replace(which, lifecycles=_WIDER, now=None)
            found, count = view.facts.select(asked, limit=limit), view.facts.count(asked)
    at = which.moment.known_at or now
    return State(tuple(aged(fact, at) for fact in found), count, is_widened)


def aged(fact: Fact, at: datetime) -> StateFact:
    """Return *fact* with how old it is at a moment."""
    return StateFact(fact, freshness_of(at - fact.life.checked_at))
