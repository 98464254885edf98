"""The registries of a brain."""

from collections.abc import Sequence

from tilth.knowledge.vocabulary import words
from tilth.knowledge.vocabulary.registries import (
    Cardinality,
    Entry,
    UnknownWord,
    WriteMode,
    parse_cardinality,
    parse_registry,
    parse_write_mode,
)
from tilth.runtime.parts import Parts


class Registries:
    """Predicates, areas and tags: those that are known, and those that wait."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def list(self, registry: str) -> Sequence[Entry]:
        """Return what is registered, in the order of the alphabet."""
        parts = self._parts
        known = words.known_words(parts.store, parts.recorder.owner)
        return known.entries(parse_registry(registry))

    def queue(self, *, limit: int = 100) -> Sequence[UnknownWord]:
        """Return what waits for a human; see `tilth.knowledge.vocabulary.words.unknown_words`."""
        parts = self._parts
        return words.unknown_words(parts.store, parts.recorder.owner, limit=limit)

    def register(
        self,
        registry: str,
        name: str,
        *,
        aliases: Sequence[str] = (),
        cardinality: str = Cardinality.MULTI,
        mode: str = WriteMode.AUTO,
    ) -> Entry:
        """Register a word; see `tilth.knowledge.vocabulary.words.register_word`."""
        entry = Entry(
            registry=parse_registry(registry),
            name=name,
            aliases=tuple(aliases),
            cardinality=parse_cardinality(cardinality),
            mode=parse_write_mode(mode),
        )
        return words.register_word(self._parts.store, entry, self._parts.recorder)

    def alias(self, registry: str, alias: str, *, of: str) -> Entry:
        """Let a word go by one more name; see `tilth.knowledge.vocabulary.words.add_alias`."""
        parts = self._parts
        return words.add_alias(parts.store, parse_registry(registry), alias, of, parts.recorder)

    def ignore(self, registry: str, word: str) -> Entry:
        """Ask nobody about a word any more; see `tilth.knowledge.vocabulary.words.ignore_word`."""
        parts = self._parts
        return words.ignore_word(parts.store, parse_registry(registry), word, parts.recorder)
