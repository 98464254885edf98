"""A statement and the value that was read from its words are told once, and end one by one."""

import json

import pytest

import tilth_spool
from prove.attacks.ways import AT_NS
from tests.brains import a_brain
from tilth.agents.read_record import parse_items
from tilth.agents.spool import SpoolFolder
from tilth.context.model import BriefRequest
from tilth.core.actor import Human
from tilth.core.ids import SessionId
from tilth.core.lifecycle import Lifecycle
from tilth.core.scope import Scope

FOLDER, SCOPE = "/home/ada/work/shop", Scope("project:work/shop")
MOVED = "We moved the docs from Jekyll to Hugo, because builds took minutes."
ASKING = BriefRequest(session_id=SessionId("claude-code:asking"), via="claude-code/SessionStart")


@pytest.fixture
def say(brain, tmp_path):
    """Return what says a text in a session of its own, on a day, through a host's hooks."""

    def said(day, text):
        for event, told in (
            ("UserPromptSubmit", {"prompt": text}),
            ("Stop", {"last_assistant_message": "Ok, done."}),
        ):
            payload = {"session_id": f"s{day}", "cwd": FOLDER, "hook_event_name": event} | told
            at = AT_NS + day * 86_400 * 10**9
            record = tilth_spool.framed("claude-code", event, at, json.dumps(payload).encode())
            tilth_spool.append(str(tmp_path / "spool"), record)
        brain.ingest(SpoolFolder(tmp_path / "spool"), parse_items)
        brain.distil(is_asked=True)

    return said


@pytest.fixture
def both(brain, say):
    """The statement, and the value that was read from it."""
    say(0, MOVED)
    (value,) = brain.facts.list(subject="docs")
    (statement,) = brain.facts.list()
    assert (statement.said.text, statement.said.triple) == (MOVED, None)
    return statement, value


def of_facts(brain, question):
    return [hit for hit in brain.recall(question, scope=SCOPE).hits if hit.id.startswith("fct_")]


def test_a_sentence_is_told_once_with_its_value_beside_it(brain, both):
    statement, value = both
    told = [
        brain.facts.list(),
        [one.fact for one in brain.state().facts],
        [one.fact for one in brain.about("work/shop").facts],
        of_facts(brain, "Where are the docs, Hugo or Jekyll?"),
        [one.fact for one in brain.episodes.facts(statement.evidence[0].episode_id)],
    ]
    for facts in told:
        assert [one.id for one in facts] == [statement.id]
        assert [(one.id, one.words) for one in facts[0].beside] == [
            (value.id, "docs located in Hugo")
        ]
    assert brain.state().count == brain.about("work/shop").fact_count == 1
    assert brain.facts.list(offset=1) == []


def test_each_is_found_shown_and_explained_by_itself(brain, both):
    statement, value = both
    assert [one.id for one in brain.facts.list(predicate="located_in")] == [value.id]
    assert [one.id for one in brain.kg.query("docs").triples] == [value.id]
    for one, other in (both, both[::-1]):
        assert [beside.id for beside in brain.facts.show(one.id).fact.beside] == [other.id]
        assert brain.facts.why(one.id).supports[0].quote
    assert statement.beside[0].lifecycle is Lifecycle.CURRENT


def test_a_statement_whose_value_was_replaced_says_so_and_opens_no_session(
    brain, both, say, store, place
):
    statement, _ = both
    assert MOVED in brain.brief(ASKING, scope=SCOPE).text
    ana = a_brain(store, place.clock, by=Human("ana"))
    newer = ana.facts.add(subject="docs", predicate="located_in", object="Astro", scope=SCOPE).fact

    known = {one.id: one for one in brain.facts.list()}

    assert set(known) == {statement.id, newer.id}
    assert known[statement.id].is_overtaken
    (beside,) = known[statement.id].beside
    assert (beside.lifecycle, beside.successor) == (Lifecycle.SUPERSEDED, newer.id)
    assert MOVED not in brain.brief(ASKING, scope=SCOPE).text
    hits = [hit.id for hit in of_facts(brain, "Where are the docs located?")]
    assert hits.index(newer.id) < hits.index(statement.id)


@pytest.mark.parametrize("end", ["retire", "archive"])
def test_a_value_whose_statement_ended_is_told_by_itself_and_says_so(
    brain, both, store, place, end
):
    statement, value = both
    ana = a_brain(store, place.clock, by=Human("ana"))
    getattr(ana.facts, end)(statement.id, reason="we never did")

    (known,) = brain.facts.list()

    assert (known.id, [one.id for one in known.beside]) == (value.id, [statement.id])
    assert known.beside[0].lifecycle is not Lifecycle.CURRENT
    ana.facts.undo(statement.id)
    assert [one.id for one in brain.facts.list()] == [statement.id]


def test_a_value_that_ended_leaves_its_statement_which_says_so(brain, both, store, place):
    statement, value = both
    ana = a_brain(store, place.clock, by=Human("ana"))
    ana.facts.retire(value.id)

    (known,) = brain.facts.list()

    assert (known.id, known.is_overtaken) == (statement.id, True)
    assert known.beside[0].lifecycle is Lifecycle.HISTORICAL
    assert MOVED not in brain.brief(ASKING, scope=SCOPE).text


def test_what_was_read_elsewhere_first_keeps_its_own_line(brain, say):
    say(0, "The docs are located in Hugo.")
    say(1, MOVED)
    assert MOVED in {one.said.text for one in brain.facts.list()}
