"""Reflection on, off or failing: what is captured and recalled is the same, byte for byte."""

import json

import pytest

from tests.playbooks.deployments import deployment
from tests.practice.sessions import SHOP
from tilth.context.model import BriefRequest

ASKED = ("How is the shop deployed?", "make test", "Which port does the router use?")


def golden(brain):
    """Return what a caller reads of the core, in full."""
    told = [
        [brain.recall(question, scope=SHOP) for question in ASKED],
        brain.sessions.list(),
        brain.facts.list(),
        brain.commands.list(is_all=True),
        brain.fixes.list(is_all=True),
        brain.brief(BriefRequest(via="test"), scope=SHOP).blocks,
    ]
    return json.dumps([repr(one) for one in told])


@pytest.mark.row("KB-007", "KB-062", "C-20")
def test_candidates_change_no_answer(brain):
    for day in range(3):
        deployment(brain, f"s{day}", day=day)
    before = golden(brain)

    assert brain.reflect().made_count > 0

    assert golden(brain) == before


@pytest.mark.row("KB-007")
def test_a_tier_that_crashes_changes_no_answer(brain, monkeypatch):
    for day in range(3):
        deployment(brain, f"s{day}", day=day)
    before = golden(brain)
    for name in ("experienced", "draft", "observe", "retire", "lift", "archive"):
        monkeypatch.setattr(f"tilth.playbooks.observing.{name}", lambda *_, **__: 1 / 0)

    done = brain.reflect()

    assert sum(bool(one.error) for one in done.stages) >= 6
    assert golden(brain) == before


@pytest.mark.row("KB-062")
def test_a_worker_whose_tier_is_off_leaves_the_ledger_as_it_is(tilth):
    off = {"TILTH_REFLECTION": "false", "TILTH_EMBEDDER": "none"}
    assert tilth("init").code == 0
    assert tilth("worker", "--once", "--json", environ=off).code == 0

    assert tilth("playbook", "list", "--json", environ=off).answer == {"playbooks": []}
    # Asked for, it runs all the same, and nothing that was there is lost.
    assert tilth("reflect", "--json", environ=off).code == 0


@pytest.mark.row("KB-006")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("./deploy.sh --port 5432", "./deploy.sh --port 5433"),
        ("./release.sh 1.4", "./release.sh 1.5"),
        ("terraform apply -var provider=aws", "terraform apply -var provider=gcp"),
        ("helm upgrade shop --namespace staging", "helm upgrade shop --namespace production"),
        ("kubectl apply -f k8s/a.yaml", "kubectl apply -f k8s/b.yaml"),
    ],
)
def test_another_port_version_provider_environment_or_file_is_never_folded(brain, one, other):
    for day in range(2):
        deployment(brain, f"a{day}", day=day, line=one)
        deployment(brain, f"b{day}", day=day, line=other)

    brain.reflect()

    ends = sorted(book.draft.steps[-1] for book in brain.playbooks.list())
    assert ends == sorted(f"Deploy with `{line}`" for line in (one, other))


@pytest.mark.row("KB-006")
def test_a_hundred_sessions_are_one_playbook_and_a_hundred_more_are_no_other(brain):
    for day in range(50):
        deployment(brain, f"s{day}", day=day)
    brain.reflect()
    before = [one.id for one in brain.playbooks.list()]

    for day in range(50, 100):
        deployment(brain, f"s{day}", day=day)
    for _ in range(2):
        brain.reflect()

    assert [one.id for one in brain.playbooks.list()] == before
    assert len(before) == 1
    (book,) = brain.playbooks.list()
    assert book.evidence.seeds + book.evidence.ok == 100


@pytest.mark.row("KB-068", "KB-070")
def test_the_days_and_what_holds_are_counted(brain):
    for day in range(3):
        deployment(brain, f"s{day}", day=day)
    brain.reflect()

    told = brain.growth()

    assert (told.playbooks, told.skills, told.orphans) == (1, 0, 0)
    assert told.episodes == sum(one.episodes for one in told.days) == 24
    assert told.compression == round(24 / (told.facts + 1), 1)
    assert brain.growth(scope="project:other").playbooks == 0
