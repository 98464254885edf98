"""What is registered, and what waits to be, read with the SQL of both engines."""

from tilth.core.scope import Owner
from tilth.knowledge.vocabulary.events import WordRegistered
from tilth.knowledge.vocabulary.registries import Registry, UnknownWord, Words, words
from tilth.ledger.engine import Connection
from tilth.ledger.records import RECORD, read_record
from tilth.ledger.snapshot import Snapshot

_ENTRIES = f"""
SELECT {RECORD} FROM words w JOIN ledger l ON l.seq = w.entry_no
WHERE w.owner = ? AND l.payload IS NOT NULL ORDER BY l.seq
"""  # noqa: S608 - names of ours
_UNKNOWN = """
SELECT registry, word, use_count FROM words WHERE owner = ? AND entry_no IS NULL
ORDER BY use_count DESC, word_no
"""


class KnownWords:
    """The registries of one snapshot."""

    def __init__(self, view: Snapshot) -> None:
        self._conn = view.conn

    def known(self, owner: Owner) -> Words:
        """Return everything registered for *owner*, and what is built in."""
        return _known(self._conn, owner)

    def unknown(self, owner: Owner, *, limit: int) -> list[UnknownWord]:
        """Return words that facts use and nobody registered, the most used first."""
        known = self.known(owner)
        waiting = [
            UnknownWord(Registry(registry), word, count)
            for registry, word, count in self._conn.rows(_UNKNOWN, (owner,))
        ]
        # What was registered as an alias of another word since is known by now.
        return [one for one in waiting if not known.holds(one.registry, one.word)][:limit]


def spellings(conn: Connection, owner: Owner, registry: Registry, word: str) -> tuple[str, ...]:
    """
    Return every name that a registered word goes by, or *word* alone.

    What was filed under a name before it was registered stays filed under it.
    """
    entry = _known(conn, owner).entry(registry, word)
    return (word,) if entry is None else (entry.name, *entry.aliases)


def _known(conn: Connection, owner: Owner) -> Words:
    events = [read_record(row).event for row in conn.rows(_ENTRIES, (owner,))]
    return words(event.entry for event in events if isinstance(event, WordRegistered))
