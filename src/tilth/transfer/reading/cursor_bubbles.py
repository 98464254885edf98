"""
What an assistant's turn is in the early histories of Cursor that SpecStory wrote.

Each step of an agent is a turn of its own there, and none says that it is a tool: a step is one
where it has the shape of one, from its first line to its last. Anything else is what was said.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from tilth.episodes.episode import EpisodeKind, Role
from tilth.practice.model import RunResult
from tilth.practice.outputs import edges, looks

_THOUGHT = re.compile(r"<think>.*?</think>", re.DOTALL)
_FENCE = re.compile(r"^```", re.MULTILINE)
_RAN = re.compile(
    r"```(?:bash|sh|shell|zsh)\n(?P<line>.*?)\n```(?:\s*```\n(?P<out>.*)\n```)?", re.DOTALL
)
_CHANGED = re.compile(r"```diff\n.*\n```", re.DOTALL)
_READ = re.compile(r"Read file: (?P<path>[^\n]+)")
_LOOKED = re.compile(
    r"<details>\s*<summary>(?P<said>[^\n]*?)</summary>(?P<out>.*)</details>", re.DOTALL
)
_FAILED = re.compile(r"Cancelled|Error calling tool\.|Tool call timed out after \d+\s?ms")


class Step(NamedTuple):
    """A tool's call, or what came of one."""

    kind: EpisodeKind
    role: Role
    text: str


def steps_in(text: str) -> Sequence[Step]:
    """Return the use of a tool that the whole of a turn is; nothing if somebody speaks there."""
    text = text.strip()
    if match := _RAN.fullmatch(text):
        call = f"run_terminal_cmd: \n```bash\n{match['line']}\n```"
        came = (match["out"] or "").strip("\n")
        # No exit code is told: what came out says whether it failed, as far as anything does.
        return _used(call, came, is_failed=looks(edges(came)) is RunResult.FAILED)
    if _CHANGED.fullmatch(text):
        return _used(f"edit_file: \n{text}", "")
    if match := _READ.fullmatch(text):
        return _used(f"read_file: {match['path']}", "")
    if match := _LOOKED.fullmatch(text):
        return _used(f"look: {match['said']}", match["out"].strip())
    if _FAILED.fullmatch(text):
        return (Step(EpisodeKind.TOOL_FAILURE, Role.TOOL, text),)
    return ()


def without_thoughts(text: str) -> tuple[str, int]:
    """Return *text* without what its model thought, and how many thoughts that were."""
    return _THOUGHT.subn("", text)


def is_open(lines: Sequence[str]) -> bool:
    """Say whether a turn that began with a fence stands within one: tools print headings, too."""
    told = "\n".join(lines).lstrip()
    return told.startswith("```") and len(_FENCE.findall(told)) % 2 == 1


def _used(call: str, came: str, *, is_failed: bool = False) -> Sequence[Step]:
    called = Step(EpisodeKind.TOOL_CALL, Role.ASSISTANT, call)
    kind = EpisodeKind.TOOL_FAILURE if is_failed else EpisodeKind.TOOL_RESULT
    result = Step(kind, Role.TOOL, came)
    return (called, result) if came else (called,)
