"""Excluded terms become no fact and are told to nobody, whenever they were said (KB-113)."""

from datetime import timedelta

import pytest

from tests.brains import a_brain
from tests.fakes import START, FixedClock
from tilth.context.model import BriefRequest
from tilth.core.actor import HOOKS
from tilth.core.errors import InvalidInputError
from tilth.interfaces.http import call_verb
from tilth.runtime.settings import Settings

WORK = "project:acme/api"
SECRET = Settings(excluded_terms=("Zephyr", "東京"))


@pytest.fixture
def store(whole_store):
    return whole_store


@pytest.fixture
def clock():
    return FixedClock(START + timedelta(days=1))


@pytest.fixture
def quiet(store, clock):
    """A brain with terms that are left out."""
    return a_brain(store, clock, settings=SECRET)


@pytest.fixture
def plain(store, clock):
    """The same brain without."""
    return a_brain(store, clock)


def say(brain, text):
    """Have a hook capture what a person typed."""
    brain = call_verb.acting(brain, HOOKS)
    return brain.remember(text, session_id="s1", at=START, scope=WORK)


@pytest.mark.row("KB-113")
@pytest.mark.parametrize(
    "text", ['/remember "Zephyr uses Postgres"', "/remember Ana flies to 東京都 in May"]
)
def test_on_the_way_in_nothing_is_stated_of_an_excluded_term(quiet, plain, text):
    say(quiet, text)

    done = quiet.distil()

    assert plain.facts.list(scope=WORK) == []
    assert done.left["excluded"] == 1


@pytest.mark.row("KB-113")
def test_what_is_known_already_is_told_without_it(quiet, plain):
    say(plain, '/remember "Zephyr uses Postgres"')
    plain.distil()
    episode_id = say(plain, "The zephyr engine was oiled before it was moved to thor.")

    ada = plain.people.introduce("Ada", traits={"project": "works on Zephyr"}).added.entity.id
    talk = plain.conversations.create(ada, "irc", topic="about Zephyr").conversation.id
    plain.conversations.add(talk, "We decided to oil Zephyr.")
    plain.conversations.archive(talk)

    told = [
        quiet.conversations.context(talk),
        quiet.people.interactions("Ada"),
        quiet.people.profile("Ada"),
        quiet.recall("Which engine was oiled and moved to thor?"),
        quiet.state(scope=WORK),
        quiet.fetch([episode_id]),
        quiet.about("Zephyr"),
        quiet.brief(BriefRequest(is_asked=True)),
        quiet.brief(
            BriefRequest(question="Was the engine oiled and moved to thor?", is_asked=True)
        ),
    ]

    assert [one for one in told if "zephyr" in str(one).casefold()] == []
    assert "We decided to oil ██████." in told[0].text
    assert "oiled" in str(told[3])
    assert "██████ uses Postgres" in str(told[4])


@pytest.mark.row("KB-113")
def test_the_record_keeps_what_was_said(quiet, plain):
    episode_id = say(quiet, "Zephyr is late.")

    assert plain.fetch([episode_id])[0].text == "Zephyr is late."
    assert quiet.verify().is_whole


def test_a_list_that_cannot_be_read_is_refused_at_once(store, clock):
    with pytest.raises(InvalidInputError, match="cannot be left out"):
        a_brain(store, clock, settings=Settings(excluded_terms=("...",)))
