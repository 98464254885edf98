"""What was done in an exchange: files changed, commands run with how each ended, commits made."""

import re
from collections.abc import Iterable
from typing import TypedDict

from tilth.core.text.pattern import pattern
from tilth.practice.command_lines import without_chatter
from tilth.practice.model import SOME_FILE, CommandKind, RunResult
from tilth.practice.pairing import Use

FILES_MAX, COMMANDS_MAX, COMMITS_MAX = 8, 6, 4
_COMMIT = pattern(
    r"\bgit (?:-C \S+ )?commit\b[^\n]*?(?:\s-[a-zA-Z]*m|--message)[ =]*"
    r"(?:\"\$\(cat <<-?'?\w+'?\n(?P<here>[^\n]+)|\"(?P<double>[^\"\n]+)|'(?P<single>[^'\n]+))"
)
# What tools and people sign with is below the text: "Co-Authored-By: …", "🤖 …", the mark's end.
_BELOW = pattern(
    r"['\"]?(?:\s*-m\s*['\"]|\s*\n\s*\n)\s*(?P<text>(?!EOF\b|🤖|[\w-]+: \S)[^\n'\"][^\n]*"
    r"(?:\n(?!\s*\n|EOF\b|🤖)[^\n]+)*)"
)
_TITLE_CHARS = 100
_ITEM = pattern(r"\s*\n\s*[-*] ")
_ASKS_FOR_ONE = pattern(r"\bcommit (?:message|msg)\b", re.IGNORECASE)
# The first line of a block, as a title, with nothing else beside it.
_FENCED_TITLE = pattern(
    r"^[ \t]*```\w*[ \t]*\n(?P<title>(?:[a-z]+(?:\([^()\n]*\))?!?: )?[A-Za-z](?:[^\n{}$=]){8,98}"
    r"[^\n:;{},(])(?=\n[ \t]*(?:\n|```))",
    re.MULTILINE,
)


class Deeds(TypedDict):
    """The fields of an exchange that say what was done."""

    files: tuple[str, ...]
    commands: tuple[str, ...]
    commits: tuple[str, ...]


def deeds_of(uses: Iterable[Use]) -> Deeds:
    """
    Return what was done by *uses* of tools.

    Of a command that was run several times, the last run says how it ended. A commit is named by
    its title, if it went through.
    """
    files: dict[str, None] = {}
    commands: dict[str, RunResult] = {}
    commits: dict[str, None] = {}
    for use in uses:
        if use.call.is_edit:
            changed = use.call.about.split("\n")
            files.update((one, None) for one in changed if one != SOME_FILE)
            continue
        for command, verdict in use.commands():
            line = without_chatter(command.line)
            commands.pop(line, None)
            commands[line] = verdict
        if title := committed(use):
            commits[title] = None
    told = [f"{line}: {_ENDED[verdict]}" for line, verdict in commands.items()]
    return Deeds(
        files=tuple(files)[:FILES_MAX],
        commands=tuple(told[-COMMANDS_MAX:]),
        commits=tuple(commits)[-COMMITS_MAX:],
    )


def is_proof(use: Use) -> bool:
    """Say whether a use of a tool proves that work is done: tests that passed, or a commit."""
    passed = (
        command.kind is CommandKind.TEST and verdict is RunResult.OK
        for command, verdict in use.commands()
    )
    return bool(committed(use)) or any(passed)


_ENDED = {RunResult.OK: "passed", RunResult.FAILED: "failed", RunResult.UNKNOWN: "ran"}


def committed(use: Use) -> str:
    """Return the title of the commit that a use of a tool made; empty if it made none."""
    found = _committed(use)
    title = (found["here"] or found["double"] or found["single"]) if found else ""
    return title.strip()[:_TITLE_CHARS]


def reason(use: Use) -> str:
    """Return the first paragraph below the title of the commit that a use of a tool made."""
    found = _committed(use)
    return _below(use.call.about, found.end()) if found else ""


def drafted(ask: str, report: str) -> tuple[str, str]:
    """
    Return the title and the reason of the commit message that a report hands over.

    Whoever commits by hand asks for the words alone. Both are empty where none is handed over.
    """
    found = _FENCED_TITLE.search(report) if _ASKS_FOR_ONE.search(ask) else None
    if found is None or found["title"].startswith("git "):
        return "", ""
    return found["title"].strip()[:_TITLE_CHARS], _below(report, found.end())


def _below(text: str, end: int) -> str:
    """Return the first paragraph or item below a title; empty if it only leads to a list."""
    below = _BELOW.match(text, end)
    first = _ITEM.split(below["text"].lstrip("-* "))[0] if below else ""
    said = " ".join(first.split())
    return "" if said.endswith(":") or said.startswith("```") else said


def _committed(use: Use) -> re.Match[str] | None:
    # Few lines say so; the others need no search.
    if "commit" not in use.call.about:
        return None
    is_done = use.outcome is None or use.outcome.verdict is not RunResult.FAILED
    return _COMMIT.search(use.call.about) if is_done else None
