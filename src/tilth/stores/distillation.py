"""How far distillation went: its table, and reading it."""

from tilth.domain.events import Recorded, SessionsDistilled
from tilth.domain.ids import SessionId
from tilth.domain.instant import from_micros
from tilth.domain.scope import Scope, Visibility
from tilth.ports import Waiting
from tilth.stores.engine import Connection
from tilth.stores.filters import visible
from tilth.stores.realms import realm_of

_DISTILLED = """
INSERT INTO distilled (session_no, through)
SELECT session_no, CAST(? AS BIGINT) FROM sessions WHERE realm_no = ? AND session_id = ?
ON CONFLICT (session_no) DO UPDATE SET through = excluded.through
"""
# The last episode of a session stands at the position that says how many it has.
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


def project_distillation(conn: Connection, recorded: Recorded, event: SessionsDistilled) -> None:
    """Show how far sessions were looked through."""
    for one in event.windows:
        realm = realm_of(conn, recorded.seq, recorded.owner, one.scope)
        conn.rows(_DISTILLED, (one.through, realm, one.session_id))


class Distillation:
    """See `tilth.ports.DistillationReader`."""

    def __init__(self, conn: Connection, integers: str) -> None:
        self._conn = conn
        self._integers = integers

    def waiting(self, within: Visibility, *, limit: int) -> list[Waiting]:
        """See `tilth.ports.DistillationReader.waiting`."""
        seen = visible(self._conn, within, self._integers)
        sql = _WAITING.format(integers=self._integers)
        return [
            Waiting(
                session_id=SessionId(session_id),
                scope=Scope(scope),
                after=after,
                last=last,
                last_at=from_micros(last_at),
            )
            for session_id, scope, after, last, last_at in self._conn.rows(
                sql, (*seen.params, limit)
            )
        ]

    def through(self, session_id: SessionId, within: Visibility) -> int:
        """See `tilth.ports.DistillationReader.through`."""
        seen = visible(self._conn, within, self._integers)
        sql = _THROUGH.format(integers=self._integers)
        found = self._conn.rows(sql, (session_id, *seen.params))
        return int(found[0][0]) if found else 0
