"""What a model thinks of names that are alike, and of facts that may clash: a human decides."""

import pytest

from tests.brains import PRICED, a_model_pool, with_model_pool
from tests.model_server import Hangs, Says, says
from tilth.llm.providers.openai_chat import OpenAiChatModel
from tilth.llm.task import Task

NO_ANSWERS = [Says(text="I think so."), Says(text='{"verdict": "same"'), Hangs(), Says(status=400)]
IDS = ["prose", "broken", "silent", "refused"]


@pytest.fixture
def store(whole_store):
    return whole_store


@pytest.fixture
def thinking(agent, server):
    """A brain with a model for these tasks, which waits half a second."""
    model = OpenAiChatModel(server.url, "small", "a-key")
    tasks = (Task.ADJUDICATE, Task.CONTRADICTION)
    yield with_model_pool(agent, a_model_pool(model, tasks, price=PRICED, seconds=0.5))
    model.close()


def verdict(word, confidence=0.9):
    return says({"verdict": word, "reason": "so it is", "confidence": confidence})


@pytest.fixture
def alike(agent):
    """Two names that come close, and came in by facts."""
    for name in ("Kettle Service", "Kettle Servise"):
        agent.facts.add(f"{name} is oiled.", about=[name])


def questions(brain, kind):
    return [one for one in brain.review.list().proposals if one.draft.kind == kind]


def test_a_model_that_is_sure_that_they_are_two_spares_a_human_the_question(
    thinking, server, alike
):
    server.script = [verdict("different")]

    assert thinking.entities.tidy().proposed_count == 0
    assert questions(thinking, "merge") == []


@pytest.mark.parametrize("word", ["same", "unsure"])
def test_a_model_that_takes_them_for_one_merges_nothing_and_a_human_is_asked(
    thinking, server, alike, word
):
    server.script = [verdict(word)]

    assert (tidied := thinking.entities.tidy()).proposed_count >= 1
    assert tidied.merged_count == 0
    (question, *_) = questions(thinking, "merge")
    assert ("small says they are one" in question.draft.reason) is (word == "same")


def test_a_model_that_is_not_sure_enough_spares_nobody_the_question(thinking, server, alike):
    server.script = [verdict("different", 0.5)]

    assert thinking.entities.tidy().proposed_count >= 1


@pytest.mark.parametrize("answer", NO_ANSWERS, ids=IDS)
@pytest.mark.on_sqlite(but=2)
def test_without_an_answer_names_are_asked_about_as_ever(thinking, server, alike, answer):
    server.script = [answer]

    assert thinking.entities.tidy().proposed_count >= 1


@pytest.fixture
def clash(agent):
    """Two facts that clash in a way that no rule sees."""
    told = ("Marina runs the kettle team.", "The kettle team answers to Bruno.")
    return [agent.facts.add(one, about=["kettle team"]).fact for one in told]


def conflict(first, second, confidence=0.9):
    one = {"first": first, "second": second, "reason": "two bosses", "confidence": confidence}
    return says({"conflicts": [one]})


def test_what_a_model_finds_to_clash_is_asked_about_and_changes_nothing(thinking, server, clash):
    one, other = clash
    server.script = [conflict(other.id, one.id)]

    (asked,) = thinking.review.scan().asked

    proposal = thinking.review.show(asked).proposal
    assert proposal.draft.facts == (one.id, other.id)
    assert proposal.draft.detail["sign"] == "model"
    assert {thinking.facts.get(fact.id).life.lifecycle for fact in clash} == {"current"}


def test_a_pair_is_asked_about_once_however_often_a_model_names_it(thinking, server, clash):
    one, other = clash
    server.script = [conflict(other.id, one.id)]

    thinking.review.scan()

    assert thinking.review.scan().asked == ()


def test_a_model_that_is_not_sure_of_a_clash_asks_nobody(thinking, server, clash):
    server.script = [conflict(clash[0].id, clash[1].id, 0.5)]

    assert thinking.review.scan().asked == ()


def test_an_id_that_was_not_shown_is_not_believed(thinking, server, clash):
    server.script = [conflict(clash[0].id, "fct_00000000000000000000000000")]

    assert thinking.review.scan().asked == ()


@pytest.mark.parametrize("answer", NO_ANSWERS, ids=IDS)
@pytest.mark.on_sqlite(but=2)
def test_without_an_answer_a_scan_finds_what_rules_find(thinking, server, agent, answer):
    server.script = [answer]
    for text in ("The fan does run.", "The fan does not run."):
        agent.facts.add(text, system="fan")

    assert len(thinking.review.scan().asked) == 1


def test_a_scan_asks_a_model_one_question_however_much_is_new(thinking, server, agent):
    server.script = [says({"conflicts": []})]
    for number in range(12):
        agent.facts.add(f"The fan {number} turns on thor.", system="fan")

    thinking.review.scan()

    assert len(server.requests) == 1
