"""Archive facts without new evidence, and restore them, on both engines."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial

import pytest

from tests.brains import a_brain
from tilth.core.actor import Actor, ActorKind
from tilth.core.errors import ConflictError, ForbiddenError
from tilth.core.lifecycle import Lifecycle
from tilth.core.scope import DEFAULT_OWNER
from tilth.knowledge.facts.events import FactArchived, FactReinforced
from tilth.maintenance import archive, retention
from tilth.maintenance.events import SweepBegun

MONTHS_3, MONTHS_9 = timedelta(days=90), timedelta(days=270)
DAY, SECOND = timedelta(days=1), timedelta(seconds=1)


@pytest.fixture
def cast(whole_store, place):
    """Make a brain for any kind of actor on a store that is whole in the end."""
    return lambda kind, **more: a_brain(
        whole_store, place.clock, by=Actor("ada", ActorKind(kind)), **more
    )


@pytest.fixture
def agent(cast):
    return cast("agent")


@pytest.fixture
def human(cast):
    return cast("human")


@pytest.fixture
def wait(place):
    def wait(span):
        place.clock.at += span

    return wait


def state(brain, thing="kettle", text="", **telling):
    return brain.facts.add(text or f"The {thing} is green.", about=[thing], **telling).fact


def lifecycle(brain, fact):
    return brain.facts.get(fact.id).life.lifecycle


@pytest.mark.row("EM-067")
def test_what_nobody_has_heard_of_for_90_days_is_put_away_and_not_a_second_before(agent, wait):
    fact = state(agent)
    wait(MONTHS_3 - SECOND)
    assert agent.archive().facts == ()

    wait(SECOND)

    assert agent.archive().facts == (fact.id,)
    assert lifecycle(agent, fact) is Lifecycle.ARCHIVED
    assert agent.facts.get(fact.id).said == fact.said


@pytest.mark.row("KB-044")
def test_what_was_put_away_is_left_out_of_every_search_until_one_call_brings_it_back(
    agent, human, wait
):
    fact = state(agent)

    def found():
        hits = agent.recall(fact.said.text, tiers=["fact"]).hits
        return [one.id for one in agent.facts.list()], [hit.id for hit in hits]

    assert found() == ([fact.id], [fact.id])
    wait(MONTHS_3)
    agent.archive()
    assert found() == ([], [])

    human.facts.restore(fact.id)

    assert found() == ([fact.id], [fact.id])


@pytest.mark.row("C-09")
def test_whoever_archived_a_fact_or_a_human_restores_it(cast, agent, human, wait):
    """An agent that asks for a sweep archives nothing itself: the rule does."""
    by_agent, by_human = state(agent), state(agent, "pan")
    agent.facts.archive(by_agent.id)
    human.facts.archive(by_human.id)
    by_rule = state(agent, "cup")
    wait(MONTHS_3)
    assert agent.archive().facts == (by_rule.id,)

    for kind in ("agent", "job", "import", "anonymous"):
        for fact in (by_human, by_rule):
            for come_back in (cast(kind).facts.restore, cast(kind).facts.undo):
                with pytest.raises(ForbiddenError, match="only a human"):
                    come_back(fact.id)
        with pytest.raises(ForbiddenError, match="only a human"):
            cast(kind).unarchive()
    agent.facts.restore(by_agent.id)
    assert human.unarchive() == (by_rule.id,)
    human.facts.restore(by_human.id)

    assert {lifecycle(agent, one) for one in (by_agent, by_human, by_rule)} == {Lifecycle.CURRENT}


@pytest.mark.row("C-09", "EM-067")
def test_what_was_said_is_never_put_away(agent, wait):
    episode_id = agent.remember("The kettle is green, said Ada.")
    fact = agent.facts.add("The kettle is green.", about=["kettle"], evidence=[episode_id]).fact
    wait(2 * MONTHS_9)

    assert agent.archive().facts == (fact.id,)

    assert agent.fetch([episode_id])[0].text == "The kettle is green, said Ada."
    assert [hit.id for hit in agent.recall("which kettle is green").hits] == [episode_id]
    assert [one.id for one in agent.recall("the green kettle").hits] == [episode_id]


@pytest.mark.row("EM-057")
def test_what_is_about_something_alive_outlives_what_is_not(agent, wait):
    linked, unlinked = state(agent, "kettle"), state(agent, "toaster")
    wait(MONTHS_3)
    state(agent, "kettle", "The kettle whistles.")

    assert agent.archive().facts == (unlinked.id,)

    wait(MONTHS_9 - MONTHS_3 - SECOND)
    state(agent, "kettle", "The kettle is hot.")
    assert linked.id not in agent.archive().facts
    wait(SECOND)
    assert agent.archive().facts == (linked.id,)


def speak_with(brain):
    brain.remember("hello", entity="kettle")


def join(brain):
    brain.edges.add("kettle", "part_of", "kitchen")


def merge(brain):
    teapot = brain.entities.get("teapot").entity
    brain.entities.merge(brain.entities.get("kettle").entity.id, teapot.id, reason="one")
    state(brain, "kettle", "The kettle whistles.")


@pytest.mark.row("EM-057")
@pytest.mark.parametrize("act", [speak_with, join, merge])
def test_speaking_with_it_joining_it_and_merging_it_keep_a_thing_alive(agent, human, wait, act):
    thing = "teapot" if act is merge else "kettle"
    state(agent, "kettle", "The kettle is grey.")
    fact = state(agent, thing)
    wait(MONTHS_3)

    act(human)

    assert fact.id not in agent.archive().facts


def say_again(brain, fact):
    brain.facts.add(fact.said.text, about=["kettle"], evidence=[brain.remember("It is so.")])


@pytest.mark.row("EM-067")
def test_who_says_it_again_or_finds_it_useful_keeps_it_for_as_long(agent, wait):
    heard, cited, wrong = (state(agent, "kettle", f"It is {word}.") for word in ("a", "b", "c"))
    wait(MONTHS_9)
    say_again(agent, heard)
    agent.feedback(cited.id, "cited")
    agent.feedback(wrong.id, "wrong")

    assert agent.archive().facts == (wrong.id,)


def decided(cast, action):
    fact = state(cast("agent"))
    question = cast("agent").review.question(fact.id, reason="is it?")
    seen = cast("human").review.show(question.id)
    cast("human").review.decide(question.id, action, digest=seen.digest)
    return fact


def confirmed(cast):
    return decided(cast, "confirm")


def disputed(cast):
    return decided(cast, "dispute")


def asked(cast):
    fact = state(cast("agent"))
    cast("agent").review.question(fact.id, reason="is it?")
    return fact


KEPT = {
    "a human wrote it": lambda cast: state(cast("human")),
    "a human confirmed it": confirmed,
    "it is an instruction": lambda cast: state(cast("human"), authority="instruction"),
    "it fills a slot": lambda cast: cast("agent").facts.add(
        "It is on.", system="kettle", component="switch"
    ).fact,
    "it was decided": lambda cast: cast("agent").facts.add(
        "It boils.", channel="decision", subject="kettle", predicate="chosen_over", object="teapot"
    ).fact,
    "it is a milestone": lambda cast: cast("agent").facts.add(
        channel="milestone", subject="kettle", predicate="reached", object="boiling"
    ).fact,
    "it is durable": lambda cast: state(cast("agent"), tags=["durable"]),
    "a human is asked about it": asked,
    "it is disputed": disputed,
    "it waits": lambda cast: state(cast("anonymous")),
    "it is past already": lambda cast: state(cast("import")),
}  # fmt: skip


@pytest.mark.row("C-09")
@pytest.mark.parametrize("why", KEPT)
def test_what_somebody_or_something_stands_behind_is_never_put_away_by_rule(cast, wait, why):
    fact = KEPT[why](cast)
    before = cast("human").facts.get(fact.id).life
    wait(10 * MONTHS_9)

    for kind in ("agent", "human", "job"):
        assert cast(kind).archive().facts == ()

    assert cast("human").facts.get(fact.id).life == before


@pytest.mark.row("EM-067")
def test_one_round_takes_so_many_rows_and_bytes_and_says_that_there_is_more(
    agent, wait, monkeypatch
):
    facts = [state(agent, "kettle", f"It is number {number}.").id for number in range(5)]
    wait(MONTHS_3)
    monkeypatch.setattr(archive, "ROWS_MAX", 2)
    first = agent.archive()
    monkeypatch.setattr(archive, "ROWS_MAX", 10)
    monkeypatch.setattr(archive, "BYTES_MAX", first.byte_count)
    second, third = agent.archive(), agent.archive()

    assert [one.facts for one in (first, second, third)] == [
        tuple(facts[:2]), tuple(facts[2:4]), tuple(facts[4:]),
    ]  # fmt: skip
    assert [one.has_more for one in (first, second, third)] == [True, True, False]
    assert (retention.ROWS_MAX, retention.BYTES_MAX) == (10_000, 50 * 1024 * 1024)


@pytest.mark.row("EM-069")
@pytest.mark.parametrize("at_once", [1, 2, 500])
def test_a_dry_run_of_archive_says_what_the_real_run_does_and_writes_nothing(
    agent, wait, whole_store, monkeypatch, at_once
):
    monkeypatch.setattr(archive, "_AT_ONCE", at_once)
    for number in range(7):
        state(agent, f"thing {number % 3}", f"It is number {number}.")
        wait(20 * DAY)
    wait(MONTHS_3)
    state(agent, "thing 1", "It is still there.")
    before = whole_store.digest()

    said = agent.archive(is_dry_run=True)

    assert whole_store.digest() == before
    done = agent.archive()
    assert said.facts
    assert (said.facts, said.byte_count, said.has_more) == (
        done.facts, done.byte_count, done.has_more,
    )  # fmt: skip
    assert agent.archive(is_dry_run=True).facts == ()


@pytest.mark.row("EM-072")
def test_what_nobody_asks_for_happens_once_in_24_hours(cast, wait, whole_store):
    agent, other = cast("agent"), cast("job")
    state(agent)
    wait(MONTHS_3)
    assert len(agent.archive(is_asked=False).facts) == 1
    state(agent, "toaster")
    wait(MONTHS_3)
    assert len(other.archive(is_asked=False).facts) == 1
    state(agent, "fridge")
    before = whole_store.digest()
    wait(DAY - SECOND)

    early = other.archive(is_asked=False)

    assert early.is_early
    assert whole_store.digest() == before
    wait(SECOND)
    assert not other.archive(is_asked=False).is_early


@pytest.mark.row("EM-072")
def test_a_clock_that_went_back_neither_holds_a_round_up_nor_repeats_it(agent, wait):
    state(agent)
    assert not agent.archive(is_asked=False).is_early
    wait(-MONTHS_3)

    assert not agent.archive(is_asked=False).is_early
    assert agent.archive(is_asked=False).is_early


@pytest.mark.row("EM-072")
def test_two_who_begin_at_once_are_one_round(cast, wait, whole_store, monkeypatch):
    agent = cast("agent")
    state(agent)
    wait(MONTHS_3)
    begin = archive._begin_sweep

    def overtaken(*args, **kwargs):
        monkeypatch.setattr(archive, "_begin_sweep", begin)
        assert len(cast("job").archive(is_asked=False).facts) == 1
        return begin(*args, **kwargs)

    monkeypatch.setattr(archive, "_begin_sweep", overtaken)

    assert agent.archive(is_asked=False).is_early
    with whole_store.read() as view:
        assert sum(isinstance(one.event, SweepBegun) for one in view.events(limit=10_000)) == 1


@pytest.mark.row("EM-072")
def test_two_workers_at_once_put_away_once(cast, place, wait, whole_store):
    facts = tuple(state(cast("agent"), "kettle", f"It is number {one}.").id for one in range(9))
    wait(MONTHS_3)
    stores = [place.open() for _ in range(2)]
    workers = [a_brain(one, place.clock, by=Actor("cli", ActorKind.AGENT)) for one in stores]

    with ThreadPoolExecutor(2) as pool:
        swept = list(pool.map(lambda brain: brain.archive(is_asked=False), workers))
    for one in stores:
        one.close()

    assert sorted((one.facts, one.is_early) for one in swept) == [((), True), (facts, False)]
    with whole_store.read() as view:
        assert sum(isinstance(one.event, SweepBegun) for one in view.events(limit=10_000)) == 1


@pytest.mark.row("EM-072")
def test_without_facts_nothing_is_begun(agent, whole_store):
    before = whole_store.digest()
    assert agent.archive(is_asked=False).is_early
    assert whole_store.digest() == before


@pytest.mark.row("EM-067")
def test_a_round_that_was_broken_off_goes_on_where_it_stopped(agent, wait, monkeypatch):
    facts = tuple(state(agent, "kettle", f"It is number {number}.").id for number in range(4))
    wait(MONTHS_3)
    monkeypatch.setattr(archive, "_AT_ONCE", 3)

    def fail(_done):
        raise RuntimeError

    with pytest.raises(RuntimeError):
        agent.archive(progress=fail)

    assert agent.archive().facts == facts[3:]


@pytest.mark.row("EM-067")
def test_what_somebody_spoke_of_meanwhile_stays(agent, wait, whole_store, monkeypatch):
    facts = [state(agent, "kettle", f"It is number {number}.") for number in range(2)]
    wait(MONTHS_3)
    monkeypatch.setattr(archive, "_AT_ONCE", 1)

    swept = agent.archive(progress=lambda _done: say_again(agent, facts[1]))

    assert swept.facts == (facts[0].id,)
    assert lifecycle(agent, facts[1]) is Lifecycle.CURRENT


@pytest.mark.row("EM-067")
def test_a_human_brings_a_round_back_and_it_is_left_alone_for_as_long(agent, human, wait):
    facts = [state(agent, "kettle", f"It is number {number}.") for number in range(3)]
    wait(MONTHS_3)
    agent.archive()
    with pytest.raises(ForbiddenError):
        agent.unarchive()
    human.facts.restore(facts[1].id)

    assert human.unarchive() == (facts[0].id, facts[2].id)

    assert [human.facts.get(one.id).life for one in facts] == [one.life for one in facts]
    with pytest.raises(ConflictError, match="nothing"):
        human.unarchive()
    wait(DAY)
    assert agent.archive().facts == ()
    wait(MONTHS_3)
    assert len(agent.archive().facts) == 3


@pytest.mark.row("EM-067")
def test_owners_are_apart(cast, wait):
    state(cast("agent"))
    other = partial(cast, owner=type(DEFAULT_OWNER)("eve"))
    wait(MONTHS_3)

    assert other("agent").archive().facts == ()
    assert len(cast("agent").archive().facts) == 1
    with pytest.raises(ConflictError):
        other("human").unarchive()


@pytest.mark.row("EM-067")
def test_nobody_in_particular_puts_nothing_away(cast):
    with pytest.raises(ForbiddenError, match="archive facts"):
        cast("anonymous").archive()


@pytest.mark.row("KB-003")
def test_what_nobody_looks_after_folds_what_is_said_again_and_puts_away_what_is_stale(
    captured, agent, place
):
    rule = "From now on always run make lint before a commit."
    for session in ("s1", "s2", "s3"):
        captured.remember(rule, role="user", session_id=session)
        captured.distil()
        place.clock.at += timedelta(hours=1)
    stale = agent.facts.add("The lid is green.", about=["lid"]).fact

    place.clock.at += timedelta(days=91)
    captured.archive(is_asked=False)

    (held,) = captured.facts.list()
    assert (held.said.text, len(held.evidence)) == (rule, 3)
    told = [one.event for one in captured.changes(limit=1000).items]
    archived = [one for one in told if isinstance(one, FactArchived)]
    assert [one.fact_id for one in archived] == [stale.id]
    assert all(one.reason for one in archived)
    folded = [one for one in told if isinstance(one, FactReinforced)]
    assert len(folded) == 2
