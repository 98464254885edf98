"""The tables of registered and unregistered words, and reading them."""

from collections.abc import Iterable

from tilth.core.event import Recorded
from tilth.core.scope import Owner
from tilth.core.table import Table
from tilth.knowledge.vocabulary.events import WordRegistered
from tilth.knowledge.vocabulary.registries import Registry, UnknownWord, Words, word_key, words
from tilth.ledger.engine import Connection
from tilth.ledger.projection import Rows, projects
from tilth.ledger.records import RECORD, read_record
from tilth.ledger.snapshot import Snapshot
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

_ENTRIES = f"""
SELECT {RECORD} FROM words w JOIN ledger l ON l.seq = w.entry_no
WHERE w.owner = ? AND l.payload IS NOT NULL ORDER BY l.seq
"""  # noqa: S608 - names of ours
_UNKNOWN = """
SELECT registry, word, use_count FROM words WHERE owner = ? AND entry_no IS NULL
ORDER BY use_count DESC, word_no
"""


def count_unknown(rows: Rows, owner: Owner, unknown: Iterable[tuple[Registry, str]]) -> None:
    """Count unregistered words."""
    for registry, word in unknown:
        rows.run(_USED, (owner, registry.value, word_key(word), word, None, 1))


@projects(WordRegistered)
def registered(rows: Rows, recorded: Recorded, event: WordRegistered) -> None:
    """Project a registered word."""
    entry = event.entry
    row = (recorded.owner, entry.registry.value, word_key(entry.name), entry.name)
    rows.run(_REGISTERED, (*row, recorded.seq, 0))


class KnownWords:
    """The registries of one snapshot."""

    def __init__(self, view: Snapshot) -> None:
        self._conn = view.conn

    def known(self, owner: Owner) -> Words:
        """Return the words registered for *owner*, with the built-in ones."""
        return _known(self._conn, owner)

    def unknown(self, owner: Owner, *, limit: int) -> list[UnknownWord]:
        """Return unregistered words of facts, the most used first."""
        known = self.known(owner)
        waiting = [
            UnknownWord(Registry(registry), word, count)
            for registry, word, count in self._conn.rows(_UNKNOWN, (owner,))
        ]
        # A word that has since become an alias of another is registered.
        return [one for one in waiting if not known.holds(one.registry, one.word)][:limit]


def spellings(conn: Connection, owner: Owner, registry: Registry, word: str) -> tuple[str, ...]:
    """
    Return every name of a registered word, or *word* alone.

    Facts filed under a name before it was registered stay filed under it.
    """
    entry = _known(conn, owner).entry(registry, word)
    return (word,) if entry is None else (entry.name, *entry.aliases)


def _known(conn: Connection, owner: Owner) -> Words:
    events = [read_record(row).event for row in conn.rows(_ENTRIES, (owner,))]
    return words(event.entry for event in events if isinstance(event, WordRegistered))
