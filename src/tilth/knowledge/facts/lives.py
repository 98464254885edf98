"""Lives: every step of a fact ends one and begins the next."""

from collections.abc import Callable
from typing import TypeAlias

from tilth.core.errors import CorruptionError
from tilth.core.event import Recorded
from tilth.core.ids import FACT_PREFIX, FactId, encode_ulid
from tilth.core.instant import from_micros, to_micros
from tilth.core.lifecycle import Lifecycle, Review
from tilth.core.scope import Scope
from tilth.knowledge.facts.life import Authority, Life, archived
from tilth.ledger.engine import Connection, Row
from tilth.ledger.places import place_of
from tilth.ledger.realms import realm_of

Step: TypeAlias = Callable[[Life], Life]

# What `read_life` reads: lives are `v`, realms `r`, the successor's line of the ledger `s`.
LIFE = """r.scope, v.lifecycle, v.review, v.authority, v.valid_from, v.valid_to,
v.checked_at, s.event_id"""
_LIVES = f"""
SELECT v.fact_no, v.slot, {LIFE} FROM lives v JOIN realms r ON r.realm_no = v.realm_no
LEFT JOIN ledger s ON s.seq = v.successor_no
"""  # noqa: S608 - names of ours
_OPEN = f"{_LIVES} WHERE v.fact_no = ? AND v.until IS NULL"
_BEFORE = f"{_LIVES} WHERE v.fact_no = ? AND v.until = ?"
_BEGUN_BY = "SELECT fact_no FROM lives WHERE since = ? AND until IS NULL ORDER BY fact_no"
_END = "UPDATE lives SET until = ? WHERE fact_no = ? AND until IS NULL"
# An erased fact has no life left to change.
_ERASED = "SELECT 1 FROM ledger WHERE seq = ? AND payload IS NULL"
_BEGIN = """
INSERT INTO lives (life_no, fact_no, since, realm_no, slot, lifecycle, review, authority,
                   valid_from, valid_to, checked_at, successor_no)
VALUES ((SELECT coalesce(max(life_no), 0) + 1 FROM lives), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""


def begin(conn: Connection, recorded: Recorded, fact_no: int, life: Life, slot: str | None) -> None:
    """Begin a life at the event *recorded*."""
    successor = None if life.successor is None else place_of(conn, life.successor)
    row = (
        fact_no,
        recorded.seq,
        realm_of(conn, recorded.seq, recorded.owner, life.scope),
        slot,
        life.lifecycle.value,
        life.review.value,
        life.authority.value,
        to_micros(life.valid_from),
        None if life.valid_to is None else to_micros(life.valid_to),
        to_micros(life.checked_at),
        successor,
    )
    conn.rows(_BEGIN, row)


def change(conn: Connection, recorded: Recorded, fact_id: FactId, step: Step) -> None:
    """Take a fact one step on."""
    fact_no = place_of(conn, fact_id)
    _replace(conn, recorded, fact_no, step)


def take_back(conn: Connection, recorded: Recorded, event_no: int) -> None:
    """Give each fact that the event at *event_no* changed the life that it had before."""
    changed = [int(fact_no) for (fact_no,) in conn.rows(_BEGUN_BY, (event_no,))]
    before = {fact_no: _before(conn, fact_no, event_no) for fact_no in changed}
    # Whatever leaves a slot goes first: two are never in it, not even for a moment.
    for fact_no in sorted(before, key=lambda one: _fills_a_slot(before[one])):
        life = before[fact_no]
        _replace(conn, recorded, fact_no, archived if life is None else _to(life))


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
        successor=None
        if successor is None
        else FactId(FACT_PREFIX + encode_ulid(bytes(successor))),
    )


def _replace(conn: Connection, recorded: Recorded, fact_no: int, step: Step) -> None:
    found = conn.rows(_OPEN, (fact_no,))
    if not found and conn.rows(_ERASED, (fact_no,)):
        return
    if not found:
        raise CorruptionError(f"place {fact_no} of the ledger holds no fact")
    _, slot, *life = found[0]
    conn.rows(_END, (recorded.seq, fact_no))
    begin(conn, recorded, fact_no, step(read_life(tuple(life))), slot)


def _before(conn: Connection, fact_no: int, event_no: int) -> Life | None:
    found = conn.rows(_BEFORE, (fact_no, event_no))
    return read_life(found[0][2:]) if found else None


def _to(life: Life) -> Step:
    return lambda _: life


def _fills_a_slot(life: Life | None) -> bool:
    return life is not None and life.lifecycle is Lifecycle.CURRENT
