"""
Record what is in the spool.

Batches are recorded in order, each in one transaction, and only then settled, so a crash loses
nothing: what comes twice is known by its key. A record that cannot become episodes is set aside
with the reason and blocks no other.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

from tilth.agents.hook_record import HookRecord
from tilth.agents.spool import SpoolFolder
from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError, NotFoundError
from tilth.core.scope import Visibility, seen_from
from tilth.embedding.embedder import Embedder
from tilth.episodes.capture_dedup import without_twins
from tilth.episodes.episode import EpisodeDraft
from tilth.episodes.remember import WriteContext, remember, scrubbed
from tilth.episodes.session import SessionInfo
from tilth.episodes.sessions import describe
from tilth.episodes.tables import Episodes
from tilth.ledger.store import Store
from tilth.ledger.tables import Tombstones
from tilth.transfer.model import Described, Item
from tilth.transfer.session_scopes import SessionScopes

logger = logging.getLogger(__name__)

Reading: TypeAlias = Callable[[HookRecord], Sequence[Item]]


@dataclass(slots=True, kw_only=True)
class Ingested:
    """What became of what waited: records, the episodes made of them, and what was set aside."""

    record_count: int = 0
    new_count: int = 0
    known_count: int = 0
    aside_count: int = 0


def ingest_spool(
    store: Store,
    embedder: Embedder,
    spool: SpoolFolder,
    reading: Reading,
    *,
    recorder: WriteContext,
) -> Ingested:
    """
    Record all that waits in *spool*.

    Args:
        store: Where the episodes go.
        embedder: The first tier, in step with every write.
        spool: What waits.
        reading: What makes drafts of a record.
        recorder: Who records, and for whom.

    Raises:
        UnavailableError: the store does not answer; what was not recorded still waits.
    """
    done = Ingested()
    for batch in spool.batches():
        drafts: list[EpisodeDraft] = []
        scopes = SessionScopes(store, recorder.owner)
        for record in batch.records:
            try:
                items = reading(record)
            except InvalidInputError as error:
                spool.set_aside(record, str(error))
                done.aside_count += 1
                continue
            drafts += _drafts(store, [*map(scopes.placed, items)], recorder)
        new = _unknown(store, drafts, recorder)
        if new:
            remember(store, embedder, new, recorder=recorder)
        spool.settle(batch)
        done.record_count += len(batch.records) + len(batch.broken)
        done.aside_count += len(batch.broken)
        done.new_count += len(new)
        done.known_count += len(drafts) - len(new)
    if done.record_count or done.aside_count:
        logger.info(
            "spool ingested: records=%d new=%d known=%d aside=%d",
            done.record_count,
            done.new_count,
            done.known_count,
            done.aside_count,
        )
    return done


def _drafts(store: Store, items: Sequence[Item], recorder: WriteContext) -> list[EpisodeDraft]:
    for item in items:
        if isinstance(item, Described):
            _describe(store, item, recorder)
    return [item for item in items if isinstance(item, EpisodeDraft)]


def _describe(store: Store, told: Described, recorder: WriteContext) -> None:
    """Say of a session what nobody has said yet; what is said already stands."""
    with store.read() as view:
        try:
            within = seen_from(recorder.owner, None)
            known = Episodes(view).session(told.session_id, within).info
        except NotFoundError:
            known = SessionInfo()
        # A host tells the title again with each call; what was erased does not come back by that.
        is_erased = Tombstones(view).took_description(told.session_id, recorder.owner)
    info = replace(
        known,
        title=known.title or ("" if is_erased else told.info.title),
        host=known.host or told.info.host,
        folder=known.folder or told.info.folder,
        uri=known.uri or told.info.uri,
    )
    if info != known:
        describe(store, told.session_id, info, scope=told.scope, recorder=recorder)


def _unknown(
    store: Store, drafts: Sequence[EpisodeDraft], recorder: WriteContext
) -> list[EpisodeDraft]:
    by_key: dict[str, EpisodeDraft] = {}
    for draft in drafts:
        assert draft.idempotency_key is not None, "what may come twice has a key"
        by_key.setdefault(draft.idempotency_key, draft)
    with store.read() as view:
        known = view.by_key(recorder.owner, list(by_key))
        new = [draft for key, draft in by_key.items() if key not in known]
        sayable = [draft for draft in map(_sayable, new) if draft is not None]
        return without_twins(view, sayable, Visibility(recorder.owner))


def _sayable(draft: EpisodeDraft) -> EpisodeDraft | None:
    try:
        return scrubbed(draft)
    except InvalidInputError:  # all of it was private
        return None
