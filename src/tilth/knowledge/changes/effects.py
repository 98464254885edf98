"""Tell what the events of a page of changes did: what ceased to hold, and what replaced it."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

from tilth.core.event import Recorded
from tilth.core.ids import FactId, ulid_of
from tilth.core.lifecycle import Lifecycle
from tilth.core.scope import Visibility
from tilth.episodes.changes import Changes, Effect, changes
from tilth.knowledge.facts.events import FactRecorded
from tilth.knowledge.facts.filters import Moment
from tilth.knowledge.facts.tables import Facts
from tilth.ledger.events import SetAside
from tilth.ledger.records import find_place, records_at
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Store
from tilth.ledger.tables import Tombstones

# The state of a fact that a rollback or undo took out.
_ASIDE = "set aside"
_ASIDES = "SELECT seq FROM ledger WHERE kind = 'set_aside' AND seq IN {integers} ORDER BY seq"

# Returns what events at some places did to other things than facts: pairs of place and effect.
Elsewhere: TypeAlias = Callable[[Snapshot, Sequence[int], Visibility], Iterable[tuple[int, Effect]]]
_ELSEWHERE: list[Elsewhere] = []


def has_effects(find: Elsewhere) -> Elsewhere:
    """Register a function that returns the effects of events on things of its feature."""
    _ELSEWHERE.append(find)
    return find


def changes_with_effects(store: Store, since: str, within: Visibility, *, limit: int) -> Changes:
    """
    Return what was recorded since, each event with what it ended and what it brought back.

    Raises:
        InvalidInputError: *since* is neither cursor nor instant, or *limit* is too large.
        ConflictError: the cursor belongs to another history.
    """
    page = changes(store, since, within, limit=limit)
    found: defaultdict[int, list[Effect]] = defaultdict(list)
    with store.read() as view:
        places = [one.seq for one in page.items]
        turns = Facts(view).turns(places, within)
        others = [*_set_aside(view, places, within)]
        others += [one for find in _ELSEWHERE for one in find(view, places, within)]
        named = {seq for turn in turns for seq in (turn.fact_no, turn.successor_no) if seq}
        known = {fact.seq: fact for fact in Facts(view).at(sorted(named), within)}
    for turn in turns:
        fact, successor = known.get(turn.fact_no), known.get(turn.successor_no or 0)
        if fact is not None:
            effect = Effect(
                id=fact.id,
                text=fact.said.text,
                was=turn.was,
                now=turn.now,
                successor="" if successor is None else successor.id,
                successor_text="" if successor is None else successor.said.text,
                holds=turn.now == Lifecycle.CURRENT,
            )
            found[turn.event_no].append(effect)
    for seq, effect in others:
        found[seq].append(effect)
    return replace(page, effects={seq: tuple(effects) for seq, effects in found.items()})


def _set_aside(
    view: Snapshot, places: Sequence[int], within: Visibility
) -> Iterator[tuple[int, Effect]]:
    """Yield statements that a rollback or undo at *places* took out, or brought back."""
    rows = view.select(_ASIDES, places)
    for one in records_at(view.conn, [int(seq) for (seq,) in rows], view.integers):
        event = one.event
        if isinstance(event, SetAside):
            for made in Tombstones(view).present((*event.aside, *event.back)):
                is_back = made.event_id in event.back
                effects = _moved(view, made, one.seq, within, is_back=is_back)
                yield from ((one.seq, effect) for effect in effects)


def _moved(
    view: Snapshot, made: Recorded, seq: int, within: Visibility, *, is_back: bool
) -> Iterator[Effect]:
    """Yield the state of a statement at *seq* of the ledger, and what it replaces."""
    said = made.event
    if not isinstance(said, FactRecorded) or said.lifecycle is not Lifecycle.CURRENT:
        return
    if not within.admits(made.owner, said.scope):
        return
    id_, text = FactId.of(made.event_id), said.said.text
    was, now = (_ASIDE, Lifecycle.CURRENT) if is_back else (Lifecycle.CURRENT, _ASIDE)
    yield Effect(id=id_, text=text, was=was, now=now, holds=is_back)
    before = None if said.supersedes is None else find_place(view.conn, ulid_of(said.supersedes))
    for other in Facts(view).at([before], within, Moment(known_seq=seq)) if before else ():
        if is_back:
            yield Effect(
                id=other.id,
                text=other.said.text,
                was=Lifecycle.CURRENT,
                now=other.life.lifecycle,
                holds=False,
                successor=id_,
                successor_text=text,
            )
        elif other.life.lifecycle is Lifecycle.CURRENT:
            yield Effect(
                id=other.id,
                text=other.said.text,
                was=Lifecycle.SUPERSEDED,
                now=Lifecycle.CURRENT,
                holds=True,
            )
