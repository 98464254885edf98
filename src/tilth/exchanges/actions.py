"""
Read what was done in an exchange, and what later uses of tools made of it.

Within a session the last word counts. If files were put back, the report that changed them is void;
if a command that failed succeeds later, its failure is no open finding.
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypedDict

from tilth.core.text.pattern import pattern
from tilth.practice.command_lines import without_chatter
from tilth.practice.model import SOME_FILE, CommandKind, RunResult
from tilth.practice.tables import Changing
from tilth.practice.tool_uses import Use

FILES_MAX, COMMANDS_MAX, COMMITS_MAX = 8, 6, 4
_COMMIT = pattern(
    r"\bgit (?:-C \S+ )?commit\b[^\n]*?(?:\s-[a-zA-Z]*m|--message)[ =]*"
    r"(?:\"\$\(cat <<-?'?\w+'?\n(?P<here>[^\n]+)|\"(?P<double>[^\"\n]+)|'(?P<single>[^'\n]+))"
)
# Where the text of a message ends and signatures begin: "Co-Authored-By: …", "🤖 …", or the end
# mark.
_BELOW = pattern(
    r"['\"]?(?:\s*-m\s*['\"]|\s*\n\s*\n)\s*(?P<text>(?!EOF\b|🤖|[\w-]+: \S)[^\n'\"][^\n]*"
    r"(?:\n(?!\s*\n|EOF\b|🤖)[^\n]+)*)"
)
_TITLE_CHARS = 100
_ITEM = pattern(r"\s*\n\s*[-*] ")
_ASKS_FOR_ONE = pattern(r"\bcommit (?:message|msg)\b", re.IGNORECASE)
# The first line of a fenced block, taken as a title, if nothing else is on it.
_FENCED_TITLE = pattern(
    r"^[ \t]*```\w*[ \t]*\n(?P<title>(?:[a-z]+(?:\([^()\n]*\))?!?: )?[A-Za-z](?:[^\n{}$=]){8,98}"
    r"[^\n:;{},(])(?=\n[ \t]*(?:\n|```))",
    re.MULTILINE,
)


class Actions(TypedDict):
    """The fields of an exchange that say what was done."""

    files: tuple[str, ...]
    commands: tuple[str, ...]
    commits: tuple[str, ...]


def actions_of(uses: Iterable[Use]) -> Actions:
    """
    Return what *uses* of tools did.

    Of a command that was run several times, the last run gives the outcome. A commit that went
    through is named by its title.
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
    return Actions(
        files=tuple(files)[:FILES_MAX],
        commands=tuple(told[-COMMANDS_MAX:]),
        commits=tuple(commits)[-COMMITS_MAX:],
    )


def is_proof(use: Use) -> bool:
    """Say whether a use of a tool proves that work is done: tests passed, or it committed."""
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
    """Return the first paragraph below the commit's title, which gives the reason."""
    found = _committed(use)
    return _below(use.call.about, found.end()) if found else ""


def drafted(ask: str, report: str) -> tuple[str, str]:
    """
    Return the title and the reason of a commit message that a report hands over.

    A person who commits by hand asks for the message only. Both are empty if the report has none.
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
    # Few commands contain the word; the others need no search.
    if "commit" not in use.call.about:
        return None
    is_done = use.outcome is None or use.outcome.verdict is not RunResult.FAILED
    return _COMMIT.search(use.call.about) if is_done else None


# A command that restores committed files: the named ones, or all.
_PUTS_BACK = pattern(
    r"\bgit (?:-C \S+ )?(?:checkout (?:HEAD )?(?:-- )|restore (?!--staged\b)(?:--worktree )?)"
    r"(?P<files>[^\n;&|]+)"
)
_PUTS_ALL_BACK = pattern(
    r"\bgit (?:-C \S+ )?(?:reset --hard(?: HEAD)?|checkout (?:-- )?\.|restore \.)\s*(?:$|[\n;&|])"
)
_WORDS_BACK = ("checkout", "restore", "reset", "revert")
# A command that undoes the last commit.
_TAKES_COMMIT_BACK = pattern(
    r"\bgit (?:-C \S+ )?(?:revert (?:--?[\w-]+ )*HEAD|reset (?:--\w+ )?HEAD(?:~1?|\^))"
    r"(?:\s|$|[;&|])"
)


def takes_back(line: str) -> bool:
    """Say whether a command restores committed files, or undoes the last commit."""
    # Few commands contain one of these words; the others need no search.
    if "git" not in line or not any(word in line for word in _WORDS_BACK):
        return False
    return any(way.search(line) for way in (_TAKES_COMMIT_BACK, _PUTS_ALL_BACK, _PUTS_BACK))


def may_be_taken_back(done: Sequence[Changing], later: Sequence[Changing]) -> bool:
    """
    Say whether any of *later*, which restore or undo something, may affect what was done.

    How those commands ended is not read: that takes long, and nearly all work stays.
    """
    files = {name.removeprefix("./") for one in done if one.is_edit for name in one.named}
    has_commit = any("commit" in one.about for one in done)
    return any(
        (has_commit and _TAKES_COMMIT_BACK.search(one.about))
        or (files and _left_after(one.about, files) != files)
        for one in later
    )


class Closure(NamedTuple):
    """Whether work was taken back, and which failed commands succeeded later."""

    is_taken_back: bool
    passed: frozenset[str]


def closure_of(files: Sequence[str], commits: Sequence[str], later: Iterable[Use]) -> Closure:
    """
    Return what *later* uses of tools, in their order, made of changed *files* and *commits*.

    A commit is taken back by undoing the last commit, as long as no other commit follows it;
    uncommitted work is taken back by restoring its files.
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
            # Another commit keeps the changes, and is the last one from then on.
            is_last, left = False, set()
    return Closure(is_taken_back, frozenset(passed))


def _left_after(line: str, files: set[str]) -> set[str]:
    """Return which of *files* are still changed after a command."""
    if _PUTS_ALL_BACK.search(line):
        return set()
    named = [word for found in _PUTS_BACK.finditer(line) for word in found["files"].split()]
    named = [word.strip("\"'").removeprefix("./") for word in named]
    return {one for one in files if not any(word and one.endswith(word) for word in named)}
