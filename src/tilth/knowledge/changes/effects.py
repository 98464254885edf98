"""What each event of a page of changes did to facts: what ceased to hold, and what came instead."""

from collections import defaultdict
from dataclasses import replace

from tilth.core.lifecycle import Lifecycle
from tilth.core.scope import Visibility
from tilth.episodes.changes import Changes, Effect, changes
from tilth.knowledge.facts.tables import Facts
from tilth.ledger.store import Store


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
        turns = Facts(view).turns([one.seq for one in page.items], within)
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
    return replace(page, effects={seq: tuple(effects) for seq, effects in found.items()})
