"""The story so far, and what changed in it since somebody looked last, on both engines."""

from datetime import timedelta

import pytest

from tests.brains import a_brain
from tests.context.test_brief import OPENING, WORK, said
from tests.fakes import START, FixedClock
from tilth.context.model import BriefRequest
from tilth.core.actor import Actor, ActorKind
from tilth.core.event import Told
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
        happened = [one for one in view.events() if isinstance(one.event, Told)]

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
