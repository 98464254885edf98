"""Gaps through Python, on both engines: their life, and what shows them."""

import json
from datetime import timedelta

import pytest

import tilth
from tests.brains import a_brain
from tests.fakes import START
from tilth.core.actor import Actor, ActorKind
from tilth.core.errors import (
    ConflictError,
    ForbiddenError,
    InvalidInputError,
    LimitExceededError,
    NotFoundError,
)
from tilth.gaps.model import GapStatus


@pytest.fixture
def store(whole_store):
    return whole_store


@pytest.mark.row("EM-046")
def test_a_gap_is_described_counted_and_has_a_status(agent):
    said = agent.remember("I wish you could export PDF.", session_id="s1")

    noted = agent.gaps.add("export PDF", evidence=[said], kind="integration_gap")

    gap = noted.gap
    assert noted.is_new
    assert (gap.description, gap.kind, gap.frequency) == ("export PDF", "integration_gap", 1)
    assert (gap.status, gap.todo_ref) == (GapStatus.DETECTED, "")
    assert agent.gaps.get(gap.id).trail[0].quote == "I wish you could export PDF."
    assert agent.gaps.list() == [gap]


STEPS = {
    "detected": {"todo_created", "resolved", "wont_fix"},
    "todo_created": {"resolved", "wont_fix"},
    "resolved": set(),
    "wont_fix": set(),
}


@pytest.mark.row("EM-046")
@pytest.mark.parametrize("after", STEPS)
@pytest.mark.parametrize("before", STEPS)
@pytest.mark.on_sqlite(but=4)
def test_only_the_steps_of_its_life_are_taken(human, before, after):
    gap = human.gaps.add("export PDF").gap
    if before != "detected":
        human.gaps.move(gap.id, status=before, todo_ref="T1")
    if after in STEPS[before]:
        assert human.gaps.move(gap.id, status=after, todo_ref="T2").status == after
        return
    if before == after == "todo_created":
        assert human.gaps.move(gap.id, status=after, todo_ref="T2").todo_ref == "T2"
        return
    with pytest.raises(ConflictError, match=f"is {before}, and cannot become {after}") as refused:
        human.gaps.move(gap.id, status=after, todo_ref="T2")
    assert refused.value.hint
    assert human.gaps.get(gap.id).gap.status == before


@pytest.mark.row("EM-048")
def test_a_trail_leads_to_messages_conversation_and_history(agent):
    ada = agent.entities.add("Ada", type="person").entity.id
    talk = agent.conversations.create(ada, "matrix").conversation.id
    said = agent.conversations.add(talk, "Can you export PDF?")
    gap = agent.gaps.add("export PDF", evidence=[said]).gap
    agent.gaps.move(gap.id, status="todo_created", todo_ref="T1")

    story = agent.gaps.get(gap.id)

    (trace,) = story.trail
    assert (trace.evidence.episode_id, trace.episode.conversation_id) == (said, talk)
    assert [type(one.event).__name__ for one in story.history] == ["GapDetected", "GapMoved"]
    assert agent.gaps.list(entity="Ada") == [story.gap]
    agent.entities.add("Bob", type="person")
    assert agent.gaps.list(entity="Bob") == []


@pytest.mark.row("EM-051")
def test_gaps_are_listed_by_frequency_date_and_status_and_counted(make, store, place):
    agent = a_brain(store, place.clock)
    often = agent.gaps.add("export PDF").gap
    place.clock.at = START + timedelta(days=1)
    seen = [agent.remember(f"Number {number}.") for number in range(2)]
    late = agent.gaps.add("read German", evidence=seen).gap
    agent.gaps.resolve(late.id, todo_ref="T9", note="done")

    def ids(**which):
        return [one.id for one in agent.gaps.list(**which)]

    assert ids() == ids(sort="frequency") == ids(sort="date") == [late.id, often.id]
    assert ids(sort="status") == [often.id, late.id]
    assert ids(status="resolved") == [late.id]
    assert ids(limit=1, offset=1) == [often.id]
    counts = agent.gaps.stats()
    assert counts["status"] == {"detected": 1, "resolved": 1}
    assert counts["kind"] == {"missing_feature": 2}
    assert counts["evidence"] == {"mentions": 3, "roots": 3}
    with pytest.raises(InvalidInputError, match="'colour' is no sort"):
        ids(sort="colour")
    with pytest.raises(InvalidInputError, match="'lost' is no status"):
        ids(status="lost")
    with pytest.raises(InvalidInputError, match="limit is 1 to"):
        ids(limit=0)


def test_bad_input_is_named_and_nothing_is_written(agent, store):
    before = store.digest()
    other = "epi_" + "0" * 26
    for text, words in (("", {}), ("x" * 301, {}), ("x", {"kind": "hole"})):
        with pytest.raises((InvalidInputError, LimitExceededError)):
            agent.gaps.add(text, **words)
    with pytest.raises(NotFoundError):
        agent.gaps.add("x", evidence=[other])
    with pytest.raises(NotFoundError, match="no gap"):
        agent.gaps.get("gap_" + "0" * 26)
    with pytest.raises(InvalidInputError, match="not the identifier of a gap"):
        agent.gaps.resolve("nonsense")
    assert store.digest() == before
    gap = agent.gaps.add("export PDF").gap
    for words in ({}, {"status": "todo_created"}, {"status": "open"}, {"todo_ref": "a\nb"}):
        with pytest.raises(InvalidInputError):
            agent.gaps.move(gap.id, **words)
    with pytest.raises(InvalidInputError, match="is not over"):
        agent.gaps.add("export PDF", follows=gap.id)


def test_a_gap_lies_in_the_scope_of_what_shows_it_and_is_seen_from_there(agent):
    said = agent.remember("I wish you could export PDF.", scope="project:lab")
    with pytest.raises(InvalidInputError, match="stands in another scope"):
        agent.gaps.add("export PDF", evidence=[said])
    gap = agent.gaps.add("export PDF", evidence=[said], scope="project:lab").gap

    assert agent.gaps.list(scope="project:lab") == [gap]
    assert agent.gaps.list(scope="project:other") == []
    assert agent.gaps.stats(scope="project:other")["status"] == {}
    with pytest.raises(NotFoundError):
        agent.gaps.get(gap.id, scope="project:other")


def test_another_owner_sees_and_moves_no_gap(make):
    gap = make("agent").gaps.add("export PDF").gap
    other = make("human", owner="other")

    assert other.gaps.list() == []
    for act in (other.gaps.get, other.gaps.resolve):
        with pytest.raises(NotFoundError):
            act(gap.id)


@pytest.mark.row("I20", "I21")
@pytest.mark.parametrize(
    ("kind", "may"),
    [
        ("agent", {"add", "resolve"}),
        ("job", {"add", "resolve"}),
        ("human", {"add", "resolve", "wont_fix"}),
        ("import", {"add"}),
        ("anonymous", set()),
    ],
)
@pytest.mark.on_sqlite(but=3)
def test_who_may_say_what_of_a_gap(store, place, make, kind, may):
    brain = a_brain(store, place.clock, by=Actor("someone", ActorKind(kind)))
    known = [make("human").gaps.add(text).gap.id for text in ("export PDF", "read German")]
    acts = {
        "add": lambda: brain.gaps.add("fly"),
        "resolve": lambda: brain.gaps.resolve(known[0]),
        "wont_fix": lambda: brain.gaps.move(known[1], status="wont_fix"),
    }
    for verb, act in acts.items():
        if verb in may:
            act()
        else:
            with pytest.raises(ForbiddenError):
                act()


def test_secrets_are_masked_in_what_is_told_of_a_gap(human):
    key = "ghp_" + "a1B2" * 9
    gap = human.gaps.add(f"log in with {key}").gap
    moved = human.gaps.move(gap.id, status="wont_fix", note=f"use {key}")

    assert key not in gap.description
    (_, event) = human.gaps.get(moved.id).history
    assert key not in event.event.note
    assert key not in human.gaps.get(gap.id).trail[0].quote


def test_changes_tell_of_gaps_to_whoever_sees_them(agent):
    cursor = agent.changes().cursor
    said = agent.remember("I wish you could export PDF.", scope="project:lab")
    gap = agent.gaps.add("export PDF", evidence=[said], scope="project:lab").gap
    agent.gaps.resolve(gap.id)

    kinds = [type(one.event).__name__ for one in agent.changes(cursor).items]
    assert kinds == ["EpisodeRecorded", "GapDetected", "GapMoved"]
    assert agent.changes(cursor, scope="project:other").items == ()


def test_an_export_tells_of_gaps_and_what_shows_them(agent, tmp_path):
    said = agent.remember("I wish you could export PDF.", scope="project:lab")
    gap = agent.gaps.add("export PDF", evidence=[said], scope="project:lab").gap

    def rows(name, **words):
        agent.export(str(tmp_path / name), **words)
        told = map(json.loads, (tmp_path / name).read_text().splitlines())
        return [row for row in told if row["type"] == "gap"]

    (row,) = rows("all.jsonl")
    assert (row["id"], row["description"], row["frequency"]) == (gap.id, "export PDF", 1)
    assert row["evidence"] == [{"episode_id": said, "start": 0, "end": 28}]
    assert rows("elsewhere.jsonl", scope="project:other") == []
    (shared,) = rows("shared.jsonl", is_shared=True)
    assert shared["evidence"] == [{"episode_id": said}]


@pytest.mark.row("EM-047")
def test_an_ordinary_paraphrase_is_the_same_gap_with_the_bundled_embedder(tmp_path):
    with tilth.connect(tmp_path / "tilth.db", create=True) as brain:
        for first, again in (
            ("Export the notes as a PDF", "Let me save my notes to PDF"),
            ("Connect to Jira", "An integration with Jira"),
            ("Dark mode for the pages", "The pages need a dark theme"),
            ("Import from Evernote", "Bring in notes from Evernote"),
        ):
            one = brain.gaps.add(first).gap
            same = brain.gaps.add(again).gap
            assert (same.id, same.frequency) == (one.id, 2)
        assert brain.gaps.add("Import from Notion").gap.frequency == 1
        assert len(brain.gaps.list()) == 5
