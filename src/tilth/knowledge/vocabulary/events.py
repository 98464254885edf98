"""What a human added to the words that the brain knows."""

from tilth.core.codec import Inline
from tilth.core.event import Event, Headline, event
from tilth.core.scope import GLOBAL
from tilth.knowledge.vocabulary.registries import Entry


# Registries belong to an owner, wherever their words are used.
@event(
    "word_registered",
    seen_in=GLOBAL,
    goes_with=(),
    named=("word", "entry.registry", "entry.name"),
)
class WordRegistered(Event):
    """A predicate, an area or a tag was registered, changed, or is asked about no more."""

    entry: Inline[Entry]

    def headline(self) -> Headline:
        """Return the word."""
        kind = "ignored" if self.entry.is_ignored else "registered"
        return Headline(kind, self.entry.registry, self.entry.name)
