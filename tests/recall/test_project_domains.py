"""Which project sees which domains, on both engines."""

import pytest

from tests.brains import a_brain
from tilth.core.actor import Actor, ActorKind
from tilth.core.errors import NotFoundError
from tilth.runtime.settings import Settings

LAB, APP = "project:work/lab", "project:work/app"
GO, PROXMOX, FLUTTER = "domain:go", "domain:proxmox", "domain:flutter"
TAGGED = (f"{LAB}={GO}", f"{LAB}={PROXMOX}", f"{APP}={FLUTTER}")


@pytest.fixture
def brain(store, place):
    human = Actor("ada", ActorKind.HUMAN)
    brain = a_brain(store, place.clock, by=human, settings=Settings(project_domains=TAGGED))
    for scope in (GO, PROXMOX, FLUTTER, LAB, APP, "global"):
        text = f"Listeners are closed as {scope} says."
        brain.facts.add(text, about=["listeners"], scope=scope)
        brain.remember(text, scope=scope)
        brain.entities.add(f"gateway of {scope}", type="service", scope=scope)
    return brain


def seen(brain, scope):
    """Return the scopes from which anything reaches *scope*, by each kind of read."""
    return {
        "state": {one.fact.life.scope for one in brain.state(scope=scope).facts},
        "list": {fact.life.scope for fact in brain.facts.list(scope=scope)},
        "recall": {hit.scope for hit in brain.recall("How are listeners closed?", scope=scope,
                                                     limit=50).hits},
        "entities": {one.scope for one in brain.entities.list(scope=scope)
                     if one.name.startswith("gateway")},
    }  # fmt: skip


@pytest.mark.row("KB-051")
@pytest.mark.parametrize(
    ("scope", "expected"),
    [
        (LAB, {LAB, GO, PROXMOX, "global"}),
        (APP, {APP, FLUTTER, "global"}),
        ("project:work/other", {"global"}),
        (GO, {GO, "global"}),
    ],
)
def test_a_project_sees_the_domains_that_it_is_given_and_no_others(brain, scope, expected):
    assert seen(brain, scope) == dict.fromkeys(("state", "list", "recall", "entities"), expected)


@pytest.mark.row("KB-051")
def test_what_a_project_does_not_see_is_not_found_by_its_id_either(brain):
    (fact,) = (one for one in brain.facts.list() if one.life.scope == PROXMOX)

    assert brain.facts.get(fact.id, scope=LAB) == fact
    for read in (brain.facts.get, brain.facts.why, brain.facts.history):
        with pytest.raises(NotFoundError):
            read(fact.id, scope=APP)


@pytest.mark.row("KB-051")
def test_a_domain_does_not_look_into_the_projects_that_see_it(brain):
    assert LAB not in seen(brain, GO)["state"]
