"""
Write the reference pages that say what the code does: commands, settings, errors.

    python scripts/write_reference.py           write docs/reference/{cli,settings,errors}.md
    python scripts/write_reference.py --check   say which of them are out of step
"""

import os
import sys
from argparse import ArgumentParser, _SubParsersAction
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

from tilth import errors
from tilth.errors import TilthError
from tilth.settings import DOCS, Settings
from tilth.surfaces.cli.parser import build_parser
from tilth.surfaces.outcome import (
    EXIT_INTERRUPTED,
    EXIT_PIPE_CLOSED,
    EXIT_UNEXPECTED,
    OUTCOMES,
    outcome_of,
)

REFERENCE = Path(__file__).parents[1] / "docs" / "reference"
COLUMNS = "90"


def pages() -> dict[str, str]:
    """Return each page under the name of its file; help is wrapped at the variable COLUMNS."""
    return {
        "cli.md": "\n".join(_cli()) + "\n",
        "settings.md": "\n".join(_settings()) + "\n",
        "errors.md": "\n".join(_errors()) + "\n",
    }


def _cli() -> Iterator[str]:
    yield "# Commands\n"
    yield "Written by `scripts/write_reference.py` from the parser; a test compares the two.\n"
    yield "Standard output carries the answer, standard error messages and progress."
    yield "With `--json` standard output holds one JSON value, whatever happens: the answer,"
    yield 'or `{"error": {"code", "message", "hint"}}` with the codes of [errors](errors.md).'
    yield "Without it, text from memories is shown with control characters spelled out."
    yield "Colours follow `--no-color`, `NO_COLOR`, `FORCE_COLOR` and `TERM=dumb`.\n"
    yield "| exit | meaning |\n| --- | --- |"
    yield "| 0 | done |"
    for code, meaning in _exits():
        yield f"| {code} | {meaning} |"
    for parser in _parsers(build_parser()):
        yield f"\n## {parser.prog}\n\n```\n{parser.format_help().rstrip()}\n```"


def _exits() -> list[tuple[int, str]]:
    known = [(outcome.exit_code, _meaning(kind)) for kind, outcome in OUTCOMES.items()]
    others = [
        (EXIT_UNEXPECTED, "unexpected: a bug of ours; or `doctor` found something"),
        (EXIT_INTERRUPTED, "interrupted"),
        (EXIT_PIPE_CLOSED, "whoever read the answer closed the pipe"),
    ]
    return sorted(known + others)


def _parsers(parser: ArgumentParser) -> Iterator[ArgumentParser]:
    yield parser
    for action in parser._actions:  # noqa: SLF001 - argparse shows them nowhere else
        if isinstance(action, _SubParsersAction):
            for child in action.choices.values():
                yield from _parsers(child)


def _settings() -> Iterator[str]:
    yield "# Settings\n"
    yield "Sources, the strongest first: arguments, `TILTH_*` in the environment, `config.toml`,"
    yield "the defaults. `tilth settings` shows each value in force, and where it came from.\n"
    yield "| name | default | meaning |\n| --- | --- | --- |"
    for setting in fields(Settings):
        yield f"| `{setting.name}` | `{setting.default!r}` | {DOCS[setting.name]} |"
    yield "\nBesides, `TILTH_HOME` puts data, state and settings into one folder,"
    yield "and `TILTH_CONFIG` names another settings file."


def _errors() -> Iterator[str]:
    yield "# Errors\n"
    yield "Every error on purpose is a `TilthError` with a stable code, a message and a hint.\n"
    yield "| code | error | exit | HTTP | meaning |\n| --- | --- | --- | --- | --- |"
    for kind in _tree(TilthError):
        outcome = outcome_of(kind(""))
        yield (
            f"| `{kind.code}` | `{kind.__name__}` | {outcome.exit_code} | {outcome.http_status}"
            f" | {_meaning(kind)} |"
        )


def _tree(kind: type[TilthError]) -> Iterator[type[TilthError]]:
    for child in kind.__subclasses__():
        if child.__module__ == errors.__name__:
            yield child
            yield from _tree(child)


def _meaning(kind: type[TilthError]) -> str:
    return (kind.__doc__ or "").strip().rstrip(".")


def main() -> int:
    """Write the pages, or with `--check` compare them."""
    os.environ["COLUMNS"] = COLUMNS
    stale = [
        REFERENCE / name
        for name, text in pages().items()
        if not (REFERENCE / name).exists() or (REFERENCE / name).read_text() != text
    ]
    for path in stale:
        print(path.name)
        if "--check" not in sys.argv:
            path.write_text(pages()[path.name])
    return 1 if stale and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
