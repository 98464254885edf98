"""Going back, as lines for a person."""

import json
from collections.abc import Iterator, Sequence

from tilth.core.view import Bold, Dim, Line, Note, Row, number_of
from tilth.snapshots.model import Operation, TakenSnapshot
from tilth.snapshots.rollback import Rollback
from tilth.snapshots.undo import Aside, Story, Undone

_SHOWN_MAX = 40


def taken(snapshot: TakenSnapshot) -> Iterator[Line]:
    """Yield what was written where."""
    yield (Bold(snapshot.day), f"  {_total(snapshot):,} operations  {snapshot.path}")


def many(found: Sequence[TakenSnapshot]) -> Iterator[Line]:
    """Yield a line for each snapshot."""
    for one in found:
        yield Row((one.day, f"{_total(one):,} operations", f"ledger {one.through:,}"))
    if not found:
        yield Note("no snapshot yet: tilth snapshot take")


def one(snapshot: TakenSnapshot) -> Iterator[Line]:
    """Yield a snapshot in full."""
    yield from taken(snapshot)
    yield Dim(f"taken {snapshot.taken_at:%Y-%m-%d %H:%M} UTC at {snapshot.through:,} of the ledger")
    yield Dim(f"known: sha256 {snapshot.digest}")
    yield Dim(f"file:  sha256 {snapshot.sha256}, as it was written")
    if snapshot.erased:
        yield Dim(f"{snapshot.erased:,} operations were erased since")
    for kind, count in snapshot.counts.items():
        yield Row((f"{count:,}", kind.replace("_", " ")))


def rollback(plan: Rollback) -> Iterator[Line]:
    """Yield what goes, what comes back and what stays, and how to say yes."""
    day, is_done = plan.snapshot.day, bool(plan.id)
    if not (plan.aside or plan.back):
        yield f"nothing that was known on {day} has changed since"
        return
    verb = "now" if is_done else "to be"
    yield (Bold(f"since {day}, {_many(plan.aside)} {verb} set aside"),)
    yield from _listed(plan.aside)
    if plan.back:
        yield f"{_many(plan.back)} {verb} brought back"
        yield from _listed(plan.back)
    if plan.kept:
        yield f"{_many(plan.kept)} stay: what a person rejected, and whom conversations are with"
        yield from _listed(plan.kept)
    if not is_done:
        yield Note(f"to do it: tilth snapshot restore {day} --confirm {plan.confirm}")
        return
    same = "to the letter what it was" if plan.is_equal else "what it was, but for what stays"
    yield f"what is known is {same} on {day}"
    yield Note(f"bring them back with: tilth snapshot reapply {plan.id}")


def asides(found: Sequence[Aside]) -> Iterator[Line]:
    """Yield each rollback and undo with what it keeps aside."""
    for one in found:
        yield (
            Bold(one.by.made),
            f"  {one.by.at:%Y-%m-%d %H:%M} by {one.by.by.name}  {one.by.text}",
        )
        yield from _listed(one.operations)
    if not found:
        yield Note("nothing is aside")


def story(found: Story) -> Iterator[Line]:
    """Yield an operation in full."""
    yield from _listed([found.operation])
    yield f"by {found.operation.by.name} ({found.operation.by.kind})"
    yield f"reason: {found.reason or 'none was given'}"
    if found.before is not None:
        yield Dim(f"before: {json.dumps(found.before, ensure_ascii=False)}")
    yield Dim(f"after:  {json.dumps(found.after, ensure_ascii=False)}")
    if found.dependants:
        yield f"on it rests what {_many(found.dependants)} did"
        yield from _listed(found.dependants)
    if found.undone_by:
        yield Note(f"it was undone by {found.undone_by}")
    else:
        yield Note(f"undo it: tilth undo {found.operation.id}")


def undone(done: Undone) -> Iterator[Line]:
    """Yield what was taken back or came back, and what undoes that."""
    yield (Bold(_many(done.operations)),)
    yield from _listed(done.operations)
    undoing = f"undo this: tilth undo {done.id}" if done.id else "it waits again: tilth review"
    yield Note(undoing)


def _listed(operations: Sequence[Operation]) -> Iterator[Line]:
    for one in operations[:_SHOWN_MAX]:
        kind = one.kind.replace("_", " ")
        yield Row((one.made or one.id, f"{one.at:%Y-%m-%d %H:%M}", kind, one.text[:80]))
    if len(operations) > _SHOWN_MAX:
        yield Dim(f"and {len(operations) - _SHOWN_MAX:,} more")


def _many(operations: Sequence[Operation]) -> str:
    return number_of(len(operations), "operation")


def _total(snapshot: TakenSnapshot) -> int:
    return sum(snapshot.counts.values())
