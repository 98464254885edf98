"""Describing, listing and reading sessions and their episodes."""

import logging
from collections.abc import Sequence
from dataclasses import replace

from tilth.core.dataclass import dataclass
from tilth.core.ids import SessionId
from tilth.core.scope import GLOBAL, Scope
from tilth.episodes.episode import Episode
from tilth.episodes.events import SessionDescribed
from tilth.episodes.remember import WriteContext, scrubbed_id
from tilth.episodes.session import Session, SessionInfo
from tilth.ledger.store import Store
from tilth.privacy.redaction import scrub, scrub_scope

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SessionPage:
    """A session, and some of its episodes in the order of the ledger."""

    session: Session
    episodes: Sequence[Episode]


def describe(
    store: Store,
    session_id: SessionId,
    info: SessionInfo,
    *,
    scope: Scope = GLOBAL,
    recorder: WriteContext,
) -> None:
    """Say something about a session as a whole; it replaces what was said before."""
    session_id = scrubbed_id(session_id) or session_id
    event = SessionDescribed(
        session_id=session_id, info=scrubbed_info(info), scope=scrub_scope(scope)
    )
    with store.begin() as tx:
        tx.append(event, by=recorder.by, owner=recorder.owner)
    logger.info("session described: session=%s", session_id)


def scrubbed_info(info: SessionInfo) -> SessionInfo:
    """Return *info* without private spans and secrets."""
    return replace(
        info,
        title=scrub(info.title).text,
        folder=scrub(info.folder).text,
        uri=scrub(info.uri).text,
        tags=tuple(scrub(tag).text for tag in info.tags),
    )


def masked(episode: Episode) -> Episode:
    """Return *episode* with emails, addresses, numbers and keys hidden; identifiers stay."""
    from tilth.privacy.personal import mask_personal  # noqa: PLC0415 - few ask for it

    return replace(
        episode,
        text=mask_personal(episode.text),
        speaker=mask_personal(episode.speaker),
        address=mask_personal(episode.address),
    )
