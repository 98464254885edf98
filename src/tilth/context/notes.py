"""
What was noted on purpose, as an opening brief tells it: by a person, or by an agent for the next.

Whoever notes something knows the session and chose what is worth keeping, which no form of a
sentence can tell. An agent may be wrong, or repeat what somebody had it read: so what it noted is
told as that, never as a rule, and not at all where it gives an order or would have something run.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from tilth.context.model import BriefItem, quoted
from tilth.core.actor import CameBy
from tilth.core.dataclass import dataclass
from tilth.core.ids import EpisodeId
from tilth.core.instant import written_day
from tilth.core.scope import Visibility
from tilth.core.text.pattern import pattern
from tilth.core.text.prose import sentences, straight
from tilth.core.text.tokens import index_terms
from tilth.episodes.episode import Episode
from tilth.episodes.tables import Episodes
from tilth.exchanges.passage import PASSAGE_CHARS
from tilth.exchanges.worth import FORMS, orders
from tilth.knowledge.likeness.telling_once import distinct
from tilth.ledger.records import find_places
from tilth.ledger.snapshot import Snapshot

if TYPE_CHECKING:
    from tilth.recall.order.replaced import Replaced

# So many are told, of so many that were noted last.
NOTES_TOLD, NOTES_READ = 8, 200
# What was read of so many texts is kept.
_TEXTS_KEPT = 512
NOTED_BY_AGENT = ", noted by an agent"
# Of two notes that share more of their terms the older one is told no more.
_SAME = 0.5
# By how much a note whose words are all of the last work comes before one that has none of them,
# and how much of its weight the oldest loses to the newest.
_NEAR, _AGE_COSTS = 0.5, 0.3
# What the user wants holds whatever is worked on; what names an issue is over with it.
_OF_THE_USER, _OF_AN_ISSUE = 1.3, 0.8
_WANTS = pattern(r"\bthe user(?:'s)?\b", re.IGNORECASE)
# What tells whoever reads it to do something, now or whenever: an agent gives no orders.
_ORDERS = pattern(
    r"\W*(?:(?:so|and|also|please|important|note|rule|convention)\W+)*(?:always|never|don'?t|do not"
    r"|from now on|going forward|in (?:the )?future|whenever|every time|remember|make sure|be sure"
    r"|ensure|you (?:must|should|shall|may|can|need))\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Reading:
    """What is read of a note's text, whoever noted it."""

    # All of it on one line, or the sentences with which it begins.
    words: str
    terms: frozenset[str]
    replaces: Sequence["Replaced"]
    is_order: bool


@dataclass(frozen=True)
class Note:
    """A note, and what is told of it."""

    episode: Episode

    @property
    def is_persons(self) -> bool:
        """Whether a person noted it, and no agent or program."""
        return self.episode.came_by is CameBy.TOLD

    @property
    def reading(self) -> _Reading:
        """What is read of its text."""
        return _read(self.episode.text)

    @property
    def words(self) -> str:
        """What is told, on one line."""
        return self.reading.words

    @property
    def item(self) -> BriefItem:
        """Its line in a brief."""
        way = "" if self.is_persons else NOTED_BY_AGENT
        said = quoted(self.words, PASSAGE_CHARS)
        return BriefItem(f"{written_day(self.episode.occurred_at)}{way}: {said}", self.episode.id)


def notes_in(view: Snapshot, within: Visibility, besides: Collection[EpisodeId] = ()) -> list[Note]:
    """
    Return the last notes, and *besides*, that nothing noted later replaces, the newest first.

    What an agent noted outside of any project is no other project's business.
    """
    reader = Episodes(view)
    last = reader.apart(within, limit=NOTES_READ)
    older = set(besides) - {one.id for one in last}
    among = sorted(find_places(view.conn, older).values())
    said = [*last, *(reader.apart(within, limit=NOTES_READ, among=among) if among else ())]
    notes = [Note(one) for one in said if one.is_note]
    own = within.own
    kept = [
        one for one in notes if one.is_persons or own.admits(one.episode.owner, one.episode.scope)
    ]
    return list(_standing(sorted(kept, key=lambda one: one.episode.instant, reverse=True)))


def weighed(notes: Sequence[Note], told: Iterable[str], at_work: frozenset[str]) -> list[Note]:
    """
    Return the notes to be told, what is worth most first.

    Args:
        notes: Those that may be, the newest first.
        told: What is told anyhow: what says the same is left out.
        at_work: The terms of the last work.
    """
    # Of what both noted, the person's words are told.
    persons_first = sorted(notes, key=lambda one: not one.is_persons)
    once = distinct(persons_first, lambda one: one.words, same=_SAME, told=told)
    once.sort(key=lambda one: one.episode.instant, reverse=True)

    def weight(place: int) -> float:
        terms = once[place].reading.terms
        near = len(terms & at_work) / max(1, len(terms))
        aged = 1 - _AGE_COSTS * place / len(once)
        return aged * (1 + _NEAR * near) * _lasting(once[place].words)

    order = sorted(range(len(once)), key=weight, reverse=True)
    return [once[place] for place in order[:NOTES_TOLD]]


def _lasting(words: str) -> float:
    of_the_user = _OF_THE_USER if _WANTS.search(words) else 1
    return of_the_user * (_OF_AN_ISSUE if FORMS["number of an issue"].search(words) else 1)


def _standing(notes: Sequence[Note]) -> Iterator[Note]:
    """
    Yield *notes*, the newest first, without those that a later one says are over.

    What a person noted no agent ends.
    """
    by_persons: list[Replaced] = []
    by_agents: list[Replaced] = []
    for one in notes:
        over = by_persons if one.is_persons else [*by_persons, *by_agents]
        if not any(what.ends(one.words) for what in over):
            yield one
        (by_persons if one.is_persons else by_agents).extend(one.reading.replaces)


@lru_cache(maxsize=_TEXTS_KEPT)
def _read(text: str) -> _Reading:
    """Read a note; a worker is asked for the same ones again and again."""
    # It reads sentences; a brief without notes starts without it.
    from tilth.recall.order.replaced import replaced_in  # noqa: PLC0415

    words = _told_of(text)
    said = [straight(one.text) for one in sentences(words)]
    return _Reading(
        words=words,
        terms=frozenset(index_terms(words)),
        replaces=tuple(replaced_in(text)),
        is_order=any(_ORDERS.match(one) or orders(one) for one in said),
    )


def _told_of(text: str) -> str:
    """Return a note on one line; of a long one the sentences with which it begins."""
    line = " ".join(text.split())
    if len(line) <= PASSAGE_CHARS:
        return line
    told = ""
    for one in sentences(text):
        longer = f"{told} {' '.join(one.said.split())}".strip()
        if len(longer) > PASSAGE_CHARS - 2:
            break
        told = longer
    return f"{told} …" if told else line
