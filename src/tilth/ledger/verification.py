"""
Verify that a store is as it was written.

The chain shows a changed ledger, the heads a lost tail, a replay into temporary tables a changed
projection, and the indexes are compared with what they were made from. The engine's own check alone
finds one harmful bit flip in twenty (DESIGN §6).
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet

from tilth.core.errors import CorruptionError
from tilth.core.table import tables
from tilth.ledger.chain import GENESIS, Head, Row, commit, link
from tilth.ledger.engine import RESTORING, Connection, Engine, Finding, Texts, TextSink
from tilth.ledger.log import (
    PAYLOAD,
    continues_chain,
    iter_lines,
    read_row,
    recorded_of,
    remains_in,
    rows_in_force,
)
from tilth.ledger.projection import Rows, project
from tilth.ledger.replay.shadow_tables import Shadows

_REPORTED_MAX = 20
# What comes of reading a value that nobody wrote.
_NOT_OURS = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)


def findings(conn: Connection, engine: Engine, heads: Sequence[Head]) -> Iterator[Finding]:
    """
    Yield everything that is wrong with the store behind *conn*.

    The signed *heads* must have been read before the snapshot: one that was
    signed later would look like the end of a lost tail.
    """
    yield from _guarded("database", engine.damage(conn))
    yield from check_ledger(conn, heads)
    checks = Texts(engine.text.episodes.check(conn), engine.text.facts.check(conn))
    yield from _guarded("projections", _check_projections(conn, checks))
    for check in (checks.episodes, checks.facts):
        yield from _guarded("text index", check.findings(conn))
    yield from _guarded("vectors", engine.vectors.check(conn))


def digest(conn: Connection, *, is_of_knowledge: bool = False) -> str:
    """Return one SHA-256 over every row of every projection, or of those of what is known."""
    hashed = hashlib.sha256()
    names = [one.name for one in tables() if not (is_of_knowledge and one.is_record)]
    filled = set(conn.filled(names))
    for name in names:
        hashed.update(name.encode())
        if name not in filled:
            continue
        for row in conn.stream(f"SELECT * FROM {name} ORDER BY 1, 2"):  # noqa: S608 - a name of ours
            hashed.update(json.dumps(row, ensure_ascii=False).encode())
    return hashed.hexdigest()


def _guarded(part: str, check: Iterator[Finding]) -> Iterator[Finding]:
    """Turn what cannot even be read into a finding, so that the next check still runs."""
    try:
        yield from check
    except CorruptionError as error:
        yield Finding(part, None, str(error))
    except _NOT_OURS as error:
        # A page that is cut off gives values of no type that was ever written.
        yield Finding(part, None, f"what is there cannot be read: {error}")


def check_ledger(conn: Connection, heads: Sequence[Head]) -> Iterator[Finding]:
    """Check the chain alone, from its beginning to the signed *heads*."""
    return _guarded("ledger", _check_chain(conn, heads))


def _check_chain(conn: Connection, heads: Sequence[Head]) -> Iterator[Finding]:
    before, last, erased = GENESIS, 0, remains_in(conn).keys()
    signed = {head.seq: head.chain for head in heads}
    for lines in iter_lines(conn):
        if not continues_chain(lines, before, last):
            yield from _problems(map(read_row, lines), erased, before, last)
        for line in lines:
            if line[1] in erased and line[PAYLOAD] is not None:
                yield Finding("ledger", line[0], "it was erased, and its payload is there again")
            if signed.get(line[0], line[-1]) != line[-1]:
                yield Finding("ledger", line[0], "the chain is not the one that was signed here")
        before, last = lines[-1][-1], lines[-1][0]
    if not signed:
        yield Finding("heads", None, "no head is signed by this installation")
    elif max(signed) > last:
        yield Finding("ledger", last + 1, f"the tail is missing: {max(signed)} was the end once")


def refuse_damaged_ledger(conn: Connection, heads: Sequence[Head]) -> None:
    """
    Refuse a ledger that is not, line by line, what was written and signed.

    Raises:
        CorruptionError: it is not.
    """
    found = check_ledger(conn, heads)
    if wrong := next((one for one in found if one.part == "ledger"), None):
        place = "" if wrong.seq is None else f" at place {wrong.seq}"
        raise CorruptionError(f"the ledger is damaged{place}: {wrong.problem}", hint=RESTORING)


def _problems(
    rows: Iterable[Row], erased: AbstractSet[bytes], before: bytes, last: int
) -> Iterator[Finding]:
    for row in rows:
        seq = row.header.seq
        if seq != last + 1:
            yield Finding("ledger", seq, f"a gap: {last} comes before it")
        if row.payload is None:
            if row.header.event_id not in erased:
                yield Finding("ledger", seq, "the payload is gone, and no event erased it")
        elif commit(row.salt or b"", row.payload) != row.commitment:
            yield Finding("ledger", seq, "the payload is not what was committed to")
        if link(before, row.header, row.commitment) != row.chain:
            yield Finding("ledger", seq, "the chain is broken")
        before, last = row.chain, seq


def _check_projections(conn: Connection, texts: Texts[TextSink]) -> Iterator[Finding]:
    shadows = Shadows(conn)
    try:
        is_whole = True
        for unreadable in _replay(shadows, texts):
            is_whole = False
            yield unreadable
        # A line that is left out moves what counts on it; that would be all there is to tell.
        if is_whole:
            yield from _all_differences(conn, shadows)
    finally:
        # The checks that come after read the stored ones, whatever became of this one.
        conn.unshadow(shadows.made)


def _replay(conn: Connection, texts: Texts[TextSink]) -> Iterator[Finding]:
    """Show every event in the temporary tables and to *texts*; yield those that cannot be read."""
    remains, rows = remains_in(conn), Rows(conn, texts)
    for row in rows_in_force(conn):
        try:
            recorded = recorded_of(row, remains)
        except CorruptionError as error:
            yield Finding("projections", row.header.seq, str(error))
            continue
        if recorded is not None:
            project(rows, recorded)


def _all_differences(conn: Connection, shadows: Shadows) -> Iterator[Finding]:
    for table in tables():
        if table.name in shadows.made:
            yield from _differences(conn, table.name)
    # Into the others the replay wrote nothing, so that nothing may be stored there.
    for name in conn.filled(shadows.unmade):
        shadows.make([name])
        yield from _differences(conn, name)


def _differences(conn: Connection, table: str) -> Iterator[Finding]:
    """Yield what differs, each row once: one that was changed stands on either side."""
    stored, replayed = conn.stored(table), conn.temporary(table)
    kept = _only_in(conn, stored, replayed)
    lost = _only_in(conn, replayed, stored) - kept
    for rows, problem in ((kept, "a row is not what the ledger says"), (lost, "a row is missing")):
        for place in rows.elements():
            yield Finding(table, place if isinstance(place, int) else None, problem)


def _only_in(conn: Connection, one: str, other: str) -> Counter[object]:
    """Return the first columns of the rows that are in *one* table and not in the *other*."""
    sql = f"""SELECT * FROM {one} EXCEPT SELECT * FROM {other}
        ORDER BY 1 LIMIT {_REPORTED_MAX}"""  # noqa: S608 - names of ours
    return Counter(row[0] for row in conn.rows(sql))
