"""
Who is at the command line.

Only a person at a terminal counts as human; a program that an agent started
does not, even on a terminal. What makes something authoritative later rests
on this, so doubt always means: not a human (DESIGN §4).
"""

from collections.abc import Mapping

from tilth.core.actor import Actor, ActorKind

# What agents set in the commands that they run, and the name that they act under.
AGENTS = {
    "CLAUDECODE": "claude-code",
    "CLAUDE_CODE_CHILD_SESSION": "claude-code",
    "CODEX_SANDBOX": "codex",
    "CODEX_SANDBOX_NETWORK_DISABLED": "codex",
    "CODEX_THREAD_ID": "codex",
    "GEMINI_CLI": "gemini-cli",
    "CURSOR_AGENT": "cursor",
    "OPENCODE": "opencode",
    "CLINE_ACTIVE": "cline",
    "GOOSE_TERMINAL": "goose",
    "AI_AGENT": "agent",
    "AGENT": "agent",
}


def caller(environ: Mapping[str, str], *, is_tty: bool) -> Actor:
    """Return who acts: the agent that *environ* names, a human at a terminal, or a program."""
    for variable, name in AGENTS.items():
        if environ.get(variable):
            return Actor(name, ActorKind.AGENT)
    return Actor("human", ActorKind.HUMAN) if is_tty else Actor("cli", ActorKind.AGENT)
