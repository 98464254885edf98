"""
Declare tables, each once, beside the code that writes it.

    GAPS = Table(
        "gaps",
        no=31,
        since=2,
        columns='''
    gap_no   $integer PRIMARY KEY,
    realm_no $integer NOT NULL
''',
        indexes="CREATE INDEX gaps_in_realm ON gaps (realm_no);",
    )

A table is a projection of the ledger: it is emptied and made again by `rebuild`, compared with a
replay by `verify`, and digested. Both engines derive its definition from the declaration, and the
migration that makes it from the schema that it came with.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from functools import lru_cache
from string import Template
from typing import Any, NamedTuple, TypeVar

from tilth.core.dataclass import dataclass
from tilth.core.text.pattern import pattern

T = TypeVar("T")
# The key: several columns, or the one column that is it.
_KEY = pattern(r"\n    PRIMARY KEY \(([^)]*)\)|\n    (\w+) +\$?\w+ PRIMARY KEY")


class Filling(NamedTuple):
    """
    How rows of a new table are made in an older store.

    `read` selects from the ledger, `rows` makes rows of that, and `insert` adds one.
    """

    read: str
    rows: Callable[[Iterable[Sequence[Any]]], Iterable[Sequence[object]]]
    insert: str


class Widening(NamedTuple):
    """
    A column for which a later schema allowed more words.

    `before` are the words of its CHECK until then, as SQL; `now` are today's, as in the table's
    text.
    """

    column: str
    before: str
    now: str


class Former(NamedTuple):
    """
    What a table was until a later schema made it anew.

    `moved` is the SQL that brings its rows over: what was there is called NAME_before meanwhile,
    and `$bytewise` behind a text orders it by its bytes on any engine.
    """

    columns: str
    indexes: str
    moved: str


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """
    One table of the store.

    Declaring it makes it known.

    Attributes:
        name: Its name in both engines.
        no: Its place among all tables, in digests and in migrations; a new table takes the next.
        since: The schema that it came with.
        columns: Columns and constraints; `$integer` and `$blob` are the engine's types. A store is
            known by this text, comments in it too: not a letter of a released one may change.
        indexes: The indexes that came with it.
        later: What later schemas added to it, by their number.
        filling: What an older store is given when it comes.
        widened: The CHECK that a later schema widened, by its number; the text has it as it is now.
        former: What it was until a later schema made it anew, by the number of that schema.
        keyed: The schema since which its rows stand in its key alone, where an engine can do that:
            a key of several columns is otherwise kept twice, in the table and in an index.
        is_record: Whether it holds what was said, read and spent, and nothing that is known: it
            goes on where knowledge goes back to an earlier day.

    Raises:
        TypeError: the name or the number is taken.
    """

    name: str
    no: int
    since: int
    columns: str
    indexes: str = ""
    later: Mapping[int, str] = field(default_factory=dict)
    filling: Filling | None = None
    widened: Mapping[int, Widening] = field(default_factory=dict)
    former: Mapping[int, Former] = field(default_factory=dict)
    keyed: int = 0
    is_record: bool = False

    def __post_init__(self) -> None:
        for one in _TABLES:
            if one.name == self.name or one.no == self.no:
                raise TypeError(f"{one.name} is table {one.no} already, not {self.name}")
        _TABLES.append(self)

    @property
    def key(self) -> tuple[str, ...]:
        """The columns that identify a row."""
        found = _KEY.search(self.columns)
        assert found is not None, self.name
        return tuple((found[1] or found[2]).split(", "))

    @property
    def lookups(self) -> list[str]:
        """The SQL of its present indexes."""
        return [one for one in (self.indexes, *self.later.values()) if one]

    def ddl(self, types: Mapping[str, str], *, temporary: bool) -> str:
        """Return its definition in an engine's *types*."""
        kind = "TEMPORARY TABLE" if temporary else "TABLE"
        return self._ddl(types, self.columns, kind, is_keyed=bool(self.keyed))

    def first_scripts(self, types: Mapping[str, str]) -> list[str]:
        """Return the SQL that made it, with its indexes, in its first schema."""
        columns, indexes = self.columns, self.indexes
        if self.former:
            columns, indexes, _ = self.former[min(self.former)]
        for one in self.widened.values():
            columns = columns.replace(one.now, one.before)
        is_keyed = self.keyed == self.since
        return [f"{self._ddl(types, columns, 'TABLE', is_keyed=is_keyed)};", indexes]

    def is_made_anew(self, schema: int, types: Mapping[str, str]) -> bool:
        """Say whether *schema* rebuilds it on an engine with these *types*."""
        is_keyed_now = self.keyed == schema > self.since and types["keyed"] != types["strict"]
        return schema in self.former or is_keyed_now

    def anew(self, schema: int, types: Mapping[str, str]) -> str:
        """Return the SQL that rebuilds it in *schema*, with its rows."""
        name = self.name
        moved = f"INSERT INTO {name} SELECT * FROM {name}_before;"  # noqa: S608 - a name of ours
        if schema in self.former:
            moved = Template(self.former[schema].moved).substitute(types)
        return f"""
CREATE {types["aside"]} {name}_before AS SELECT * FROM {name};
DROP TABLE {name};
{self.ddl(types, temporary=False)};
{self.indexes}{"".join(self.later.values())}
{moved}
DROP TABLE {name}_before;
"""  # noqa: S608 - names of ours

    def _ddl(self, types: Mapping[str, str], columns: str, kind: str, *, is_keyed: bool) -> str:
        made = f"CREATE {kind} {self.name} ({columns}) {'$keyed' if is_keyed else '$strict'}\n"
        return Template(made).substitute(types)


_TABLES: list[Table] = []
_LOAD: list[Callable[[], object]] = []


def set_loader(load: Callable[[], object]) -> None:
    """Set *load*, which loads all declarations of features; the first use calls it."""
    _LOAD[:] = [load]


def load_declarations() -> None:
    """Load every event, table and projection that a store may hold."""
    for load in _LOAD:
        load()


def tables() -> list[Table]:
    """Return all declared tables, in the order of their numbers."""
    load_declarations()
    return sorted(_TABLES, key=lambda table: table.no)


def newest_schema() -> int:
    """Return the number of the newest schema."""
    load_declarations()
    return max(
        number
        for table in _TABLES
        for number in (table.since, table.keyed, *table.later, *table.widened, *table.former)
    )


def each_schema(make: Callable[[int], T]) -> tuple[T, ...]:
    """Return the result of *make* for each schema; cached until a table is declared."""
    return _each_schema(make, newest_schema(), len(_TABLES))


@lru_cache(maxsize=4)
def _each_schema(make: Callable[[int], T], newest: int, _table_count: int) -> tuple[T, ...]:
    return tuple(map(make, range(1, newest + 1)))


def scripts_of(schema: int, types: Mapping[str, str]) -> list[str]:
    """Return the SQL for the tables new in *schema*, and for its changes of older ones."""
    known = tables()
    firsts = [table.first_scripts(types) for table in known if table.since == schema]
    made, indexed = [first for first, _ in firsts], [indexes for _, indexes in firsts if indexes]
    later = [table.later[schema] for table in known if schema in table.later]
    anew = [table.anew(schema, types) for table in rebuilt_tables(schema, types)]
    return [*made, *indexed, *later, *anew]


def rebuilt_tables(schema: int, types: Mapping[str, str]) -> list[Table]:
    """Return the tables that *schema* rebuilds on an engine with these *types*."""
    return [table for table in tables() if table.is_made_anew(schema, types)]


def fillings_of(schema: int) -> tuple[Filling, ...]:
    """Return the fillings for an older store on its way to *schema*."""
    return tuple(table.filling for table in tables() if table.since == schema and table.filling)


def widenings_of(schema: int) -> list[tuple[str, Widening]]:
    """Return the CHECKs that *schema* widened, each with its table's name."""
    return [(one.name, one.widened[schema]) for one in tables() if schema in one.widened]
