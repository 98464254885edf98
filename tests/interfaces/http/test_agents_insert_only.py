"""By a token an agent adds and proposes; whatever replaces or ends is a human's."""

import pytest

from tests.interfaces.http.served import Served
from tests.interfaces.sampling import told_to
from tilth.core.actor import ActorKind
from tilth.core.verb import HUMANS
from tilth.interfaces.http import call_verb


@pytest.mark.row("OB-007")
def test_every_verb_that_is_a_humans_is_refused_to_a_token_of_an_agent_and_changes_nothing(
    served: Served,
):
    kept = served.brain.facts.add("The router is at .1.", system="lab", component="ip").fact
    humans = {path: one for path, one in call_verb.offered().items() if one.roles == HUMANS}
    agent, digest = served.client(), served.brain.parts.store.digest()

    answers = {
        path: agent.post(f"/v1/{path}", json=told_to(verb, served.brain.parts)).status_code
        for path, verb in humans.items()
    }

    assert ActorKind.AGENT not in HUMANS
    assert {path for path, status in answers.items() if status != 403} == set()
    assert len(humans) > 30
    assert served.brain.parts.store.digest() == digest
    assert served.brain.facts.get(kept.id).life == kept.life
