"""Reading all of something that has no bound, some at a time."""

from collections.abc import Iterator

from tilth.episodes.episode import Episode
from tilth.episodes.filters import EpisodeFilter
from tilth.episodes.tables import Episodes
from tilth.ledger.snapshot import Snapshot

_PAGE = 1000


def every_episode(view: Snapshot, which: EpisodeFilter) -> Iterator[Episode]:
    """Yield all episodes that a filter lets through, in the order of the ledger."""
    after = 0
    while page := Episodes(view).select(which, limit=_PAGE, after=after):
        yield from page
        after = page[-1].seq
