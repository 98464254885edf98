"""The main job never looks for a network: capture, import, recall, verify, back up (I39, I46)."""

import json
import os
import subprocess
import sys

import pytest

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
    brain.rebuild()
    brain.backup("copy.db")
    assert brain.verify().is_whole
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


@pytest.mark.model
def test_i39_i46_the_main_job_calls_nobody(run_guarded, transcript):
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
