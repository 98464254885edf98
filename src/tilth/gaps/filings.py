"""Where TODOs are filed besides the outbox: a human's choice, scope by scope."""

import logging
from collections.abc import Sequence

from tilth.core.actor import require_human
from tilth.core.clock import Clock
from tilth.core.errors import InvalidInputError, NotFoundError
from tilth.core.scope import Scope, Visibility
from tilth.episodes.remember import Recorder
from tilth.gaps.events import FilingChosen, FilingEnded
from tilth.gaps.filing import REPOSITORY_CHARS_MAX, Filing, Way
from tilth.gaps.tables import Gaps
from tilth.gaps.task_lists_port import TaskLists
from tilth.ledger.store import Store

logger = logging.getLogger(__name__)


def choose_filing(
    store: Store,
    tasks: TaskLists,
    told: tuple[Scope, str, Way],
    clock: Clock,
    recorder: Recorder,
) -> Filing:
    """
    Let the TODOs of a scope be filed in a repository from now on, and in no other.

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


def end_filing(store: Store, scope: Scope, recorder: Recorder) -> None:
    """
    File the TODOs of a scope in no repository any more; what was filed stays.

    Raises:
        ForbiddenError: the caller is not a human.
        NotFoundError: they are filed in none.
    """
    require_human(recorder.by, "end the filing of TODOs")
    with store.begin() as tx:
        if not Gaps(tx).filings(Visibility(recorder.owner, frozenset({scope}))):
            raise NotFoundError(f"the TODOs of {scope} are filed in no repository")
        tx.append(FilingEnded(scope), by=recorder.by, owner=recorder.owner)
    logger.info("filing ended: scope=%s", scope)


def list_filings(store: Store, within: Visibility) -> Sequence[Filing]:
    """Return where TODOs are filed, scope by scope."""
    with store.read() as view:
        return Gaps(view).filings(within)
