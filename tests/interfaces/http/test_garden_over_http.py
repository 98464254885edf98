"""The checkpoints of the garden by HTTP alone: one queue, the same verbs, a human each time."""

import pytest

from tests.garden.plots import DAY, planted, plot
from tests.interfaces.http.served import serving
from tilth.interfaces.http.tokens import Role

# A name in both topics makes a pattern.
_TEXTS = {
    "a": "# Backups\n\nBackups of the shop are made by ResticTool on each of the hosts.\n"
    "Backups must be checked by ResticTool before the tape is written.\n",
    "b": "# Releases\n\nReleases are uploaded with ResticTool after the tag is signed.\n"
    "Releases must be kept in the store of ResticTool for ten years.\n",
}
_SIDES = ("The NAS backs up to the cellar every night.",
          "The NAS does not back up to the cellar every night.")  # fmt: skip
_WEEK = 8 * DAY


@pytest.fixture
def place(make_place_on):
    return make_place_on("sqlite")


@pytest.fixture
def served(tmp_path, place):
    with plot(place.open(), place.clock, tmp_path) as brain:
        planted(brain, _TEXTS)
        with serving(brain, tmp_path) as one:
            yield one


def asked(client, path, status=200, **told):
    answer = client.post(f"/v1/{path}", json=told)
    assert answer.status_code == status, (path, answer.text)
    return answer.json()


def queued(client, kind, suggests=""):
    """Return what waits in the one queue, of a kind."""
    every = asked(client, "review/list", limit=100)["proposals"]
    return [one for one in every if one["draft"]["kind"] == kind
            and one["draft"]["detail"].get("suggests", "") == suggests]  # fmt: skip


def decided(human, agent, proposal, action, **said):
    """Answer as shown; an agent's token is refused for the same request first."""
    told = {"proposal_id": proposal["id"], "action": action, **said}
    told["digest"] = asked(agent, "review/show", proposal_id=proposal["id"])["digest"]
    asked(agent, "review/decide", 403, **told)
    return asked(human, "review/decide", **told)


@pytest.mark.row("GA-027", "T1")
def test_each_checkpoint_is_an_item_of_one_queue_and_answered_by_the_same_verbs(served, place):
    agent, human = served.client(), served.client(Role.REVIEWER, "ana")
    for name in ("backups", "releases"):
        asked(agent, "topics/add", name=name)
    for step in (DAY, _WEEK, DAY):
        asked(agent, "garden/run", is_applied=True)
        place.clock.at += step
    asked(agent, "garden/run", is_applied=True)
    for text in _SIDES:
        asked(agent, "facts/add", text=text, system="NAS")
    asked(agent, "review/scan")

    # New candidates: approved, rejected.
    yes, no, *_ = asked(agent, "garden/candidates")["candidates"]
    for one, action, review in ((yes, "confirm", "confirmed"), (no, "reject", "rejected")):
        decided(human, agent, one["proposal"], action)
        now = asked(agent, "facts/get", fact_id=one["fact"]["id"])
        assert now["life"]["review"] == review

    # A contradiction: acknowledged, taken back, and resolved by naming the side that holds.
    (clash,) = queued(agent, "contradiction")
    one, other = clash["draft"]["facts"]
    decided(human, agent, clash, "dispute")
    assert asked(agent, "facts/get", fact_id=one)["life"]["review"] == "disputed"
    asked(human, "review/undo", proposal_id=clash["id"])
    decided(human, agent, clash, "confirm", keeps=other, retires=[one])
    assert asked(agent, "facts/get", fact_id=other)["life"]["review"] == "confirmed"
    assert asked(agent, "facts/get", fact_id=one)["life"]["lifecycle"] != "current"

    # A pattern: dismissed, taken back, validated.
    (pattern,) = queued(agent, "suggestion", "pattern")
    decided(human, agent, pattern, "reject")
    assert queued(agent, "suggestion", "pattern") == []
    asked(human, "review/undo", proposal_id=pattern["id"])
    decided(human, agent, pattern, "confirm")

    # The digest of a week that is over: acknowledged.
    digest = queued(agent, "suggestion", "digest")[0]
    decided(human, agent, digest, "confirm")

    done = asked(agent, "review/list", states=["decided"], limit=100)["proposals"]
    expected = {yes["proposal"]["id"], no["proposal"]["id"], clash["id"], pattern["id"]}
    assert {*expected, digest["id"]} <= {one["id"] for one in done}
    assert {one["decided_by"]["name"] for one in done} == {"ana"}
