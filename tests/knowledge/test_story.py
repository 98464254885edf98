"""The story so far, and what changed in it since somebody looked last, on both engines."""

from datetime import timedelta

import pytest

from tests.brains import a_brain
from tests.context.test_brief import OPENING, WORK, said
from tests.fakes import START, FixedClock
from tests.gaps.test_gap_scan import PDF, say
from tests.playbooks.deployments import deployment
from tilth.context.model import BriefRequest
from tilth.core.actor import Actor, ActorKind
from tilth.core.event import HasHeadline
from tilth.knowledge.vocabulary.registries import EdgeKind

KINDS_TOLD = {
    "AliasAdded",
    "ChangeUndone",
    "EdgeRecorded",
    "EdgeRetired",
    "EntitiesMerged",
    "EntityRecorded",
    "EntitySplit",
    "EpisodeRecorded",
    "FactArchived",
    "FactRecorded",
    "FactReinforced",
    "FactRetired",
    "ProposalDecided",
    "ProposalOpened",
}
PI_HOLE = {"area": "Network", "system": "pi-hole", "component": "ip", "scope": WORK}


@pytest.fixture
def clock():
    return FixedClock(START + timedelta(days=1), step=timedelta(milliseconds=1))


@pytest.fixture
def brain(store, clock):
    return a_brain(store, clock)


@pytest.fixture
def human(store, clock):
    return a_brain(store, clock, by=Actor("ada", ActorKind.HUMAN))


def _capture(agent, human):
    del human
    agent.remember_many([said("Move the queue off Redis."), said("We decided on Postgres.")])
    agent.remember('/remember "Marina is CTO at Acme"', session_id="s2", scope=WORK)
    agent.distil()


def _settle(agent, human):
    human.facts.add("DNS answers on .100.", **PI_HOLE)
    waiting = agent.facts.add("DNS answers on .200.", **PI_HOLE)
    seen = human.review.show(waiting.proposal_id)
    human.review.confirm(
        waiting.proposal_id, digest=seen.digest, retires=[fact.id for fact in seen.retires]
    )
    seen_at = agent.remember("dig says DNS answers on .200.", session_id="s2", scope=WORK)
    agent.facts.add("DNS answers on .200.", evidence=[seen_at], **PI_HOLE)


def _tidy(agent, human):
    old = agent.facts.add("The NAS is full.", about=["nas"], scope=WORK).fact
    agent.facts.archive(old.id)
    agent.facts.restore(old.id)
    human.facts.retire(old.id, reason="emptied")


def _relate(agent, human):
    kettle = human.entities.add("kettle", scope=WORK).entity
    other = human.entities.add("teapot", scope=WORK).entity
    human.entities.alias(kettle.id, "boiler")
    edge = agent.edges.add(kettle.id, EdgeKind.USES, "mains", scope=WORK).edge
    human.edges.retire(edge.id)
    human.entities.merge(kettle.id, other.id)
    human.entities.split(other.id)


def _look(agent, human):
    del human
    agent.receipts.keep(agent.brief(OPENING, scope=WORK).context)
    (hit, *_) = agent.recall("queue", scope=WORK).hits
    agent.feedback(hit.id, "cited", scope=WORK)
    agent.brief(BriefRequest(question="where is the queue"), scope=WORK)


STORY = (_capture, _settle, _tidy, _relate, _look)


def _write_up(agent, human):
    """X-01: a page goes stale by the newer value, and is compiled again."""
    human.pages.compile("system-state", system="pi-hole", scope=WORK, name="dns")
    human.facts.add("DNS answers on .210.", **PI_HOLE)
    assert human.pages.get("dns").page.is_stale
    agent.pages.refresh("dns")


def _deploy(agent, human):
    """X-05: what was done three times."""
    del human
    for day in range(3):
        deployment(agent, f"deploy{day}", day=day, scope=WORK)


def _meet(agent, human):
    """X-07: one person on two channels."""
    ada = human.entities.add("Ada Lovelace", type="person", scope=WORK).entity
    agent.people.link(ada.id, "matrix", "@ada:example.org", confidence="suggested")
    human.people.link(ada.id, "email", "ada@example.org", confidence="confirmed")


def _lack(agent, human):
    """X-09: the same is asked three times in other words."""
    del human
    say(agent, *PDF, scope=WORK)
    agent.gaps.scan()


def _forget(agent, human):
    """X-08: what was said is erased."""
    (hit, *_) = [
        one for one in agent.recall("PDF of my notes", scope=WORK).hits if one.tier == "episode"
    ]
    plan = human.erase.plan(episodes=[hit.id])
    human.erase.confirm(plan.digest, episodes=[hit.id])


# The chapters that scenarios tell, one after the other.
SCENARIOS = (*STORY, _write_up, _deploy, _meet, _lack, _forget)


def pages(brain, since, limit):
    """Return all that changed, read page by page, and the cursor at the end."""
    found = []
    while True:
        page = brain.changes(since, limit=limit)
        found += page.items
        since = page.cursor
        if not page.has_more:
            return found, since


@pytest.mark.row("X-13")
@pytest.mark.parametrize("limit", [1, 3, 1000])
def test_what_changed_is_complete_in_order_and_told_once(brain, human, store, limit):
    begin = brain.changes(limit=1).cursor
    for chapter in STORY:
        chapter(brain, human)
    with store.read() as view:
        happened = [one for one in view.events() if isinstance(one.event, HasHeadline)]

    told, cursor = pages(brain, begin, limit)

    seqs = [one.seq for one in told]
    assert seqs == sorted(set(seqs))
    assert seqs == [one.seq for one in happened]
    assert {type(one.event).__name__ for one in told} >= KINDS_TOLD
    assert pages(brain, cursor, limit) == ([], cursor)


@pytest.mark.row("X-13")
def test_whoever_looks_after_each_chapter_meets_each_change_once(brain, human):
    looked, cursor = [], brain.changes(limit=1).cursor
    for chapter in STORY:
        chapter(brain, human)
        found, cursor = pages(brain, cursor, 2)
        looked.append([one.seq for one in found])

    everything, _ = pages(brain, "", 1000)
    met = [seq for seqs in looked for seq in seqs]
    assert met == [one.seq for one in everything]
    # Looking, voting and being shown something change nothing that is known.
    assert looked[-1] == []


@pytest.mark.row("X-13", "OB-028")
def test_what_changed_since_somebody_looked_after_each_scenario_is_whole_ordered_and_told_once(
    brain, human, store
):
    met, cursor = [], brain.changes(limit=1).cursor
    for chapter in SCENARIOS:
        chapter(brain, human)
        found, cursor = pages(human, cursor, 3)
        assert found or chapter in {_look, _forget}
        met += found
        assert pages(human, cursor, 3) == ([], cursor)

    seqs = [one.seq for one in met]
    assert seqs == sorted(set(seqs))
    with store.read() as view:
        left = [one.seq for one in view.events() if isinstance(one.event, HasHeadline)]
    # Nothing is missing, and what was met and is not left was erased by the last chapter.
    assert set(left) <= set(seqs)
    assert 0 < len(seqs) - len(left) <= 2
    assert {type(one.event).__name__ for one in met} >= KINDS_TOLD | {
        "GapDetected",
        "IdentityLinked",
        "PageCompiled",
    }
    assert went_stale(human) == ["dns"]


def went_stale(brain):
    """Return the pages that are told to have gone stale, each as often as it is told."""
    told, cursor = [], ""
    while True:
        page = brain.changes(cursor, limit=5)
        told += [one.id for many in page.effects.values() for one in many if one.now == "stale"]
        cursor = page.cursor
        if not page.has_more:
            return told
