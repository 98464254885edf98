"""Read the changes since a place, as far as they matter for going back there."""

from collections.abc import Iterator

from tilth.core.event import Recorded, events_by_kind
from tilth.ledger.events import SetAside
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.tables import Namings


def changes(view: Snapshot, after: int = 0) -> Iterator[Recorded]:
    """
    Yield the operations after a place, and what set any of them aside, in ledger order.

    What was said, read and spent is skipped, which is ten times as much.
    """
    happened = [
        kind
        for kind, made in events_by_kind().items()
        if made.aspects.stays and not issubclass(made, SetAside)
    ]
    return view.later(after, but=happened)


def changed_since(view: Snapshot, place: int) -> list[Recorded]:
    """Return the changes after a place, and events that name these or what is at that place."""
    found = {one.seq: one for one in changes(view, place)}
    named = [place, *found]
    while named:
        naming = Namings(view).of(named, but=found)
        named = [one.seq for one in naming if one.seq > place]
        found |= {one.seq: one for one in naming if one.seq > place}
    return [found[seq] for seq in sorted(found)]
