"""The parts of the schema that only PostgreSQL has, and its versions."""

from tilth.core.table import Widening, each_schema, fillings_of, scripts_of, widenings_of
from tilth.ledger.postgres.connection import TYPES
from tilth.ledger.tables import (
    GUARDED_SINCE,
    LEDGER,
    LEDGER_LOOKUPS,
    WRITES_HERE,
    Migration,
    guarded_with,
)

APPLICATION = "tilth"

# One row that says whose tables these are. Writers lock it rather than the ledger, which
# autovacuum locks too. `shape` is what `open_database` found right after the last migration.
MARKER = """
CREATE TABLE tilth_store (
    is_only        BOOLEAN PRIMARY KEY CHECK (is_only),
    application    TEXT NOT NULL,
    schema_version INTEGER NOT NULL,
    shape          TEXT NOT NULL
);
"""

# The ledger only grows. ALWAYS: a session that plays a replica meets these too.
_GUARDS = """
CREATE FUNCTION ledger_grows_by_one() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.seq <> (SELECT coalesce(max(seq), 0) + 1 FROM ledger) THEN
        RAISE EXCEPTION 'the ledger is appended to one by one'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER ledger_is_gapless BEFORE INSERT ON ledger
    FOR EACH ROW EXECUTE FUNCTION ledger_grows_by_one();
ALTER TABLE ledger ENABLE ALWAYS TRIGGER ledger_is_gapless;

CREATE FUNCTION ledger_only_grows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the ledger is append-only'
        USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE TRIGGER ledger_is_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON ledger
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_only_grows();
ALTER TABLE ledger ENABLE ALWAYS TRIGGER ledger_is_append_only;
"""

# An erase alone passes: payload and salt go, nothing else changes, and the last line of the ledger
# is the event that says so, which a human appended.
_ERASE_GUARD = """
DROP TRIGGER ledger_is_append_only ON ledger;
CREATE TRIGGER ledger_is_append_only BEFORE DELETE OR TRUNCATE ON ledger
    FOR EACH STATEMENT EXECUTE FUNCTION ledger_only_grows();
ALTER TABLE ledger ENABLE ALWAYS TRIGGER ledger_is_append_only;

CREATE FUNCTION ledger_only_loses_what_is_erased() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    emptied ledger%ROWTYPE := OLD;
BEGIN
    emptied.payload := NULL;
    emptied.salt := NULL;
    IF NEW IS DISTINCT FROM emptied OR OLD.kind IN ('erased', 'store_created') OR NOT EXISTS (
        SELECT 1 FROM ledger WHERE seq = (SELECT max(seq) FROM ledger)
        AND kind = 'erased' AND actor_kind = 'human'
    ) THEN
        RAISE EXCEPTION 'the ledger is append-only'
            USING ERRCODE = 'integrity_constraint_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER ledger_is_never_updated BEFORE UPDATE ON ledger
    FOR EACH ROW EXECUTE FUNCTION ledger_only_loses_what_is_erased();
ALTER TABLE ledger ENABLE ALWAYS TRIGGER ledger_is_never_updated;
"""

# The index holds terms that are clean already, so no dictionary of PostgreSQL's has a say.
# An episode with very many terms takes several rows: a tsvector holds one megabyte.
_TEXT = """
CREATE TABLE episode_terms (
    seq   BIGINT NOT NULL,
    part  INTEGER NOT NULL,
    terms TSVECTOR NOT NULL,
    PRIMARY KEY (seq, part)
);
CREATE INDEX episodes_by_term ON episode_terms USING gin (terms);
"""

_FACT_TEXT = """
CREATE TABLE fact_terms (
    seq   BIGINT NOT NULL,
    part  INTEGER NOT NULL,
    terms TSVECTOR NOT NULL,
    PRIMARY KEY (seq, part)
);
CREATE INDEX facts_by_term ON fact_terms USING gin (terms);
"""

# `total` is the sum of the space's vectors, as 64-bit floats; it gives the mean.
_VECTORS = """
CREATE TABLE spaces (
    space_no     BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    space        TEXT NOT NULL UNIQUE,
    vector_count BIGINT NOT NULL,
    total        BYTEA NOT NULL
);
CREATE TABLE vectors (
    vector_no BIGINT GENERATED ALWAYS AS IDENTITY,
    space_no  BIGINT NOT NULL,
    seq       BIGINT NOT NULL,
    vector    VECTOR NOT NULL,
    crc       BIGINT NOT NULL,
    PRIMARY KEY (space_no, seq)
);
"""

# What a transaction of ours says first. It keeps out nobody who says it too, and `tilth verify`
# finds what they did; it keeps out whoever writes by mistake, the owner of the tables included.
WRITING = f"SET LOCAL tilth.writes = '{WRITES_HERE}'"
_REFUSING = f"""
CREATE FUNCTION {WRITES_HERE}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '{WRITES_HERE}' USING ERRCODE = 'integrity_constraint_violation';
END $$;
"""
_REFUSED = f"""
CREATE TRIGGER is_written_here BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE ON {{table}}
    FOR EACH STATEMENT
    WHEN (current_setting('tilth.writes', true) IS DISTINCT FROM '{WRITES_HERE}')
    EXECUTE FUNCTION {WRITES_HERE}();
ALTER TABLE {{table}} ENABLE ALWAYS TRIGGER is_written_here;
"""


def _guarded(version: int) -> list[str]:
    """Return the refusals that come with a schema, on all but the ledger."""
    guarded = guarded_with(version, TYPES)
    if version == GUARDED_SINCE:
        guarded += ["spaces", "vectors", "episode_terms", "fact_terms"]
    return [_REFUSED.format(table=table) for table in guarded]


# The ledger and what is its own, by schema; and what the engine itself makes from it, beside the
# tables that features declare.
_OF_THE_LEDGER = {
    1: f"{LEDGER.substitute(TYPES)}\n{_GUARDS}",
    2: f"ALTER TABLE ledger DROP CONSTRAINT ledger_kind_check;\n{_ERASE_GUARD}",
    GUARDED_SINCE: f"{LEDGER_LOOKUPS}\n{_REFUSING}\n{_REFUSED.format(table='ledger')}",
}
_INDEXES = {1: f"{_TEXT}\n{_VECTORS}", 2: _FACT_TEXT}


def known_migrations() -> tuple[Migration, ...]:
    """Return every step of the schema, with the tables that the features declare."""
    return each_schema(_migration)


def _migration(version: int) -> Migration:
    script = f"{_OF_THE_LEDGER.get(version, '')}\n{script_of_derived(version)}"
    return Migration(version, script, fillings_of(version))


def script_of_derived(version: int) -> str:
    """Return what a schema brings of all that is made from the ledger."""
    widened = [_reworded(table, one) for table, one in widenings_of(version)]
    indexes = _INDEXES.get(version, "")
    return "\n".join([*scripts_of(version, TYPES), *widened, indexes, *_guarded(version)])


def _reworded(table: str, one: Widening) -> str:
    check = f"{table}_{one.column}_check"
    allowed = f"ADD CONSTRAINT {check} CHECK ({one.column} IN ({one.now}))"
    return f"ALTER TABLE {table} DROP CONSTRAINT {check}, {allowed};"
