"""Ctrl-C, and lines that are written while a terminal shows how far a work has come."""

import json
import os
import pty
import subprocess
import sys

import pytest

PRESSED = """
import sys

class Named:
    def __set_name__(self, owner, name):
        raise KeyboardInterrupt

class Pressed:
    def find_spec(self, name, *_):
        if name == "{module}":
            if {is_wrapped}:
                # Python makes an error of its own of what a class raises while it is made.
                type("Made", (), dict(one=Named()))
            raise KeyboardInterrupt

sys.meta_path.insert(0, Pressed())
from tilth.interfaces.cli import main
sys.exit(main({words}))
"""
LOGGED = """
import logging, sys
from tilth.interfaces.cli.program import log_to_stderr
from tilth.interfaces.cli.progress import progress_line, PATIENCE_S
import tilth.interfaces.cli.progress as progress

progress.PATIENCE_S = -1
log_to_stderr(is_debug=False, is_worker=True)
with progress_line("embedding", None, sys.stderr, is_shown=True) as advance:
    advance(240)
    logging.getLogger("tilth").info("embedded")
"""


@pytest.mark.parametrize("module", ["tilth.interfaces.cli.screen", "tilth.runtime.connect"])
@pytest.mark.parametrize("is_wrapped", [False, True], ids=["bare", "wrapped"])
@pytest.mark.parametrize("words", [["fact", "list"], ["fact", "list", "--json"]])
def test_whoever_presses_ctrl_c_while_the_program_loads_sees_no_traceback(
    ready, words, module, is_wrapped
):
    pressed = PRESSED.format(words=words, module=module, is_wrapped=is_wrapped)
    told = subprocess.run(
        [sys.executable, "-c", pressed], capture_output=True, check=False, env=ready.environ()
    )

    assert told.returncode == 130
    if "--json" in words:
        assert json.loads(told.stdout)["error"]["code"] == "interrupted"
        assert told.stderr == b""
    else:
        assert told.stderr == b"tilth: interrupted\n"


def test_a_line_of_the_log_takes_the_place_of_the_progress_on_a_terminal():
    ours, theirs = pty.openpty()
    with subprocess.Popen([sys.executable, "-c", LOGGED], stderr=theirs) as running:
        running.wait(60)
    os.close(theirs)
    said = os.read(ours, 4096).decode()
    os.close(ours)

    before, logged = said.split("embedding: 240")
    assert not before.strip("\r\x1b[K")
    assert logged.startswith("\r\x1b[K")
    assert logged.partition("\n")[0].endswith("INFO tilth: embedded\r")
