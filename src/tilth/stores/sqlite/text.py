"""Full text in SQLite: FTS5 over terms that are clean already."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import apsw

from tilth.domain.integrity import Finding
from tilth.errors import ConflictError, CorruptionError
from tilth.ports import Scored
from tilth.stores.engine import Connection, Where
from tilth.stores.projection import terms_of

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
_COMPARE = "INSERT INTO episode_terms (episode_terms, rank) VALUES ('integrity-check', 1)"
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
    said = json.loads(str(payload))
    return _document(int(str(realm_no)), terms_of(said.get("speaker", ""), said["text"]))


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

    def check(self, conn: Connection) -> Iterator[Finding]:
        """Compare the index with the episodes that it was made from."""
        try:
            conn.rows(
                "INSERT INTO episode_terms (episode_terms, rank) VALUES ('integrity-check', 1)"
            )
        except (ConflictError, CorruptionError) as error:
            yield Finding("text index", None, f"it is not that of the episodes: {error}")


def _any(terms: Sequence[str]) -> str:
    """Return a query for any of *terms*. Each stands in quotes, so none is ever syntax."""
    return " OR ".join(f'"{term.replace(chr(34), "")}"' for term in terms)


def _within(where: Where, query: str) -> str:
    if where.sees_all:
        return query
    return f"({_any([_mark(realm) for realm in where.realms])}) AND ({query})"
