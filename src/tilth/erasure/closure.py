"""
Find what goes with erased records: the closure over everything that rests on them.

It grows from the records that somebody named. Each step looks up what names a record that goes, and
what rests on it without naming it: the description of a session, a summary, an entity that nothing
else mentions. No record that goes comes back, so the order of the steps does not matter.
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
from tilth.erasure.search_mentions import mentioning
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
# Events that hold nobody's words.
_SPARED = (Erased, StoreCreated)
# What distillation records of an entity that several sessions name.
_ACQUAINTED = (EdgeRecorded, EntityTyped)


@dataclass(frozen=True, slots=True, kw_only=True)
class Seeds:
    """
    What an erase begins with: events, a whole session, and the names and addresses of an entity.

    With `takes_mentions` everything that mentions the entity goes too.
    """

    owner: Owner
    event_ids: frozenset[EventId]
    session_id: SessionId | None = None
    terms: tuple[str, ...] = ()
    takes_mentions: bool = False


@dataclass(frozen=True, slots=True)
class Closure:
    """
    The events that go, and those that mention the entity and stay, both in ledger order.

    `unsummarised` are conversations that lose a summary and stay.
    """

    gone: tuple[Recorded, ...]
    mentions: tuple[Recorded, ...]
    unsummarised: frozenset[ConversationId]


@dataclass(slots=True)
class _Session:
    """How many episodes of a session go, and their texts."""

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

    With *looks_besides*, mentions of the entity that stay are found as well. That reads the whole
    ledger, unless *mentions* are what `search_mentions` found already.
    """
    if mentions is None:
        looks = looks_besides or seeds.takes_mentions
        mentions = mentioning(view, seeds.terms, seeds.owner) if looks else ()
    return Growth(view, seeds).grown(mentions, looks_besides=looks_besides)


class Growth:
    """The records that go so far, and those that depend on them."""

    def __init__(self, view: Snapshot, seeds: Seeds) -> None:
        self._view = view
        self._seeds = seeds
        self._within = Visibility(seeds.owner)
        self._tombstones = Tombstones(view)
        # Operations that were set aside are in no table, but still hold words.
        aside = view.asides(view.head().seq)
        self._aside = [*self._ours(self._tombstones.present(sorted(aside)))]
        self._gone: dict[EventId, Recorded] = {}
        self._upheld: dict[EventId, Recorded] = {}
        self._sessions: defaultdict[SessionId, _Session] = defaultdict(_Session)
        self._gaps: defaultdict[ConversationId, list[int]] = defaultdict(list)
        self._lost: set[EventId] = set()
        self._noted: set[EventId] = set()
        self._witnesses: set[EventId] = set()
        # Cached, since each step asks for them again.
        self._namings: dict[EventId, list[int]] = {}
        self._gone_seqs: set[int] = set()

    def grown(self, mentions: Iterable[Recorded], *, looks_besides: bool) -> Closure:
        """Return the whole closure."""
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
            fresh = [*filter(self._goes, staying), *self._orphans()]
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
        """Yield what may go now that *fresh* goes: what names it, rests on it or describes it."""
        yield from self._ours(Namings(self._view).of([one.seq for one in fresh]))
        yield from self._aside
        # Later evidence upheld these so far.
        yield from [*self._upheld.values()]
        said = [one.event.draft for one in fresh if isinstance(one.event, EpisodeRecorded)]
        yield from self._descriptions({one.session_id for one in said if one.session_id})
        yield from self._summaries({one.conversation_id for one in said if one.conversation_id})

    def _take(self, recorded: Recorded) -> None:
        """Note that a record goes, and what its going may decide."""
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
        self._lost |= {ulid_of(one) for one in _entities_in(event)}
        if self._seeds.terms:
            self._witnesses |= event.rests_on
        parts = _texts(event)
        for one in event.rests_on - self._gone.keys() if parts else ():
            # A note that was recorded only as evidence of this record.
            with suppress(NotFoundError):
                said = Episodes(self._view).get(EpisodeId.of(one), self._within)
                if said.kind is EpisodeKind.NOTE and _folded(said.text) in parts:
                    self._noted.add(one)

    def _goes(self, recorded: Recorded) -> bool:
        """Say whether a record goes, now that what it names or describes does."""
        event, gone = recorded.event, self._gone.keys()
        if event.goes(gone) or self._describes_gone(event):
            return True
        if event.rests_on.isdisjoint(gone):
            return False
        self._upheld[recorded.event_id] = recorded
        return self._lacks_evidence(recorded)

    def _describes_gone(self, event: Event) -> bool:
        """Say whether an event describes a conversation or session that goes in part."""
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
                said_count = Episodes(self._view).count_in(session_id, self._seeds.owner)
                if 0 < found.gone_count == said_count:
                    return True
                said = map(_folded, found.said)
                return len(title) >= _TITLE_CHARS_MIN and any(title in one for one in said)
            case _:
                return False

    def _message_at(self, episode_id: EpisodeId) -> int:
        """Return the place of a message; 0 where it was erased earlier."""
        return next((one.seq for one in self._present([ulid_of(episode_id)])), 0)

    def _lacks_evidence(self, recorded: Recorded) -> bool:
        """Say whether a record loses all its evidence, or all evidence of its words."""
        roots = recorded.event.rests_on | self._evidence_now(recorded)
        # Episodes that were erased earlier are no evidence any more.
        present = self._tombstones.present(sorted(roots - self._gone.keys()))
        standing = {one.event_id for one in present}
        if not standing:
            return True
        lost, kept = self._said(roots & self._gone.keys()), self._said(standing)
        return any(part in lost and part not in kept for part in _texts(recorded.event))

    def _evidence_now(self, recorded: Recorded) -> set[EventId]:
        """Return the episodes that were added as evidence of a record later."""
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
            # Episodes that were erased earlier have no words.
            with suppress(NotFoundError):
                texts.append(Episodes(self._view).get(EpisodeId.of(one), self._within).text)
        return "\n".join(map(_folded, texts))

    def _orphans(self) -> Iterator[Recorded]:
        """
        Yield entities and notes that nothing else names any more.

        If mentions go, all evidence of what goes is yielded, too.
        """
        aspects = [one.aspects for one in events_by_kind().values()]
        telling = [one.kind for one in aspects if one.is_telling]
        resting = [one.kind for one in aspects if one.rests_on]
        for thing in self._present((self._lost | self._sighted()) - self._gone.keys()):
            made = thing.event
            if not isinstance(made, EntityRecorded) or not _is_incidental(made.draft, thing.by):
                self._lost.discard(thing.event_id)
            elif not self._is_kept(thing, telling):
                yield thing
        for note in self._present(self._noted - self._gone.keys()):
            if not self._is_named_by(note, resting):
                yield note
        if self._seeds.takes_mentions:
            yield from self._present(self._witnesses - self._gone.keys())

    def _sighted(self) -> set[EventId]:
        """Return the entities that tool calls name in the episodes that go."""
        said = [one for one in self._gone.values() if isinstance(one.event, EpisodeRecorded)]
        scopes = {scope for one in said if (scope := one.event.named_scope)}
        if not scopes:
            return set()
        within = Visibility(self._seeds.owner, frozenset(scopes))
        found = Sightings(self._view).named_at([one.seq for one in said], within)
        return {ulid_of(one.id) for one in found}

    def _is_kept(self, thing: Recorded, telling: Collection[str]) -> bool:
        """Say whether anything that stays mentions an entity."""
        if not self._gone_seqs.issuperset(self._naming(thing)):
            return True
        named = Namings(self._view).of([thing.seq])
        # Distillation records the project of every entity that sessions name: that keeps nothing.
        own = [
            one.seq for one in named if one.by == DISTILLER and isinstance(one.event, _ACQUAINTED)
        ]
        return self._is_named_by(thing, telling, but=own)

    def _naming(self, thing: Recorded) -> Sequence[int]:
        """Return the places of the episodes whose tool calls name an entity."""
        made = thing.event
        if isinstance(made, EntityRecorded) and thing.event_id not in self._namings:
            found = Sightings(self._view).naming(made.draft, self._seeds.owner)
            self._namings[thing.event_id] = found
        return self._namings.get(thing.event_id, ())

    def _is_named_by(
        self, one: Recorded, kinds: Collection[str], *, but: Sequence[int] = ()
    ) -> bool:
        """Say whether an event of these kinds that stays, except those at *but*, names *one*."""
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
        """Yield those of *found* that are the owner's and can be erased."""
        for one in found:
            if one.owner == self._seeds.owner and not isinstance(one.event, _SPARED):
                yield one


def _texts(event: Event) -> Sequence[str]:
    """Return the texts of an event in folded form."""
    return list(map(_folded, event.says))


def _is_incidental(made: EntityDraft, by: Actor) -> bool:
    """Say whether an entity was recorded only for a fact about it, or because sessions name it."""
    is_read = by == DISTILLER and made.type is EntityType.PERSON
    is_made_for_facts = is_read or made.type is EntityType.THING
    is_plain = not (made.aliases or made.metadata)
    return (is_made_for_facts and is_plain) or is_sighted(made.metadata)


def _entities_in(event: Event) -> Sequence[str]:
    """Return the entities that an event tells of."""
    named = event.goes_with if event.aspects.is_telling else ()
    return [one for one in named if one.startswith(EntityId.prefix)]


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
