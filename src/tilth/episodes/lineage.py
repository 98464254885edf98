"""
Which session another one goes on from, where its host does not say so (I24).

A fork of an older host is a session of its own that begins with the lines of the one that was
forked, as they were said and when. So two sessions whose people began with the same words at the
same time are one, and nothing that both tell was told twice.
"""

from tilth.core.ids import SessionId, parent_session
from tilth.core.scope import Visibility
from tilth.episodes.capture_dedup import NEAR
from tilth.episodes.episode import SPOKEN, Episode
from tilth.episodes.filters import EpisodeFilter
from tilth.episodes.tables import Episodes
from tilth.ledger.snapshot import Snapshot

# So much is said at once in one project, whoever works in it.
_READ_MAX = 200


def root_of(view: Snapshot, session_id: SessionId | None, within: Visibility) -> SessionId:
    """Return the session that another one belongs to: whose subagent it is, or whose fork."""
    own = parent_session(session_id or "")
    first = _first_of(view, own, within)
    if first is None:
        return own
    alike = (one for one in _at_that_time(view, first, within) if _is_copy(first, one))
    for one in alike:
        other = parent_session(one.session_id or "")
        begun = other and _first_of(view, other, within)
        if begun and begun.id == one.id:
            return other
    return own


def is_copied_by_fork(view: Snapshot, episode: Episode, within: Visibility) -> bool:
    """Say whether an episode is a line that a fork copied: the session before it said so."""
    if episode.session_id is None:
        return False
    root = root_of(view, episode.session_id, within)
    if root == parent_session(episode.session_id):
        return False
    near = _at_that_time(view, episode, within)
    return any(one.session_id == root and _is_copy(episode, one) for one in near)


def _first_of(view: Snapshot, session_id: SessionId, within: Visibility) -> Episode | None:
    which = EpisodeFilter(within=within, session_id=session_id, kinds=SPOKEN)
    return next(iter(Episodes(view).select(which, limit=1)), None)


def _at_that_time(view: Snapshot, episode: Episode, within: Visibility) -> list[Episode]:
    """Return what was said about then, in ledger order; a hook hears a line a little later."""
    which = EpisodeFilter(
        within=within,
        kinds=SPOKEN,
        occurred_from=episode.occurred_at - NEAR,
        occurred_before=episode.occurred_at + NEAR,
    )
    return Episodes(view).select(which, limit=_READ_MAX)


def _is_copy(one: Episode, other: Episode) -> bool:
    return other.session_id is not None and (one.role, one.text) == (other.role, other.text)
