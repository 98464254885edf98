"""Read the operations since a place in the ledger."""

from collections.abc import Iterator

from tilth.core.event import Recorded, events_by_kind
from tilth.ledger.events import SetAside
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.tables import Namings


def changes(view: Snapshot, after: int = 0) -> Iterator[Recorded]:
    """
    Yield the operations after a place, and rollbacks and undos of any, in ledger order.

    Events that stay when knowledge goes back are skipped: they are ten times as many.
    """
    happened = [
        kind
        for kind, made in events_by_kind().items()
        if made.aspects.stays and not issubclass(made, SetAside)
    ]
    return view.later(after, but=happened)


def changed_since(view: Snapshot, place: int) -> list[Recorded]:
    """Return the operations after a place, and events that name them or the one at that place."""
    found = {one.seq: one for one in changes(view, place)}
    named = [place, *found]
    while named:
        naming = Namings(view).of(named, but=found)
        named = [one.seq for one in naming if one.seq > place]
        found |= {one.seq: one for one in naming if one.seq > place}
    return [found[seq] for seq in sorted(found)]
