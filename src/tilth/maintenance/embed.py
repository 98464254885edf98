"""
Fill an embedding space in the background.

A new embedder has a new space: old vectors stay in use until the new ones are there, and vectors
of two spaces are never compared (KB-124).
"""

import logging
from collections.abc import Callable, Iterator, Sequence

from tilth.core.errors import CorruptionError
from tilth.core.event import Event
from tilth.embedding.embedder import Embedder
from tilth.episodes.events import EpisodeRecorded
from tilth.episodes.remember import embedded_text
from tilth.knowledge.facts.events import FactRecorded
from tilth.ledger.search import Search
from tilth.ledger.store import Store

logger = logging.getLogger(__name__)

BATCH = 64


def embed_backlog(
    store: Store,
    embedders: Sequence[Embedder],
    *,
    limit: int | None = None,
    progress: Callable[[int], None] = lambda _done: None,
) -> int:
    """
    Embed the episodes and facts that lack a vector of an embedder, the oldest first.

    Each batch is stored as soon as it is made, so an interrupted call resumes where it stopped. No
    transaction is open while a model computes. Every write makes the first tier's vector, so it
    lacks some only after an interrupted rebuild.

    Args:
        store: The store with the episodes, facts and vectors.
        embedders: The embedders, one after the other.
        limit: The most vectors to make; None for all.
        progress: Called with the number made so far.

    Returns:
        How many vectors were made.

    Raises:
        UnavailableError: a model does not answer.
    """
    done = 0
    for embedder in embedders:
        for made in _batches(store, embedder, None if limit is None else limit - done):
            done += made
            progress(done)
    return done


def _batches(store: Store, embedder: Embedder, limit: int | None) -> Iterator[int]:
    """Yield how many vectors each batch made, until none is missing or *limit* is reached."""
    made, after = 0, 0
    while limit is None or made < limit:
        size = BATCH if limit is None else min(BATCH, limit - made)
        with store.read() as view:
            lacking = Search(view).unembedded(embedder.space, limit=size, after=after)
        if not lacking:
            break
        vectors = embedder.embed([_words(recorded.event) for recorded in lacking])
        with store.begin() as tx:
            seqs = (recorded.seq for recorded in lacking)
            tx.put_vectors(embedder.space, zip(seqs, vectors, strict=True))
        made, after = made + len(lacking), lacking[-1].seq
        yield len(lacking)
    if made:
        logger.info("embedded: space=%s count=%d", embedder.space, made)


def _words(event: Event) -> str:
    match event:
        case EpisodeRecorded(draft=draft):
            return embedded_text(draft)
        case FactRecorded(said=said):
            return said.words
        case _:
            raise CorruptionError("a vector lacks where nothing was said or stated")
