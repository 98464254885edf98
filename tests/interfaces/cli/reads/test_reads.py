"""What a running worker answers is what a fresh process answers, or nothing."""

import gc
import json
import os
import shutil
import socket
import stat
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace

import pytest

import tilth
from tilth.agents.worker_socket import SocketReply, WorkerSocket
from tilth.interfaces.cli.program import command
from tilth.interfaces.cli.reads import ask_worker
from tilth.interfaces.cli.reads.answer_read import ReadAnswers
from tilth.interfaces.cli.reads.protocol import (
    Answer,
    Question,
    build,
    settings_digest,
    socket_path,
)
from tilth.recall.lexicon import Lexicon
from tilth.runtime import places

TEXTS = [f"Decided: kettle number {number} boils at {60 + number} degrees." for number in range(12)]
QUESTION = "at how many degrees does kettle number 7 boil?"
STARTS_S = 60.0


@pytest.fixture(scope="module")
def filled(tmp_path_factory):
    """A home whose store holds the texts; each test gets a copy."""
    made = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        be_at(made, patch)
        with tilth.connect(create=True) as brain:
            brain.remember_many([{"text": text} for text in TEXTS])
            brain.embed_backlog()
    return made


@pytest.fixture
def home(filled, tmp_path, monkeypatch):
    shutil.copytree(filled, tmp_path, dirs_exist_ok=True)
    be_at(tmp_path, monkeypatch)
    return tmp_path


def be_at(home, patch):
    for name in [name for name in os.environ if name.startswith("TILTH_")]:
        patch.delenv(name)
    patch.setenv("TILTH_HOME", str(home))


def where(home):
    return str(home / "tilth.db")


def a_question(home, *words, brain=None, **told):
    settings = brain.parts.settings if brain else tilth.connect().parts.settings
    asked = {
        "words": list(words or ("recall", QUESTION)),
        "build": build(),
        "settings": settings_digest(settings, where(home)),
        "actor": ("cli", "agent"),
        "folder": str(home),
        "columns": 80,
        "is_tty": False,
        "is_color": False,
    }
    return Question(**{**asked, **told})


def run(home, *words):
    done = subprocess.run(
        [sys.executable, "-m", "tilth", *words],
        capture_output=True,
        check=False,
        env=os.environ | {"TILTH_HOME": str(home)},
        stdin=subprocess.DEVNULL,
    )
    return done.returncode, done.stdout, done.stderr


def served(home, *words):
    """Run a command until the worker answers it in time, which it may not on a busy machine."""
    until = time.monotonic() + STARTS_S
    while time.monotonic() < until:
        status, out, said = run(home, "--debug", *words)
        if b"answered by the worker" in said:
            return status, out
    raise AssertionError("the worker never answered")


@contextmanager
def a_worker(home):
    worker = subprocess.Popen(
        [sys.executable, "-m", "tilth", "worker"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=os.environ | {"TILTH_HOME": str(home)},
    )
    try:
        until = time.monotonic() + STARTS_S
        while not socket_path(where(home)).exists():
            assert time.monotonic() < until
            time.sleep(0.05)
        yield worker
    finally:
        worker.kill()
        worker.wait()


@contextmanager
def reads_of(home):
    with tilth.connect() as brain:
        yield ReadAnswers(brain.parts, where(home), command), brain


@pytest.mark.slow
@pytest.mark.model
def test_the_worker_answers_as_a_fresh_process_does_until_it_is_gone(home):
    commands = [("recall", QUESTION), ("--json", "recall", QUESTION, "--limit", "3")]
    cold = [run(home, *words)[:2] for words in commands]
    file = home / "config.toml"
    with a_worker(home) as worker:
        found = [served(home, *words) for words in commands]
        with ThreadPoolExecutor(3) as at_once:
            beside = [*at_once.map(lambda _: run(home, *commands[0])[:2], range(3))]
        # It goes on with settings that change while it runs.
        file.write_text("recall_limit = three")
        time.sleep(0.1)
        assert run(home, "recall", QUESTION)[0], "what cannot be read is refused to who asks"
        file.write_text("recall_limit = 3")
        status, out = served(home, "--json", "recall", QUESTION)
        assert worker.poll() is None
    assert beside == [cold[0]] * 3
    assert found == cold
    assert (status, len(json.loads(out)["hits"])) == (0, 3)
    # It was killed, and its socket is left.
    assert socket_path(where(home)).exists()
    file.unlink()
    assert run(home, *commands[0])[:2] == cold[0]


@pytest.mark.model
def test_what_is_read_for_a_question_is_freed_with_its_answer(home):
    def lexicons():
        return sum(isinstance(one, Lexicon) for one in gc.get_objects())

    with reads_of(home) as (reads, brain):
        asked = a_question(home, brain=brain).to_bytes()
        reads(asked)
        gc.collect()
        before = lexicons()
        gc.disable()
        try:
            assert reads(asked) is not None
            assert lexicons() == before
        finally:
            gc.enable()


@pytest.mark.model
@pytest.mark.parametrize(
    "words",
    [
        ("--json", "recall", QUESTION),
        ("recall", "--explain", "--limit", "2", QUESTION),
        ("recall", "nothing of the kind was ever said"),
    ],
)
def test_what_was_asked_before_changes_no_byte_of_an_answer(home, words):
    with reads_of(home) as (reads, brain):
        first = reads(a_question(home, *words, brain=brain).to_bytes())
        for other in TEXTS[:3]:
            reads(a_question(home, "recall", other, brain=brain).to_bytes())
        again = reads(a_question(home, *words, brain=brain).to_bytes())
    assert first is not None
    assert first.text == again.text
    status, out, _ = run(home, *words)
    told = Answer.from_bytes(first.text)
    assert (told.status, told.out.encode()) == (status, out)


def test_a_brief_is_of_the_askers_folder(home):
    with reads_of(home) as (reads, brain):
        brain.remember("Decided: the mill grinds on Mondays.", scope="project:work/mill")
        asked = a_question(home, "--json", "brief", brain=brain, folder="/home/ada/work/mill")
        told = Answer.from_bytes(reads(asked.to_bytes()).text)
    assert '"scope": "project:work/mill"' in told.out


@pytest.mark.parametrize(
    "told",
    [
        {"build": "another"},
        {"settings": "another"},
        {"words": ["remember", "a word"]},
        {"words": ["recall"]},
        {"words": ["recall", "--no-such-flag", "x"]},
        {"words": ["recall", "epi_01ARZ3NDEKTSV4RRFFQ69G5FAV"]},
    ],
)
def test_what_it_should_not_answer_is_left_to_the_asker(home, told):
    with reads_of(home) as (reads, brain):
        assert reads(replace(a_question(home, brain=brain), **told).to_bytes()) is None
        assert len(brain.episodes.list()) == len(TEXTS)


@pytest.mark.parametrize(
    "heard", [b"", b"tilth recall 1 codex Stop\n", b"tilth read 1\n{", b"\xff"]
)
def test_what_is_no_question_gets_no_answer(home, heard):
    with reads_of(home) as (reads, _):
        assert reads(heard) is None


def test_settings_that_changed_since_it_started_are_the_askers(home, monkeypatch):
    with reads_of(home) as (reads, brain):
        asked = a_question(home, brain=brain).to_bytes()
        monkeypatch.setenv("TILTH_RECALL_LIMIT", "3")
        assert reads(asked) is None
        now = tilth.connect()
        assert reads(a_question(home, brain=now).to_bytes()) is None
        now.close()


def test_whoever_says_to_be_a_person_is_told_nothing_that_is_kept_from_agents(home, monkeypatch):
    monkeypatch.setenv("TILTH_EXCLUDED_TERMS", "kettle")
    with reads_of(home) as (reads, brain):
        asked = a_question(home, brain=brain, actor=("human", "human"))
        assert reads(asked.to_bytes()) is None
        told = Answer.from_bytes(reads(a_question(home, brain=brain).to_bytes()).text)
    assert "kettle" not in told.out


def test_an_answer_of_many_parts_reads_the_settings_no_oftener_than_one_of_few(home, monkeypatch):
    read = []
    loaded = places.loaded
    monkeypatch.setattr(places, "loaded", lambda *told: read.append(told) or loaded(*told))
    counts = []
    with reads_of(home) as (reads, brain):
        for limit in ("1", "12"):
            read.clear()
            asked = a_question(home, "recall", "kettle boils", "--limit", limit, brain=brain)
            told = Answer.from_bytes(reads(asked.to_bytes()).text)
            counts.append((told.out.count("kettle number"), len(read)))
    (few, read_for_few), (many, read_for_many) = counts
    assert few < many
    assert read_for_few == read_for_many


def test_the_address_is_for_this_user_alone(tmp_path):
    at = tmp_path / "state" / "x.sock"
    with WorkerSocket(at, SocketReply, "test"):
        assert stat.S_IMODE(at.stat().st_mode) == 0o600
        assert stat.S_IMODE(at.parent.stat().st_mode) == 0o700


def test_a_worker_that_is_slow_or_gone_is_not_waited_for(home, tmp_path, monkeypatch):
    monkeypatch.setattr(ask_worker, "SECONDS_MAX", 0.2)
    question = a_question(home)
    at = tmp_path / "x.sock"
    assert ask_worker.ask(str(at), question) is None
    held = threading.Event()

    def hold(_heard):
        held.wait(5)

    with WorkerSocket(at, hold, "test"):
        began = time.monotonic()
        assert ask_worker.ask(str(at), question) is None
        assert time.monotonic() - began < 5
        held.set()
    with socket.socket(socket.AF_UNIX) as old:
        old.bind(str(at))
    assert ask_worker.ask(str(at), question) is None


@pytest.mark.parametrize(
    "said", [b"", b"tilth read 2\n[0]", b"tilth read 1\n[0, ", b"tilth read 1\n1"]
)
def test_an_answer_that_is_not_whole_is_none(home, tmp_path, said):
    at = tmp_path / "x.sock"
    with WorkerSocket(at, lambda _: SocketReply(said), "test"):
        assert ask_worker.ask(str(at), a_question(home)) is None
