"""Describing, listing and reading sessions and their episodes."""

import logging
from collections.abc import Sequence
from dataclasses import replace

from tilth.core.dataclass import dataclass
from tilth.core.ids import EpisodeId, SessionId
from tilth.core.paging import PAGE_MAX
from tilth.core.scope import GLOBAL, Scope, Visibility
from tilth.episodes.episode import Episode
from tilth.episodes.events import SessionDescribed
from tilth.episodes.filters import EpisodeFilter, SessionFilter
from tilth.episodes.remember import WriteContext, scrubbed_id
from tilth.episodes.session import Session, SessionInfo
from tilth.episodes.tables import Episodes
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


def list_sessions(
    store: Store, within: Visibility, which: SessionFilter, *, limit: int = 20, offset: int = 0
) -> list[Session]:
    """Return sessions, the one that was active last first."""
    with store.read() as view:
        return Episodes(view).sessions(
            within, limit=min(limit, PAGE_MAX), offset=offset, which=which
        )


def get_session(store: Store, session_id: SessionId, within: Visibility) -> Session:
    """
    Return one session.

    Raises:
        NotFoundError: there is none that may be seen.
    """
    with store.read() as view:
        return Episodes(view).session(session_id, within)


def list_episodes(
    store: Store, which: EpisodeFilter, *, limit: int = 100, after: int = 0, newest: bool = False
) -> list[Episode]:
    """Return episodes in ledger order (or from the newest back), after the place *after*."""
    with store.read() as view:
        return Episodes(view).select(
            which, limit=min(limit, PAGE_MAX), after=after, newest_first=newest
        )


def get_episode(
    store: Store, episode_id: EpisodeId, within: Visibility, *, is_masked: bool = False
) -> Episode:
    """
    Return one episode, word for word; *is_masked* hides personal data in it.

    Raises:
        NotFoundError: there is none that may be seen.
    """
    with store.read() as view:
        episode = Episodes(view).get(episode_id, within)
    return masked(episode) if is_masked else episode


def masked(episode: Episode) -> Episode:
    """Return *episode* with emails, addresses, numbers and keys hidden; identifiers stay."""
    from tilth.privacy.personal import mask_personal  # noqa: PLC0415 - few ask for it

    return replace(
        episode,
        text=mask_personal(episode.text),
        speaker=mask_personal(episode.speaker),
        address=mask_personal(episode.address),
    )
