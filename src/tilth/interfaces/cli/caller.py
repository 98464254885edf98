"""
Who is at the command line.

Only a person at a terminal counts as human; a program that an agent started
does not, even on a terminal, nor where it took out of its environment what told
so. What makes something authoritative later rests on this, so doubt always means:
not a human (DESIGN §4).
"""

from collections.abc import Callable, Mapping

from tilth.core.actor import Actor, ActorKind

# What agents set in the commands that they run, and the name that they act under.
AGENTS = {
    "CLAUDECODE": "claude-code",
    "CLAUDE_CODE": "claude-code",
    "CLAUDE_CODE_ENTRYPOINT": "claude-code",
    "CLAUDE_CODE_CHILD_SESSION": "claude-code",
    "CODEX_SANDBOX": "codex",
    "CODEX_SANDBOX_NETWORK_DISABLED": "codex",
    "CODEX_THREAD_ID": "codex",
    "GEMINI_CLI": "gemini-cli",
    "CURSOR_AGENT": "cursor",
    "CURSOR_TRACE_ID": "cursor",
    "OPENCODE": "opencode",
    "OPENCODE_CLIENT": "opencode",
    "COPILOT_AGENT": "copilot",
    "COPILOT_CLI": "copilot",
    "AUGMENT_AGENT": "augment",
    "ANTIGRAVITY_AGENT": "antigravity",
    "QWEN_CODE": "qwen-code",
    "PI_CODING_AGENT": "pi",
    "TRAE_AI_SHELL_ID": "trae",
    "REPL_ID": "replit",
    "CLINE_ACTIVE": "cline",
    "GOOSE_TERMINAL": "goose",
    "AI_AGENT": "agent",
    "AGENT": "agent",
}


# GitHub's agents set several of these, and users some: what names a key or a place is theirs.
_COPILOT, _USERS_OWN = "COPILOT_", ("_TOKEN", "_HOME", "_DIR", "_MODEL", "_KEY", "_URL")


def _agent_above(names: tuple[str, ...], environ: dict[str, str]) -> str:
    from tilth_hook import agent_above  # noqa: PLC0415 - for who is at a terminal

    return agent_above(names, environ)


def caller(
    environ: Mapping[str, str],
    *,
    is_tty: bool,
    above: Callable[[tuple[str, ...], dict[str, str]], str] = _agent_above,
) -> Actor:
    """
    Return who acts: an agent, a human at a terminal, or a program.

    Args:
        environ: The environment, in which agents name themselves.
        is_tty: Whether the answer is typed at a terminal.
        above: Finds a name of an agent in the environments that this process comes from.
    """
    told = next((name for name in AGENTS if environ.get(name)), "") or next(
        (name for name in environ if name.startswith(_COPILOT) and not name.endswith(_USERS_OWN)),
        "",
    )
    if not told and is_tty:
        told = above(tuple(AGENTS), dict(environ))
    if told:
        return Actor(AGENTS.get(told, "copilot"), ActorKind.AGENT)
    return Actor("human", ActorKind.HUMAN) if is_tty else Actor("cli", ActorKind.AGENT)
