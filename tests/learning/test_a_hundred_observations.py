"""A hundred sessions are a handful of facts and two playbooks, and a hundred more are no others."""

import pytest

from tests.playbooks.deployments import DEPLOY, deployment
from tests.practice.sessions import SHOP, Session
from tilth.episodes.episode import Role

# Five wishes, each in seven wordings: what people ask for again they seldom say in the same words.
WISHES = (
    (
        "commit this, then push and open a draft PR",
        "please commit, push and open a draft PR",
        "commit, push, open the draft PR",
        "commit and push it, and open a draft PR please",
        "ok, commit, push, then open a draft PR",
        "commit everything, push, and open a draft PR",
        "push the commit and open a draft PR",
    ),
    (
        "ask any questions before the refactoring begins",
        "please ask your questions before any refactoring",
        "questions before refactoring: ask them all",
        "ask questions before you begin a refactoring",
        "before the refactoring, ask any questions",
        "ask me questions before refactoring anything",
        "no refactoring before you ask all questions",
    ),
    (
        "log the follow-up in Linear, project Troy",
        "log a Linear issue in the project Troy",
        "please log an improvement in Linear, project Troy",
        "log that bug in Linear, project Troy please",
        "create a Linear ticket in project Troy and log the context",
        "log both in Linear under project Troy",
        "log the idea in Linear, project Troy, for later",
    ),
    (
        "write the summary in German for the customers",
        "the summary for the customers in German please",
        "please write a German summary for customers",
        "customers want the summary in German, write it",
        "write customers a summary in German",
        "a German summary for our customers please",
        "write the German summary for the customers now",
    ),
    (
        "sketch the schema of the table before the migration",
        "please sketch the schema before any migration",
        "sketch the schema first, before the migration",
        "before the migration sketch the schema of the table",
        "sketch the new schema before you write the migration",
        "sketch the schema, and only then write the migration",
        "sketch the schema of both tables before the migration",
    ),
)
STAGING = DEPLOY.replace("production", "staging")


def hundred(brain, first):
    """Seventy sessions that ask for one of five things, and thirty that deploy."""
    for number in range(70):
        day = first + number
        wish = WISHES[number % 5]
        Session(brain, f"w{day}", day=day).asks(wish[number % 7])
        if number % 7 in {0, 2, 4}:
            deployment(brain, f"d{day}", day=day, line=DEPLOY if number % 2 else STAGING)
        if number % 35 == 34:
            # As it comes: a worker distils long before a hundred sessions are there.
            brain.distil()
    brain.reflect()


def live(brain):
    return len(brain.facts.list(scope=SHOP, limit=1000)), len(brain.playbooks.list())


def reached(brain):
    """Return the sessions that facts rest on, by the episodes that they quote."""
    facts = brain.facts.list(scope=SHOP, limit=1000)
    said = [brain.episodes.get(of.episode_id) for fact in facts for of in fact.evidence]
    return {one.session_id for one in said if one.role is Role.USER}


@pytest.mark.row("KB-006")
def test_a_hundred_observations_are_ten_facts_and_two_playbooks_at_most(brain):
    for begin in (0, 100):
        hundred(brain, begin)
        if begin == 0:
            facts, playbooks = first = live(brain)
            assert 5 <= facts <= 10
            assert playbooks == 2
            assert len(reached(brain)) == len(brain.sessions.list(limit=1000)) == 100

    assert sum(live(brain)) < 2 * sum(first)
    assert live(brain) == first
    assert len(reached(brain)) == 200
