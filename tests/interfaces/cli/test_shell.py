"""Completion scripts and the manual page, from the index of commands."""

import re
import shutil
import subprocess

import pytest

from tilth.interfaces.cli.commands.shell import words
from tilth.runtime.index import index


def completed(ready, line, *, shell="bash"):
    script = ready("completion", shell).out
    said = line.split(" ")
    asked = f"""
COMP_WORDS=({" ".join(repr(word) for word in said)})
COMP_CWORD={len(said) - 1}
_tilth
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
    done = subprocess.run([shell, "-c", script + asked], capture_output=True, check=True, text=True)
    return done.stdout.split()


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash here")
@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("tilth reca", ["recall"]),
        ("tilth gap li", ["list"]),
        ("tilth gap list --sta", ["--status"]),
        ("tilth gap list --status det", ["detected"]),
        ("tilth --json gap li", ["list"]),
        ("tilth --ver", ["--version"]),
        ("tilth completion f", ["fish"]),
    ],
)
def test_bash_completes_commands_options_and_values(ready, line, found):
    assert completed(ready, line) == found


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_script_is_one_that_its_shell_can_read(ready, shell):
    script = ready("completion", shell).out
    if shutil.which(shell) is None:
        pytest.skip(f"no {shell} here")

    subprocess.run([shell, "-n", "-c" if shell != "fish" else "/dev/stdin", script], check=True)


@pytest.mark.skipif(shutil.which("fish") is None, reason="no fish here")
@pytest.mark.parametrize(
    ("line", "found"),
    [("tilth recall --tier ", "episode"), ("tilth review list --kind con", "contradiction")],
)
def test_fish_completes_the_values_of_options(ready, line, found):
    asked = f"{ready('completion', 'fish').out}\ncomplete -C {line!r}"
    done = subprocess.run(["fish", "-c", asked], capture_output=True, check=True, text=True)

    assert found in done.stdout.split()
    assert done.stderr == ""


@pytest.mark.skipif(shutil.which("fish") is None, reason="no fish here")
@pytest.mark.parametrize(
    ("line", "is_file"),
    [
        ("tilth review ", False),
        ("tilth settings unset ", False),
        ("tilth export --", False),
        ("tilth export ", True),
        ("tilth import ./n", True),
    ],
)
def test_fish_offers_files_where_nothing_of_ours_can_stand(ready, tmp_path, line, is_file):
    (tmp_path / "notes.md").touch()
    asked = f"{ready('completion', 'fish').out}\ncomplete -C {line!r}"
    done = subprocess.run(
        ["fish", "-c", asked], capture_output=True, check=True, text=True, cwd=tmp_path
    )

    assert ("notes.md" in done.stdout) is is_file


def test_fish_takes_no_option_on_the_line_for_one_of_its_own(ready):
    assert re.findall(r"string \w+ (?!.*--)[^\n]*", ready("completion", "fish").out) == []


def test_every_command_can_be_completed():
    found = words()

    assert all(f"{path} -" in found for path in index()["commands"])
    assert set(index()["groups"]) <= set(found[""].split())


def test_the_manual_page_names_every_command(ready):
    page = ready("man").out

    assert page.startswith(".TH TILTH 1")
    for path in index()["commands"]:
        assert f".SS tilth {path}".replace("-", "\\-") in page
