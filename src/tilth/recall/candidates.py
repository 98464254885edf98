"""
Gather candidates: each arm of recall proposes episodes and facts that may answer.

An arm that fails loses only its own candidates, and leaves a note.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import field, replace
from functools import partial

import numpy as np

from tilth.core.dataclass import dataclass
from tilth.core.errors import UnavailableError
from tilth.core.lifecycle import may_contradict
from tilth.embedding.embedder import Embedder, Vector
from tilth.episodes.episode import Episode, Place
from tilth.episodes.filters import EpisodeFilter
from tilth.episodes.tables import Episodes
from tilth.knowledge.facts.filters import FactFilter
from tilth.knowledge.facts.ranking_inputs import FactPlaces
from tilth.knowledge.facts.tables import Facts
from tilth.ledger.engine import Scored
from tilth.ledger.search import CorpusStats, Search
from tilth.ledger.snapshot import Snapshot
from tilth.recall.order.signals import KnownFact
from tilth.recall.question import Question
from tilth.recall.recaller import Recaller
from tilth.recall.times import Precision, TimeRange

# With 160 and 80, LoCoMo's questions find 0.1 in 100 more.
LEXICAL_MAX = 100
NEAREST_MAX = 60
DATED_MAX = 100
# The most facts of each arm: a fact says one thing, so few are needed.
FACTS_MAX = 40
# How many of the best episodes bring along the facts that rest on them.
EVIDENCE_MAX = 24
# The cost of a search: the rarest terms are used until their episodes add up to this.
TERMS_MAX = 16
POSTINGS_MAX = 8_000
TERMS_KEPT = 2


@dataclass(frozen=True, slots=True)
class Ask:
    """
    One question with what answers it: the snapshot, the recaller, and the filters.

    If `facts` is None, no facts are searched.
    """

    view: Snapshot
    recaller: Recaller
    question: Question
    which: EpisodeFilter
    facts: FactFilter | None = None
    _read: dict[int, Episode] = field(default_factory=dict)

    def episodes(self, seqs: Iterable[int]) -> list[Episode]:
        """Return the visible episodes at *seqs*, in ledger order; each is read once."""
        wanted = sorted(seqs)
        if new := [seq for seq in wanted if seq not in self._read]:
            read = Episodes(self.view).at(new, self.which.within)
            self._read.update((one.seq, one) for one in read)
        return [self._read[seq] for seq in wanted if seq in self._read]


@dataclass(slots=True)
class Gathered:
    """The candidates of all arms: places, ranks by arm, and notes on failures."""

    corpus: CorpusStats
    ranks: dict[str, dict[int, int]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    vectors: dict[str, Vector] = field(default_factory=dict)
    # Facts have ranks of their own, since they would displace episodes.
    fact_ranks: dict[str, dict[int, int]] = field(default_factory=dict)
    facts: Mapping[int, KnownFact] = field(default_factory=dict)

    def add(self, arm: str, found: Sequence[Scored]) -> None:
        """Keep the episodes of *arm*, best first."""
        self.ranks[arm] = {scored.seq: rank for rank, scored in enumerate(found, 1)}

    def add_facts(self, arm: str, found: Sequence[Scored]) -> None:
        """Keep the facts of *arm*, best first."""
        self.fact_ranks[arm] = {scored.seq: rank for rank, scored in enumerate(found, 1)}

    def ranks_of(self, seq: int) -> Mapping[str, int]:
        """Return the rank of an episode or fact in each arm that proposed it."""
        both = (*self.ranks.items(), *self.fact_ranks.items())
        return {arm: ranks[seq] for arm, ranks in both if seq in ranks}

    def best(self, count: int) -> list[int]:
        """Return the *count* places with the highest rank in any arm."""
        highest: dict[int, int] = {}
        for ranks in self.ranks.values():
            for seq, rank in ranks.items():
                highest[seq] = min(rank, highest.get(seq, rank))
        return sorted(highest, key=lambda seq: (highest[seq], -seq))[:count]

    @property
    def seqs(self) -> set[int]:
        """The places of all proposed episodes."""
        return {seq for ranks in self.ranks.values() for seq in ranks}


def gather(ask: Ask) -> Gathered:
    """Return the candidates of all arms."""
    search, question = Search(ask.view), ask.question
    counts = {stats.space: stats.vector_count for stats in search.spaces()}
    embeds: dict[str, Callable[[], Vector | None]] = {
        tier: partial(_vector, embedder, counts, question.text)
        for tier, embedder in tiers(ask.recaller)
    }
    # The second tier runs in a thread beside the searches; the first takes less time than a thread.
    if "second" in embeds:
        embeds["second"] = ask.recaller.executor.submit(embeds["second"]).result
    gathered = Gathered(search.corpus(question.terms, ask.which.within))
    terms = _selective(question.terms, gathered.corpus)
    gathered.add("lexical", search.lexical(terms, ask.which, limit=LEXICAL_MAX))
    _keep(gathered, embeds)
    known = [one for one in tiers(ask.recaller) if one[0] in gathered.vectors]
    sizes = [counts[embedder.space] for _, embedder in known]
    # Only the second tier is searched if all its vectors are there. On LoCoMo the first tier's
    # additional candidates find nothing more; it still counts in ranking.
    for tier, embedder in known[-1:] if sizes == sorted(sizes) else known:
        vector = gathered.vectors[tier]
        gathered.add(tier, search.nearest(embedder.space, vector, ask.which, limit=NEAREST_MAX))
    for asked in question.ranges:
        if asked.precision is not Precision.OPEN:
            found = dated(ask, asked, DATED_MAX)
            gathered.add("dated", [Scored(place.seq, 0.0) for place in found])
    if ask.facts is not None and FactPlaces(ask.view).is_any(ask.which.within):
        gathered.facts = _facts(ask, ask.facts, gathered)
    return gathered


def without_search(ask: Ask) -> Gathered:
    """Return what measuring needs when nothing is searched."""
    return Gathered(Search(ask.view).corpus(ask.question.terms, ask.which.within))


def _keep(gathered: Gathered, embeds: Mapping[str, Callable[[], Vector | None]]) -> None:
    """Keep the question's vectors, and a note for each model that does not answer."""
    for tier, embed in embeds.items():
        try:
            vector = embed()
        except UnavailableError as error:
            gathered.notes.append(f"without the {tier} tier of vectors: {error}")
            continue
        if vector is not None:
            gathered.vectors[tier] = vector


def _facts(ask: Ask, which: FactFilter, gathered: Gathered) -> Mapping[int, KnownFact]:
    """Return facts that may answer: found directly, through their evidence, or as successors."""
    search, reader = Search(ask.view), FactPlaces(ask.view)
    terms = _selective(ask.question.terms, gathered.corpus, is_unknown_kept=True)
    gathered.add_facts("lexical", search.lexical(terms, which, limit=FACTS_MAX))
    for tier, embedder in tiers(ask.recaller):
        if tier in gathered.vectors:
            vector = gathered.vectors[tier]
            nearest = search.nearest(embedder.space, vector, which, limit=FACTS_MAX)
            gathered.add_facts(tier, nearest)
    found = {seq for ranks in gathered.fact_ranks.values() for seq in ranks}
    found.update(reader.resting_on(gathered.best(EVIDENCE_MAX), which))
    found.update(reader.onward(sorted(found), replace(which, lifecycles=None)))
    places = reader.at(sorted(found), which)
    rivals = reader.rivals([place.seq for place in places], which.moment)
    others = {seq for seqs in rivals.values() for seq in seqs} - found
    places += reader.at(sorted(others), which) if others else []
    evidence = reader.evidence(sorted(found | others))
    values = Facts(ask.view).values_of([place.seq for place in places], which.moment)
    sides = {place.seq for place in places if may_contradict(place.lifecycle, place.review)}
    known = {}
    for place in places:
        rests_on = frozenset(evidence.get(place.seq, ()))
        against = frozenset(rivals.get(place.seq, ()))
        # A proposed replacement is a draft: so far it was only said.
        proposed = {seq for rival in against - sides for seq in evidence.get(rival, ())}
        known[place.seq] = KnownFact(
            place,
            rests_on,
            frozenset(proposed),
            against & sides,
            frozenset(values.get(place.seq, ())),
        )
    return known


def cosines(ask: Ask, gathered: Gathered, places: Sequence[Place]) -> tuple[Vector, Vector]:
    """Return the cosine of each episode by tier; NaN where it has no vector."""
    seqs = [place.seq for place in places]
    by_tier = {tier: np.full(len(seqs), np.nan, np.float32) for tier in ("first", "second")}
    for tier, embedder in tiers(ask.recaller):
        if tier in gathered.vectors:
            vector = gathered.vectors[tier]
            by_tier[tier] = Search(ask.view).cosines(embedder.space, vector, seqs)
    return by_tier["first"], by_tier["second"]


def tiers(recaller: Recaller) -> list[tuple[str, Embedder]]:
    """Return the embedders with the names of their tiers, the first tier first."""
    second = [("second", recaller.second)] if recaller.second is not None else []
    return [("first", recaller.first), *second]


def _vector(embedder: Embedder, spaces: Collection[str], text: str) -> Vector | None:
    """Return the vector of *text*; None if the store has no vectors to compare it with."""
    if not spaces or embedder.space not in spaces:
        return None
    return np.asarray(embedder.embed([text])[0])


def _selective(
    terms: Sequence[str], corpus: CorpusStats, *, is_unknown_kept: bool = False
) -> list[str]:
    """
    Return the terms to search: the rarest, until they would bring too many episodes.

    Terms in no visible episode may be kept, since a fact may contain them.
    """
    known = sorted(
        {term for term in terms if is_unknown_kept or corpus.frequencies.get(term)},
        key=lambda term: (corpus.frequencies[term], term),
    )
    spent = 0
    kept: list[str] = []
    for term in known[:TERMS_MAX]:
        spent += corpus.frequencies[term]
        if len(kept) >= TERMS_KEPT and spent > POSTINGS_MAX:
            break
        kept.append(term)
    return kept


def dated(ask: Ask, asked: TimeRange, limit: int) -> list[Place]:
    """Return the places of the first *limit* episodes of a time."""
    which = ask.which
    start = max(asked.start, which.occurred_from or asked.start)
    end = min(asked.end, which.occurred_before or asked.end)
    if start >= end:
        return []
    within = replace(which, occurred_from=start, occurred_before=end)
    return Episodes(ask.view).between(within, limit=limit)
