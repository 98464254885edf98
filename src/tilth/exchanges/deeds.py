"""
What was done in an exchange, and what became of it later, as far as its session shows.

The last word in a session wins: files that were put back are as they were, so the report of
changing them is void; and a command that failed, and came through later, is no open finding.
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypedDict

from tilth.core.text.pattern import pattern
from tilth.practice.command_lines import without_chatter
from tilth.practice.model import SOME_FILE, CommandKind, RunResult
from tilth.practice.pairing import Use
from tilth.practice.tables import Changing

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


# What puts files back as they were committed: those that are named, or all.
_PUTS_BACK = pattern(
    r"\bgit (?:-C \S+ )?(?:checkout (?:HEAD )?(?:-- )|restore (?!--staged\b)(?:--worktree )?)"
    r"(?P<files>[^\n;&|]+)"
)
_PUTS_ALL_BACK = pattern(
    r"\bgit (?:-C \S+ )?(?:reset --hard(?: HEAD)?|checkout (?:-- )?\.|restore \.)\s*(?:$|[\n;&|])"
)
_WORDS_BACK = ("checkout", "restore", "reset", "revert")
# What takes the last commit back.
_TAKES_COMMIT_BACK = pattern(
    r"\bgit (?:-C \S+ )?(?:revert (?:--?[\w-]+ )*HEAD|reset (?:--\w+ )?HEAD(?:~1?|\^))"
    r"(?:\s|$|[;&|])"
)


def takes_back(line: str) -> bool:
    """Say whether a command puts files back, or takes the last commit back."""
    # Few lines have one of the words, and the others need no search.
    if "git" not in line or not any(word in line for word in _WORDS_BACK):
        return False
    return any(way.search(line) for way in (_TAKES_COMMIT_BACK, _PUTS_ALL_BACK, _PUTS_BACK))


def may_be_taken_back(done: Sequence[Changing], later: Sequence[Changing]) -> bool:
    """
    Say whether any of *later*, which take something back, may do so with what was done.

    It is not asked how each of them ended: to find that takes long, and nearly all stays.
    """
    files = {name.removeprefix("./") for one in done if one.is_edit for name in one.named}
    has_commit = any("commit" in one.about for one in done)
    return any(
        (has_commit and _TAKES_COMMIT_BACK.search(one.about))
        or (files and _left_after(one.about, files) != files)
        for one in later
    )


class Closure(NamedTuple):
    """Whether what was done was taken back, and which commands that failed came through later."""

    is_taken_back: bool
    passed: frozenset[str]


def closure_of(files: Sequence[str], commits: Sequence[str], later: Iterable[Use]) -> Closure:
    """
    Return what became of changed *files* and *commits* by *later* uses of tools, in their order.

    What was committed is taken back by taking back the last commit, as long as no other came
    upon it; what was not, by putting the files back.
    """
    left = {one.removeprefix("./") for one in files}
    is_last, passed = bool(commits), set[str]()
    is_taken_back = False
    for use in later:
        is_failed = use.outcome is not None and use.outcome.verdict is RunResult.FAILED
        line = use.call.about
        if use.call.is_edit or is_failed:
            continue
        passed |= {
            without_chatter(one.line) for one, verdict in use.commands() if verdict is RunResult.OK
        }
        if "git" not in line:
            continue
        if is_last and _TAKES_COMMIT_BACK.search(line):
            is_taken_back = True
        elif not commits and left:
            left = _left_after(line, left)
            is_taken_back = is_taken_back or not left
        if committed(use):
            # Another commit keeps what is there, and lies upon the last one.
            is_last, left = False, set()
    return Closure(is_taken_back, frozenset(passed))


def _left_after(line: str, files: set[str]) -> set[str]:
    """Return which of *files* are still changed after a command."""
    if _PUTS_ALL_BACK.search(line):
        return set()
    named = [word for found in _PUTS_BACK.finditer(line) for word in found["files"].split()]
    named = [word.strip("\"'").removeprefix("./") for word in named]
    return {one for one in files if not any(word and one.endswith(word) for word in named)}
