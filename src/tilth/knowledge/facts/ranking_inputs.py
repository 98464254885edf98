"""Read what ranking needs of facts, with the SQL of both engines."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tilth.core.errors import CorruptionError
from tilth.core.lifecycle import Lifecycle, Review
from tilth.core.scope import Visibility
from tilth.episodes.episode import Passage
from tilth.knowledge.facts.events import FactRecorded
from tilth.knowledge.facts.filters import NOW, FactFilter, Moment, known, where
from tilth.knowledge.facts.lives import WAITS, waiting_at
from tilth.ledger.engine import Row
from tilth.ledger.records import records_at
from tilth.ledger.snapshot import SnapshotReader

# The first table drives the query: SQLite keeps the written order of CROSS JOIN.
_SEEN = """FROM facts f CROSS JOIN lives v
WHERE f.fact_no IN {integers} AND v.fact_no = f.fact_no AND {seen}"""
_PLACES = f"""
SELECT f.fact_no, v.realm_no, coalesce(v.slot, ''), v.lifecycle, v.review, v.valid_from,
       coalesce(v.successor_no, 0) {_SEEN} ORDER BY f.fact_no
"""
# Past lives count too; where they lead is filtered again before it is shown.
_ONWARD = """
WITH RECURSIVE onward (fact_no) AS (
    SELECT fact_no FROM facts WHERE fact_no IN {integers}
    UNION SELECT s.successor_no FROM onward o CROSS JOIN lives s
    WHERE s.fact_no = o.fact_no AND s.successor_no IS NOT NULL
)
SELECT fact_no FROM onward
UNION SELECT v.fact_no FROM onward o
CROSS JOIN lives s CROSS JOIN lives v CROSS JOIN facts f
WHERE s.fact_no = o.fact_no AND s.slot IS NOT NULL
AND v.realm_no = s.realm_no AND v.slot = s.slot AND f.fact_no = v.fact_no AND {seen}
"""
_RESTING_ON = """
SELECT DISTINCT f.fact_no FROM evidence e CROSS JOIN facts f CROSS JOIN lives v
WHERE e.episode_no IN {integers} AND f.fact_no = e.fact_no AND v.fact_no = f.fact_no
AND {seen} ORDER BY f.fact_no
"""
_EVIDENCE = """
SELECT fact_no, episode_no FROM evidence WHERE fact_no IN {integers} ORDER BY fact_no, position
"""
# A decided proposal does not count, unless it put a fact in dispute. A duplicate contradicts
# nothing.
_RIVALS = f"""
SELECT DISTINCT a.fact_no, b.fact_no FROM proposal_facts a
CROSS JOIN proposal_facts b CROSS JOIN proposals p CROSS JOIN lives v
WHERE a.fact_no IN {{integers}} AND a.proposal_no <= ?
AND b.proposal_no = a.proposal_no AND b.fact_no <> a.fact_no
AND p.proposal_no = a.proposal_no AND p.kind <> 'duplicate'
AND v.fact_no = a.fact_no AND {{known}}
AND (v.review = 'disputed' OR {WAITS})
ORDER BY a.fact_no, b.fact_no
"""  # noqa: S608 - a constant


class FactPlace(NamedTuple):
    """
    A fact among others: its slot and realm, and its successor.

    `valid_from` is in µs since 1970; `successor` is the place of a fact, 0 if there is none.
    """

    seq: int
    realm_no: int
    slot: str
    lifecycle: Lifecycle
    review: Review
    valid_from: int
    successor: int


_IS_ANY = """
SELECT EXISTS (SELECT 1 FROM lives WHERE realm_no IN {integers} AND until IS NULL)
"""


class FactPlaces(SnapshotReader):
    """What ranking reads of facts: slots, texts, evidence and rivals."""

    def is_any(self, within: Visibility) -> bool:
        """Say whether any fact is visible."""
        return bool(self._rows(_IS_ANY, within)[0][0])

    def at(self, seqs: Sequence[int], which: FactFilter) -> list[FactPlace]:
        """Return the facts at *seqs* with their slots."""
        return [
            FactPlace(seq, realm, slot, Lifecycle(lifecycle), Review(review), begins, successor)
            for seq, realm, slot, lifecycle, review, begins, successor in self._seen(
                _PLACES, seqs, which
            )
        ]

    def passages(self, seqs: Sequence[int], which: FactFilter) -> list[Passage]:
        """Return the texts of the facts at *seqs*, in ledger order."""
        seen = [seq for (seq,) in self._seen(f"SELECT f.fact_no {_SEEN}", seqs, which)]
        passages = []
        for recorded in records_at(self._conn, seen, self._integers):
            if not isinstance(recorded.event, FactRecorded):
                raise CorruptionError(f"place {recorded.seq} of the ledger holds no fact")
            passages.append(Passage(recorded.seq, "", recorded.event.said.words))
        return passages

    def onward(self, seqs: Sequence[int], which: FactFilter) -> list[int]:
        """Return the places of successors of *seqs*, and of facts of *which* in their slots."""
        return [seq for (seq,) in self._seen(_ONWARD, seqs, which)]

    def resting_on(self, episode_seqs: Sequence[int], which: FactFilter) -> list[int]:
        """Return the places of the facts that rest on these episodes."""
        return [seq for (seq,) in self._seen(_RESTING_ON, episode_seqs, which)]

    def evidence(self, seqs: Sequence[int]) -> Mapping[int, Sequence[int]]:
        """Return the places of the episodes that the facts at *seqs* rest on."""
        return _by_first(self._rows(_EVIDENCE, seqs))

    def rivals(self, seqs: Sequence[int], moment: Moment = NOW) -> Mapping[int, Sequence[int]]:
        """Return the facts that proposals name against those at *seqs*, if these are in doubt."""
        at = known(self._conn, moment)
        sql = _RIVALS.format(integers=self._integers, known=at.sql)
        return _by_first(self._rows(sql, seqs, at.seq, *at.params, *waiting_at(at)))

    def _seen(self, template: str, seqs: Sequence[int], which: FactFilter) -> list[Row]:
        """Run *template* for the places *seqs* and the filter *which*."""
        seen = where(self._conn, which, self._integers)
        sql = template.format(integers=self._integers, seen=seen.sql)
        return self._rows(sql, seqs, *seen.params)


def _by_first(pairs: Sequence[Row]) -> Mapping[int, Sequence[int]]:
    found: defaultdict[int, list[int]] = defaultdict(list)
    for first, second in pairs:
        found[first].append(second)
    return found
