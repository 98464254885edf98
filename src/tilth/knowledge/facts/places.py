"""Where facts stand, with the SQL of both engines."""

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

# What is looked for goes first: SQLite joins crosswise in the order that is written.
_SEEN = """FROM facts f CROSS JOIN lives v
WHERE f.fact_no IN {integers} AND v.fact_no = f.fact_no AND {seen}"""
_PLACES = f"""
SELECT f.fact_no, v.realm_no, coalesce(v.slot, ''), v.lifecycle, v.review, v.valid_from,
       coalesce(v.successor_no, 0) {_SEEN} ORDER BY f.fact_no
"""
# Lives that are over count too: what they lead to is looked at again before anything is shown.
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
# A proposal that was decided counts no more, but one that put a fact in dispute leaves it there.
# What says the same speaks against nothing.
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
    Where a fact stands among others: in which slot of which realm, and what came after it.

    `valid_from` is in µs of 1970; `successor` is the place of a fact, 0 if there is none.
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
    """What ranking asks of facts: where they stand, what they say, and what they hang on."""

    def is_any(self, within: Visibility) -> bool:
        """Say whether there is any fact to be seen."""
        return bool(self._rows(_IS_ANY, within)[0][0])

    def at(self, seqs: Sequence[int], which: FactFilter) -> list[FactPlace]:
        """Return where the facts at *seqs* stand."""
        return [
            FactPlace(seq, realm, slot, Lifecycle(lifecycle), Review(review), begins, successor)
            for seq, realm, slot, lifecycle, review, begins, successor in self._seen(
                _PLACES, seqs, which
            )
        ]

    def passages(self, seqs: Sequence[int], which: FactFilter) -> list[Passage]:
        """Return what the facts at *seqs* say, in ledger order."""
        seen = [seq for (seq,) in self._seen(f"SELECT f.fact_no {_SEEN}", seqs, which)]
        passages = []
        for recorded in records_at(self._conn, seen, self._integers):
            if not isinstance(recorded.event, FactRecorded):
                raise CorruptionError(f"place {recorded.seq} of the ledger holds no fact")
            passages.append(Passage(recorded.seq, "", recorded.event.said.words))
        return passages

    def onward(self, seqs: Sequence[int], which: FactFilter) -> list[int]:
        """Return the places of what came after *seqs*, and of what *which* finds in their slots."""
        return [seq for (seq,) in self._seen(_ONWARD, seqs, which)]

    def resting_on(self, episode_seqs: Sequence[int], which: FactFilter) -> list[int]:
        """Return the places of the facts that rest on these episodes."""
        return [seq for (seq,) in self._seen(_RESTING_ON, episode_seqs, which)]

    def evidence(self, seqs: Sequence[int]) -> Mapping[int, Sequence[int]]:
        """Return the places of the episodes that the facts at *seqs* rest on."""
        return _by_first(self._rows(_EVIDENCE, seqs))

    def rivals(self, seqs: Sequence[int], moment: Moment = NOW) -> Mapping[int, Sequence[int]]:
        """Return what proposals name beside the facts at *seqs*, where they are in doubt."""
        at = known(self._conn, moment)
        sql = _RIVALS.format(integers=self._integers, known=at.sql)
        return _by_first(self._rows(sql, seqs, at.seq, *at.params, *waiting_at(at)))

    def _seen(self, template: str, seqs: Sequence[int], which: FactFilter) -> list[Row]:
        """Run *template* on the places *seqs*, and on what *which* lets through."""
        seen = where(self._conn, which, self._integers)
        sql = template.format(integers=self._integers, seen=seen.sql)
        return self._rows(sql, seqs, *seen.params)


def _by_first(pairs: Sequence[Row]) -> Mapping[int, Sequence[int]]:
    found: defaultdict[int, list[int]] = defaultdict(list)
    for first, second in pairs:
        found[first].append(second)
    return found
