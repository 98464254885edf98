"""The first run: transcripts found, imported while one looks on, and what was learned told."""

import json
import os
import shutil
import time
from pathlib import Path
from threading import Event

import pytest

import tilth
from tests.brains import a_brain
from tests.interfaces.http.served import Served, serving
from tests.interfaces.web.forms import pressed, said
from tilth.core.errors import ConflictError, NotFoundError
from tilth.interfaces.import_transcripts import ImportJob, ImportProgress, most_telling_first
from tilth.runtime.brain import Brain
from tilth.transfer.model import Source

SAMPLE = Path(tilth.__file__).parent / "runtime" / "sample"
WAIT_S = 60
PROJECT = "/home/mira/ferrybook"


@pytest.fixture
def transcripts(home):
    """Lay out what two hosts left: four transcripts of Claude Code, two of Codex."""
    places = {
        "claude-code-*": home / ".claude" / "projects" / "-home-mira-ferrybook",
        "codex-*": home / ".codex" / "sessions" / "2026" / "03" / "23",
    }
    for pattern, folder in places.items():
        folder.mkdir(parents=True)
        for file in SAMPLE.glob(pattern):
            name = f"rollout-{file.name}" if file.name.startswith("codex") else file.name
            shutil.copy(file, folder / name)
    return places["claude-code-*"]


def ended(browser) -> list[dict]:
    """Return what the live feed of an import tells, to its end."""
    with browser.stream("GET", "/begin/live") as stream:
        lines = [line for line in stream.iter_lines() if line.startswith("data:")]
    return [json.loads(line.removeprefix("data:")) for line in lines]


def test_whoever_comes_first_is_led_to_what_lies_on_the_machine(served: Served, transcripts, home):
    lain = home / ".codex" / "sessions" / "2026" / "03" / "24"
    lain.mkdir()
    (lain / "rollout-of-nowhere.jsonl").write_text(
        '{"type":"session_meta","payload":{"id":"x","timestamp":"2026-03-24T00:00:00Z"}}\n'
    )
    browser = served.client(None)
    answer = browser.post("/login", data={"key": served.tokens.add_link("ana")})
    assert answer.headers["location"] == "/begin"
    page = browser.get("/begin").text
    assert "Welcome" in page
    hosts = browser.get("/begin.json").json()["hosts"]
    counts = {host: sum(one["count"] for one in ones) for host, ones in hosts.items()}
    assert counts == {"claude-code": 4, "codex": 3}
    # By the project, though Codex lays its transcripts by day; where none is told, where they lie.
    assert {one["folder"]: one["count"] for one in hosts["codex"]} == {PROJECT: 2, str(lain): 1}
    assert [one["folder"] for one in hosts["claude-code"]] == [PROJECT]
    assert [one["waiting_count"] for one in hosts["claude-code"]] == [4]


def test_what_is_chosen_is_imported_live_and_what_it_taught_is_told(served: Served, transcripts):
    browser = served.browser()
    page = browser.get("/begin").text
    chosen = next(
        f"codex\n{one['folder']}" for one in browser.get("/begin.json").json()["hosts"]["codex"]
    )
    pressed(browser, page, "import/begin", pile=chosen)
    told = ended(browser)
    assert told[-1]["stage"] == "done"
    assert (told[-1]["sources"], told[-1]["sessions"]) == (2, 2)
    assert told[-1]["done"] >= 0
    page = browser.get("/begin").text
    assert "What it came to" in page
    assert 'href="/"' in page
    sessions = served.brain.sessions.list()
    assert {one.info.host for one in sessions} == {"codex"}
    assert sum(told[-1]["learned"].values()) == len(served.brain.facts.list(limit=100))
    left = browser.get("/begin.json").json()["hosts"]
    assert [one["waiting_count"] for one in left["codex"]] == [0]


def test_nothing_chosen_imports_nothing(served: Served, transcripts):
    browser = served.browser()
    answer = pressed(browser, browser.get("/begin").text, "import/begin")
    assert "nothing was chosen" in said(answer.text)
    answer = pressed(browser, answer.text, "import/begin", pile="codex\n/etc")
    assert "nothing was chosen" in said(answer.text)
    assert not served.brain.sessions.list()


def test_one_import_runs_at_a_time_and_a_second_says_so(served: Served, transcripts):
    importing = ImportJob()
    with pytest.raises(NotFoundError):
        importing.begin(served.brain, [])
    importing._now = ImportProgress(stage="reading")
    source = served.brain.find_sources(str(SAMPLE))[0]
    with pytest.raises(ConflictError, match="an import runs already"):
        importing.begin(served.brain, [source])


def test_an_import_that_is_stopped_keeps_what_was_read_and_goes_on_when_begun_again(
    served: Served, monkeypatch
):
    sources = served.brain.find_sources(str(SAMPLE))
    stopped, import_sources = Event(), Brain.import_sources

    def held(*args, **named):
        for report in import_sources(*args, **named):
            yield report
            assert stopped.wait(WAIT_S)

    with monkeypatch.context() as patch:
        patch.setattr(Brain, "import_sources", held)
        importing = ImportJob()
        importing.begin(served.brain, sources)
        importing.stop()
        stopped.set()
        ended_import(importing)
    assert importing.progress.stage == "stopped"
    assert len(served.brain.sessions.list()) == 1
    importing = ImportJob()
    importing.begin(served.brain, sources)
    ended_import(importing)
    assert importing.progress.stage == "done"
    assert len(served.brain.sessions.list()) == 7


def ended_import(importing: ImportJob) -> None:
    until = time.monotonic() + WAIT_S
    while importing.progress.is_running:
        assert time.monotonic() < until
        time.sleep(0.01)


def test_what_an_import_begun_before_has_read_is_told_with_what_it_reads(served: Served):
    sources = served.brain.find_sources(str(SAMPLE))
    read, left = sources[:2], sources[2:]
    list(served.brain.import_sources(read))

    importing = ImportJob()
    importing.begin(served.brain, left, read_before=len(read))
    first = importing.progress
    importing.end()

    assert (first.sources, first.source_count) == (2, 7)
    assert importing.progress.stage in {"stopped", "done"}
    assert len(served.brain.sessions.list()) == importing.progress.sources


def test_what_was_mended_is_told_apart_from_what_was_left_out(served: Served, transcripts):
    (path,) = transcripts.glob("*payments*")
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    typed = [one for one in lines if one.get("type") == "user"]
    typed[-1]["timestamp"] = "soon"
    path.write_text("".join(f"{json.dumps(one)}\n" for one in lines))
    browser = served.browser()

    pressed(browser, browser.get("/begin").text, "import/begin", pile=f"claude-code\n{PROJECT}")

    assert ended(browser)[-1]["mended"] == 1
    assert "<strong>1</strong> line read, and mended" in browser.get("/begin").text


def test_today_says_how_far_an_import_is_that_goes_on(make_place_on, tmp_path):
    place, importing = make_place_on("sqlite"), ImportJob()
    brain = a_brain(place.open(), place.clock)
    list(brain.import_sources(brain.find_sources(str(SAMPLE))[:1]))
    importing._now = ImportProgress(
        stage="reading", sources=18, source_count=59, total=100, done=40
    )

    with serving(brain, tmp_path, importing=importing) as one:
        page = one.browser().get("/").text
        importing._now = ImportProgress(stage="done", sources=59, source_count=59)
        after = one.browser().get("/").text
    brain.close()

    assert "18 of 59 transcripts read" in page
    # The page is read again when the import has ended.
    assert 'data-import="/"' in page
    assert "transcripts read" not in after


def test_what_is_read_first_is_the_last_of_each_project(tmp_path):
    words = (SAMPLE / "claude-code-payments.jsonl").read_bytes()
    told = {"a-old": ("/home/mira/a", 1, 1), "a-new": ("/home/mira/a", 3, 1)}
    told |= {"b-old": ("/home/mira/b", 2, 1), "a-long": ("/home/mira/a", 4, 400)}
    for name, (folder, day, times) in told.items():
        path = tmp_path / f"{name}.jsonl"
        path.write_bytes(words.replace(PROJECT.encode(), folder.encode()) * times)
        os.utime(path, (day * 86_400, day * 86_400))
    sources = [
        Source(file.as_uri(), "claude-code", file.stat().st_size) for file in tmp_path.iterdir()
    ]

    names = [one.uri.rpartition("/")[2] for one in most_telling_first(sources)]

    assert names == ["a-new.jsonl", "b-old.jsonl", "a-old.jsonl", "a-long.jsonl"]


def test_a_machine_without_transcripts_says_how_to_begin(served: Served):
    page = served.browser().get("/begin").text
    assert "No agent has left transcripts here" in page
    assert "Begin with what they left" not in page
    assert "/settings#hosts" in page


def test_today_of_an_empty_store_leads_to_the_beginning(served: Served):
    page = served.browser().get("/").text
    assert 'href="/begin"' in page
    assert 'href="/settings#hosts"' in page
