"""
Read an assistant's turn in histories of Cursor that SpecStory wrote.

Until October 2025 each step of an agent is ruled off there, at first as a turn of its own, and none
says that it is a tool: a step is one where it has the shape of one, from its first line to its
last. Anything else is what was said. Since then a block says that it is a tool's.
"""

import re
from collections.abc import Iterator, Sequence
from html import unescape
from typing import NamedTuple

from tilth.episodes.episode import EpisodeKind, Role
from tilth.practice.model import RunResult
from tilth.practice.outputs import guess_result, head_and_tail

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
_END = "</details>"
_FETCHED = re.compile(r"### (?P<said>Rule: [^\n]+)\n(?P<out>.*)```", re.DOTALL)
_FAILED = re.compile(
    r"Cancelled|Error calling tool(?: '[^'\n]{1,80}')?\."
    r"|Tool call timed out after \d+\s?m?s(?: \([^()\n]{1,80}\))?"
    r"|Could not find file [^\n]+ in the workspace\.|Could not resolve URI: [^\n]+"
    r"|Cannot edit files blocked by [^\n]+"
)
# Of a block of a tool: "**write** • Edit file: /shop/till.ts".
_SUMMARY = re.compile(
    r"<summary>Tool use: \*\*[^*\n]{1,80}\*\*(?:\s*•\s*(?P<told>[^\n]*?))?</summary>"
)
_RESULT = "\nResult:\n"
_EDITED = re.compile(r"(?:Edit|Create|Delete)d? file: (?P<file>\S.*)")
_WRITE, _SHELL, _ASKING = "write", "shell", frozenset({"read", "search", "generic"})
# A rule stands between two steps, and an agent may rule off what it says.
_RULE = re.compile(r"(?:\A|\n)---[ \t]*(?=\n|\Z)")
_RULE_FIRST = re.compile(r"\A(?:\s*---[ \t]*\n)+\s*")
_RULED = "\n\n---\n\n"


class Step(NamedTuple):
    """A tool's call, or what came of one."""

    kind: EpisodeKind
    role: Role
    text: str


def steps_in(text: str) -> Sequence[Step]:
    """Return the use of a tool that the whole of a turn is; nothing if somebody speaks there."""
    text = text.strip()
    # Each form is sure of its end before it looks for it: linear time.
    ends = "```" if text.endswith("\n```") else text[-len(_END) :]
    if ends == "```" and (match := _RAN.fullmatch(text)):
        call = f"run_terminal_cmd: \n```bash\n{match['line']}\n```"
        came = (match["out"] or "").strip("\n")
        # No exit code is told: what came out says whether it failed, as far as anything does.
        return _used(call, came, is_failed=guess_result(head_and_tail(came)) is RunResult.FAILED)
    if _CHANGED.fullmatch(text):
        return _used(f"edit_file: \n{text}", "")
    if match := _READ.fullmatch(text):
        return _used(f"read_file: {match['path']}", "")
    if match := (_LOOKED.fullmatch(text) if ends == _END else _FETCHED.fullmatch(text)):
        return _used(f"look: {match['said']}", match["out"].strip())
    if _FAILED.fullmatch(text):
        return (Step(EpisodeKind.TOOL_FAILURE, Role.TOOL, text),)
    return ()


class Block(NamedTuple):
    """What a block of a tool says: the call and what came of it, and the files it changed."""

    steps: Sequence[Step]
    edited: Sequence[str]


def block_of(kind: str, name: str, text: str) -> Block:
    """Return the use of a tool of a *kind* and *name* that the *text* of a block tells."""
    summary = _SUMMARY.match(text)
    what = unescape(summary["told"] or "").strip() if summary else ""
    rest = text.removeprefix(summary[0]).strip() if summary else text
    edited = _EDITED.fullmatch(what) if kind == _WRITE else None
    ran = steps_in(rest) if kind == _SHELL else ()
    if ran:
        return Block(ran, ())
    if kind in _ASKING:
        return Block(_used(f"{name}: {what}".removesuffix(": "), rest), ())
    # A tool that the writer does not know is told by what it was given and what it gave.
    asked, _, came = rest.partition(_RESULT)
    call = "\n".join(filter(None, (f"{name}: {what}" if what or asked else name, asked.strip())))
    return Block(_used(call, came.strip()), (edited["file"],) if edited else ())


def pieces_in(text: str) -> Sequence[Step | str]:
    """Return what a turn says and does, in order; whole if there is no step in it."""
    pieces: list[Step | str] = []
    said: list[str] = []
    is_fenced = False
    for part in _parted(text):
        if steps := steps_in(part):
            pieces += [*_whole(said), *steps]
            said, is_fenced = [], False
        else:
            # What stands within a fence has a rule of its own.
            said += [_RULED if is_fenced else "\n\n", part]
            is_fenced ^= len(_FENCE.findall(part)) % 2 == 1
    has_steps = bool(pieces)
    return [*pieces, *_whole(said)] if has_steps else [_RULE_FIRST.sub("", text)]


def _whole(said: Sequence[str]) -> Iterator[str]:
    if said:
        yield "".join(said[1:])


def _parted(text: str) -> Iterator[str]:
    """Yield what stands between rules; one that a command put out is its own."""
    run: list[str] = []
    is_open = False
    for part in _RULE.split(text):
        run += [f"\n---{part}"] if run else [part]
        # Only what begins with a fence is a tool's, and goes on until it ends.
        begins = run[0].lstrip().startswith("```")
        is_open ^= begins and len(_FENCE.findall(part)) % 2 == 1
        if not is_open:
            whole = "".join(run).strip()
            run = []
            if whole:
                yield whole
    if last := "".join(run).strip():
        yield last


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
