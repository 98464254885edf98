"""Agent programs and their hooks: `tilth init`, `unplug`, `pause` and `resume`."""

import os
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from typing import Annotated, TypeAlias

from tilth.agents.hosts.registry import HOSTS
from tilth.agents.install_plan import Plan, Receipt, Undone
from tilth.core.dataclass import dataclass
from tilth.core.errors import ForbiddenError, InvalidInputError
from tilth.core.verb import Arg, Section
from tilth.core.view import Bold, Dim, Line, Note, number_of
from tilth.interfaces.cli.commands import imports, store
from tilth.interfaces.cli.commands.worker import start_in_background
from tilth.interfaces.cli.screen import Screen
from tilth.interfaces.cli.terminal import Terminal, command
from tilth.interfaces.import_transcripts import has_more_to_learn, learn, run_import
from tilth.interfaces.plug_hosts import check_store, plan_setup, plug, unplug_all
from tilth.privacy.redaction import scrub
from tilth.runtime import connect as bootstrap
from tilth.runtime import places
from tilth.runtime.doctor import EXPIRY_NEAR, expiring
from tilth.runtime.machine import transcripts_of
from tilth.runtime.system import SystemClock
from tilth.transfer.model import Source

Hosts: TypeAlias = Annotated[
    Sequence[str],
    Arg(
        f"agent programs: {', '.join(sorted(HOSTS))}", metavar="HOST", choices=tuple(sorted(HOSTS))
    ),
]


# The program of a host that can do a task of a language model.
_PROGRAMS = {"claude-code": "claude", "codex": "codex", "gemini-cli": "gemini"}


@command(
    "init",
    section=Section.START,
    examples=(
        "tilth init",
        "tilth init claude-code codex --dry-run",
        "tilth init claude-code --mcp",
    ),
)
def init(
    terminal: Terminal,
    hosts: Hosts = (),
    *,
    mcp: Annotated[
        bool, Arg("also give them the memory's tools: recall, remember and more, over MCP")
    ] = False,
    dry_run: Annotated[
        bool, Arg("show what would change, and write nothing", flags=("-n", "--dry-run"))
    ] = False,
    yes: Annotated[bool, Arg("agree without being asked", flags=("-y", "--yes"))] = False,
) -> int:
    """
    Make a store, and plug agents into it.

    Without a host: make an empty store that only you may read. With hosts: also
    capture their sessions from now on. Shows each file that changes, and asks.

    Tools that an agent has already stay without --mcp, too; `tilth unplug` takes all of it back.
    """
    screen = terminal.screen
    if not hosts:
        if mcp:
            raise InvalidInputError("--mcp is for agents", hint="name one: tilth init HOST --mcp")
        return store.init(terminal)
    check_store(terminal.place)
    plans = [plan_setup(name, with_tools=mcp) for name in dict.fromkeys(hosts)]
    _show(plans, screen)
    receipts: list[Receipt | None] = []
    if not dry_run:
        _agree(plans, screen, is_agreed=yes)
        receipts = plug(plans)
    waiting = _Waiting((), 0) if dry_run else _waiting()
    screen.answer(
        {
            "is_dry_run": dry_run,
            "hosts": [_planned(plan) for plan in plans],
            "receipts": [receipt.id for receipt in receipts if receipt is not None],
            "transcripts": waiting.told(),
        },
        _lines(plans, is_dry_run=dry_run),
    )
    _offer_import(waiting, terminal, is_agreed=yes)
    if not dry_run:
        _name_a_model(hosts, screen)
        _name_tools(plans, screen)
    return 0


@command(
    "unplug",
    section=Section.AGENTS,
    examples=("tilth unplug codex", "tilth unplug"),
)
def unplug(terminal: Terminal, hosts: Hosts = ()) -> int:
    """
    Unplug agents: take back everything that `tilth init` wrote for them.

    Without a host, all of them. A file that was edited since keeps those edits.
    """
    done = unplug_all(hosts)
    terminal.screen.answer({"undone": done}, _undone_lines(done))
    return 0


@command("pause", section=Section.AGENTS, examples=("tilth pause", "tilth pause --minutes 30"))
def pause(
    terminal: Terminal,
    *,
    minutes: Annotated[
        int | None, Arg("how long; without it, until `tilth resume`", least=1)
    ] = None,
) -> int:
    """
    Stop capturing sessions for a while.

    Hooks record nothing and tell agents nothing until then.
    """
    until = None
    if minutes is not None:
        until = SystemClock().now() + timedelta(minutes=minutes)
    bootstrap.hooks(os.environ).state.pause(until)
    end = "until tilth resume" if until is None else f"until {until:%Y-%m-%d %H:%M} UTC"
    terminal.screen.answer({"is_paused": True, "until": until}, [f"nothing is captured {end}"])
    return 0


@command("resume", section=Section.AGENTS, examples=("tilth resume",))
def resume(terminal: Terminal) -> int:
    """Capture sessions again, after `tilth pause`."""
    bootstrap.hooks(os.environ).state.resume()
    terminal.screen.answer({"is_paused": False, "until": None}, ["sessions are captured"])
    return 0


def _show(plans: Sequence[Plan], screen: Screen) -> None:
    for plan in plans:
        for line in _diff(plan).splitlines():
            screen.say(line)
        screen.say(plan.summary())
        if plan.warning:
            screen.say(f"{plan.host}: {plan.warning}")


def _diff(plan: Plan) -> str:
    # Beside our lines stand some of the user's, and servers are often given keys.
    return scrub(plan.diff()).text


def _agree(plans: Sequence[Plan], screen: Screen, *, is_agreed: bool) -> None:
    if is_agreed or all(plan.is_done for plan in plans):
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


def _planned(plan: Plan) -> dict[str, object]:
    return {
        "host": plan.host,
        "files": [
            {"path": change.path, "is_new": change.before is None} for change in plan.changes
        ],
        "diff": _diff(plan),
        "notes": plan.notes,
        "warning": plan.warning,
        "has_tools": plan.has_tools,
    }


def _lines(plans: Sequence[Plan], *, is_dry_run: bool) -> Iterator[Line]:
    for plan in plans:
        if plan.is_done:
            yield (Bold(plan.host), " is set up already")
            continue
        yield (Bold(plan.host), " would be set up" if is_dry_run else " is set up")
        if not is_dry_run:
            yield from (Dim(f"  {note}") for note in plan.notes)
            yield Dim(f"  to take it back: tilth unplug {plan.host}")


def _undone_lines(done: Sequence[Undone]) -> Iterator[Line]:
    if not done:
        yield "nothing to undo"
    for one in done:
        yield from (("restored ", path) for path in one.restored)
        yield from (("removed ", path) for path in one.removed)
        yield from (("took ours out of ", path) for path in one.trimmed)
        yield from (("edited since, and moved to ", path) for path in one.moved)
        yield from (("edited since, and left ", path) for path in one.left)
        yield from (("gone already ", path) for path in one.gone)
    if any(one.gone for one in done):
        yield Note("where a home was moved, what went with it is still there: remove it by hand")


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
        count = len(self.sources)
        found = number_of(count, "transcript")
        summary = f"{found} of earlier sessions lie{'s' * (count == 1)} here: {of_each}"
        if self.expiring_count:
            days = EXPIRY_NEAR.days
            summary += f"; Claude Code removes {self.expiring_count} of them within {days} days"
        return summary


def _name_a_model(hosts: Sequence[str], screen: Screen) -> None:
    """Say how sessions are read by a model that is here already, where none was set."""
    programs = [_PROGRAMS[name] for name in hosts if name in _PROGRAMS]
    if programs and not places.loaded(os.environ).settings.model_cheap:
        screen.say(
            "sessions are read by rule; a language model makes far more of them, and yours may:"
            f" tilth model use {programs[0]}"
        )


def _name_tools(plans: Sequence[Plan], screen: Screen) -> None:
    """Say by what agents would have tools, where they have none."""
    if lacking := [plan.host for plan in plans if not plan.has_tools]:
        names = " ".join(lacking)
        screen.say(f"to give agents the memory's tools, too: tilth init {names} --mcp")


def _waiting() -> _Waiting:
    sources = bootstrap.default_sources(os.environ)
    with bootstrap.connect(places.hooks_store(os.environ)) as brain:
        waiting = brain.unimported(transcripts_of(sources, os.environ))
    uris = {transcript.uri for transcript in waiting}
    near = expiring(waiting, SystemClock().now())
    return _Waiting([source for source in sources if source.uri in uris], len(near))


def _offer_import(waiting: _Waiting, terminal: Terminal, *, is_agreed: bool) -> None:
    screen = terminal.screen
    if not waiting.sources:
        return
    screen.say(waiting.summary())
    if is_agreed or screen.is_json or not sys.stdin.isatty() or not _agrees(screen, "Import them?"):
        screen.say("to bring them in: tilth import")
        return
    with (
        bootstrap.connect(places.hooks_store(os.environ)) as brain,
        imports.telling_what_is_kept(screen, "tilth import"),
    ):
        with screen.progress("importing", sum(one.size for one in waiting.sources)) as advance:
            summary, _ = run_import(brain, waiting.sources, advance)
        with screen.progress("sessions") as advance:
            learned = learn(brain, advance)
        has_more = has_more_to_learn(brain)
    for line in (
        *imports.summary_lines(summary),
        *imports.lesson_lines(learned, has_more=has_more),
    ):
        screen.say("".join(line))
    start_in_background(terminal)
