"""
The arms of recall: each proposes episodes and facts that may answer a question.

An arm that fails costs its own candidates, and leaves a note.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import field, replace
from functools import partial

import numpy as np

from tilth.core.dataclass import dataclass
from tilth.core.errors import UnavailableError
from tilth.core.lifecycle import is_side
from tilth.embedding.embedder import Embedder, Vector
from tilth.episodes.episode import Episode, Place
from tilth.episodes.filters import EpisodeFilter
from tilth.episodes.tables import Episodes
from tilth.knowledge.facts.filters import FactFilter
from tilth.knowledge.facts.places import FactPlaces
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
# Facts say one thing each, so each arm needs few of them.
FACTS_MAX = 40
# So many of the best episodes bring the facts that rest on them.
EVIDENCE_MAX = 24
# What a question may cost: the rarest terms first, until their episodes add up to this.
TERMS_MAX = 16
POSTINGS_MAX = 8_000
TERMS_KEPT = 2


@dataclass(frozen=True, slots=True)
class Ask:
    """
    One question being answered: what it is asked of, by which means, and what may be seen.

    Where `facts` is None, no facts are looked for.
    """

    view: Snapshot
    recaller: Recaller
    question: Question
    which: EpisodeFilter
    facts: FactFilter | None = None
    _read: dict[int, Episode] = field(default_factory=dict)

    def episodes(self, seqs: Iterable[int]) -> list[Episode]:
        """Return those at *seqs* that may be seen, in ledger order; each is read once."""
        wanted = sorted(seqs)
        if new := [seq for seq in wanted if seq not in self._read]:
            read = Episodes(self.view).at(new, self.which.within)
            self._read.update((one.seq, one) for one in read)
        return [self._read[seq] for seq in wanted if seq in self._read]


@dataclass(slots=True)
class Gathered:
    """What the arms brought: places, the rank of each in each arm, and what went wrong."""

    corpus: CorpusStats
    ranks: dict[str, dict[int, int]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    vectors: dict[str, Vector] = field(default_factory=dict)
    # Facts are ranked beside episodes, or they would take the places of these.
    fact_ranks: dict[str, dict[int, int]] = field(default_factory=dict)
    facts: Mapping[int, KnownFact] = field(default_factory=dict)

    def add(self, arm: str, found: Sequence[Scored]) -> None:
        """Keep what *arm* found, best first."""
        self.ranks[arm] = {scored.seq: rank for rank, scored in enumerate(found, 1)}

    def add_facts(self, arm: str, found: Sequence[Scored]) -> None:
        """Keep the facts that *arm* found, best first."""
        self.fact_ranks[arm] = {scored.seq: rank for rank, scored in enumerate(found, 1)}

    def ranks_of(self, seq: int) -> Mapping[str, int]:
        """Return the rank of an episode or fact in each arm that brought it."""
        both = (*self.ranks.items(), *self.fact_ranks.items())
        return {arm: ranks[seq] for arm, ranks in both if seq in ranks}

    def best(self, count: int) -> list[int]:
        """Return the *count* places that an arm ranks highest."""
        highest: dict[int, int] = {}
        for ranks in self.ranks.values():
            for seq, rank in ranks.items():
                highest[seq] = min(rank, highest.get(seq, rank))
        return sorted(highest, key=lambda seq: (highest[seq], -seq))[:count]

    @property
    def seqs(self) -> set[int]:
        """Every place of an episode that an arm brought."""
        return {seq for ranks in self.ranks.values() for seq in ranks}


def gather(ask: Ask) -> Gathered:
    """Return what every arm proposes."""
    search, question = Search(ask.view), ask.question
    counts = {stats.space: stats.vector_count for stats in search.spaces()}
    embeds: dict[str, Callable[[], Vector | None]] = {
        tier: partial(_vector, embedder, counts, question.text)
        for tier, embedder in tiers(ask.recaller)
    }
    # The second takes its time, beside the searches; the first takes less than a thread does.
    if "second" in embeds:
        embeds["second"] = ask.recaller.executor.submit(embeds["second"]).result
    gathered = Gathered(search.corpus(question.terms, ask.which.within))
    terms = _selective(question.terms, gathered.corpus)
    gathered.add("lexical", search.lexical(terms, ask.which, limit=LEXICAL_MAX))
    _keep(gathered, embeds)
    known = [one for one in tiers(ask.recaller) if one[0] in gathered.vectors]
    sizes = [counts[embedder.space] for _, embedder in known]
    # The second alone, if it lacks nothing. What the first brings besides is not found more often
    # on LoCoMo; it still weighs in ranking.
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


def recounted(ask: Ask) -> Gathered:
    """Return what measuring needs where nothing is looked for."""
    return Gathered(Search(ask.view).corpus(ask.question.terms, ask.which.within))


def _keep(gathered: Gathered, embeds: Mapping[str, Callable[[], Vector | None]]) -> None:
    """Keep the question's vectors, and a note of each model that does not answer."""
    for tier, embed in embeds.items():
        try:
            vector = embed()
        except UnavailableError as error:
            gathered.notes.append(f"without the {tier} tier of vectors: {error}")
            continue
        if vector is not None:
            gathered.vectors[tier] = vector


def _facts(ask: Ask, which: FactFilter, gathered: Gathered) -> Mapping[int, KnownFact]:
    """Return the facts that may answer: found like episodes, made of them, or their successors."""
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
    sides = {place.seq for place in places if is_side(place.lifecycle, place.review)}
    known = {}
    for place in places:
        rests_on = frozenset(evidence.get(place.seq, ()))
        against = frozenset(rivals.get(place.seq, ()))
        # What would replace it is a draft, and only said so far.
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
    """Return the embedders by tier, the first first."""
    second = [("second", recaller.second)] if recaller.second is not None else []
    return [("first", recaller.first), *second]


def _vector(embedder: Embedder, spaces: Collection[str], text: str) -> Vector | None:
    """Return the vector of *text*; None where the store has none to compare it with."""
    if not spaces or embedder.space not in spaces:
        return None
    return np.asarray(embedder.embed([text])[0])


def _selective(
    terms: Sequence[str], corpus: CorpusStats, *, is_unknown_kept: bool = False
) -> list[str]:
    """
    Return the terms to search for: the rarest, until they would bring too many episodes.

    A fact may say what no episode does that may be seen.
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
    """Return where the first *limit* episodes of a time stand."""
    which = ask.which
    start = max(asked.start, which.occurred_from or asked.start)
    end = min(asked.end, which.occurred_before or asked.end)
    if start >= end:
        return []
    within = replace(which, occurred_from=start, occurred_before=end)
    return Episodes(ask.view).between(within, limit=limit)
