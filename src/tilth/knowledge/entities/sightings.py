"""Read sightings; `tilth.practice.tables` writes them, since tool calls contain them."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from tilth.core.actor import CameBy, came_by
from tilth.core.errors import CorruptionError
from tilth.core.ids import SessionId
from tilth.core.instant import from_micros
from tilth.core.scope import GLOBAL, Owner, Scope, Visibility
from tilth.core.text.names import index_key
from tilth.knowledge.entities.entity import Entity, EntityDraft, Naming
from tilth.knowledge.entities.sighting import Form, Named, Sighted, Sighting, is_sighted, sighted_in
from tilth.knowledge.entities.tables import Entities
from tilth.knowledge.vocabulary.registries import EntityType
from tilth.ledger.engine import Row
from tilth.ledger.records import actor_of
from tilth.ledger.snapshot import SnapshotReader

# How many of the last sessions of each scope are read.
SESSIONS_READ = 200
READ_MAX = 40_000
SESSIONS_TOLD = 5

_READ = """
SELECT d.form, d.name, s.session_id, s.folder, min(coalesce(u.handle, '')), min(n.episode_no),
       max(n.episode_no), min(e.occurred_at), max(e.occurred_at), l.actor, l.actor_kind
FROM sightings n JOIN sighted d ON d.sighted_no = n.sighted_no
JOIN episodes e ON e.seq = n.episode_no
JOIN sessions s ON s.session_no = e.session_no JOIN ledger l ON l.seq = n.episode_no
LEFT JOIN tool_uses u ON u.episode_no = n.episode_no
WHERE e.session_no > 0 AND e.realm_no IN {integers} AND {which}
GROUP BY d.form, d.name, s.session_no, s.session_id, s.folder, l.actor, l.actor_kind
ORDER BY min(n.episode_no), d.form, d.name LIMIT ?
"""
_LAST = """
s.session_no IN (SELECT session_no FROM sessions WHERE realm_no IN {integers}
ORDER BY last_at DESC, session_no DESC LIMIT ?)
"""


_NAMED_IN = """
SELECT n.episode_no, d.form, d.name FROM sighted d
JOIN sightings n ON n.sighted_no = d.sighted_no JOIN episodes e ON e.seq = n.episode_no
WHERE d.key IN (?, ?) AND e.realm_no IN {integers}
"""

_CALLED = """
SELECT s.entity_no, s.key, s.name FROM names s JOIN entities n ON n.entity_no = s.entity_no
WHERE n.realm_no IN {integers} AND n.merged_into IS NULL
"""


class Sightings(SnapshotReader):
    """The sightings of one snapshot."""

    def last(self, within: Visibility) -> list[Sighting]:
        """Return what the last sessions of *within* name, in ledger order."""
        return self._read(_LAST, within, within, SESSIONS_READ)

    def of(self, names: Iterable[str], within: Visibility) -> list[Sighted]:
        """Return the things named by any of *names*, with where they are named."""
        names = list(names)
        keys = sorted({key for name in names for key in _keys(name)})
        marks = ", ".join("?" * len(keys)) or "NULL"
        found = self._read(f"d.key IN ({marks})", within, *keys)
        return [one for one in sighted_in(found) if one.name in names]

    def told(self, entities: Sequence[Entity], within: Visibility) -> list[Entity]:
        """Return *entities*; those that programs name, with where."""
        found: dict[Scope, dict[tuple[EntityType, str], Naming]] = {}
        for scope in {one.scope for one in entities}:
            own = [one for one in entities if one.scope == scope]
            names = {name for one in own for name in (one.name, *one.aliases)}
            seen = within if scope == GLOBAL else Visibility(within.owner, frozenset({scope}))
            found[scope] = {(one.type, one.name): _naming(one) for one in self.of(names, seen)}
        return [replace(one, named=found[one.scope].get((one.type, one.name))) for one in entities]

    def named_at(self, seqs: Sequence[int], within: Visibility) -> list[Entity]:
        """Return entities that exist because sessions, including these episodes, name them."""
        sql = """SELECT DISTINCT d.key FROM sightings n
            JOIN sighted d ON d.sighted_no = n.sighted_no
            WHERE n.episode_no IN {integers}"""
        keys = {str(key) for (key,) in self._rows(sql, seqs)}
        if not keys:
            return []
        rows = self._rows(_CALLED, within)
        called = {int(no) for no, key, name in rows if key in keys or _last_key(str(name)) in keys}
        found = Entities(self._view).at(sorted(called), within)
        return [one for one in found if is_sighted(one.metadata)]

    def naming(self, made: EntityDraft, owner: Owner) -> list[int]:
        """Return the places of the episodes in which programs name the entity *made*."""
        within = Visibility(owner, frozenset({made.scope}))
        rows = self._rows(_NAMED_IN, *_keys(made.name), within)
        # A thing has few names, each in many episodes.
        names = {(form, name) for _, form, name in rows}
        called = {one for one in names if _is_called(Named(Form(one[0]), one[1]), made)}
        return [int(seq) for seq, form, name in rows if (form, name) in called]

    def _read(self, which: str, within: Visibility, *params: object) -> list[Sighting]:
        sql = _READ.format(integers=self._integers, which=which)
        rows = self._rows(sql, within, *params, READ_MAX)
        return [one for row in rows if (one := _sighting(row)) is not None]


def _is_called(named: Named, made: EntityDraft) -> bool:
    is_file = named.form is Form.FILE
    is_name = named.name.endswith(made.name) if is_file else named.key == index_key(made.name)
    return is_name and made.type in {named.type, EntityType.THING}


def _naming(one: Sighted) -> Naming:
    if one.first_at is None or one.last_at is None:
        raise CorruptionError(f"{one.name[:60]!r} is named nowhere")
    return Naming(
        session_count=one.session_count,
        first_at=one.first_at,
        last_at=one.last_at,
        session_ids=tuple(map(SessionId, list(one.roots)[-SESSIONS_TOLD:])),
    )


def _last_key(name: str) -> str:
    """Return the key of the last part of a path; empty if it is none."""
    return Named(Form.FILE, name).key if "/" in name else ""


def _keys(name: str) -> tuple[str, str]:
    return Named(Form.PROGRAM, name).key, Named(Form.FILE, name).key


def _sighting(row: Row) -> Sighting | None:
    """Return a row as a sighting; None if an agent handed it over, since nobody saw it happen."""
    form, name, session, folder, handle, first, last, first_at, last_at, actor, kind = row
    if came_by(actor_of(actor, kind)) is CameBy.PASSED:
        return None
    named, since, until = Named(Form(form), name), from_micros(first_at), from_micros(last_at)
    return Sighting(named, session, folder, handle, first, last, since, until)
