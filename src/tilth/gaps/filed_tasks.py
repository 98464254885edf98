"""Tasks in repositories that tell of what is erased: only their keeper may change them."""

from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from tilth.core.ids import EventId, ulid_of
from tilth.core.scope import Visibility
from tilth.gaps.filing import Way
from tilth.gaps.model import Gap, GapSort
from tilth.gaps.tables import GapFilter, Gaps
from tilth.ledger.snapshot import Snapshot

_PAGE = 1000
_ISSUE, _LINE = "https://", "TODO.md#"


def filed_tasks(view: Snapshot, gone: AbstractSet[EventId], within: Visibility) -> list[str]:
    """
    Return where tasks lie that were filed with words of what goes.

    An issue quotes what shows its gap; a line of a file has the description alone.
    """
    places = {
        one.scope: f"{one.repository}/"
        for one in Gaps(view).filings(within)
        if one.way is Way.TODO_FILE
    }
    told = []
    for gap in _gaps(view, within):
        is_told = ulid_of(gap.id) in gone
        if gap.todo_ref.startswith(_ISSUE) and (is_told or _shows(view, gap, gone, within)):
            told.append(gap.todo_ref)
        elif gap.todo_ref.startswith(_LINE) and is_told:
            told.append(places.get(gap.scope, "") + gap.todo_ref)
    return told


def _gaps(view: Snapshot, within: Visibility) -> Iterator[Gap]:
    which, offset = GapFilter(within=within), 0
    while page := Gaps(view).select(which, sort=GapSort.DATE, limit=_PAGE, offset=offset):
        yield from page
        offset += len(page)


def _shows(view: Snapshot, gap: Gap, gone: AbstractSet[EventId], within: Visibility) -> bool:
    trail = Gaps(view).trail(gap.id, within)
    return any(ulid_of(one.evidence.episode_id) in gone for one in trail)
