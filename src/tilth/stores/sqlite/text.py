"""Full text in SQLite: FTS5 over terms that are clean already."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import apsw

from tilth.domain.integrity import Finding
from tilth.errors import ConflictError, CorruptionError
from tilth.ports import Scored
from tilth.stores.engine import Connection, TextCheck, Where
from tilth.stores.projection import terms_in
from tilth.stores.sqlite.schema import TOKENIZE

_ADD = "INSERT INTO episode_terms (rowid, terms) VALUES (?, ?)"
_MATCH = """
SELECT rowid, -rank FROM episode_terms WHERE episode_terms MATCH ?
ORDER BY rank, rowid DESC LIMIT ?
"""
# The index drives: with a plain join the planner may probe it once for each episode.
_MATCH_WHERE = """
SELECT f.rowid, -f.rank FROM episode_terms f CROSS JOIN episodes e ON e.seq = f.rowid
WHERE f.episode_terms MATCH ? AND {where} ORDER BY f.rank, f.rowid DESC LIMIT ?
"""
_COUNT = "SELECT count(*) FROM episode_terms WHERE episode_terms MATCH ?"
_COPY_PARTS = "".join(
    f"""
    DELETE FROM temp.terms_copy_{part};
    INSERT INTO temp.terms_copy_{part} SELECT * FROM main.episode_terms_{part};
    """  # noqa: S608 - names of ours
    for part in ("data", "idx", "docsize", "config")
)
_EXPECTED = """
DROP TABLE IF EXISTS temp.terms_copy;
DROP TABLE IF EXISTS temp.expected_terms;
CREATE TEMPORARY TABLE expected_terms (seq INTEGER PRIMARY KEY, terms TEXT NOT NULL);
"""
_EXPECT = "INSERT INTO temp.expected_terms (seq, terms) VALUES (?, ?)"
_COPY = f"""
CREATE VIRTUAL TABLE temp.terms_copy USING fts5(
    terms, content = 'expected_terms', content_rowid = 'seq', {TOKENIZE}
);
{_COPY_PARTS}
"""
_COMPARE = "INSERT INTO temp.terms_copy (terms_copy, rank) VALUES ('integrity-check', 1)"
# The row of a leaf is its segment's number above 37 bits with the page's below; its third and
# fourth byte say where its terms are listed: at its end where there are none (fts5_index.c).
_LEAVES = """
SELECT id, hex(substr(block, 3, 2)), length(block) FROM episode_terms_data
WHERE id >= 1 << 37 AND id & (((1 << 6) - 1) << 31) = 0
"""
_REACHABLE = "SELECT (CAST(segid AS INTEGER) << 37) + (pgno >> 1) FROM episode_terms_idx"
_OPTIONS = "SELECT k, v FROM episode_terms_config WHERE k <> 'version' ORDER BY k"
_EXPECTED_OPTIONS = [("secure-delete", 1)]
_VOCABULARY = "SELECT doc FROM episode_vocabulary WHERE term = ?"


def register_terms(conn: apsw.Connection) -> None:
    """Give *conn* the function through which FTS5 sees an episode."""
    conn.create_scalar_function(
        "indexed_terms",
        _indexed_terms,
        2,
        deterministic=True,
        flags=apsw.SQLITE_INNOCUOUS,
    )


def _indexed_terms(*columns: Any) -> str:  # noqa: ANN401 - apsw's own signature
    realm_no, payload = columns
    return _document(int(str(realm_no)), terms_in(str(payload)))


def _document(realm_no: int, terms: Sequence[str]) -> str:
    return " ".join([_mark(realm_no), *terms])


def _mark(realm_no: int) -> str:
    """Return the token that every episode of the realm holds; no term has an underscore."""
    return f"_{realm_no}"


class SqliteText:
    """See `tilth.stores.engine.TextIndex`."""

    def add(self, conn: Connection, seq: int, realm_no: int, terms: Sequence[str]) -> None:
        """Index one episode."""
        conn.rows(_ADD, (seq, _document(realm_no, terms)))

    def match(
        self, conn: Connection, terms: Sequence[str], where: Where, limit: int
    ) -> list[Scored]:
        """Return the episodes that hold any of *terms*, best first, ties by the newer."""
        query = _within(where, _any(terms))
        if where.is_open:
            found = conn.rows(_MATCH, (query, limit))
        else:
            sql = _MATCH_WHERE.format(where=where.sql)
            found = conn.rows(sql, (query, *where.params, limit))
        return [Scored(seq, score) for seq, score in found]

    def frequencies(
        self, conn: Connection, terms: Sequence[str], where: Where
    ) -> Mapping[str, int]:
        """Return in how many episodes of the visible realms each term occurs."""
        if where.sees_all:
            found = {term: conn.rows(_VOCABULARY, (term,)) for term in terms}
        else:
            found = {term: conn.rows(_COUNT, (_within(where, _any([term])),)) for term in terms}
        return {term: int(rows[0][0]) for term, rows in found.items() if rows}

    def clear(self, conn: Connection) -> None:
        """Empty the index."""
        conn.rows("INSERT INTO episode_terms (episode_terms) VALUES ('delete-all')")

    def check(self, conn: Connection) -> TextCheck:
        """Begin to compare the index with the episodes that it was made from."""
        conn.rows(_EXPECTED)
        return _Check()


class _Check:
    """See `tilth.stores.engine.TextCheck`."""

    def add(self, conn: Connection, seq: int, realm_no: int, terms: Sequence[str]) -> None:
        """Keep what the index should hold of one episode."""
        conn.rows(_EXPECT, (seq, _document(realm_no, terms)))

    def findings(self, conn: Connection) -> Iterator[Finding]:
        """
        Let FTS5 compare its index with what was kept.

        It takes the check for a write, which would wait for every writer and
        fail on a snapshot that one has overtaken. So it runs on a private copy.
        """
        if conn.rows(_OPTIONS) != _EXPECTED_OPTIONS:
            yield Finding("text index", None, "its options are not those that were set")
        if _has_unreachable_leaves(conn):
            yield Finding("text index", None, "some of its terms cannot be reached")
        try:
            conn.rows(_COPY)
            conn.rows(_COMPARE)
        except (ConflictError, CorruptionError) as error:
            yield Finding("text index", None, f"it is not that of the episodes: {error}")


def _has_unreachable_leaves(conn: Connection) -> bool:
    """Say whether a leaf with terms has no entry that leads to it; FTS5's check misses the last."""
    reachable = {place for (place,) in conn.stream(_REACHABLE)}
    return any(
        place not in reachable
        for place, terms_at, length in conn.stream(_LEAVES)
        if int(terms_at or "0", 16) < length
    )


def _any(terms: Sequence[str]) -> str:
    """Return a query for any of *terms*. Each stands in quotes, so none is ever syntax."""
    return " OR ".join(f'"{term.replace(chr(34), "")}"' for term in terms)


def _within(where: Where, query: str) -> str:
    if where.sees_all:
        return query
    return f"({_any([_mark(realm) for realm in where.realms])}) AND ({query})"
