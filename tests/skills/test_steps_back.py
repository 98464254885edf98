"""Each step up is one at a time, and going one back restores what agents read exactly (I27)."""

import json
from pathlib import Path

import pytest

from tests.playbooks.deployments import deployment
from tests.practice.sessions import SHOP
from tilth.context.model import BriefRequest
from tilth.core.errors import ConflictError


def reads(brain, home):
    """Return what an agent reads: briefs, recall, what is known, and the files it loads."""
    files = {str(one): one.read_text() for one in Path(home).rglob("*") if one.is_file()}
    told = [
        brain.brief(BriefRequest(via="test"), scope=SHOP).text,
        [hit.text for hit in brain.recall("how is the shop deployed", scope=SHOP).hits],
        [(one.id, one.state, one.digest, one.evidence) for one in brain.playbooks.list()],
        [(one.id, one.state, one.digest, one.places) for one in brain.skills.list()],
        [(one.id, one.life) for one in brain.facts.list(limit=1000)],
        [brain.facts.outcomes(one.id).maturity for one in brain.facts.list(limit=1000)],
    ]
    return json.dumps([repr(one) for one in told]), files


@pytest.fixture
def home(tmp_path):
    made = tmp_path / "shop"
    (made / ".git").mkdir(parents=True)
    return str(made)


@pytest.fixture
def steps(brain, human, home):
    """A playbook and a skill of it, both candidates, and each step up that a human may take."""
    for day in range(3):
        deployment(brain, f"s{day}", day=day, scope="global")
    brain.reflect()
    (book,), (skill,) = brain.playbooks.list(), brain.skills.list()
    fact = brain.facts.add("The shop runs on two machines.", about=["shop"]).fact
    proof = human.remember("The shop runs on two machines, I looked.", role="user")
    # Whoever undoes something makes the vectors that are missing; here they were never made.
    human.undo(human.facts.add("A slip.", about=["slip"]).fact.id)

    def last(kind):
        with human.parts.store.read() as view:
            return [one.event_id for one in view.later(0) if one.event.kind == kind][-1]

    def confirm():
        human.playbooks.confirm(book.id, digest=book.digest)
        return last("playbook_moved")

    def approve():
        human.skills.approve(skill.id, digest=skill.digest, folder=home)
        return last("skill_moved")

    def promote():
        brain.facts.outcome(fact.id, "operational_verified", evidence=[proof])
        return last("outcome_observed")

    return {"playbook": confirm, "skill": approve, "fact": promote}


@pytest.mark.row("I27", "KB-038", "I26")
@pytest.mark.parametrize("what", ["playbook", "skill", "fact"])
def test_a_step_up_that_is_undone_leaves_every_read_as_it_was(human, steps, home, what):
    before = reads(human, home)
    operation = steps[what]()
    assert reads(human, home) != before

    human.undo(operation, with_dependants=True)

    human.reflect()
    assert reads(human, home) == before
    assert list(human.parts.store.verify()) == []


@pytest.mark.row("I27")
def test_no_step_is_taken_twice_or_left_out(human, steps, home):
    (skill,) = human.skills.list()
    steps["playbook"]()
    with pytest.raises(ConflictError):
        steps["playbook"]()
    assert human.skills.get(skill.id).skill.state == "candidate"
    assert not (Path(home) / ".claude").exists()
    steps["skill"]()
    with pytest.raises(ConflictError):
        steps["skill"]()
