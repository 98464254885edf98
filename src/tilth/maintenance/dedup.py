"""
Find facts that say nearly the same, and ask a human whether they are one.

Nothing is merged here, however near two are, since a port and the next one are near, too (EM-053,
KB-118). Facts that disagree in a number, a name or a word are no duplicates. A question that a
human answered is not asked again.
"""

import logging
from collections.abc import Iterator, Sequence

from tilth.core.actor import require_known
from tilth.core.dataclass import dataclass
from tilth.core.ids import EntityId, FactId, ProposalId
from tilth.core.scope import Visibility
from tilth.embedding.embedder import Embedder
from tilth.episodes.remember import WriteContext
from tilth.knowledge.entities.tables import Entities
from tilth.knowledge.facts.fact import Fact, duplicate_key
from tilth.knowledge.facts.filters import FactFilter
from tilth.knowledge.facts.tables import Facts
from tilth.knowledge.likeness.conflicts import LIKENESS_MIN, conflicts
from tilth.knowledge.likeness.parse_statement import read_statement
from tilth.knowledge.proposals.proposal import ProposalDraft, ProposalKind
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Store
from tilth.maintenance.compare import (
    ask_about,
    is_asked_already,
    mean_cosines,
    nearest_places,
    new_facts,
)

logger = logging.getLogger(__name__)

EVENTS_MAX = 1000
# How many facts each is compared with, by the vectors of each tier, and how many are asked about.
_NEAR_MAX = 25
_ASKED_MAX = 3


@dataclass(frozen=True, slots=True)
class DuplicatePair:
    """Two facts that say nearly the same, the older first, and the cosine of the two."""

    older: FactId
    newer: FactId
    likeness: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Deduplicated:
    """
    How many facts were compared, the duplicates found, and the proposals opened, if not a dry run.

    The next call begins after the place `through` of the ledger; `is_done` says nothing is left.
    """

    is_dry_run: bool
    fact_count: int
    doubles: tuple[DuplicatePair, ...]
    asked: tuple[ProposalId, ...]
    through: int
    is_done: bool


def dedup(
    store: Store,
    embedders: Sequence[Embedder],
    recorder: WriteContext,
    *,
    after: int = 0,
    limit: int = EVENTS_MAX,
    is_dry_run: bool = False,
) -> Deduplicated:
    """
    Compare facts that became current with older ones about the same, and ask about duplicates.

    Args:
        store: The store with the facts.
        embedders: The embedders whose vectors say which facts are near.
        recorder: The caller, and the owner of the facts.
        after: The place in the ledger at which the last call ended.
        limit: How many events to read.
        is_dry_run: Return what would be asked, and write nothing.

    Raises:
        ForbiddenError: the caller is unknown.
    """
    require_known(recorder.by, "ask about what is there")
    with store.read() as view:
        events = view.events(after=after, limit=limit)
        facts = list(new_facts(view, events, recorder))
        pairs = [pair for fact in facts for pair in _pairs(view, fact, embedders)]
        new = [pair for pair in pairs if not is_asked_already(view, pair.question, recorder)]
    asked: list[ProposalId] = []
    if not is_dry_run:
        tried = (ask_about(store, (one.older, one.newer), one.question, recorder) for one in new)
        asked = [one for one in tried if one is not None]
    level = logging.INFO if facts else logging.DEBUG
    counts = (len(facts), len(new), len(asked))
    logger.log(level, "doubles looked for: facts=%d found=%d asked=%d", *counts)
    return Deduplicated(
        is_dry_run=is_dry_run,
        fact_count=len(facts),
        doubles=tuple(DuplicatePair(one.older.id, one.newer.id, one.likeness) for one in new),
        asked=tuple(asked),
        through=events[-1].seq if events else after,
        is_done=len(events) < limit,
    )


@dataclass(frozen=True, slots=True)
class _Pair:
    older: Fact
    newer: Fact
    likeness: float

    @property
    def question(self) -> ProposalDraft:
        return ProposalDraft(
            kind=ProposalKind.DUPLICATE,
            reason=f"they say nearly the same: {self.likeness:.2f} of 1",
            scope=self.newer.life.scope,
            facts=(self.older.id, self.newer.id),
            detail={"likeness": self.likeness},
            key=duplicate_key(self.older, self.newer),
        )


def _pairs(view: Snapshot, fact: Fact, embedders: Sequence[Embedder]) -> Iterator[_Pair]:
    """Yield a fact with older ones that say nearly the same, the most similar first."""
    if fact.slot:
        # One slot has one value, and two slots differ even if their values are equal.
        return
    said = read_statement(fact.said.text)
    others = [one for one in _near(view, fact, embedders) if one.seq < fact.seq and not one.slot]
    cosines = mean_cosines(view, fact, others, embedders)
    found = [
        _Pair(other, fact, round(cosine, 3))
        for other, cosine in zip(others, cosines, strict=True)
        if cosine is not None
        and cosine >= LIKENESS_MIN
        and not conflicts(said, read_statement(other.said.text))
    ]
    yield from sorted(found, key=lambda one: -one.likeness)[:_ASKED_MAX]


def _near(view: Snapshot, fact: Fact, embedders: Sequence[Embedder]) -> list[Fact]:
    """Return the current facts of the same scope and channel, about one of the same things."""
    within = Visibility(fact.owner, frozenset({fact.life.scope}))
    which = FactFilter(within=within, channel=fact.said.channel)
    seqs = nearest_places(view, fact, which, embedders, limit=_NEAR_MAX)
    ours = _entities_of(view, fact)
    return [
        one
        for one in Facts(view).at(list(dict.fromkeys(seqs)), within)
        if one.said.channel is fact.said.channel and ours & _entities_of(view, one)
    ]


def _entities_of(view: Snapshot, fact: Fact) -> frozenset[EntityId]:
    within = Visibility(fact.owner)
    return frozenset(Entities(view).canonical(one, within).id for one in fact.about)
