"""How words show in the tables: those that a human registered, and those that wait."""

from collections.abc import Iterable

from tilth.core.event import Recorded
from tilth.core.scope import Owner
from tilth.knowledge.vocabulary.events import WordRegistered
from tilth.knowledge.vocabulary.registries import Registry, word_key
from tilth.ledger.engine import Connection

_WORD = """
INSERT INTO words (word_no, owner, registry, key, word, entry_no, use_count)
VALUES ((SELECT coalesce(max(word_no), 0) + 1 FROM words), ?, ?, ?, ?, ?, ?)
"""
_USED = f"""{_WORD} ON CONFLICT (owner, registry, key)
DO UPDATE SET use_count = words.use_count + 1"""
_REGISTERED = f"""{_WORD} ON CONFLICT (owner, registry, key)
DO UPDATE SET word = excluded.word, entry_no = excluded.entry_no"""


def count_unknown(conn: Connection, owner: Owner, unknown: Iterable[tuple[Registry, str]]) -> None:
    """Count words that nobody registered."""
    for registry, word in unknown:
        conn.rows(_USED, (owner, registry.value, word_key(word), word, None, 1))


def project_word(conn: Connection, recorded: Recorded, event: WordRegistered) -> None:
    """Show that a word is registered."""
    entry = event.entry
    row = (recorded.owner, entry.registry.value, word_key(entry.name), entry.name)
    conn.rows(_REGISTERED, (*row, recorded.seq, 0))
