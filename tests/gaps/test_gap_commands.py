"""Gaps at the command line: from what was said to a TODO, and to its end."""

import stat
from datetime import timedelta
from pathlib import Path

import pytest

from tilth.core.actor import Actor, ActorKind
from tilth.interfaces.cli import invocation
from tilth.runtime.system import SystemClock

KINDS = ("agent", "human", "job", "import", "anonymous")
DONE, REFUSED = 0, 5
FOR_ALL_WHO_ARE_KNOWN = (DONE, DONE, DONE, DONE, REFUSED)
FOR_ALL_AT_WORK = (DONE, DONE, DONE, REFUSED, REFUSED)
ONLY_A_HUMAN = (REFUSED, DONE, REFUSED, REFUSED, REFUSED)
# For agent, human, job, import and anonymous.
VERBS = {
    "gap add {words}": FOR_ALL_WHO_ARE_KNOWN,
    "gap scan": FOR_ALL_WHO_ARE_KNOWN,
    "gap run --force": FOR_ALL_WHO_ARE_KNOWN,
    "gap todo {gap}": FOR_ALL_AT_WORK,
    "gap resolve {gap}": FOR_ALL_AT_WORK,
    "gap update {gap} --status todo_created --todo-ref T1": FOR_ALL_AT_WORK,
    "gap update {gap} --status wont_fix": ONLY_A_HUMAN,
    "gap opt-in {repository}": ONLY_A_HUMAN,
    "gap opt-out": ONLY_A_HUMAN,
}
ASKED = (
    "Can you export my notes as a PDF?",
    "Is there any way to get a PDF of my notes?",
    "I wish I could download my notes in PDF format.",
)


@pytest.fixture
def as_kind(monkeypatch):
    return lambda kind: monkeypatch.setattr(
        invocation, "caller", lambda *_, **__: Actor("someone", ActorKind(kind))
    )


@pytest.fixture
def talked(ready):
    """A conversation in which one thing was asked for three times, and declined."""
    ready("entity", "add", "Ada", "--type", "person")
    begun = ready("conversation", "create", "Ada", "matrix", "--json").answer
    talk = begun["conversation"]["id"]
    said = []
    for number, text in enumerate(ASKED):
        at = (SystemClock().now() - timedelta(days=9 - number)).isoformat()
        told = ready("conversation", "add", talk, text, "--at", at, "--json").answer
        said.append(told["episode_id"])
        ready("conversation", "add", talk, "Sorry, I can't do that.", "--direction", "outbound",
              "--at", at)  # fmt: skip
    return said


@pytest.fixture
def repository(home):
    made = home / "repository"
    (made / ".git").mkdir(parents=True)
    return made


@pytest.mark.row("EM-044")
def test_from_interactions_to_a_gap_a_todo_and_its_end(ready, talked, repository, as_kind):
    scanned = ready("gap", "scan", "--since", "2w", "--entity", "Ada", "--json").answer
    (pattern,) = scanned["patterns"]
    assert (pattern["frequency"], pattern["episode_ids"]) == (3, talked)
    gap_id = pattern["gap_id"]

    as_kind("human")
    assert ready("gap", "opt-in", repository).code == 0
    as_kind("agent")
    (drafted,) = ready("gap", "run", "--json").answer["drafted"]
    assert (drafted["id"], drafted["status"]) == (gap_id, "todo_created")
    outbox = ready.store.with_name("tilth.db.outbox")
    (draft,) = outbox.iterdir()
    assert all(episode_id in draft.read_text() for episode_id in talked)
    assert stat.S_IMODE(draft.stat().st_mode) == 0o600
    todo = repository / "TODO.md"
    assert gap_id in todo.read_text()

    todo.write_text(todo.read_text().replace("[ ]", "[x]"))
    early = ready("gap", "run", "--json").answer
    assert (early["is_due"], early["resolved"]) == (False, [])
    (resolved,) = ready("gap", "run", "--force", "--json").answer["resolved"]
    assert (resolved["id"], resolved["status"]) == (gap_id, "resolved")
    shown = ready("gap", "show", gap_id, "--json").answer
    assert [one["evidence"]["episode_id"] for one in shown["trail"]] == talked
    assert ready("verify").code == 0


@pytest.mark.row("EM-048", "EM-051")
def test_what_is_shown_to_a_person_names_words_messages_and_history(ready, talked):
    ready("gap", "scan", "--since", "2w")
    listed = ready("gap", "list", "--entity", "Ada", "--sort", "date")
    gap_id = listed.out.split()[0]

    shown = ready("gap", "show", gap_id).out

    assert "3 times" in listed.out
    assert all(text in shown for text in (*talked, *ASKED))
    assert "gap detected" in shown
    stats = ready("gap", "stats", "--json").answer
    assert stats["status"] == {"detected": 1}
    assert stats["evidence"] == {"mentions": 3, "roots": 3}
    assert "detected" in ready("gap", "stats").out
    assert ready("gap", "list", "--status", "resolved").out == ""


@pytest.mark.row("EM-051")
def test_a_gap_that_is_told_is_known_again_and_closed(ready):
    added = ready("gap", "add", "order green tea by post", "--json").answer
    again = ready("gap", "add", "get green tea sent by post", "--json").answer

    assert (added["is_new"], again["is_new"]) == (True, False)
    gap_id = added["gap"]["id"]
    assert again["gap"]["frequency"] == 2
    drafted = ready("gap", "todo", gap_id, "--json").answer["gap"]
    assert drafted["status"] == "todo_created"
    assert "green tea" in Path(drafted["todo_path"]).read_text()
    assert f"its TODO lies in {drafted['todo_path']}" in ready("gap", "show", gap_id).out
    refused = ready("gap", "todo", gap_id)
    assert (refused.code, "is todo_created" in refused.err) == (4, True)
    moved = ready("gap", "update", gap_id, "--todo-ref", "T7", "--json").answer["gap"]
    assert moved["todo_ref"] == "T7"
    assert ready("gap", "resolve", gap_id, "--note", "shipped").code == 0
    assert ready("gap", "resolve", gap_id).code == 4
    assert "gap moved: resolved, shipped" in ready("gap", "show", gap_id).out
    for words in (("show", "gap_nonsense"), ("scan", "--since", "soon"), ("update", gap_id)):
        assert ready("gap", *words).code == 2
    assert ready("gap", "show", "gap_" + "0" * 26).code == 3


@pytest.mark.row("EM-051")
def test_gaps_are_sorted_by_how_often_when_or_how_they_stand(ready):
    often = "order green tea by post"
    for text in (often, "get green tea sent by post", "translate the manual", "print the invoice"):
        ready("gap", "add", text)
    ids = {one["description"]: one["id"] for one in ready("gap", "list", "--json").answer["gaps"]}
    ready("gap", "resolve", ids["translate the manual"], "--note", "shipped")

    def order(by):
        return [
            one["description"]
            for one in ready("gap", "list", "--sort", by, "--json").answer["gaps"]
        ]

    assert order("frequency")[0] == often
    assert order("date")[0] == "print the invoice"
    statuses = [
        one["status"] for one in ready("gap", "list", "--sort", "status", "--json").answer["gaps"]
    ]
    assert statuses == sorted(statuses, key=["detected", "resolved"].index)
    assert len({tuple(order(by)) for by in ("frequency", "date", "status")}) > 1


@pytest.mark.row("EM-053")
def test_a_person_sees_both_gaps_and_says_that_they_are_one(ready, as_kind):
    for number, where in enumerate(("staging", "production")):
        ready("remember", f"Can you deploy to {where}?", "--session", f"s{number}")
        ready("remember", "I can't do that.", "--session", f"s{number}", "--role", "assistant")
    first, second = ready("gap", "scan", "--json").answer["patterns"]
    (asked,) = ready("review", "list", "--json").answer["proposals"]

    shown = ready("review", "show", asked["id"]).out
    assert "deploy to staging" in shown
    assert "deploy to production" in shown
    assert first["gap_id"] in ready("review", "list").out
    assert ready("review", "confirm", asked["id"], stdin="y\n").code == 5
    as_kind("human")
    assert ready("review", "confirm", asked["id"], stdin="y\n").code == 0
    (gap,) = ready("gap", "list", "--json").answer["gaps"]
    assert (gap["id"], gap["frequency"]) == (first["gap_id"], 2)
    assert f"is one with {gap['id']}" in ready("gap", "show", second["gap_id"]).out
    assert ready("review", "undo", asked["id"]).code == 0
    assert len(ready("gap", "list", "--json").answer["gaps"]) == 2


def test_the_worker_lets_the_pulse_beat(ready):
    for number, text in enumerate(ASKED):
        ready("remember", text, "--session", f"s{number}")
        ready("remember", "I can't do that.", "--session", f"s{number}", "--role", "assistant")
    assert ready("worker", "--once").code == 0

    (gap,) = ready("gap", "list", "--json").answer["gaps"]
    assert (gap["frequency"], gap["status"]) == (3, "todo_created")
    assert not ready("gap", "run", "--json").answer["is_due"]


@pytest.mark.row("I20", "C-16")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("verb", VERBS)
def test_each_verb_of_gaps_is_for_whom_it_is(ready, repository, as_kind, verb, kind):
    as_kind("human")
    gap_id = ready("gap", "add", "order green tea", "--json").answer["gap"]["id"]
    if verb == "gap opt-out":
        assert ready("gap", "opt-in", repository).code == 0
    before = ready("gap", "show", gap_id, "--json").answer["gap"]
    said = {"{words}": "fly to Rome", "{gap}": gap_id, "{repository}": repository}
    as_kind(kind)

    run = ready(*(said.get(word, word) for word in verb.split()))

    assert run.code == VERBS[verb][KINDS.index(kind)], run.err
    if run.code == REFUSED:
        assert ready("gap", "show", gap_id, "--json").answer["gap"] == before
        assert len(ready("gap", "filings", "--json").answer["filings"]) == (verb == "gap opt-out")
