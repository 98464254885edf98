"""Full-text search in SQLite: FTS5 over clean terms."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import apsw

from tilth.core.errors import ConflictError, CorruptionError
from tilth.ledger.engine import (
    EPISODES,
    FACTS,
    Connection,
    Finding,
    Indexed,
    Scored,
    StagedText,
    TextCheck,
    Where,
    realm_token,
)
from tilth.ledger.projection import terms_in
from tilth.ledger.sqlite.schema import TOKENIZE
from tilth.ledger.tables import WRITES_HERE

if TYPE_CHECKING:  # It brings numpy.
    from tilth.ledger.sqlite.postings import Postings

# The index drives: with a plain join the planner may probe it once for each episode.
_MATCH_WHERE = """
SELECT t.rowid, -t.rank FROM {index} t CROSS JOIN {source}
WHERE t.{index} MATCH ? AND {place} = t.rowid AND {where} ORDER BY t.rank, t.rowid DESC LIMIT ?
"""
# The row of a leaf is its segment's number above 37 bits with the page's below; its third and
# fourth byte say where its terms are listed: at its end where there are none (fts5_index.c).
_LEAVES = """
SELECT id, hex(substr(block, 3, 2)), length(block) FROM {index}_data
WHERE id >= 1 << 37 AND id & (((1 << 6) - 1) << 31) = 0
"""
_REACHABLE = "SELECT (CAST(segid AS INTEGER) << 37) + (pgno >> 1) FROM {index}_idx"
_OPTIONS = "SELECT k, v FROM {index}_config WHERE k <> 'version' ORDER BY k"
_EXPECTED_OPTIONS = [("secure-delete", 1)]
# It tells every connection to read the options again, too.
_SECURE = "INSERT INTO {index} ({index}, rank) VALUES ('secure-delete', 1)"
_CLEARED = (
    "INSERT INTO {index} ({index}) VALUES ('delete-all')",
    "DELETE FROM {index}_config WHERE k <> 'version'",
    _SECURE,
)
_ASIDE = "CREATE VIRTUAL TABLE temp.{index}_aside USING fts5(terms, content = '', {tokenize})"
# What was taken in last is still in memory.
_FLUSHED = "INSERT INTO temp.{index}_aside ({index}_aside) VALUES ('flush')"
_MOVED = """
DELETE FROM main.{index}_{part};
INSERT INTO main.{index}_{part} SELECT * FROM temp.{index}_aside_{part};
"""
_EXPECTED = """
DROP TABLE IF EXISTS temp.{index}_copy;
DROP TABLE IF EXISTS temp.expected_{index};
CREATE TEMPORARY TABLE expected_{index} (seq INTEGER PRIMARY KEY, terms TEXT NOT NULL);
"""
_COPY = """
CREATE VIRTUAL TABLE temp.{index}_copy USING fts5(
    terms, content = 'expected_{index}', content_rowid = 'seq', {tokenize}
);
"""
_COPY_PART = """
DELETE FROM temp.{index}_copy_{part};
INSERT INTO temp.{index}_copy_{part} SELECT * FROM main.{index}_{part};
"""
_PARTS = ("data", "idx", "docsize", "config")
_COMPARE = "INSERT INTO temp.{index}_copy ({index}_copy, rank) VALUES ('integrity-check', 1)"


def register_functions(conn: apsw.Connection) -> None:
    """Give *conn* the functions that our schema names: what FTS5 sees of an episode and a fact."""
    # That it is there is all that the guards of our tables ask.
    conn.create_scalar_function(WRITES_HERE, _writes_here, 0, flags=apsw.SQLITE_INNOCUOUS)
    for name, indexed in (("indexed_terms", EPISODES), ("indexed_fact_terms", FACTS)):
        conn.create_scalar_function(
            name,
            partial(_indexed_terms, indexed),
            2,
            deterministic=True,
            flags=apsw.SQLITE_INNOCUOUS,
        )


def _writes_here(*_: Any) -> int:  # noqa: ANN401 - apsw's own signature
    return 1


def _indexed_terms(indexed: Indexed, *columns: Any) -> str:  # noqa: ANN401 - apsw's own signature
    realm_no, payload = columns
    return _document(int(str(realm_no)), terms_in(indexed, str(payload)))


def _document(realm_no: int, terms: Sequence[str]) -> str:
    return " ".join([realm_token(realm_no), *terms])


class SqliteText:
    """See `tilth.ledger.engine.TextIndex`."""

    def __init__(self, indexed: Indexed) -> None:
        self._indexed = indexed
        self._index = index = f"{indexed.noun}_terms"
        self._add = f"INSERT INTO {index} (rowid, terms) VALUES (?, ?)"  # noqa: S608 - names of ours
        self._match = f"""SELECT rowid, -rank FROM {index} WHERE {index} MATCH ?
            ORDER BY rank, rowid DESC LIMIT ?"""  # noqa: S608 - likewise
        self._count = f"SELECT count(*) FROM {index} WHERE {index} MATCH ?"  # noqa: S608 - likewise
        self._vocabulary = f"SELECT doc FROM {indexed.noun}_vocabulary WHERE term = ?"  # noqa: S608 - likewise
        self._is_asked_again = False

    def add(self, conn: Connection, seq: int, realm_no: int, terms: Sequence[str]) -> None:
        """Index one episode or fact."""
        conn.rows(self._add, (seq, _document(realm_no, terms)))

    def match(
        self, conn: Connection, terms: Sequence[str], where: Where, limit: int
    ) -> list[Scored]:
        """Return what holds any of *terms*, best first, ties by the newer."""
        if where.is_open and where.sees_all and (postings := self._in_memory(conn)):
            return postings.match(conn, terms, limit)
        self._is_asked_again = True
        query = _within(where, _any(terms))
        if where.is_open:
            found = conn.rows(self._match, (query, limit))
        else:
            sql = _MATCH_WHERE.format(
                index=self._index,
                source=self._indexed.source,
                place=self._indexed.place,
                where=where.sql,
            )
            found = conn.rows(sql, (query, *where.params, limit))
        return [Scored(seq, score) for seq, score in found]

    def frequencies(
        self, conn: Connection, terms: Sequence[str], where: Where
    ) -> Mapping[str, int]:
        """Return in how many episodes or facts of the visible realms each term occurs."""
        if where.sees_all:
            if postings := self._in_memory(conn):
                return postings.frequencies(conn, terms)
            found = {term: conn.rows(self._vocabulary, (term,)) for term in terms}
        else:
            found = {
                term: conn.rows(self._count, (_within(where, _any([term])),)) for term in terms
            }
        return {term: int(rows[0][0]) for term, rows in found.items() if rows}

    def _in_memory(self, conn: Connection) -> "Postings | None":
        """Return the index in memory: for the second question of a process, since it is read."""
        if conn.is_writing or not self._is_asked_again:
            return None
        return self._postings

    @cached_property
    def _postings(self) -> "Postings":
        from tilth.ledger.sqlite.postings import Postings  # noqa: PLC0415 - for who asks again

        return Postings(self._index, self._vocabulary)

    def clear(self, conn: Connection) -> None:
        """Empty the index, and set its options as they were at first."""
        for statement in _CLEARED:
            conn.rows(statement.format(index=self._index))

    def stage(self, conn: Connection) -> StagedText:
        """Begin another one beside it."""
        return _StagedIndex(conn, self._index, self.clear)

    def check(self, conn: Connection) -> TextCheck:
        """Begin to compare the index with what it was made from."""
        conn.rows(_EXPECTED.format(index=self._index))
        return _Check(self._index)


class _StagedIndex:
    """See `tilth.ledger.engine.StagedText`. What it takes in lies in a file of SQLite's own."""

    def __init__(self, conn: Connection, index: str, clear: Callable[[Connection], None]) -> None:
        self._index, self._clear = index, clear
        self._add = f"INSERT INTO temp.{index}_aside (rowid, terms) VALUES (?, ?)"  # noqa: S608 - ours
        conn.rows(_ASIDE.format(index=index, tokenize=TOKENIZE))

    def add(self, conn: Connection, seq: int, realm_no: int, terms: Sequence[str]) -> None:
        """Take in one episode or fact."""
        conn.rows(self._add, (seq, _document(realm_no, terms)))

    def take_over(self, conn: Connection) -> None:
        """Put what was taken in into the place of the index, part by part."""
        self._clear(conn)
        conn.rows(_FLUSHED.format(index=self._index))
        for part in ("data", "idx", "docsize"):
            conn.rows(_MOVED.format(index=self._index, part=part))
        conn.rows(_SECURE.format(index=self._index))


class _Check:
    """See `tilth.ledger.engine.TextCheck`."""

    def __init__(self, index: str) -> None:
        self._index = index
        self._expect = f"INSERT INTO temp.expected_{index} (seq, terms) VALUES (?, ?)"  # noqa: S608 - ours

    def add(self, conn: Connection, seq: int, realm_no: int, terms: Sequence[str]) -> None:
        """Keep what the index should hold of one episode or fact."""
        conn.rows(self._expect, (seq, _document(realm_no, terms)))

    def findings(self, conn: Connection) -> Iterator[Finding]:
        """
        Let FTS5 compare its index with what was kept.

        It takes the check for a write, which would wait for every writer and
        fail on a snapshot that one has overtaken. So it runs on a private copy.
        """
        index = self._index
        if conn.rows(_OPTIONS.format(index=index)) != _EXPECTED_OPTIONS:
            yield Finding("text index", None, f"the options of {index} are not those that were set")
        if _has_unreachable_leaves(conn, index):
            yield Finding("text index", None, f"some terms in {index} cannot be reached")
        try:
            conn.rows(_COPY.format(index=index, tokenize=TOKENIZE))
            for part in _PARTS:
                conn.rows(_COPY_PART.format(index=index, part=part))
            conn.rows(_COMPARE.format(index=index))
        except (ConflictError, CorruptionError) as error:
            yield Finding("text index", None, f"{index} is not what the ledger says: {error}")


def _has_unreachable_leaves(conn: Connection, index: str) -> bool:
    """Say whether a leaf with terms has no entry that leads to it; FTS5's check misses the last."""
    reachable = {place for (place,) in conn.stream(_REACHABLE.format(index=index))}
    return any(
        place not in reachable
        for place, terms_at, length in conn.stream(_LEAVES.format(index=index))
        if int(terms_at or "0", 16) < length
    )


def _any(terms: Sequence[str]) -> str:
    """Return a query for any of *terms*. Each stands in quotes, so none is ever syntax."""
    return " OR ".join(f'"{term.replace(chr(34), "")}"' for term in terms)


def _within(where: Where, query: str) -> str:
    if where.sees_all:
        return query
    return f"({_any([realm_token(realm) for realm in where.realms])}) AND ({query})"
