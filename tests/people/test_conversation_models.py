"""Conversations with a language model: what it says is checked, and nothing hangs on it."""

import json
from datetime import timedelta

import pytest

from tests.brains import a_model_pool, with_model_pool
from tests.model_server import Hangs, Says, says
from tilth.core.scope import DEFAULT_OWNER
from tilth.llm.budget import Budget, Limits
from tilth.llm.providers.openai_chat import OpenAiChatModel
from tilth.llm.tables import Budgets
from tilth.llm.task import Task

TONE = {"formality": 0.2, "technical_level": 0.9, "sentiment": "positive", "pace": "slow"}
SAID = ("We decided on the blue pump.", "Please call the shop by Friday.")


@pytest.fixture
def store(whole_store):
    return whole_store


@pytest.fixture
def make_with_model(agent, server):
    """Make a brain like `agent` that has a model."""
    model = OpenAiChatModel(server.url, "small", "a-key")

    def make(*tasks, **how):
        return with_model_pool(agent, a_model_pool(model, tasks, **how))

    yield make
    model.close()


@pytest.fixture
def talk(agent):
    person = agent.entities.add("Ada", type="person").entity.id
    return agent.conversations.create(person, "irc").conversation.id


@pytest.fixture
def ids(agent, talk):
    return [agent.conversations.add(talk, text) for text in SAID]


def summary(quoted, **changes):
    told = {
        "summary": "Ada chose the blue pump.",
        "open_questions": ["Which shop is it?"],
        "quotes": [{"episode_id": quoted, "text": "the blue pump"}],
    }
    return told | changes


def drafts(brain, talk):
    return [one.draft for one in brain.conversations.summaries(talk)]


def test_a_summary_is_a_models_where_its_words_hold(make_with_model, server, talk, ids):
    brain = make_with_model(Task.SUMMARISE, Task.TONE)
    server.script = [says(TONE), says(summary(ids[0]))]
    draft = brain.conversations.summarise(talk).draft

    assert (draft.text, draft.model) == ("Ada chose the blue pump.", "small")
    assert (draft.first, draft.last, draft.count) == (ids[0], ids[1], 2)
    assert draft.tone.pace == "slow"
    # What the words owe stays, whatever a model takes for open.
    assert draft.pending == ("Which shop is it?", "Ada: Please call the shop by Friday.")
    server.script = [says(TONE), says(summary(ids[0], open_questions=[]))]
    assert brain.conversations.summarise(talk, is_forced=True).draft.pending == draft.pending[1:]


WRONG = {
    "malformed JSON": "Ada chose the",
    "an invented quote": json.dumps(
        summary("", quotes=[{"episode_id": "", "text": "the red pump"}])
    ),
    "an unknown episode": json.dumps(
        summary("", quotes=[{"episode_id": "epi_9", "text": "the blue pump"}])
    ),
    "nothing quoted": json.dumps(summary("", quotes=[])),
    "no words": json.dumps(summary("", summary=" ", quotes=[])),
    "a field too many": json.dumps(summary("", mood="good")),
}


@pytest.mark.row("I19")
@pytest.mark.parametrize("name", WRONG)
@pytest.mark.on_sqlite(but=2)
def test_a_wrong_summary_leaves_the_plain_one(make_with_model, server, agent, talk, ids, name):
    server.script = [
        Says(text=WRONG[name].replace('"episode_id": ""', f'"episode_id": "{ids[0]}"'))
    ]
    draft = make_with_model(Task.SUMMARISE).conversations.summarise(talk).draft

    assert draft.model == ""
    assert draft.text == "Ada: We decided on the blue pump.\nAda: Please call the shop by Friday."
    assert len(drafts(agent, talk)) == 1


@pytest.mark.row("I19")
@pytest.mark.parametrize("name", ["malformed", "out of range", "a word outside its list"])
def test_a_wrong_tone_leaves_the_plain_one(make_with_model, server, talk, ids, name):
    wrong = {
        "malformed": "formal",
        "out of range": json.dumps(TONE | {"formality": 7}),
        "a word outside its list": json.dumps(TONE | {"pace": "warp"}),
    }
    server.script = [Says(text=wrong[name])]

    assert make_with_model(Task.TONE).conversations.tone(talk).formality == 0.5
    assert make_with_model(Task.TONE).conversations.summarise(talk).draft.tone.pace == "steady"


def test_a_hung_model_holds_nobody_up_and_writes_nothing(make_with_model, server, talk, ids):
    brain = make_with_model(Task.SUMMARISE, seconds=0.2)
    server.script = [Hangs()]

    assert brain.conversations.archive(talk).summary.draft.model == ""
    assert brain.conversations.get(talk).status == "idle"


@pytest.mark.row("KB-033")
def test_a_hung_model_holds_a_round_of_many_up_once(make_with_model, server, agent, place):
    for number in range(6):
        person = agent.entities.add(f"person {number}", type="person").entity.id
        talk = agent.conversations.create(person, "irc").conversation.id
        agent.conversations.add(talk, f"We decided on {number}.")
    place.clock.at += timedelta(seconds=4000)
    brain = make_with_model(Task.SUMMARISE, Task.TONE, Task.IDLE, seconds=0.3)
    server.script = [Hangs()]

    archived = list(brain.conversations.rest())

    assert len(server.requests) == 1
    assert [one.summary.draft.count for one in archived] == [1] * 6


def test_without_a_budget_the_plain_form_stands(make_with_model, server, agent, talk, ids):
    one_call = Budget(day=Limits(1, 10_000_000, 10**9))
    brain = make_with_model(Task.SUMMARISE, Task.TONE, budget=one_call)
    server.script = [says(TONE), says(summary(ids[0]))]
    draft = brain.conversations.summarise(talk).draft

    assert (draft.tone.pace, draft.model) == ("slow", "")
    assert len(server.requests) == 1
    with agent._parts.store.read() as view:
        assert Budgets(view).spent(DEFAULT_OWNER).calls == 1


def test_a_secret_that_a_model_says_is_not_kept(make_with_model, server, talk, ids):
    key = "sk-" + "a1B2c3D4" * 4
    server.script = [says(summary(ids[0], summary=f"The key is {key}.", open_questions=[key]))]
    draft = make_with_model(Task.SUMMARISE).conversations.summarise(talk).draft

    assert draft.model == "small"
    assert key not in repr(draft)


def test_more_than_a_model_is_shown_at_once_is_summarised_without_it(
    make_with_model, server, agent, talk
):
    for _ in range(3):
        agent.conversations.add(talk, "pumps " * 15_000)
    assert make_with_model(Task.SUMMARISE).conversations.summarise(talk).draft.model == ""
    assert server.requests == []


@pytest.mark.row("I16")
def test_what_was_said_while_a_model_read_is_for_the_next_summary(
    make_with_model, server, agent, talk, ids, monkeypatch
):
    server.script = [says(summary(ids[0]))]
    taken, late = server.taken, []

    def meanwhile():
        late.append(agent.conversations.add(talk, "No: the red one."))
        return taken()

    with monkeypatch.context() as patch:
        patch.setattr(server, "taken", meanwhile)
        draft = make_with_model(Task.SUMMARISE).conversations.summarise(talk).draft
    assert (draft.last, draft.count, draft.model) == (ids[1], 2, "small")
    after = agent.conversations.archive(talk).summary.draft
    assert (after.first, after.last, after.count) == (late[0], late[0], 1)


@pytest.mark.parametrize("is_more", [False, True])
def test_what_was_summarised_meanwhile_is_not_summarised_twice(
    make_with_model, server, agent, talk, ids, is_more
):
    server.script = [says(summary(ids[0]))]
    taken, late = server.taken, []

    def meanwhile():
        if not late:
            agent.conversations.summarise(talk)
            late.append(agent.conversations.add(talk, "No: the red one.") if is_more else "")
        return taken()

    server.taken = meanwhile
    make_with_model(Task.SUMMARISE).conversations.summarise(talk)
    told = [(one.first, one.last, one.count, one.model) for one in drafts(agent, talk)]
    assert told == [
        (ids[0], ids[1], 2, ""),
        *([(late[0], late[0], 1, "")] if is_more else []),
    ]


@pytest.mark.row("EM-012")
@pytest.mark.usefixtures("ids")
@pytest.mark.parametrize(("silence_s", "asked"), [(299, 0), (301, 1), (3599, 1), (3601, 0)])
@pytest.mark.on_sqlite(but=2)
def test_a_model_judges_only_where_silence_leaves_a_doubt(
    make_with_model, server, place, silence_s, asked
):
    brain = make_with_model(Task.IDLE)
    plain = silence_s > 600
    server.script = [says({"is_idle": not plain, "reason": "all said", "pending": []})]
    place.clock.at += timedelta(seconds=silence_s)
    (rest,) = brain.conversations.idle()

    assert len(server.requests) == asked
    assert rest.is_idle is (not plain if asked else plain)
    assert rest.model == ("small" if asked else "")


@pytest.mark.row("EM-012")
@pytest.mark.parametrize(
    "step",
    [Says(text="yes"), Hangs(), says({"is_idle": "maybe", "reason": "", "pending": []})],
    ids=["malformed", "hung", "no answer"],
)
def test_silence_judges_where_a_model_does_not(make_with_model, server, talk, ids, place, step):
    server.script = [step]
    place.clock.at += timedelta(seconds=400)
    (rest,) = make_with_model(Task.IDLE, seconds=0.3).conversations.idle()

    assert (rest.is_idle, rest.model) == (False, "")


@pytest.mark.row("EM-012")
def test_what_has_come_to_rest_is_archived_by_itself(
    make_with_model, server, agent, talk, ids, place
):
    other = agent.entities.add("Bob", type="person").entity.id
    silent = agent.conversations.create(other, "irc").conversation.id
    assert list(agent.conversations.rest()) == []
    place.clock.at += timedelta(seconds=700)
    server.script = [says({"is_idle": False, "reason": "he waits", "pending": []})]
    assert list(make_with_model(Task.IDLE).conversations.rest()) == []

    (archived,) = agent.conversations.rest()
    assert archived.conversation.id == talk
    assert (archived.conversation.status, archived.summary.draft.count) == ("idle", 2)
    assert archived.summary.by.kind == "job"
    # Where nobody has said a word yet, nothing has come to rest.
    assert agent.conversations.get(silent).status == "active"
    assert list(agent.conversations.rest()) == []


@pytest.mark.row("EM-012")
@pytest.mark.usefixtures("ids")
def test_a_model_is_asked_once_whether_the_same_messages_are_all(
    make_with_model, server, agent, talk, place
):
    brain = make_with_model(Task.IDLE)
    server.script = [says({"is_idle": False, "reason": "he waits", "pending": []})]
    for _ in range(5):
        place.clock.at += timedelta(seconds=400)
        assert list(brain.conversations.rest()) == []
    assert len(server.requests) == 1
    agent.conversations.add(talk, "Still there?")
    place.clock.at += timedelta(seconds=400)
    assert list(brain.conversations.rest()) == []
    assert len(server.requests) == 2
    # Nobody keeps it open for ever.
    place.clock.at += timedelta(seconds=3601)
    assert [one.conversation.id for one in brain.conversations.rest()] == [talk]
    assert len(server.requests) == 2


@pytest.mark.row("EM-012")
@pytest.mark.usefixtures("ids")
def test_whoever_spoke_meanwhile_is_not_put_to_rest(
    make_with_model, server, agent, talk, place, monkeypatch
):
    server.script = [says({"is_idle": True, "reason": "all said", "pending": []})]
    place.clock.at += timedelta(seconds=700)
    taken = server.taken

    def meanwhile():
        agent.conversations.add(talk, "One more thing.")
        return taken()

    monkeypatch.setattr(server, "taken", meanwhile)
    assert list(make_with_model(Task.IDLE).conversations.rest()) == []
    assert agent.conversations.get(talk).status == "active"
