"""
The words that facts may use, and those that nobody registered yet.

Anyone reads them. A human alone registers, by an event; a word that is in no registry is kept
as it was written and counted here until a human says what it is (OB-063, C-10).
"""

import logging
from collections.abc import Sequence
from dataclasses import replace

from tilth.core.calls.paging import PAGE_MAX, check_page
from tilth.core.errors import ConflictError
from tilth.core.scope import Owner
from tilth.episodes.remember import WriteContext
from tilth.knowledge.vocabulary.events import WordRegistered
from tilth.knowledge.vocabulary.registries import Entry, UnknownWord, word_key
from tilth.knowledge.vocabulary.tables import KnownWords
from tilth.ledger.store import Store, Transaction
from tilth.privacy.redaction import scrub

logger = logging.getLogger(__name__)


def unknown_words(store: Store, owner: Owner, *, limit: int) -> Sequence[UnknownWord]:
    """Return the words that wait for a human to say what they are, the most used first."""
    check_page(limit, PAGE_MAX)
    with store.read() as view:
        return KnownWords(view).unknown(owner, limit=limit)


def registered(tx: Transaction, entry: Entry, recorder: WriteContext) -> Entry:
    """Register a word in *tx*, or add to one that is registered."""
    names = tuple(scrub(name).text for name in (entry.name, *entry.aliases))
    known = KnownWords(tx).known(recorder.owner)
    before = known.entry(entry.registry, names[0])
    aliases = names[1:] if before is None else (*before.aliases, *names[1:])
    clean = replace(entry, name=names[0], aliases=tuple(dict.fromkeys(aliases)))
    for name in names:
        other = known.entry(entry.registry, name)
        if other is not None and word_key(other.name) != word_key(clean.name):
            raise ConflictError(
                f"{name!r} is a name of {other.name!r} already",
                hint=f"let the other be an alias: tilth word alias {clean.name} --of {other.name}",
            )
    tx.append(WordRegistered(clean), by=recorder.by, owner=recorder.owner)
    return clean
