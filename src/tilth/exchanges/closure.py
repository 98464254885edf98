"""
What became later of what an exchange did, as far as its session shows.

The last word in a session wins: files that were put back are as they were, so the report of
changing them is void; and a command that failed, and came through later, is no open finding.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from tilth.core.text.pattern import pattern
from tilth.exchanges.deeds import committed
from tilth.practice.command_lines import without_chatter
from tilth.practice.model import RunResult
from tilth.practice.pairing import Use
from tilth.practice.tables import Changing

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
