"""
Record a gap: a new one, or more evidence of a known one.

The report is compared with the known gaps of its scope. The same gap in other words is the same
gap; for a likely one a human is asked; and a gap that is over and comes up again is a new gap that
names the old one.
"""

import logging
from collections.abc import Iterable, Sequence

from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError
from tilth.core.ids import EpisodeId, ProposalId
from tilth.core.scope import Scope, Visibility
from tilth.core.text.tokens import words
from tilth.episodes.episode import Episode
from tilth.episodes.remember import WriteContext
from tilth.gaps.events import GapDetected, GapEvidenced
from tilth.gaps.gap_matching import GapMatcher, Match
from tilth.gaps.model import Gap, GapDraft, GapEvidence, GapId, GapKind, GapStatus, KnownGap
from tilth.gaps.tables import Gaps
from tilth.knowledge.proposals.ask import open_proposal
from tilth.knowledge.proposals.proposal import ProposalDraft, ProposalKind
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Transaction

logger = logging.getLogger(__name__)

# With how many of a scope's gaps, the last recorded, a report is compared.
_KNOWN_MAX = 1000


@dataclass(frozen=True, slots=True)
class ShownWords:
    """Words of an episode that show a gap."""

    episode: Episode
    start: int
    end: int

    @property
    def said_by(self) -> tuple[str, tuple[str, ...]]:
        """The speaker and the words in normal form: equal for a copy."""
        one = self.episode
        who = one.entity_id or one.address or one.speaker
        return who, tuple(words(one.text[self.start : self.end]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Sighting:
    """A reported gap in one scope, with its evidence."""

    description: str
    kind: GapKind
    scope: Scope
    shown: tuple[ShownWords, ...]
    follows: GapId | None = None
    model: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """
    The recorded gap, and whether it is new.

    `asked` is the proposal to merge it with another gap, if there is one.
    """

    gap: Gap
    is_new: bool
    asked: ProposalId | None = None


def record_in(
    tx: Transaction, sighting: Sighting, recorder: WriteContext, matcher: GapMatcher
) -> Noted:
    """
    Record a gap in the caller's transaction, so that nobody else records it meanwhile.

    Raises:
        InvalidInputError: the gap that it follows is not over.
    """
    follows, match = sighting.follows, Match()
    if follows is None:
        known = known_gaps(tx, sighting.scope, recorder)
        match = matcher.match(sighting.description, known)
    elif not Gaps(tx).get(follows, Visibility(recorder.owner)).is_over:
        raise InvalidInputError(
            f"{follows} is not over, so nothing follows it",
            hint="leave --follows out, and it is added to what it is like",
        )
    if match.same is not None:
        if not _recurs(match.same.gap, sighting):
            return _add_evidence(tx, match.same, sighting, recorder)
        follows = match.same.gap.id
    gap = _record_new(tx, sighting, follows, recorder)
    asked = None if match.near is None else _ask(tx, match.near, gap, recorder)
    return Noted(gap=gap, is_new=True, asked=asked)


def known_gaps(view: Snapshot, scope: Scope, recorder: WriteContext) -> list[KnownGap]:
    """Return the known gaps of exactly this scope."""
    realm = Visibility(recorder.owner, frozenset({scope}))
    return Gaps(view).known(realm, limit=_KNOWN_MAX)


def _recurs(gap: Gap, sighting: Sighting) -> bool:
    """Say whether a resolved gap came up after that; one that will not be fixed stays so."""
    latest = max(one.episode.occurred_at for one in sighting.shown)
    return gap.status is GapStatus.RESOLVED and latest > gap.moved_at


def _add_evidence(
    tx: Transaction, known: KnownGap, sighting: Sighting, recorder: WriteContext
) -> Noted:
    before = [
        ShownWords(one.episode, one.evidence.start, one.evidence.end)
        for one in known.trail
        if one.episode is not None
    ]
    held = {one.evidence.episode_id for one in known.trail}
    new = [one for one in sighting.shown if one.episode.id not in held]
    gap_id = known.gap.id
    if new:
        event = GapEvidenced(gap_id=gap_id, evidence=_evidence(new, before))
        tx.append(event, by=recorder.by, owner=recorder.owner)
    return Noted(gap=Gaps(tx).get(gap_id, Visibility(recorder.owner)), is_new=False)


def _record_new(
    tx: Transaction, sighting: Sighting, follows: GapId | None, recorder: WriteContext
) -> Gap:
    draft = GapDraft(
        description=sighting.description,
        kind=sighting.kind,
        evidence=_evidence(sighting.shown, ()),
        scope=sighting.scope,
        follows=follows,
        model=sighting.model,
    )
    event = tx.append(GapDetected(draft), by=recorder.by, owner=recorder.owner)
    gap_id = GapId.of(event.recorded.event_id)
    return Gaps(tx).get(gap_id, Visibility(recorder.owner))


def _evidence(new: Sequence[ShownWords], before: Iterable[ShownWords]) -> tuple[GapEvidence, ...]:
    """Return *new* as evidence; a repetition of somebody's own words has the same root (I24)."""
    roots: dict[tuple[str, tuple[str, ...]], EpisodeId] = {}
    for one in before:
        roots.setdefault(one.said_by, one.episode.id)
    found = []
    for one in new:
        root = roots.setdefault(one.said_by, one.episode.id)
        repeats = None if root == one.episode.id else root
        found.append(GapEvidence(one.episode.id, one.start, one.end, repeats))
    return tuple(found)


def _ask(tx: Transaction, near: Gap, gap: Gap, recorder: WriteContext) -> ProposalId:
    """Propose to merge two gaps; the one with a TODO, or else the older, would remain."""
    draft = ProposalDraft(
        kind=ProposalKind.GAP_MERGE,
        reason="they ask for nearly the same: compare them with `tilth gap show`",
        scope=gap.scope,
        detail={"winner": near.id, "loser": gap.id},
        key=f"gaps:{near.id}:{gap.id}",
    )
    return open_proposal(tx, draft, recorder).id
