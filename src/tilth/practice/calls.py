"""
Read what a tool call is about: a command line, the files it changes, or a run it asks about.

Hosts name their tools and arguments differently, and transcripts in Markdown give the command
between backticks. Any other call is about nothing.
"""

import json
import re
import shlex
from dataclasses import replace

from tilth.core.dataclass import dataclass
from tilth.core.json import Json
from tilth.core.text.pattern import pattern
from tilth.episodes.episode import EpisodeDraft, EpisodeKind
from tilth.practice.model import ABOUT_CHARS_MAX, SOME_FILE

_SHELL_TOOL = pattern(
    r"(?:^|[._])(?:bash|shell|sh|exec|exec_command|local_shell_call|run_command|execute_command"
    r"|run_terminal_cmd|run_in_terminal|run_shell_command|terminal)$",
    re.IGNORECASE,
)
_EDIT_TOOL = pattern(
    r"(?:^|[._])(?:(?:multi_?|notebook_?|file_?|apply_?)?(?:edit|patch)(?:_file|_notebook)?|write"
    r"|write_file|create_file|str_replace\w*|search_replace|replace|replace_string_in_file"
    r"|insert_edit_into_file|file_change|update_file|delete_file)$",
    re.IGNORECASE,
)
_POLL_TOOL = pattern(r"^(?:write_stdin|TaskOutput|BashOutput|read_bash|bash_output)$")
_SAYINGS = ("description", "explanation")
_SKILL_TOOL = pattern(r"^(?:Skill|skill|activate_skill|load_skill|use_skill)$")
# The prefix for the use of a skill: its name, or the path of its file that was read.
SKILL_MARK = "skill:"
# The metadata key for files that a call changed, where its text does not name them.
EDITED = "edited"
SKILL_FILE = "/SKILL.md"
_COMMANDS = ("command", "cmd", "script")
_FILES = ("file_path", "filePath", "path", "notebook_path", "target_file")
_RUNS = ("session_id", "task_id", "bash_id", "shellId", "shell_id")
_BACKTICKED = pattern(r"^`([^`\n]+)`$", re.MULTILINE)
_FENCED = pattern(r"^```(?:bash|sh|shell|zsh)\n(.*?)\n```", re.MULTILINE | re.DOTALL)
_PATCHED = pattern(r"^\*\*\* (?:Update|Add|Delete) File: (.+)$", re.MULTILINE)
# An agent's remark that a test is meant to fail.
_MEANT_TO_FAIL = pattern(
    r"\b(?:should|must|will|to|they|it|expected to) (?:now )?fail|\binvert|\bred phase\b",
    re.IGNORECASE,
)
_EDITED_BY_SHELL = pattern(r"^\s*(?:apply_patch\b|(?:g?sed|perl) (?:-\w+ )*-\w*i\b)")


@dataclass(frozen=True, slots=True)
class Call:
    """
    A tool call: its command line, the files it changes, or the run it asks about.

    `skill` is the name of a skill that it loads, or the path of a skill's file that it reads.
    """

    tool: str
    line: str = ""
    files: tuple[str, ...] = ()
    run: str = ""
    is_meant_to_fail: bool = False
    skill: str = ""

    @property
    def about(self) -> str:
        """What it is about, on a few lines."""
        return (self.line or self.skill or "\n".join(self.files))[:ABOUT_CHARS_MAX]


def call_of(draft: EpisodeDraft) -> Call | None:
    """Return what a tool call is about; None for another kind of episode."""
    if draft.kind is not EpisodeKind.TOOL_CALL:
        return None
    call, files = call_in(draft.text), draft.metadata.get(EDITED)
    named = tuple(one for one in files if isinstance(one, str)) if isinstance(files, list) else ()
    return replace(call, files=named) if named and call.files else call


def call_in(text: str) -> Call:
    """Read the text of a tool's call, as importers and hooks write it."""
    tool, _, told = text.partition(":")
    tool, told = tool.strip(), told.strip()
    arguments = _read(told)
    if _POLL_TOOL.match(tool):
        return Call(tool, run=_named(arguments, _RUNS))
    if files := tuple(dict.fromkeys(_PATCHED.findall(told.replace("\\n", "\n")))):
        return Call(tool, files=files)
    if _EDIT_TOOL.search(tool):
        return Call(tool, files=(_named(arguments, _FILES) or _retold(told) or SOME_FILE,))
    return _loading(tool, arguments) or _running(tool, told, arguments)


def _loading(tool: str, arguments: Json) -> Call | None:
    """Return a call that loads a skill; None for other calls."""
    if _SKILL_TOOL.match(tool):
        name = _named(arguments, ("skill", "name", "command"))
        return Call(tool, skill=f"{SKILL_MARK}{name.removeprefix('/')}")
    path = _named(arguments, _FILES)
    return Call(tool, skill=path) if path.endswith(SKILL_FILE) else None


def _running(tool: str, told: str, arguments: Json) -> Call:
    line = _named(arguments, _COMMANDS)
    if _SHELL_TOOL.search(tool) and not line:
        line = _retold(told) if arguments is None else _line(arguments)
    if _EDITED_BY_SHELL.match(line):
        return Call(tool, files=(line[:80],))
    said = told.partition("`")[0] if arguments is None else _named(arguments, _SAYINGS)
    return Call(tool, line, is_meant_to_fail=bool(line and _MEANT_TO_FAIL.search(said)))


def _read(told: str) -> Json:
    if not told.startswith(("{", "[", '"')):
        return None
    try:
        read: Json = json.loads(told)
    except (ValueError, RecursionError):
        return None
    return read


def _named(arguments: Json, names: tuple[str, ...]) -> str:
    if not isinstance(arguments, dict):
        return ""
    return next((found for name in names if (found := _line(arguments.get(name)))), "")


def _line(value: Json) -> str:
    """Return a command from text or from words; for a shell's `-c`, the command in it."""
    if isinstance(value, list) and value and all(isinstance(one, str) for one in value):
        words = [str(one) for one in value]
        is_told = len(words) > 2 and words[1] in {"-c", "-lc"}  # noqa: PLR2004 - sh -c TEXT
        return words[2] if is_told else shlex.join(words)
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""


def _retold(told: str) -> str:
    found = _FENCED.search(told) or _BACKTICKED.search(told)
    return found[1] if found else ""
