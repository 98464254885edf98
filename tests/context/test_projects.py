"""A project at rest is told to nobody unasked, and comes back as it was (KB-127)."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from tests.brains import a_brain
from tests.playbooks.deployments import deployment
from tests.practice.sessions import SHOP
from tests.program import acting
from tilth.context.model import BriefRequest, ProjectState
from tilth.context.pitfalls import ToolFailure
from tilth.core.actor import Actor, ActorKind
from tilth.core.errors import ConflictError, ForbiddenError, InvalidInputError, NotFoundError
from tilth.runtime.settings import Settings

OTHER = "project:work/forge"
EVERYWHERE, OURS, OF_DOMAIN = "Never push on a Friday.", "Ship with make ship.", "Pin every tool."
ADA = Actor("ada", ActorKind.HUMAN)


@pytest.fixture
def human(store, place):
    made = a_brain(
        store,
        place.clock,
        by=ADA,
        settings=Settings(project_domains=(f"{SHOP}=domain:go", f"{OTHER}=domain:go")),
    )
    for scope, rule in (("global", EVERYWHERE), (SHOP, OURS), ("domain:go", OF_DOMAIN)):
        made.facts.add(rule, about=["work"], scope=scope, authority="instruction")
    deployment(made, "s1")
    return made


def told(brain, scope=SHOP, **asked):
    return brain.brief(BriefRequest(via="test", **asked), scope=scope).text


@pytest.mark.row("KB-127")
@pytest.mark.parametrize("state", ["paused", "archived"])
def test_of_a_project_at_rest_only_what_is_global_is_told_until_it_is_taken_up_again(
    human, store, place, state
):
    before = told(human), told(human, question="how do we ship the shop")
    assert OURS in before[0]
    failure = ToolFailure(tool="Bash", call='Bash: {"command": "make ship"}', error="denied")

    moved = human.projects.move(SHOP, state)

    assert (moved.scope, moved.state, moved.is_at_rest) == (SHOP, state, True)
    resting = told(human)
    assert EVERYWHERE in resting
    assert OF_DOMAIN in resting
    assert OURS not in resting
    assert "deploy" not in resting
    assert OURS not in told(human, question="how do we ship the shop")
    assert human.pitfall(failure, scope=SHOP) is None
    # Whoever asks finds it, and what happens there is recorded as before.
    assert human.recall("make ship", scope=SHOP).hits[0].text == OURS
    assert human.remember("The lid is green.", scope=SHOP, session_id="s2")
    assert EVERYWHERE in told(human, OTHER)

    with closing(place.open()) as again:
        resumed = told(a_brain(again, place.clock, by=ADA))
        assert EVERYWHERE in resumed
        assert OURS not in resumed
    store.rebuild()
    assert [one.scope for one in human.projects.list(state=state)] == [SHOP]
    human.projects.move("work/shop", "active")
    assert OURS in told(human)
    assert list(store.verify()) == []


@pytest.mark.row("KB-127")
def test_an_archived_project_is_listed_where_it_is_asked_for(human):
    human.remember("The forge is hot.", scope=OTHER, session_id="s9")
    human.projects.move(OTHER, "archived")

    assert [one.scope for one in human.projects.list()] == [SHOP]
    assert [one.scope for one in human.projects.list(state="archived")] == [OTHER]
    assert [one.scope for one in human.projects.list(scope=SHOP)] == [SHOP]


@pytest.mark.row("KB-127")
@pytest.mark.parametrize("state", ["paused", "archived"])
def test_whoever_reads_the_brief_of_a_project_at_rest_is_told_that_it_rests(human, state):
    assert not human.brief(BriefRequest(), scope=SHOP).is_at_rest

    human.projects.move(SHOP, state)

    assert human.brief(BriefRequest(), scope=SHOP).is_at_rest
    assert not human.brief(BriefRequest(), scope=OTHER).is_at_rest
    assert not human.brief(BriefRequest()).is_at_rest
    human.projects.move(SHOP, "active")
    assert not human.brief(BriefRequest(), scope=SHOP).is_at_rest


@pytest.mark.row("KB-127")
def test_a_command_line_says_how_a_project_is_taken_up_again(ready):
    ready("remember", "The lid is green.", "--scope", SHOP)
    assert "nothing to tell in" in ready("brief", "--scope", SHOP).err
    again = f"tilth project move {SHOP} active"
    with acting("human"):
        assert again in ready("project", "move", SHOP, "paused").err
        told = ready("brief", "--scope", SHOP)
        assert (told.out, again in told.err) == ("", True)
        ready("project", "move", SHOP, "active")
    assert "at rest" not in ready("brief", "--scope", SHOP).err


def test_only_a_human_moves_a_project_that_is_there_and_not_so_already(human, store, place):
    agent = a_brain(store, place.clock)
    with pytest.raises(ForbiddenError):
        agent.projects.move(SHOP, "paused")
    with pytest.raises(NotFoundError, match="nothing was recorded"):
        human.projects.move("project:nowhere", "paused")
    with pytest.raises(ConflictError, match="active already"):
        human.projects.move(SHOP, "active")
    with pytest.raises(InvalidInputError, match="no project"):
        human.projects.move("domain:go", "paused")
    with pytest.raises(InvalidInputError):
        human.projects.move(SHOP, "asleep")
    assert [one.state for one in human.projects.list()] == [ProjectState.ACTIVE]


def test_of_several_who_pause_a_project_at_once_one_does(human, store):
    def pause(_):
        try:
            return human.projects.move(SHOP, "paused").state
        except ConflictError:
            return None

    with ThreadPoolExecutor(4) as pool:
        done = list(pool.map(pause, range(4)))

    assert sorted(map(str, done)) == ["None", "None", "None", "paused"]
    assert list(store.verify()) == []


@pytest.mark.row("KB-127")
def test_what_is_put_away_comes_back(human):
    fact = human.facts.add("The rack is full.", about=["rack"]).fact.id
    human.entities.add("ana", type="person")
    talk = human.conversations.create("ana", transport="email").conversation
    deployment(human, "s3", day=1)
    human.reflect()
    (book,) = human.playbooks.list()

    human.facts.archive(fact)
    human.conversations.archive(talk.id)
    human.playbooks.veto(book.id)

    assert fact not in [one.id for one in human.facts.list()]
    human.facts.restore(fact)
    human.conversations.resume(talk.id)
    human.playbooks.restore(book.id)
    assert fact in [one.id for one in human.facts.list()]
    assert human.conversations.get(talk.id).status == "active"
    assert [one.state for one in human.playbooks.list()] == ["candidate"]
