"""
What can befall a store's file, each made by hand on a closed copy.

A fault gets the folder of the copy and a seeded source of chance. Whoever
edits rows here knows the schema and drops the triggers first: what is proved
is that the edit shows, not that it is hard.
"""
# ruff: noqa: S608 - the names in the SQL are ours

import shutil
import struct
import zlib
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from random import Random  # noqa: TID251 - always seeded
from typing import Any

import apsw

from prove.ground import Ground
from tilth.ledger.chain import GENESIS, Header, commit, link
from tilth.ledger.sqlite.schema import PAGE_BYTES, known_migrations

# SQLite's own pages: the first holds the schema, and a wrong byte there is seldom missed.
_FIRST_PAGE = 1
OLD_FILE = "old.db"


def _bytes(change: Callable[[bytearray, Random], None]) -> Callable[[Ground, Random], None]:
    def fault(ground: Ground, rng: Random) -> None:
        data = bytearray(ground.path.read_bytes())
        change(data, rng)
        ground.path.write_bytes(data)

    return fault


def _flip_bit(data: bytearray, rng: Random) -> None:
    data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)


def _change_byte(data: bytearray, rng: Random) -> None:
    at = rng.randrange(len(data))
    data[at] = (data[at] + rng.randrange(1, 256)) % 256


def _flip_bit_in_header(data: bytearray, rng: Random) -> None:
    data[rng.randrange(100)] ^= 1 << rng.randrange(8)


def _zero_page(data: bytearray, rng: Random) -> None:
    at = rng.randrange(_FIRST_PAGE, len(data) // PAGE_BYTES) * PAGE_BYTES
    data[at : at + PAGE_BYTES] = bytes(PAGE_BYTES)


def _swap_pages(data: bytearray, rng: Random) -> None:
    one, other = (
        slice(page * PAGE_BYTES, (page + 1) * PAGE_BYTES)
        for page in rng.sample(range(_FIRST_PAGE, len(data) // PAGE_BYTES), 2)
    )
    data[one], data[other] = data[other], data[one]


def _tear_page(data: bytearray, rng: Random) -> None:
    """Put half of one page over half of another, as a torn write does."""
    here, there = (
        page * PAGE_BYTES for page in rng.sample(range(_FIRST_PAGE, len(data) // PAGE_BYTES), 2)
    )
    data[here : here + 512] = data[there : there + 512]


def _cut_file(data: bytearray, rng: Random) -> None:
    del data[rng.randrange(1, len(data) // PAGE_BYTES) * PAGE_BYTES :]


def _rows(conn: apsw.Connection, sql: str, params: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
    return conn.execute(sql, params).fetchall()


def _sql(edit: Callable[[apsw.Connection, Random], None]) -> Callable[[Ground, Random], None]:
    """Make a fault of an edit with the triggers out of the way; afterwards they are back."""

    def fault(ground: Ground, rng: Random) -> None:
        with closing(apsw.Connection(str(ground.path))) as conn:
            conn.create_scalar_function("indexed_terms", lambda *_: "", 2, deterministic=True)
            guards = _rows(
                conn, "SELECT name, tbl_name, sql FROM sqlite_schema WHERE type = 'trigger'"
            )
            for name, _, _ in guards:
                conn.execute(f"DROP TRIGGER {name}")
            edit(conn, rng)
            left = {name for (name,) in _rows(conn, "SELECT tbl_name FROM sqlite_schema")}
            for _, table, made in guards:
                if table in left:
                    conn.execute(made)

    return fault


def _some(conn: apsw.Connection, rng: Random, table: str, where: str = "1") -> int:
    rows = _rows(conn, f"SELECT rowid FROM {table} WHERE {where} ORDER BY rowid")
    return int(rng.choice(rows)[0])


def _edit_payload(conn: apsw.Connection, rng: Random) -> None:
    seq = _some(conn, rng, "ledger", "kind = 'episode_recorded'")
    sql = """UPDATE ledger SET payload = json_set(payload, '$.text', ?) WHERE seq = ?"""
    conn.execute(sql, (f"another text {rng.random()}", seq))


def _spoil_payload(conn: apsw.Connection, rng: Random) -> None:
    """Leave a payload that no reader can make anything of."""
    seq = _some(conn, rng, "ledger")
    broken = rng.choice(["", "{", "[]", "null", '{"text": 5}', '{"text":"undefined"}', "\x00"])
    conn.execute("UPDATE ledger SET payload = ? WHERE seq = ?", (broken, seq))


def _edit_header(conn: apsw.Connection, rng: Random) -> None:
    seq = _some(conn, rng, "ledger")
    column, value = rng.choice(
        [
            ("recorded_at", rng.choice([0, 2**62, -(2**62), 1])),
            ("actor", "another"),
            ("actor_kind", "human"),
            ("owner", "another"),
            ("session_id", f"session-{rng.random()}"),
            ("key", rng.randbytes(16)),
            ("event_id", rng.randbytes(16)),
        ]
    )
    conn.execute(f"UPDATE ledger SET {column} = ? WHERE seq = ?", (value, seq))


def _erase_payload(conn: apsw.Connection, rng: Random) -> None:
    """Take payload and salt away, as an erasure does that nobody asked for."""
    seq = _some(conn, rng, "ledger", "kind <> 'store_created'")
    conn.execute("UPDATE ledger SET payload = NULL, salt = NULL WHERE seq = ?", (seq,))


def _swap_rows(conn: apsw.Connection, rng: Random) -> None:
    one, other = _some(conn, rng, "ledger", "seq > 1"), 0
    while other in {0, one}:
        other = _some(conn, rng, "ledger", "seq > 1")
    for old, new in ((one, -1), (other, one), (-1, other)):
        conn.execute("PRAGMA ignore_check_constraints = ON")
        conn.execute("UPDATE ledger SET seq = ? WHERE seq = ?", (new, old))


def _delete_row(conn: apsw.Connection, rng: Random) -> None:
    conn.execute("DELETE FROM ledger WHERE seq = ?", (_some(conn, rng, "ledger", "seq > 1"),))


def _cut_tail(conn: apsw.Connection, rng: Random) -> None:
    """Take the last events away from everywhere: what is left is consistent in itself."""
    (last,) = _rows(conn, "SELECT max(seq) FROM ledger")[0]
    cut = max(1, last - rng.randint(1, 5))
    conn.execute("DELETE FROM ledger WHERE seq > ?", (cut,))
    for table in ("episodes", "vectors", "episode_terms_docsize"):
        key = "id" if table == "episode_terms_docsize" else "seq"
        conn.execute(f"DELETE FROM {table} WHERE {key} > ?", (cut,))


def _chain_again(conn: apsw.Connection, rng: Random) -> None:
    """Edit an event and make every later line of the chain fit it."""
    columns = "seq, event_id, recorded_at, owner, actor, actor_kind, session_id, kind, key"
    edited = _some(conn, rng, "ledger", "kind = 'episode_recorded'")
    before = GENESIS
    for *header, payload, salt in _rows(
        conn, f"SELECT {columns}, payload, salt FROM ledger ORDER BY seq"
    ):
        told = payload.replace('"text":"', '"text":"not ') if header[0] == edited else payload
        known = Header(*header)
        commitment = commit(salt, told)
        before = link(before, known, commitment)
        conn.execute(
            "UPDATE ledger SET payload = ?, commitment = ?, chain = ? WHERE seq = ?",
            (told, commitment, before, known.seq),
        )


_EDITS = {
    "realms": ("owner", "scope", "episode_count", "term_count"),
    "sessions": ("title", "tags", "started_at", "last_at", "episode_count", "session_id"),
    "episodes": ("realm_no", "session_no", "position", "occurred_at", "role"),
    "imports": ("uri", "sha256"),
}
_TEXTS = frozenset({"owner", "scope", "title", "tags", "session_id", "role", "uri", "sha256"})


def _edit_projection(conn: apsw.Connection, rng: Random) -> None:
    held = [table for table in sorted(_EDITS) if _rows(conn, f"SELECT 1 FROM {table}")]
    table = rng.choice(held)
    column, row = rng.choice(_EDITS[table]), _some(conn, rng, table)
    change = f"{column} + {rng.choice([-1, 1, 1000])}"
    if column in _TEXTS:
        change = "'assistant'" if column == "role" else f"{column} || 'x'"
    where = "AND role <> 'assistant'" if column == "role" else ""
    conn.execute(f"UPDATE {table} SET {column} = {change} WHERE rowid = ? {where}", (row,))
    if not conn.changes():
        conn.execute(f"DELETE FROM {table} WHERE rowid = ?", (row,))


def _delete_projection(conn: apsw.Connection, rng: Random) -> None:
    table = rng.choice(["realms", "sessions", "episodes"])
    if not _rows(conn, f"SELECT 1 FROM {table}"):
        table = "episodes"
    conn.execute(f"DELETE FROM {table} WHERE rowid = ?", (_some(conn, rng, table),))


def _edit_text_index(conn: apsw.Connection, rng: Random) -> None:
    seq = _some(conn, rng, "episodes")
    if rng.random() < 0.5:
        terms = f"_{rng.randrange(9)} another"
        conn.execute("INSERT INTO episode_terms (rowid, terms) VALUES (?, ?)", (seq, terms))
    else:
        sql = "INSERT INTO episode_terms (episode_terms, rowid, terms) VALUES ('delete', ?, 'a b')"
        conn.execute(sql, (seq,))


def _edit_shadow_table(conn: apsw.Connection, rng: Random) -> None:
    table = rng.choice(["data", "idx", "docsize", "config"])
    if table == "config":
        sql = "INSERT OR REPLACE INTO episode_terms_config VALUES ('rank', 'bm25(0.1)')"
        conn.execute(sql)
        return
    name = f"episode_terms_{table}"
    column = {"data": "block", "docsize": "sz"}.get(table)
    key = {"data": "id", "docsize": "id", "idx": "segid"}[table]
    (rows,) = zip(*_rows(conn, f"SELECT {key} FROM {name} ORDER BY 1"), strict=True)
    row = rng.choice(rows)
    if column is None or rng.random() < 0.3:
        conn.execute(f"DELETE FROM {name} WHERE {key} = ?", (row,))
        return
    ((blob,),) = _rows(conn, f"SELECT {column} FROM {name} WHERE {key} = ?", (row,))
    spoilt = bytearray(blob)
    spoilt[rng.randrange(len(spoilt))] ^= 1 << rng.randrange(8)
    conn.execute(f"UPDATE {name} SET {column} = ? WHERE {key} = ?", (bytes(spoilt), row))


def _clear_text_index(conn: apsw.Connection, _: Random) -> None:
    conn.execute("INSERT INTO episode_terms (episode_terms) VALUES ('delete-all')")


def _edit_vector(conn: apsw.Connection, rng: Random) -> None:
    row = _some(conn, rng, "vectors")
    ((blob,),) = _rows(conn, "SELECT vector FROM vectors WHERE vector_no = ?", (row,))
    spoilt = bytearray(blob)
    spoilt[rng.randrange(len(spoilt))] ^= 1 << rng.randrange(8)
    conn.execute("UPDATE vectors SET vector = ? WHERE vector_no = ?", (bytes(spoilt), row))


def _edit_vector_and_checksum(conn: apsw.Connection, rng: Random) -> None:
    row = _some(conn, rng, "vectors")
    sql = """SELECT space, seq, vector FROM vectors JOIN spaces USING (space_no)
        WHERE vector_no = ?"""
    ((space, seq, blob),) = _rows(conn, sql, (row,))
    data = bytearray(blob[:-4])
    data[rng.randrange(4, len(data))] ^= 1 << rng.randrange(8)
    data += struct.pack("<I", zlib.crc32(data, zlib.crc32(f"{space}:{seq}".encode())))
    conn.execute("UPDATE vectors SET vector = ? WHERE vector_no = ?", (bytes(data), row))


def _drop_vector(conn: apsw.Connection, rng: Random) -> None:
    conn.execute("DELETE FROM vectors WHERE vector_no = ?", (_some(conn, rng, "vectors"),))


def _swap_vectors(conn: apsw.Connection, rng: Random) -> None:
    space = _some(conn, rng, "spaces")
    rows = _rows(conn, "SELECT vector_no, vector FROM vectors WHERE space_no = ?", (space,))
    (one, its), (other, others) = rng.sample(rows, 2)
    conn.execute("UPDATE vectors SET vector = ? WHERE vector_no = ?", (others, one))
    conn.execute("UPDATE vectors SET vector = ? WHERE vector_no = ?", (its, other))


def _edit_space(conn: apsw.Connection, rng: Random) -> None:
    row = _some(conn, rng, "spaces")
    change = rng.choice(
        [
            "vector_count = vector_count + 1",
            "total = zeroblob(length(total))",
            "total = zeroblob(7)",
            "space = space || 'x'",
            "space_no = space_no + 100",
        ]
    )
    conn.execute(f"UPDATE spaces SET {change} WHERE space_no = ?", (row,))


def _change_schema(conn: apsw.Connection, rng: Random) -> None:
    conn.execute(
        rng.choice(
            [
                "DROP INDEX one_event_for_a_key",
                "DROP INDEX episodes_in_time",
                "ALTER TABLE episodes ADD COLUMN more TEXT",
                "CREATE TABLE more (a)",
                "CREATE TRIGGER t AFTER INSERT ON ledger BEGIN DELETE FROM episodes; END",
                "DROP VIEW indexed_episodes",
                "DROP TABLE imports",
            ]
        )
    )


def _drop_guards(ground: Ground, rng: Random) -> None:
    with closing(apsw.Connection(str(ground.path))) as conn:
        kept = _rows(conn, "SELECT name FROM sqlite_schema WHERE type = 'trigger'")
        conn.execute(f"DROP TRIGGER {rng.choice(kept)[0]}")


def _change_version(ground: Ground, rng: Random) -> None:
    with closing(apsw.Connection(str(ground.path))) as conn:
        newer = known_migrations()[-1].version + 1
        pragma = rng.choice(["application_id = 7", f"user_version = {newer}", "user_version = 0"])
        conn.execute(f"PRAGMA {pragma}")


def _put_old_file_back(ground: Ground, _: Random) -> None:
    shutil.copyfile(ground.folder / OLD_FILE, ground.path)


def _take_heads_away(ground: Ground, _: Random) -> None:
    Path(f"{ground.path}.heads").unlink()


FAULTS: dict[str, Callable[[Ground, Random], None]] = {
    "bit": _bytes(_flip_bit),
    "byte": _bytes(_change_byte),
    "file header bit": _bytes(_flip_bit_in_header),
    "zeroed page": _bytes(_zero_page),
    "swapped pages": _bytes(_swap_pages),
    "torn page": _bytes(_tear_page),
    "shortened file": _bytes(_cut_file),
    "edited payload": _sql(_edit_payload),
    "unreadable payload": _sql(_spoil_payload),
    "edited header": _sql(_edit_header),
    "erased payload": _sql(_erase_payload),
    "swapped rows": _sql(_swap_rows),
    "deleted row": _sql(_delete_row),
    "truncated tail": _sql(_cut_tail),
    "rewritten chain": _sql(_chain_again),
    "old file put back": _put_old_file_back,
    "heads taken away": _take_heads_away,
    "edited projection": _sql(_edit_projection),
    "deleted projection": _sql(_delete_projection),
    "edited text index": _sql(_edit_text_index),
    "edited shadow table": _sql(_edit_shadow_table),
    "emptied text index": _sql(_clear_text_index),
    "edited vector": _sql(_edit_vector),
    "edited vector and checksum": _sql(_edit_vector_and_checksum),
    "dropped vector": _sql(_drop_vector),
    "swapped vectors": _sql(_swap_vectors),
    "edited space": _sql(_edit_space),
    "changed schema": _sql(_change_schema),
    "dropped guard": _drop_guards,
    "changed version": _change_version,
}
# What a disk does comes in more places than what a hand does.
WEIGHTS = {"bit": 6, "byte": 3, "zeroed page": 2, "swapped pages": 2, "edited shadow table": 2}
