"""`tilth init HOST`, `undo`, `pause` and `resume`: agent programs and their hooks."""

import os
import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta

from tilth.agents import install as hosts
from tilth.agents.hooks import Hooks
from tilth.agents.installation import Plan, Receipt, Undone
from tilth.core.errors import ConflictError, ForbiddenError
from tilth.core.view import Bold, Dim, Line
from tilth.interfaces.cli import imports, store
from tilth.interfaces.cli.opening import place_of, shown_place
from tilth.interfaces.cli.screen import Screen
from tilth.interfaces.cli.worker import FOR_HOOKS, start_in_background
from tilth.runtime import connect as bootstrap
from tilth.runtime import places
from tilth.runtime.doctor import EXPIRY_NEAR, expiring
from tilth.runtime.machine import transcripts_of
from tilth.runtime.system import SystemClock, SystemIds
from tilth.transfer.importing import Source


def init(args: Namespace, screen: Screen) -> int:
    """Set up hosts, once their user agrees; without any, make an empty store."""
    if not args.hosts:
        return store.init(args, screen)
    _check_store(args)
    shared = bootstrap.hooks(os.environ)
    setups = [bootstrap.host_setup(name, os.environ) for name in dict.fromkeys(args.hosts)]
    plans = [hosts.plan_init(setup, shared.files) for setup in setups]
    _show(plans, screen)
    receipts: list[Receipt | None] = []
    if not args.dry_run:
        _agree(plans, args, screen)
        bootstrap.connect(places.hooks_store(os.environ), create=True).close()
        receipts = [_done(plan, shared) for plan in plans]
        shared.state.let_hooks_wake(FOR_HOOKS)
    waiting = _Waiting((), 0) if args.dry_run else _waiting()
    screen.answer(
        {
            "is_dry_run": args.dry_run,
            "hosts": [_planned(plan) for plan in plans],
            "receipts": [receipt.id for receipt in receipts if receipt is not None],
            "transcripts": waiting.told(),
        },
        _lines(plans, is_dry_run=args.dry_run),
    )
    _offer_import(waiting, args, screen)
    return 0


def undo(args: Namespace, screen: Screen) -> int:
    """Take back what `init` did for hosts; for all, without any named."""
    shared = bootstrap.hooks(os.environ)
    done: list[Undone] = []
    known = [receipt.host for receipt in shared.receipts.in_force()]
    for name in dict.fromkeys(args.hosts or known):
        setup = bootstrap.host_setup(name, os.environ)
        done += hosts.undo(shared.receipts.in_force(name), setup, shared.files, shared.receipts)
    if not shared.receipts.in_force():
        shared.state.let_nobody_wake()
    screen.answer({"undone": done}, _undone_lines(done))
    return 0


def pause(args: Namespace, screen: Screen) -> int:
    """Let hooks keep and say nothing for some time, or until `resume`."""
    until = None
    if args.minutes is not None:
        until = SystemClock().now() + timedelta(minutes=args.minutes)
    bootstrap.hooks(os.environ).state.pause(until)
    end = "until tilth resume" if until is None else f"until {until:%Y-%m-%d %H:%M} UTC"
    screen.answer({"is_paused": True, "until": until}, [f"nothing is captured {end}"])
    return 0


def resume(args: Namespace, screen: Screen) -> int:  # noqa: ARG001 - as every command is called
    """Let hooks go on."""
    bootstrap.hooks(os.environ).state.resume()
    screen.answer({"is_paused": False, "until": None}, ["sessions are captured"])
    return 0


def _check_store(args: Namespace) -> None:
    # A host calls hooks in its own environment: what this shell or line says, they never hear.
    meant, theirs = place_of(args), places.hooks_store(os.environ)
    if meant != theirs:
        raise ConflictError(
            f"hooks record into {shown_place(theirs)}, not into {shown_place(meant)}",
            hint="set 'store' in the settings file, and neither --store nor TILTH_STORE",
        )


def _show(plans: Sequence[Plan], screen: Screen) -> None:
    for plan in plans:
        for line in plan.diff().splitlines():
            screen.say(line)
        screen.say(plan.summary())


def _agree(plans: Sequence[Plan], args: Namespace, screen: Screen) -> None:
    if args.yes or all(plan.is_done for plan in plans):
        return
    if not sys.stdin.isatty() or screen.is_json:
        raise ForbiddenError(
            "nobody agreed to these changes", hint="--yes agrees, --dry-run only shows them"
        )
    if not _agrees(screen, "Write this?"):
        raise ForbiddenError("nothing was changed", hint="you did not agree")


def _agrees(screen: Screen, question: str) -> bool:
    screen.say(f"{question} [y/N]")
    return sys.stdin.readline().strip().casefold() in {"y", "yes"}


def _done(plan: Plan, shared: Hooks) -> Receipt | None:
    return hosts.init(plan, shared.files, shared.receipts, clock=SystemClock(), ids=SystemIds())


def _planned(plan: Plan) -> dict[str, object]:
    return {
        "host": plan.host,
        "files": [
            {"path": change.path, "is_new": change.before is None} for change in plan.changes
        ],
        "diff": plan.diff(),
        "notes": plan.notes,
    }


def _lines(plans: Sequence[Plan], *, is_dry_run: bool) -> Iterator[Line]:
    for plan in plans:
        if plan.is_done:
            yield (Bold(plan.host), " is set up already")
            continue
        yield (Bold(plan.host), " would be set up" if is_dry_run else " is set up")
        if not is_dry_run:
            yield from (Dim(f"  {note}") for note in plan.notes)
            yield Dim(f"  to take it back: tilth undo {plan.host}")


def _undone_lines(done: Sequence[Undone]) -> Iterator[Line]:
    if not done:
        yield "nothing to undo"
    for one in done:
        yield from (("restored ", path) for path in one.restored)
        yield from (("removed ", path) for path in one.removed)
        yield from (("took ours out of ", path) for path in one.trimmed)
        yield from (("edited since, and moved to ", path) for path in one.moved)
        yield from (("edited since, and left ", path) for path in one.left)


@dataclass(frozen=True, slots=True)
class _Waiting:
    """What agents left on this machine and nobody has imported yet."""

    sources: Sequence[Source]
    expiring_count: int

    def formats(self) -> Mapping[str, int]:
        return Counter(source.format for source in self.sources)

    def told(self) -> dict[str, object]:
        return {
            "waiting_count": len(self.sources),
            "expiring_count": self.expiring_count,
            "formats": self.formats(),
        }

    def summary(self) -> str:
        of_each = ", ".join(f"{name} {count}" for name, count in sorted(self.formats().items()))
        summary = f"{len(self.sources)} transcripts of earlier sessions lie here: {of_each}"
        if self.expiring_count:
            days = EXPIRY_NEAR.days
            summary += f"; Claude Code removes {self.expiring_count} of them within {days} days"
        return summary


def _waiting() -> _Waiting:
    sources = bootstrap.default_sources(os.environ)
    with bootstrap.connect(places.hooks_store(os.environ)) as brain:
        waiting = brain.unimported(transcripts_of(sources, os.environ))
    uris = {transcript.uri for transcript in waiting}
    near = expiring(waiting, SystemClock().now())
    return _Waiting([source for source in sources if source.uri in uris], len(near))


def _offer_import(waiting: _Waiting, args: Namespace, screen: Screen) -> None:
    if not waiting.sources:
        return
    screen.say(waiting.summary())
    if args.yes or screen.is_json or not sys.stdin.isatty() or not _agrees(screen, "Import them?"):
        screen.say("to bring them in: tilth import")
        return
    with bootstrap.connect(places.hooks_store(os.environ)) as brain:
        summary, _ = imports.bring_in(brain, waiting.sources, screen)
    for line in imports.lines_of(summary):
        screen.say("".join(line))
    start_in_background(args)
