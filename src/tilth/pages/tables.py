"""
The tables of pages: projecting events into them, marking pages stale, and reading them.

A fresh page has its keys in `page_watches`. A change under one of them removes all its keys and is
noted as the reason, once; a page that is stale costs nothing more.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

import tilth.knowledge.facts.tables  # noqa: F401 - its functions come before those here
from tilth.core.errors import ConflictError, NotFoundError
from tilth.core.event import Event, Recorded, decode
from tilth.core.instant import from_micros, to_micros
from tilth.core.scope import GLOBAL, Owner, Scope, Visibility
from tilth.core.table import Table
from tilth.core.text.tokens import index_terms
from tilth.core.view import UNDO_BY_NAME
from tilth.episodes.changes import Effect
from tilth.episodes.episode import EpisodeKind, Role
from tilth.knowledge.changes.effects import has_effects
from tilth.knowledge.entities.events import (
    AliasAdded,
    AliasRemoved,
    EntitiesMerged,
    EntitySplit,
    EntityTyped,
)
from tilth.knowledge.entities.tables import Entities
from tilth.knowledge.facts.events import FactArchived, FactRecorded, FactRetired
from tilth.knowledge.proposals.events import ChangeUndone, ProposalDecided
from tilth.knowledge.vocabulary.events import WordRegistered
from tilth.ledger.engine import Row
from tilth.ledger.projection import Rows, projects, storable
from tilth.ledger.records import RECORD, RECORD_WIDTH, read_as, read_record
from tilth.ledger.snapshot import Snapshot, SnapshotReader
from tilth.ledger.sql_list import among, one_of
from tilth.llm.spending import Spending
from tilth.pages.arrangement import as_people_arranged, maintainer_of
from tilth.pages.events import (
    LinesRemoved,
    PageChecked,
    PageCompiled,
    PageRemoved,
    SectionArranged,
    SectionDeclined,
    SectionLocked,
    SectionUnlocked,
)
from tilth.pages.model import (
    Arranged,
    Page,
    PageDraft,
    PageKind,
    PageSection,
    Removals,
    Subject,
    name_of,
    removals,
)
from tilth.pages.watches import REGISTRY, kept, keys_of, named_in, thing

PAGES = Table(
    "pages",
    no=51,
    since=3,
    columns=f"""
    page_no     $integer PRIMARY KEY,
    realm_no    $integer NOT NULL,
    name        TEXT NOT NULL,
    kind        TEXT NOT NULL CHECK (kind IN ({one_of(PageKind)})),
    -- The place of the event that holds its words, and that up to which it was read.
    words_no    $integer NOT NULL,
    read_to     $integer NOT NULL,
    inputs      TEXT NOT NULL,
    is_foundational $integer NOT NULL,
    -- The event that made it stale, and when it is so without one.
    stale_no    $integer,
    holds_until $integer,
    UNIQUE (realm_no, name)
""",
)
# The keys whose changes make fresh pages stale; realm 0 stands for no realm.
PAGE_WATCHES = Table(
    "page_watches",
    no=52,
    since=3,
    keyed=5,
    columns="""
    page_no  $integer NOT NULL,
    realm_no $integer NOT NULL,
    key      TEXT NOT NULL,
    needs    TEXT NOT NULL,
    PRIMARY KEY (page_no, realm_no, key)
""",
    indexes="CREATE INDEX pages_watching ON page_watches (realm_no, key);",
)
# Sections that people locked, and compiled texts that they declined.
PAGE_LOCKS = Table(
    "page_locks",
    no=53,
    since=3,
    keyed=5,
    columns="""
    realm_no $integer NOT NULL,
    name     TEXT NOT NULL,
    section  TEXT NOT NULL,
    lock_no  $integer NOT NULL,
    PRIMARY KEY (realm_no, name, section)
""",
)
DECLINED_SECTIONS = Table(
    "declined_sections",
    no=54,
    since=3,
    keyed=5,
    columns="""
    realm_no  $integer NOT NULL,
    name      TEXT NOT NULL,
    section   TEXT NOT NULL,
    signature TEXT NOT NULL,
    PRIMARY KEY (realm_no, name, section, signature)
""",
)
# Lines that people removed from pages.
REMOVED_LINES = Table(
    "removed_lines",
    no=56,
    since=3,
    keyed=5,
    columns="""
    realm_no   $integer NOT NULL,
    name       TEXT NOT NULL,
    line       TEXT NOT NULL,
    removed_no $integer NOT NULL,
    PRIMARY KEY (realm_no, name, line, removed_no)
""",
)
# Positions and exclusions of sections, where a person set them.
ARRANGED_SECTIONS = Table(
    "arranged_sections",
    no=57,
    since=3,
    keyed=5,
    columns="""
    realm_no  $integer NOT NULL,
    name      TEXT NOT NULL,
    section   TEXT NOT NULL,
    said_no  $integer NOT NULL,
    PRIMARY KEY (realm_no, name, section)
""",
)
# The event that made each page stale, kept also after the page was compiled again.
STALINGS = Table(
    "stalings",
    no=58,
    since=3,
    keyed=5,
    columns="""
    stale_no $integer NOT NULL,
    page_no  $integer NOT NULL,
    PRIMARY KEY (stale_no, page_no)
""",
)
# What pages were about that people removed, kept also after a person made one again.
REMOVED_PAGES = Table(
    "removed_pages",
    no=67,
    since=7,
    columns="""
    removed_no $integer PRIMARY KEY,
    realm_no   $integer NOT NULL,
    about      TEXT NOT NULL,
    -- The event by which a person made it again.
    back_no    $integer
""",
)
# Behind every place in the ledger.
_NEVER = 1 << 62
_OF_A_PAGE = ("pages", "page_locks", "declined_sections", "arranged_sections")

_COMPILED = """
INSERT INTO pages (
    page_no, realm_no, name, kind, words_no, read_to, inputs, is_foundational, holds_until
) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (realm_no, name) DO UPDATE SET kind = excluded.kind, words_no = excluded.words_no,
    read_to = excluded.read_to, inputs = excluded.inputs, stale_no = NULL,
    is_foundational = excluded.is_foundational, holds_until = excluded.holds_until
RETURNING page_no
"""
_CHECKED = """
UPDATE pages SET read_to = ?, holds_until = ?, stale_no = NULL
WHERE realm_no = ? AND name = ? AND inputs = ? RETURNING page_no, words_no
"""
_WATCH = """
INSERT INTO page_watches (page_no, realm_no, key, needs) VALUES (?, ?, ?, ?)
ON CONFLICT (page_no, realm_no, key) DO NOTHING
"""
_UNWATCH = "DELETE FROM page_watches WHERE page_no = ?"
_STALE = """
UPDATE pages SET stale_no = ? WHERE page_no = ? AND stale_no IS NULL RETURNING page_no
"""
# A change during compilation makes the page stale a second time; it is noted once.
_STALED = "INSERT INTO stalings (stale_no, page_no) VALUES (?, ?) ON CONFLICT DO NOTHING"
_ANY_WATCH = "SELECT 1 FROM page_watches LIMIT 1"
_WORD_WATCH = (
    "SELECT 1 FROM page_watches WHERE realm_no = ? AND key >= 'word:' AND key < 'word;' LIMIT 1"
)
# The facts that began or ceased to hold in a range of the ledger.
_TURNED = """
SELECT v.since, v.fact_no, v.realm_no, b.realm_no, f.area, f.environment, f.system
FROM lives v JOIN facts f ON f.fact_no = v.fact_no
LEFT JOIN lives b ON b.fact_no = v.fact_no AND b.until = v.since
WHERE v.since > ? AND v.since <= ? AND (v.lifecycle = 'current' OR b.lifecycle = 'current')
ORDER BY v.since, v.fact_no
"""
_ABOUT = "SELECT entity_no FROM anchors WHERE fact_no = ? ORDER BY position"
_PAYLOAD = "SELECT payload FROM ledger WHERE seq = ? AND payload IS NOT NULL"
_LOCK = """
INSERT INTO page_locks (realm_no, name, section, lock_no) VALUES (?, ?, ?, ?)
ON CONFLICT (realm_no, name, section) DO UPDATE SET lock_no = excluded.lock_no
"""
_UNLOCK = "DELETE FROM page_locks WHERE realm_no = ? AND name = ? AND section = ?"
_DECLINE = """
INSERT INTO declined_sections (realm_no, name, section, signature) VALUES (?, ?, ?, ?)
ON CONFLICT (realm_no, name, section, signature) DO NOTHING
"""
_REMOVE = "INSERT INTO removed_pages (removed_no, realm_no, about) VALUES (?, ?, ?)"
_MAKE_AGAIN = """
UPDATE removed_pages SET back_no = ? WHERE realm_no = ? AND about = ? AND back_no IS NULL
"""
_ARRANGE = """
INSERT INTO arranged_sections (realm_no, name, section, said_no) VALUES (?, ?, ?, ?)
ON CONFLICT (realm_no, name, section) DO UPDATE SET said_no = excluded.said_no
"""
_TAKEN_OFF_SINCE = """
SELECT removed_no FROM removed_lines WHERE realm_no = ? AND name = ? AND removed_no > ?
ORDER BY removed_no LIMIT 1
"""
_TAKE_OFF = "INSERT INTO removed_lines (realm_no, name, line, removed_no) VALUES (?, ?, ?, ?)"

# Events by which facts begin or cease to hold.
_OF_FACTS: tuple[type[Event], ...] = (
    FactRecorded,
    FactRetired,
    FactArchived,
    ChangeUndone,
    ProposalDecided,
)
# Events that change an entity, or where facts are filed, but no fact.
_OF_THINGS: tuple[type[Event], ...] = (
    EntitiesMerged,
    EntitySplit,
    AliasAdded,
    AliasRemoved,
    EntityTyped,
    WordRegistered,
)


class _Touch(NamedTuple):
    """A change: its place in the ledger, its realm, its keys, and its words."""

    seq: int
    realm: int
    keys: Sequence[str]
    terms: Collection[str] = ()


@projects(PageCompiled)
def compiled(rows: Rows, recorded: Recorded, event: PageCompiled) -> None:
    """Project a page; it is stale at once if something changed since it was read."""
    draft, seq = event.draft, recorded.seq
    realm, subject = rows.realm_of(recorded, draft.scope), draft.subject
    until = None if draft.holds_until is None else to_micros(draft.holds_until)
    said = (seq, realm, subject.name, subject.kind.value, seq, draft.read_to, draft.inputs)
    row = (*said, int(subject.is_foundational), until)
    page_no = int(rows.run(_COMPILED, row)[0][0])
    if recorded.by.is_human:
        rows.run(_MAKE_AGAIN, (seq, realm, subject.key))
    _watch(rows, page_no, realm, draft, recorded)


@projects(PageChecked)
def checked(rows: Rows, recorded: Recorded, event: PageChecked) -> None:
    """Project that a page holds, unless its text was erased."""
    realm = rows.realm_of(recorded, event.scope)
    until = None if event.holds_until is None else to_micros(event.holds_until)
    found = rows.run(_CHECKED, (event.read_to, until, realm, event.name, event.inputs))
    for page_no, words_no in found:
        words = decode("page_compiled", rows.run(_PAYLOAD, (words_no,))[0][0], None)
        if isinstance(words, PageCompiled):
            _watch(rows, int(page_no), realm, words.draft, recorded, event.read_to)


@projects(PageRemoved)
def removed(rows: Rows, recorded: Recorded, event: PageRemoved) -> None:
    """
    Remove a page, and remember its subject. The lines that people removed from it stay removed.

    An event from before subjects were remembered took these lines along, and is read as it was.
    """
    place = (rows.realm_of(recorded, event.scope), event.name)
    for (page_no,) in rows.run("SELECT page_no FROM pages WHERE realm_no = ? AND name = ?", place):
        rows.run(_UNWATCH, (page_no,))
        rows.run("DELETE FROM stalings WHERE page_no = ?", (page_no,))
    for table in _OF_A_PAGE if event.about is not None else (*_OF_A_PAGE, "removed_lines"):
        rows.run(f"DELETE FROM {table} WHERE realm_no = ? AND name = ?", place)  # noqa: S608 - ours
    if event.about is not None:
        rows.run(_REMOVE, (recorded.seq, place[0], event.about.key))


@projects(SectionLocked)
def locked(rows: Rows, recorded: Recorded, event: SectionLocked) -> None:
    """Project a locked section."""
    realm = rows.realm_of(recorded, event.scope)
    rows.run(_LOCK, (realm, event.name, storable(event.section), recorded.seq))


@projects(SectionUnlocked)
def unlocked(rows: Rows, recorded: Recorded, event: SectionUnlocked) -> None:
    """Project that a section was unlocked."""
    realm = rows.realm_of(recorded, event.scope)
    rows.run(_UNLOCK, (realm, event.name, storable(event.section)))


@projects(SectionDeclined)
def declined(rows: Rows, recorded: Recorded, event: SectionDeclined) -> None:
    """Project a declined text."""
    realm = rows.realm_of(recorded, event.scope)
    rows.run(_DECLINE, (realm, event.name, storable(event.section), event.signature))


@projects(SectionArranged)
def arranged(rows: Rows, recorded: Recorded, event: SectionArranged) -> None:
    """Project the arrangement of a section."""
    realm = rows.realm_of(recorded, event.scope)
    rows.run(_ARRANGE, (realm, event.name, storable(event.section), recorded.seq))


@projects(LinesRemoved)
def taken_off(rows: Rows, recorded: Recorded, event: LinesRemoved) -> None:
    """Project removed lines, which make the page stale."""
    realm = rows.realm_of(recorded, event.scope)
    for line in event.lines:
        rows.run(_TAKE_OFF, (realm, event.name, line, recorded.seq))
    found = rows.run(
        "SELECT page_no FROM pages WHERE realm_no = ? AND name = ?", (realm, event.name)
    )
    for (page_no,) in found:
        _make_stale(rows, recorded.seq, int(page_no))


def fact_changed(rows: Rows, recorded: Recorded, _: Event) -> None:
    """Mark pages that state a fact which began or ceased to hold; a draft does neither."""
    if rows.run(_ANY_WATCH):
        _mark(rows, _turned(rows, recorded.seq - 1, recorded.seq))


def thing_changed(rows: Rows, recorded: Recorded, _: Event) -> None:
    """Mark pages about a changed entity, and those on which words file facts."""
    if rows.run(_ANY_WATCH):
        _mark(rows, [_of_thing(rows, recorded)])


for _kind in _OF_FACTS:
    projects(_kind)(fact_changed)
for _kind in _OF_THINGS:
    projects(_kind)(thing_changed)


def _watch(
    rows: Rows,
    page_no: int,
    realm: int,
    draft: PageDraft,
    recorded: Recorded,
    read_to: int | None = None,
) -> None:
    """Make a page watch its keys, for changes after the place up to which it was read."""
    rows.run(_UNWATCH, (page_no,))
    for watch in draft.watches:
        named = named_in(watch)
        for one in kept(watch, 0 if named is None else rows.place_of(named)):
            key = f"{one.key}:{recorded.owner}" if one.key == REGISTRY else one.key
            place = realm if one.is_of_realm else 0
            rows.run(_WATCH, (page_no, place, storable(key), storable(one.needs)))
    after = draft.read_to if read_to is None else read_to
    for (removed_no,) in rows.run(_TAKEN_OFF_SINCE, (realm, storable(draft.subject.name), after)):
        _make_stale(rows, int(removed_no), page_no)
    if after < recorded.seq - 1:
        since = [*_turned(rows, after, recorded.seq), *_things_in(rows, after, recorded.seq)]
        _mark(rows, sorted(since), only=page_no)


def _mark(rows: Rows, touches: Iterable[_Touch], *, only: int | None = None) -> None:
    """Make pages stale that watch a key of a change; the first change is kept as the reason."""
    for one in touches:
        clause, keys = among("key", map(storable, one.keys))
        sql = f"SELECT page_no, needs FROM page_watches WHERE realm_no = ? AND {clause}"  # noqa: S608
        for page_no, needs in rows.run(sql, (one.realm, *keys)):
            if only in {None, page_no} and set(needs.split()) <= set(one.terms):
                _make_stale(rows, one.seq, int(page_no))


def _make_stale(rows: Rows, seq: int, page_no: int) -> None:
    """Note the event that makes a page stale, and remove its watches."""
    if rows.run(_STALE, (seq, page_no)):
        rows.run(_STALED, (seq, page_no))
    rows.run(_UNWATCH, (page_no,))


def _turned(rows: Rows, after: int, until: int) -> Iterator[_Touch]:
    for seq, fact_no, realm, before, *places in rows.run(_TURNED, (after, until)):
        entities = [int(number) for (number,) in rows.run(_ABOUT, (fact_no,))]
        for place in {int(realm), int(before or realm)}:
            terms = _terms(rows, fact_no) if rows.run(_WORD_WATCH, (place,)) else ()
            keys = list(keys_of(places, entities, terms))
            yield _Touch(int(seq), place, keys, terms)


def _terms(rows: Rows, fact_no: int) -> Collection[str]:
    for (payload,) in rows.run(_PAYLOAD, (fact_no,)):
        event = decode("fact_recorded", payload, None)
        if isinstance(event, FactRecorded):
            return frozenset(index_terms(event.said.words))
    return frozenset()


def _things_in(rows: Rows, after: int, until: int) -> Iterator[_Touch]:
    kinds, params = among("l.kind", (one.aspects.kind for one in _OF_THINGS))
    sql = f"""SELECT {RECORD} FROM ledger l WHERE l.seq > ? AND l.seq <= ? AND {kinds}
        AND l.payload IS NOT NULL ORDER BY l.seq"""  # noqa: S608 - names of ours
    for row in rows.run(sql, (after, until, *params)):
        yield _of_thing(rows, read_record(row))


def _of_thing(rows: Rows, recorded: Recorded) -> _Touch:
    match recorded.event:
        case EntitiesMerged(winner=winner, loser=loser):
            named = [winner, loser]
        case EntitySplit(loser=loser):
            named = [loser]
        case AliasAdded(entity_id=entity_id) | AliasRemoved(entity_id=entity_id):
            named = [entity_id]
        case EntityTyped(entity_id=entity_id):
            named = [entity_id]
        case _:
            return _Touch(recorded.seq, 0, [f"{REGISTRY}:{recorded.owner}"])
    return _Touch(recorded.seq, 0, [thing(rows.place_of(one)) for one in named])


_READ = f"""
SELECT {RECORD}, r.scope, p.stale_no, s.recorded_at, p.holds_until, p.read_to
FROM pages p JOIN realms r ON r.realm_no = p.realm_no JOIN ledger l ON l.seq = p.words_no
LEFT JOIN ledger s ON s.seq = p.stale_no
WHERE l.payload IS NOT NULL AND p.realm_no IN {{integers}}
"""  # noqa: S608 - names of ours
_LOCKS = f"""
SELECT {RECORD} FROM page_locks k JOIN realms r ON r.realm_no = k.realm_no
JOIN ledger l ON l.seq = k.lock_no
WHERE l.payload IS NOT NULL AND r.owner = ? AND r.scope = ? AND k.name = ? ORDER BY l.seq
"""  # noqa: S608 - names of ours
_DECLINED = """
SELECT d.section, d.signature FROM declined_sections d JOIN realms r ON r.realm_no = d.realm_no
WHERE r.owner = ? AND r.scope = ? AND d.name = ?
"""
_ARRANGED = f"""
SELECT {RECORD} FROM arranged_sections a JOIN realms r ON r.realm_no = a.realm_no
JOIN ledger l ON l.seq = a.said_no
WHERE l.payload IS NOT NULL AND r.owner = ? AND r.scope = ? AND a.name = ?
"""  # noqa: S608 - names of ours
_PAGES_IN = """
SELECT DISTINCT r.owner, r.scope, t.name FROM {table} t JOIN realms r ON r.realm_no = t.realm_no
"""
_TAKEN_OFF = """
SELECT x.line, l.recorded_at, x.removed_no, x.name FROM removed_lines x
JOIN realms r ON r.realm_no = x.realm_no JOIN ledger l ON l.seq = x.removed_no
WHERE l.payload IS NOT NULL AND r.owner = ? AND r.scope = ? ORDER BY x.removed_no
"""
_REMOVED = f"""
SELECT {RECORD}, x.back_no FROM removed_pages x JOIN ledger l ON l.seq = x.removed_no
WHERE l.payload IS NOT NULL AND x.realm_no IN {{integers}} ORDER BY l.seq
"""  # noqa: S608 - names of ours
# The last check of a page; its event comes after the place that it states, as may those of other
# pages.
_CHECKS = f"""
SELECT {RECORD} FROM ledger l WHERE l.seq > ? AND l.kind = 'page_checked'
AND l.payload IS NOT NULL ORDER BY l.seq LIMIT 50
"""  # noqa: S608 - names of ours
# Tool runs, agents' reports and playbooks since a page was read.
_IS_PRACTICE = f"""
(EXISTS (SELECT 1 FROM tool_uses u WHERE u.episode_no = e.seq)
    OR e.kind = '{EpisodeKind.MESSAGE}' AND e.role = '{Role.ASSISTANT}')
"""  # noqa: S608 - names of ours
# Only sessions of the project are searched, since other projects may have done a lot.
_PRACTISED = f"""
SELECT max(at) FROM (
    SELECT max(e.seq) AS at FROM realms r CROSS JOIN sessions s CROSS JOIN episodes e
    WHERE r.owner = ? AND r.scope = ? AND s.realm_no = r.realm_no
    AND e.session_no = s.session_no AND e.session_no > 0 AND e.seq > ? AND {_IS_PRACTICE}
    UNION ALL
    SELECT max(e.seq) FROM realms r CROSS JOIN episodes e
    WHERE r.owner = ? AND r.scope = ? AND e.realm_no = r.realm_no
    AND e.session_no = 0 AND e.seq > ? AND {_IS_PRACTICE}
    UNION ALL
    SELECT max(CASE WHEN b.words_no > b.moved_no THEN b.words_no ELSE b.moved_no END)
    FROM playbooks b JOIN realms r ON r.realm_no = b.realm_no WHERE r.owner = ? AND r.scope = ?
) since
"""  # noqa: S608 - names of ours
_WENT_STALE = """
SELECT g.stale_no, p.name, l.payload FROM stalings g JOIN pages p ON p.page_no = g.page_no
JOIN ledger l ON l.seq = p.words_no
WHERE g.stale_no IN {integers} AND p.realm_no IN {integers} AND l.payload IS NOT NULL
ORDER BY g.stale_no, g.page_no
"""


class Pages(SnapshotReader):
    """The pages of one snapshot."""

    def get(self, name: str, within: Visibility, now: datetime) -> Page:
        """
        Return one page by name, preferably of the scope from which it is read.

        Without one there, it is the page of the only other scope that has one, besides `global`. If
        no page has the name, it may be a title.

        Raises:
            NotFoundError: no such page is visible.
            ConflictError: several scopes have one, and none takes precedence.
        """
        found = self._pages("AND p.name = ?", (storable(name),), within, now)
        found = found or self._titled(name, within, now)
        own = [one for one in found if one.scope == within.origin]
        own = own or [one for one in found if one.scope != GLOBAL] or found
        if not own:
            raise self._unknown(name, within)
        if len(own) > 1:
            scopes = {one.scope for one in own}
            if len(scopes) == len(own):
                hint = f"--scope: {', '.join(sorted(scopes))}"
                raise ConflictError(f"several scopes have a page {name!r}", hint=hint)
            hint = ", ".join(f"{one.name} of {one.scope}" for one in own)
            raise ConflictError(f"several pages have the title {name!r}", hint=hint)
        return own[0]

    def _unknown(self, name: str, within: Visibility) -> NotFoundError:
        wanted = name_of(name)
        if all(one.name != wanted for one in self.removed(within)):
            hint = "see: tilth page list; make one: tilth page compile entity NAME"
            return NotFoundError(f"no page {name[:60]!r}", hint=hint)
        hint = f"as it was: {UNDO_BY_NAME}; anew: tilth page compile"
        return NotFoundError(f"no page {name[:60]!r}: a person removed it", hint=hint)

    def _titled(self, title: str, within: Visibility, now: datetime) -> list[Page]:
        wanted = name_of(title)
        return [one for one in self.select(within, now) if wanted in (one.name, name_of(one.title))]

    def find(self, name: str, owner: Owner, scope: Scope, now: datetime) -> Page | None:
        """Return the page *name* of a scope; None if there is none."""
        within = Visibility(owner, frozenset({scope}))
        found = self._pages("AND p.name = ?", (storable(name),), within, now)
        return found[0] if found else None

    def select(
        self, within: Visibility, now: datetime, *, kind: PageKind | None = None
    ) -> list[Page]:
        """Return every page, or those of one kind, by scope and name."""
        condition, params = ("", ()) if kind is None else ("AND p.kind = ?", (kind,))
        return self._pages(f"{condition} ORDER BY r.scope, p.name", params, within, now)

    def opening(
        self, within: Visibility, now: datetime, *, is_foundational: bool, limit: int
    ) -> list[Page]:
        """Return pages for the start of a session: the project's, then those compiled last."""
        first = f"CASE WHEN p.kind = '{PageKind.PROJECT}' THEN 0 ELSE 1 END, p.words_no DESC"
        order = f"AND p.is_foundational = ? ORDER BY {first} LIMIT ?"
        return self._pages(order, (int(is_foundational), limit), within, now)

    def removals(self, subject: Subject, owner: Owner, now: datetime) -> Removals:
        """Return the lines that people removed from the pages of a subject, past ones too."""
        rows = self._conn.rows(_TAKEN_OFF, (owner, subject.scope))
        if not rows:
            return Removals()
        lives = self._lives_of(subject, owner, {str(name) for *_, name in rows}, now)
        key = self._merged(subject, owner).key
        told = [
            (str(line), from_micros(at))
            for line, at, no, name in rows
            if next((about for end, about in lives[name] if end > no), "") == key
        ]
        return removals(told, now)

    def taken_off_since(self, page: Page) -> frozenset[str]:
        """Return the keys of lines that people removed since the page was compiled."""
        rows = self._conn.rows(_TAKEN_OFF, (page.owner, page.scope))
        since = [(line, name) for line, _, no, name in rows if no > page.read_to]
        return frozenset(str(line) for line, name in since if name == page.name)

    def removed(self, within: Visibility) -> list[Subject]:
        """Return the subjects of pages that people removed and no person made again."""
        return [subject for _, subject, is_back in self._removed(within) if not is_back]

    def is_removed(self, subject: Subject, owner: Owner) -> bool:
        """Say whether a person removed the page of a subject, and none made it again."""
        removed = self.removed(Visibility(owner, frozenset({subject.scope})))
        return self._merged(subject, owner).key in {one.key for one in removed}

    def _removed(self, within: Visibility) -> Iterator[tuple[int, Subject, bool]]:
        """Yield each removal: its place, the subject, and whether a person made it again."""
        for row in self._rows(_REMOVED, within):
            recorded, event = read_as(PageRemoved, row)
            if event.about is not None:
                subject = self._merged(event.about, recorded.owner)
                yield recorded.seq, subject, row[RECORD_WIDTH] is not None

    def _lives_of(
        self, subject: Subject, owner: Owner, names: Collection[str], now: datetime
    ) -> Mapping[str, Sequence[tuple[int, str]]]:
        """
        Return what pages of these names in a subject's scope are or were about, in order of time.

        Each is the place at which the page was removed, and the key of its subject. The last one
        is of the page that is there, or is to be there; nothing removed it.
        """
        lives = {name: list[tuple[int, str]]() for name in names}
        for seq, one, _ in self._removed(Visibility(owner, frozenset({subject.scope}))):
            if one.name in lives:
                lives[one.name].append((seq, one.key))
        for name, ends in lives.items():
            is_own = name == subject.name
            page = None if is_own else self.find(name, owner, subject.scope, now)
            last = page.subject if page is not None else subject if is_own else None
            if last is not None:
                ends.append((_NEVER, self._merged(last, owner).key))
        return lives

    def _merged(self, subject: Subject, owner: Owner) -> Subject:
        """Return a subject with the entity that its own was finally merged into."""
        if subject.entity is None:
            return subject
        entity = Entities(self._view).canonical(subject.entity, Visibility(owner))
        return replace(subject, entity=entity.id)

    def arranged(self, name: str, owner: Owner, scope: Scope) -> Mapping[str, Arranged]:
        """Return what people set for the sections of a page, by slug."""
        if not self._has("arranged_sections", owner, scope, name):
            return {}
        rows = self._conn.rows(_ARRANGED, (owner, scope, storable(name)))
        events = [read_record(row).event for row in rows]
        return {one.section: one.how for one in events if isinstance(one, SectionArranged)}

    def locks(self, page: Page) -> Mapping[str, tuple[SectionLocked, datetime]]:
        """Return the locked sections of a page, by slug."""
        if not self._has("page_locks", page.owner, page.scope, page.name):
            return {}
        rows = self._conn.rows(_LOCKS, (page.owner, page.scope, page.name))
        found = [read_record(row) for row in rows]
        return {
            one.event.section: (one.event, one.recorded_at)
            for one in found
            if isinstance(one.event, SectionLocked)
        }

    def declined(self, page: Page) -> frozenset[tuple[str, str]]:
        """Return declined texts: slugs with signatures."""
        if not self._has("declined_sections", page.owner, page.scope, page.name):
            return frozenset()
        rows = self._conn.rows(_DECLINED, (page.owner, page.scope, page.name))
        return frozenset((str(section), str(signature)) for section, signature in rows)

    def _has(self, table: str, owner: Owner, scope: Scope, name: str) -> bool:
        """Say whether *table* has anything on a page; for most pages it does not."""

        def made() -> frozenset[tuple[object, ...]]:
            return frozenset(self._conn.rows(_PAGES_IN.format(table=table)))

        return (owner, scope, storable(name)) in self._conn.once(("pages in", table), made)

    def _pages(
        self, condition: str, params: Sequence[object], within: Visibility, now: datetime
    ) -> list[Page]:
        rows = self._rows(f"{_READ} {condition}", within, *params)
        return [self._page(row, now) for row in rows]

    def _page(self, row: Row, now: datetime) -> Page:
        scope, stale_no, stale_at, holds_until, read_to = row[RECORD_WIDTH:]
        recorded, event = read_as(PageCompiled, row)
        draft = event.draft
        stale_since = None if stale_no is None else from_micros(stale_at)
        ends = None if holds_until is None else from_micros(holds_until)
        if stale_since is None and ends is not None and ends <= now:
            stale_since = ends
        page = Page(
            name=draft.subject.name,
            scope=Scope(scope),
            kind=draft.subject.kind,
            title=draft.subject.title,
            owner=recorded.owner,
            subject=draft.subject,
            sections=tuple(
                PageSection(section=one, maintainer=maintainer_of(one, draft.form))
                for one in draft.sections
            ),
            compiled_from=draft.cites,
            form=draft.form,
            why=draft.why,
            # For events without this field, any reason counts as passing.
            is_put_off=bool(draft.why) if draft.is_put_off is None else draft.is_put_off,
            generated_at=recorded.recorded_at,
            is_stale=stale_since is not None,
            stale_since=stale_since,
            left_out=draft.left_out,
            read_to=int(read_to),
            inputs=draft.inputs,
            version=recorded.seq,
            cost=draft.cost,
        )
        if page.is_put_off and page.read_to > draft.read_to:
            page = replace(page, cost=self._spent(page))
        said = self.arranged(page.name, page.owner, page.scope)
        return as_people_arranged(page, said, self.locks(page), self.declined(page))

    def _spent(self, page: Page) -> Spending:
        """Return the total cost of a page in language models, from its last check."""
        for row in self._conn.rows(_CHECKS, (page.read_to,)):
            recorded = read_record(row)
            event = recorded.event
            if (
                isinstance(event, PageChecked)
                and (recorded.owner, event.scope) == (page.owner, page.scope)
                and (event.name, event.read_to) == (page.name, page.read_to)
            ):
                return event.cost
        return page.cost

    def next_end(self, within: Visibility, now: datetime) -> datetime | None:
        """Return when the next page becomes stale by time alone; None if none will."""
        sql = "SELECT min(holds_until) FROM pages WHERE holds_until > ? AND realm_no IN {integers}"
        ends = self._rows(sql, to_micros(now), within)[0][0]
        return None if ends is None else from_micros(ends)

    def read_at(self, page: Page) -> datetime:
        """Return when a page was last compiled or checked, or a little later."""
        sql = "SELECT recorded_at FROM ledger WHERE seq > ? ORDER BY seq LIMIT 1"
        return from_micros(self._conn.rows(sql, (page.read_to,))[0][0])

    def practised(self, page: Page) -> datetime | None:
        """
        Return when there was work in a page's project since it was read; None if there was none.

        Whether the page would change is not considered.
        """
        if page.kind is not PageKind.PROJECT:
            return None
        said = (page.owner, page.scope)
        since = (*said, page.read_to)
        last = self._conn.rows(_PRACTISED, (*since, *since, *said))[0][0]
        if last is None or int(last) <= page.read_to:
            return None
        at = self._conn.rows("SELECT recorded_at FROM ledger WHERE seq = ?", (last,))
        return from_micros(at[0][0])


@has_effects
def went_stale(
    view: Snapshot, seqs: Sequence[int], within: Visibility
) -> Iterator[tuple[int, Effect]]:
    """Yield the pages that the events at *seqs* made stale."""
    for seq, name, payload in view.select(_WENT_STALE, seqs, within):
        event = decode("page_compiled", payload, None)
        if isinstance(event, PageCompiled):
            title = event.draft.subject.title
            yield int(seq), Effect(id=name, text=title, was="fresh", now="stale", holds=False)
