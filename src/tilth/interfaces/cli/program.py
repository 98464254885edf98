"""The outermost frame: parse, load the command that was asked for, run it, report."""

import logging
import os
import sys
import traceback
from argparse import Namespace
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from io import TextIOWrapper
from typing import TypeAlias

from tilth.core.errors import InvalidInputError, TilthError
from tilth.core.io.operating_system import check_system
from tilth.core.io.os_errors import unavailable
from tilth.interfaces.cli.parser import EVERYWHERE, build_parser
from tilth.interfaces.cli.progress import AFRESH
from tilth.interfaces.cli.reads import COMMANDS as READS
from tilth.interfaces.cli.screen import Screen, wants_color
from tilth.interfaces.error_codes import (
    EXIT_INTERRUPTED,
    EXIT_PIPE_CLOSED,
    EXIT_UNEXPECTED,
    is_interruption,
)
from tilth.privacy.exclusion import Exclusion
from tilth.runtime.index import index

Command: TypeAlias = Callable[[Namespace, Screen], int]

_SHOWN_CHARS = 80
_WITH_VALUE = ("--store", "--owner")
# By which variables those who make products of matrices are told how many threads to use.
_THREADS = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


def main(argv: Sequence[str] | None = None) -> int:
    """
    Run one command, and return its exit code.

    Whatever a user does wrong, and every error of ours, is one line or one
    JSON object; only `--debug` shows where in the code it came from.
    """
    words = sys.argv[1:] if argv is None else list(argv)
    if isinstance(sys.stdout, TextIOWrapper):
        # What the terminal's encoding lacks is shown escaped, as on standard error.
        sys.stdout.reconfigure(errors="backslashreplace")
    screen = _screen(words)
    try:
        status = _run(words, screen)
        screen.out.flush()
    except TilthError as error:
        _print_traceback(words)
        return screen.refuse(error)
    except BrokenPipeError:
        # Whoever read us has enough. Python would complain once more on its way out.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return EXIT_PIPE_CLOSED
    except OSError as error:
        # A folder that may not be written, a disk that is full: the machine's doing, or the user's.
        _print_traceback(words)
        return screen.refuse(unavailable(error))
    except (KeyboardInterrupt, Exception) as error:  # noqa: BLE001 - the outermost frame
        return _report_unexpected(error, words, screen)
    return status


def _report_unexpected(error: BaseException, words: Sequence[str], screen: Screen) -> int:
    if is_interruption(error):
        screen.fail("interrupted", "interrupted")
        return EXIT_INTERRUPTED
    _print_traceback(words)
    screen.fail(
        "unexpected", f"{type(error).__name__}: {error}", "a bug of ours: --debug shows where"
    )
    return EXIT_UNEXPECTED


def _run(words: Sequence[str], screen: Screen) -> int:
    check_system()
    use_one_thread()
    parser, said = build_parser(), resolve_words(words)
    args, unknown = parser.parse_known_args(said)
    if unknown:
        raise InvalidInputError(
            f"{args.prog} does not take {' '.join(unknown)[:_SHOWN_CHARS]!r}",
            hint=_nearest(unknown[0], args) or f"see: {args.prog} --help",
        )
    if args.run is None:
        parser.print_help()
        return 0
    log_to_stderr(is_debug=args.is_debug, is_worker=args.command == "worker run")
    if args.command in READS:
        # Light, but for those commands alone.
        asking = import_module("tilth.interfaces.cli.reads.ask_worker")
        status: int | None = asking.answer_by_worker(said, args, screen)
        if status is not None:
            return status
    return command(args.run)(args, screen)


def use_one_thread() -> None:
    """
    Have products of matrices made by one thread, unless the user said how many.

    Those of a question are small: threads that wait for their part cost more than they save, and
    work in the background is to leave the other cores alone. Only our own program does this; one
    that holds a brain decides for itself (docs/adr/0024-start-up.md).
    """
    if "OMP_NUM_THREADS" not in os.environ:
        for name in _THREADS:
            os.environ.setdefault(name, "1")


def command(name: str) -> Command:
    """Load what runs a command; *name* is its module and function, as in `session.show`."""
    module, _, function = name.partition(".")
    found: Command = getattr(import_module(f"tilth.interfaces.cli.{module}"), function)
    return found


def resolve_words(words: Sequence[str]) -> list[str]:
    """Return the line that is meant: `help X` is `X --help`, and a bare noun its first verb."""
    said = [*words]
    at = next((at for at, word in enumerate(said) if _is_command(said, at)), None)
    if at is None:
        return said
    if said[at] == "help":
        return [*said[:at], *said[at + 1 :], "--help"]
    noun, rest = index()["groups"].get(said[at]), said[at + 1 :]
    if noun is None or not noun["bare"] or set(rest) & {"-h", "--help"}:
        return said
    named = {
        path.partition(" ")[2] for path in index()["commands"] if path.startswith(f"{said[at]} ")
    }
    if set(rest) & named or (rest and not rest[0].startswith("-")):
        return said
    on_terminal, _, elsewhere = noun["bare"].partition("|")
    is_terminal = sys.stdin.isatty() and sys.stdout.isatty() and "--json" not in rest
    return [*said[: at + 1], on_terminal if is_terminal or not elsewhere else elsewhere, *rest]


def _is_command(words: Sequence[str], at: int) -> bool:
    return not words[at].startswith("-") and (at == 0 or words[at - 1] not in _WITH_VALUE)


# By what words a command does what it else only shows; other programs have another of them.
_DOING = frozenset({"--confirm", "--execute", "--apply"})
_AGREEING = _DOING | {"--yes", "-y", "--force"}
# Of more options the help tells.
_FLAGS_NAMED = 12
_ONLY_SHOWING = frozenset({"--dry-run", "-n", "--simulate"})


def _nearest(unknown: str, args: Namespace) -> str:
    told = index()["commands"].get(args.command)
    if new := index()["old"].get(f"{args.command} {unknown}"):
        return f"it is now: tilth {new}"
    if told is None:
        return ""
    if not unknown.startswith("-"):
        takes_words = any("flags" not in one for one in told["arguments"])
        quoted = f"put words that belong together in quotes; see: {args.prog} --help"
        return quoted if takes_words else ""
    return _nearest_flag(
        unknown, [flag for one in told["arguments"] for flag in one.get("flags", ())]
    )


def _nearest_flag(unknown: str, flags: Sequence[str]) -> str:
    from difflib import get_close_matches  # noqa: PLC0415 - for who mistyped

    agreed = next((flag for flag in flags if flag in _AGREEING), "")
    if agreed and unknown in _AGREEING:
        return f"did you mean {agreed}?"
    if agreed in _DOING and unknown in _ONLY_SHOWING:
        return f"leave it out: without {agreed} nothing is done"
    close = get_close_matches(unknown.partition("=")[0], [*flags, *EVERYWHERE], n=1)
    if close:
        return f"did you mean {close[0]}?"
    named = [flag for flag in flags if flag.startswith("--")]
    return f"it takes {', '.join(named)}" if 0 < len(named) <= _FLAGS_NAMED else ""


def _screen(words: Sequence[str]) -> Screen:
    # Told from the bare words, since a line that cannot be parsed must be answered in its form too.
    flags = set(_flags(words))
    return Screen(
        is_json="--json" in flags,
        is_quiet=bool(flags & {"-q", "--quiet"}),
        is_color=wants_color(
            os.environ, is_tty=sys.stdout.isatty(), is_refused="--no-color" in flags
        ),
        pager=_pager(),
        excluded=cache(_excluded),
    )


def _pager() -> str:
    if not sys.stdout.isatty():
        return ""
    found: str = import_module("tilth.interfaces.cli.pager").pager_of(os.environ)
    return found


def _excluded() -> Exclusion:
    # It takes a second to load what opens a store. Before that nothing recorded can be told.
    if "tilth.interfaces.cli.open_brain" not in sys.modules:
        return Exclusion()
    told: Exclusion = import_module("tilth.interfaces.cli.open_brain").excluded()
    return told


def _print_traceback(words: Sequence[str]) -> None:
    if "--debug" in _flags(words):
        traceback.print_exc()


def _flags(words: Sequence[str]) -> Sequence[str]:
    return words[: words.index("--")] if "--" in words else words


def log_to_stderr(*, is_debug: bool, is_worker: bool) -> None:
    """Show warnings; in a worker every change of state, and with *is_debug* everything."""
    # It takes the line on which the progress stands.
    afresh = AFRESH if sys.stderr.isatty() else ""
    level = logging.INFO if is_worker else logging.WARNING
    logging.basicConfig(
        level=logging.DEBUG if is_debug else level,
        format=f"{afresh}%(asctime)s %(levelname)s %(name)s: %(message)s",
    )
