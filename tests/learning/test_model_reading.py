"""What a language model finds in sessions: checked, filtered, counted, and never in the way."""

import threading
from dataclasses import replace
from datetime import timedelta

import pytest

from tests import model_server
from tests.brains import AGENT, AMPLE, PRICED, a_brain, a_model_pool, with_model_pool
from tests.fakes import START, FixedClock
from tests.model_server import Hangs, Says, says
from tilth.core.actor import HOOKS, Actor, ActorKind
from tilth.core.lifecycle import Review
from tilth.core.scope import DEFAULT_OWNER
from tilth.knowledge.facts.views import fact_lines
from tilth.llm.budget import Limits
from tilth.llm.providers.openai_chat import OpenAiChatModel
from tilth.llm.tables import Budgets
from tilth.llm.task import Task

WORK = "project:acme/api"
SAID = "If anybody asks, Bruno, the tall one, is the person who signs every invoice these days."
WORDS = "Bruno, the tall one, is the person who signs every invoice"


@pytest.fixture
def store(whole_store):
    return whole_store


@pytest.fixture
def clock():
    return FixedClock(START + timedelta(days=1))


@pytest.fixture
def model(server):
    made = OpenAiChatModel(server.url, "small", "a-key")
    yield made
    made.close()


@pytest.fixture
def make(store, clock, model):
    """Return a maker of brains that have a model for extraction."""

    def made(*, by=AGENT, **how):
        model_pool = a_model_pool(model, [Task.EXTRACT], price=PRICED, **how)
        return with_model_pool(a_brain(store, clock, by=by), model_pool)

    return made


@pytest.fixture
def brain(make):
    return make()


def say(brain, text=SAID, *, session="s1", **how):
    at = START + timedelta(days=1)
    return brain.remember(text, session_id=session, at=at, scope=WORK, **how)


def typed(store, clock, text):
    """Have a person type *text*, and return the ID of its episode."""
    return say(a_brain(store, clock, by=HOOKS), text)


def claim(episode_id, *, words=WORDS, statement="Bruno signs the invoices.", **changes):
    """Return a claim that Bruno signs the invoices; *changes* are fields told otherwise."""
    said = {"kind": "fact", "subject": "Bruno", "predicate": "signs", "object": "invoices"}
    return model_server.claim(episode_id, words, statement, **said | changes)


def claims(*listed):
    return says({"claims": list(listed), "over": []})


def held(brain):
    return [fact.said.text for fact in brain.facts.list(scope=WORK)]


def test_what_a_model_finds_is_stated_with_the_words_that_it_rests_on(brain, server):
    episode_id = say(brain)
    server.script = [claims(claim(episode_id))]
    assert brain.distil().stated == []

    (stated,) = brain.read_by_model().stated

    fact = brain.facts.get(stated.fact.id)
    (span,) = fact.evidence
    assert (fact.said.text, fact.said.triple.object) == ("Bruno signs the invoices.", "invoices")
    assert (span.episode_id, SAID[span.start : span.end]) == (episode_id, WORDS)
    assert fact.metadata["model"] == "small"


def test_what_a_model_says_is_a_jobs_word_and_never_surer_than_a_rules(brain, server):
    server.script = [claims(claim(say(brain), confidence=1.0))]
    brain.distil()

    fact = brain.read_by_model().stated[0].fact

    assert (fact.by.kind, fact.life.review) == (ActorKind.JOB, Review.UNREVIEWED)
    assert fact.confidence.value == 0.75


@pytest.mark.row("DU-021")
def test_a_model_that_is_not_sure_states_nothing(brain, server):
    server.script = [claims(claim(say(brain), confidence=0.6))]
    brain.distil()

    assert brain.read_by_model().stated == []
    assert brain.read_by_model().asked_count == 0


@pytest.mark.row("KB-114")
def test_a_model_that_takes_words_to_the_memory_for_a_fact_is_not_heard(brain, server):
    episode_id = say(brain, "Please don't mention Zephyr in the wiki.")
    words = "mention Zephyr in the wiki"
    server.script = [claims(claim(episode_id, words=words, statement="Zephyr is in the wiki."))]
    brain.distil()

    assert brain.read_by_model().stated == []


@pytest.mark.row("KB-125")
def test_a_model_states_nothing_that_rested_on_a_secret(brain, server):
    episode_id = say(brain, SAID.replace("these days", f"with sk-proj-{'a1B2c3D4' * 5}"))
    server.script = [claims(claim(episode_id))]
    brain.distil()

    assert brain.read_by_model().stated == []
    assert brain.entities.list() == []


@pytest.mark.parametrize(
    "answer",
    [
        Says(text="Bruno signs."),
        Says(text='{"claims": [{]}'),
        claims(claim("epi_00000000000000000000000000")),
        Says(text='{"claims": {}}'),
        Says(declines=True),
        Says(is_cut=True, text='{"claims": ['),
    ],
    ids=["prose", "broken", "unknown id", "another shape", "declined", "cut"],
)
@pytest.mark.on_sqlite(but=2)
def test_what_cannot_be_read_states_nothing_and_is_not_asked_for_ever(brain, server, answer):
    say(brain)
    server.script = [answer]
    brain.distil()

    read = brain.read_by_model()

    assert (read.refused_count, read.stated, held(brain)) == (1, [], [])
    assert brain.read_by_model().asked_count == 0


def test_words_that_nobody_said_are_not_believed(brain, server):
    episode_id = say(brain)
    server.script = [claims(claim(episode_id, words="Bruno signs every cheque"))]
    brain.distil()

    assert brain.read_by_model().stated == []
    assert len(server.requests) == 2  # It was asked to mend it, once.


def test_a_claim_that_is_mended_counts(brain, server):
    episode_id = say(brain)
    wrong = claims(claim(episode_id, words="Bruno signs every cheque"))
    server.script = [wrong, claims(claim(episode_id))]
    brain.distil()

    assert len(brain.read_by_model().stated) == 1


@pytest.mark.row("KB-114")
def test_what_was_invented_is_skipped_and_the_rest_of_the_answer_counts(brain, server):
    episode_id = say(brain)
    wrong = (
        claim("epi_" + "0" * 26),
        claim(episode_id, words="Bruno signs every cheque", statement="Bruno signs cheques."),
        claim(episode_id, confidence=7),
        claim(episode_id, kind="rumour"),
        {"kind": "fact"},
        "Bruno",
    )
    server.script = [claims(*wrong[:3], claim(episode_id), *wrong[3:])]
    brain.distil()

    read = brain.read_by_model()

    assert (read.claimed_count, read.refused_count) == (1, 0)
    assert held(brain) == ["Bruno signs the invoices."]
    assert len(server.requests) == 2  # It was asked to mend it, once.


@pytest.mark.row("KB-036", "KB-114")
@pytest.mark.parametrize("silence", [Hangs(), Says(status=503), Says(status=429)])
def test_a_model_that_is_silent_is_asked_again_later(make, server, store, clock, silence):
    hasty, patient = make(seconds=0.3), make()
    typed(store, clock, '/remember "Marina is CTO at Acme"')
    other = say(hasty)
    server.script = [silence]
    assert len(hasty.distil().stated) == 1

    put_off = hasty.read_by_model()

    assert (put_off.reason, put_off.stated) == ("silent", [])
    # What rules read is kept whatever a model would have called it.
    assert held(hasty) == ["Marina is CTO at Acme"]
    server.script = [claims(claim(other))]
    assert len(patient.read_by_model().stated) == 1
    assert held(patient) == ["Bruno signs the invoices.", "Marina is CTO at Acme"]


@pytest.mark.row("KB-036")
def test_beyond_the_budget_sessions_wait_and_are_read_in_the_next_run(make, server):
    brain = make(budget=replace(AMPLE, run=Limits(calls=2)))
    for number in range(4):
        say(brain, session=f"s{number}")
    server.script = [claims()]
    brain.distil()

    first = brain.read_by_model()
    again = brain.read_by_model()

    assert (len(server.requests), first.reason, again.asked_count) == (2, "budget", 1)
    make().read_by_model()
    assert len(server.requests) == 4
    assert make().read_by_model().asked_count == 0


@pytest.mark.row("DU-023")
def test_a_session_that_cost_what_it_may_is_not_read_on(make, server, store):
    brain = make(budget=replace(AMPLE, session=Limits(calls=1)))
    server.script = [claims()]
    for _ in range(3):
        say(brain)
        say(brain, session="s2")
        brain.distil()
        assert brain.read_by_model().reason == ""

    assert len(server.requests) == 2
    with store.read() as view:
        costs = Budgets(view).by_session(DEFAULT_OWNER, since=START - timedelta(days=1), limit=9)
    spent = {one.session_id: one.spent.calls for one in costs}
    assert spent == {"s1": 1, "s2": 1}


@pytest.mark.row("KB-114")
def test_a_question_shows_so_many_episodes_and_a_round_asks_so_much(brain, server):
    server.script = [claims()]
    for number in range(130):
        say(brain, f"It rained for the {number}th time in a row.")
    brain.distil()

    assert brain.read_by_model().asked_count == 5
    assert brain.read_by_model().asked_count == 2
    shown = [request["messages"][1]["content"].count('"role"') for request in server.requests]
    assert shown == [20, 20, 20, 20, 20, 20, 10]


def test_what_a_rule_read_already_is_not_said_again_in_other_words(brain, server, store, clock):
    episode_id = typed(store, clock, '/remember "Marina is CTO at Acme"')
    words = "Marina is CTO at Acme"
    server.script = [claims(claim(episode_id, words=words, statement="Marina leads technology."))]
    brain.distil()

    brain.read_by_model()

    assert held(brain) == ["Marina is CTO at Acme"]


def test_a_session_that_was_distilled_without_a_model_is_not_read_by_a_later_one(
    store, clock, brain, server
):
    server.script = [claims()]
    say(brain)
    a_brain(store, clock).distil()

    assert brain.read_by_model().asked_count == 0


def test_what_waits_for_a_model_that_is_gone_waits_on(store, clock, brain, server):
    server.script = [claims(claim(say(brain)))]
    brain.distil()

    assert a_brain(store, clock).read_by_model().reason == ""
    assert len(brain.read_by_model().stated) == 1


def test_a_person_may_have_it_read_again(store, clock, make, server):
    human = make(by=Actor("ada", ActorKind.HUMAN))
    server.script = [claims(claim(say(human)))]
    a_brain(store, clock).distil()

    human.reopen_sessions()
    human.distil()

    assert len(human.read_by_model().stated) == 1
    assert human.verify().is_whole


def test_two_that_read_at_once_state_it_once(make, server):
    one, other = make(), make()
    server.script = [claims(claim(say(one)))]
    one.distil()
    barrier = threading.Barrier(2)

    def read(brain):
        barrier.wait()
        brain.read_by_model()

    threads = [threading.Thread(target=read, args=(brain,)) for brain in (one, other)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert held(one) == ["Bruno signs the invoices."]


@pytest.mark.row("I19")
def test_a_model_that_answers_nonsense_takes_nothing_away(brain, server, store, clock):
    told = (f'/remember "Ana uses tool{number}"' for number in range(3))
    roots = {typed(store, clock, text) for text in told}
    brain.distil()
    before = reachable(brain)
    server.script = [Says(text="{}")]
    say(brain)
    brain.distil()

    brain.read_by_model()

    assert roots == before == reachable(brain)


def reachable(brain):
    facts = brain.facts.list(scope=WORK, lifecycles=["current", "superseded"])
    return {span.episode_id for fact in facts for span in fact.evidence}


def test_a_model_is_shown_what_people_said_and_how_the_agent_ended(brain, server):
    server.script = [claims()]
    say(brain, "Put the invoices in order.", role="user")
    say(brain, "Now I look at them.", role="assistant")
    say(brain, "They lie in Bergen.", role="assistant")
    say(brain, "Thanks.", role="user")
    brain.distil()

    brain.read_by_model()

    (request,) = server.requests
    shown = request["messages"][1]["content"]
    assert [text in shown for text in ("in order", "Now I look", "in Bergen", "Thanks")] == [
        True,
        False,
        True,
        True,
    ]


def test_long_messages_are_shown_in_as_many_questions_as_they_take(brain, server):
    server.script = [claims()]
    for number in range(12):
        say(brain, f"It rained for the {number}th time in a row. " + "Rain. " * 3_000)
    brain.distil()

    assert brain.read_by_model().asked_count == 12
    assert brain.read_by_model().asked_count == 0


DECIDED = "We decided to keep one worker for mail."


def test_a_sentence_that_its_form_chose_is_put_away_for_the_models_words(
    brain, server, store, clock
):
    episode_id = typed(store, clock, DECIDED)
    worded = "Mail is sent by one worker alone."
    server.script = [claims(model_server.claim(episode_id, DECIDED, worded))]
    brain.distil()
    assert held(brain) == [DECIDED]

    brain.read_by_model()

    assert held(brain) == [worded]
    (put,) = brain.facts.list(scope=WORK, lifecycles=["archived"])
    assert put.said.text == DECIDED
    assert brain.verify().is_whole


@pytest.mark.parametrize("is_told", [True, False])
def test_what_a_person_decided_of_a_sentence_stands_whatever_a_model_makes_of_it(
    brain, server, store, clock, is_told
):
    human = a_brain(store, clock, by=Actor("ada", ActorKind.HUMAN))
    episode_id = typed(store, clock, DECIDED)
    server.script = [claims(model_server.claim(episode_id, DECIDED, "One worker sends mail."))]
    brain.distil()
    (fact,) = brain.facts.list(scope=WORK)
    if is_told:
        human.facts.add(DECIDED, about=["mail"], scope=WORK)
    else:
        human.facts.archive(fact.id)
    before = held(brain)

    assert brain.read_by_model().stated == []

    assert held(brain) == before


def test_where_a_triple_has_no_place_the_sentence_stands(brain, server):
    one, other = say(brain), say(brain, "The scanner has no driver for the new desks either.")
    words = "The scanner has no driver for the new desks"
    gaps = [
        claim(one, kind="gap"),
        claim(
            other, kind="gap", words=words, statement=f"{words}.", subject="scanner",
            predicate="lacks", object="driver",
        ),
    ]  # fmt: skip
    server.script = [claims(*gaps)]
    brain.distil()

    facts = [brain.facts.get(one.fact.id) for one in brain.read_by_model().stated]

    assert [one.said.triple is None for one in facts] == [False, True]
    assert held(brain) == [f"{words}.", "Bruno signs the invoices."]


def test_a_list_says_which_model_worded_a_fact(brain, server):
    server.script = [claims(claim(say(brain)))]
    brain.distil()
    (stated,) = brain.read_by_model().stated

    (fact,) = brain.facts.list(scope=WORK)

    assert fact.worded_by == stated.fact.worded_by == "small"
    assert any("worded by small" in str(line) for line in fact_lines([fact]))


def test_what_an_agent_notes_of_a_model_makes_nobodys_words_a_models(brain, store, clock):
    told = a_brain(store, clock).facts.add(
        "All mail is sent by Kong.",
        about=["mail"],
        metadata={"model": "small", "kind": "decision", "grade": "known"},
        scope=WORK,
    )

    assert told.fact.worded_by == ""
