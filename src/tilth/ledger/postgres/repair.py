"""
Rebuild the tables of a store in PostgreSQL from its ledger, where one is damaged.

The ledger is proven first, against its chain and its signed heads, and is only read. What is made
from it is dropped, made and filled in one transaction: all of it, or nothing.
"""

from collections.abc import Iterator
from contextlib import closing, contextmanager

from tilth.ledger.engine import EPISODES, FACTS, Texts
from tilth.ledger.heads import HeadsFile, signing_key
from tilth.ledger.log import store_id_of
from tilth.ledger.postgres.connection import (
    PostgresConnection,
    connect,
    parse_url,
    translated_errors,
)
from tilth.ledger.postgres.open_database import LOCK, check_ledger_schema, remake_derived
from tilth.ledger.postgres.store import heads_path
from tilth.ledger.postgres.text import PostgresText
from tilth.ledger.replay.fill_tables import fill
from tilth.ledger.store import StoreEnvironment
from tilth.ledger.verification import refuse_damaged_ledger

_ALONE = b"LOCK TABLE tilth_store IN EXCLUSIVE MODE"


def prove_ledger(url: str, around: StoreEnvironment) -> None:
    """
    Refuse a store whose ledger is not whole.

    Raises:
        StoreMissingError: nothing is there.
        ForeignStoreError: the tables are those of others.
        NewerSchemaError: a newer version of this program made them.
        CorruptionError: the ledger is not what was written.
        UnavailableError: the server does not answer.
    """
    with _proven(url, around):
        """It is."""


def repair_store(url: str, around: StoreEnvironment) -> None:
    """
    Make anew whatever is made from the ledger; vectors come back with the backlog.

    Raises:
        ConflictError: something that is not ours rests on our tables, or stands beside them.
        CorruptionError: the ledger is not what was written; nothing was changed.
        UnavailableError: somebody uses the store for too long.
    """
    with _proven(url, around) as conn:
        remake_derived(conn.raw, conn.address)
        fill(conn, Texts(PostgresText(EPISODES), PostgresText(FACTS)))
        conn.check_unbroken()


@contextmanager
def _proven(url: str, around: StoreEnvironment) -> Iterator[PostgresConnection]:
    """Open a transaction on a store whose ledger is whole, while nobody else writes."""
    address = parse_url(url)
    with (
        closing(connect(address, busy_timeout_s=around.busy_timeout_s)) as raw,
        translated_errors(address),
        raw.transaction(),
    ):
        raw.execute(LOCK)
        check_ledger_schema(raw, address)
        raw.execute(_ALONE)
        conn = PostgresConnection(raw, address, is_writing=True)
        store_id, path = store_id_of(conn), heads_path(conn, around)
        heads = HeadsFile(path, key=signing_key(around.state), store_id=store_id)
        refuse_damaged_ledger(conn, heads.signed())
        yield conn
