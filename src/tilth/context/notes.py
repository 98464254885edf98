"""
What was noted on purpose, as an opening brief tells it: by a person, or by an agent for the next.

Whoever notes something knows the session and chose what is worth keeping, which no form of a
sentence can tell. An agent may be wrong, or repeat what somebody had it read: so what it noted is
told as that, never as a rule, and not at all where it gives an order or would have something run.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from tilth.context.model import BriefItem, quoted
from tilth.core.actor import CameBy
from tilth.core.dataclass import dataclass
from tilth.core.instant import written_day
from tilth.core.scope import Visibility
from tilth.core.text.pattern import pattern
from tilth.core.text.prose import sentences, straight
from tilth.core.text.tokens import index_terms
from tilth.episodes.episode import Episode
from tilth.episodes.tables import Episodes
from tilth.exchanges.passage import PASSAGE_CHARS
from tilth.exchanges.worth import orders
from tilth.knowledge.likeness.telling_once import distinct
from tilth.ledger.snapshot import Snapshot

# So many are told, of so many that were noted last.
NOTES_TOLD, NOTES_READ = 8, 200
NOTED_BY_AGENT = ", noted by an agent"
# Of two notes that share more of their terms the older one is told no more.
_SAME = 0.5
# By how much a note whose words are all of the last work comes before one that has none of them,
# and how much of its weight the oldest loses to the newest.
_NEAR, _AGE_COSTS = 0.5, 0.3
# What tells whoever reads it to do something, now or whenever: an agent gives no orders.
_ORDERS = pattern(
    r"\W*(?:(?:so|and|also|please|important|note|rule|convention)\W+)*(?:always|never|don'?t|do not"
    r"|from now on|going forward|in (?:the )?future|whenever|every time|remember|make sure|be sure"
    r"|ensure|you (?:must|should|shall|may|can|need))\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Note:
    """A note with what is told of it: all, or the sentences with which it begins."""

    episode: Episode

    @property
    def is_persons(self) -> bool:
        """Whether a person noted it, and no agent or program."""
        return self.episode.came_by is CameBy.TOLD

    @cached_property
    def words(self) -> str:
        """What is told, on one line."""
        line = " ".join(self.episode.text.split())
        if len(line) <= PASSAGE_CHARS:
            return line
        told = ""
        for one in sentences(self.episode.text):
            longer = f"{told} {' '.join(one.said.split())}".strip()
            if len(longer) > PASSAGE_CHARS - 2:
                break
            told = longer
        return f"{told} …" if told else line

    @cached_property
    def orders(self) -> bool:
        """Whether a sentence of what is told has its reader do something."""
        said = [straight(one.text) for one in sentences(self.words)]
        return any(_ORDERS.match(one) or orders(one) for one in said)

    @property
    def item(self) -> BriefItem:
        """Its line in a brief."""
        way = "" if self.is_persons else NOTED_BY_AGENT
        said = quoted(self.words, PASSAGE_CHARS)
        return BriefItem(f"{written_day(self.episode.occurred_at)}{way}: {said}", self.episode.id)


def notes_in(view: Snapshot, within: Visibility, own: Visibility) -> list[Note]:
    """
    Return the notes that nothing noted later replaces, the newest first.

    Args:
        view: One snapshot.
        within: Where a person's are looked for.
        own: Where an agent's are: in the project, and not in what belongs to none.
    """
    found = [Note(one) for one in Episodes(view).apart(within, limit=NOTES_READ) if one.is_note]
    kept = [one for one in found if one.is_persons or _is_in(one.episode, own)]
    return list(_standing(sorted(kept, key=lambda one: one.episode.instant, reverse=True)))


def weighed(notes: Sequence[Note], told: Iterable[str], at_work: frozenset[str]) -> list[Note]:
    """
    Return the notes to be told, what is worth most first.

    Args:
        notes: Those that may be, the newest first.
        told: What is told anyhow: what says the same is left out.
        at_work: The terms of the last work.
    """
    once = distinct(notes, lambda one: one.words, same=_SAME, told=told)

    def weight(place: int) -> float:
        terms = frozenset(index_terms(once[place].words))
        near = len(terms & at_work) / max(1, len(terms))
        return (1 - _AGE_COSTS * place / len(once)) * (1 + _NEAR * near)

    order = sorted(range(len(once)), key=weight, reverse=True)
    return [once[place] for place in order[:NOTES_TOLD]]


def _is_in(episode: Episode, where: Visibility) -> bool:
    return where.scopes is None or episode.scope in where.scopes


def _standing(notes: Sequence[Note]) -> Iterator[Note]:
    """Yield *notes*, the newest first, without those that a later one says are over."""
    if len(notes) < 2:  # noqa: PLR2004 - nothing is later than the only one
        yield from notes
        return
    # It reads sentences; a brief with one note starts without it.
    from tilth.recall.order.replaced import Replaced, replaced_in  # noqa: PLC0415

    gone: list[Replaced] = []
    for one in notes:
        if not any(what.ends(one.words) for what in gone):
            yield one
        gone += replaced_in(one.episode.text)
