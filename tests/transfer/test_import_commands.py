import json
import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest

import tilth as package
from tilth.core.io.file_lock import try_lock
from tilth.interfaces import import_transcripts
from tilth.interfaces.cli.commands import demo, imports
from tilth.learning import distil
from tilth.runtime.places import import_lock

SAMPLE = Path(package.__file__).parent / "runtime" / "sample"


def counts(answer):
    """What an import says of itself, without how long it took."""
    return {**answer["summary"], "seconds": None, "is_dry_run": None}


def test_an_import_brings_in_what_every_host_recorded(ready):
    answer = ready("import", SAMPLE, "--no-background", "--json").answer

    assert set(answer["summary"]["formats"]) == {"claude-code", "codex", "gemini-cli"}
    assert answer["summary"]["total"]["source_count"] == 7
    assert answer["summary"]["total"]["session_count"] == 7
    assert answer["summary"]["total"]["new_count"] == 131


def test_a_dry_run_counts_what_a_real_one_does_and_writes_nothing(ready):
    dry = ready("import", SAMPLE, "--dry-run", "--json").answer
    before = ready("verify", "--json").answer["event_count"]
    real = ready("import", SAMPLE, "--no-background", "--json").answer

    assert before == 1
    assert counts(dry) == counts(real)


def test_a_dry_run_knows_what_comes_twice(ready):
    for name in ("one", "two"):
        shutil.copytree(SAMPLE, ready.home / "talks" / name)

    dry = ready("import", ready.home / "talks", "--dry-run", "--json").answer
    real = ready("import", ready.home / "talks", "--no-background", "--json").answer

    assert real["summary"]["total"]["source_count"] == 14
    assert counts(dry) == counts(real)


@pytest.mark.row("I24")
def test_a_second_import_adds_nothing(ready):
    ready("import", SAMPLE, "--no-background")
    before = ready("verify", "--json").answer

    again = ready("import", SAMPLE, "--no-background", "--json").answer

    assert again["summary"]["total"]["new_count"] == 0
    assert again["summary"]["total"]["unchanged_count"] == 7
    assert ready("verify", "--json").answer == before


@pytest.mark.row("MP-03")
def test_an_import_with_a_limit_reads_so_many_sources_and_the_next_one_goes_on(ready):
    def brought_in(*flags):
        told = ready("import", SAMPLE, "--limit", "3", "--no-background", "--json", *flags).answer
        total = told["summary"]["total"]
        return total["source_count"] - total["unchanged_count"]

    assert brought_in("--dry-run") == 3
    assert [brought_in() for _ in range(4)] == [3, 3, 1, 0]
    assert "must be at least 1" in ready("import", SAMPLE, "--limit", "0").err


def test_a_source_that_grew_adds_what_is_new(ready):
    source = ready.home / "talk.jsonl"
    whole = (SAMPLE / "claude-code-payments.jsonl").read_text().splitlines(keepends=True)
    source.write_text("".join(whole[:10]))
    ready("import", source, "--no-background")
    source.write_text("".join(whole))

    grown = ready("import", source, "--no-background", "--json").answer["summary"]["total"]

    assert (grown["new_count"], grown["known_count"]) == (len(whole) - 10, 10)


def test_broken_lines_are_told_and_do_not_stop_the_rest(ready):
    source = ready.home / "talk.jsonl"
    whole = (SAMPLE / "claude-code-payments.jsonl").read_text().splitlines(keepends=True)
    source.write_text("".join([*whole[:3], "{broken\n", *whole[3:]]))

    imported = ready("import", source, "--no-background")

    assert f"{len(whole)} new episodes recorded" in imported.out
    assert "broken JSON" in imported.out


def test_without_a_path_the_transcripts_of_this_machine_are_found(ready):
    folder = ready.home / ".claude" / "projects" / "-home-mira-ferrybook"
    folder.mkdir(parents=True)
    shutil.copy(SAMPLE / "claude-code-payments.jsonl", folder)

    answer = ready("import", "--no-background", "--json").answer

    assert answer["summary"]["formats"].keys() == {"claude-code"}


def test_a_machine_without_agents_says_so(ready):
    refused = ready("import")

    assert refused.code == 3
    assert "tilth import PATH" in refused.err


def test_a_session_can_be_read_back(ready):
    ready("import", SAMPLE / "codex-backup-restore.jsonl", "--no-background")
    (session,) = ready("session", "list", "--json").answer["sessions"]

    page = ready("session", "show", session["id"])

    assert session["info"]["host"] == "codex"
    assert page.out.startswith(session["info"]["title"])
    assert "archive_timeout is 300 seconds" in page.out


def test_the_episodes_of_a_session_come_in_pages(ready):
    ready("import", SAMPLE / "codex-backup-restore.jsonl", "--no-background")
    (session,) = ready("session", "list", "--json").answer["sessions"]

    first = ready("session", "show", session["id"], "--limit", "5", "--json").answer["episodes"]
    rest = ready("session", "show", session["id"], "--after", first[-1]["seq"], "--json").answer

    assert len(first) == 5
    assert len(first) + len(rest["episodes"]) == session["episode_count"]


@pytest.fixture
def asked(ready):
    ready("import", SAMPLE, "--no-background")
    return ready


@pytest.mark.row("OB-073")
def test_a_question_about_what_was_imported_brings_its_text(asked):
    hits = asked("recall", "what did we decide about duplicate webhooks", "--json").answer["hits"]

    assert "delivery id" in hits[0]["text"]


def test_a_hit_shows_when_who_and_where(asked):
    shown = asked("recall", "where does the private key live", "--limit", "3").out

    assert "2026-05-18" in shown
    assert "Skarvøy" in shown
    assert "epi_" in shown


@pytest.mark.row("C-23")
def test_a_hit_says_that_an_import_brought_it(asked):
    told = asked("remember", "the private key lives in the safe", "--json").answer["episode_id"]

    page = asked("recall", "where does the private key live").out
    hits = asked("recall", "where does the private key live", "--json").answer["hits"]

    heads = [line for line in page.splitlines() if line[:1].isdigit()]
    assert len(heads) == len(hits)
    for head, hit in zip(heads, hits, strict=True):
        is_live = hit["id"] == told
        assert hit["lifecycle"] == ("current" if is_live else "historical")
        assert hit["review"] == "unreviewed"
        assert head.endswith("(fresh)") if is_live else head.endswith(", historical, unreviewed)")
    assert told in {hit["id"] for hit in hits}
    assert asked("episode", "show", told, "--json").answer["episodes"][0]["lifecycle"] == "current"


def test_an_explained_hit_says_what_its_score_is_made_of(asked):
    explained = asked("recall", "boarding window flaky test", "--explain", "--limit", "1").out

    assert "score" in explained
    assert "signals" in explained
    assert "confidence" in explained


def test_recall_can_be_narrowed(asked):
    (session,) = [
        session["id"]
        for session in asked("session", "list", "--json").answer["sessions"]
        if session["info"]["host"] == "gemini-cli"
    ]

    within = asked("recall", "decision", "--session", session, "--json").answer["hits"]
    early = asked("recall", "decision", "--as-of", "2026-03-31", "--json").answer["hits"]
    unknown = asked("recall", "decision", "--known-at", "2020-01-01", "--json").answer["hits"]

    assert {hit["session_id"] for hit in within} == {session}
    assert {hit["valid_from"][:7] for hit in early} == {"2026-03"}
    assert unknown == []


def test_episodes_that_were_recalled_are_fetched_by_id(asked):
    hits = asked("recall", "restore drill", "--limit", "2", "--json").answer["hits"]
    ids = [hit["id"] for hit in hits]

    fetched = asked("episode", "show", *ids, "--json").answer["episodes"]

    assert [episode["id"] for episode in fetched] == ids


def test_more_episodes_than_are_shown_at_once_are_refused(asked):
    refused = asked("episode", "show", *["epi_01ARZ3NDEKTSV4RRFFQ69G5FAV"] * 21)

    assert refused.code == 2


def test_personal_data_is_masked_on_request(ready):
    noted = ready("remember", "write to ann@example.org", "--json").answer["episode_id"]

    masked = ready("episode", "show", noted, "--mask", "--json").answer["episodes"][0]["text"]

    assert "ann@example.org" not in masked


def test_the_demo_answers_each_question_from_a_sample_in_a_store_of_its_own(program, tilth):
    answer = program("demo", "--json").answer

    assert answer["is_sample"]
    assert answer["store"] == str(program.home / "tilth" / "demo.db")
    assert not program.store.exists()
    assert len(answer["learned"]) == len(answer["answers"]) == 3
    assert {one["kind"] for one in answer["learned"]} == {"decision"}
    assert all(one["project"] and one["valid_from"] for one in answer["learned"])

    # Each question is answered first by what it is about.
    at = ("--json", "--store", answer["store"], "--limit", "1")
    for asked, learned in zip(answer["answers"], answer["learned"], strict=True):
        found = tilth("recall", asked["question"], *at).answer
        assert found["answerable"]
        assert found["hits"][0]["id"] == asked["id"]
        assert asked["text"] == learned["text"]
    (unanswered,) = answer["unanswered"]
    assert not tilth("recall", unanswered["question"], *at).answer["answerable"]


def test_the_demo_answers_from_the_transcripts_of_this_machine(tilth):
    folder = tilth.home / ".claude" / "projects" / "-home-mira-ferrybook"
    folder.mkdir(parents=True)
    for path in SAMPLE.glob("claude-code-*"):
        shutil.copy(path, folder)

    answer = tilth("demo", "--json").answer

    assert answer["holding"]["hosts"] == {"claude-code": 4}
    assert answer["holding"]["projects"] == ["mira/ferrybook"]
    assert answer["answers"]
    assert answer["store"] == str(tilth.store)


def test_where_little_was_decided_the_demo_asks_for_what_commands_do_and_they_answer(tilth):
    folder = tilth.home / ".claude" / "projects" / "-home-mira-till"
    folder.mkdir(parents=True)
    for day, asked in (("05", "We should call ours cash_drawer."), ("06", "Mend the till.")):
        call = {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "pytest -q"}}
        result = {"type": "tool_result", "tool_use_id": "t1", "content": "12 passed in 0.4s"}
        said = [("user", asked), ("assistant", [call]), ("user", [result]), ("assistant", "Done.")]
        lines = [
            {"type": role, "sessionId": f"s{day}", "cwd": "/home/mira/till", "uuid": f"{day}-{no}",
             "timestamp": f"2026-01-{day}T10:0{no}:00Z", "message": {"role": role, "content": it}}
            for no, (role, it) in enumerate(said)
        ]  # fmt: skip
        (folder / f"s{day}.jsonl").write_text("\n".join(map(json.dumps, lines)), "utf-8")

    named, run = tilth("demo", "--json").answer["answers"]

    assert named["question"] == "What did we decide about cash_drawer?"
    assert named["text"] == "We should call ours cash_drawer."
    assert run["question"] == "How do I run the tests?"
    assert run["text"] == "`pytest`, in 2 sessions; 2 of 2 runs came through"
    assert (run["project"], run["id"]) == (named["project"], "")
    assert "2026-01-06 · mira/till" in tilth("demo").out


def test_the_demo_says_how_the_agents_whose_transcripts_it_read_are_plugged_in(tilth):
    for name, folder in (("codex", ".codex/sessions"), ("gemini-cli", ".gemini/tmp/p/chats")):
        (tilth.home / folder).mkdir(parents=True)
        shutil.copy(next(SAMPLE.glob(f"{name}-*")), tilth.home / folder)

    said = " ".join(tilth("demo").out.split())
    tilth("init", "gemini-cli", "--yes")
    rest = " ".join(tilth("demo").out.split())
    tilth("init", "codex", "--yes")
    every = tilth("demo").out

    assert "remember every session from now on, of these agents" in said
    assert "init codex gemini-cli" in said
    assert "init codex" in rest
    assert "gemini-cli" not in rest[rest.index("Go on") :]
    assert "tilth init" not in every


def test_the_demo_reads_what_it_has_time_for_and_the_rest_is_read_meanwhile(tilth, monkeypatch):
    folder = tilth.home / ".claude" / "projects" / "-home-mira-ferrybook"
    folder.mkdir(parents=True)
    for path in SAMPLE.glob("claude-code-*"):
        shutil.copy(path, folder)
    monkeypatch.setattr(demo, "_READ_CPU_S", 0.0)

    first = tilth("demo").out
    until = time.monotonic() + 100
    while len(tilth("session", "list", "--json").answer["sessions"]) < 4:
        assert time.monotonic() < until, "nobody read the others"
        time.sleep(0.2)
    tilth("worker", "stop")
    again = tilth("demo", "--json").answer

    assert "1 of 4 files, the last of each project first" in first
    assert "the other 3 are being read while you look" in first
    assert again["summary"]["total"]["new_count"] == 0


def test_the_demo_ends_in_a_screen_that_says_what_to_do_next_and_is_shown_again(tilth):
    lines = tilth("demo").out.splitlines()

    heads = ["Read", "Remembered", "Some of what was decided", "Questions", "Go on"]
    at = [next(no for no, line in enumerate(lines) if line.startswith(head)) for head in heads]
    assert at == sorted(at)
    assert len(lines) <= 60
    assert "   Nothing here answers that." in lines
    go_on = "\n".join(lines[at[-1] :])
    for word in ("recall", "fact list", "init claude-code", "worker stop", "rm -rf "):
        assert word in go_on
    assert "/briefs" in go_on
    assert "/readings" in go_on

    again = tilth("demo", "--json").answer
    assert again["summary"]["total"]["new_count"] == 0
    assert len(again["answers"]) == 3


_ABSENT = (
    "zyxquormf blibber wuntle",
    "flurbs grommet",
    "Tell me about qwizzenthorpe",
    "how does the vrelmost work?",
    "What did Priscilla say?",
    "Which Kubernetes version do we use?",
    "What is the Salesforce sandbox called?",
)
_PRESENT = (
    "how long does reading a code take",
    "how long does readding a code take",
    "the sprnig timetabel import",
    "WHICH DATABASE DID WE MOVE TO",
)


def test_a_question_is_answered_if_its_words_stand_here_or_nearly(ready):
    """Made-up words, and names of people and systems that are not here, are met by no likeness."""
    ready("import", SAMPLE, "--no-background")

    def is_answered(question):
        return ready("recall", question, "--json").answer["answerable"]

    assert [one for one in _ABSENT if is_answered(one)] == []
    assert [one for one in _PRESENT if not is_answered(one)] == []


def test_an_import_ends_with_what_was_learned_and_where_to_see_it(ready):
    done = ready("import", SAMPLE, "--json").answer
    again = ready("import", SAMPLE)

    assert done["learned"]["decision"] >= 3
    listed = ready("fact", "list", "--limit", "500", "--json").answer
    assert len(listed["facts"]) == sum(done["learned"].values())
    assert "facts learned" not in again.out


def test_an_import_that_was_broken_off_while_it_learned_learns_when_it_is_run_again(ready):
    ready("import", SAMPLE, "--no-background")

    again = ready("import", SAMPLE, "--json").answer

    assert again["summary"]["total"]["new_count"] == 0
    assert again["learned"]["decision"] >= 3


def test_an_import_that_is_run_again_says_that_it_goes_on_and_what_was_here(ready):
    first = ready("import", SAMPLE, "--limit", "3", "--no-background")
    second = ready("import", SAMPLE, "--no-background")
    third = ready("import", SAMPLE, "--no-background")

    assert "before" not in first.err
    assert "here already" not in first.out
    assert "going on: 3 of 7 sources were read before" in second.err
    assert "here already: 3 sources" in second.out
    assert "going on" not in third.err
    assert "here already: 7 sources" in third.out


def test_an_import_that_is_interrupted_says_what_is_kept_and_how_it_goes_on(ready, monkeypatch):
    def interrupted(*_args, **_how):
        raise KeyboardInterrupt

    monkeypatch.setattr(imports, "run_import", interrupted)
    broken_off = ready("import", SAMPLE)

    assert broken_off.code == 130
    assert "what was read is kept; the same command goes on from there" in broken_off.err
    assert "kept" not in ready("import", SAMPLE, "--dry-run").err


def test_an_import_tells_a_person_where_to_see_what_was_learned(ready):
    shown = ready("import", SAMPLE).out

    assert "facts learned: " in shown
    assert "see them: tilth fact list;" in shown


def test_an_import_of_which_nothing_was_learned_leads_to_no_facts(ready, tmp_path):
    (tmp_path / "pump.md").write_text("# Pump\n\nThe pump is on the roof.\n")

    shown = ready("import", str(tmp_path / "pump.md")).out

    assert "no fact learned: nothing in it says that it is to be kept" in shown
    assert "see them" not in shown


def test_an_import_beside_another_says_that_one_runs(ready):
    first = ready("import", SAMPLE, "--limit", "3", "--no-background")
    with try_lock(import_lock(str(ready.store))):
        second = ready("import", SAMPLE, "--no-background")

    assert "another import runs" not in first.err
    assert "another import runs; what both bring in is recorded once" in second.err
    assert second.code == 0


def test_an_import_that_left_sessions_to_the_worker_says_so(ready, monkeypatch):
    monkeypatch.setattr(imports, "start_in_background", lambda *_: None)
    for module, name in (
        (distil, "SESSIONS_AT_ONCE"),
        (import_transcripts, "_SESSIONS_LOOKED_THROUGH"),
    ):
        monkeypatch.setattr(module, name, 1)
    more = "so far: a worker looks through the other sessions in the background"

    first = ready("import", SAMPLE)
    monkeypatch.undo()
    monkeypatch.setattr(imports, "start_in_background", lambda *_: None)
    rest = ready("import", SAMPLE)

    assert more in first.out
    assert "learned" in rest.out
    assert more not in rest.out


def test_the_demo_names_the_program_here_that_can_read_sessions_until_one_is_set(tilth, tmp_path):
    here = tmp_path / "bin"
    here.mkdir()
    (here / "codex").write_text("#!/bin/sh\n")
    (here / "codex").chmod(0o700)
    path = {"PATH": f"{here}:{os.environ['PATH']}"}

    told = tilth("demo", environ=path)
    model = {"TILTH_MODEL_CHEAP": "codex", "TILTH_MODEL_PRICES": "codex=0/0"}
    again = tilth("demo", environ={**path, **model})

    assert "model use codex" in told.out
    assert "model use" not in again.out


def test_what_the_demo_says_forgets_the_sample_and_all_that_was_made_of_it(program, tilth):
    shown = program("demo").out
    store = program.home / "tilth" / "demo.db"
    assert tilth("worker", "stop", "--store", store).code == 0
    assert tilth("worker", "--once", "--store", store).code == 0
    line = next(line for line in shown.splitlines() if "worker stop" in line)

    done = subprocess.run(
        ["sh", "-c", line.partition("; ")[2]],
        env={"HOME": str(program.home), "PATH": os.environ["PATH"]},
        capture_output=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, b"")
    left = [path for path in program.home.rglob("*") if path.is_file()]
    assert not [path for path in left if b"ferry" in path.read_bytes()]


def test_the_demo_never_says_to_delete_a_store_that_held_something_before_it(tilth):
    folder = tilth.home / ".claude" / "projects" / "-home-mira-ferrybook"
    folder.mkdir(parents=True)
    shutil.copy(next(SAMPLE.glob("claude-code-*")), folder)

    new = tilth("demo").out
    tilth("worker", "stop")
    tilth("fact", "add", "The ferry leaves at 9.", "--about", "ferry", environ={"CLAUDECODE": ""})
    kept = tilth("demo").out

    assert "rm -rf" in new
    assert "rm -rf" not in kept
    assert "erase --session ID" in kept
