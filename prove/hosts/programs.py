"""The agent programs: how each is set up for a played model, run, and left."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from prove.hosts.home import Home

_KEY = "sk-ant-api03-of-nobody-at-all-0000"
_CODEX = """\
model = "played"
model_provider = "played"
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.played]
name = "played"
base_url = "{url}/v1"
wire_api = "responses"
env_key = "OPENAI_API_KEY"
[projects."{project}"]
trust_level = "trusted"
[mcp_servers.unused]   # of somebody else, and switched off
command = "false"
enabled = false"""
# By it Codex runs hooks that nobody trusted on its screen, where there is no screen.
_CODEX_TRUST = "--dangerously-bypass-hook-trust"
_CODEX_FREE = "--dangerously-bypass-approvals-and-sandbox"


@dataclass(frozen=True, slots=True)
class Program:
    """
    One agent program.

    `files` are its configuration, by path within the home, for a model at a URL.
    `headless` and `interactive` are its command lines, the first with a prompt;
    `leaving` is typed to end it, `ends_with` the event that tells of an answer,
    and `ready` is on its screen when it can be typed into. As a language model it
    is the provider `model`; empty if it is none.
    """

    host: str
    package: str
    environ: Callable[[str], Mapping[str, str]]
    files: Callable[[Home, str], Mapping[str, str]]
    headless: Callable[[str], Sequence[str]]
    interactive: Sequence[str]
    leaving: str
    ends_with: str
    ready: bytes = b""
    model: str = ""


def _claude_files(home: Home, _url: str) -> dict[str, str]:
    told = {
        "hasCompletedOnboarding": True,
        "theme": "dark",
        "customApiKeyResponses": {"approved": [_KEY[-20:]], "rejected": []},
        "projects": {str(home.project): {"hasTrustDialogAccepted": True}},
    }
    return {".claude.json": json.dumps(told)}


def _codex_files(home: Home, url: str) -> dict[str, str]:
    config = _CODEX.format(url=url, project=home.project)
    # In a form that no program of ours would write, so that undo shows whose bytes are back.
    return {".codex/config.toml": config, ".codex/hooks.json": '{\n\t"hooks" : { }  }\n'}


def _gemini_files(_home: Home, _url: str) -> dict[str, str]:
    told = {
        "security": {"auth": {"selectedType": "gemini-api-key"}, "folderTrust": {"enabled": False}},
        "privacy": {"usageStatisticsEnabled": False},
        "general": {"enableAutoUpdate": False, "enableAutoUpdateNotification": False},
    }
    return {".gemini/settings.json": json.dumps(told)}


def _opencode_files(_home: Home, url: str) -> dict[str, str]:
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "name": "played",
        "options": {"baseURL": f"{url}/v1", "apiKey": "none"},
        "models": {"played": {"name": "played"}},
    }
    told = {
        "autoupdate": False,
        "share": "disabled",
        "model": "played/played",
        "small_model": "played/played",
        "provider": {"played": provider},
    }
    # With a comment, so that undo shows whose bytes are back.
    return {".config/opencode/opencode.jsonc": f"// Ada's\n{json.dumps(told)}\n"}


PROGRAMS = (
    Program(
        host="claude-code",
        model="claude",
        package="@anthropic-ai/claude-code",
        environ=lambda url: {
            "ANTHROPIC_BASE_URL": url,
            "ANTHROPIC_API_KEY": _KEY,
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
        },
        files=_claude_files,
        headless=lambda prompt: (
            *("claude", "-p", prompt),
            *("--allowedTools", "Bash,Agent,Task,mcp__plugin_tilth_tilth"),
        ),
        interactive=("claude", "--allowedTools", "Bash,Agent,Task,mcp__plugin_tilth_tilth"),
        leaving="/exit",
        ends_with="Stop",
    ),
    Program(
        host="codex",
        model="codex",
        package="@openai/codex",
        environ=lambda _url: {"OPENAI_API_KEY": "none"},
        files=_codex_files,
        headless=lambda prompt: ("codex", "exec", _CODEX_FREE, _CODEX_TRUST, prompt),
        interactive=("codex", _CODEX_FREE, _CODEX_TRUST),
        leaving="/quit",
        ends_with="Stop",
    ),
    Program(
        host="gemini-cli",
        model="gemini",
        package="@google/gemini-cli",
        environ=lambda url: {"GEMINI_API_KEY": "none", "GOOGLE_GEMINI_BASE_URL": url},
        files=_gemini_files,
        headless=lambda prompt: ("gemini", "-p", prompt, "--approval-mode", "yolo", "--skip-trust"),
        interactive=("gemini", "--approval-mode", "yolo", "--skip-trust"),
        leaving="/quit",
        ends_with="AfterAgent",
    ),
    Program(
        host="opencode",
        package="opencode-ai",
        environ=lambda _url: {"OPENCODE_DISABLE_AUTOUPDATE": "1"},
        files=_opencode_files,
        headless=lambda prompt: ("opencode", "run", prompt),
        interactive=("opencode",),
        leaving="/exit",
        ends_with="message.assistant",
        ready="█".encode(),
    ),
)
