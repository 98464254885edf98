"""Making and opening a store in a PostgreSQL database."""

import hashlib
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path

from tilth.core.actor import Actor, ActorKind
from tilth.core.errors import ForeignStoreError, TilthError
from tilth.core.ids import encode_ulid
from tilth.core.scope import DEFAULT_OWNER
from tilth.ledger.chain import Row
from tilth.ledger.erasures import ErasuresFile
from tilth.ledger.events import StoreCreated
from tilth.ledger.heads import HeadsFile, signing_key, store_named_in
from tilth.ledger.log import LedgerWriter, head_of, load_rows, store_id_of
from tilth.ledger.postgres.connection import PostgresConnection, connect, parse_url
from tilth.ledger.postgres.engine import PostgresEngine
from tilth.ledger.postgres.open_database import make_tables
from tilth.ledger.store import Store, StoreEnvironment
from tilth.ledger.tables import Migration

_MAKER = Actor("tilth", ActorKind.JOB)


def create_store(
    url: str,
    around: StoreEnvironment,
    *,
    migrations: Sequence[Migration] | None = None,
    rows: Iterable[Row] = (),
    store_id: str = "",
) -> None:
    """
    Make a store in the schema that *url* leads to, whole or not at all: empty, or with *rows*.

    Those are the lines of the ledger of the store *store_id*, from its first.

    Raises:
        CorruptionError: *rows* are not chained as they should be.
        ConflictError: a store is there already.
        ForeignStoreError: the schema holds tables of others.
        StoreMissingError: there is no such schema.
        UnsupportedError: the server has no pgvector.
        UnavailableError: the server does not answer.
    """
    address = parse_url(url)
    made_id = store_id or encode_ulid(around.ids.ulid(around.clock.now()))
    with closing(connect(address, busy_timeout_s=around.busy_timeout_s)) as raw:
        conn = PostgresConnection(raw, address, is_writing=True)

        def begin_ledger() -> None:
            if store_id:
                load_rows(conn, rows)
                return
            writer = LedgerWriter(conn, around.clock, around.ids)
            created = StoreCreated(made_id)
            writer.append(created, by=_MAKER, owner=DEFAULT_OWNER, idempotency_key=None)

        make_tables(raw, address, begin_ledger, migrations)
        # Heads of a store that was here before would refuse the new one.
        heads_path(conn, around).unlink(missing_ok=True)
    if store_id:
        with closing(open_store(url, around, migrations=migrations)) as store:
            store.rebuild()


def open_store(
    url: str, around: StoreEnvironment, *, migrations: Sequence[Migration] | None = None
) -> Store:
    """
    Open the store that *url* leads to, its schema brought up to date.

    Raises:
        StoreMissingError: nothing is there.
        ForeignStoreError: it is no store of ours, or not the one that was here before.
        NewerSchemaError: a newer version of this program made it.
        CorruptionError: its tables are not those of its version, or it has no beginning.
        UnavailableError: the server does not answer.
    """
    address = parse_url(url)
    engine = PostgresEngine(address, busy_timeout_s=around.busy_timeout_s, migrations=migrations)
    try:
        heads = _known_heads(engine, around)
    except TilthError:
        engine.close()
        raise
    erasures = ErasuresFile(around.state, key=signing_key(around.state), store_id=heads.store_id)
    return Store(engine, heads, erasures, around.clock, around.ids)


def heads_path(conn: PostgresConnection, around: StoreEnvironment) -> Path:
    """Return where this installation keeps the signed heads of the store behind *conn*."""
    schema = conn.rows("SELECT current_schema()")[0][0]
    place = hashlib.sha256(f"{conn.address.name}/{schema}".encode()).hexdigest()[:16]
    return around.state / f"postgres-{place}.heads"


def _known_heads(engine: PostgresEngine, around: StoreEnvironment) -> HeadsFile:
    with engine.reading() as conn:
        store_id, head, path = store_id_of(conn), head_of(conn), heads_path(conn, around)
    named = store_named_in(path)
    if named not in {None, store_id}:
        raise ForeignStoreError(
            f"store {store_id} is at {engine.address.name}, but {named} was here",
            hint=f"put the right database back, or accept this one: remove {path}",
        )
    heads = HeadsFile(path, key=signing_key(around.state), store_id=store_id)
    if named is None:
        # Others write here too; what this installation meets first is where its trust begins.
        heads.keep(head)
    return heads
