"""Words that a human registered, and those that wait: their table, and how events show in it."""

from collections.abc import Iterable

from tilth.core.event import Recorded
from tilth.core.scope import Owner
from tilth.core.table import Table
from tilth.knowledge.vocabulary.events import WordRegistered
from tilth.knowledge.vocabulary.registries import Registry, word_key
from tilth.ledger.projection import Rows, projects
from tilth.ledger.sql_list import one_of

WORDS = Table(
    "words",
    no=17,
    since=2,
    columns=f"""
    word_no   $integer PRIMARY KEY,
    owner     TEXT NOT NULL,
    registry  TEXT NOT NULL CHECK (registry IN ({one_of(Registry)})),
    key       TEXT NOT NULL,
    word      TEXT NOT NULL,
    -- The place of the event that registered it last; none did while it is in the queue.
    entry_no  $integer,
    use_count $integer NOT NULL,
    UNIQUE (owner, registry, key)
""",
)

_WORD = """
INSERT INTO words (word_no, owner, registry, key, word, entry_no, use_count)
VALUES ((SELECT coalesce(max(word_no), 0) + 1 FROM words), ?, ?, ?, ?, ?, ?)
"""
_USED = f"""{_WORD} ON CONFLICT (owner, registry, key)
DO UPDATE SET use_count = words.use_count + 1"""
_REGISTERED = f"""{_WORD} ON CONFLICT (owner, registry, key)
DO UPDATE SET word = excluded.word, entry_no = excluded.entry_no"""


def count_unknown(rows: Rows, owner: Owner, unknown: Iterable[tuple[Registry, str]]) -> None:
    """Count words that nobody registered."""
    for registry, word in unknown:
        rows.run(_USED, (owner, registry.value, word_key(word), word, None, 1))


@projects(WordRegistered)
def registered(rows: Rows, recorded: Recorded, event: WordRegistered) -> None:
    """Show that a word is registered."""
    entry = event.entry
    row = (recorded.owner, entry.registry.value, word_key(entry.name), entry.name)
    rows.run(_REGISTERED, (*row, recorded.seq, 0))
