"""
Facts in their places: what holds before what it superseded, and before what was said of it.

Ranking measures likeness, and an old statement is as like a question as the
new one. Which of the facts about one thing holds is known exactly, by slot and
by succession, so nothing here guesses.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from tilth.core.lifecycle import Lifecycle
from tilth.knowledge.facts.places import FactPlace
from tilth.recall.ranking import Grouped
from tilth.recall.recipe import Recipe
from tilth.recall.signals import Floats, KnownFact

# What holds, then what did, then what was only ever told.
_STANDING = {Lifecycle.CURRENT: 2, Lifecycle.SUPERSEDED: 1}


def chains(places: Iterable[FactPlace]) -> list[list[FactPlace]]:
    """
    Return the facts that share a slot or follow each other, in chains; what holds comes first.

    No fact comes before the one that superseded it, whatever their dates say. What
    stands alone is in no chain.
    """
    known = {place.seq: place for place in places}
    joined: dict[object, list[int]] = defaultdict(list)
    for place in known.values():
        if place.slot:
            joined[place.realm_no, place.slot].append(place.seq)
        if place.successor in known:
            joined[place.seq] += [place.seq, place.successor]
    members: dict[int, set[int]] = {}
    for together in joined.values():
        if len(together) > 1:
            united = set(together).union(*(members.get(seq, ()) for seq in together))
            members |= dict.fromkeys(united, united)
    distinct = {min(one): one for one in members.values()}
    return [_in_order([known[seq] for seq in one]) for one in distinct.values()]


def _in_order(chain: Sequence[FactPlace]) -> list[FactPlace]:
    known = {place.seq: place for place in chain}
    order: dict[int, FactPlace] = {}
    for place in sorted(
        chain, key=lambda one: (-_STANDING.get(one.lifecycle, 0), -one.valid_from, -one.seq)
    ):
        waiting = []
        at: FactPlace | None = place
        while at is not None and at.seq not in order and at not in waiting:
            waiting.append(at)
            at = known.get(at.successor)
        order |= {one.seq: one for one in reversed(waiting)}
    return list(order.values())


@dataclass(slots=True)
class Standings:
    """
    The order of an answer, in which facts find their places.

    Args:
        grouped: Every candidate that may be shown, best first, each fact by itself.
        seqs: The places of all candidates in the ledger.
        facts: Those of them that are facts.
    """

    grouped: Sequence[Grouped]
    seqs: Sequence[int]
    facts: Mapping[int, KnownFact]
    # By candidate: where it stands, its rank among those that stand there, its group.
    _at: dict[int, int] = field(init=False)
    _spot: dict[int, float] = field(init=False)
    _rank: dict[int, int] = field(init=False)
    _group: dict[int, int] = field(init=False)

    def __post_init__(self) -> None:
        """Note where each candidate stands to begin with."""
        self._at = {self.seqs[one.at]: one.at for one in self.grouped}
        self._spot = {one.at: float(number) for number, one in enumerate(self.grouped)}
        self._group = {one.at: one.group for one in self.grouped}
        self._rank = dict.fromkeys(self._spot, 0)

    def before_words(self, covered: Floats, recipe: Recipe) -> None:
        """Put each fact before what was said of it, if it covers enough of what that covers."""
        for seq, fact in self._shown():
            at = self._at[seq]
            for words, share in (
                (fact.evidence, recipe.fact_share),
                (fact.proposed, recipe.proposed_share),
            ):
                for said in self._among(words):
                    if covered[at] >= share * covered[said]:
                        self._spot[at] = min(self._spot[at], self._spot[said] - 0.5)

    def with_rivals(self) -> None:
        """Put what speaks against a fact right behind it, wherever it stood."""
        for seq, fact in self._shown():
            for rival in self._among(fact.rivals):
                self._spot[rival] = min(self._spot[rival], self._spot[self._at[seq]] + 0.25)

    def holding_first(self) -> None:
        """Give the places that a chain has to its members in their own order."""
        for chain in chains(fact.place for _, fact in self._shown()):
            members = [self._at[place.seq] for place in chain]
            spots = sorted(self._spot[at] for at in members)
            for rank, (at, spot) in enumerate(zip(members, spots, strict=True)):
                self._spot[at], self._rank[at] = spot, rank
                self._group[at] = self._group[members[0]]

    def order(self, without: frozenset[int] = frozenset()) -> list[Grouped]:
        """Return the candidates in order, without those at *without*."""
        kept = [one for one in self.grouped if one.at not in without]
        kept.sort(key=lambda one: (self._spot[one.at], self._rank[one.at]))
        return [Grouped(one.at, self._group[one.at]) for one in kept]

    def retold(self, terms_of: Callable[[int], frozenset[int]]) -> frozenset[int]:
        """Return the episodes that say no word more than a fact which rests on them."""
        return frozenset(
            said
            for seq, fact in self._shown()
            for said in self._among(fact.evidence)
            if terms_of(said) <= terms_of(self._at[seq])
        )

    def _shown(self) -> Iterable[tuple[int, KnownFact]]:
        return ((seq, fact) for seq, fact in self.facts.items() if seq in self._at)

    def _among(self, seqs: Iterable[int]) -> list[int]:
        return [self._at[seq] for seq in seqs if seq in self._at]
