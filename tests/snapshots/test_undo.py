"""Undoing any one operation, with what rests on it, on both engines."""

import pytest

from tests.brains import a_brain
from tests.conftest import a_draft
from tests.garden.plots import cycle, planted, plot
from tests.reads import counted
from tilth.core.actor import Actor, ActorKind
from tilth.core.errors import ConflictError, ForbiddenError, InvalidInputError, NotFoundError
from tilth.core.lifecycle import Lifecycle


@pytest.fixture
def cast(whole_store, place):
    """Make a brain for any kind of actor on a store that is whole in the end."""
    return lambda kind: a_brain(whole_store, place.clock, by=Actor("ada", ActorKind(kind)))


@pytest.fixture
def human(cast):
    return cast("human")


@pytest.fixture
def agent(cast):
    return cast("agent")


def known(store):
    with store.read() as view:
        return view.knowledge_digest()


def last(brain):
    return brain.changes(limit=1000).items[-1]


def effects_of_the_last(brain):
    page = brain.changes(limit=1000)
    found = page.effects.get(page.items[-1].seq, ())
    return [(one.id, one.was, one.now, one.successor) for one in found]


@pytest.mark.row("GA-023")
def test_an_operation_tells_who_why_and_what_was_before(human):
    box = human.entities.add("kettle")
    fact = human.facts.add("It is green.", about=["kettle"]).fact
    human.facts.retire(fact.id, reason="it was painted")
    story = human.operations.get(last(human).event_id)

    assert (story.operation.kind, story.operation.by.name) == ("fact_retired", "ada")
    assert story.reason == "it was painted"
    assert story.before["text"] == "It is green."
    assert story.after["fact_id"] == fact.id
    made = human.operations.get(box.entity.id)
    assert made.before is None
    assert [one.made for one in made.dependants] == [fact.id, ""]


def test_who_looks_at_an_operation_or_plans_to_go_back_reads_no_talk(human, agent):
    taken = human.snapshots.take()
    fact = human.facts.add("It is green.", about=["kettle"]).fact
    human.undo(human.facts.add("It is tall.", about=["kettle"]).fact.id)

    def read():
        with counted() as reads:
            assert human.operations.get(fact.id).dependants == ()
            assert len(human.snapshots.aside()) == 1
            assert human.snapshots.restore(taken.day).aside
        return reads.rows

    before = read()
    agent.remember_many([a_draft(f"pot {number}", session_id="s1") for number in range(300)])
    assert read() < before + 100


def test_what_was_said_with_what_somebody_made_keeps_it_from_being_undone(human, agent):
    who = human.people.introduce("Ada", transport="email", address="ada@example.org").added
    talk = agent.conversations.create("Ada", "email").conversation
    agent.conversations.add(talk.id, "The lease is signed.")

    rests = {one.kind for one in human.operations.get(who.entity.id).dependants}

    assert {"conversation_begun", "episode_recorded"} <= rests
    with pytest.raises(InvalidInputError, match="it happened"):
        human.undo(who.entity.id, with_dependants=True)


def test_what_changed_says_what_an_undo_let_hold_and_cease_and_its_undo_too(human):
    router = {"system": "lab", "component": "router", "scope": "project:lab"}
    old = human.facts.add("The router is at 192.0.2.1.", **router).fact
    new = human.facts.add("The router is at 192.0.2.9.", **router).fact

    undone = human.undo(new.id)
    first = effects_of_the_last(human)
    human.undo(undone.id)
    second = effects_of_the_last(human)

    assert first == [(new.id, "current", "set aside", ""), (old.id, "superseded", "current", "")]
    assert second == [
        (new.id, "set aside", "current", ""),
        (old.id, "current", "superseded", new.id),
    ]
    assert "set aside" not in str(human.changes(limit=1000, scope="project:other").effects)


def test_an_undo_is_told_with_its_reason_or_else_with_how_much_it_undid(human):
    added = human.entities.add("router", type="thing").entity

    undone = human.undo(added.id, reason="it was a typo")
    human.undo(undone.id)

    told = [(one.headline.kind, one.headline.text) for one in human.changes(limit=100).items]
    assert told[-2:] == [("set aside", "it was a typo"), ("brought back", "1 operation")]


def test_a_draft_that_is_set_aside_held_nothing(human, agent):
    router = {"system": "lab", "component": "router"}
    human.facts.add("The router is at 192.0.2.1.", **router, scope="project:lab")
    asked = agent.facts.add("It is at 192.0.2.9.", **router, scope="project:lab")

    human.undo(asked.fact.id, with_dependants=True)

    assert effects_of_the_last(human) == []


@pytest.mark.row("GA-023")
def test_what_a_cycle_and_an_answer_to_it_changed_says_who_why_and_what_was_there(
    whole_store, place, tmp_path
):
    garden = plot(whole_store, place.clock, tmp_path)
    planted(garden)
    garden.topics.add("backups")
    cycle(garden)
    yes, no = garden.garden.candidates()[:2]

    found = garden.operations.get(yes.fact.id)
    assert (found.operation.by.name, found.operation.by.kind) == ("garden", "job")
    assert (found.before, found.after["text"]) == (None, yes.fact.said.text)
    assert found.reason == "found in a source about backups"
    for one, action, note in ((yes, "confirm", ""), (no, "reject", "out of date")):
        digest = garden.review.show(one.proposal.id).digest
        getattr(garden.review, action)(one.proposal.id, digest=digest, note=note)
        answer = garden.operations.get(last(garden).event_id)
        assert answer.operation.by.name == "ana"
        assert answer.reason == (note or "found in a source about backups")
        assert answer.before["facts"] == [one.fact.id]
        assert answer.after["action"] == action
        garden.undo(answer.operation.id)
        assert garden.facts.get(one.fact.id).life.review == "unreviewed"


@pytest.mark.row("GA-024")
def test_what_rests_on_an_operation_is_listed_and_goes_only_where_it_is_named(human, whole_store):
    before = known(whole_store)
    box = human.entities.add("kettle").entity
    fact = human.facts.add("It is green.", about=["kettle"]).fact
    with whole_store.read() as view:
        evidence = [one.event_id for one in view.events() if one.event.kind == "episode_recorded"]
    full = known(whole_store)

    with pytest.raises(ConflictError, match=f"1 later operations.*{fact.id}") as refused:
        human.undo(box.id)
    assert "--with-dependants" in refused.value.hint
    assert known(whole_store) == full
    human.undo(box.id, dependants=[fact.id])
    assert known(whole_store) == before
    with pytest.raises(NotFoundError):
        human.facts.get(fact.id)
    assert human.episodes.get(f"epi_{evidence[0]}").text == "It is green."
    with pytest.raises(ConflictError, match="undone before"):
        human.undo(box.id)


@pytest.mark.row("GA-024")
def test_a_decision_is_taken_back_as_its_kind_says(human, agent):
    fact = agent.facts.add("The kettle is green.", about=["kettle"]).fact
    asked = agent.review.question(fact.id, reason="is it?")
    human.review.reject(asked.id, digest=human.review.show(asked.id).digest)
    decision = last(human).event_id

    done = human.undo(decision)

    assert human.facts.get(fact.id).life.lifecycle is Lifecycle.CURRENT
    assert human.review.list().waiting == 1
    assert [one.id for one in done.operations] == [decision]
    assert done.id == ""
    with pytest.raises(ConflictError, match="undone before"):
        human.undo(decision)
    with pytest.raises(InvalidInputError, match="waits"):
        human.undo(last(human).event_id)


def test_what_holds_a_place_by_now_is_not_pushed_out(human):
    told = {"system": "lab", "component": "dns"}
    old = human.facts.add("DNS answers on .110.", **told).fact
    human.facts.retire(old.id, reason="switched off")
    ended = last(human).event_id
    human.facts.add("DNS answers on .120.", **told)

    with pytest.raises(ConflictError):
        human.undo(ended)
    assert [one.said.text for one in human.facts.list(lifecycles=["current"])] == [
        "DNS answers on .120."
    ]


def test_what_was_said_is_not_undone_and_nobody_undoes_but_a_person(human, agent):
    said = agent.remember("we painted the kettle")
    with pytest.raises(InvalidInputError, match="it happened"):
        human.undo(said)
    fact = agent.facts.add("It is green.", about=["kettle"]).fact
    with pytest.raises(ForbiddenError, match="only a human"):
        agent.undo(fact.id)
    with pytest.raises(NotFoundError, match="no operation"):
        human.undo("fct_01KAR000000000000000000000")


@pytest.mark.row("GA-023")
def test_what_goes_by_a_name_tells_what_was_there_before_too(human, tmp_path):
    """A page, a section of it, a word, a project, a repository that takes TODOs: none has an ID."""

    def told(act, *words, **named):
        act(*words, **named)
        return human.operations.get(last(human).event_id)

    human.facts.add("The kettle is green.", about=["kettle"])
    page = human.pages.compile("entity", "kettle").page
    compiled = human.operations.get(last(human).event_id)
    slug = human.pages.get(page.name).page.sections[0].section.slug
    human.remember("The till is old.", scope="project:shop")
    (tmp_path / ".git").mkdir()

    locked = told(human.pages.lock, page.name, slug, "My own words.")
    unlocked = told(human.pages.unlock, page.name, slug)
    removed = told(human.pages.remove, page.name)
    word = told(human.words.register, "predicate", "sits_beside")
    alias = told(human.words.alias, "predicate", "sits_near", of="sits_beside")
    other = told(human.words.register, "predicate", "sits_above")
    paused = told(human.projects.move, "project:shop", "paused")
    active = told(human.projects.move, "project:shop", "active")
    chosen = told(human.gaps.opt_in, str(tmp_path))
    ended = told(human.gaps.opt_out)

    assert locked.before == removed.before == compiled.after
    assert unlocked.before == locked.after
    assert alias.before == word.after
    assert active.before == paused.after
    assert ended.before == chosen.after
    first = (compiled, word, other, paused, chosen)
    assert [one.before for one in first] == [None] * len(first)


ROUTER = {"system": "lab", "component": "router"}


def refused(act, whole_store, *, names):
    """Return what an act says that is refused: in words, with what stands there, and no change."""
    full = known(whole_store)
    with pytest.raises(ConflictError) as said:
        act()
    told = f"{said.value} ({said.value.hint})"
    assert names in told
    assert "tilth undo" in said.value.hint
    assert "constraint" not in told
    assert known(whole_store) == full
    return told


@pytest.mark.row("GA-025")
def test_what_comes_back_to_a_place_that_is_taken_is_refused_in_words(human, whole_store):
    human.facts.add("Router is at .1", **ROUTER)
    aside = human.undo(human.facts.add("Router is at .2", **ROUTER).fact.id)
    third = human.facts.add("Router is at .3", **ROUTER).fact

    told = refused(lambda: human.snapshots.reapply(aside.id), whole_store, names=third.id)

    assert "Router is at .3" in told
    human.undo(third.id)
    human.snapshots.reapply(aside.id)
    assert [one.said.text for one in human.facts.list()] == ["Router is at .2"]


@pytest.mark.row("GA-024")
def test_an_end_whose_place_is_taken_since_is_not_undone_and_says_by_what(human, whole_store):
    old = human.facts.add("Router is at .1", **ROUTER).fact
    human.facts.retire(old.id, reason="moved")
    ended = last(human).event_id
    third = human.facts.add("Router is at .3", **ROUTER).fact

    refused(lambda: human.undo(ended), whole_store, names=third.id)

    human.undo(third.id)
    human.undo(ended)
    assert [one.id for one in human.facts.list()] == [old.id]


@pytest.mark.row("GA-025")
@pytest.mark.parametrize("what", ["topic", "address", "tool", "fact"])
def test_what_is_there_again_does_not_come_back_beside_it(human, whole_store, what):
    ada = human.entities.add("Ada", type="person").entity.id
    made = {
        "topic": lambda: human.topics.add("backups"),
        "address": lambda: human.people.link(ada, "matrix", "@ada:example.org"),
        "tool": lambda: human.entities.add("Kettle", type="tool"),
        "fact": lambda: human.facts.add("zz", about=["Ada"]),
    }[what]
    made()
    aside = human.undo(last(human).event_id)
    made()
    again = last(human)

    refused(lambda: human.snapshots.reapply(aside.id), whole_store, names=again.event_id)

    human.undo(again.event_id)
    human.snapshots.reapply(aside.id)


@pytest.mark.row("GA-024")
def test_a_fact_that_is_stated_anew_is_not_there_twice_when_its_end_is_undone(human, whole_store):
    old = human.facts.add("zz", about=["kettle"]).fact
    human.facts.retire(old.id, reason="no")
    ended = last(human).event_id
    new = human.facts.add("zz", about=["kettle"]).fact

    refused(lambda: human.undo(ended), whole_store, names=new.id)


@pytest.mark.row("GA-025")
def test_a_fact_comes_back_once_what_was_stated_anew_has_ended(human):
    old = human.facts.add("zz", about=["kettle"]).fact
    aside = human.undo(old.id)
    new = human.facts.add("zz", about=["kettle"]).fact
    human.facts.retire(new.id, reason="no")

    human.snapshots.reapply(aside.id)

    assert [one.id for one in human.facts.list()] == [old.id]
