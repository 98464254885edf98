"""What a command loads: no more than it needs, for loading is most of what it costs."""

import os
import socket
import subprocess
import sys
from threading import Thread

import pytest

import tilth
from tests.playbooks.deployments import deployment, troubled
from tests.practice.sessions import Session
from tilth.interfaces.cli.reads.protocol import Answer, socket_path

# What takes long to load, and is no business of a light command.
HEAVY = {
    "numpy",
    "httpx2",
    "markdown_it",
    "yaml",
    "rapidfuzz",
    "mcp",
    "pydantic",
}
# What the standard library has for other work than telling what is stored here.
OTHER_WORK = {
    "asyncio",
    "decimal",
    "difflib",
    "email",
    "http",
    "random",
    "shutil",
    "socket",
    "sqlite3",
    "ssl",
    "subprocess",
    "tempfile",
    "tomllib",
    "uuid",
}
# Those whose modules stand there, but load when something of them is asked for.
SELDOM_ASKED = {"fnmatch", "inspect", "ipaddress", "ntpath", "textwrap", "traceback"}
PROGRAM = """
import sys
from types import ModuleType
from tilth.interfaces.cli import main
status = main(sys.argv[1:])
print(*(name for name, one in sys.modules.items() if type(one) is ModuleType), file=sys.stderr)
sys.exit(status)
"""

# Answers two hooks, and tells what was loaded for that alone.
HOOKED = """
import json, os, sys
from datetime import UTC, datetime
import tilth
from tilth.agents.hook_record import HookRecord
from tilth.interfaces.hooks.answer_hook import Answers
from tilth.runtime import connect
prompt = {"session_id": "now", "cwd": "/home/ada/work/cafe", "prompt": "Why does the oven wait?"}
with tilth.connect() as brain:
    answers = Answers(brain, connect.hooks(os.environ).injections)
    if sys.argv[1:]:
        answers.rehearse()
    assert not brain.receipts.list()
    before = set(sys.modules)
    for event in ("SessionStart", "UserPromptSubmit"):
        told = json.dumps(prompt | {"hook_event_name": event}).encode()
        answered = answers(
            HookRecord(host="claude-code", event=event, at=datetime.now(UTC), payload=told)
        )
        assert "door" in answered.text, event
print(*(one for one in sys.modules if one not in before))
"""


def told_and_loaded_by(home, *words):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *words],
        capture_output=True,
        check=True,
        text=True,
        env={"PATH": os.environ["PATH"], "TILTH_HOME": str(home)},
    )
    return done.stdout, set(done.stderr.split())


def loaded_by(home, *words):
    return told_and_loaded_by(home, *words)[1]


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("TILTH_HOME", str(tmp_path))
    with tilth.connect(create=True) as brain:
        brain.remember("Decided: the kettle boils at 60 degrees.")
    return tmp_path


@pytest.fixture
def worker(home):
    """Answer one command as a worker does."""
    at = socket_path(str(home / "tilth.db"))
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(at))
        listener.listen()

        def answer():
            line, _ = listener.accept()
            with line:
                while line.recv(1 << 16):
                    pass
                line.sendall(Answer(0, "It boils at 60 degrees.\n", "").to_bytes())

        thread = Thread(target=answer, daemon=True)
        thread.start()
        yield
        thread.join(timeout=60)


def test_the_version_loads_nothing(home):
    loaded = loaded_by(home, "--version")
    assert not loaded & {"argparse", "json", "dataclasses", "typing", "re"}


def test_a_command_ends_without_looking_through_all_that_it_made(home):
    # What is registered first is called last.
    counts = "import atexit, gc\natexit.register(lambda: print(gc.get_freeze_count()))\n"
    done = subprocess.run(
        [sys.executable, "-c", counts + PROGRAM, "settings"],
        capture_output=True,
        check=True,
        text=True,
        env={"PATH": os.environ["PATH"], "TILTH_HOME": str(home)},
    )
    assert int(done.stdout.split()[-1]) > 10_000


@pytest.mark.parametrize("words", [("--help",), ("recall", "--help"), ("settings",)])
def test_what_opens_no_store_loads_none(home, words):
    loaded = loaded_by(home, *words)
    assert not loaded & {*HEAVY, "apsw", "tilth.runtime.connect", "tilth.runtime.brain"}


@pytest.mark.parametrize("words", [("settings",), ("recall", "--help")])
def test_what_a_setting_means_is_loaded_where_one_is_set(home, words):
    parts = {"tilth.llm", "tilth.knowledge", "tilth.learning", "tilth.discovery", "tilth_hook"}
    loaded = loaded_by(home, *words)
    assert not loaded & {*parts, "tilth.privacy.redaction", "tilth.core.event", "difflib"}


def test_a_command_that_the_worker_answers_loads_what_asks_it_alone(home, worker):
    told, loaded = told_and_loaded_by(home, "recall", "At how many degrees?")
    assert "60 degrees" in told
    assert not loaded & {*HEAVY, "apsw", "tilth.runtime.connect", "tilth.llm", "tilth.knowledge"}
    assert not loaded & {"tilth.core.event", "tilth.episodes", "tilth.privacy.redaction"}


@pytest.mark.parametrize("words", [("settings",), ("brief",), ("recall", "--help")])
def test_what_the_standard_library_imports_for_others_is_not_loaded(home, words):
    told_of_help = {"textwrap"} if "--help" in words else set()
    assert not loaded_by(home, *words) & (SELDOM_ASKED - told_of_help)


def test_a_brief_that_asks_nothing_loads_no_model_and_nothing_that_ranks_or_reads(home):
    loaded = loaded_by(home, "brief")
    assert not loaded & (HEAVY | OTHER_WORK)
    assert not {
        one for one in loaded if one.startswith(("tilth.learning.spoken", "tilth.transfer.f"))
    }
    assert not loaded & {"tilth.recall.recall", "tilth.embedding.static", "tilth.learning.extract"}
    # Pages, playbooks and skills are told where there are some.
    assert not loaded & {"tilth.pages.tables", "tilth.pages.model", "tilth.llm.budget"}
    assert not loaded & {"tilth.playbooks.tables", "tilth.skills.tables", "tilth.skills.model"}
    # Redaction is for who writes.
    assert not loaded & {"tilth.privacy.families", "tilth.privacy.scanner", "re2", "difflib"}


@pytest.mark.parametrize(("words", "is_loaded"), [(("rehearsed",), False), ((), True)])
def test_who_answers_hooks_loads_what_answers_take_before_anybody_asks(home, words, is_loaded):
    with tilth.connect() as brain:
        for project, part in (("cafe", "door"), ("shop", "lock")):
            session = Session(brain, project, scope=f"project:work/{project}")
            session.asks("Why does the oven wait for so long?")
            session.says(f"The oven waits for the {part}, because it is never closed whole.")
    done = subprocess.run(
        [sys.executable, "-c", HOOKED, *words],
        capture_output=True,
        check=True,
        text=True,
        env={"PATH": os.environ["PATH"], "TILTH_HOME": str(home)},
    )
    assert bool(done.stdout.split()) is is_loaded


def test_a_brief_of_much_loads_no_more_than_it_tells(home):
    with tilth.connect() as brain:
        for day in range(3):
            deployment(brain, f"s{day}", day=day, scope="global")
        troubled(brain, "s4", day=4, scope="global")
        asked = Session(brain, "s5", day=5, scope="global").asks("Why does the build wait?")
        asked.says("It waits for the mirror, because the hub refuses our runners.")
        brain.reflect()
    with tilth.connect(actor=tilth.Human("ana")) as brain:
        brain.facts.add("The kettle stands on shelf 3.", system="kitchen")
        brain.pages.compile("system-state", system="kitchen", name="kitchen")

    told, loaded = told_and_loaded_by(home, "brief", "--scope", "global")

    for heading in ("Asked lately, and what came of it:", "From compiled pages", "make build"):
        assert heading in told
    assert not loaded & (HEAVY | OTHER_WORK)
    # What declares what nothing in a brief is.
    assert not loaded & {"tilth.pages.read_pages", "tilth.recall.model", "tilth.llm.budget"}


def test_what_a_brief_read_once_the_next_one_does_not_load_anything_for(home):
    with tilth.connect() as brain:
        asked = Session(brain, "s1", scope="global").asks("Why does the build of the hub wait?")
        asked.says("It waits for the mirror, because the hub refuses our runners.")
        asked.asks("Don't print the name of the mirror in the logs of the build, please.")
        asked.edited("src/build.py").says("The logs name no mirror any more.")

    told, loaded = told_and_loaded_by(home, "brief", "--scope", "global")
    again, loaded_again = told_and_loaded_by(home, "brief", "--scope", "global")

    reading = {"tilth.exchanges.worth", "tilth.exchanges.sentences", "tilth.core.text.typed_text"}
    assert "Asked lately, and what came of it:" in told
    assert again.splitlines()[1:] == told.splitlines()[1:]
    assert loaded >= reading
    assert not loaded_again & reading


def test_a_question_loads_nothing_that_writes_or_imports(home):
    loaded = loaded_by(home, "recall", "At how many degrees?")
    assert not loaded & {"httpx2", "markdown_it", "yaml", "rapidfuzz", "mcp", "pydantic"}
    assert not loaded & {
        "tilth.learning.extract",
        "tilth.transfer.file_importer",
        "tilth.erasure.erase",
    }
    assert not loaded & {"tilth.privacy.families", "tilth.privacy.scanner"}
