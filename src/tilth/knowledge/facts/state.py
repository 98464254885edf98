"""Answer what is so now, or was at a moment, from facts and never from what was said about them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from tilth.core.calls.paging import check_page
from tilth.core.clock import Clock
from tilth.core.dataclass import dataclass
from tilth.core.ids import FactId
from tilth.core.lifecycle import Freshness, Lifecycle, freshness_of, may_contradict
from tilth.knowledge.facts.fact import Fact
from tilth.knowledge.facts.filters import FactFilter
from tilth.knowledge.facts.ranking_inputs import FactPlaces
from tilth.knowledge.facts.tables import Facts
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Store

LIMIT_MAX = 100
_WIDER = frozenset({Lifecycle.CURRENT, Lifecycle.SUPERSEDED, Lifecycle.HISTORICAL})


@dataclass(frozen=True, slots=True)
class StateFact:
    """
    A fact of a state, with whether its age calls for a check.

    `against` are facts that contradict it in a waiting or disputed proposal: both sides are shown.
    """

    fact: Fact
    freshness: Freshness
    against: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class State:
    """
    What is so; `count` is the number of facts.

    `is_widened` says that nothing holds, and that these facts did once.
    """

    facts: tuple[StateFact, ...]
    count: int
    is_widened: bool


def state(
    store: Store, clock: Clock, which: FactFilter, *, limit: int = 10, is_widening: bool = False
) -> State:
    """
    Return what holds, newest first; with *is_widening*, what held if nothing does.

    Raises:
        InvalidInputError: *limit* is not from 1 to 100.
    """
    check_page(limit, LIMIT_MAX)
    now = clock.now()
    is_timeless = which.moment.as_of is not None or which.lifecycles is not None
    which = replace(which, is_once=True)
    asked = which if is_timeless else replace(which, now=now)
    with store.read() as view:
        found = Facts(view).select(asked, limit=limit)
        count = Facts(view).count(asked)
        is_widened = is_widening and not found
        if is_widened:
            asked = replace(which, lifecycles=_WIDER, now=None)
            found, count = Facts(view).select(asked, limit=limit), Facts(view).count(asked)
        found = Facts(view).with_beside(found, which.within, which.moment)
        against = contradicting_facts(view, found, which)
    at = which.moment.known_at or now
    told = tuple(with_freshness(fact, at, against.get(fact.id, ())) for fact in found)
    return State(told, count, is_widened)


def with_freshness(fact: Fact, at: datetime, against: tuple[Fact, ...] = ()) -> StateFact:
    """Return *fact* with its age at a moment."""
    return StateFact(fact, freshness_of(at - fact.fresh_from), against)


def contradicting_facts(
    view: Snapshot, facts: Sequence[Fact], which: FactFilter
) -> Mapping[FactId, tuple[Fact, ...]]:
    """Return the visible facts that contradict each of *facts*."""
    rivals = FactPlaces(view).rivals([fact.seq for fact in facts], which.moment)
    others = sorted({seq for seqs in rivals.values() for seq in seqs})
    known = {one.seq: one for one in Facts(view).at(others, which.within, which.moment)}
    doubtful = {
        seq for seq, one in known.items() if may_contradict(one.life.lifecycle, one.life.review)
    }
    return {
        fact.id: tuple(known[seq] for seq in rivals[fact.seq] if seq in doubtful)
        for fact in facts
        if fact.seq in rivals
    }
