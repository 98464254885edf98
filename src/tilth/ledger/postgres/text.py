"""Full-text search in PostgreSQL: tsvectors of clean terms, under a GIN index."""

import math
from collections.abc import Iterator, Mapping, Sequence

from tilth.ledger.engine import (
    EPISODES,
    FACTS,
    Connection,
    Finding,
    Indexed,
    Row,
    Scored,
    StagedText,
    TextCheck,
    Where,
    realm_token,
)

# Positions within a tsvector have 20 bits; `array_to_tsvector` does not check them.
_PART_BYTES_MAX = 500_000
_ADD = "INSERT INTO {index} (seq, part, terms) VALUES (?, ?, array_to_tsvector(?::text[]))"
_ASIDE = "CREATE TEMPORARY TABLE {index}_aside (LIKE {index})"
_LESS = """
DELETE FROM {index} WHERE (seq, part) IN (
    SELECT seq, part FROM (TABLE {index} EXCEPT TABLE {index}_aside) AS gone)
"""
_MORE = "INSERT INTO {index} (TABLE {index}_aside EXCEPT TABLE {index})"
# Each term stands in one part of a text alone, so sums and counts over parts are exact.
_MATCH = """
SELECT t.seq, sum(q.weight) AS score
FROM unnest(?::text[], ?::float8[]) AS q (query, weight)
JOIN {index} t ON t.terms @@ q.query::tsquery {narrowed}
GROUP BY t.seq ORDER BY score DESC, t.seq DESC LIMIT ?
"""
_NARROWED = "CROSS JOIN {source} WHERE {place} = t.seq AND {where}"
_FREQUENCIES = """
SELECT q.no, count(t.seq)
FROM unnest(?::text[]) WITH ORDINALITY AS q (query, no)
JOIN {index} t ON t.terms @@ q.query::tsquery GROUP BY q.no
"""
_COUNTS = {
    EPISODES: "SELECT coalesce(sum(episode_count), 0) FROM realms WHERE realm_no = ANY (?)",
    FACTS: "SELECT count(*) FROM lives WHERE since = fact_no AND realm_no = ANY (?)",
}
_INDEXED = """
SELECT seq, json_agg(tsvector_to_array(terms) ORDER BY part)
FROM {index} GROUP BY seq ORDER BY seq
"""


def _parts(realm_no: int, terms: Sequence[str]) -> Iterator[list[str]]:
    """Yield the distinct *terms* in parts that a tsvector can hold, each with the realm's mark."""
    part, size = [realm_token(realm_no)], 0
    for term in sorted(set(terms)):
        size += len(term.encode())
        if size > _PART_BYTES_MAX:
            yield part
            part, size = [realm_token(realm_no)], len(term.encode())
        part.append(term)
    yield part


class PostgresText:
    """See `tilth.ledger.engine.TextIndex`."""

    def __init__(self, indexed: Indexed) -> None:
        self._indexed = indexed
        self._index = f"{indexed.noun}_terms"

    def add(self, conn: Connection, seq: int, realm_no: int, terms: Sequence[str]) -> None:
        """Index one episode or fact."""
        for number, part in enumerate(_parts(realm_no, terms)):
            conn.rows(_ADD.format(index=self._index), (seq, number, part))

    def match(
        self, conn: Connection, terms: Sequence[str], where: Where, limit: int
    ) -> list[Scored]:
        """
        Return what holds any of *terms*, best first, ties by the newer.

        A score is the sum of the inverse document frequencies of the terms
        that are there (Robertson and Zaragoza 2009, with 1 added so that none
        is negative).
        """
        counts = self.frequencies(conn, terms, where)
        texts = int(conn.rows(_COUNTS[self._indexed], (list(where.realms),))[0][0])
        known = [term for term in terms if counts.get(term)]
        weights = [
            math.log(1 + (texts - counts[term] + 0.5) / (counts[term] + 0.5)) for term in known
        ]
        queries = [_query(term, where) for term in known]
        narrowed = "" if where.is_open else self._narrowed(where)
        params = () if where.is_open else where.params
        sql = _MATCH.format(index=self._index, narrowed=narrowed)
        found = conn.rows(sql, (queries, weights, *params, limit))
        return [Scored(seq, score) for seq, score in found]

    def _narrowed(self, where: Where) -> str:
        indexed = self._indexed
        return _NARROWED.format(source=indexed.source, place=indexed.place, where=where.sql)

    def frequencies(
        self, conn: Connection, terms: Sequence[str], where: Where
    ) -> Mapping[str, int]:
        """Return in how many episodes or facts of the visible realms each term occurs."""
        sql = _FREQUENCIES.format(index=self._index)
        found = conn.rows(sql, ([_query(term, where) for term in terms],))
        return {terms[number - 1]: count for number, count in found}

    def clear(self, conn: Connection) -> None:
        """Empty the index."""
        conn.rows(f"DELETE FROM {self._index}")  # noqa: S608 - a name of ours

    def stage(self, conn: Connection) -> StagedText:
        """Begin another one beside it."""
        return _StagedIndex(conn, self._index)

    def check(self, conn: Connection) -> TextCheck:
        """Begin to compare the index with what it was made from."""
        return _Check(conn, self._index)


class _StagedIndex:
    """See `tilth.ledger.engine.StagedText`. What it takes in lies in a temporary table."""

    def __init__(self, conn: Connection, index: str) -> None:
        self._index = index
        conn.rows(_ASIDE.format(index=index))

    def add(self, conn: Connection, seq: int, realm_no: int, terms: Sequence[str]) -> None:
        """Take in one episode or fact."""
        for number, part in enumerate(_parts(realm_no, terms)):
            conn.rows(_ADD.format(index=f"{self._index}_aside"), (seq, number, part))

    def take_over(self, conn: Connection) -> None:
        """Make the index what was taken in, row by row where it differs."""
        conn.rows(_LESS.format(index=self._index))
        conn.rows(_MORE.format(index=self._index))


class _Check:
    """See `tilth.ledger.engine.TextCheck`. The index is read along with the replay."""

    def __init__(self, conn: Connection, index: str) -> None:
        self._index = index
        self._indexed = conn.stream(_INDEXED.format(index=index))
        self._found: list[Finding] = []
        self._next = next(self._indexed, None)

    def add(self, conn: Connection, seq: int, realm_no: int, terms: Sequence[str]) -> None:
        """Compare what the index holds of one episode or fact, and of all before it."""
        del conn
        self._found += map(self._orphan, self._taken_before(seq))
        expected = [set(part) for part in _parts(realm_no, terms)]
        indexed = [set(part) for _, parts in self._taken_before(seq + 1) for part in parts]
        if indexed != expected:
            problem = f"{self._index} does not hold its terms"
            self._found.append(Finding("text index", seq, problem))

    def findings(self, conn: Connection) -> Iterator[Finding]:
        """Yield what differed, and what the index holds beyond the last text."""
        del conn
        yield from self._found
        yield from map(self._orphan, self._taken_before(math.inf))

    def _taken_before(self, seq: float) -> Iterator[Row]:
        while self._next is not None and self._next[0] < seq:
            yield self._next
            self._next = next(self._indexed, None)

    def _orphan(self, row: Row) -> Finding:
        return Finding("text index", row[0], f"{self._index} holds what is not there")


def _query(term: str, where: Where) -> str:
    """Return a tsquery for *term* in the visible realms; it is in quotes, so never syntax."""
    if where.sees_all:
        return _quoted(term)
    realms = " | ".join(_quoted(realm_token(realm)) for realm in where.realms)
    return f"({realms}) & {_quoted(term)}"


def _quoted(lexeme: str) -> str:
    escaped = lexeme.replace("\\", "\\\\").replace("'", "''")
    return f"'{escaped}'"
