"""
What goes with what is erased: the closure over everything that rests on it or tells of it.

The ledger is walked from its beginning, since an event names only what came before it. What a
later event does to an earlier one (words that go, a last surviving use) shows after a walk, and
then it is walked again, until nothing more goes: three times at the most, as a rule.
"""

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import dataclass, field

from tilth.core.errors import NotFoundError
from tilth.core.event import Event, Recorded, encode, is_named
from tilth.core.ids import ConversationId, EntityId, EpisodeId, EventId, SessionId, ulid_of
from tilth.core.scope import Owner, Visibility
from tilth.episodes.episode import EpisodeDraft, EpisodeKind
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
from tilth.ledger.tables import Tombstones
from tilth.people.events import SummaryWritten

_PAGE = 2000
# Shorter titles are words that anybody uses.
_TITLE_CHARS_MIN = 8
_TERM_CHARS_MIN = 3
# What holds nobody's words, or is never anybody's to erase.
_SPARED = (Erased, StoreCreated)


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

    count: int = 0
    gone_count: int = 0
    said: list[str] = field(default_factory=list)


def closure(view: Snapshot, seeds: Seeds) -> Closure:
    """Return everything that goes with *seeds*."""
    gone = set(seeds.event_ids)
    sessions: Mapping[SessionId, _Session] = {}
    while True:
        walk = _Walk(view, seeds, gone, sessions)
        for recorded in _ledger(view, seeds.owner):
            walk.step(recorded)
        if walk.is_settled:
            mentions = {one.seq: one for one in (*walk.mentions, *walk.witnesses())}
            return Closure(
                gone=tuple(walk.gone),
                mentions=tuple(mentions[seq] for seq in sorted(mentions)),
                unsummarised=frozenset(walk.unsummarised),
            )
        gone, sessions = walk.taken, walk.sessions


class _Walk:
    """One walk through the ledger, on what the walk before it found to go."""

    def __init__(
        self,
        view: Snapshot,
        seeds: Seeds,
        known: set[EventId],
        before: Mapping[SessionId, _Session],
    ) -> None:
        self._view = view
        self._seeds = seeds
        self._terms = _pattern(seeds.terms)
        self._before = before
        self._within = Visibility(seeds.owner)
        self._known = known
        self._seen: set[EventId] = set(known)
        self._is_late = False
        self._described: set[SessionId] = set()
        self._uses: defaultdict[EventId, int] = defaultdict(int)
        self._lost: set[EventId] = set()
        self._anchors: set[EventId] = set()
        self._noted: set[EventId] = set()
        self._held: set[EventId] = set()
        self._witnesses: set[EventId] = set()
        self._places: dict[EventId, int] = {}
        self._gaps: defaultdict[ConversationId, list[int]] = defaultdict(list)
        self.sessions: defaultdict[SessionId, _Session] = defaultdict(_Session)
        self.gone: list[Recorded] = []
        self.mentions: list[Recorded] = []
        self.unsummarised: set[ConversationId] = set()

    @property
    def taken(self) -> set[EventId]:
        """All that goes, with things and notes that nothing else speaks of any more."""
        orphans = {one for one in self._lost if not self._uses[one]}
        witnesses = self._witnesses if self._seeds.takes_mentions else set[EventId]()
        return self._seen | orphans | (self._noted - self._held) | witnesses

    def witnesses(self) -> list[Recorded]:
        """Return what stays though what goes rests on it: words about somebody, without a name."""
        return Tombstones(self._view).present(sorted(self._witnesses - self._seen))

    @property
    def is_settled(self) -> bool:
        """Whether nothing that was found on the way bears on what came before it."""
        touched = {one for one, session in self.sessions.items() if session.gone_count}
        is_retold = touched != {one for one, session in self._before.items() if session.gone_count}
        return self.taken == self._seen and not (
            self._is_late or (is_retold and touched & self._described)
        )

    def step(self, recorded: Recorded) -> None:
        """Decide about the next event."""
        event = recorded.event
        if isinstance(event, _SPARED):
            return
        is_mention = self._mentions(event)
        if self._goes(recorded) or (is_mention and self._seeds.takes_mentions):
            # What rests on words that go is weighed where it stands, maybe before them.
            is_known = recorded.event_id in self._known
            self._is_late |= isinstance(event, EpisodeRecorded) and not is_known
            self._seen.add(recorded.event_id)
            self.gone.append(recorded)
        elif is_mention:
            self.mentions.append(recorded)
        self._count(recorded)

    def _goes(self, recorded: Recorded) -> bool:
        event, gone = recorded.event, self._seen
        return (
            recorded.event_id in gone
            or event.goes(gone)
            or (not event.rests_on.isdisjoint(gone) and self._has_no_ground(recorded))
            or self._is_told_of(event)
        )

    def _is_told_of(self, event: Event) -> bool:
        """Say whether an event tells, as a whole, of what goes in part."""
        match event:
            case SummaryWritten(draft=draft):
                first, last = (self._places.get(ulid_of(one)) for one in (draft.first, draft.last))
                gaps = self._gaps[draft.conversation_id]
                return any((first or 0) <= place <= (last or first or 0) for place in gaps)
            case SessionDescribed(session_id=session_id, info=info):
                if session_id == self._seeds.session_id:
                    return True
                found = self._before.get(session_id, _Session())
                title = _folded(info.title)
                repeats = len(title) >= _TITLE_CHARS_MIN and any(title in one for one in found.said)
                return repeats or 0 < found.count == found.gone_count
            case _:
                return False

    def _has_no_ground(self, recorded: Recorded) -> bool:
        """Say whether nothing but what goes holds something up, or says what it says."""
        roots = recorded.event.rests_on | self._later_grounds(recorded)
        # What was erased earlier holds nothing up any more.
        present = Tombstones(self._view).present(sorted(roots - self._seen))
        standing = {one.event_id for one in present}
        if not standing:
            return True
        lost, kept = self._said(roots & self._seen), self._said(standing)
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

    def _mentions(self, event: Event) -> bool:
        if self._terms is None:
            return False
        words = strings_in(json.loads(encode(event)))
        return any(self._terms.search(word.casefold()) for word in words)

    def _count(self, recorded: Recorded) -> None:
        """Note what later events are decided by."""
        event, is_gone = recorded.event, recorded.event_id in self._seen
        match event:
            case EpisodeRecorded(draft=draft):
                self._count_episode(recorded, draft, is_gone=is_gone)
            case SummaryWritten(draft=summary) if is_gone and not is_named(
                self._seen, summary.conversation_id
            ):
                self.unsummarised.add(summary.conversation_id)
            case SessionDescribed(session_id=session_id):
                self._described.add(session_id)
            case EntityRecorded(draft=made) if _is_anchor(made):
                self._anchors.add(recorded.event_id)
        self._count_notes(recorded, is_gone=is_gone)
        for entity_id in _things_in(event):
            thing = ulid_of(entity_id)
            if is_gone and thing in self._anchors:
                self._lost.add(thing)
            self._uses[thing] += not is_gone

    def _count_episode(self, recorded: Recorded, draft: EpisodeDraft, *, is_gone: bool) -> None:
        if draft.session_id is not None:
            self._count_session(draft.session_id, draft.text, is_gone=is_gone)
        if draft.conversation_id is not None:
            self._places[recorded.event_id] = recorded.seq
            if is_gone:
                self._gaps[ConversationId(draft.conversation_id)].append(recorded.seq)

    def _count_notes(self, recorded: Recorded, *, is_gone: bool) -> None:
        """Note the notes that were written down only so that something rests on them."""
        roots = recorded.event.rests_on
        if not is_gone:
            self._held |= roots
            return
        if self._seeds.terms:
            self._witnesses |= roots
        parts = _parts(recorded.event)
        for one in roots - self._seen:
            with suppress(NotFoundError):
                said = Episodes(self._view).get(EpisodeId.of(one), self._within)
                if said.kind is EpisodeKind.NOTE and _folded(said.text) in parts:
                    self._noted.add(one)

    def _count_session(self, session_id: SessionId, text: str, *, is_gone: bool) -> None:
        session = self.sessions[session_id]
        session.count += 1
        if is_gone:
            session.gone_count += 1
            session.said.append(_folded(text))


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


def _ledger(view: Snapshot, owner: Owner) -> Iterator[Recorded]:
    after = 0
    while page := view.events(after=after, limit=_PAGE):
        yield from (recorded for recorded in page if recorded.owner == owner)
        after = page[-1].seq


def _pattern(terms: Sequence[str]) -> re.Pattern[str] | None:
    known = sorted({one.casefold().strip() for one in terms}, key=lambda one: (-len(one), one))
    known = [one for one in known if len(one) >= _TERM_CHARS_MIN]
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, known))})(?!\w)") if known else None


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())
