"""
Feedback on recalled records: it moves their rank, and never what is true.

A vote has a weight by its verdict (seed 004, EM-063), fades with a half-life, and counts once for
each actor and session, so that nobody can dominate. The total is between -1 and 1; the recipe of
ranking says how much that may move a hit.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from enum import StrEnum

from tilth.core.codec import FromHeader
from tilth.core.dataclass import dataclass
from tilth.core.ids import ReceiptId, SessionId
from tilth.core.instant import from_micros
from tilth.core.scope import GLOBAL, Scope
from tilth.ledger.records import find_place
from tilth.ledger.snapshot import SnapshotReader
from tilth.ledger.sql_list import one_of


class Verdict(StrEnum):
    """A verdict on a hit."""

    CITED = "cited"
    LED_TO_NEW = "led_to_new"
    EDITED = "edited"
    USEFUL = "useful"
    REUSED = "reused"
    DEAD_END = "dead_end"
    WRONG = "wrong"


# The weights of seed 004's table (EM-063), with a verdict for who cannot say how a hit was useful.
WEIGHTS = {
    Verdict.CITED: 1.0,
    Verdict.LED_TO_NEW: 0.6,
    Verdict.EDITED: 0.5,
    Verdict.USEFUL: 0.5,
    Verdict.REUSED: 0.4,
    Verdict.DEAD_END: -0.15,
    Verdict.WRONG: -2.0,
}
# If a person gives one of these, the record is not shown unasked; recall still finds it.
UNWANTED = (Verdict.DEAD_END, Verdict.WRONG)
# The floor of the same table, mirrored as the ceiling.
VOTES_MAX = 5.0
HALF_LIFE = timedelta(days=90)


@dataclass(frozen=True, slots=True, kw_only=True)
class Feedback:
    """
    A verdict on one record.

    `target` is the record's ID, `session_id` where it was judged, and `receipt_id` the receipt of
    the context that showed it, if there was one.
    """

    target: str
    verdict: Verdict
    session_id: FromHeader[SessionId | None] = None
    receipt_id: ReceiptId | None = None
    scope: Scope = GLOBAL


@dataclass(frozen=True, slots=True)
class Vote:
    """A verdict and when it was given."""

    verdict: Verdict
    at: datetime


def feedback_total(votes: Iterable[Vote], now: datetime) -> float:
    """Return the total of *votes* at *now*, from -1 to 1; 0 without votes."""
    ages = ((vote.verdict, max(now - vote.at, timedelta(0))) for vote in votes)
    total = sum(WEIGHTS[verdict] * float(0.5 ** (age / HALF_LIFE)) for verdict, age in ages)
    return max(-VOTES_MAX, min(total, VOTES_MAX)) / VOTES_MAX


class Votes(SnapshotReader):
    """The votes of one snapshot."""

    def at(self, seqs: Sequence[int]) -> Mapping[int, Sequence[Vote]]:
        """Return the votes on the records at *seqs*; records without votes are left out."""
        if not self._conn.rows("SELECT 1 FROM votes LIMIT 1"):
            return {}
        sql = """SELECT target_no, verdict, voted_at FROM votes
            WHERE target_no IN {integers} ORDER BY vote_no"""
        found: defaultdict[int, list[Vote]] = defaultdict(list)
        for target, verdict, at in self._rows(sql, seqs):
            found[int(target)].append(Vote(Verdict(verdict), from_micros(at)))
        return found

    def unwanted(self) -> frozenset[int]:
        """Return the places of records that a person does not want agents to be shown unasked."""
        sql = f"""SELECT target_no FROM votes WHERE verdict IN ({one_of(UNWANTED)})
            AND substr(voter, 1, 9) = '["human",'"""  # noqa: S608 - constants
        return frozenset(int(target) for (target,) in self._conn.rows(sql))

    def on(self, target: str) -> Sequence[Vote]:
        """Return the votes on the thing with this ID."""
        place = find_place(self._conn, target)
        return [] if place is None else self.at([place]).get(place, [])
