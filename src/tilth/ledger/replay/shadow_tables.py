"""Temporary tables that shadow the stored ones, for a replay that leaves those unchanged."""

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from typing import Any

from tilth.core.table import tables
from tilth.core.text.pattern import pattern
from tilth.ledger.engine import Connection, Row, T

_WORD = pattern(r"\w+")


class Shadows:
    """
    A connection on which each name of a table means a temporary one, empty at first.

    It is made once a statement names it: a store uses some of the tables, and to make and compare
    all of them takes longer than all else of a small store's check.
    """

    def __init__(
        self, conn: Connection, *, made: Collection[str] = (), is_indexed: bool = False
    ) -> None:
        """
        Begin where those *made* earlier on the same connection are there.

        With *is_indexed* they have the indexes of the stored ones: those that a replay asks by,
        and those that refuse what has no room beside another row.
        """
        self._conn = conn
        self._is_indexed = is_indexed
        self._unmade = {table.name: table for table in tables() if table.name not in made}
        self._known: set[str] = set()
        self.made = list(made)
        self.is_writing = conn.is_writing
        self.realms: dict[Hashable, Any] = {}
        self.types = conn.types
        self.stored, self.temporary = conn.stored, conn.temporary
        self.filled, self.empty, self.unshadow = conn.filled, conn.empty, conn.unshadow

    @property
    def unmade(self) -> list[str]:
        """The names of the tables that no statement has used."""
        return list(self._unmade)

    def rows(self, sql: str, params: Sequence[object] = ()) -> list[Row]:
        """Run one statement on the temporary tables that it names, and return its rows."""
        if sql not in self._known:
            self.make(_WORD.findall(sql))
            self._known.add(sql)
        return self._conn.rows(sql, params)

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return the result of *make*, uncached, since a replay changes what it reads."""
        del key
        return make()

    def stream(self, sql: str, params: Sequence[object] = ()) -> Iterator[Row]:
        """Run one statement on the temporary tables that it names, and yield its rows."""
        self.make(_WORD.findall(sql))
        return self._conn.stream(sql, params)

    def make(self, names: Iterable[str]) -> None:
        """Make the temporary tables among *names* that are not made."""
        for name in names:
            if table := self._unmade.pop(name, None):
                self._conn.rows(table.ddl(self.types, temporary=True))
                for lookup in table.lookups if self._is_indexed else ():
                    self._conn.rows(lookup)
                self.made.append(name)
