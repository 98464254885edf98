"""The verbs on snapshots, rollback and undo."""

from collections.abc import Sequence
from typing import Annotated, Protocol, TypeAlias

from tilth.core.actor import ActorKind
from tilth.core.verb import HUMANS, Arg, Section, noun, verb
from tilth.embedding.embedder import FirstTier
from tilth.episodes.context import Context
from tilth.ledger.events import SetAside
from tilth.ledger.tables import Tombstones
from tilth.maintenance.embed import embed_backlog
from tilth.skills.approval import keep_files
from tilth.skills.install_files import AsideFolder
from tilth.snapshots import rollback, undo, views
from tilth.snapshots.changes_since import changes
from tilth.snapshots.folder import SnapshotFolder
from tilth.snapshots.model import TakenSnapshot, operation_of
from tilth.snapshots.rollback import Rollback
from tilth.snapshots.undo import Aside, Story, Undone

noun(
    "snapshot",
    "daily records of what was known, and going back to one",
    section=Section.LOOK_AFTER,
    bare="list",
)
noun("operation", "single recorded changes, and what depends on them", section=Section.ADVANCED)

_KEEPERS = frozenset({ActorKind.HUMAN, ActorKind.JOB})
Day: TypeAlias = Annotated[str, Arg("the day, such as 2026-11-23", metavar="DAY")]
Which: TypeAlias = Annotated[
    str,
    Arg("an ID that `tilth changes` shows: the operation, or what it made", metavar="OPERATION"),
]
Reason: TypeAlias = Annotated[str, Arg("why", metavar="TEXT")]


class Needs(Context, Protocol):
    """What going back needs of a brain besides what every verb needs."""

    @property
    def first(self) -> FirstTier:
        """The embedder that runs with every write."""

    @property
    def snapshots(self) -> SnapshotFolder:
        """The folder of snapshots."""

    @property
    def outbox(self) -> AsideFolder:
        """The folder for files that somebody edited."""


@verb(
    "snapshot take",
    roles=_KEEPERS,
    view=views.taken,
    examples=("tilth snapshot take",),
)
def take(brain: Needs) -> TakenSnapshot:
    """
    Take a snapshot of what is known today.

    The file holds every operation that led to it, the place in the ledger, and hashes. A second
    snapshot on a day replaces the first; the newest 30 are kept.

    Returns:
        The snapshot.
    """
    return rollback.take(brain.store, brain.snapshots, brain.clock, brain.recorder.owner)


@verb(
    "snapshot list",
    roles=_KEEPERS,
    view=views.many,
    key="snapshots",
    examples=("tilth snapshot list",),
)
def list_(brain: Needs) -> Sequence[TakenSnapshot]:
    """
    List snapshots, the newest first.

    Returns:
        The snapshots, without the hash of each file.
    """
    return brain.snapshots.select()


@verb(
    "snapshot show",
    python="snapshots.get",
    roles=_KEEPERS,
    view=views.one,
    examples=("tilth snapshot show 2026-11-23",),
)
def show(brain: Needs, day: Day) -> TakenSnapshot:
    """
    Check the hash of a day's snapshot, and show it.

    Returns:
        The snapshot.

    Raises:
        NotFoundError: there is no snapshot of that day.
        CorruptionError: its file is not as it was written.
    """
    return brain.snapshots.get(day)


@verb(
    "snapshot restore",
    roles=HUMANS,
    view=views.rollback,
    examples=("tilth snapshot restore 2026-11-22",),
)
def restore(
    brain: Needs,
    day: Day,
    *,
    confirm: Annotated[str, Arg("the token of the plan", metavar="WORD")] = "",
    reason: Reason = "",
) -> Rollback:
    """
    Go back to what was known on a day; without `--confirm`, show what would change.

    Later operations are set aside; `tilth snapshot reapply` brings them back. Episodes, erasures
    and rejections stay.

    Returns:
        The plan, or what was done.

    Raises:
        NotFoundError: there is no snapshot of that day.
        CorruptionError: its file is not as it was written.
        ConflictError: it belongs to another history, the plan differs from what was shown, or
            nothing has changed.
    """
    store, folder, recorder = brain.store, brain.snapshots, brain.recorder
    if not confirm:
        return rollback.plan_rollback(store, folder, day, recorder)
    done = rollback.roll_back(store, folder, day, recorder, confirm=confirm, reason=reason)
    _catch_up(brain)
    return done


@verb(
    "snapshot aside",
    roles=HUMANS,
    view=views.asides,
    key="asides",
    examples=("tilth snapshot aside",),
)
def aside(brain: Needs) -> Sequence[Aside]:
    """
    List what rollbacks and undos set aside, the newest first.

    Returns:
        Each rollback or undo with its operations.
    """
    with brain.store.read() as view:
        now = view.asides(view.head().seq)
        kept = []
        for one in changes(view):
            if isinstance(one.event, SetAside) and one.owner == brain.recorder.owner:
                held = [id_ for id_ in one.event.aside if id_ in now]
                there = Tombstones(view).present(held)
                operations = tuple(map(operation_of, there))
                kept.append(Aside(by=operation_of(one), operations=operations))
    return [one for one in reversed(kept) if one.operations]


@verb(
    "snapshot reapply",
    roles=HUMANS,
    view=views.undone,
    examples=("tilth snapshot reapply opn_01KAR",),
)
def reapply(
    brain: Needs,
    operation: Annotated[str, Arg("the rollback or undo", metavar="OPERATION")],
    *,
    only: Annotated[
        Sequence[str], Arg("redo only this operation; may be repeated", metavar="ID")
    ] = (),
    reason: Reason = "",
) -> Undone:
    """
    Bring back what a rollback or an undo set aside.

    Returns:
        What is back, and the operation that brought it back.

    Raises:
        NotFoundError: there is no such operation.
        InvalidInputError: it set nothing aside, or not what is named.
        ConflictError: what it concerns has changed since, or all of it is back.
    """
    done = undo.reapply(brain.store, operation, brain.recorder, only=only, reason=reason)
    _catch_up(brain)
    return done


@verb(
    "operation show",
    python="operations.get",
    roles=HUMANS,
    view=views.story,
    examples=("tilth operation show fct_01KAR",),
)
def operation_show(brain: Needs, operation: Which) -> Story:
    """
    Show one change: who made it and why, before and after, and what rests on it.

    Returns:
        The operation in full.

    Raises:
        NotFoundError: there is no such operation.
    """
    return undo.story(brain.store, operation, brain.within(None))


@verb(
    "undo",
    roles=HUMANS,
    section=Section.LOOK_AFTER,
    view=views.undone,
    examples=(
        "tilth undo fct_01KAR --reason 'a mistake'",
        "tilth undo opn_01KAR --with-dependants",
    ),
)
def undo_operation(
    brain: Needs,
    operation: Which,
    *,
    dependants: Annotated[
        Sequence[str],
        Arg("an operation that goes with it; may be repeated", flags=("--and",), metavar="ID"),
    ] = (),
    with_dependants: Annotated[bool, Arg("undo also everything that rests on it")] = False,
    reason: Reason = "",
) -> Undone:
    """
    Undo one recorded operation.

    Operations that rest on it are listed, and undone only if they are named. Undoing a rollback or
    an undo brings back what it set aside.

    Returns:
        What was undone, and the operation that did it, which can be undone in turn.

    Raises:
        NotFoundError: there is no such operation.
        ConflictError: it was undone before, something rests on it that nobody named, or
            something else took its place.
        InvalidInputError: it cannot be undone: what was said stays, or is erased.
    """
    done = undo.undo(
        brain.store,
        operation,
        brain.recorder,
        dependants=dependants,
        with_dependants=with_dependants,
        reason=reason,
    )
    _catch_up(brain)
    return done


def _catch_up(brain: Needs) -> None:
    """Update what follows the tables but is none: vectors, and the files of skills."""
    embed_backlog(brain.store, [brain.first])
    keep_files(brain.store, brain.outbox, brain.within(None))
