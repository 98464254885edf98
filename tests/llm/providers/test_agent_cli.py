"""Agent programs are run once, alone, in silence; fake ones speak as the real ones do."""

import json
import os
import sys
import threading
import time

import pytest

from tilth.core.errors import UnavailableError, UnsupportedError
from tilth.llm.budget import Usage
from tilth.llm.model import ModelRequest
from tilth.llm.providers.agent_cli import AgentCliModel
from tilth.llm.providers.agent_programs import PROGRAMS
from tilth.llm.providers.api_reply import UNREADABLE
from tilth.runtime.system import SystemPatience

REQUEST = ModelRequest(
    instructions="Read.", data="DATA begins", schema={"type": "object"}, output_tokens=99
)
ENVIRON = {
    "PATH": os.environ["PATH"],
    "HOME": "/home/mira",
    "LC_ALL": "C.UTF-8",
    "CLAUDECODE": "1",
    "CODEX_SANDBOX": "seatbelt",
    "GEMINI_CLI": "1",
    "TILTH_STORE": "postgresql://u:secret@h/db",
    "DATABASE_URL": "postgresql://u:secret@h/db",
    "ANTHROPIC_API_KEY": "sk-1",
    "OPENAI_API_KEY": "sk-2",
    "GEMINI_API_KEY": "sk-3",
}
# Each writes down how it was run, then says what its kind says.
FAKE = """#!{python}
import json, os, sys, time
told = dict(words=sys.argv[1:], prompt=sys.stdin.read(), environ=dict(os.environ),
            folder=os.getcwd(), files=sorted(os.listdir()), pid=os.getpid())
with open({log!r}, "w") as file:
    json.dump(told, file)
{body}
"""
CLAUDE = {
    "type": "result", "subtype": "success", "is_error": False, "result": "Done.",
    "structured_output": {"pace": "fast"}, "total_cost_usd": 0.0123,
    "usage": {"input_tokens": 10, "cache_creation_input_tokens": 200,
              "cache_read_input_tokens": 3000, "output_tokens": 7},
}  # fmt: skip
CODEX = [
    {"type": "thread.started", "thread_id": "t"},
    {"type": "turn.started"},
    {"type": "item.completed", "item": {"type": "reasoning", "text": "hm"}},
    {"type": "item.completed", "item": {"type": "agent_message", "text": '{"pace": "slow"}'}},
    {"type": "item.completed", "item": {"type": "agent_message", "text": '{"pace": "fast"}'}},
    {"type": "turn.completed", "usage": {"input_tokens": 3210, "cached_input_tokens": 3000,
                                         "output_tokens": 7}},
]  # fmt: skip
GEMINI = {
    "response": '```json\n{"pace": "fast"}\n```',
    "stats": {"models": {"gemini-flash": {"tokens": {
        "prompt": 3210, "candidates": 5, "total": 3217, "cached": 0, "thoughts": 2, "tool": 0,
    }}}},
}  # fmt: skip
SPOKEN = {
    "claude": json.dumps(CLAUDE),
    "codex": "\n".join(map(json.dumps, CODEX)),
    "gemini": "Loaded cached credentials.\n" + json.dumps(GEMINI, indent=2),
}
CODEX_OFF = [
    *("-c", 'web_search="disabled"', "-c", "project_doc_max_bytes=0"),
    *("-c", "features.shell_tool=false", "-c", "features.unified_exec=false"),
    *("-c", "features.view_image=false", "-c", "features.multi_agent=false"),
    *("-c", "features.goals=false", "-c", "features.hooks=false"),
    *("-c", "features.plugins=false", "-c", "features.apps=false"),
    *("-c", "features.skill_search=false", "-c", "features.image_generation=false"),
]
# How they are called, as their documentation has it and `make prove-hosts` sees it hold.
WORDS = {
    "claude": ["-p", "--output-format", "json", "--json-schema", '{"type": "object"}', "--tools",
               "", "--strict-mcp-config", "--no-session-persistence", "--system-prompt", "Read.",
               "--model", "m"],
    "codex": ["exec", *CODEX_OFF, "--json", "--ephemeral", "--skip-git-repo-check",
              "--sandbox", "read-only", "--output-schema", "schema.json", "--model", "m", "-"],
    "gemini": ["--allowed-mcp-server-names", "none", "--extensions", "none", "-p",
               "Answer what standard input asks.", "--output-format", "json", "--model", "m"],
}  # fmt: skip
KINDS = sorted(SPOKEN)


def patience(seconds=20.0, cancelled=None):
    return SystemPatience(seconds, cancelled or threading.Event())


@pytest.fixture
def make_program(tmp_path):
    def make(kind, body):
        path, log = tmp_path / kind, tmp_path / "log.json"
        path.write_text(FAKE.format(python=sys.executable, log=str(log), body=body))
        path.chmod(0o700)
        return AgentCliModel(kind, "m", str(path), ENVIRON), log

    return make


@pytest.fixture(params=KINDS)
def kind(request):
    return request.param


def test_a_program_is_asked_alone_and_read_as_its_documentation_says(make_program, kind):
    model, log = make_program(kind, f"print({SPOKEN[kind]!r})")

    reply = model.ask(REQUEST, patience())

    ran = json.loads(log.read_text())
    assert '"pace": "fast"' in reply.text
    assert reply.usage == Usage(3210, 7)
    assert reply.millionths == (12_300 if kind == "claude" else 0)
    assert ran["words"] == WORDS[kind]
    assert "DATA begins" in ran["prompt"]
    assert ("Read." in ran["prompt"]) == (kind == "codex")
    assert model.name == f"{kind}:m"

    own = [".gemini", "system.md"] if kind == "gemini" else []
    assert ran["files"] == sorted(["prompt", "said", "schema.json", *own])
    assert not os.path.exists(ran["folder"])  # noqa: PTH110 - a path in another's words

    seen = ran["environ"]
    keys = {"claude": "ANTHROPIC_API_KEY", "codex": "OPENAI_API_KEY", "gemini": "GEMINI_API_KEY"}
    assert {name for name in seen if name.endswith("_KEY")} == {keys[kind]}
    foreign = {"CLAUDECODE", "CODEX_SANDBOX", "GEMINI_CLI", "TILTH_STORE", "DATABASE_URL"}
    assert not foreign & set(seen)
    assert seen["TILTH_INTERNAL"] == seen["TILTH_DISABLE"] == "1"
    assert seen["HOME"] == "/home/mira"


def test_no_server_that_codex_knows_of_its_user_is_started(make_program, tmp_path, monkeypatch):
    monkeypatch.setitem(ENVIRON, "CODEX_HOME", str(tmp_path))
    (tmp_path / "config.toml").write_text(
        '[mcp_servers.mail]\ncommand = "mail"\n[mcp_servers."a.b=1"]\ncommand = "x"\n'
    )
    model, log = make_program("codex", f"print({SPOKEN['codex']!r})")

    model.ask(REQUEST, patience())

    words = json.loads(log.read_text())["words"]
    assert [one for one in words if "mcp_servers" in one] == ["mcp_servers.mail.enabled=false"]


@pytest.mark.parametrize("told", ["mcp_servers = 1", "no toml [", "[mcp_servers]"])
def test_a_configuration_that_codex_complains_of_itself_stops_nothing(tmp_path, told):
    (tmp_path / "config.toml").write_text(told)

    environ = {"CODEX_HOME": str(tmp_path)}
    assert PROGRAMS["codex"].arguments("m", REQUEST, environ) == WORDS["codex"]


def test_gemini_lends_its_model_no_tool_and_keeps_nothing_of_the_task(
    make_program, tmp_path, monkeypatch
):
    monkeypatch.setitem(ENVIRON, "GEMINI_CLI_HOME", str(tmp_path))
    kept = tmp_path / ".gemini" / "tmp" / "another" / "chats"
    kept.mkdir(parents=True)
    leaves = f"os.makedirs({str(tmp_path)!r} + '/.gemini/tmp/' + os.path.basename(os.getcwd()))"
    looks = "told['own'] = [open('.gemini/settings.json').read(), open('system.md').read()]"
    says = f"print({SPOKEN['gemini']!r})"
    model, log = make_program("gemini", f"{leaves}\n{looks}\n{_LOGS}\n{says}")

    model.ask(REQUEST, patience())

    ran = json.loads(log.read_text())
    settings, system = ran["own"]
    assert json.loads(settings)["tools"] == {"core": ["none"]}
    assert system == "Read."
    assert ran["environ"]["GEMINI_CLI_TRUST_WORKSPACE"] == "true"
    assert [one.name for one in (tmp_path / ".gemini" / "tmp").iterdir()] == ["another"]


@pytest.mark.parametrize("body", ["sys.exit(1)", "print('[]')"])
def test_a_program_that_does_not_answer_is_refused(make_program, kind, body):
    model, _ = make_program(kind, body)

    with pytest.raises(UnavailableError, match="no answer"):
        model.ask(REQUEST, patience())


@pytest.mark.parametrize("said", ["", "Please sign in\n", "{}\n", "[]\n"])
def test_what_is_no_answer_cannot_be_read(kind, said):
    with pytest.raises(UNREADABLE):
        PROGRAMS[kind].read(said)


@pytest.mark.parametrize(
    "changes",
    [
        {"is_error": True, "subtype": "error_max_turns"},
        {"total_cost_usd": float("inf")},
        {"total_cost_usd": -1},
        {"total_cost_usd": "much"},
        {"structured_output": None, "result": None},
    ],
)
def test_what_claude_says_and_no_answer_could_be_cannot_be_read(changes):
    with pytest.raises(UNREADABLE):
        PROGRAMS["claude"].read(json.dumps(CLAUDE | changes))


def test_a_program_that_hangs_is_ended_with_what_it_started(make_program):
    child = "import subprocess; child = subprocess.Popen(['sleep', '60'])"
    model, log = make_program("codex", f"{child}\ntold['child'] = child.pid\n" + _REWRITE)
    cancelled = threading.Event()

    def cancel_once_it_runs():
        while not (log.exists() and b'"child"' in log.read_bytes()):
            time.sleep(0.01)
        cancelled.set()

    threading.Thread(target=cancel_once_it_runs, daemon=True).start()

    with pytest.raises(UnavailableError):
        model.ask(REQUEST, patience(60, cancelled))

    pids = json.loads(log.read_text())
    assert _is_gone(pids["pid"])
    assert _is_gone(pids["child"])


_LOGS = """
with open(sys.argv[0].rpartition("/")[0] + "/log.json", "w") as file:
    json.dump(told, file)
"""
_REWRITE = f"{_LOGS}\ntime.sleep(60)\n"


def _is_gone(pid):
    for _ in range(100):
        try:
            with open(f"/proc/{pid}/stat") as file:  # noqa: PTH123 - no path of ours
                if file.read().split()[2] == "Z":
                    return True
        except OSError:
            return True
        time.sleep(0.05)
    return False


def test_a_program_that_is_gone_is_unsupported(tmp_path):
    model = AgentCliModel("claude", "", str(tmp_path / "claude"), ENVIRON)

    assert model.name == "claude"
    with pytest.raises(UnsupportedError, match="does not run"):
        model.ask(REQUEST, patience())
