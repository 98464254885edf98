"""
The command line on one page: what can be asked, and how.

Only light modules are loaded here, so that `--help`, `--version` and a
mistyped command answer at once. Each command names the function that runs it,
by module and name; `program` loads it when the command is chosen.
"""

import argparse
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any, NoReturn, TypeAlias

import tilth
from tilth.domain.episode import EpisodeKind, Role
from tilth.domain.instant import parse_instant
from tilth.domain.recall import FETCH_MAX
from tilth.errors import InvalidInputError

WORKER = "worker.run"
# As in `tilth.hosts.places`, which would load what this page must not; a test compares them.
HOSTS = ("claude-code", "codex", "cursor", "gemini-cli", "opencode", "vscode")


class Parser(argparse.ArgumentParser):
    """A parser that raises what is wrong instead of ending the program."""

    # `typing.override` came with Python 3.12.
    def error(self, message: str) -> NoReturn:  # type: ignore[explicit-override]
        """
        Refuse the command line.

        Raises:
            InvalidInputError: always.
        """
        raise InvalidInputError(message, hint=f"see: {self.prog} --help")

    def _check_value(  # type: ignore[explicit-override]
        self,
        action: argparse.Action,
        value: Any,  # noqa: ANN401 - inherited
    ) -> None:
        if action.choices is not None and value not in action.choices:
            raise InvalidInputError(
                f"{self.prog} knows no {action.metavar or action.dest} {value!r}",
                hint=_suggestion(str(value), action.choices),
            )


# What `add_subparsers` returns has no public name.
Commands: TypeAlias = "argparse._SubParsersAction[Parser]"  # noqa: SLF001


def build_parser() -> Parser:
    """Return the parser of the whole command line."""
    parser = Parser(
        prog="tilth",
        description="A local-first memory and knowledge brain for AI agents.",
        epilog="Start with: tilth init, tilth import, tilth recall QUESTION",
        parents=[_everywhere()],
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"tilth {tilth.__version__}")
    parser.set_defaults(
        run=None, is_json=False, is_quiet=False, is_debug=False, store=None, owner=None
    )
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    _add_daily(commands)
    _add_sessions(commands)
    _add_changes(commands)
    _add_serving(commands)
    _add_upkeep(commands)
    return parser


def _add_daily(commands: Commands) -> None:
    _add_hosts(commands)

    bring = _command(commands, "import", "imports.run", "bring in what others recorded")
    bring.description = (
        "Import transcripts, exports, notes and documents. What was imported before is known"
        " again, so an import can be repeated or broken off at will."
    )
    bring.add_argument(
        "paths",
        metavar="PATH",
        nargs="*",
        help="a file or folder; none means the transcripts of agents on this machine",
    )
    bring.add_argument("-n", "--dry-run", action="store_true", help="count, and write nothing")
    bring.add_argument(
        "--no-background", action="store_true", help="leave the second tier of vectors for later"
    )

    _add_remember(commands)
    _add_recall(commands)


def _add_hosts(commands: Commands) -> None:
    init = _command(commands, "init", "hosts.init", "make a store, and plug agents into it")
    init.description = (
        "Make an empty store, readable by you alone. With hosts: capture their sessions from now"
        " on. Shows what it would write, and asks."
    )
    _add_host_names(init, "an agent program")
    init.add_argument("-n", "--dry-run", action="store_true", help="show, and write nothing")
    init.add_argument("-y", "--yes", action="store_true", help="agree without being asked")
    undo = _command(commands, "undo", "hosts.undo", "unplug agents, without a trace")
    _add_host_names(undo, "an agent program; none means all")
    pause = _command(commands, "pause", "hosts.pause", "capture nothing for a while")
    pause.add_argument("--minutes", metavar="N", type=_count, help="not until `tilth resume`")
    _command(commands, "resume", "hosts.resume", "capture again")


def _add_host_names(parser: Parser, meaning: str) -> None:
    parser.add_argument("hosts", metavar="HOST", nargs="*", help=f"{meaning}: {', '.join(HOSTS)}")


def _add_remember(commands: Commands) -> None:
    remember = _command(commands, "remember", "episode.remember", "record one thing")
    remember.description = "Record one thing that was said or done. It is found from then on."
    remember.add_argument("text", metavar="TEXT", help="what to record; - reads standard input")
    remember.add_argument("--session", metavar="ID", help="the session it belongs to")
    remember.add_argument("--speaker", metavar="NAME", help="who said it")
    remember.add_argument("--role", choices=[*Role], help="the part its author plays")
    remember.add_argument("--kind", choices=[*EpisodeKind], help="what kind of thing it is")
    remember.add_argument(
        "--at", metavar="INSTANT", type=parse_instant, help="when it happened, if not now"
    )
    remember.add_argument(
        "--check", action="store_true", help="record nothing; show what says nearly the same"
    )
    _add_scope(remember, "where it belongs: global (the default), project:KEY or domain:NAME")


def _add_recall(commands: Commands) -> None:
    recall = _command(commands, "recall", "recall.run", "find what answers a question")
    recall.description = "Find the episodes that answer a question, the best first."
    recall.add_argument("question", metavar="QUESTION", help="in your own words")
    recall.add_argument("--limit", metavar="N", type=_count, help="at most this many hits")
    recall.add_argument(
        "--as-of", metavar="INSTANT", type=parse_instant, help="only what had happened by then"
    )
    recall.add_argument(
        "--known-at", metavar="INSTANT", type=parse_instant, help="only what was recorded by then"
    )
    _add_scope(recall, "only this scope and global")
    recall.add_argument("--session", metavar="ID", help="only this session")
    recall.add_argument(
        "--budget", metavar="TOKENS", type=_count, help="stop at about this many tokens"
    )
    recall.add_argument(
        "--around", metavar="N", type=_count_or_zero, help="show N turns before and after each hit"
    )
    recall.add_argument("--explain", action="store_true", help="show why each hit ranks there")
    recall.add_argument("--full", action="store_true", help="show whole texts, not snippets")


def _add_sessions(commands: Commands) -> None:
    sessions = _group(commands, "session", "what was said together")
    listed = _command(sessions, "list", "session.list_", "list sessions, the last active first")
    listed.add_argument("--limit", metavar="N", type=_count, default=20, help="how many (20)")
    listed.add_argument("--offset", metavar="N", type=_count_or_zero, default=0, help="skip N (0)")
    _add_scope(listed, "only this scope and global")
    shown = _command(sessions, "show", "session.show", "show a session and its episodes")
    shown.add_argument("session", metavar="ID", help="as listed")
    shown.add_argument("--limit", metavar="N", type=_count, default=100, help="how many (100)")
    shown.add_argument(
        "--after", metavar="SEQ", type=_count_or_zero, default=0, help="from behind this place on"
    )
    _add_scope(shown, "only this scope and global")

    episodes = _group(commands, "episode", "single things that were said or done")
    fetched = _command(episodes, "show", "episode.show", "show episodes word for word")
    fetched.add_argument(
        "episodes", metavar="ID", nargs="+", help=f"as recalled; at most {FETCH_MAX}"
    )
    fetched.add_argument(
        "--mask", action="store_true", help="hide emails, addresses, numbers and keys"
    )
    _add_scope(fetched, "only this scope and global")


def _add_changes(commands: Commands) -> None:
    changes = _command(commands, "changes", "changes.run", "show what was recorded since")
    changes.description = (
        "Show what was recorded since, oldest first, each thing once. Every page ends with the"
        " cursor to go on with."
    )
    changes.add_argument(
        "--since", metavar="CURSOR", default="", help="a cursor, a date, or an instant (beginning)"
    )
    changes.add_argument("--limit", metavar="N", type=_count, default=100, help="how many (100)")
    _add_scope(changes, "only this scope and global")


def _add_serving(commands: Commands) -> None:
    served = _command(commands, "mcp", "mcp.run", "serve agents over MCP")
    served.description = (
        "Serve agents over MCP, on standard input and output. Whoever calls is an agent: it may"
        " recall and record, and can make nothing authoritative."
    )
    served.add_argument("--read-only", action="store_true", help="leave out the tools that write")
    served.add_argument(
        "--compat",
        metavar="SERVER",
        choices=["memory"],
        default="",
        help="memory: the nine tools of the reference memory server instead of ours",
    )
    served.add_argument(
        "--http", action="store_true", help="on a loopback address; clients need the token"
    )
    served.add_argument(
        "--host", metavar="ADDRESS", default="127.0.0.1", help="127.0.0.1 (the default) or ::1"
    )
    served.add_argument(
        "--port", metavar="N", type=_count_or_zero, default=8737, help="8737; 0 takes a free one"
    )


def _add_upkeep(commands: Commands) -> None:
    _command(commands, "verify", "store.verify", "prove that the store is as it was written")
    _command(commands, "rebuild", "store.rebuild", "make tables and indexes again from the ledger")
    backup = _command(commands, "backup", "store.backup", "copy the store, and verify the copy")
    backup.add_argument("target", metavar="TARGET", help="the file to make")
    restore = _command(commands, "restore", "store.restore", "put a backup in place")
    restore.add_argument("backup", metavar="BACKUP", help="what `tilth backup` made")
    restore.add_argument(
        "--replace", action="store_true", help="move the store that is there aside first"
    )
    _command(commands, "settings", "settings.run", "show each setting, and where it came from")
    doctor = _command(commands, "doctor", "doctor.run", "check everything, and name the fixes")
    doctor.add_argument("--strict", action="store_true", help="warnings count as failures")
    worker = _command(commands, "worker", WORKER, "do what waits in the background")
    worker.add_argument("--once", action="store_true", help="end when nothing waits")
    demo = _command(commands, "demo", "demo.run", "import what is here, and ask it questions")
    demo.add_argument(
        "--from", dest="source", metavar="PATH", help="import this, instead of what is found here"
    )


def _command(commands: Commands, name: str, run: str, summary: str) -> Parser:
    parser = commands.add_parser(
        name,
        help=summary,
        description=f"{summary[0].upper()}{summary[1:]}.",
        parents=[_everywhere()],
        allow_abbrev=False,
    )
    parser.set_defaults(run=run)
    return parser


def _group(commands: Commands, name: str, summary: str) -> Commands:
    parser = commands.add_parser(
        name, help=summary, parents=[_everywhere()], allow_abbrev=False, description=summary
    )
    return parser.add_subparsers(title="commands", metavar="COMMAND", required=True)


def _everywhere() -> Parser:
    """Return the options that may stand before or behind any command."""
    common = Parser(add_help=False, argument_default=argparse.SUPPRESS)
    common.add_argument("--json", dest="is_json", action="store_true", help="answer in JSON")
    common.add_argument("--store", metavar="PATH|URL", help="the store; see `tilth settings`")
    common.add_argument("--owner", metavar="NAME", help="whose items are read and written")
    common.add_argument(
        "-q", "--quiet", dest="is_quiet", action="store_true", help="only the answer"
    )
    common.add_argument("--no-color", action="store_true", help="no colours; so does NO_COLOR")
    common.add_argument(
        "--debug", dest="is_debug", action="store_true", help="log everything, show tracebacks"
    )
    return common


def _add_scope(parser: Parser, meaning: str) -> None:
    parser.add_argument("--scope", metavar="SCOPE", help=meaning)


def _count(text: str) -> int:
    if (number := _count_or_zero(text)) == 0:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number


def _count_or_zero(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < len(str(2**63))):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number")
    return int(text)


def _suggestion(word: str, known: Iterable[Any]) -> str:
    names = [str(name) for name in known]
    if close := get_close_matches(word, names, n=1):
        return f"did you mean {close[0]}?"
    return f"there are {', '.join(names)}"
