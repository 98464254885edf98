"""What each event of a page of changes did to facts: what ceased to hold, and what came instead."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TypeAlias

from tilth.core.lifecycle import Lifecycle
from tilth.core.scope import Visibility
from tilth.episodes.changes import Changes, Effect, changes
from tilth.knowledge.facts.tables import Facts
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Store

# What events at some places did to something else than facts: the place, and the effect.
Elsewhere: TypeAlias = Callable[[Snapshot, Sequence[int], Visibility], Iterable[tuple[int, Effect]]]
_ELSEWHERE: list[Elsewhere] = []


def has_effects(find: Elsewhere) -> Elsewhere:
    """Say that a function finds what events did to things of its own feature."""
    _ELSEWHERE.append(find)
    return find


def changes_with_effects(store: Store, since: str, within: Visibility, *, limit: int) -> Changes:
    """
    Return what was recorded since, each event with what it ended and what it brought back.

    Raises:
        InvalidInputError: *since* is neither cursor nor instant, or *limit* is too much.
        ConflictError: the cursor belongs to another history.
    """
    page = changes(store, since, within, limit=limit)
    found: defaultdict[int, list[Effect]] = defaultdict(list)
    with store.read() as view:
        places = [one.seq for one in page.items]
        turns = Facts(view).turns(places, within)
        others = [one for find in _ELSEWHERE for one in find(view, places, within)]
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
