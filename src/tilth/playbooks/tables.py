"""Playbooks and how they did: their tables, and reading them."""

import json
from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import datetime

from tilth.core.actor import Actor
from tilth.core.dataclass import dataclass
from tilth.core.errors import CorruptionError, NotFoundError
from tilth.core.event import Recorded
from tilth.core.instant import from_micros, to_micros
from tilth.core.scope import Owner, Scope, Visibility
from tilth.core.table import Table
from tilth.ledger.engine import Row
from tilth.ledger.projection import Rows, projects, storable
from tilth.ledger.records import (
    RECORD,
    RECORD_WIDTH,
    actor_of,
    event_id_at,
    find_place,
    read_record,
)
from tilth.ledger.snapshot import SnapshotReader
from tilth.ledger.sql_list import EVERY_ROW, among, one_of
from tilth.playbooks.events import (
    DraftDeclined,
    PlaybookDrafted,
    PlaybookMoved,
    PlaybookRevised,
    PlaybookUsed,
)
from tilth.playbooks.model import (
    LIVE,
    Evidence,
    Playbook,
    PlaybookId,
    PlaybookState,
    SessionEnd,
    Told,
    failed_last,
    words_digest,
)

PLAYBOOKS = Table(
    "playbooks",
    no=37,
    since=3,
    columns=f"""
    playbook_no $integer PRIMARY KEY,
    realm_no    $integer NOT NULL,
    key         TEXT NOT NULL,
    state       TEXT NOT NULL CHECK (state IN ({one_of(PlaybookState)})),
    -- The places of the events that hold its words, and that gave it its state.
    words_no    $integer NOT NULL,
    moved_no    $integer NOT NULL
""",
    indexes="CREATE INDEX playbooks_in_realm ON playbooks (realm_no, key);",
)
# How each session ended that did what a playbook says.
PLAYBOOK_USES = Table(
    "playbook_uses",
    no=38,
    since=3,
    keyed=5,
    columns=f"""
    playbook_no $integer NOT NULL,
    root        TEXT NOT NULL,
    use_no      $integer NOT NULL,
    used_at     $integer NOT NULL,
    ended       TEXT NOT NULL CHECK (ended IN ({one_of(SessionEnd)})),
    told        TEXT NOT NULL CHECK (told IN ({one_of(Told)})),
    PRIMARY KEY (playbook_no, root)
""",
)
# What was looked at and became no playbook.
DECLINED_DRAFTS = Table(
    "declined_drafts",
    no=39,
    since=3,
    keyed=5,
    columns="""
    realm_no  $integer NOT NULL,
    key       TEXT NOT NULL,
    signature TEXT NOT NULL,
    PRIMARY KEY (realm_no, key)
""",
)

_NEW = """
INSERT INTO playbooks (playbook_no, realm_no, key, state, words_no, moved_no)
VALUES (?, ?, ?, 'candidate', ?, ?)
"""
_REVISE = "UPDATE playbooks SET words_no = ?, state = ?, moved_no = ? WHERE playbook_no = ?"
_MOVE = "UPDATE playbooks SET state = ?, moved_no = ? WHERE playbook_no = ?"
# What tools show outweighs what somebody says.
_USE = """
INSERT INTO playbook_uses (playbook_no, root, use_no, used_at, ended, told)
VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (playbook_no, root) DO UPDATE SET use_no = excluded.use_no,
    used_at = excluded.used_at, ended = excluded.ended, told = excluded.told
WHERE excluded.told = 'observed' OR playbook_uses.told = 'reported'
"""
_DECLINE = """
INSERT INTO declined_drafts (realm_no, key, signature) VALUES (?, ?, ?)
ON CONFLICT (realm_no, key) DO UPDATE SET signature = excluded.signature
"""
_READ = f"""
SELECT {RECORD}, p.playbook_no, p.state, p.moved_no, d.recorded_at, m.event_id, m.recorded_at,
       m.actor, m.actor_kind, m.payload
FROM playbooks p JOIN ledger l ON l.seq = p.words_no
JOIN ledger d ON d.seq = p.playbook_no JOIN ledger m ON m.seq = p.moved_no
WHERE p.realm_no IN {{integers}} AND l.payload IS NOT NULL AND
"""  # noqa: S608 - names of ours
_USES = """
SELECT playbook_no, ended, told, used_at, root, use_no FROM playbook_uses
WHERE playbook_no IN {integers} ORDER BY playbook_no, used_at, use_no
"""

# The kinds of scope, the widest first.
_WIDTHS = {"global": 0, "domain": 1, "project": 2}


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaybookUse:
    """How one session ended that did what a playbook says."""

    root: str
    ended: SessionEnd
    told: Told
    used_at: datetime

    @property
    def is_proven(self) -> bool:
        """Whether it came through, by what tools show."""
        return self.ended is SessionEnd.OK and self.told is Told.OBSERVED


@projects(PlaybookDrafted)
def drafted(rows: Rows, recorded: Recorded, event: PlaybookDrafted) -> None:
    """Show a new playbook."""
    realm, seq = rows.realm_of(recorded, event.draft.scope), recorded.seq
    rows.run(_NEW, (seq, realm, storable(event.draft.key), seq, seq))


@projects(PlaybookRevised)
def revised(rows: Rows, recorded: Recorded, event: PlaybookRevised) -> None:
    """Show what a playbook says now. Nobody has confirmed that yet."""
    place = (recorded.seq, PlaybookState.CANDIDATE.value, recorded.seq)
    rows.run(_REVISE, (*place, rows.place_of(event.playbook_id)))


@projects(PlaybookMoved)
def moved(rows: Rows, recorded: Recorded, event: PlaybookMoved) -> None:
    """Show what became of a playbook."""
    rows.run(_MOVE, (event.state.value, recorded.seq, rows.place_of(event.playbook_id)))


@projects(PlaybookUsed)
def used(rows: Rows, recorded: Recorded, event: PlaybookUsed) -> None:
    """Show how a session ended."""
    playbook_no, at = rows.place_of(event.playbook_id), to_micros(recorded.recorded_at)
    root = storable(event.root)
    rows.run(_USE, (playbook_no, root, recorded.seq, at, event.ended.value, event.told.value))


@projects(DraftDeclined)
def declined(rows: Rows, recorded: Recorded, event: DraftDeclined) -> None:
    """Show what need not be looked at again."""
    realm = rows.realm_of(recorded, event.scope)
    rows.run(_DECLINE, (realm, storable(event.key), event.signature))


class Playbooks(SnapshotReader):
    """The playbooks of one snapshot."""

    def get(self, playbook_id: PlaybookId, within: Visibility) -> Playbook:
        """
        Return one playbook.

        Raises:
            NotFoundError: there is none with this ID that may be seen.
        """
        place = find_place(self._conn, playbook_id)
        found = self._read("p.playbook_no = ?", (place or 0,), within)
        if not found:
            raise NotFoundError(f"no playbook {playbook_id!r}", hint="see: tilth playbook list")
        return found[0]

    def select(
        self,
        within: Visibility,
        *,
        states: Collection[PlaybookState] = frozenset(PlaybookState),
        limit: int = EVERY_ROW,
        offset: int = 0,
    ) -> list[Playbook]:
        """Return playbooks, the newest first."""
        clause, params = among("p.state", states)
        condition = f"{clause} ORDER BY p.playbook_no DESC LIMIT ? OFFSET ?"
        return self._read(condition, (*params, limit, offset), within)

    def drafted_count(self, owner: Owner, by: Actor, *, after: int) -> int:
        """Return how many drafts somebody recorded behind a place of the ledger."""
        sql = """SELECT count(*) FROM ledger WHERE seq > ? AND owner = ? AND actor = ?
            AND kind IN ('playbook_drafted', 'playbook_revised')"""
        return int(self._conn.rows(sql, (after, owner, by.name))[0][0])

    def count(self, within: Visibility, *, states: Collection[PlaybookState]) -> int:
        """Return how many playbooks are in one of *states*."""
        clause, params = among("state", states)
        sql = f"SELECT count(*) FROM playbooks WHERE realm_no IN {self._integers} AND {clause}"  # noqa: S608 - bound
        return int(self._rows(sql, within, *params)[0][0])

    def of_key(self, key: str, scope: Scope, within: Visibility) -> list[Playbook]:
        """Return the playbooks of one scope for one end, the newest first."""
        found = self._read("p.key = ? ORDER BY p.playbook_no DESC", (storable(key),), within)
        return [one for one in found if one.draft.scope == scope]

    def heir(self, playbook: Playbook, within: Visibility) -> Playbook | None:
        """Return the confirmed version that took a playbook's place, however many lay between."""
        if playbook.state is not PlaybookState.RETIRED:
            return None
        draft = playbook.draft
        return next(
            (
                one
                for one in self.of_key(draft.key, draft.scope, within)
                if one.state is PlaybookState.CONFIRMED
                and one.draft.revises is not None
                and one.seq > playbook.seq
            ),
            None,
        )

    def revision_of(self, playbook: Playbook, within: Visibility) -> Playbook | None:
        """Return the version that waits to take a playbook's place."""
        draft = playbook.draft
        return next(
            (
                one
                for one in self.of_key(draft.key, draft.scope, within)
                if one.is_waiting_revision and one.draft.revises == playbook.id
            ),
            None,
        )

    def shown(self, within: Visibility) -> list[Playbook]:
        """
        Return the playbooks that agents are told of: those that a human confirmed, best first.

        What says the same for a project, its domain and all is told once, for the narrowest of
        them.
        """
        confirmed = self.select(within, states={PlaybookState.CONFIRMED})
        widest_first = sorted(confirmed, key=lambda one: _WIDTHS[one.draft.scope.partition(":")[0]])
        found = {one.digest: one for one in widest_first}.values()
        return sorted(found, key=lambda one: (-one.evidence.success_least, -one.evidence.proven))

    def moved_no(self, playbook: Playbook) -> int:
        """Return the place in the ledger of what gave a playbook its state."""
        sql = "SELECT moved_no FROM playbooks WHERE playbook_no = ?"
        return int(self._conn.rows(sql, (playbook.seq,))[0][0])

    def uses(self, playbook: Playbook) -> list[PlaybookUse]:
        """Return how each session ended that did what a playbook says."""
        return [
            PlaybookUse(
                root=root, ended=SessionEnd(ended), told=Told(told), used_at=from_micros(at)
            )
            for _, ended, told, at, root, _ in self._rows(_USES, [playbook.seq])
        ]

    def is_declined(self, key: str, signature: str, scope: Scope, within: Visibility) -> bool:
        """Say whether exactly this was looked at, and became no playbook."""
        sql = """SELECT 1 FROM declined_drafts d JOIN realms r ON r.realm_no = d.realm_no
            WHERE r.scope = ? AND d.key = ? AND d.signature = ?
            AND d.realm_no IN {integers}"""
        return bool(self._rows(sql, scope, storable(key), signature, within))

    def _read(self, clause: str, params: Sequence[object], within: Visibility) -> list[Playbook]:
        rows = self._rows(_READ + clause, within, *params)
        numbers = [int(row[RECORD_WIDTH]) for row in rows]
        uses = defaultdict[int, list[Row]](list)
        for row in self._rows(_USES, numbers):
            uses[int(row[0])].append(row)
        return [_playbook(row, uses[no]) for no, row in zip(numbers, rows, strict=True)]


def _playbook(row: Row, uses: Sequence[Row]) -> Playbook:
    number, state, moved_no, drafted_at, moved_in, *moved = row[RECORD_WIDTH:]
    moved_at, mover, kind, payload = moved
    recorded = read_record(row[:RECORD_WIDTH])
    event = recorded.event
    if isinstance(event, PlaybookDrafted):
        playbook_id = PlaybookId.of(recorded.event_id)
    elif isinstance(event, PlaybookRevised):
        playbook_id = event.playbook_id
    else:
        raise CorruptionError(f"place {recorded.seq} of the ledger holds no playbook")
    return Playbook(
        id=playbook_id,
        seq=int(number),
        owner=recorded.owner,
        draft=event.draft,
        state=PlaybookState(state),
        evidence=_evidence(event, uses, since=int(moved_no) if state in LIVE else 0),
        recorded_at=from_micros(drafted_at),
        revised_at=recorded.recorded_at,
        moved_at=from_micros(moved_at),
        moved_by=actor_of(mover, kind),
        moved_in=event_id_at(moved_in),
        digest=words_digest(event.draft),
        note=str(json.loads(payload).get("note", "")) if payload else "",
    )


def _evidence(
    event: PlaybookDrafted | PlaybookRevised, uses: Sequence[Row], *, since: int
) -> Evidence:
    # A session that a playbook was drafted from is counted there (KB-043).
    seeds = frozenset(map(storable, event.draft.sessions))
    later = [row for row in uses if row[4] not in seeds]
    ended = [SessionEnd(row[1]) for row in later]
    return Evidence(
        seeds=len(event.draft.sessions),
        misses=event.draft.failures,
        ok=ended.count(SessionEnd.OK),
        failed=ended.count(SessionEnd.FAILED),
        unknown=ended.count(SessionEnd.UNKNOWN),
        unseen=sum(row[1] == SessionEnd.OK and row[2] == Told.REPORTED for row in later),
        failed_last=failed_last(
            [SessionEnd(row[1]) for row in later if row[2] == Told.OBSERVED and row[5] > since]
        ),
        used_at=from_micros(max(row[3] for row in uses)) if uses else None,
    )
