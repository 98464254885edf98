"""The table of spending on language models, and reading it."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from tilth.core.errors import CorruptionError
from tilth.core.event import Recorded
from tilth.core.ids import SessionId
from tilth.core.instant import DAY_US, EPOCH, from_micros, to_micros
from tilth.core.scope import Owner, Scope
from tilth.core.table import Table, Widening
from tilth.ledger.projection import Rows, projects
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.sql_list import one_of
from tilth.llm.budget import ModelSpending, SessionSpending
from tilth.llm.events import BudgetReserved, BudgetSettled
from tilth.llm.spending import Spending
from tilth.llm.task import Task

# Those of schema 2.
_FIRST_TASKS = [task for task in Task if task not in {Task.TEND_TOPIC, Task.CLEAN}]

# What calls of language models may come to; once settled, what they came to.
RESERVATIONS = Table(
    "reservations",
    no=20,
    since=2,
    is_record=True,
    columns=f"""
    reservation_no $integer PRIMARY KEY,
    realm_no       $integer NOT NULL,
    run            TEXT NOT NULL,
    task           TEXT NOT NULL CHECK (task IN ({one_of(Task)})),
    model          TEXT NOT NULL,
    reserved_at    $integer NOT NULL,
    calls          $integer NOT NULL,
    tokens         $integer NOT NULL,
    millionths     $integer NOT NULL,
    settled_no     $integer,
    session_id     TEXT
""",
    indexes="""
CREATE INDEX reservations_in_time ON reservations (reserved_at, realm_no);
CREATE INDEX reservations_of_a_run ON reservations (run);
CREATE INDEX reservations_for_a_session ON reservations (session_id)
    WHERE session_id IS NOT NULL;
""",
    widened={3: Widening("task", one_of(_FIRST_TASKS), one_of(Task))},
)

_RESERVE = """
INSERT INTO reservations (reservation_no, realm_no, run, task, model, reserved_at,
                          calls, tokens, millionths, session_id, settled_no)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)
"""
_SETTLE = """
UPDATE reservations SET calls = ?, tokens = ?, millionths = ?, settled_no = ?
WHERE reservation_no = ? AND settled_no IS NULL RETURNING reservation_no
"""
_SUMS = "coalesce(sum(r.calls), 0), coalesce(sum(r.tokens), 0), coalesce(sum(r.millionths), 0)"
_OF_OWNER = "FROM reservations r JOIN realms m ON m.realm_no = r.realm_no WHERE m.owner = ?"
_LAST_CALLS = """
AND r.reservation_no IN (
    SELECT max(reservation_no) FROM reservations
    WHERE settled_no IS NOT NULL OR reserved_at < ? GROUP BY model, realm_no
) ORDER BY r.reservation_no
"""


@projects(BudgetReserved)
def reserved(rows: Rows, recorded: Recorded, event: BudgetReserved) -> None:
    """Show what was set aside."""
    asked = event.reservation
    realm = rows.realm_of(recorded, asked.scope)
    at, held = to_micros(recorded.recorded_at), asked.held
    row = (recorded.seq, realm, asked.run, asked.task.value, asked.model, at)
    amounts = (held.calls, held.tokens, held.millionths)
    rows.run(_RESERVE, (*row, *amounts, asked.session_id))


@projects(BudgetSettled)
def settled(rows: Rows, recorded: Recorded, event: BudgetSettled) -> None:
    """Show what came of it."""
    place, spent = rows.place_of(event.reservation_id), event.spent
    row = (spent.calls, spent.tokens, spent.millionths, recorded.seq, place)
    if not rows.run(_SETTLE, row):
        raise CorruptionError(f"{event.reservation_id} cannot be settled: it is not open")


class Budgets:
    """The reservations as one snapshot shows them; what nobody settled counts as spent."""

    def __init__(self, view: Snapshot) -> None:
        self._conn = view.conn

    def spent(
        self,
        owner: Owner,
        *,
        since: datetime | None = None,
        scope: Scope | None = None,
        run: str | None = None,
        session_id: SessionId | None = None,
    ) -> Spending:
        """Return what *owner* spent: since an instant, in one scope, by one run, on a session."""
        conditions, params = [_OF_OWNER], list[object]([owner])
        for condition, value in (
            ("r.reserved_at >= ?", None if since is None else to_micros(since)),
            ("m.scope = ?", scope),
            ("r.run = ?", run),
            ("r.session_id = ?", session_id),
        ):
            if value is not None:
                conditions.append(condition)
                params.append(value)
        sql = f"SELECT {_SUMS} {' AND '.join(conditions)}"
        return _spending(self._conn.rows(sql, tuple(params))[0])

    def by_model(self, owner: Owner, *, since: datetime) -> Sequence[ModelSpending]:
        """Return what *owner* spent since an instant, by task and model."""
        sql = f"""SELECT r.task, r.model, {_SUMS}, count(*) - count(r.settled_no),
            max(r.reserved_at) {_OF_OWNER} AND r.reserved_at >= ?
            GROUP BY r.task, r.model ORDER BY r.task, r.model"""
        return [
            ModelSpending(
                task=Task(task),
                model=model,
                spent=_spending(sums),
                open_count=int(open_count),
                last_at=from_micros(at),
            )
            for task, model, *sums, open_count, at in self._conn.rows(
                sql, (owner, to_micros(since))
            )
        ]

    def silences(self, owner: Owner, *, asked_before: datetime) -> dict[str, datetime]:
        """
        Return when each model was asked last, of those whose last call came to nothing.

        Such a call made no token, or nobody settled it; the answer to one that was made since
        *asked_before* may still be on its way.
        """
        sql = f"SELECT r.model, r.tokens, r.settled_no, r.reserved_at {_OF_OWNER} {_LAST_CALLS}"
        found = dict[str, datetime]()
        for model, tokens, settled_no, at in self._conn.rows(sql, (owner, to_micros(asked_before))):
            found.pop(model, None)
            if settled_no is None or not tokens:
                found[model] = from_micros(at)
        return found

    def by_day(self, owner: Owner, *, since: datetime) -> Mapping[str, Spending]:
        """Return what *owner* spent since an instant, by the ISO date in UTC."""
        day = f"r.reserved_at / {DAY_US}"
        sql = f"""SELECT {day}, {_SUMS} {_OF_OWNER} AND r.reserved_at >= ?
            GROUP BY {day} ORDER BY {day}"""
        return {
            f"{EPOCH + timedelta(days=int(number)):%Y-%m-%d}": _spending(sums)
            for number, *sums in self._conn.rows(sql, (owner, to_micros(since)))
        }

    def by_session(self, owner: Owner, *, since: datetime, limit: int) -> Sequence[SessionSpending]:
        """Return what *owner* spent on sessions since an instant, the dearest first."""
        sql = f"""SELECT r.session_id, {_SUMS} {_OF_OWNER}
            AND r.reserved_at >= ? AND r.session_id IS NOT NULL
            GROUP BY r.session_id ORDER BY 4 DESC, 3 DESC, 1 LIMIT ?"""
        return [
            SessionSpending(session_id=SessionId(session_id), spent=_spending(sums))
            for session_id, *sums in self._conn.rows(sql, (owner, to_micros(since), limit))
        ]


def _spending(sums: Sequence[Any]) -> Spending:
    """Return the sums of `_SUMS`, which PostgreSQL gives as decimals."""
    return Spending(*map(int, sums))
