"""The verbs on commands and fixes."""

from collections.abc import Sequence
from itertools import islice
from typing import Annotated, TypeAlias

from tilth.core.verb import ANYONE, Arg, Section, noun, verb
from tilth.episodes.context import Context, Narrowed
from tilth.practice import practice, views
from tilth.practice.model import CommandKind, CommandStats, Fix, FixId

noun(
    "command",
    "commands that agents ran here, and whether they work",
    section=Section.ASK,
    bare="list",
)
noun(
    "fix",
    "failures that came up here, and what fixed them",
    section=Section.ASK,
    bare="list",
)

Limit: TypeAlias = Annotated[int, Arg("the most to return", least=1, most=practice.PAGE_MAX)]


@verb(
    "command list",
    roles=ANYONE,
    view=views.commands,
    key="commands",
    examples=("tilth command list", "tilth command list --kind test --all"),
)
def list_commands(
    brain: Context,
    *,
    kind: Annotated[CommandKind | None, Arg("only commands for this")] = None,
    is_all: Annotated[
        bool, Arg("also commands of one session alone, and commands that never succeeded")
    ] = False,
    limit: Limit = 50,
    scope: Narrowed = None,
) -> Sequence[CommandStats]:
    """
    List the commands that work here, by kind.

    They come from the command lines that agents ran, without changes of folder, variables, time
    limits and pipes. Each is counted once a session, with its outcome.

    Returns:
        The commands that came through in several sessions; for a kind without any, those that one
        session ran repeatedly; with `is_all` every command, that of most sessions first.
    """
    with brain.store.read() as view:
        read = practice.commands_in_sight if is_all else practice.working_commands
        found = read(view, brain.within(scope))
    return [one for one in found if kind in (None, one.kind)][:limit]


@verb(
    "command show",
    python="commands.get",
    roles=ANYONE,
    view=views.command,
    key="command",
    examples=("tilth command show 'make test'",),
)
def show_command(
    brain: Context,
    line: Annotated[str, Arg("the command", metavar="COMMAND", is_words=True)],
    *,
    scope: Narrowed = None,
) -> CommandStats:
    """
    Show a command: how often it came through, in which wordings, in which sessions.

    Returns:
        The command with its counts.

    Raises:
        NotFoundError: no session ran it here.
    """
    with brain.store.read() as view:
        return practice.find_command(view, line, brain.within(scope))


@verb(
    "fix list",
    roles=ANYONE,
    view=views.fixes,
    key="fixes",
    examples=("tilth fix list", "tilth fix list --all --json"),
)
def list_fixes(
    brain: Context,
    *,
    is_all: Annotated[
        bool, Arg("also fixes that name neither a cause nor another command")
    ] = False,
    limit: Limit = 20,
    scope: Narrowed = None,
) -> Sequence[Fix]:
    """
    List failures that were overcome, the latest first.

    In one session, a command failed, something was changed, and the same command came through. The
    error is a line of the output, and the reason is the agent's own sentence. A failure that came
    again is listed once, with its number of sessions.

    Returns:
        The failures with a reason, those that came again, and those that another command ended.
    """
    with brain.store.read() as view:
        found = practice.fixes_told_once(view, brain.within(scope))
        return list(islice((one for one in found if is_all or one.is_telling), limit))


@verb(
    "fix show",
    python="fixes.get",
    roles=ANYONE,
    view=views.fix,
    key="fix",
    examples=("tilth fix show fix_01KAR",),
)
def show_fix(
    brain: Context,
    fix_id: Annotated[FixId, Arg("the fix's ID", id=FixId.prefix, parse=FixId.parse)],
    *,
    scope: Narrowed = None,
) -> Fix:
    """
    Show one failure that was overcome, with the episodes that prove it.

    Returns:
        The failure, its reason, what was changed, and where it came through.

    Raises:
        NotFoundError: there is no such fix, or it cannot be seen from the scope.
    """
    with brain.store.read() as view:
        return practice.find_fix(view, fix_id, brain.within(scope))
