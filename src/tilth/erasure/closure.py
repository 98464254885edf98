"""
What goes with what is erased: the closure over everything that rests on it or tells of it.

It grows from what somebody named. Whatever names something that goes is looked up, and weighed;
so is what stands on it though it does not name it: the description of a session, a summary, a
thing that nothing else speaks of. Nothing that goes comes back, so the order does not matter, and
it ends once nothing more goes.
"""

import json
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import dataclass, field

import re2

from tilth.core.errors import NotFoundError
from tilth.core.event import Event, Recorded, events_by_kind, is_named
from tilth.core.ids import ConversationId, EntityId, EpisodeId, EventId, SessionId, ulid_of
from tilth.core.scope import Owner, Visibility
from tilth.episodes.episode import EpisodeKind
from tilth.episodes.events import EpisodeRecorded, SessionDescribed
from tilth.episodes.tables import Episodes
from tilth.erasure.model import strings_in
from tilth.gaps.events import GapDetected
from tilth.gaps.model import GapId
from tilth.gaps.tables import Gaps
from tilth.knowledge.entities.entity import EntityDraft
from tilth.knowledge.entities.events import EntityRecorded
from tilth.knowledge.facts.events import FactRecorded
from tilth.knowledge.facts.tables import Facts
from tilth.knowledge.vocabulary.registries import EntityType
from tilth.ledger.events import Erased, StoreCreated
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.tables import Namings, Tombstones
from tilth.people.conversation_tables import Conversations
from tilth.people.events import SummaryWritten

# Shorter titles are words that anybody uses.
_TITLE_CHARS_MIN = 8
_TERM_CHARS_MIN = 3
# The letters of texts and of JSON, the most frequent first; any other is rare.
_COMMON = '%_ etaoinrslcd"mup:h,gf.b-y/wv1k0x~'
_LEFT_CHARS_MIN = 4
# What holds nobody's words, or is never anybody's to erase.
_SPARED = (Erased, StoreCreated)
# What stands in JSON as it stands in a folded term: plain ASCII, and scripts without case.
_KEPT = r"a-z0-9 .,:;@/+'\u0590-\u109f\u3040-\ua48c\uac00-\ud7a3-"
# What `str.casefold` makes of ligatures, sharp and long s; what it makes of letters with marks
# stands beside something that is not kept. What becomes of an i depends on the language.
_LIGATURE = "s+t?|f+[il]?"
_OPEN = re.compile(rf"(?:{_LIGATURE}|[a-z])?[^{_KEPT}]+(?:{_LIGATURE}|[a-z])?|{_LIGATURE}|[ik]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Seeds:
    """
    What somebody named: events, a session as a whole, and the terms that tell of an entity.

    With `takes_mentions` whatever else tells of it goes too, whoever said it.
    """

    owner: Owner
    event_ids: frozenset[EventId]
    session_id: SessionId | None = None
    terms: tuple[str, ...] = ()
    takes_mentions: bool = False


@dataclass(frozen=True, slots=True)
class Closure:
    """What goes, in ledger order, and what else tells of it and stays."""

    gone: tuple[Recorded, ...]
    mentions: tuple[Recorded, ...]
    unsummarised: frozenset[ConversationId]


@dataclass(slots=True)
class _Session:
    """How much of a session goes, and what was said in that."""

    gone_count: int = 0
    said: list[str] = field(default_factory=list)


def closure(view: Snapshot, seeds: Seeds, *, looks_besides: bool = False) -> Closure:
    """
    Return everything that goes with *seeds*.

    What else tells of an entity and stays is looked for if *looks_besides*: that reads all that
    was ever recorded.
    """
    return Growth(view, seeds).grown(looks_besides=looks_besides)


class Growth:
    """What goes so far, and what that bears on."""

    def __init__(self, view: Snapshot, seeds: Seeds) -> None:
        self._view = view
        self._seeds = seeds
        self._within = Visibility(seeds.owner)
        self._tombstones = Tombstones(view)
        # What was set aside stands in no table, and holds words all the same.
        aside = view.asides(view.head().seq)
        self._aside = [*self._ours(self._tombstones.present(sorted(aside)))]
        self._gone: dict[EventId, Recorded] = {}
        self._standing: dict[EventId, Recorded] = {}
        self._sessions: defaultdict[SessionId, _Session] = defaultdict(_Session)
        self._gaps: defaultdict[ConversationId, list[int]] = defaultdict(list)
        self._lost: set[EventId] = set()
        self._noted: set[EventId] = set()
        self._witnesses: set[EventId] = set()

    def grown(self, *, looks_besides: bool) -> Closure:
        """Return all that goes in the end, and what else tells of it where that is looked for."""
        seeds = self._seeds
        mentions = [*self._mentions()] if looks_besides or seeds.takes_mentions else []
        fresh = [*self._present(seeds.event_ids)]
        if seeds.session_id is not None:
            fresh += self._descriptions([seeds.session_id])
        if seeds.takes_mentions:
            fresh += mentions
        while fresh:
            for one in fresh:
                self._take(one)
            staying = (one for one in self.touched(fresh) if one.event_id not in self._gone)
            fresh = [*filter(self._goes, staying), *self._left_alone()]
        witnesses = self._present(self._witnesses) if looks_besides else ()
        told = {one.seq: one for one in (*mentions, *witnesses)}
        return Closure(
            gone=tuple(sorted(self._gone.values(), key=lambda one: one.seq)),
            mentions=tuple(
                told[seq] for seq in sorted(told) if told[seq].event_id not in self._gone
            ),
            unsummarised=frozenset(self._unsummarised()),
        )

    def touched(self, fresh: Sequence[Recorded]) -> Iterator[Recorded]:
        """Yield what may go now that *fresh* goes: what names it, stands on it or tells of it."""
        yield from self._ours(Namings(self._view).of([one.seq for one in fresh]))
        yield from self._aside
        # Evidence that came later held it up.
        yield from [*self._standing.values()]
        said = [one.event.draft for one in fresh if isinstance(one.event, EpisodeRecorded)]
        yield from self._descriptions({one.session_id for one in said if one.session_id})
        yield from self._summaries({one.conversation_id for one in said if one.conversation_id})

    def _take(self, recorded: Recorded) -> None:
        """Note that something goes, and what others are decided by now."""
        if recorded.event_id in self._gone:
            return
        self._gone[recorded.event_id] = recorded
        event = recorded.event
        if isinstance(event, EpisodeRecorded):
            draft = event.draft
            if draft.session_id is not None:
                session = self._sessions[draft.session_id]
                session.gone_count += 1
                session.said.append(draft.text)
            if draft.conversation_id is not None:
                self._gaps[ConversationId(draft.conversation_id)].append(recorded.seq)
        self._lost |= {ulid_of(one) for one in _things_in(event)}
        if self._seeds.terms:
            self._witnesses |= event.rests_on
        parts = _parts(event)
        for one in event.rests_on - self._gone.keys() if parts else ():
            # A note that was written down only so that something rests on it.
            with suppress(NotFoundError):
                said = Episodes(self._view).get(EpisodeId.of(one), self._within)
                if said.kind is EpisodeKind.NOTE and _folded(said.text) in parts:
                    self._noted.add(one)

    def _goes(self, recorded: Recorded) -> bool:
        """Say whether something goes, now that what it names or tells of does."""
        event, gone = recorded.event, self._gone.keys()
        if event.goes(gone) or self._is_told_of(event):
            return True
        if event.rests_on.isdisjoint(gone):
            return False
        self._standing[recorded.event_id] = recorded
        return self._has_no_ground(recorded)

    def _is_told_of(self, event: Event) -> bool:
        """Say whether an event tells, as a whole, of what goes in part."""
        match event:
            case SummaryWritten(draft=draft):
                first, last = (self._message_at(one) for one in (draft.first, draft.last))
                gaps = self._gaps[draft.conversation_id]
                return any(first <= place <= (last or first) for place in gaps)
            case SessionDescribed(session_id=session_id, info=info):
                if session_id == self._seeds.session_id:
                    return True
                found = self._sessions[session_id]
                title = _folded(info.title)
                if 0 < found.gone_count == self._said_in(session_id):
                    return True
                said = map(_folded, found.said)
                return len(title) >= _TITLE_CHARS_MIN and any(title in one for one in said)
            case _:
                return False

    def _said_in(self, session_id: SessionId) -> int:
        return Episodes(self._view).count_in(session_id, self._seeds.owner)

    def _message_at(self, episode_id: EpisodeId) -> int:
        """Return the place of a message; 0 where it was erased earlier."""
        return next((one.seq for one in self._present([ulid_of(episode_id)])), 0)

    def _has_no_ground(self, recorded: Recorded) -> bool:
        """Say whether nothing but what goes holds something up, or says what it says."""
        roots = recorded.event.rests_on | self._later_grounds(recorded)
        # What was erased earlier holds nothing up any more.
        present = self._tombstones.present(sorted(roots - self._gone.keys()))
        standing = {one.event_id for one in present}
        if not standing:
            return True
        lost, kept = self._said(roots & self._gone.keys()), self._said(standing)
        return any(part in lost and part not in kept for part in _parts(recorded.event))

    def _later_grounds(self, recorded: Recorded) -> set[EventId]:
        """Return the episodes that hold something up by now."""
        match recorded.event:
            case FactRecorded():
                facts = Facts(self._view).at([recorded.seq], self._within)
                return {ulid_of(one.episode_id) for fact in facts for one in fact.evidence}
            case GapDetected():
                gap_id = GapId.of(recorded.event_id)
                trail = Gaps(self._view).trail(gap_id, self._within)
                return {ulid_of(one.evidence.episode_id) for one in trail}
            case _:
                return set()

    def _said(self, event_ids: AbstractSet[EventId]) -> str:
        texts = []
        for one in sorted(event_ids):
            # What was erased earlier says nothing any more.
            with suppress(NotFoundError):
                texts.append(Episodes(self._view).get(EpisodeId.of(one), self._within).text)
        return "\n".join(map(_folded, texts))

    def _left_alone(self) -> Iterator[Recorded]:
        """Yield things and notes that nothing else speaks of any more; asked for, all evidence."""
        aspects = [one.aspects for one in events_by_kind().values()]
        telling = [one.kind for one in aspects if one.is_telling]
        resting = [one.kind for one in aspects if one.rests_on]
        for thing in self._present(self._lost - self._gone.keys()):
            made = thing.event
            if not isinstance(made, EntityRecorded) or not _is_anchor(made.draft):
                self._lost.discard(thing.event_id)
            elif not self._is_named_by(thing, telling):
                yield thing
        for note in self._present(self._noted - self._gone.keys()):
            if not self._is_named_by(note, resting):
                yield note
        if self._seeds.takes_mentions:
            yield from self._present(self._witnesses - self._gone.keys())

    def _is_named_by(self, one: Recorded, kinds: Collection[str]) -> bool:
        """Say whether anything that stays, of these kinds, names *one*."""
        gone = [each.seq for each in self._gone.values()]
        return Namings(self._view).is_named(one, kinds, but=gone) or any(
            each.event.kind in kinds and one.event_id in each.event.names
            for each in self._aside
            if each.event_id not in self._gone
        )

    def _mentions(self) -> Iterator[Recorded]:
        """Yield what tells of somebody by a name or an address."""
        terms = _known_terms(self._seeds.terms)
        hint, whole = hint_of(terms), [*map(_whole, terms)]

        def tells(payload: str) -> bool:
            # Folding long texts costs more than all else, so what cannot hold a term is spared it.
            if not hint.search(payload.encode()):
                return False
            words = (word.casefold() for word in strings_in(json.loads(payload)))
            return any(term.search(word) for word in words for term in whole)

        yield from self._ours(self._view.like(like_any(terms), self._seeds.owner, tells))

    def _unsummarised(self) -> Iterator[ConversationId]:
        for one in self._gone.values():
            if isinstance(one.event, SummaryWritten):
                conversation_id = one.event.draft.conversation_id
                if not is_named(self._gone.keys(), conversation_id):
                    yield conversation_id

    def _descriptions(self, session_ids: Iterable[SessionId]) -> Iterator[Recorded]:
        for session_id in session_ids:
            yield from self._ours(self._view.described(session_id))

    def _summaries(self, conversation_ids: Iterable[str]) -> Iterator[Recorded]:
        for one in conversation_ids:
            with suppress(NotFoundError):
                known = Conversations(self._view).summaries(ConversationId(one), self._within)
                yield from self._present(ulid_of(summary.id) for summary in known)

    def _present(self, event_ids: Iterable[EventId]) -> Iterator[Recorded]:
        return self._ours(self._tombstones.present(sorted(event_ids)))

    def _ours(self, found: Iterable[Recorded]) -> Iterator[Recorded]:
        """Yield what is the owner's of what was found, and anybody's to erase."""
        for one in found:
            if one.owner == self._seeds.owner and not isinstance(one.event, _SPARED):
                yield one


def _parts(event: Event) -> Sequence[str]:
    """Return what something says, in the pieces that may be somebody's own words."""
    return list(map(_folded, event.says))


def _is_anchor(made: EntityDraft) -> bool:
    """Say whether a thing was made for a fact to be about (`facts.write.fact_entities`)."""
    return made.type is EntityType.THING and not (made.aliases or made.metadata)


def _things_in(event: Event) -> Sequence[str]:
    """Return the things that an event tells of."""
    if not event.aspects.is_telling:
        return ()
    return [one for one in event.goes_with if one.startswith(EntityId.prefix)]


def _known_terms(terms: Sequence[str]) -> Sequence[str]:
    """Return terms as they are looked for, the longest first."""
    known = sorted({one.casefold().strip() for one in terms}, key=lambda one: (-len(one), one))
    return [one for one in known if len(one) >= _TERM_CHARS_MIN]


def like_any(terms: Sequence[str]) -> Sequence[str]:
    """
    Return patterns of SQL that let through whatever JSON holds one of the folded *terms*.

    What other characters may be folded to, and what JSON or SQL escapes, is left open; what
    becomes of an i depends on the language of the database.
    """
    one_letter = {"s": "_", "i": "_", "k": "_", "f": "f"}
    opened = (_OPEN.sub(lambda open_: one_letter.get(open_[0], "%"), one) for one in terms)
    return [f"%{_from_rarest(one)}%" for one in opened]


def _from_rarest(pattern: str) -> str:
    """
    Return a pattern without what stands before its rarest letter, where enough is left.

    SQLite looks for the first letter of a pattern, and tries the rest at each that it finds.
    """
    pattern = pattern.lstrip("%_")
    begin = range(max(1, len(pattern) - _LEFT_CHARS_MIN + 1))
    return pattern[max(begin, key=lambda at: _COMMON.find(pattern[at : at + 1]) % len(_COMMON)) :]


def hint_of(terms: Sequence[str]) -> re2._Regexp:
    """Return a pattern that lets through the same, and tells a letter alone from any other."""
    apart = (
        _OPEN.sub(lambda open_: open_[0] if open_[0] in "sikf" else "\0", one) for one in terms
    )
    hints = (".*".join(map(re2.escape, one.split("\0"))) for one in apart)
    return re2.compile(f"(?is){'|'.join(hints)}".encode())


def _whole(term: str) -> re.Pattern[str]:
    """Return a pattern of a term between no letters; what stands before it is looked at last."""
    word = re.escape(term)
    return re.compile(rf"{word}(?!\w)(?<!\w{word})")


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
