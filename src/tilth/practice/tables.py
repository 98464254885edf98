"""The tables of tool uses: projecting episodes into them, and reading them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple, TypeAlias

from tilth.core.actor import CameBy, came_by
from tilth.core.event import Recorded, decode
from tilth.core.ids import SessionId
from tilth.core.scope import Scope, Visibility
from tilth.core.table import Filling, Former, Table
from tilth.episodes.episode import EpisodeDraft, EpisodeKind
from tilth.episodes.events import EpisodeRecorded
from tilth.knowledge.entities.sighting import Form
from tilth.ledger.engine import Row
from tilth.ledger.projection import Rows, projects, storable
from tilth.ledger.records import actor_of
from tilth.ledger.snapshot import SnapshotReader
from tilth.ledger.sql_list import one_of
from tilth.practice.calls import Call, call_of
from tilth.practice.identifiers import named_in
from tilth.practice.model import RunResult
from tilth.practice.outputs import guess_result, head_and_tail, still_running
from tilth.practice.tool_uses import Half

# How many of the newest are read; what worked years ago tells little.
HALVES_MAX = 60_000
_NO_END = (1 << 63) - 1
_HANDLE_CHARS_MAX = 200
_SightingRow: TypeAlias = tuple[int, str, str, str]
_HalfRow: TypeAlias = tuple[int, str, str, str, int, str, str, str]
_OUTCOMES = {EpisodeKind.TOOL_RESULT: RunResult.OK, EpisodeKind.TOOL_FAILURE: RunResult.FAILED}


def _half_of(seq: int, draft: EpisodeDraft, call: Call | None) -> _HalfRow | None:
    handle = draft.metadata.get("tool_use_id")
    name = handle[:_HANDLE_CHARS_MAX] if isinstance(handle, str) else ""
    if call is not None:
        told = (name, call.tool[:_HANDLE_CHARS_MAX], call.about)
        is_edit = int(bool(call.files))
        run, meant = call.run[:_HANDLE_CHARS_MAX], RunResult.FAILED if call.is_meant_to_fail else ""
        return (seq, *map(storable, told), is_edit, storable(run), "", meant)  # type: ignore[return-value] # three of them
    if draft.kind not in _OUTCOMES:
        return None
    run = still_running(draft.text)
    verdict = RunResult.UNKNOWN if run else _OUTCOMES[draft.kind]
    said = guess_result(head_and_tail(draft.text))
    return (seq, storable(name), "", "", 0, storable(run), verdict.value, said.value)


def _drafts_in(lines: Iterable[Sequence[object]]) -> Iterator[tuple[int, EpisodeDraft]]:
    """Yield the episodes in rows of the ledger, each with its place."""
    for seq, payload in lines:
        event = decode("episode_recorded", str(payload), None)
        if isinstance(event, EpisodeRecorded):
            yield int(str(seq)), event.draft


def _old_halves(lines: Iterable[Sequence[object]]) -> list[_HalfRow]:
    """Return the rows for a store from before this table."""
    told = ((seq, one, call_of(one)) for seq, one in _drafts_in(lines))
    return [half for seq, one, call in told if (half := _half_of(seq, one, call))]


_NEW = """
INSERT INTO tool_uses (episode_no, handle, tool, about, is_edit, run, verdict, looks)
VALUES (?, ?, ?, ?, ?, ?, ?, ?)
"""
# One row for each tool call, and one for its outcome.
TOOL_USES = Table(
    "tool_uses",
    no=36,
    since=3,
    is_record=True,
    columns=f"""
    episode_no $integer PRIMARY KEY,
    -- What the host calls the use; empty where it has no name for it.
    handle     TEXT NOT NULL,
    tool       TEXT NOT NULL,
    -- Of a call: its command line, or the files that it changes, a line each.
    about      TEXT NOT NULL,
    is_edit    $integer NOT NULL CHECK (is_edit IN (0, 1)),
    -- The run in the background that a call asks after, or that goes on behind an outcome.
    run        TEXT NOT NULL,
    -- Of an outcome: how the host says that it ended, and what its words say. Of a call the
    -- first is empty, and the second says failed where it was made to see something fail.
    verdict    TEXT NOT NULL CHECK (verdict IN ('', {one_of(RunResult)})),
    looks      TEXT NOT NULL CHECK (looks IN ('', {one_of(RunResult)}))
""",
    filling=Filling(
        """SELECT seq, payload FROM ledger WHERE kind = 'episode_recorded'
        AND payload IS NOT NULL AND payload LIKE '%"kind":"tool\\_%' ESCAPE '\\' ORDER BY seq""",
        _old_halves,
        _NEW,
    ),
)
_NEW_SIGHTED = """
INSERT INTO sighted (sighted_no, form, name, key)
SELECT coalesce(max(sighted_no), 0) + 1, ?, ?, ? FROM sighted
"""
_NEW_SIGHTING = """
INSERT INTO sightings (episode_no, sighted_no)
SELECT ?, sighted_no FROM sighted WHERE form = ? AND name = ? AND key = ? RETURNING sighted_no
"""


def _sightings_of(seq: int, draft: EpisodeDraft, call: Call | None) -> list[_SightingRow]:
    # In an order that SQL can repeat, since older stores are numbered by it.
    return sorted((seq, one.form.value, one.name, one.key) for one in named_in(draft, call))


def _old_sightings(lines: Iterable[Sequence[object]]) -> list[tuple[object, ...]]:
    """Return the rows for a store from before this table."""
    told = ((seq, one, call_of(one)) for seq, one in _drafts_in(lines))
    return [(*row, "") for seq, one, call in told for row in _sightings_of(seq, one, call)]


# One row for each named thing and form of naming.
SIGHTED = Table(
    "sighted",
    no=65,
    since=5,
    is_record=True,
    columns=f"""
    sighted_no $integer PRIMARY KEY,
    form       TEXT NOT NULL CHECK (form IN ({one_of(Form)})),
    name       TEXT NOT NULL,
    -- What it is looked for by; of a file the key of its last part.
    key        TEXT NOT NULL,
    UNIQUE (key, form, name)
""",
)
# One row for each naming, by a tool call, its outcome, or a message's header.
SIGHTINGS = Table(
    "sightings",
    no=64,
    since=4,
    keyed=5,
    is_record=True,
    columns="""
    episode_no $integer NOT NULL,
    sighted_no $integer NOT NULL,
    PRIMARY KEY (episode_no, sighted_no)
""",
    indexes="""
CREATE INDEX sightings_of_a_thing ON sightings (sighted_no);
""",
    filling=Filling(
        """SELECT seq, payload FROM ledger WHERE kind = 'episode_recorded'
        AND payload IS NOT NULL ORDER BY seq""",
        _old_sightings,
        "INSERT INTO sightings (episode_no, form, name, key, handle) VALUES (?, ?, ?, ?, ?)",
    ),
    # Earlier, each row had the name, its key, and the host's call ID, which is in `tool_uses`.
    former={
        5: Former(
            f"""
    episode_no $integer NOT NULL,
    form       TEXT NOT NULL CHECK (form IN ({one_of(Form)})),
    name       TEXT NOT NULL,
    -- What it is looked for by; of a file the key of its last part.
    key        TEXT NOT NULL,
    -- What the host calls the use of the tool.
    handle     TEXT NOT NULL,
    PRIMARY KEY (episode_no, form, name)
""",
            """
CREATE INDEX sightings_by_key ON sightings (key);
""",
            """
INSERT INTO sighted (sighted_no, form, name, key)
SELECT row_number() OVER (ORDER BY min(episode_no), form $bytewise, name $bytewise),
       form, name, min(key)
FROM sightings_before GROUP BY form, name;
INSERT INTO sightings (episode_no, sighted_no)
SELECT b.episode_no, d.sighted_no FROM sightings_before b
JOIN sighted d ON d.key = b.key AND d.form = b.form AND d.name = b.name
ORDER BY b.episode_no, d.sighted_no;
""",
        )
    },
)
_READ = """
SELECT u.episode_no, u.handle, u.tool, u.about, u.is_edit, u.run, u.verdict, u.looks,
       e.session_no, e.occurred_at, r.scope, s.session_id, e.position = s.episode_count,
       l.actor, l.actor_kind
FROM tool_uses u JOIN episodes e ON e.seq = u.episode_no JOIN ledger l ON l.seq = u.episode_no
JOIN sessions s ON s.session_no = e.session_no JOIN realms r ON r.realm_no = e.realm_no
WHERE e.session_no > 0 AND e.realm_no IN {integers} AND {which}
AND u.episode_no > ? AND u.episode_no <= ?
ORDER BY u.episode_no DESC LIMIT ?
"""
_GREW = "SELECT DISTINCT session_no FROM episodes WHERE seq > ?"
# The most ranges in one statement; SQLite allows 500 parts.
_RANGES_AT_ONCE = 200
_HOLDS = """SELECT {number} WHERE EXISTS (
    SELECT 1 FROM tool_uses u WHERE u.episode_no > ? AND u.episode_no <= ?)"""
_CHANGING = """SELECT episode_no, is_edit, about FROM tool_uses
WHERE episode_no > ? AND episode_no <= ? AND (is_edit = 1 OR about LIKE '%git%')
ORDER BY episode_no"""


class Changing(NamedTuple):
    """A call that changes files or mentions git: its place, and its files or its line."""

    episode_no: int
    is_edit: int
    about: str

    @property
    def named(self) -> list[str]:
        """The files that it changes."""
        return self.about.split("\n")


@projects(EpisodeRecorded)
def used(rows: Rows, recorded: Recorded, event: EpisodeRecorded) -> None:
    """Project a tool call or its outcome, and what it names."""
    call = call_of(event.draft)
    if half := _half_of(recorded.seq, event.draft, call):
        rows.run(_NEW, half)
    for sighting in _sightings_of(recorded.seq, event.draft, call):
        if not rows.run(_NEW_SIGHTING, sighting):
            rows.run(_NEW_SIGHTED, sighting[1:])
            rows.run(_NEW_SIGHTING, sighting)


class ToolUses(SnapshotReader):
    """The tool calls and outcomes of one snapshot."""

    def halves(
        self,
        within: Visibility,
        *,
        after: int = 0,
        until: int = _NO_END,
        session_id: SessionId | None = None,
    ) -> list[Half]:
        """
        Return calls and outcomes between two places, in ledger order; the newest, if too many.

        *after* is exclusive, *until* inclusive. They are of one session, or of all.
        """
        which, of = ("TRUE", ()) if session_id is None else ("s.session_id = ?", (session_id,))
        sql = _READ.format(integers=self._integers, which=which)
        rows = self._rows(sql, within, *of, after, until, HALVES_MAX)
        return [one for one in _made(rows) if one is not None]

    def newest(self, within: Visibility, *, after: int, at_most: int) -> list[Half | None]:
        """
        Return the newest calls and outcomes after a place, in ledger order.

        None stands for one that an agent handed over; it counts among the newest.
        """
        sql = _READ.format(integers=self._integers, which="TRUE")
        return _made(self._rows(sql, within, after, _NO_END, at_most))

    def sessions_after(self, after: int) -> set[int]:
        """Return the numbers of the sessions with records after a place."""
        return {number for (number,) in self._rows(_GREW, after)}

    def changing(self, *, after: int, until: int) -> list[Changing]:
        """
        Return calls between two places that change files or mention git, in ledger order.

        Visibility is not checked: they are hints of what to read, and never shown.
        """
        return [Changing(*row) for row in self._rows(_CHANGING, after, until)]

    def among(self, ranges: Iterable[tuple[int, int]]) -> set[tuple[int, int]]:
        """Return those of *ranges* (exclusive start, inclusive end) that contain any call."""
        wanted, held = list(dict.fromkeys(ranges)), set[tuple[int, int]]()
        for begin in range(0, len(wanted), _RANGES_AT_ONCE):
            some = wanted[begin : begin + _RANGES_AT_ONCE]
            parts = [_HOLDS.format(number=number) for number in range(len(some))]
            rows = self._conn.rows(" UNION ALL ".join(parts), [*chain.from_iterable(some)])
            held |= {some[number] for (number,) in rows}
        return held


def _made(rows: Sequence[Row]) -> list[Half | None]:
    """Return rows, given newest first, as halves in ledger order."""
    made = _Making()
    return [*map(made.half, reversed(rows))]


_VERDICTS: Mapping[str, RunResult] = {one.value: one for one in RunResult}


class _Making:
    """Makes halves of rows, and shares what thousands of them have in common."""

    def __init__(self) -> None:
        self._ways: dict[tuple[str, str], CameBy] = {}
        self._scopes: dict[str, Scope] = {}
        self._sessions: dict[str, SessionId] = {}

    def half(self, row: Row) -> Half | None:
        """Return a call or outcome; None if an agent handed it over, since nobody saw it happen."""
        number, handle, tool, about, is_edit, run, verdict, said, session_no, at = row[:10]
        scope, session_id, is_last, actor, actor_kind = row[10:]
        who = (actor, actor_kind)
        if (way := self._ways.get(who)) is None:
            way = self._ways[who] = came_by(actor_of(*who))
        if way is CameBy.PASSED:
            return None
        if scope not in self._scopes:
            self._scopes[scope] = Scope(scope)
        if session_id not in self._sessions:
            self._sessions[session_id] = SessionId(session_id)
        return Half(
            number,
            handle,
            tool,
            about,
            bool(is_edit),
            run,
            _VERDICTS.get(verdict),
            _VERDICTS.get(said, RunResult.UNKNOWN),
            session_no,
            at,
            self._scopes[scope],
            self._sessions[session_id],
            bool(is_last),
            way is CameBy.IMPORTED,
        )
