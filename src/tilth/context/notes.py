"""
Notes of persons and agents, as an opening brief shows them.

Whoever notes something knows the session and chose what is worth keeping, which no form of speech
can tell. An agent may be wrong, or repeat what it was given to read. An agent's note is therefore
shown as an agent's, never as a rule, and only those of its sentences that order nothing and get no
agent to run anything.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

from tilth.context.model import BriefItem, quoted
from tilth.core.actor import CameBy
from tilth.core.dataclass import dataclass
from tilth.core.ids import EpisodeId
from tilth.core.instant import written_day
from tilth.core.scope import Scope, Visibility
from tilth.core.text.pattern import pattern
from tilth.core.text.prose import sentences, with_straight_quotes
from tilth.core.text.tokens import index_terms
from tilth.episodes.episode import Episode
from tilth.episodes.tables import Episodes
from tilth.exchanges.model import PASSAGE_CHARS
from tilth.knowledge.likeness.bans import drop_repeated_bans, lifted_by, lifts
from tilth.knowledge.likeness.drop_repeats import distinct, drop_contained
from tilth.ledger.records import find_places
from tilth.ledger.snapshot import Snapshot
from tilth.playbooks.gate import is_safe

if TYPE_CHECKING:
    from tilth.recall.order.ended_notes import NoteEnding

# How many notes are shown, how many of those that hold in all work (nothing else brings these), and
# how many of the newest are read.
NOTES_TOLD, ALWAYS_TOLD, NOTES_READ = 12, 20, 200
# With this many notes, statements chosen by form of speech add nothing of worth; see ADR 43.
NOTES_ENOUGH = 6
# The number of texts whose readings are cached.
_TEXTS_KEPT = 512
NOTED_BY_AGENT = ", noted by an agent"
# In characters: how much of a withheld sentence is quoted to its author.
_QUOTED_CHARS = 60
# Similarities, as shares of terms: above the first, the older of two notes is left out; above the
# second, two notes that hold always are one wish in two wordings; above the third, the newer note
# contains the older.
_SAME, _SAME_WISH, _PART_OF_WISH = 0.5, 0.3, 0.55
# The weight that a note gains if all its words belong to the last work, and the part of its weight
# that the oldest note loses.
_NEAR, _AGE_COSTS = 0.5, 0.3
# Factors of a note's weight: it holds in all work, the user wants it so, or it is about one issue,
# with which it ends.
_ALWAYS, _OF_THE_USER, _OF_AN_ISSUE = 2, 1.3, 0.8
# A lasting wish of the user. "The user asked for …" is none: it ends with the task.
_WANTS = pattern(
    r"\buser(?:'s)?\b(?! (?:just |only )?(?:asked|requested) (?:for|to)\b)|用户|ユーザー",
    re.IGNORECASE,
)
# The fewest shared terms by which a note is told again: "Rita joins on Monday", "Rita has joined".
_TOLD_AGAIN_MIN = 2
_DAY = pattern(
    r"\b(?:(?:on|from|starting|by|next) )?(?:next week|tomorrow"
    r"|(?:mon|tues|wednes|thurs|fri|satur|sun)day)\b",
    re.IGNORECASE,
)
# A first word that looks like an order but names something: "Open: …", "Commit 1e09eed broke the
# app", "Go version is set in four places", "Push failed, since …".
_NO_ORDER = pattern(
    r"\W*\w+(?:[:.]\w|[:,-]| (?:[0-9a-f]{7,}|\d[\d-]*|\w+ed|for|question)\b"
    r"|(?: [^\s,:]+){1,4}? (?:is|are|was|were|has|had|does|did|now|by)\b)",
    re.IGNORECASE,
)
# Wordings that order the reader to do something, now or always; agents give no orders. "From now on
# the port is 4400" is none: it says how something is.
_HOW_IT_IS = (
    r"\W+(?!(?:(?:the|an?|our)\s+)?(?:you|we|agents?|everyone|everybody|all)\b)(?:\S+\s+){1,4}?"
    r"(?:is|are|was|were|has|had)\s(?!to\b)"
)
_ORDERS = pattern(
    r"\W*(?:(?:so|and|also|please|important|note|rule|convention)\W+)*(?:always|never|don'?t|do not"
    rf"|(?:from now on|going forward|in (?:the )?future)(?!{_HOW_IT_IS})"
    r"|whenever|every time|remember|make sure|be sure"
    r"|ensure|you (?:must|should|shall|may|can|need))\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Reading:
    """What is read from a note's text."""

    # The whole text on one line, or the sentences it begins with; empty if none may be shown.
    words: str
    terms: frozenset[str]
    ends: "NoteEnding | None"
    is_lifting: bool


@dataclass(frozen=True)
class Note:
    """A note, with what of it is shown."""

    episode: Episode

    @property
    def is_persons(self) -> bool:
        """Whether a person noted it, and no agent or program."""
        return self.episode.came_by is CameBy.TOLD

    @property
    def reading(self) -> _Reading:
        """What is read from its text."""
        return _read(self.episode.text, is_persons=self.is_persons)

    @property
    def words(self) -> str:
        """What is shown of it, on one line."""
        return self.reading.words

    @property
    def item(self) -> BriefItem:
        """Its line in a brief."""
        way = "" if self.is_persons else NOTED_BY_AGENT
        said = quoted(self.words, PASSAGE_CHARS)
        return BriefItem(f"{written_day(self.episode.occurred_at)}{way}: {said}", self.episode.id)


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownNote:
    """
    A note in a list of notes.

    `over` is the ID of the note that ended it, "wrong" where a person called it that, and empty
    while the note holds. `by` is who noted it, `always` whether it holds in all work.
    """

    id: EpisodeId
    text: str
    at: datetime
    scope: Scope
    by: str
    always: bool
    over: str


def notes_in(view: Snapshot, within: Visibility, besides: Collection[EpisodeId] = ()) -> list[Note]:
    """
    Return the notes that hold, newest first: the last ones, those for all work, and *besides*.

    Notes that a later note replaces are left out. So are an agent's notes from outside of any
    project, where another project asks.
    """
    reader = Episodes(view)
    last = reader.apart(within, limit=NOTES_READ)
    if len(last) == NOTES_READ:
        # A note for all work holds however old it is.
        lasting = reader.apart(within, limit=NOTES_READ, is_lasting=True)
        last += [one for one in lasting if one.seq < last[-1].seq]
    older = set(besides) - {one.id for one in last}
    among = sorted(find_places(view.conn, older).values())
    said = [*last, *(reader.apart(within, limit=NOTES_READ, among=among) if among else ())]
    own = within.own
    kept = [
        one
        for one in _notes_of(said)
        if one.is_persons or own.admits(one.episode.owner, one.episode.scope)
    ]
    return [one for one, later in _with_ending_note(kept) if later is None]


def persons_rules(view: Snapshot, within: Visibility, *, told: Sequence[str]) -> list[str]:
    """
    Return what persons noted to hold always, the newest first, each once.

    What stands in *told* is said already.
    """
    lasting = [one for one in notes_in(view, within) if one.is_persons and one.episode.holds_always]
    unwanted = _unwanted(view)
    kept = [one for one in lasting if one.episode.seq not in unwanted]
    return [one.words for one in distinct(kept, _words, same=_SAME, told=told)]


def list_notes(view: Snapshot, within: Visibility, *, limit: int) -> list[KnownNote]:
    """Return the last notes, newest first, each with what ended it if it is over."""
    said = Episodes(view).apart(within, limit=limit, is_standing=False)
    replaced, unwanted = Episodes(view).later_notes([one.seq for one in said]), _unwanted(view)
    found = []
    for one, later in _with_ending_note(_notes_of(said)):
        known, episode = replaced.get(one.episode.seq), one.episode
        over = known.id if known else "" if later is None else later.episode.id
        found.append(
            KnownNote(
                id=episode.id,
                text=episode.text,
                at=episode.occurred_at,
                scope=episode.scope,
                by=episode.author or ("you" if one.is_persons else "agent"),
                always=episode.holds_always,
                over=over or ("wrong" if episode.seq in unwanted else ""),
            )
        )
    return found


def _notes_of(said: Iterable[Episode]) -> list[Note]:
    """Return the notes among what was *said*, the newest first."""
    notes = [Note(one) for one in said if one.is_note and not one.only_ends]
    return sorted(notes, key=lambda one: one.episode.instant, reverse=True)


def _unwanted(view: Snapshot) -> frozenset[int]:
    from tilth.recall.feedback import Votes  # noqa: PLC0415 - for who lists notes

    return Votes(view).unwanted()


def select_notes(notes: Sequence[Note], told: Iterable[str], at_work: frozenset[str]) -> list[Note]:
    """
    Return the notes to show, those of most weight first.

    Args:
        notes: The notes that hold, newest first.
        told: What other blocks show; a note that says the same is left out.
        at_work: The terms of the last work.
    """
    told = list(told)
    # Where a person and an agent noted the same, the person's words are shown.
    persons = drop_repeated_bans([one for one in notes if one.is_persons], _words, told=told)
    agents = [one for one in notes if not one.is_persons]
    agents = drop_repeated_bans(agents, _words, told=[*told, *map(_words, persons)])
    once = distinct([*persons, *agents], _words, same=_SAME, told=told)
    once = [*(one for one in once if not _is_wish(one)), *_wishes(once)]
    once.sort(key=lambda one: one.episode.instant, reverse=True)

    def weight(place: int) -> float:
        terms = once[place].reading.terms
        near = len(terms & at_work) / max(1, len(terms))
        aged = 1 - _AGE_COSTS * place / len(once)
        return aged * (1 + _NEAR * near) * _factor(once[place])

    order = sorted(range(len(once)), key=weight, reverse=True)
    more = (place for place in order[NOTES_TOLD:ALWAYS_TOLD] if once[place].episode.holds_always)
    return [once[place] for place in (*order[:NOTES_TOLD], *more)]


def _wishes(notes: Sequence[Note]) -> list[Note]:
    """Return what agents noted for all work, newest first, each wish in one wording only."""
    persons = [one.words for one in notes if one.is_persons and one.episode.holds_always]
    wishes = filter(_is_wish, notes)
    # An older, longer note seldom fits, and the newer one may hold all of it that still matters.
    whole = drop_contained(wishes, _words, share=_PART_OF_WISH, told=persons)
    return distinct(whole, _words, same=_SAME_WISH)


def _words(note: Note) -> str:
    return note.words


def _is_wish(note: Note) -> bool:
    return note.episode.holds_always and not note.is_persons


def _factor(note: Note) -> float:
    if note.episode.holds_always:
        return _ALWAYS
    # This import loads every form of speech; a brief without notes never needs them.
    from tilth.exchanges.worth import FORMS  # noqa: PLC0415

    is_the_users = note.is_persons or _WANTS.search(note.words)
    of_the_user = _OF_THE_USER if is_the_users else 1
    return of_the_user * (_OF_AN_ISSUE if FORMS["number of an issue"].search(note.words) else 1)


def _with_ending_note(notes: Sequence[Note]) -> Iterator[tuple[Note, Note | None]]:
    """
    Yield *notes*, newest first, each with the later note that ends it, or None.

    An agent's note never ends a person's.
    """
    by_persons: list[Note] = []
    by_agents: list[Note] = []
    for place, one in enumerate(notes):
        later = by_persons if one.is_persons else [*by_persons, *by_agents]
        since = notes[:place] if _DAY.search(one.words) and not one.is_persons else ()
        ending = next((other for other in later if _ends(other, one)), None)
        yield one, ending or next((other for other in since if _is_done(one, other)), None)
        if one.reading.ends or one.reading.is_lifting:
            (by_persons if one.is_persons else by_agents).append(one)


def _ends(newer: Note, older: Note) -> bool:
    """Say whether *newer* states in its own words that what *older* says is over."""
    if newer.reading.is_lifting and lifted_by(newer.words, older.words):
        return True
    ending = newer.reading.ends
    is_lasting = older.episode.holds_always and not newer.episode.holds_always
    return ending is not None and ending.ends(
        older.words, older.reading.terms, is_lasting=is_lasting
    )


def _is_done(older: Note, newer: Note) -> bool:
    """Say whether *newer* reports as done what *older* announced for a day that has passed."""
    terms = frozenset(index_terms(_DAY.sub(" ", older.words)))
    shared = len(terms & newer.reading.terms)
    # "Takes over" and "has taken over" have different stems, so one term may differ.
    if shared < _TOLD_AGAIN_MIN or shared < len(terms) - 1:
        return False
    return newer.episode.instant > older.episode.instant and not _DAY.search(newer.words)


@lru_cache(maxsize=_TEXTS_KEPT)
def _read(text: str, *, is_persons: bool) -> _Reading:
    """Read a note's text; cached, since a worker reads the same notes again and again."""
    # This import loads the reading of sentences; a brief without notes never needs it.
    from tilth.recall.order.ended_notes import read_ending  # noqa: PLC0415

    words = _shown_part(text) if is_persons else _agents_shown_part(text)
    terms = frozenset(index_terms(words))
    return _Reading(words, terms, read_ending(text, terms), lifts(words))


def left_out(text: str) -> Iterator[str]:
    """Yield messages on what no session will be shown of a note, so that it can be reworded."""
    line = " ".join(text.split())
    if _is_of_a_run(line):
        yield "No session is told how one run ended; note what it showed that still holds."
    for said in islice(withheld_sentences(line), 1):
        yield (
            f"No session is told {quoted(said, _QUOTED_CHARS)} or what follows: it orders, or would"
            " have something fetched or run. Say what is so, and who wants it."
        )
    if len(line) > PASSAGE_CHARS:
        yield f"Sessions are told the first {PASSAGE_CHARS} characters: note one thing at a time."


def withheld_sentences(text: str) -> Iterator[str]:
    """Yield the sentences of an agent's note that are withheld: those that give orders."""
    # Imported late, as above.
    from tilth.exchanges.worth import orders  # noqa: PLC0415

    for one in sentences(text):
        said = with_straight_quotes(one.text)
        if _ORDERS.match(said) or (orders(said) and not _NO_ORDER.match(said)) or not is_safe(said):
            yield one.said


def _is_of_a_run(line: str) -> bool:
    # Imported late, as above.
    from tilth.exchanges.sentences import tells_of_a_run  # noqa: PLC0415

    return tells_of_a_run(line)


def _agents_shown_part(text: str) -> str:
    line = " ".join(text.split())
    if _is_of_a_run(line):
        return ""
    words = _shown_part(line, without=frozenset(islice(withheld_sentences(line), 1)))
    # Sentences that are harmless one by one need not be harmless together.
    return words if is_safe(words) else ""


def _shown_part(text: str, without: Collection[str] = ()) -> str:
    """
    Return the beginning of a note on one line, up to the first sentence in *without*.

    Whatever follows a withheld sentence may depend on it, so it is left out too.
    """
    line = " ".join(text.split())
    if not without and len(line) <= PASSAGE_CHARS:
        return line
    told: list[str] = []
    for one in sentences(text):
        words = " ".join(one.said.split())
        is_too_long = sum(map(len, told)) + len(told) + len(words) > PASSAGE_CHARS - 2
        if is_too_long or one.said in without:
            break
        told.append(words)
    if not told:
        return "" if without else line
    return " ".join([*told, "…"])
