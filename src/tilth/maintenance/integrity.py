"""Keeping a store whole: verify it, rebuild it, copy it."""

import logging
from collections.abc import Callable

from tilth.core.dataclass import dataclass
from tilth.embedding.embedder import Embedder
from tilth.ledger.engine import Finding
from tilth.ledger.store import Store
from tilth.maintenance.embed import embed_backlog

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Verified:
    """The outcome of a check: how many events there are, and what is wrong."""

    event_count: int
    findings: tuple[Finding, ...]

    @property
    def is_whole(self) -> bool:
        """Whether nothing is wrong."""
        return not self.findings


def rebuild(
    store: Store, embedder: Embedder, *, progress: Callable[[int], None] = lambda _done: None
) -> int:
    """
    Make every projection and index again from the ledger, which is not touched.

    Vectors of the first tier are made again here; those of other spaces are
    dropped and come back with the backlog.

    Args:
        store: What to make whole.
        embedder: The first tier.
        progress: Called with the number of episodes embedded so far.

    Returns:
        How many events were read.
    """
    count = store.rebuild()
    embed_backlog(store, [embedder], progress=progress)
    logger.info("store rebuilt: events=%d", count)
    return count
