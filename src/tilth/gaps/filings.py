"""
Find the tasks that were filed in repositories and quote what is erased.

Only the owner of a repository changes what is filed there, so an erase names these tasks.
"""

from collections.abc import Set as AbstractSet
from functools import partial

from tilth.core.ids import EventId, ulid_of
from tilth.core.scope import Visibility
from tilth.gaps.model import Gap, GapSort
from tilth.gaps.tables import GapFilter, Gaps
from tilth.gaps.todos import Way
from tilth.ledger.snapshot import Snapshot, every

_ISSUE, _LINE = "https://", "TODO.md#"


def filed_tasks(view: Snapshot, gone: AbstractSet[EventId], within: Visibility) -> list[str]:
    """
    Return where tasks were filed that contain words of what is erased.

    An issue quotes the evidence of its gap; a line of a file has only the description.
    """
    places = {
        one.scope: f"{one.repository}/"
        for one in Gaps(view).filings(within)
        if one.way is Way.TODO_FILE
    }
    told = []
    for gap in every(partial(Gaps(view).select, GapFilter(within=within), sort=GapSort.DATE)):
        is_told = ulid_of(gap.id) in gone
        if gap.todo_ref.startswith(_ISSUE) and (is_told or _quotes(view, gap, gone, within)):
            told.append(gap.todo_ref)
        elif gap.todo_ref.startswith(_LINE) and is_told:
            told.append(places.get(gap.scope, "") + gap.todo_ref)
    return told


def _quotes(view: Snapshot, gap: Gap, gone: AbstractSet[EventId], within: Visibility) -> bool:
    trail = Gaps(view).trail(gap.id, within)
    return any(ulid_of(one.evidence.episode_id) in gone for one in trail)
