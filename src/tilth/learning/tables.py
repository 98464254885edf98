"""The table of distillation, and reading it."""

from tilth.core.event import Recorded
from tilth.core.ids import SessionId
from tilth.core.instant import from_micros
from tilth.core.scope import Scope, Visibility
from tilth.core.table import Table
from tilth.learning.events import DistillationReopened, SessionRead, SessionsDistilled
from tilth.learning.model import Unread, Waiting
from tilth.ledger.projection import Rows, projects
from tilth.ledger.snapshot import SnapshotReader

# For each session the place up to which it was read, the oldest version of extractors that read it,
# and the place after which it waits for a language model.
DISTILLED = Table(
    "distilled",
    no=30,
    since=2,
    is_record=True,
    columns="""
    session_no   $integer PRIMARY KEY,
    through      $integer NOT NULL,
    version      $integer NOT NULL,
    unread_after $integer CHECK (unread_after < through)
""",
    indexes="""
CREATE INDEX unread_sessions ON distilled (unread_after) WHERE unread_after IS NOT NULL;
""",
)

# Keeps the oldest version of extractors, and the first place that waits for a model.
_DISTILLED = """
INSERT INTO distilled (session_no, through, version, unread_after)
SELECT session_no, CAST(? AS BIGINT), CAST(? AS BIGINT), CAST(? AS BIGINT)
FROM sessions WHERE realm_no = ? AND session_id = ?
ON CONFLICT (session_no) DO UPDATE SET
  through = excluded.through,
  version = CASE WHEN excluded.version < distilled.version
                 THEN excluded.version ELSE distilled.version END,
  unread_after = CASE WHEN excluded.unread_after IS NULL THEN distilled.unread_after
                      ELSE coalesce(distilled.unread_after, distilled.through) END
"""
_READ = """
UPDATE distilled SET unread_after = CASE WHEN through > ? THEN CAST(? AS BIGINT) END
WHERE unread_after IS NOT NULL AND session_no =
  (SELECT session_no FROM sessions WHERE realm_no = ? AND session_id = ?)
"""
_REOPEN = """
DELETE FROM distilled WHERE session_no IN
  (SELECT s.session_no FROM sessions s JOIN realms r ON r.realm_no = s.realm_no WHERE r.owner = ?)
"""
# The last episode of a session has its number of episodes as position.
_WAITING = """
SELECT s.session_id, r.scope, coalesce(d.through, 0), e.seq, s.last_at
FROM sessions s
JOIN realms r ON r.realm_no = s.realm_no
JOIN episodes e ON e.session_no = s.session_no AND e.position = s.episode_count
LEFT JOIN distilled d ON d.session_no = s.session_no
WHERE s.session_no > 0 AND e.session_no > 0 AND s.realm_no IN {integers}
  AND e.seq > coalesce(d.through, 0)
ORDER BY s.last_at, s.session_no LIMIT ?
"""
_THROUGH = """
SELECT d.through FROM distilled d JOIN sessions s ON s.session_no = d.session_no
WHERE s.session_id = ? AND s.realm_no IN {integers} ORDER BY s.session_no
"""


_UNREAD = """
SELECT s.session_id, r.scope, d.unread_after, d.through
FROM distilled d
JOIN sessions s ON s.session_no = d.session_no
JOIN realms r ON r.realm_no = s.realm_no
WHERE d.unread_after IS NOT NULL AND s.realm_no IN {integers}
ORDER BY s.last_at DESC, s.session_no LIMIT ?
"""
_UNREAD_AFTER = """
SELECT d.unread_after FROM distilled d JOIN sessions s ON s.session_no = d.session_no
WHERE d.unread_after IS NOT NULL AND s.session_id = ? AND s.realm_no IN {integers}
ORDER BY s.session_no
"""
_OUTDATED = """
SELECT count(*) FROM distilled d JOIN sessions s ON s.session_no = d.session_no
WHERE d.version < ? AND s.realm_no IN {integers}
"""


@projects(SessionsDistilled)
def distilled(rows: Rows, recorded: Recorded, event: SessionsDistilled) -> None:
    """Project how far sessions were read."""
    for one in event.windows:
        realm = rows.realm_of(recorded, one.scope)
        begins = 0 if one.waits_for_model else None
        rows.run(_DISTILLED, (one.through, event.version, begins, realm, one.session_id))


@projects(SessionRead)
def read(rows: Rows, recorded: Recorded, event: SessionRead) -> None:
    """Project how far a model read a session."""
    realm = rows.realm_of(recorded, event.scope)
    rows.run(_READ, (event.through, event.through, realm, event.session_id))


@projects(DistillationReopened)
def reopened(rows: Rows, recorded: Recorded, _: DistillationReopened) -> None:
    """Project that every session is unread."""
    rows.run(_REOPEN, (recorded.owner,))


class Distillation(SnapshotReader):
    """How far distillation went, in one snapshot."""

    def waiting(self, within: Visibility, *, limit: int) -> list[Waiting]:
        """Return sessions with unread episodes, the last active one at the end."""
        return [
            Waiting(
                session_id=SessionId(session_id),
                scope=Scope(scope),
                after=after,
                last=last,
                last_at=from_micros(last_at),
            )
            for session_id, scope, after, last, last_at in self._rows(_WAITING, within, limit)
        ]

    def through(self, session_id: SessionId, within: Visibility) -> int:
        """Return the place up to which a session was read; 0 if it never was."""
        found = self._rows(_THROUGH, session_id, within)
        return int(found[0][0]) if found else 0

    def unread(self, within: Visibility, *, limit: int) -> list[Unread]:
        """Return what waits for a language model, the last active session first."""
        rows = self._rows(_UNREAD, within, limit)
        return [
            Unread(
                session_id=SessionId(session_id), scope=Scope(scope), after=after, through=through
            )
            for session_id, scope, after, through in rows
        ]

    def unread_after(self, session_id: SessionId, within: Visibility) -> int | None:
        """
        Return the place after which a session waits for a language model; None if it does not.

        It changes whenever a model reads more of the session.
        """
        found = self._rows(_UNREAD_AFTER, session_id, within)
        return int(found[0][0]) if found else None

    def outdated(self, within: Visibility, *, version: int) -> int:
        """Return how many sessions an older version of extractors read."""
        return int(self._rows(_OUTDATED, version, within)[0][0])
