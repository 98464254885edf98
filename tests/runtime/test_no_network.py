"""The main job never looks for a network: capture, import, recall, verify, back up (I39, I46)."""

import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import tilth

# Python tells its auditors of every name that is looked up and every address that is called.
GUARD = """
import sys

ALLOWED = {"127.0.0.1", "::1", "localhost"}
WATCHED = {"socket.connect", "socket.getaddrinfo", "socket.gethostbyname", "socket.sendto"}

def guard(event, arguments):
    if event not in WATCHED:
        return
    place = arguments[1] if event in {"socket.connect", "socket.sendto"} else arguments[0]
    host = place[0] if isinstance(place, tuple) else place
    if host not in ALLOWED:
        print("CALLED", event, host)
        raise SystemExit(9)

sys.addaudithook(guard)
"""

JOB = """
import tilth

with tilth.connect("brain.db", create=True) as brain:
    brain.remember("The invoice of the plumber came to 340 euros.", session_id="house")
    reports = list(brain.import_sources(brain.find_sources("session.jsonl")))
    brain.embed_backlog()
    found = brain.recall("What did the plumber charge?")
    assert "340" in found.hits[0].text, found
    assert brain.recall("why did the build fail?").hits
    assert sum(report.new_count for report in reports) == 2, reports
    brain.backup("copy.db")
    assert brain.verify().is_whole
with tilth.connect("brain.db", actor=tilth.Human("ana")) as brain:
    brain.rebuild()
    assert brain.verify().is_whole
    brain.remember("# Pumps\\n\\nA pump must be oiled in May.", session_id="p", kind="document")
    brain.topics.add("pumps")
    assert brain.garden.run(is_applied=True).cycle.ended_at
    try:
        brain.documents.fetch("https://example.org/")
    except tilth.TilthError as error:
        assert "fetching is off" in str(error)
    else:
        raise AssertionError("a page was fetched")
print("done")
"""


@pytest.fixture
def run_guarded(tmp_path):
    def run(job):
        return subprocess.run(
            [sys.executable, "-c", GUARD + job],
            cwd=tmp_path,
            env={**_without_settings(), "TILTH_HOME": str(tmp_path / "home")},
            capture_output=True,
            text=True,
            timeout=100,
            check=False,
        )

    return run


def _without_settings():
    return {name: value for name, value in os.environ.items() if not name.startswith("TILTH_")}


@pytest.fixture
def transcript(tmp_path):
    said = [
        ("user", "why did the build fail?", "2026-01-01T10:00:00.000Z"),
        (
            "assistant",
            "A test of the parser was flaky; I pinned its seed.",
            "2026-01-01T10:00:09.000Z",
        ),
    ]
    lines = [
        {
            "type": role,
            "uuid": f"0000000{number}-0000-4000-8000-000000000000",
            "parentUuid": None,
            "sessionId": "11111111-0000-4000-8000-000000000000",
            "timestamp": at,
            "cwd": "/srv/app",
            "version": "2.0.0",
            "message": {"role": role, "content": text},
        }
        for number, (role, text, at) in enumerate(said)
    ]
    file = tmp_path / "session.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return file


@pytest.mark.row("I39", "I46")
@pytest.mark.model
def test_the_main_job_calls_nobody(run_guarded, transcript):
    done = run_guarded(JOB)

    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout == "done\n"


@pytest.mark.parametrize(
    "job",
    [
        "import socket; socket.getaddrinfo('example.org', 443)",
        "import socket; socket.create_connection(('192.0.2.1', 9), timeout=1)",
        "import httpx2; httpx2.get('http://192.0.2.1/')",
    ],
)
def test_the_guard_sees_a_call(run_guarded, job):
    done = run_guarded(job)

    assert done.returncode == 9
    assert done.stdout.startswith("CALLED")


@pytest.mark.row("I39")
def test_onnxruntime_reports_nothing_to_its_maker(tmp_path):
    """It writes an identifier of the machine before it sends one; C code escapes our guard."""
    pytest.importorskip("tilth.embedding.onnx_session", reason="the onnx extra is not installed")
    home = {**os.environ, "HOME": str(tmp_path), "XDG_CACHE_HOME": "", "CI": ""}
    home = {name: value for name, value in home.items() if value}
    run = "from tilth.embedding.minilm import MiniLmEmbedder; MiniLmEmbedder().embed(['a kettle'])"

    subprocess.run([sys.executable, "-c", run], env=home, check=True)

    assert list(tmp_path.rglob("*")) == []


@pytest.mark.row("I39")
def test_onnxruntime_is_imported_in_one_place():
    sources = Path(tilth.__file__).parent.rglob("*.py")
    importing = [
        path.name
        for path in sources
        for node in ast.walk(ast.parse(path.read_text()))
        if (isinstance(node, ast.Import) and any("onnxruntime" in n.name for n in node.names))
        or (isinstance(node, ast.ImportFrom) and "onnxruntime" in (node.module or ""))
    ]

    assert set(importing) == {"onnx_session.py"}
