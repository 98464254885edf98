"""
Look at gaps, and change their status.

Anybody may report a gap, and whoever closed one may say so. Only a human says that a gap will not
be fixed, or that two are one.
"""

from tilth.core.actor import Actor, ActorKind, require_known
from tilth.core.dataclass import dataclass
from tilth.core.errors import ForbiddenError, InvalidInputError, LimitExceededError
from tilth.core.event import Recorded
from tilth.core.scope import Visibility
from tilth.episodes.remember import WriteContext
from tilth.gaps.events import GapFiled, GapMoved
from tilth.gaps.model import (
    NOTE_CHARS_MAX,
    TODO_REF_CHARS_MAX,
    Gap,
    GapStatus,
    Trace,
    check_move,
)
from tilth.gaps.tables import Gaps
from tilth.ledger.store import Transaction
from tilth.privacy.redaction import scrub


@dataclass(frozen=True, slots=True, kw_only=True)
class GapStory:
    """A gap, its evidence, the gaps merged into it, and its events."""

    gap: Gap
    trail: tuple[Trace, ...]
    merged: tuple[Gap, ...]
    history: tuple[Recorded, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """A change of a gap's status. A reference to a TODO alone means that it has one."""

    status: GapStatus | None = None
    todo_ref: str = ""
    note: str = ""

    def __post_init__(self) -> None:
        if self.status is None and not self.todo_ref:
            raise InvalidInputError("say what becomes of it", hint="--status, or --todo-ref")
        if self.status is GapStatus.TODO_CREATED and not self.todo_ref:
            raise InvalidInputError(
                "say where the TODO is", hint="--todo-ref REF, or have one drafted: tilth gap todo"
            )
        if len(self.todo_ref) > TODO_REF_CHARS_MAX or len(self.note) > NOTE_CHARS_MAX:
            raise LimitExceededError(
                f"a reference has at most {TODO_REF_CHARS_MAX} characters, a note {NOTE_CHARS_MAX}"
            )
        if not self.todo_ref.isprintable():
            raise InvalidInputError("a reference is one printable line")


def move_gap(tx: Transaction, gap: Gap, move: Move, recorder: WriteContext) -> Gap:
    """
    Change the status of a gap, in the caller's transaction.

    Raises:
        ConflictError: the present status does not lead there.
    """
    ref, note = scrub(move.todo_ref).text, scrub(move.note).text
    event: GapFiled | GapMoved
    status = move.status or GapStatus.TODO_CREATED
    if status is gap.status is GapStatus.TODO_CREATED and ref:
        event = GapFiled(gap_id=gap.id, todo_ref=ref)
    else:
        check_move(gap, status)
        event = GapMoved(gap_id=gap.id, status=status, todo_ref=ref, note=note)
    tx.append(event, by=recorder.by, owner=recorder.owner)
    return Gaps(tx).get(gap.id, Visibility(recorder.owner))


def require_doer(actor: Actor, verb: str) -> None:
    """
    Refuse an anonymous actor or an import.

    Raises:
        ForbiddenError: *actor* is anonymous or an import.
    """
    require_known(actor, verb)
    if actor.kind is ActorKind.IMPORT:
        raise ForbiddenError(f"an import tells what was, so it may not {verb}")
