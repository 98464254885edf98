"""
Choose where the TODOs of a scope are filed besides the outbox.

Only the owner of a repository changes what is filed there, so an erase names the tasks that quote
what it erases.
"""

import logging
from collections.abc import Set as AbstractSet
from functools import partial

from tilth.core.actor import require_human
from tilth.core.clock import Clock
from tilth.core.errors import InvalidInputError, NotFoundError
from tilth.core.ids import EventId, ulid_of
from tilth.core.scope import Scope, Visibility
from tilth.episodes.remember import WriteContext
from tilth.gaps.events import FilingChosen, FilingEnded
from tilth.gaps.model import Gap, GapSort
from tilth.gaps.tables import GapFilter, Gaps
from tilth.gaps.todos import REPOSITORY_CHARS_MAX, Filing, TaskLists, Way
from tilth.ledger.snapshot import Snapshot, every
from tilth.ledger.store import Store

logger = logging.getLogger(__name__)

_ISSUE, _LINE = "https://", "TODO.md#"


def choose_filing(
    store: Store,
    tasks: TaskLists,
    told: tuple[Scope, str, Way],
    clock: Clock,
    recorder: WriteContext,
) -> Filing:
    """
    File the TODOs of a scope in this repository from now on, and in no other.

    Raises:
        ForbiddenError: the caller is not a human.
        InvalidInputError: nothing can be filed there.
    """
    require_human(recorder.by, "let TODOs be filed in a repository")
    scope, repository, way = told
    if len(repository) > REPOSITORY_CHARS_MAX or not repository.isprintable():
        raise InvalidInputError("a repository is the path of a folder")
    filing = Filing(scope=scope, repository=repository, way=way, by=recorder.by, at=clock.now())
    tasks.check(filing)
    event = FilingChosen(scope=scope, repository=repository, way=way)
    with store.begin() as tx:
        tx.append(event, by=recorder.by, owner=recorder.owner)
        (chosen,) = Gaps(tx).filings(Visibility(recorder.owner, frozenset({scope})))
    logger.info("filing chosen: scope=%s way=%s", scope, way)
    return chosen


def end_filing(store: Store, scope: Scope, recorder: WriteContext) -> None:
    """
    Stop filing the TODOs of a scope; filed ones stay.

    Raises:
        ForbiddenError: the caller is not a human.
        NotFoundError: they are filed in no repository.
    """
    require_human(recorder.by, "end the filing of TODOs")
    with store.begin() as tx:
        if not Gaps(tx).filings(Visibility(recorder.owner, frozenset({scope}))):
            raise NotFoundError(f"the TODOs of {scope} are filed in no repository")
        tx.append(FilingEnded(scope), by=recorder.by, owner=recorder.owner)
    logger.info("filing ended: scope=%s", scope)


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
