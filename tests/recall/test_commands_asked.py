"""A question that asks for a command is answered by those that work here, before what was said."""

import pytest

import tilth
from tests.practice.sessions import SHOP, Session


@pytest.fixture
def ran(brain):
    """Let several sessions run the commands of a project."""
    for number in range(2):
        session = Session(brain, f"s{number}").asks("the tests failed, why? fix them please")
        session.ran("make test", "3 passed").ran("mise run fmt").ran("make deploy-staging")
        session.ran("npm test", "npm ERR! missing script: test", failed=True)
    for number in range(3):
        Session(brain, f"i{number}").ran("make test-integration", "9 passed")
    return brain


def asked(brain, question, **options):
    found = brain.recall(question, limit=3, scope=SHOP, **options)
    return [one.shown for one in found.commands]


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("how do I run the tests", ["make test-integration", "make test"]),
        ("How do we run the whole test suite locally?", ["make test-integration", "make test"]),
        ("run the integration tests", ["make test-integration"]),
        ("Which command formats the code?", ["mise run fmt"]),
        ("How is it deployed to staging?", ["make deploy-staging"]),
        ("How is it deployed to production?", []),
        ("why did the tests fail?", []),
        ("did the integration tests pass yesterday", []),
        ("how do I run it", []),
        ("where do the tests of the parser stand", []),
    ],
)
@pytest.mark.on_sqlite(but=3)
def test_what_a_question_asks_for_is_told_and_nothing_that_it_does_not(ran, question, told):
    assert asked(ran, question) == told


def test_a_command_answers_where_nothing_was_said(ran):
    found = ran.recall("fmt", scope=SHOP)

    assert found.answerable
    assert [one.shown for one in found.commands] == ["mise run fmt"]


@pytest.mark.parametrize(
    "options",
    [{"kinds": ["message"]}, {"as_of": "2020-01-01"}, {"tiers": ["episode"]}],
)
def test_commands_are_left_out_where_something_else_is_asked_for(ran, options):
    assert asked(ran, "how do I run the tests", **options) == []


def test_a_command_that_somebody_refuses_is_not_told(ran):
    said = "Always use `make test-integration`, not `make test`, to check things here."
    Session(ran, "s9", day=4).asks(said)
    ran.distil(is_asked=True)

    assert asked(ran, "how do I run the tests") == ["make test-integration"]


def test_the_terminal_tells_the_command_first(ready):
    with tilth.connect(ready.store) as brain:
        for number in range(2):
            Session(brain, f"s{number}", scope="global").ran("make test", "3 passed")

    told = ready("recall", "how", "do", "I", "run", "the", "tests").out

    assert told.startswith("test  make test  2 sessions, 2 ok\n")


def test_commands_of_another_project_are_not_told(ran):
    assert ran.recall("how do I run the tests", scope="project:work/other").commands == ()
