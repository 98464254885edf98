"""The parts of the schema that only SQLite has, and its versions."""

from tilth.core.table import each_schema, fillings_of, scripts_of, widenings_of
from tilth.ledger.sqlite.connection import TYPES
from tilth.ledger.tables import (
    GUARDED_SINCE,
    KINDS_CHECK,
    LEDGER,
    LEDGER_LOOKUPS,
    WRITES_HERE,
    Migration,
    guarded_with,
)

# "TLTH": what `file` and SQLite itself show of a store of ours.
APPLICATION_ID = 0x544C5448
# Of SQLite's usual 4,096 bytes, rows with vectors leave a tenth unused: 100 bytes an event.
PAGE_BYTES = 8192

# The ledger only grows. With recursive_triggers on, REPLACE and upserts meet these too.
_GUARDS = """
CREATE TRIGGER ledger_is_gapless BEFORE INSERT ON ledger
WHEN NEW.seq <> (SELECT coalesce(max(seq), 0) + 1 FROM ledger)
BEGIN SELECT RAISE(ABORT, 'the ledger is appended to one by one'); END;

CREATE TRIGGER ledger_is_never_updated BEFORE UPDATE ON ledger
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;

CREATE TRIGGER ledger_is_never_deleted BEFORE DELETE ON ledger
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
"""

# An erase alone passes: payload and salt go, nothing else changes, and the last line of the ledger
# is the event that says so, which a human appended.
_ERASE_GUARD = """
DROP TRIGGER ledger_is_never_updated;
CREATE TRIGGER ledger_is_never_updated BEFORE UPDATE ON ledger
WHEN NOT (
    NEW.payload IS NULL AND NEW.salt IS NULL AND OLD.kind NOT IN ('erased', 'store_created')
    AND (NEW.seq, NEW.event_id, NEW.recorded_at, NEW.owner, NEW.actor, NEW.actor_kind, NEW.kind,
         NEW.commitment, NEW.chain)
      = (OLD.seq, OLD.event_id, OLD.recorded_at, OLD.owner, OLD.actor, OLD.actor_kind, OLD.kind,
         OLD.commitment, OLD.chain)
    AND NEW.session_id IS OLD.session_id AND NEW.key IS OLD.key
    AND EXISTS (
        SELECT 1 FROM ledger WHERE seq = (SELECT max(seq) FROM ledger)
        AND kind = 'erased' AND actor_kind = 'human'
    )
)
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
"""

# The index sees terms, made by the same function for writing, asking and
# checking; the view is what FTS5 takes for its content. `indexed_terms`
# is ours and is registered on each connection. Tokens are whatever stands
# between spaces: the terms are clean already.
TOKENIZE = "tokenize = \"ascii tokenchars '_'\""
_TEXT = f"""
CREATE VIEW indexed_episodes AS
SELECT e.seq AS seq, indexed_terms(e.realm_no, l.payload) AS terms
FROM episodes e JOIN ledger l ON l.seq = e.seq
WHERE l.payload IS NOT NULL;

CREATE VIRTUAL TABLE episode_terms USING fts5(
    terms, content = 'indexed_episodes', content_rowid = 'seq', {TOKENIZE}
);
INSERT INTO episode_terms (episode_terms, rank) VALUES ('secure-delete', 1);

CREATE VIRTUAL TABLE episode_vocabulary USING fts5vocab(episode_terms, row);
"""  # noqa: S608 - a constant

# A fact is found under the realm that it was recorded in; its life says where it is seen.
_FACT_TEXT = f"""
CREATE VIEW indexed_facts AS
SELECT v.fact_no AS seq, indexed_fact_terms(v.realm_no, l.payload) AS terms
FROM lives v JOIN ledger l ON l.seq = v.fact_no
WHERE v.since = v.fact_no AND l.payload IS NOT NULL;

CREATE VIRTUAL TABLE fact_terms USING fts5(
    terms, content = 'indexed_facts', content_rowid = 'seq', {TOKENIZE}
);
INSERT INTO fact_terms (fact_terms, rank) VALUES ('secure-delete', 1);

CREATE VIRTUAL TABLE fact_vocabulary USING fts5vocab(fact_terms, row);
"""  # noqa: S608 - a constant

# `total` is the sum of the space's vectors, as 64-bit floats; it gives the mean.
_VECTORS = """
CREATE TABLE spaces (
    -- Never used twice: what a process holds of a dropped space is not taken for another.
    space_no     INTEGER PRIMARY KEY AUTOINCREMENT,
    space        TEXT NOT NULL UNIQUE,
    vector_count INTEGER NOT NULL,
    total        BLOB NOT NULL
) STRICT;

CREATE TABLE vectors (
    vector_no INTEGER PRIMARY KEY,
    space_no  INTEGER NOT NULL,
    seq       INTEGER NOT NULL,
    vector    BLOB NOT NULL,
    UNIQUE (space_no, seq)
) STRICT;
"""


def _reworded(table: str, before: str, now: str) -> str:
    """
    Return what changes a CHECK without copying its table.

    It is SQLite's own way (sqlite.org/lang_altertable.html, "Making Other Kinds Of Table Schema
    Changes").
    """
    before, now = (text.replace("'", "''") for text in (before, now))
    return f"""
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, '{before}', '{now}')
WHERE type = 'table' AND name = '{table}';
PRAGMA writable_schema = RESET;
"""  # noqa: S608 - words of ours


_ANY_KIND = _reworded("ledger", KINDS_CHECK, "")


# What derives from the ledger is written by us alone. SQLite compiles a trigger with each statement
# that could fire it, and finds that it lacks the function: whoever has not registered it, such as
# a shell, is refused by that name. WHEN 0 costs no call of it, so nothing while we write.
_REFUSED = """
CREATE TRIGGER {table}_refuses_{act} AFTER {act} ON {table} WHEN 0
BEGIN SELECT {function}(); END;
"""
_ACTS = ("insert", "update", "delete")


def _guarded(version: int) -> list[str]:
    """Return the refusals that come with a schema."""
    guarded = [(table, act) for table in guarded_with(version, TYPES) for act in _ACTS]
    if version == GUARDED_SINCE:
        guarded += [("ledger", "insert")]
        guarded += [(table, act) for table in ("spaces", "vectors") for act in _ACTS]
    return [_REFUSED.format(table=table, act=act, function=WRITES_HERE) for table, act in guarded]


# What the engine itself needs around the tables, by schema: before them, and after them.
_AROUND = {
    1: (LEDGER.substitute(TYPES), f"{_GUARDS}\n{_TEXT}\n{_VECTORS}"),
    2: (_ANY_KIND, f"{_FACT_TEXT}\n{_ERASE_GUARD}"),
    3: (LEDGER_LOOKUPS, ""),
}


def known_migrations() -> tuple[Migration, ...]:
    """Return every step of the schema, with the tables that the features declare."""
    return each_schema(_migration)


def _migration(version: int) -> Migration:
    before, after = _AROUND.get(version, ("", ""))
    widened = [_reworded(table, one.before, one.now) for table, one in widenings_of(version)]
    made = scripts_of(version, TYPES)
    script = "\n".join([before, *made, *widened, after, *_guarded(version)])
    return Migration(version, script, fillings_of(version))
