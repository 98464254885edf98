"""
Filling an embedding space in the background.

A new embedder is a new space: old vectors stay in use until the new ones are
there, and the two are never compared (KB-124).
"""

import logging
from collections.abc import Callable

from tilth.ports import Embedder, Store
from tilth.usecases.remember import embedded_text

logger = logging.getLogger(__name__)

BATCH_EPISODES = 64


def embed_backlog(
    store: Store,
    embedder: Embedder,
    *,
    limit: int | None = None,
    progress: Callable[[int], None] = lambda _done: None,
) -> int:
    """
    Embed the episodes that have no vector in *embedder*'s space, the oldest first.

    Each batch is kept as soon as it is made, so it can be broken off at any
    point and goes on where it stopped. No transaction is open while the model
    computes.

    Args:
        store: Where the episodes are and the vectors go.
        embedder: The model.
        limit: Stop after this many episodes; None for all.
        progress: Called with the number done so far.

    Returns:
        How many were embedded.

    Raises:
        UnavailableError: the model does not answer.
    """
    done, after = 0, 0
    while limit is None or done < limit:
        size = BATCH_EPISODES if limit is None else min(BATCH_EPISODES, limit - done)
        with store.read() as view:
            episodes = view.search.unembedded(embedder.space, limit=size, after=after)
        if not episodes:
            break
        vectors = embedder.embed([embedded_text(episode) for episode in episodes])
        with store.begin() as tx:
            seqs = (episode.seq for episode in episodes)
            tx.put_vectors(embedder.space, zip(seqs, vectors, strict=True))
        done, after = done + len(episodes), episodes[-1].seq
        progress(done)
    logger.info("episodes embedded: space=%s count=%d", embedder.space, done)
    return done
