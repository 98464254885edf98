"""
What goes with what is erased: the closure over everything that rests on it or tells of it.

It grows from what somebody named. Whatever names something that goes is looked up, and weighed;
so is what stands on it though it does not name it: the description of a session, a summary, a
thing that nothing else speaks of. Nothing that goes comes back, so the order does not matter, and
it ends once nothing more goes.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import field

from tilth.core.actor import DISTILLER, Actor
from tilth.core.dataclass import dataclass
from tilth.core.errors import NotFoundError
from tilth.core.event import Event, Recorded, events_by_kind, is_named
from tilth.core.ids import ConversationId, EntityId, EpisodeId, EventId, SessionId, ulid_of
from tilth.core.scope import Owner, Visibility
from tilth.episodes.episode import EpisodeKind
from tilth.episodes.events import EpisodeRecorded, SessionDescribed
from tilth.episodes.tables import Episodes
from tilth.erasure.search_mentions import telling
from tilth.gaps.events import GapDetected
from tilth.gaps.model import GapId
from tilth.gaps.tables import Gaps
from tilth.knowledge.entities.entity import EntityDraft
from tilth.knowledge.entities.events import EntityRecorded, EntityTyped
from tilth.knowledge.entities.sighting import is_sighted
from tilth.knowledge.entities.sightings import Sightings
from tilth.knowledge.facts.events import FactRecorded
from tilth.knowledge.facts.tables import Facts
from tilth.knowledge.graph.events import EdgeRecorded
from tilth.knowledge.vocabulary.registries import EntityType
from tilth.ledger.events import Erased, StoreCreated
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.tables import Namings, Tombstones
from tilth.people.conversation_tables import Conversations
from tilth.people.events import SummaryWritten

# Shorter titles are words that anybody uses.
_TITLE_CHARS_MIN = 8
# What holds nobody's words, or is never anybody's to erase.
_SPARED = (Erased, StoreCreated)
# What distillation says of a thing that several sessions name.
_ACQUAINTED = (EdgeRecorded, EntityTyped)


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


def closure(
    view: Snapshot,
    seeds: Seeds,
    *,
    looks_besides: bool = False,
    mentions: Sequence[Recorded] | None = None,
) -> Closure:
    """
    Return everything that goes with *seeds*.

    What else tells of an entity and stays is looked for if *looks_besides*: that reads all that
    was ever recorded, unless *mentions* are what somebody found who searched (`search_mentions`).
    """
    if mentions is None:
        looks = looks_besides or seeds.takes_mentions
        mentions = telling(view, seeds.terms, seeds.owner) if looks else ()
    return Growth(view, seeds).grown(mentions, looks_besides=looks_besides)


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
        # Where programs name a thing is asked again whenever something more goes.
        self._namings: dict[EventId, list[int]] = {}
        self._gone_seqs: set[int] = set()

    def grown(self, mentions: Iterable[Recorded], *, looks_besides: bool) -> Closure:
        """Return all that goes in the end, and what else tells of it where that is looked for."""
        seeds, mentions = self._seeds, [*self._ours(mentions)]
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
        self._gone_seqs.add(recorded.seq)
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
        for thing in self._present((self._lost | self._sighted()) - self._gone.keys()):
            made = thing.event
            if not isinstance(made, EntityRecorded) or not _is_anchor(made.draft, thing.by):
                self._lost.discard(thing.event_id)
            elif not self._is_kept(thing, telling):
                yield thing
        for note in self._present(self._noted - self._gone.keys()):
            if not self._is_named_by(note, resting):
                yield note
        if self._seeds.takes_mentions:
            yield from self._present(self._witnesses - self._gone.keys())

    def _sighted(self) -> set[EventId]:
        """Return the things that programs name in what goes."""
        said = [one for one in self._gone.values() if isinstance(one.event, EpisodeRecorded)]
        scopes = {scope for one in said if (scope := one.event.named_scope)}
        if not scopes:
            return set()
        within = Visibility(self._seeds.owner, frozenset(scopes))
        found = Sightings(self._view).named_at([one.seq for one in said], within)
        return {ulid_of(one.id) for one in found}

    def _is_kept(self, thing: Recorded, telling: Collection[str]) -> bool:
        """Say whether anything that stays tells of a thing, or names it."""
        if not self._gone_seqs.issuperset(self._naming(thing)):
            return True
        named = Namings(self._view).of([thing.seq])
        # That it is used in its project is told of what is named there, and keeps nothing.
        own = [
            one.seq for one in named if one.by == DISTILLER and isinstance(one.event, _ACQUAINTED)
        ]
        return self._is_named_by(thing, telling, but=own)

    def _naming(self, thing: Recorded) -> Sequence[int]:
        """Return the places of the episodes in which programs name a thing."""
        made = thing.event
        if isinstance(made, EntityRecorded) and thing.event_id not in self._namings:
            found = Sightings(self._view).naming(made.draft, self._seeds.owner)
            self._namings[thing.event_id] = found
        return self._namings.get(thing.event_id, ())

    def _is_named_by(
        self, one: Recorded, kinds: Collection[str], *, but: Sequence[int] = ()
    ) -> bool:
        """Say whether anything that stays, of these kinds and but for some, names *one*."""
        gone = [*but, *self._gone_seqs]
        return Namings(self._view).is_named(one, kinds, but=gone) or any(
            each.event.kind in kinds and one.event_id in each.event.names
            for each in self._aside
            if each.event_id not in self._gone
        )

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


def _is_anchor(made: EntityDraft, by: Actor) -> bool:
    """Say whether a thing was made for a fact to be about, or since sessions name it."""
    is_read = by == DISTILLER and made.type is EntityType.PERSON
    is_made_for_facts = is_read or made.type is EntityType.THING
    is_plain = not (made.aliases or made.metadata)
    return (is_made_for_facts and is_plain) or is_sighted(made.metadata)


def _things_in(event: Event) -> Sequence[str]:
    """Return the things that an event tells of."""
    if not event.aspects.is_telling:
        return ()
    return [one for one in event.goes_with if one.startswith(EntityId.prefix)]


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
