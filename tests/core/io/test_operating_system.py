"""Windows is refused in words, before anything that it lacks is asked for."""

import json
import subprocess
import sys

import pytest

from tilth.core.errors import UnsupportedError
from tilth.core.io.operating_system import check_system

# What CPython lacks on Windows, taken away from this one.
WINDOWS = """
import os, signal, socket, sys
import argparse, json, logging, pathlib, runpy, shutil, subprocess, tempfile, traceback
for module in ("fcntl", "grp", "pwd", "resource", "termios"):
    sys.modules[module] = None
lacking = {
    os: ("fchmod", "fchown", "fork", "geteuid", "getuid", "killpg", "O_CLOEXEC", "O_NOFOLLOW"),
    signal: ("SIGKILL", "SIGHUP"),
    socket: ("AF_UNIX",),
}
for module, names in lacking.items():
    for name in names:
        delattr(module, name)
sys.platform, os.name = "win32", "nt"
"""


def on_windows(code, *words, stdin=""):
    return subprocess.run(
        [sys.executable, "-c", WINDOWS + code, *words],
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("platform", ["linux", "darwin", "freebsd14"])
def test_a_posix_system_is_served(platform):
    check_system(platform)


@pytest.mark.parametrize("platform", ["win32", "cygwin"])
def test_windows_is_refused_with_a_way_out(platform):
    with pytest.raises(UnsupportedError) as refusal:
        check_system(platform)

    assert "WSL 2" in refusal.value.hint


@pytest.mark.parametrize("words", [["recall", "what"], ["init"], ["mcp"], ["no-such-command"]])
def test_the_command_says_on_windows_where_it_runs(words):
    done = on_windows("runpy.run_module('tilth', run_name='__main__')", *words)

    assert done.returncode == 6
    assert "Linux and macOS" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_command_answers_in_json_where_it_was_asked_to():
    done = on_windows("runpy.run_module('tilth', run_name='__main__')", "recall", "what", "--json")

    assert json.loads(done.stdout)["error"]["code"] == "unsupported"


def test_the_library_says_it_too():
    code = """
import tilth
try:
    tilth.connect()
except tilth.TilthError as error:
    print(error, "|", error.hint)
"""
    done = on_windows(code)

    assert "not on Windows" in done.stdout, done.stderr
    assert "WSL 2" in done.stdout


def test_the_hook_program_never_stops_its_host(tmp_path):
    code = f"""
import tilth_hook
sys.argv = ["tilth-hook", "claude-code", "Stop", "--home", {str(tmp_path)!r}]
tilth_hook.main()
"""
    done = on_windows(code, stdin="{}")

    assert done.returncode == 0
    assert done.stdout == ""
