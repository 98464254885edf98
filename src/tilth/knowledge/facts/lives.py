"""The table of lives, and the one way to change it: end a life and begin the next."""

from collections.abc import Callable
from typing import TypeAlias

from tilth.core.errors import CorruptionError
from tilth.core.event import Recorded
from tilth.core.ids import FactId
from tilth.core.instant import from_micros, to_micros
from tilth.core.lifecycle import Lifecycle, Review
from tilth.core.scope import Scope
from tilth.core.table import Table
from tilth.knowledge.facts.filters import Known
from tilth.knowledge.facts.life import Authority, Life, archived
from tilth.ledger.engine import Row
from tilth.ledger.projection import Rows
from tilth.ledger.sql_list import one_of

Step: TypeAlias = Callable[[Life], Life]

LIVES = Table(
    "lives",
    no=6,
    since=2,
    columns=f"""
    life_no      $integer PRIMARY KEY,
    fact_no      $integer NOT NULL,
    -- The places of the events that began and ended it; an open one has no end.
    since        $integer NOT NULL,
    until        $integer CHECK (until > since),
    realm_no     $integer NOT NULL,
    slot         TEXT,
    lifecycle    TEXT NOT NULL CHECK (lifecycle IN ({one_of(Lifecycle)})),
    review       TEXT NOT NULL CHECK (review IN ({one_of(Review)})),
    authority    TEXT NOT NULL CHECK (authority IN ({one_of(Authority)})),
    valid_from   $integer NOT NULL,
    valid_to     $integer CHECK (valid_to >= valid_from),
    checked_at   $integer NOT NULL,
    successor_no $integer CHECK (successor_no <> fact_no),
    -- An event takes a fact one step.
    UNIQUE (fact_no, since)
""",
    indexes="""
CREATE UNIQUE INDEX one_current_fact_in_a_slot ON lives (realm_no, slot)
    WHERE until IS NULL AND lifecycle = 'current' AND slot IS NOT NULL;
CREATE UNIQUE INDEX one_open_life_of_a_fact ON lives (fact_no) WHERE until IS NULL;
CREATE INDEX lives_begun_by ON lives (since);
CREATE INDEX lives_succeeded_by ON lives (successor_no) WHERE successor_no IS NOT NULL;
CREATE INDEX lives_in_time ON lives (realm_no, lifecycle, valid_from, fact_no)
    WHERE until IS NULL;
CREATE INDEX lives_in_a_slot ON lives (realm_no, slot) WHERE slot IS NOT NULL;
""",
    later={
        3: """
CREATE INDEX lives_rejected ON lives (realm_no, fact_no)
    WHERE review = 'rejected' AND until IS NULL;
"""
    },
)

# The columns for `read_life`: lives are `v`, realms `r`, the successor's ledger row `s`.
LIFE = """r.scope, v.lifecycle, v.review, v.authority, v.valid_from, v.valid_to,
v.checked_at, s.event_id"""
# Whether a proposal `p` waits, or waited at a place of the ledger; see `waiting_at`.
WAITS = """p.proposal_no <= ? AND (p.decided_no IS NULL OR p.decided_no > ?)
AND replace(?, ',' || p.proposal_no || ',', '') = ?"""
# Whether anything contradicts a fact `f` in its life `v`: a waiting proposal that would retire it,
# a draft in the slot that it fills, or another value that held in its slot at the instant.
CONTESTED = f"""(EXISTS (
    SELECT 1 FROM proposal_facts c JOIN proposals p ON p.proposal_no = c.proposal_no
    WHERE c.fact_no = f.fact_no AND c.is_retired = 1 AND v.lifecycle = 'current' AND {WAITS}
) OR (v.slot IS NOT NULL AND (EXISTS (
    SELECT 1 FROM lives d JOIN facts g ON g.fact_no = d.fact_no
    JOIN proposal_facts c ON c.fact_no = d.fact_no AND c.is_retired = 0
    JOIN proposals p ON p.proposal_no = c.proposal_no
    WHERE v.lifecycle = 'current' AND d.realm_no = v.realm_no AND d.slot = v.slot
    AND d.lifecycle = 'draft' AND d.review <> 'rejected' AND d.since <= ?
    AND (d.until IS NULL OR d.until > ?) AND (d.valid_to IS NULL OR d.valid_to > d.checked_at)
    AND g.statement <> f.statement AND {WAITS}
    -- Which of two is so is asked of these two alone.
    AND (p.kind NOT IN ('contradiction', 'duplicate') OR EXISTS (
        SELECT 1 FROM proposal_facts x
        WHERE x.proposal_no = p.proposal_no AND x.fact_no = f.fact_no
    ))
) OR EXISTS (
    SELECT 1 FROM lives o JOIN facts g ON g.fact_no = o.fact_no
    WHERE o.realm_no = v.realm_no AND o.slot = v.slot AND o.since <= ?
    AND (o.until IS NULL OR o.until > ?) AND o.review <> 'rejected'
    AND (o.lifecycle IN ('current', 'superseded')
         OR (o.lifecycle = 'historical' AND o.valid_to IS NOT NULL))
    AND o.valid_from <= ? AND (o.valid_to IS NULL OR o.valid_to > ?)
    AND g.statement <> f.statement
))))"""  # noqa: S608 - a constant
_LIVES = f"""
SELECT v.fact_no, v.slot, {LIFE} FROM lives v JOIN realms r ON r.realm_no = v.realm_no
LEFT JOIN ledger s ON s.seq = v.successor_no
"""  # noqa: S608 - names of ours
_OPEN = f"{_LIVES} WHERE v.fact_no = ? AND v.until IS NULL"
_BEFORE = f"{_LIVES} WHERE v.fact_no = ? AND v.until = ?"
_BEGUN_BY = "SELECT fact_no FROM lives WHERE since = ? AND until IS NULL ORDER BY fact_no"
_END = "UPDATE lives SET until = ? WHERE fact_no = ? AND until IS NULL"
# An erased fact has no life to change.
_ERASED = "SELECT 1 FROM ledger WHERE seq = ? AND payload IS NULL"
_BEGIN = """
INSERT INTO lives (life_no, fact_no, since, realm_no, slot, lifecycle, review, authority,
                   valid_from, valid_to, checked_at, successor_no)
VALUES ((SELECT coalesce(max(life_no), 0) + 1 FROM lives), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""


def waiting_at(at: Known) -> tuple[object, ...]:
    """Return the parameters of `WAITS`."""
    return (at.seq, at.seq, at.decided, at.decided)


def contested_at(at: Known) -> tuple[object, ...]:
    """Return the parameters of `CONTESTED`."""
    waits, then = waiting_at(at), (at.seq, at.seq)
    return (*waits, *then, *waits, *then, at.as_of, at.as_of)


def begin(rows: Rows, recorded: Recorded, fact_no: int, life: Life, slot: str | None) -> None:
    """Begin a life at the event *recorded*."""
    successor = None if life.successor is None else rows.place_of(life.successor)
    row = (
        fact_no,
        recorded.seq,
        rows.realm_of(recorded, life.scope),
        slot,
        life.lifecycle.value,
        life.review.value,
        life.authority.value,
        to_micros(life.valid_from),
        None if life.valid_to is None else to_micros(life.valid_to),
        to_micros(life.checked_at),
        successor,
    )
    rows.run(_BEGIN, row)


def change(rows: Rows, recorded: Recorded, fact_id: FactId, step: Step) -> None:
    """Apply one change to a fact."""
    fact_no = rows.place_of(fact_id)
    _replace(rows, recorded, fact_no, step)


def take_back(rows: Rows, recorded: Recorded, event_no: int) -> None:
    """Give each fact that the event at *event_no* changed its life from before."""
    changed = [int(fact_no) for (fact_no,) in rows.run(_BEGUN_BY, (event_no,))]
    before = {fact_no: _before(rows, fact_no, event_no) for fact_no in changed}
    # Facts that leave a slot go first, since a slot never holds two.
    for fact_no in sorted(before, key=lambda one: _fills_a_slot(before[one])):
        life = before[fact_no]
        _replace(rows, recorded, fact_no, archived if life is None else _to(life))


def read_life(row: Row) -> Life:
    """Return the life in the columns of `LIFE`."""
    scope, lifecycle, review, authority, valid_from, valid_to, checked_at, successor = row
    return Life(
        scope=Scope(scope),
        lifecycle=Lifecycle(lifecycle),
        review=Review(review),
        authority=Authority(authority),
        valid_from=from_micros(valid_from),
        valid_to=None if valid_to is None else from_micros(valid_to),
        checked_at=from_micros(checked_at),
        successor=None if successor is None else FactId.stored(successor),
    )


def _replace(rows: Rows, recorded: Recorded, fact_no: int, step: Step) -> None:
    found = rows.run(_OPEN, (fact_no,))
    if not found and rows.run(_ERASED, (fact_no,)):
        return
    if not found:
        raise CorruptionError(f"place {fact_no} of the ledger holds no fact")
    _, slot, *life = found[0]
    rows.run(_END, (recorded.seq, fact_no))
    begin(rows, recorded, fact_no, step(read_life(tuple(life))), slot)


def _before(rows: Rows, fact_no: int, event_no: int) -> Life | None:
    found = rows.run(_BEFORE, (fact_no, event_no))
    return read_life(found[0][2:]) if found else None


def _to(life: Life) -> Step:
    return lambda _: life


def _fills_a_slot(life: Life | None) -> bool:
    return life is not None and life.lifecycle is Lifecycle.CURRENT
