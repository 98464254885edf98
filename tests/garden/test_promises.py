"""What the garden promises of facts, logs and people, through what its users call."""

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from tests.garden.plots import DAY, crowded, cycle, plot
from tests.garden.test_inbox import put
from tilth.core.actor import ActorKind
from tilth.core.errors import ForbiddenError, InvalidInputError
from tilth.core.lifecycle import Lifecycle, Review
from tilth.garden.assess import PAUSED_FROM, SUMMARISED_FROM
from tilth.knowledge.proposals.proposal import ProposalKind


def decided(brain, one, action, **told):
    digest = brain.review.show(one.proposal.id).digest
    brain.review.decide(one.proposal.id, action, digest=digest, **told)
    return brain.facts.get(one.fact.id)


@pytest.mark.row("GA-003")
def test_a_fact_of_the_garden_is_candidate_confirmed_or_disputed_and_sure_from_nought_to_one(
    garden, place
):
    before = place.clock.at
    garden.topics.add("backups")
    cycle(garden)
    first, second, third = garden.garden.candidates()[:3]

    states = [(first.fact.life.lifecycle, first.fact.life.review)]
    for one, action in ((second, "confirm"), (third, "dispute")):
        life = decided(garden, one, action).life
        states.append((life.lifecycle, life.review))

    assert states[0] == (Lifecycle.DRAFT, Review.UNREVIEWED)
    assert states[1] == (Lifecycle.CURRENT, Review.CONFIRMED)
    assert states[2][1] is Review.DISPUTED
    for one in garden.garden.candidates(is_all=True):
        assert one.fact.said.text
        assert 0 <= one.confidence <= 1
        assert before <= one.found_at <= place.clock.at
    for wrong in (-0.1, 1.1):
        with pytest.raises(InvalidInputError, match="confidence is 0 to 1"):
            garden.facts.add("Backups are blue.", about=["backups"], confidence=wrong)


@pytest.mark.row("GA-018", "I30")
def test_what_a_human_confirmed_no_agent_deletes_and_the_archive_gives_it_back(
    garden, store, place, tmp_path
):
    garden.topics.add("backups")
    cycle(garden)
    fact = decided(garden, garden.garden.candidates()[0], "confirm")
    agent = plot(store, place.clock, tmp_path, by="crow", kind=ActorKind.AGENT)

    with pytest.raises(ForbiddenError):
        agent.erase.plan(facts=[fact.id])
    ended = agent.facts.retire(
        fact.id, reason="I read that this is over since the machine was moved last week."
    )
    assert ended.proposal_id
    assert garden.facts.get(fact.id).life.lifecycle is Lifecycle.CURRENT

    assert garden.facts.archive(fact.id, reason="tidy").life.lifecycle is Lifecycle.ARCHIVED
    back = garden.facts.restore(fact.id)

    assert (back.life.lifecycle, back.life.review) == (Lifecycle.CURRENT, Review.CONFIRMED)


def counts_in(taken):
    """Return how many operations of each kind a snapshot's file holds, questions by theirs."""
    rows = json.loads(Path(taken.path).read_text())[1:-1]
    asked = [one["says"] for one in rows if one["kind"] == "proposal_opened"]
    kinds = Counter(one["kind"] for one in rows)
    return kinds + Counter(one.get("detail", {}).get("suggests", one["kind"]) for one in asked)


@pytest.mark.row("GA-022")
def test_the_counts_of_the_log_are_the_difference_of_the_snapshots(garden, folder, place):
    """Every count of what a cycle makes known, by the files of the snapshots around it."""
    for name in ("backups", "release", "gardens on the moon"):
        garden.topics.add(name, freshness_days=1)
    logged = Counter()
    for _ in range(9):
        before = counts_in(garden.snapshots.take())
        place.clock.at += DAY
        report = cycle(garden)

        new = counts_in(garden.snapshots.get(f"{place.clock.at:%Y-%m-%d}")) - before
        log = (folder / "logs/activity.md").read_text().split("## ")[-1]
        told = Counter()
        for name, count in re.findall(r"([a-z][a-z ]*) (\d+)(?=,|\n)", log):
            told[name] += int(count)
        assert told["candidates"] == new["candidate_found"] == new["fact_recorded"]
        assert told["candidates"] == new["promotion"]
        assert told["topics"] - len(garden.topics.list()) == new["topic_tended"]
        assert told["suggested"] == new["archiving"] + new["digest"] + new["pattern"]
        assert log.rstrip().endswith(f"next wake {report.next_at:%Y-%m-%d %H:%M} UTC")
        logged += told
    assert min(logged["candidates"], logged["suggested"]) > 0


def ruled_in(brain, day):
    """Return how often candidates were answered in each way, by the file of a snapshot."""
    rows = json.loads(Path(brain.snapshots.get(day).path).read_text())[1:-1]
    asked = {f"prp_{one['id']}" for one in rows if one["says"].get("kind") == "promotion"}
    ruled = [one["says"] for one in rows if one["kind"] == "proposal_decided"]
    return Counter(one["action"] for one in ruled if one["proposal_id"] in asked)


@pytest.mark.row("GA-022")
def test_answers_are_counted_in_the_log_however_they_were_given(garden, folder, place):
    """By verbs, by signed files and by files that nobody signed, by the snapshots around."""
    garden.topics.add("backups", freshness_days=1)
    cycle(garden)
    said = {"confirm": "new confirmed", "reject": "new rejected", "dispute": "new disputed"}
    told, ruled = [], []
    for day, question in enumerate(("where are backups?", "who reads backups?", "why backups?")):
        before = ruled_in(garden, f"{place.clock.at:%Y-%m-%d}")
        waiting = garden.garden.candidates()
        if day == 0:
            decided(garden, waiting[0], "dispute")
            put(folder, "approvals.json", [waiting[1].fact.id])
            put(folder, "rejections.json", [{"id": waiting[2].fact.id, "reason": "no"}])
            garden.garden.sign()
        elif waiting:
            put(folder, "approvals.json", [waiting[0].fact.id])
        put(folder, "requests.md", f"- {question}\n")
        place.clock.at += DAY
        cycle(garden)
        log = (folder / "logs/activity.md").read_text().split("## ")[-1]
        (inbox,) = re.findall(r"^- inbox: (.*)$", log, re.MULTILINE)
        told.append({name: int(n) for name, n in re.findall(r"([a-z][a-z ]*) (\d+)(?:,|$)", inbox)})
        ruled.append(ruled_in(garden, f"{place.clock.at:%Y-%m-%d}") - before)

    for line, new in zip(told, ruled, strict=True):
        assert {action: line.get(name, 0) for action, name in said.items()} == {
            action: new[action] for action in said
        }
        assert line["requests"] == 1
    assert [sum(one.values()) for one in ruled] == [3, 0, 0]
    assert told[1].get("suggested") == 1


@pytest.mark.row("GA-028")
def test_a_backlog_is_summarised_then_paused_with_an_alert_until_somebody_answers(
    store, place, tmp_path
):
    brain = crowded(store, place.clock, tmp_path, 60)
    folder = brain.parts.gardener.folder.root
    digests = []
    for _ in range(5):
        cycle(brain)
        digests.append((folder / "outbox/digest.md").read_text())
        place.clock.at += DAY

    waiting = brain.garden.candidates(limit=100)
    assert len(waiting) == PAUSED_FROM > SUMMARISED_FROM
    assert "likeliest candidates" in digests[1]
    assert "**Paused**" in digests[-1]
    assert f"{PAUSED_FROM} candidates are waiting" in (folder / "outbox/alerts.md").read_text()
    assert "backlog" in [one.name for one in brain.garden.status().signals if not one.is_well]

    for one in waiting[:9]:
        decided(brain, one, "reject", note="")
    cycle(brain)

    assert len(brain.garden.candidates(limit=100)) == PAUSED_FROM - 9 + 4
    asked = brain.review.list(kinds=[ProposalKind.SUGGESTION]).proposals
    assert any("why were these rejected" in one.draft.reason for one in asked)


@pytest.mark.row("GA-020")
def test_the_digest_says_what_a_global_topic_does_not_look_at_and_what_to_do(garden, folder):
    everywhere = garden.topics.add("backups")
    for number in (1, 2):
        garden.remember(
            "Backups of the lab must be encrypted with age on every host.",
            session_id=f"lab:{number}.md", kind="document", scope="project:lab",
        )  # fmt: skip
    cycle(garden)

    digest = (folder / "outbox/digest.md").read_text()

    assert "lab must be encrypted" not in digest
    assert "*backups* belongs to no project" in digest
    assert "- 2 documents in `project:lab`" in digest
    assert "`tilth topic add NAME --scope project:lab`" in digest
    garden.topics.archive(everywhere.id)
    garden.topics.add("backups", scope="project:lab")
    cycle(garden, is_forced=True)
    assert "lab must be encrypted" in (folder / "outbox/digest.md").read_text()


@pytest.mark.row("GA-020", "GA-030")
def test_a_digest_counts_in_plain_english(garden, folder, place):
    garden.topics.add("backups")
    cycle(garden)
    first = (folder / "outbox/digest.md").read_text()
    one = garden.garden.candidates()[0]
    assert one.confidence == 0.6
    assert f"likely (0.6), `{one.fact.id}`" in first
    decided(garden, one, "confirm")
    place.clock.at += 5 * DAY
    cycle(garden)

    (week,) = [one.read_text() for one in (folder / "outbox/weekly").iterdir()]

    assert re.search(
        r"This cycle made \d searches, read \d documents? and found \d new cand", first
    )
    assert "No candidate was answered." in first
    assert "What was not looked at" not in first
    assert "1 candidate was confirmed, and none was rejected." in week
    assert "Accuracy: 100% of the answered candidates were confirmed." in week
    assert "Engagement: somebody answered on 1 day of the last 28." in week
    assert not re.search(r"\b1 \w+s\b(?! of)|\(s\)|0\.\d{3}", week)
