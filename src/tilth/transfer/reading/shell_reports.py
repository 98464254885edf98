"""
Remove what agent programs report around a command's output: exit codes, times, warnings.

Those are for their models. The output is kept, and whether the command failed.
"""

import re

# That a command came through and put nothing out is what came of it.
SILENCE = "(no output)"
_EXIT_CODE = re.compile(r"^(?:Process exited with code|Exit code:?) (-?\d+)", re.MULTILINE)
_EXIT_CODE_WITHIN = 300  # the report on the run stands before its output
# Codex: before what came out.
_CODEX_REPORT = re.compile(
    r"\A(?:Chunk ID: \w+\n)?Wall time: [\d.]+ seconds\n(?:Process .*\n)?"
    r"(?:Original token count: \d+\n)?Output:\n"
)
# Gemini CLI: a warning around each outcome, and the process group.
_GEMINI_SHELL = "run_shell_command"
_WRAPPED = re.compile(r"\s*<untrusted_context>\n(.*)\n</untrusted_context>\s*", re.DOTALL)
_GROUP = re.compile(r"\nProcess Group PGID: \d+\s*$")
# With these its report on a shell command ends, if it failed.
_GEMINI_FAILURE = re.compile(
    r"(?:^|\n)(?:Exit Code: -?[1-9]\d*|Signal: [A-Z1-9]\w*)"
    r"(?:\n(?:Signal|Background PIDs): .*)*\s*$"
)


def reports_failure(output: str) -> bool:
    """Say whether a tool's output begins with the report of an exit code other than 0."""
    match = _EXIT_CODE.search(output[:_EXIT_CODE_WITHIN])
    return match is not None and int(match[1]) != 0


def codex_outcome(told: str) -> str:
    """Return the output of a run in Codex, without its report."""
    return or_silence(_CODEX_REPORT.sub("", told))


def or_silence(output: str) -> str:
    """Return a tool's output, or a note that there was none."""
    return output if output.strip() else SILENCE


def gemini_outcome(tool: str, told: str) -> tuple[str, bool]:
    """Return the output of a call in Gemini CLI, and whether it was a command that failed."""
    wrapped = _WRAPPED.fullmatch(told)
    text = _GROUP.sub("", wrapped[1] if wrapped else told)
    return text, tool == _GEMINI_SHELL and bool(_GEMINI_FAILURE.search(text))
