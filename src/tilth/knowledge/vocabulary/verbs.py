"""
The verbs on registries of words.

Anybody may read them. Only a human registers words; an unregistered word is kept as written and
counted until a human decides (OB-063, C-10).
"""

import logging
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, TypeAlias

from tilth.core.actor import require_human
from tilth.core.calls.paging import PAGE_MAX, check_page
from tilth.core.dataclass import dataclass
from tilth.core.errors import ConflictError, NotFoundError
from tilth.core.verb import ANYONE, HUMANS, Arg, Section, noun, verb
from tilth.episodes.context import Context
from tilth.episodes.remember import WriteContext
from tilth.knowledge.vocabulary import views
from tilth.knowledge.vocabulary.events import WordRegistered
from tilth.knowledge.vocabulary.registries import (
    Cardinality,
    Entry,
    Registry,
    UnknownWord,
    WriteMode,
    parse_registry,
    word_key,
)
from tilth.knowledge.vocabulary.tables import KnownWords
from tilth.ledger.store import Transaction
from tilth.privacy.redaction import scrub

logger = logging.getLogger(__name__)

noun(
    "word", "predicates, areas and tags that facts may use", section=Section.ADVANCED, bare="queue"
)

Which: TypeAlias = Annotated[
    Registry, Arg("predicate, area or tag", metavar="REGISTRY", parse=parse_registry)
]
_CHECKED_MAX = 1000
Word: TypeAlias = Annotated[str, Arg("as facts use it", metavar="WORD")]


@verb(
    "word list",
    roles=ANYONE,
    view=views.entries,
    key="entries",
    examples=("tilth word list predicate",),
)
def list_(brain: Context, registry: Which) -> Sequence[Entry]:
    """
    List the registered words, in alphabetical order.

    Returns:
        The words with their other names; predicates with their cardinality and write mode.
    """
    with brain.store.read() as view:
        return KnownWords(view).known(brain.recorder.owner).entries(registry)


@verb(
    "word queue",
    roles=ANYONE,
    view=views.waiting,
    key="words",
    examples=("tilth word queue",),
)
def queue(
    brain: Context, *, limit: Annotated[int, Arg("the most to return", least=1)] = 100
) -> Sequence[UnknownWord]:
    """
    List unregistered words, the most used first.

    Returns:
        Each word with its registry and how often facts use it.
    """
    return _unknown(brain, limit)


@dataclass(frozen=True, slots=True)
class WordCheck:
    """The unregistered words of facts, and whether they are refused."""

    words: tuple[UnknownWord, ...]
    is_strict: bool

    @property
    def is_refused(self) -> bool:
        """Whether something is used that may not be."""
        return self.is_strict and bool(self.words)


@verb(
    "word check",
    roles=ANYONE,
    view=views.checked,
    status=lambda check: int(check.is_refused),
    examples=("tilth word check", "tilth word check --registry predicate --strict"),
)
def check(
    brain: Context,
    *,
    registry: Annotated[
        Registry | None, Arg("only this registry", metavar="REGISTRY", parse=parse_registry)
    ] = None,
    is_strict: Annotated[
        bool, Arg("end with 1 where a word is used that nobody registered", flags=("--strict",))
    ] = False,
) -> WordCheck:
    """
    Check that facts use only registered words.

    Returns:
        The unregistered words, the most used first, and whether the check is strict.
    """
    found = _unknown(brain, _CHECKED_MAX)
    return WordCheck(tuple(one for one in found if registry in {None, one.registry}), is_strict)


@verb(
    "word register",
    roles=HUMANS,
    view=views.entry,
    examples=("tilth word register predicate port --cardinality single --mode propose",),
)
def register(
    brain: Context,
    registry: Which,
    name: Word,
    *,
    aliases: Annotated[
        Sequence[str], Arg("another name; may be repeated", metavar="WORD", flags=("--alias",))
    ] = (),
    cardinality: Annotated[
        Cardinality, Arg("how many current values a predicate may have")
    ] = Cardinality.MULTI,
    mode: Annotated[
        WriteMode,
        Arg("who may replace one: an agent in one call (auto), by asking, or only a person"),
    ] = WriteMode.AUTO,
) -> Entry:
    """
    Register a word, or change its registration.

    Facts that used it before stay as they are.

    Returns:
        The word as it is registered.

    Raises:
        ConflictError: another word has one of its names.
    """
    entry = Entry(
        registry=registry, name=name, aliases=tuple(aliases), cardinality=cardinality, mode=mode
    )
    require_human(brain.recorder.by, "register a word")
    with brain.store.begin() as tx:
        kept = _registered(tx, entry, brain.recorder)
    logger.info("word registered: registry=%s", entry.registry.value)
    return kept


@verb(
    "word alias",
    roles=HUMANS,
    view=views.entry,
    examples=("tilth word alias predicate listens_on --of port",),
)
def alias(
    brain: Context,
    registry: Which,
    alias: Word,
    *,
    of: Annotated[str, Arg("the registered word", metavar="NAME")],
) -> Entry:
    """
    Register another name of a word.

    Returns:
        The word with all its names.

    Raises:
        NotFoundError: no word is registered under that name.
        ConflictError: another word has that alias.
    """
    require_human(brain.recorder.by, "register a word")
    with brain.store.begin() as tx:
        known = KnownWords(tx).known(brain.recorder.owner).entry(registry, of)
        if known is None:
            raise NotFoundError(f"no {registry.value} {of[:60]!r} is registered")
        kept = _registered(tx, replace(known, aliases=(alias,)), brain.recorder)
    logger.info("alias of a word registered: registry=%s", registry.value)
    return kept


@verb(
    "word ignore",
    roles=HUMANS,
    view=views.entry,
    examples=("tilth word ignore tag misc",),
)
def ignore(brain: Context, registry: Which, word: Word) -> Entry:
    """
    Take a word off the queue without registering it.

    Returns:
        The ignored word.
    """
    require_human(brain.recorder.by, "ignore a word")
    word = scrub(word).text
    with brain.store.begin() as tx:
        if KnownWords(tx).known(brain.recorder.owner).holds(registry, word):
            raise ConflictError(f"the {registry.value} {word[:60]!r} is registered")
        entry = Entry(registry=registry, name=word, is_ignored=True)
        tx.append(WordRegistered(entry), by=brain.recorder.by, owner=brain.recorder.owner)
    logger.info("word ignored: registry=%s", registry.value)
    return entry


def _unknown(brain: Context, limit: int) -> Sequence[UnknownWord]:
    """Return the unregistered words that wait for a human, the most used first."""
    check_page(limit, PAGE_MAX)
    with brain.store.read() as view:
        return KnownWords(view).unknown(brain.recorder.owner, limit=limit)


def _registered(tx: Transaction, entry: Entry, recorder: WriteContext) -> Entry:
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
