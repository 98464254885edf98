"""
The words that facts may use, and those that nobody registered yet.

Anyone reads them. A human alone registers, by an event; a word that is in no registry is kept
as it was written and counted here until a human says what it is (OB-063, C-10).
"""

import logging
from collections.abc import Sequence
from dataclasses import replace

from tilth.core.actor import require_human
from tilth.core.errors import ConflictError, NotFoundError
from tilth.core.paging import PAGE_MAX, check_page
from tilth.core.scope import Owner
from tilth.episodes.remember import WriteContext
from tilth.knowledge.vocabulary.events import WordRegistered
from tilth.knowledge.vocabulary.registries import Entry, Registry, UnknownWord, word_key
from tilth.knowledge.vocabulary.tables import KnownWords
from tilth.ledger.store import Store, Transaction
from tilth.privacy.redaction import scrub

logger = logging.getLogger(__name__)


def unknown_words(store: Store, owner: Owner, *, limit: int) -> Sequence[UnknownWord]:
    """Return the words that wait for a human to say what they are, the most used first."""
    check_page(limit, PAGE_MAX)
    with store.read() as view:
        return KnownWords(view).unknown(owner, limit=limit)


def register_word(store: Store, entry: Entry, recorder: WriteContext) -> Entry:
    """
    Register a word, or change what is registered of it; names that it had it keeps.

    Facts that used it before stay as they are: what they say and the slots that they fill
    were decided when they were stated.

    Raises:
        ForbiddenError: the caller is not a human.
        ConflictError: one of its names is another word's already.
    """
    require_human(recorder.by, "register a word")
    with store.begin() as tx:
        kept = _registered(tx, entry, recorder)
    logger.info("word registered: registry=%s", entry.registry.value)
    return kept


def add_alias(
    store: Store, registry: Registry, alias: str, name: str, recorder: WriteContext
) -> Entry:
    """
    Let a registered word go by one more name; how its values live does not change.

    Raises:
        ForbiddenError: the caller is not a human.
        NotFoundError: nothing is registered under *name*.
        ConflictError: *alias* is another word's already.
    """
    require_human(recorder.by, "register a word")
    with store.begin() as tx:
        known = KnownWords(tx).known(recorder.owner).entry(registry, name)
        if known is None:
            raise NotFoundError(f"no {registry.value} {name[:60]!r} is registered")
        kept = _registered(tx, replace(known, aliases=(alias,)), recorder)
    logger.info("alias of a word registered: registry=%s", registry.value)
    return kept


def _registered(tx: Transaction, entry: Entry, recorder: WriteContext) -> Entry:
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
