"""What `packaging/` starts is a command that there is."""

import configparser
import json
import os
import plistlib
import shlex
import shutil
import subprocess

import pytest

from tests.docs.pages import ROOT
from tilth.interfaces.cli.parser import build_parser

PACKAGING = ROOT / "packaging"


def parsed(words):
    return build_parser().parse_args(words).command


def unit():
    told = configparser.RawConfigParser(strict=False)
    told.optionxform = str
    told.read_string((PACKAGING / "tilth.service").read_text())
    return told


def test_the_systemd_unit_starts_the_server():
    program, *words = shlex.split(unit()["Service"]["ExecStart"])
    assert program.endswith("/tilth")
    assert parsed(words) == "serve"


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not here")
@pytest.mark.parametrize(("written", "is_understood"), [("Restart=", True), ("Restrat=", False)])
def test_systemd_understands_the_unit(tmp_path, written, is_understood):
    text = (PACKAGING / "tilth.service").read_text().replace("%h/.local/bin/tilth", "/bin/true")
    (tmp_path / "tilth.service").write_text(text.replace("Restart=", written))
    done = subprocess.run(
        ["systemd-analyze", "--user", "verify", tmp_path / "tilth.service"],
        # Without a folder of its own it looks at nothing.
        capture_output=True, text=True, check=False,
        env={**os.environ, "XDG_RUNTIME_DIR": str(tmp_path)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert ("tilth.service:" not in done.stderr) is is_understood


def test_the_launchd_agent_starts_the_server():
    told = plistlib.loads((PACKAGING / "tilth.plist").read_bytes())
    line = shlex.split(told["ProgramArguments"][2])
    assert line[:2] == ["exec", "$HOME/.local/bin/tilth"]
    assert parsed(line[2:]) == "serve"
    assert told["Umask"] == 0o077


def test_the_container_starts_the_server_for_its_port():
    lines = (PACKAGING / "Dockerfile").read_text().splitlines()
    command = next(line for line in lines if line.startswith("CMD "))
    program, *words = json.loads(command.removeprefix("CMD "))
    assert program == "tilth"
    told = build_parser().parse_args(words)
    assert (told.command, told.is_open) == ("serve", True)
    assert f"EXPOSE {told.port or 8738}" in lines
