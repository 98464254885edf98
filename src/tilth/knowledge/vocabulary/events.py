"""The events of registries."""

from tilth.core.codec import Inline
from tilth.core.event import Event, Headline, event
from tilth.core.scope import GLOBAL
from tilth.knowledge.vocabulary.registries import Entry


# A registry belongs to its owner, wherever its words are used.
@event(
    "word_registered",
    seen_in=GLOBAL,
    goes_with=(),
    named=("word", "entry.registry", "entry.name"),
)
class WordRegistered(Event):
    """A predicate, area or tag was registered, changed, or ignored."""

    entry: Inline[Entry]

    def headline(self) -> Headline:
        """Return the headline: the word."""
        kind = "ignored" if self.entry.is_ignored else "registered"
        return Headline(kind, self.entry.registry, self.entry.name)
