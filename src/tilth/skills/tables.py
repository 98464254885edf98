"""Skills and how they did: their tables, and reading them."""

import json
from collections import defaultdict
from collections.abc import Collection, Sequence

from tilth.core.errors import NotFoundError
from tilth.core.event import Recorded
from tilth.core.ids import SessionId
from tilth.core.instant import from_micros, to_micros
from tilth.core.scope import Owner, Visibility
from tilth.core.table import Table
from tilth.ledger.engine import Row
from tilth.ledger.projection import Rows, projects, storable
from tilth.ledger.records import (
    RECORD,
    RECORD_WIDTH,
    actor_of,
    event_id_at,
    find_place,
    read_as,
)
from tilth.ledger.snapshot import Snapshot, SnapshotReader
from tilth.ledger.sql_list import EVERY_ROW, among, one_of
from tilth.ledger.tables import Tombstones
from tilth.playbooks.model import SessionEnd, failed_last
from tilth.skills.events import SkillDrafted, SkillMoved, SkillUsed
from tilth.skills.model import (
    Invocation,
    Invocations,
    Skill,
    SkillId,
    SkillState,
    digest_of,
)
from tilth.skills.skill_file import params_in

SKILLS = Table(
    "skills",
    no=40,
    since=3,
    columns=f"""
    skill_no    $integer PRIMARY KEY,
    realm_no    $integer NOT NULL,
    name        TEXT NOT NULL,
    state       TEXT NOT NULL CHECK (state IN ({one_of(SkillState)})),
    -- The files that were approved last, as a JSON array.
    places      TEXT NOT NULL,
    moved_no    $integer NOT NULL
""",
    indexes="CREATE INDEX skills_in_realm ON skills (realm_no, name);",
)
SKILL_USES = Table(
    "skill_uses",
    no=41,
    since=3,
    keyed=5,
    columns=f"""
    skill_no $integer NOT NULL,
    root     TEXT NOT NULL,
    use_no   $integer NOT NULL,
    used_at  $integer NOT NULL,
    ended    TEXT NOT NULL CHECK (ended IN ({one_of(SessionEnd)})),
    PRIMARY KEY (skill_no, root)
""",
)

_NEW = """
INSERT INTO skills (skill_no, realm_no, name, state, places, moved_no)
VALUES (?, ?, ?, 'candidate', '[]', ?)
"""
_MOVE = """
UPDATE skills SET state = ?, moved_no = ?, places = CASE WHEN ? = '[]' THEN places ELSE ? END
WHERE skill_no = ?
"""
_USE = """
INSERT INTO skill_uses (skill_no, root, use_no, used_at, ended) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (skill_no, root) DO UPDATE SET use_no = excluded.use_no,
    used_at = excluded.used_at, ended = excluded.ended
"""
_READ = f"""
SELECT {RECORD}, s.skill_no, s.state, s.places, s.moved_no, m.event_id, m.recorded_at, m.actor,
       m.actor_kind, m.payload
FROM skills s JOIN ledger l ON l.seq = s.skill_no JOIN ledger m ON m.seq = s.moved_no
WHERE s.realm_no IN {{integers}} AND
"""  # noqa: S608 - names of ours
_APPROVED = f"""
SELECT {RECORD}, s.places FROM skills s JOIN ledger l ON l.seq = s.skill_no
WHERE s.state = '{SkillState.APPROVED}' AND l.payload IS NOT NULL
"""  # noqa: S608 - names of ours
_USES = """
SELECT skill_no, ended, used_at, root, use_no FROM skill_uses
WHERE skill_no IN {integers} ORDER BY skill_no, used_at, use_no
"""


@projects(SkillDrafted)
def drafted(rows: Rows, recorded: Recorded, event: SkillDrafted) -> None:
    """Show a new skill."""
    realm = rows.realm_of(recorded, event.draft.scope)
    rows.run(_NEW, (recorded.seq, realm, storable(event.draft.name), recorded.seq))


@projects(SkillMoved)
def moved(rows: Rows, recorded: Recorded, event: SkillMoved) -> None:
    """Show what became of a skill, and where its file may be."""
    places = storable(json.dumps(list(event.places), ensure_ascii=False))
    skill_no = rows.place_of(event.skill_id)
    rows.run(_MOVE, (event.state.value, recorded.seq, places, places, skill_no))


@projects(SkillUsed)
def used(rows: Rows, recorded: Recorded, event: SkillUsed) -> None:
    """Show how a session ended that loaded a skill."""
    skill_no, at = rows.place_of(event.skill_id), to_micros(recorded.recorded_at)
    rows.run(_USE, (skill_no, storable(event.root), recorded.seq, at, event.ended.value))


class Skills(SnapshotReader):
    """The skills of one snapshot. What was erased has no text, and is read all the same."""

    def get(self, skill_id: SkillId, within: Visibility) -> Skill:
        """
        Return one skill.

        Raises:
            NotFoundError: there is none with this ID that may be seen.
        """
        place = find_place(self._conn, skill_id)
        found = self._read("s.skill_no = ?", (place or 0,), within)
        if not found:
            raise NotFoundError(f"no skill {skill_id!r}", hint="see: tilth skill list")
        return found[0]

    def select(
        self,
        within: Visibility,
        *,
        states: Collection[SkillState] = frozenset(SkillState),
        limit: int = EVERY_ROW,
        offset: int = 0,
    ) -> list[Skill]:
        """Return skills, the newest first."""
        clause, params = among("s.state", states)
        condition = f"{clause} ORDER BY s.skill_no DESC LIMIT ? OFFSET ?"
        return self._read(condition, (*params, limit, offset), within)

    def count(self, within: Visibility, *, states: Collection[SkillState]) -> int:
        """Return how many skills are in one of *states*."""
        clause, params = among("state", states)
        sql = f"SELECT count(*) FROM skills WHERE realm_no IN {self._integers} AND {clause}"  # noqa: S608 - bound
        return int(self._rows(sql, within, *params)[0][0])

    def uses(self, skill: Skill) -> list[Invocation]:
        """Return the sessions that loaded a skill."""
        rows = self._rows(_USES, [skill.seq])
        return [Invocation(root=SessionId(row[3]), ended=SessionEnd(row[1])) for row in rows]

    def withdrawn(self, owner: Owner) -> list[tuple[str, str]]:
        """Return the files of approvals that were set aside, with the digest that each had."""
        aside = Tombstones(self._view).present(self._view.asides(self._view.head().seq))
        approvals = (one.event for one in aside if one.owner == owner)
        return [
            (path, event.digest)
            for event in approvals
            if isinstance(event, SkillMoved)
            for path in event.places
        ]

    def _read(self, clause: str, params: Sequence[object], within: Visibility) -> list[Skill]:
        sql = _READ + f"l.payload IS NOT NULL AND {clause}"
        rows = self._rows(sql, within, *params)
        numbers = [int(row[RECORD_WIDTH]) for row in rows]
        uses = defaultdict[int, list[Row]](list)
        for row in self._rows(_USES, numbers):
            uses[int(row[0])].append(row)
        return [_skill(row, uses[no]) for no, row in zip(numbers, rows, strict=True)]


def approved_files(view: Snapshot) -> dict[str, str]:
    """Return the files of all approved skills, whoever owns them, each with its digest."""
    return {
        path: digest_of(read_as(SkillDrafted, row)[1].draft.text.encode())
        for row in view.conn.rows(_APPROVED)
        for path in json.loads(str(row[RECORD_WIDTH]))
    }


def _skill(row: Row, uses: Sequence[Row]) -> Skill:
    number, state, places, moved_no, moved_in, *moved = row[RECORD_WIDTH:]
    moved_at, mover, kind, payload = moved
    recorded, event = read_as(SkillDrafted, row)
    return Skill(
        id=SkillId.of(recorded.event_id),
        seq=int(number),
        owner=recorded.owner,
        draft=event.draft,
        state=SkillState(state),
        places=tuple(json.loads(places)),
        evidence=_invocations(
            uses, since=int(moved_no) if state == SkillState.APPROVED.value else 0
        ),
        recorded_at=recorded.recorded_at,
        moved_at=from_micros(moved_at),
        moved_by=actor_of(mover, kind),
        moved_in=event_id_at(moved_in),
        digest=digest_of(event.draft.text.encode()),
        note=str(json.loads(payload).get("note", "")) if payload else "",
        params=params_in(event.draft.text),
    )


def _invocations(uses: Sequence[Row], *, since: int) -> Invocations:
    ended = [SessionEnd(row[1]) for row in uses]
    return Invocations(
        invoked=len(ended),
        ok=ended.count(SessionEnd.OK),
        failed=ended.count(SessionEnd.FAILED),
        # Whoever approved it knew of those before.
        failed_last=failed_last([SessionEnd(row[1]) for row in uses if row[4] > since]),
        used_at=from_micros(max(row[2] for row in uses)) if uses else None,
    )
