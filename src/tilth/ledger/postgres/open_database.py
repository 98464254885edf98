"""
Open a store in PostgreSQL: check that the tables are Tilth's, with a known schema.

Whatever is not as expected is refused with the reason. Nothing is created where a store was
expected, and nothing is repaired silently.
"""

import json
import logging
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet

from psycopg import errors

from tilth.core.errors import (
    ConflictError,
    CorruptionError,
    ForeignStoreError,
    NewerSchemaError,
    StoreMissingError,
    UnsupportedError,
)
from tilth.ledger.engine import REMAKING, listed
from tilth.ledger.postgres.connection import Address, RawConnection, translated_errors
from tilth.ledger.postgres.schema import (
    APPLICATION,
    MARKER,
    WRITING,
    known_migrations,
    script_of_derived,
)
from tilth.ledger.tables import Migration

logger = logging.getLogger(__name__)

# Makers and migrators of one store come one after the other, and whoever makes the extension that
# all stores of a database share. "TLTH". A store that is made holds up nobody who opens another.
LOCK = b"SELECT pg_advisory_xact_lock(1414288456, hashtext(current_schema()::text))"
_LOCK_OF_ALL = b"SELECT pg_advisory_xact_lock(1414288456)"
_WHERE_AND_WHETHER = b"""
SELECT current_setting('search_path'), current_schema(),
       to_regclass(quote_ident(current_schema()) || '.tilth_store') IS NOT NULL
"""
# What else a store has is made from it. The other one says which store it is.
_LEDGER_TABLES = frozenset({"ledger", "tilth_store"})
_RESTORING = "restore a backup with pg_restore"
# Of a line of a shape: the name of its table.
_TABLE = 1
_ENCODING = b"SELECT current_setting('server_encoding')"
_HAS_VECTORS = b"SELECT to_regtype('vector') IS NOT NULL"
_MARK = b"INSERT INTO tilth_store VALUES (true, %s, %s, %s)"
_MARKED = b"UPDATE tilth_store SET schema_version = %s, shape = %s"
# What an extension brought along is nobody's.
_OTHERS = b"""
SELECT relname FROM pg_class c
WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'f')
AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE objid = c.oid AND deptype = 'e')
ORDER BY relname LIMIT 1
"""
# Columns, indexes, checks and triggers as PostgreSQL keeps them, without what
# another version of it or another name of the schema would print differently.
_SHAPE = b"""
WITH ours AS (
    SELECT oid AS table_no, relname FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')
)
SELECT 'column', relname::text, attname::text, format_type(atttypid, atttypmod),
       attnotnull, attnum::text
FROM ours JOIN pg_attribute ON attrelid = table_no WHERE attnum > 0 AND NOT attisdropped
UNION ALL
SELECT 'index', relname::text, (SELECT relname::text FROM pg_class WHERE oid = indexrelid),
       pg_get_expr(indpred, indrelid), indisunique AND indisvalid, indkey::text
FROM ours JOIN pg_index ON indrelid = table_no
UNION ALL
SELECT 'check', relname::text, conname::text, '', convalidated, ''
FROM ours JOIN pg_constraint ON conrelid = table_no WHERE contype = 'c'
UNION ALL
SELECT 'trigger', relname::text, tgname::text, tgenabled::text, true, tgtype::text
FROM ours JOIN pg_trigger ON tgrelid = table_no WHERE NOT tgisinternal
"""


def make_tables(
    raw: RawConnection,
    address: Address,
    begin_with: Callable[[], None],
    migrations: Sequence[Migration] | None,
) -> None:
    """
    Make our tables in the current schema, and *begin_with* what is first in them: all or none.

    Raises:
        ConflictError: a store is there already.
        ForeignStoreError: the schema holds tables of others.
        StoreMissingError: there is no such schema.
        UnsupportedError: the server has no pgvector, or the database is not in UTF-8.
    """
    _check_encoding(raw, address)
    _make_vector_type(raw, address)
    with translated_errors(address), raw.transaction():
        raw.execute(LOCK)
        if _is_marked(raw, address):
            raise ConflictError(
                f"a store is at {address.name} already", hint="open it, or name another database"
            )
        _refuse_others(raw, address)
        raw.execute(MARKER.encode())
        raw.execute(_MARK, (APPLICATION, 0, ""))
        _apply(raw, migrations or known_migrations())
        begin_with()


def prepare(
    raw: RawConnection, address: Address, *, migrations: Sequence[Migration] | None = None
) -> None:
    """
    Check the store in the current schema, and bring its tables up to date.

    Raises:
        StoreMissingError: nothing is there.
        ForeignStoreError: the tables are those of others.
        NewerSchemaError: a newer version of this program made them.
        CorruptionError: they are not those of their version.
    """
    _refuse_missing(raw, address)
    with translated_errors(address), raw.transaction():
        raw.execute(LOCK)
        _check_version(raw, address, migrations or known_migrations())
    with translated_errors(address):
        if raw.execute(b"SELECT current_setting('fsync')").fetchall() == [("off",)]:
            logger.warning("PostgreSQL runs without fsync: a power cut loses what it acknowledged")


def check_ledger_schema(raw: RawConnection, address: Address) -> None:
    """
    Refuse a store whose ledger is not the table that it was made as, whatever became of the others.

    Raises:
        StoreMissingError: nothing is there.
        ForeignStoreError: the tables are those of others.
        NewerSchemaError: a newer version of this program made them.
        CorruptionError: the ledger, an index or a guard of it is gone or another.
    """
    _refuse_missing(raw, address)
    version, shape = _mark(raw, address, known_migrations())
    if wrong := _LEDGER_TABLES & _differing(_shape(raw), shape):
        raise _schema_error(address, version, wrong)


def remake_derived(raw: RawConnection, address: Address) -> None:
    """
    Make every table anew that is made from the ledger, empty, in a transaction that was begun.

    Raises:
        ConflictError: something that is not ours rests on one of them, or stands beside them.
    """
    version, shape = _mark(raw, address, known_migrations())
    derived = _tables_in(shape) - _LEDGER_TABLES
    raw.execute(WRITING.encode())
    ((schema,),) = raw.execute(b"SELECT quote_ident(current_schema())").fetchall()
    try:
        # Qualified: where one is gone, a namesake further down the path would be dropped.
        names = ", ".join(f"{schema}.{table}" for table in sorted(derived))
        raw.execute(f"DROP TABLE IF EXISTS {names}".encode())
    except errors.DependentObjectsStillExist as error:
        raise ConflictError(
            f"something that is not Tilth's rests on a table of {address.name}:"
            f" {error.diag.message_detail or error}",
            hint="drop it, and make it again afterwards",
        ) from error
    for earlier in range(1, version + 1):
        raw.execute(script_of_derived(earlier).encode())
    if wrong := _differing(_shape(raw), shape):
        raise ConflictError(
            f"what is at {address.name} is not Tilth's: {listed(wrong)}",
            hint="drop it, or move it to another schema",
        )
    _apply(raw, [one for one in known_migrations() if one.version > version])


def _check_version(raw: RawConnection, address: Address, migrations: Sequence[Migration]) -> None:
    version, shape = _mark(raw, address, migrations)
    if wrong := _differing(_shape(raw), shape):
        raise _schema_error(address, version, wrong)
    if version < migrations[-1].version:
        _apply(raw, [migration for migration in migrations if migration.version > version])


def _mark(raw: RawConnection, address: Address, migrations: Sequence[Migration]) -> tuple[int, str]:
    """Return the schema of the store, and the shape that its tables had then."""
    marks = raw.execute(b"SELECT application, schema_version, shape FROM tilth_store").fetchall()
    if len(marks) != 1 or marks[0][0] != APPLICATION:
        raise ForeignStoreError(f"the tables at {address.name} are not those of a Tilth store")
    _, version, shape = marks[0]
    newest = migrations[-1].version
    if version > newest:
        raise NewerSchemaError(
            f"{address.name} has schema {version}, this program knows up to {newest}",
            hint="install a newer tilth",
        )
    return int(version), str(shape)


def _differing(found: str, known: str) -> AbstractSet[str]:
    """Return the tables of which something is in one shape and not in the other."""
    if found == known:
        return frozenset()
    lines = (set(map(tuple, json.loads(shape))) for shape in (found, known))
    return {str(line[_TABLE]) for line in set.symmetric_difference(*lines)}


def _tables_in(shape: str) -> AbstractSet[str]:
    return {str(line[_TABLE]) for line in json.loads(shape)}


def _schema_error(address: Address, version: int, wrong: AbstractSet[str]) -> CorruptionError:
    told = f"the tables at {address.name} are not those of schema {version}: {listed(wrong)}"
    return CorruptionError(told, hint=_RESTORING if _LEDGER_TABLES & wrong else REMAKING)


def _check_encoding(raw: RawConnection, address: Address) -> None:
    """Refuse a database that could not hold every text word for word."""
    with translated_errors(address):
        ((encoding,),) = raw.execute(_ENCODING).fetchall()
    if encoding != "UTF8":
        raise UnsupportedError(
            f"the database at {address.name} is in {encoding}, which not every text fits",
            hint="make one in UTF-8: createdb --encoding=UTF8 --template=template0 NAME",
        )


def _make_vector_type(raw: RawConnection, address: Address) -> None:
    with translated_errors(address), raw.transaction():
        raw.execute(_LOCK_OF_ALL)
        if raw.execute(_HAS_VECTORS).fetchall() == [(False,)]:
            try:
                raw.execute(b"CREATE EXTENSION vector")
            except (errors.FeatureNotSupported, errors.UndefinedFile, errors.DuplicateObject):
                raise UnsupportedError(
                    f"PostgreSQL at {address.name} has no pgvector, or not in the search path",
                    hint="install the extension 'vector', in the schema 'public'",
                ) from None


def _is_marked(raw: RawConnection, address: Address) -> bool:
    with translated_errors(address):
        path, schema, is_marked = raw.execute(_WHERE_AND_WHETHER).fetchall()[0]
    # PostgreSQL passes over a schema that is not there, and would go on in the next.
    meant = path.partition(",")[0].strip().strip('"')
    if schema is None or meant not in {schema, "$user"}:
        raise StoreMissingError(
            f"the schema that the URL names is not at {address.name}", hint="make it: CREATE SCHEMA"
        )
    return bool(is_marked)


def _refuse_missing(raw: RawConnection, address: Address) -> None:
    if not _is_marked(raw, address):
        _refuse_others(raw, address)
        raise StoreMissingError(
            f"there is no store at {address.name}", hint="make one with: tilth init --store URL"
        )


def _refuse_others(raw: RawConnection, address: Address) -> None:
    with translated_errors(address):
        others = raw.execute(_OTHERS).fetchall()
    if others:
        raise ForeignStoreError(
            f"the database at {address.name} holds other tables, such as {others[0][0]}",
            hint="name a database of its own, or a schema: ?options=-csearch_path%3DNAME,public",
        )


def _apply(raw: RawConnection, migrations: Sequence[Migration]) -> None:
    raw.execute(WRITING.encode())
    for migration in migrations:
        raw.execute(migration.script.encode())
        for filling in migration.fillings:
            for row in filling.rows(raw.execute(filling.read.encode()).fetchall()):
                raw.execute(filling.insert.replace("?", "%s").encode(), row)
        raw.execute(_MARKED, (migration.version, _shape(raw)))


def _shape(raw: RawConnection) -> str:
    # Sorted here: a database sorts by a collation of its own.
    return json.dumps(sorted(raw.execute(_SHAPE).fetchall(), key=str))
