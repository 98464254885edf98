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
from tilth.interfaces.cli.caller import AGENTS
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


def test_on_a_terminal_the_plan_is_shown_agreed_to_and_the_import_offered(used, program):
    code, shown = on_terminal(program, "init", "claude-code", types=["y", "y"])

    assert code == 0
    assert "claude-code: 3 files created, 0 existing files changed" in shown
    assert "2 transcripts of earlier sessions lie here: claude-code 2" in shown
    assert "Claude Code removes 1 of them within 7 days" in shown
    assert "new episodes recorded" in shown
    assert (used / PLUGIN / "hooks" / "hooks.json").exists()
    assert len(program("session", "list", "--json").answer["sessions"]) == 1


def test_on_a_terminal_nothing_happens_without_a_yes(used, program):
    code, shown = on_terminal(program, "init", "claude-code", types=[""])

    assert code != 0
    assert "nothing was changed" in shown
    assert not (used / PLUGIN).exists()
    assert not (used / "tilth").exists()


def test_on_a_terminal_the_import_can_be_left_for_later(used, program):
    code, shown = on_terminal(program, "init", "claude-code", types=["y", "n"])

    assert code == 0
    assert "to bring them in: tilth import" in shown
    assert program("session", "list", "--json").answer["sessions"] == []


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


def test_metrics_count_what_worker_and_hooks_came_to(used, tilth, program):
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
    subprocess.run(words, env=program.environ(TILTH_DISABLE=""), check=True)
    waiting = tilth("metrics", "--json").answer["hooks"]["waiting_bytes"]
    program("worker", "--once")

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
