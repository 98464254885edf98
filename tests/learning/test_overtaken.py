"""What a language model finds to be over: by whose words it ends, and what a human is asked."""

from datetime import timedelta

import pytest

from tests.brains import a_brain, a_model_pool, with_model_pool
from tests.fakes import START, FixedClock
from tests.model_server import claim, says
from tilth.context.model import BriefRequest
from tilth.core.actor import HOOKS, Actor, ActorKind
from tilth.core.lifecycle import Lifecycle
from tilth.episodes.episode import Role
from tilth.llm.providers.openai_chat import OpenAiChatModel
from tilth.llm.task import Task

WORK = "project:acme/api"
MONDAY, TUESDAY = START - timedelta(days=3), START - timedelta(days=2)
SAID = "Mails leave through a lone process, the till has two."
FOUND = "Mail is sent by one process."
ANEW = "Mails have had a second process since lunch, as the till has."
DONE = "The second process for mails runs, and the tests pass."
ADA = Actor("ada", ActorKind.HUMAN)


@pytest.fixture
def store(whole_store):
    return whole_store


@pytest.fixture
def reader(store, server):
    model = OpenAiChatModel(server.url, "small", "a-key")
    clock = FixedClock(START)
    yield with_model_pool(a_brain(store, clock, by=HOOKS), a_model_pool(model, [Task.EXTRACT]))
    model.close()


@pytest.fixture
def human(reader):
    return a_brain(reader.parts.store, reader.parts.clock, by=ADA)


def read(reader, server, *, claims=(), over=()):
    server.script = [says({"claims": list(claims), "over": list(over)})]
    reader.distil(is_asked=True)
    return reader.read_by_model()


def known(reader, server, *, role=Role.USER, **changes):
    """Have a fact read on Monday, and return it."""
    id_ = reader.remember(SAID, session_id="s1", at=MONDAY, scope=WORK, role=role)
    (stated,) = read(reader, server, claims=[claim(id_, SAID, FOUND, **changes)]).stated
    return stated.fact


def overtaken(reader, server, fact, text=ANEW, *, words="", **said):
    """Have the model say that words of Tuesday end *fact*; return what came of it."""
    id_ = reader.remember(text, **{"session_id": "s2", "at": TUESDAY, "scope": WORK} | said)
    quote = {"episode_id": id_, "text": words or text}
    return read(reader, server, over=[{"fact": fact.id, "quote": quote}])


def held(reader, **when):
    return reader.facts.list(scope=WORK, **when or {"lifecycles": ["current"]})


def erase(human, episode_id):
    plan = human.erase.plan(episodes=[episode_id])
    human.erase.confirm(plan.digest, episodes=[episode_id])


def test_what_a_later_session_overtakes_ends_when_that_was_said(reader, server, human):
    fact = known(reader, server)

    ended = overtaken(reader, server, fact).ended

    assert ended == [fact.id]
    assert held(reader) == []
    life = reader.facts.get(fact.id).life
    assert (life.lifecycle, life.valid_to) == (Lifecycle.HISTORICAL, TUESDAY)
    noon = MONDAY + timedelta(hours=1)
    assert [one.id for one in held(reader, as_of=noon)] == [fact.id]
    assert reader.verify().is_whole
    human.facts.undo(fact.id)
    assert [one.id for one in held(reader)] == [fact.id]


def test_a_brief_tells_no_more_what_a_later_session_overtook(reader, server):
    fact = known(reader, server)
    assert FOUND in reader.brief(BriefRequest(), scope=WORK).text

    overtaken(reader, server, fact)

    assert FOUND not in reader.brief(BriefRequest(), scope=WORK).text


def test_a_model_is_shown_what_is_known_of_the_project_with_its_day(reader, server):
    fact = known(reader, server)
    other = reader.remember(SAID, session_id="s9", at=MONDAY, scope="project:acme/web")
    read(reader, server, claims=[claim(other, SAID, "Of the web.")])

    overtaken(reader, server, fact)

    shown = server.requests[-1]["messages"][1]["content"]
    assert f"{MONDAY:%Y-%m-%d}: {FOUND}" in shown
    assert "Of the web." not in shown


def test_of_much_that_is_known_a_model_is_shown_what_has_to_do_with_the_session(reader, server):
    for session in range(6):
        told = {}  # Of a session, and of an answer about it, no more is kept.
        for n in range(10):
            text = f"Shelf {10 * session + n} stays blue."
            told[reader.remember(text, session_id=f"b{session}", at=MONDAY, scope=WORK)] = text
        stated = read(reader, server, claims=[claim(*one, one[1]) for one in told.items()]).stated
        assert len(stated) == len(told)
    fact = known(reader, server)

    overtaken(reader, server, fact)

    shown = server.requests[-1]["messages"][1]["content"]
    assert (FOUND in shown, shown.count("stays blue")) == (True, 39)


def test_what_a_human_spoke_of_ends_by_a_human_alone(reader, server, human):
    fact = known(reader, server)
    human.facts.archive(fact.id)
    human.facts.restore(fact.id)

    assert overtaken(reader, server, fact).ended == []

    assert [one.is_contested for one in held(reader)] == [True]
    (waiting,) = human.review.list().proposals
    assert (waiting.draft.kind, waiting.draft.retires) == ("removal", (fact.id,))
    assert ANEW in waiting.draft.reason


def test_a_rule_that_a_person_typed_ends_by_a_human_alone(reader, server):
    text = "Always send mails through a lone process."
    reader.remember(text, session_id="s1", at=MONDAY, scope=WORK)
    reader.distil(is_asked=True)
    (rule,) = held(reader)

    assert overtaken(reader, server, rule).ended == []

    (rule,) = held(reader)
    assert rule.is_contested


def test_what_an_agent_stated_ends_by_a_human_alone(reader, server):
    agent = a_brain(reader.parts.store, reader.parts.clock)
    told = agent.facts.add(FOUND, about=["mail"], scope=WORK, valid_from=MONDAY).fact

    assert overtaken(reader, server, told).ended == []

    assert [one.is_contested for one in held(reader)] == [True]


@pytest.mark.parametrize(
    ("how", "kind", "ends"),
    [
        ({"role": Role.ASSISTANT}, "decision", False),
        ({"role": Role.ASSISTANT}, "deferral", True),
        ({"text": f"The page says:\n\n```\n{ANEW}\n```\n", "words": ANEW}, "decision", False),
        ({"at": MONDAY - timedelta(days=1)}, "decision", False),
        ({"metadata": {"agent_prompted": True}}, "decision", False),
    ],
    ids=["an agent", "an agent, of what was put off", "a paste", "earlier", "a program"],
)
@pytest.mark.on_sqlite(but=2)
def test_what_a_person_said_ends_by_what_a_person_says_later(reader, server, how, kind, ends):
    fact = known(reader, server, kind=kind)

    done = overtaken(reader, server, fact, **{"text": ANEW} | how).ended

    assert done == ([fact.id] if ends else [])
    assert [one.is_contested for one in held(reader)] == ([] if ends else [False])


def test_what_an_agent_reported_ends_by_what_an_agent_reports_later(reader, server):
    fact = known(reader, server, role=Role.ASSISTANT)

    assert overtaken(reader, server, fact, DONE, role=Role.ASSISTANT).ended == [fact.id]


def test_what_was_not_shown_ends_nothing_and_the_rest_of_the_answer_counts(reader, server):
    fact = known(reader, server)
    id_ = reader.remember(ANEW, session_id="s2", at=TUESDAY, scope=WORK)
    quote = {"episode_id": id_, "text": ANEW}
    unknown = {"fact": fact.id.replace("fct_0", "fct_1"), "quote": quote}
    answer = {"claims": [claim(id_, ANEW, "Mail has two.")], "over": [unknown]}

    server.script = [says(answer), says(answer)]
    reader.distil(is_asked=True)
    done = reader.read_by_model()

    assert (len(done.stated), done.ended) == (1, [])


def test_what_is_named_twice_ends_once(reader, server):
    fact = known(reader, server)
    id_ = reader.remember(ANEW, session_id="s2", at=TUESDAY, scope=WORK)
    over = {"fact": fact.id, "quote": {"episode_id": id_, "text": ANEW}}

    assert read(reader, server, over=[over, over]).ended == [fact.id]


def test_what_was_erased_while_a_model_read_ends_nothing(reader, server, human, monkeypatch):
    fact = known(reader, server)
    ask = OpenAiChatModel.ask

    def asked(*given):
        answer = ask(*given)
        erase(human, fact.evidence[0].episode_id)
        return answer

    monkeypatch.setattr(OpenAiChatModel, "ask", asked)

    assert overtaken(reader, server, fact).ended == []
    assert reader.verify().is_whole


def still_says(brain, words):
    with brain.parts.store.read() as view:
        rows = view.conn.rows("SELECT kind, CAST(payload AS TEXT) FROM ledger", ())
    return [kind for kind, payload in rows if words in (payload or "")]


@pytest.mark.row("I33")
@pytest.mark.parametrize("is_asked", [False, True])
def test_what_showed_that_it_is_over_is_quoted_no_more_once_it_is_erased(
    reader, server, human, is_asked
):
    fact = known(reader, server)
    if is_asked:
        human.facts.archive(fact.id)
        human.facts.restore(fact.id)
    overtaken(reader, server, fact)
    (said,) = reader.episodes.list(session_id="s2")
    assert len(still_says(reader, "second process")) == 2

    erase(human, said.id)

    assert still_says(reader, "second process") == []
    lives = [one.life.lifecycle for one in reader.facts.list(scope=WORK)]
    assert lives == [Lifecycle.CURRENT if is_asked else Lifecycle.HISTORICAL]
    assert human.review.list().proposals == ()
    assert [one.is_contested for one in held(reader)] == ([False] if is_asked else [])
    assert reader.verify().is_whole


@pytest.mark.row("I33")
def test_typed_words_that_take_a_rule_back_are_asked_about_until_they_are_erased(reader, human):
    for number, text in enumerate(["Always deploy on Friday.", "No longer deploy on Friday."]):
        at = MONDAY + timedelta(days=number)
        reader.remember(text, session_id=f"s{number}", at=at, scope=WORK)
        reader.distil(is_asked=True)
    assert [one.is_contested for one in held(reader)] == [True]
    (said,) = reader.episodes.list(session_id="s1")

    erase(human, said.id)

    assert still_says(reader, "No longer deploy") == []
    assert [one.is_contested for one in held(reader)] == [False]
