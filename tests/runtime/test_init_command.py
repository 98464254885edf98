"""`tilth init HOST` as its user sees it, on a machine where an agent has left transcripts."""

import json
import os
import pty
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest

import tilth as package
from tilth.interfaces import mcp
from tilth.interfaces.cli.caller import AGENTS
from tilth.runtime import connect as bootstrap
from tilth_hook import agent_above

SAMPLE = Path(package.__file__).parent / "runtime" / "sample" / "claude-code-payments.jsonl"
PLUGIN = Path(".claude") / "skills" / "tilth"


@pytest.fixture
def used(home):
    """A machine on which Claude Code left two transcripts, one of them long ago."""
    folder = home / ".claude" / "projects" / "-home-mira"
    folder.mkdir(parents=True)
    for name, days in (("new", 0), ("old", 29)):
        path = folder / f"{name}.jsonl"
        path.write_bytes(SAMPLE.read_bytes())
        then = path.stat().st_mtime - days * 86_400
        os.utime(path, (then, then))
    return home


def on_terminal(program, *words, types=()):
    """Run the program on a terminal, and type each line once it asks."""
    if agent_above(tuple(AGENTS), dict(os.environ)):
        pytest.skip("an agent runs the tests, and passes for no person")
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "tilth", *words]
    environ = program.environ(TERM="dumb")
    with subprocess.Popen(
        command, stdin=theirs, stdout=theirs, stderr=theirs, env=environ, cwd=program.home
    ) as running:
        os.close(theirs)
        shown, answers = b"", list(types)
        with suppress(OSError):  # The terminal is gone once the program has ended.
            while chunk := os.read(ours, 4096):
                shown += chunk
                if answers and shown.rstrip().endswith(b"[y/N]"):
                    os.write(ours, answers.pop(0).encode() + b"\n")
                    shown += b" "
    os.close(ours)
    return running.returncode, shown.decode()


def test_on_a_terminal_the_plan_is_shown_agreed_to_and_the_import_offered(used, tilth):
    code, shown = on_terminal(tilth, "init", "claude-code", types=["y", "y"])

    assert code == 0
    assert "claude-code: 3 files created, 0 existing files changed" in shown
    assert "2 transcripts of earlier sessions lie here: claude-code 2" in shown
    assert "Claude Code removes 1 of them within 7 days" in shown
    assert "new episodes recorded" in shown
    assert (used / PLUGIN / "hooks" / "hooks.json").exists()
    assert len(tilth("session", "list", "--json").answer["sessions"]) == 1


def test_on_a_terminal_nothing_happens_without_a_yes(used, program):
    code, shown = on_terminal(program, "init", "claude-code", types=[""])

    assert code != 0
    assert "nothing was changed" in shown
    assert not (used / PLUGIN).exists()
    assert not (used / "tilth").exists()


def test_on_a_terminal_the_import_can_be_left_for_later(used, tilth):
    code, shown = on_terminal(tilth, "init", "claude-code", types=["y", "n"])

    assert code == 0
    assert "to bring them in: tilth import" in shown
    assert tilth("session", "list", "--json").answer["sessions"] == []


def test_yes_agrees_to_the_files_and_only_tells_of_the_transcripts(used, tilth):
    done = tilth("init", "claude-code", "--yes")

    assert done.code == 0
    assert "to bring them in: tilth import" in done.err
    assert (used / PLUGIN / "hooks" / "hooks.json").exists()


def test_in_json_everything_is_one_value(used, tilth):
    dry = tilth("init", "claude-code", "codex", "--dry-run", "--json").answer
    done = tilth("init", "claude-code", "codex", "--yes", "--json").answer
    again = tilth("init", "claude-code", "codex", "--yes", "--json").answer

    assert [one["host"] for one in dry["hosts"]] == ["claude-code", "codex"]
    assert (dry["receipts"], len(done["receipts"]), again["receipts"]) == ([], 2, [])
    assert done["transcripts"] == {
        "waiting_count": 2,
        "expiring_count": 1,
        "formats": {"claude-code": 2},
    }


def test_json_without_a_yes_is_refused(used, tilth):
    refused = tilth("init", "claude-code", "--json")

    assert refused.answer["error"]["code"] == "forbidden"
    assert not (used / PLUGIN).exists()


def test_after_undo_no_hook_wakes_a_worker(used, tilth):
    tilth("init", "claude-code", "--yes")
    wake = used / "tilth" / "state" / "wake"
    assert "--idle-minutes" in wake.read_text()

    tilth("unplug")

    assert not wake.exists()
    assert not (used / PLUGIN).exists()


def test_metrics_count_what_worker_and_hooks_came_to(used, tilth):
    tilth("init", "claude-code", "--yes")
    before = tilth("metrics", "--json").answer
    told = json.dumps(
        {
            "session_id": "s",
            "cwd": "/home/mira/a",
            "prompt": "From now on always boil the water twice.",
        }
    )
    hook = [sys.executable, "-c", "import tilth_hook; tilth_hook.main()"]
    words = [*hook, "claude-code", "UserPromptSubmit", told]
    subprocess.run(words, env=tilth.environ(TILTH_DISABLE=""), check=True)
    waiting = tilth("metrics", "--json").answer["hooks"]["waiting_bytes"]
    tilth("worker", "--once")

    after = tilth("metrics", "--json").answer
    assert before["stages"] == {}
    assert before["hooks"] == {"waiting_bytes": 0, "lost_count": 0, "aside_bytes": 0}
    assert after["models"]["spent"] == {"calls": 0, "tokens": 0, "millionths": 0}
    assert waiting > len(told)
    assert after["hooks"]["waiting_bytes"] == 0
    assert after["stages"]["spool"]["made_count"] == 1
    # It was looked at, and of one order there is nothing to tell.
    assert after["stages"]["briefs"]["found_count"] == 1
    assert "spool" in tilth("metrics").out


@pytest.mark.row("MP-11")
def test_a_pause_silences_hooks_until_it_is_over(used, tilth, program):
    told = json.dumps({"session_id": "s", "prompt": "Boil water."})
    # At this event no worker is started, which would outlive the test.
    words = [
        sys.executable,
        "-c",
        "import tilth_hook; tilth_hook.main()",
        "codex",
        "UserPromptSubmit",
        told,
    ]
    tilth("init", "claude-code", "--yes")

    def waiting():
        subprocess.run(words, env=program.environ(), check=True)
        return tilth("metrics", "--json").answer["hooks"]["waiting_bytes"]

    assert tilth("pause", "--json").answer == {"is_paused": True, "until": None}
    assert waiting() == 0
    assert tilth("pause", "--minutes", "5").out.startswith("nothing is captured until 2")
    assert waiting() == 0
    assert tilth("resume").out == "sessions are captured\n"
    assert waiting() > 0


def test_a_store_that_hooks_do_not_mean_is_refused(used, tilth):
    refused = tilth("init", "claude-code", "--yes", "--store", "other.db", "--json")

    assert refused.answer["error"]["code"] == "conflict"
    assert not (used / PLUGIN).exists()


# --- the memory's tools ---


def servers_in(path, holder="mcpServers"):
    return json.loads(path.read_text())[holder] if path.exists() else {}


def test_the_tools_are_one_flag_away_and_named_once(used, tilth):
    bare = tilth("init", "claude-code", "cursor", "--yes")
    done = tilth("init", "cursor", "--mcp", "--yes")

    assert bare.err.count("--mcp") == 1
    assert bare.err.rstrip().endswith("tilth init claude-code cursor --mcp")
    assert servers_in(used / PLUGIN / ".mcp.json") == {}
    assert "--mcp" not in done.err.replace("mcp.json", "")
    (entry,) = servers_in(used / ".cursor" / "mcp.json").values()
    assert entry["args"] == ["mcp", "--store", str(used / "tilth" / "tilth.db")]
    assert Path(entry["command"]).is_file()
    assert entry["env"] == {"TILTH_HOME": str(used / "tilth")}


def test_the_entry_is_shown_before_it_is_written(used, tilth):
    dry = tilth("init", "cursor", "--mcp", "--dry-run", "--json").answer

    (host,) = dry["hosts"]
    assert host["has_tools"] is True
    assert '+      "command": ' in host["diff"]
    assert not (used / ".cursor").exists()


def test_tools_that_are_plugged_in_stay_without_the_flag_and_follow_the_store(used, tilth):
    tilth("init", "cursor", "claude-code", "--mcp", "--yes")
    places = [used / ".cursor" / "mcp.json", used / PLUGIN / ".mcp.json"]
    before = [one.read_bytes() for one in places]

    again = tilth("init", "cursor", "claude-code", "--yes", "--json").answer

    assert [one["has_tools"] for one in again["hosts"]] == [True, True]
    assert (again["receipts"], [one.read_bytes() for one in places]) == ([], before)
    (used / "tilth" / "config.toml").write_text(f'store = "{used}/other.db"\n')
    assert tilth("init", "cursor", "claude-code", "--yes").code == 0
    for one in places:
        assert servers_in(one)["tilth"]["args"][-1] == f"{used}/other.db"
    tilth("unplug")
    assert [one.exists() for one in places] == [False, False]


def test_a_url_of_a_store_is_left_to_the_settings_since_it_may_hold_a_password(used, monkeypatch):
    (used / "config.toml").write_text('store = "postgresql://me:secret@localhost/brain"\n')
    setup = bootstrap.host_setup("codex", {"TILTH_HOME": str(used)}, has_tools=True)

    (*_, change) = setup.changes(lambda _: None)

    assert b"secret" not in change.after
    assert b'args = ["mcp"]' in change.after


def test_without_the_extra_nothing_is_written_and_its_name_is_told(used, tilth, monkeypatch):
    monkeypatch.setattr(mcp, "find_spec", lambda name: None)

    refused = tilth("init", "codex", "--mcp", "--yes", "--json")

    error = refused.answer["error"]
    assert error["code"] == "unsupported"
    assert "tilth[mcp]" in error["hint"]
    assert not (used / ".codex").exists()
    assert not (used / "tilth" / "state" / "receipts").exists()


def test_tools_are_for_hosts(tilth):
    refused = tilth("init", "--mcp", "--json")

    assert refused.answer["error"]["hint"] == "name one: tilth init HOST --mcp"


def test_tools_by_hand_are_left_alone_unless_they_are_wanted_here(used, tilth):
    place = used / ".cursor" / "mcp.json"
    place.parent.mkdir()
    by_hand = '{"mcpServers": {"tilth": {"command": "tilth", "args": ["mcp", "--store", "w.db"]}}}'
    place.write_text(by_hand)

    bare = tilth("init", "cursor", "--yes")
    again = tilth("init", "cursor", "--yes")

    assert "--mcp" not in bare.err
    assert place.read_text() == by_hand
    assert again.code == 0
    assert tilth("init", "cursor", "--mcp", "--yes").code == 0
    assert servers_in(place)["tilth"]["args"][-1] == str(used / "tilth" / "tilth.db")
    tilth("unplug", "cursor")
    assert place.read_text() == by_hand


def test_a_host_that_has_the_tools_by_hand_is_not_given_them_twice(used, tilth):
    by_hand = {"mcpServers": {"tilth": {"command": "tilth", "args": ["mcp"]}}}
    (used / ".claude.json").write_text(json.dumps(by_hand))

    refused = tilth("init", "claude-code", "--mcp", "--yes", "--json")

    assert refused.answer["error"]["code"] == "conflict"
    assert tilth("init", "claude-code", "--yes").code == 0


def opencode_of(used, says):
    """Install a program for which opencode is taken, and return the environment that has it."""
    program = used / "bin" / "opencode"
    program.parent.mkdir(exist_ok=True)
    program.write_text(f"#!/bin/sh\n{says}\n")
    program.chmod(0o700)
    return {"PATH": f"{program.parent}:{os.environ['PATH']}"}


@pytest.mark.parametrize("says", ["echo 2.0.32", "echo opencode v2.0.20", "echo v12.1.0-beta"])
def test_a_version_of_opencode_that_runs_no_plugin_of_ours_is_told(used, tilth, says):
    environ = opencode_of(used, says)

    set_up = tilth("init", "opencode", "--yes", environ=environ)
    again = tilth("init", "opencode", "--yes", "--json", environ=environ)
    checks = tilth("doctor", "--json", environ=environ).answer["checks"]

    assert set_up.code == 0
    assert "runs no plugin of version 1" in set_up.err
    assert "runs no plugin of version 1" in again.answer["hosts"][0]["warning"]
    heard = next(one for one in checks if one["id"] == "hooks.heard")
    assert heard["status"] == "warn"
    assert heard["summary"].startswith("opencode: ")
    assert heard["fix"]


@pytest.mark.parametrize("says", ["echo 1.18.33", "echo none", "exit 3", "echo 2.0.1 >&2"])
def test_a_version_of_opencode_that_is_served_or_says_nothing_is_not_warned_of(used, tilth, says):
    environ = opencode_of(used, says)

    told = tilth("init", "opencode", "--yes", "--json", environ=environ)

    assert told.answer["hosts"][0]["warning"] == ""


BY_HAND = {"mcpServers": {"tilth": {"command": "tilth", "args": ["mcp"]}}}


def by_hand_in(used, scope):
    """Have Claude Code know a project in which its user added the server in *scope*."""
    folder = used / "work" / "kettle"
    folder.mkdir(parents=True)
    local = BY_HAND if scope == "local" else {"mcpServers": {}}
    (used / ".claude.json").write_text(json.dumps({"projects": {str(folder): local}}))
    if scope == "project":
        (folder / ".mcp.json").write_text(json.dumps(BY_HAND))
    return folder


@pytest.mark.parametrize("scope", ["local", "project"])
def test_tools_that_claude_code_has_in_one_project_are_told_and_not_doubled(used, tilth, scope):
    folder = by_hand_in(used, scope)

    bare = tilth("init", "claude-code", "--yes")
    refused = tilth("init", "claude-code", "--mcp", "--yes", "--json")

    assert "--mcp" not in bare.err
    assert refused.answer["error"]["code"] == "conflict"
    assert str(folder) in refused.answer["error"]["message"]
    assert not (used / PLUGIN / ".mcp.json").exists()
    told = tools_checked(tilth)
    assert told["status"] == "ok"
    assert told["summary"] == f"claude-code: by hand, in {folder} alone"


def test_tools_that_claude_code_has_everywhere_by_hand_are_started_by_the_doctor(used, tilth):
    tilth("init", "cursor", "--mcp", "--yes")
    entry = servers_in(used / ".cursor" / "mcp.json")["tilth"]
    (used / ".claude.json").write_text(json.dumps({"mcpServers": {"tilth": entry}}))
    tilth("init", "claude-code", "--yes")

    assert tools_checked(tilth)["detail"] == {"claude-code": 6, "cursor": 6}


@pytest.mark.parametrize("scope", ["local", "project"])
def test_the_doctor_says_where_an_agent_has_the_tools_twice(used, tilth, scope):
    tilth("init", "claude-code", "--mcp", "--yes")
    folder = by_hand_in(used, scope)

    told = tools_checked(tilth)

    assert told["status"] == "warn"
    assert told["summary"] == f"claude-code: has the tools twice in {folder}"
    assert "claude mcp remove tilth" in told["fix"]


def test_the_doctor_starts_nothing_that_a_project_brought_along(used, tilth):
    folder = by_hand_in(used, "project")
    tilth("init", "claude-code", "--yes")
    program = folder / "tilth"
    program.write_text(f"#!/bin/sh\necho >> {used}/started\n")
    program.chmod(0o700)
    entry = {"mcpServers": {"tilth": {"command": str(program), "args": ["mcp"]}}}
    (folder / ".mcp.json").write_text(json.dumps(entry))

    assert tools_checked(tilth)["status"] == "ok"
    assert not (used / "started").exists()


@pytest.mark.parametrize(
    "content",
    [
        '{"projects": [1]}',
        '{"projects": {"a/b": {}, "/no\\u0000": {}, "/x": 1, "/y": {"mcpServers": 2}}}',
        '{"projects": {"/\\ud800": {"mcpServers": {"tilth": {"command": "tilth", "args": []}}}}}',
        '{"projects": ',
        "[" * 100_000,
    ],
)
def test_whatever_claude_code_says_of_its_projects_keeps_nothing_off(used, tilth, content):
    (used / ".claude.json").write_text(content)

    assert tilth("init", "claude-code", "--mcp", "--yes").code == 0


def test_a_file_of_servers_that_nobody_can_read_keeps_no_hook_off(used, tilth):
    (used / ".codex").mkdir()
    (used / ".codex" / "config.toml").write_text("model = ")

    assert tilth("init", "codex", "--mcp", "--yes").code != 0
    assert tilth("init", "codex", "--yes").code == 0


def test_a_secret_of_another_server_is_not_shown(used, tilth):
    key = "sk-ant-api03-" + "Zq7" * 27 + "AA"
    theirs = {"mcpServers": {"other": {"command": "npx", "env": {"KEY": key}}}}
    (used / ".cursor").mkdir()
    (used / ".cursor" / "mcp.json").write_text(json.dumps(theirs, indent=2))

    shown = tilth("init", "cursor", "--mcp", "--dry-run")
    told = tilth("init", "cursor", "--mcp", "--dry-run", "--json")
    tilth("init", "cursor", "--mcp", "--yes")

    assert '"tilth"' in shown.err
    assert key not in shown.out + shown.err + told.out
    assert servers_in(used / ".cursor" / "mcp.json")["other"] == theirs["mcpServers"]["other"]


def tools_checked(tilth):
    checks = tilth("doctor", "--json").answer["checks"]
    return next(one for one in checks if one["id"] == "mcp.tools")


def test_the_doctor_says_who_has_the_tools_and_starts_their_server(used, tilth):
    tilth("init", "cursor", "codex", "--yes")
    lacking = tools_checked(tilth)
    tilth("init", "cursor", "--mcp", "--yes")
    plugged = tools_checked(tilth)

    assert lacking["status"] == "skip"
    assert "tilth init codex cursor --mcp" in lacking["summary"]
    assert (plugged["status"], plugged["detail"]) == ("ok", {"cursor": 6})
    assert plugged["summary"] == "cursor: the server starts, and offers 6 tools"


@pytest.mark.parametrize(
    ("says", "told"),
    [
        (None, "cannot be started: No such file or directory"),
        (
            "echo 'tilth: needs an extra' >&2; echo \"  install 'tilth[mcp]'\" >&2; exit 2",
            "tilth[mcp]",
        ),
        ("exit 0", "does not answer"),
        ("echo '[]'; echo '{\"result\": {}}'", "does not answer"),
    ],
)
def test_the_doctor_says_why_a_server_does_not_start_and_what_mends_it(used, tilth, says, told):
    tilth("init", "cursor", "--mcp", "--yes")
    place, program = used / ".cursor" / "mcp.json", used / "bin" / "tilth"
    if says is not None:
        program.parent.mkdir()
        program.write_text(f"#!/bin/sh\n{says}\n")
        program.chmod(0o700)
    entry = servers_in(place)["tilth"] | {"command": str(program)}
    place.write_text(json.dumps({"mcpServers": {"tilth": entry}}))

    failing = tools_checked(tilth)

    assert failing["status"] == "fail"
    assert told in failing["summary"] + failing["fix"]
    assert failing["fix"] in {"tilth init cursor --mcp", "install 'tilth[mcp]'"}
    tilth("init", "cursor", "--mcp", "--yes")
    assert servers_in(place)["tilth"]["command"] != str(program)


def test_a_server_that_two_hosts_have_is_started_once(used, tilth):
    tilth("init", "cursor", "claude-code", "--mcp", "--yes")
    program, starts = used / "tilth-bin" / "tilth", used / "starts"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\necho >> {starts}\necho \'{{"result": {{"tools": [1]}}}}\'\n')
    program.chmod(0o700)
    for place in (used / ".cursor" / "mcp.json", used / PLUGIN / ".mcp.json"):
        entry = servers_in(place)["tilth"] | {"command": str(program)}
        place.write_text(json.dumps({"mcpServers": {"tilth": entry}}))

    assert tools_checked(tilth)["detail"] == {"claude-code": 1, "cursor": 1}
    assert starts.read_text() == "\n"


def test_the_doctor_finds_a_server_of_another_store(used, tilth):
    tilth("init", "cursor", "--mcp", "--yes")
    (used / "tilth" / "config.toml").write_text(f'store = "{used}/other.db"\n')
    tilth("init")

    assert "for another store" in tools_checked(tilth)["summary"]


def test_undo_says_what_it_took_back(used, tilth):
    tilth("init", "claude-code", "codex", "--yes")

    assert "removed " in tilth("unplug", "codex").out
    assert "removed " in tilth("unplug").out
    assert tilth("unplug").out == "nothing to undo\n"


def test_unplug_says_what_is_not_where_it_was_written_any_more(tilth):
    tilth("init", "codex", "--yes")
    hooks = tilth.home / ".codex" / "hooks.json"
    hooks.parent.rename(tilth.home / "moved")

    run = tilth("unplug", "codex")

    assert run.out == f"gone already {hooks}\n"
    assert "remove it by hand" in run.err


def test_nobody_else_may_write_where_hooks_are_named(tilth):
    before = os.umask(0)
    try:
        assert tilth("init", "claude-code", "codex", "gemini-cli", "opencode", "--yes").code == 0
    finally:
        os.umask(before)

    folders = [one for one in tilth.home.rglob("*") if one.is_dir()]
    assert [one for one in folders if one.stat().st_mode & 0o022] == []
