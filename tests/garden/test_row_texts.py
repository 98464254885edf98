"""Clauses of the garden's rows that only a whole cycle shows, through what its users call."""

import json
import re
import shutil
from datetime import timedelta

import pytest

from tests.garden.plots import DAY, TEXTS, crowded, cycle, days, planted, plot
from tests.garden.test_inbox import put
from tests.interfaces.http.served import serving
from tests.interfaces.web.forms import pressed
from tests.program import Inside
from tilth import Human, connect
from tilth.garden.events import CandidateFound
from tilth.garden.model import CANDIDATES_MAX, SEARCHES_MAX, SourceId, Step, Unit
from tilth.garden.tables import Cycles
from tilth.interfaces.http.tokens import Role

# A name in four facts of each of two topics is worth a topic of its own.
CONNECTED = {
    "backups": "# Backups\n\n"
    "Backups of the shop are made by ResticTool on each of the hosts.\n"
    "Backups must be checked by ResticTool before the tape is written.\n"
    "Backups of mail are encrypted by ResticTool with a key of their own.\n"
    "Backups are removed by ResticTool once they are older than thirty days.\n",
    "releases": "# Releases\n\n"
    "Releases are uploaded with ResticTool after the tag is signed.\n"
    "Releases must be kept in the store of ResticTool for ten years.\n"
    "Releases are compared with ResticTool, because hashes alone tell nothing.\n"
    "Releases of a fork are never stored by ResticTool on the host `vault`.\n",
}


def answered(brain, one, verb="confirm", **told):
    digest = brain.review.show(one.proposal.id).digest
    getattr(brain.review, verb)(one.proposal.id, digest=digest, **told)


def suggestions(brain, suggests):
    found = brain.review.list(kinds=["suggestion"], limit=100).proposals
    return [one for one in found if one.draft.detail["suggests"] == suggests]


@pytest.mark.row("GA-004")
def test_a_candidate_without_a_source_is_refused(garden):
    garden.topics.add("backups")
    cycle(garden)
    one, parts = garden.garden.candidates()[0], garden.parts
    unknown = CandidateFound(
        fact_id=garden.facts.add("Backups are blue.", about=["backups"]).fact.id,
        topic_id=one.topic_id,
        source_id=SourceId("src_01JAAAAAAAAAAAAAAAAAAAAAAA"),
        cycle_id=one.cycle_id,
        nth=CANDIDATES_MAX,
        search=1,
    )
    with pytest.raises(Exception, match="src_01JA"), parts.store.begin() as tx:
        tx.append(unknown, by=parts.by, owner=parts.recorder.owner)
    assert len(garden.garden.candidates()) == len(garden.topics.get(one.topic_id).candidates)


@pytest.mark.row("GA-006", "GA-020", "GA-008")
def test_a_cycle_writes_a_file_for_each_tended_topic_a_snapshot_and_its_first_line(
    garden, folder, place
):
    for number, name in enumerate(("backups", "release", "monitoring", "gardens of the moon")):
        garden.topics.add(name, priority=5 - number)

    report = cycle(garden)

    day = f"{place.clock.at:%Y-%m-%d}"
    written = sorted(one.name for one in (folder / "outbox/candidates").iterdir())
    assert written == [f"{day}_{name}.md" for name in ("backups", "monitoring", "release")]
    for name in ("backups", "monitoring", "release"):
        text = (folder / f"outbox/candidates/{day}_{name}.md").read_text()
        topic = next(one for one in garden.topics.list() if one.name == name)
        for one in garden.garden.candidates(topic_id=topic.id):
            assert one.fact.said.text in text
            assert one.fact.id in text
    (taken,) = (folder / "snapshots").iterdir()
    assert taken.name == f"{day}.json"
    assert json.loads(taken.read_text())[0]["day"] == day
    log = (folder / "logs/activity.md").read_text().splitlines()
    first = next(line for line in log if line.startswith("## "))
    assert first == f"## {place.clock.at:%Y-%m-%d %H:%M} UTC, cycle {report.cycle.id}"


@pytest.mark.row("GA-007")
def test_how_often_it_wakes_is_set_and_the_next_wake_follows(garden, place):
    garden.topics.add("backups")
    begun = cycle(garden).cycle.begun_at
    assert garden.garden.next(hours=6) == begun + timedelta(hours=6)
    place.clock.at += timedelta(hours=7)
    assert garden.garden.run(is_applied=True, hours=24).cycle is None
    assert garden.garden.run(is_applied=True, hours=6).cycle is not None


@pytest.mark.row("GA-009")
def test_an_approval_by_file_says_when_and_by_whom_the_candidate_was_confirmed(
    garden, folder, place
):
    garden.topics.add("backups")
    cycle(garden)
    one = garden.garden.candidates()[0]
    place.clock.at += DAY
    asked_at = place.clock.at
    put(folder, "approvals.json", [one.fact.id])

    garden.garden.sign()

    last = garden.facts.why(one.fact.id).lives[-1]
    assert (last.by.name, last.by.kind) == ("ana", "human")
    assert asked_at <= last.began_at <= place.clock.at


@pytest.mark.row("GA-012", "GA-013")
def test_what_is_needy_and_in_which_order_is_what_one_computes_by_hand(garden, place):
    """Priority times days since tended, in parts of the freshness; never tended is stale."""
    told = {"backups": (2, 10), "release": (3, 5), "monitoring": (3, 5)}
    ids = {
        name: garden.topics.add(name, priority=priority, freshness_days=fresh).id
        for name, (priority, fresh) in told.items()
    }
    cycle(garden)
    tended = max(one.last_tended for one in garden.topics.list())
    place.clock.at = tended + 5 * DAY - timedelta(minutes=1)
    before = garden.garden.run().needy
    assert {str(need) for one in before for need in one.needs} == {"sparse"}

    place.clock.at = tended + 5 * DAY + timedelta(minutes=1)
    needy = garden.garden.run().needy

    assert [one.topic.name for one in needy] == ["release", "monitoring", "backups"]
    for one in needy:
        priority, fresh = told[one.topic.name]
        assert one.weight == pytest.approx(priority * 5 / fresh, abs=1e-2)
    stale = {one.topic.id for one in needy if "stale" in one.needs}
    assert stale == {ids["release"], ids["monitoring"]}


@pytest.mark.row("GA-017")
def test_what_found_no_room_is_counted_in_the_log_and_told_in_the_file_of_the_topic(
    store, place, tmp_path
):
    brain = crowded(store, place.clock, tmp_path, 40)

    cycle(brain)

    folder = brain.parts.gardener.folder.root
    assert ", deferred 30" in (folder / "logs/activity.md").read_text()
    (written,) = (folder / "outbox/candidates").iterdir()
    assert "30 more were found and left for a later cycle." in written.read_text()


@pytest.mark.row("GA-016", "GA-036", "C-19")
def test_searches_of_own_material_count_like_those_of_the_web(garden):
    garden.topics.add("backups")
    report = cycle(garden)
    with garden.parts.store.read() as view:
        paid = Cycles(view).spent(report.cycle.id)
    assert sum(one.unit is Unit.SEARCH for one in paid) == SEARCHES_MAX
    assert report.cycle.ended[Step.TEND]["searches"] == SEARCHES_MAX


@pytest.mark.row("GA-032")
def test_a_source_that_disappoints_is_suggested_for_less_belief_and_a_human_decides(
    store, place, tmp_path
):
    brain = crowded(store, place.clock, tmp_path, 40)
    cycle(brain)
    (source,) = brain.sources.list()
    before = brain.garden.candidates()
    for one in before[:4]:
        answered(brain, one, "reject", note="hearsay")
    assert brain.sources.list()[0].suggested is None
    answered(brain, before[4], "reject", note="hearsay")
    assert brain.sources.list()[0].suggested == "low"
    place.clock.at += DAY
    cycle(brain)
    assert brain.sources.list()[0].credibility == "medium", "nothing is rated unasked"

    (asked,) = suggestions(brain, "credibility")
    assert "of 5 candidates" in asked.draft.reason
    digest = brain.review.show(asked.id).digest
    brain.review.confirm(asked.id, digest=digest)

    assert (brain.sources.list()[0].id, brain.sources.list()[0].credibility) == (source.id, "low")
    known = {one.fact.id for one in brain.garden.candidates(is_all=True)}
    place.clock.at += 8 * DAY
    cycle(brain, is_forced=True)
    new = [one for one in brain.garden.candidates() if one.fact.id not in known]
    assert new
    assert {one.confidence for one in new} == {0.4}
    # Its outcomes turn: what humans confirm from it speaks for it again.
    for one in brain.garden.candidates():
        answered(brain, one)
    assert brain.sources.list()[0].suggested in {"medium", "high"}
    brain.review.undo(asked.id)
    assert brain.sources.list()[0].credibility == "medium"


@pytest.mark.row("GA-033")
def test_the_question_that_led_to_most_confirmed_facts_is_asked_first_of_a_new_topic(garden, place):
    garden.topics.add("backups")
    cycle(garden)
    found = garden.garden.candidates()
    best = found[-1].question
    for one in found:
        answered(garden, one, "confirm" if one.question == best else "reject")
    place.clock.at += DAY
    new = garden.topics.add("release", priority=5)

    asked = [one for one in garden.garden.run().asked if one.topic_id == new.id]
    forms = list(garden.garden.metrics().questions)

    assert asked[0].form == forms[0]
    assert asked[0].text == best.replace("backups", "release")


@pytest.mark.row("GA-034")
def test_a_name_that_connects_topics_is_suggested_as_one_and_accepted_becomes_one(
    store, place, tmp_path
):
    brain = plot(store, place.clock, tmp_path)
    planted(brain, CONNECTED)
    names = [brain.topics.add(one).name for one in ("backups", "releases")]
    days(brain, place.clock, 2)

    (asked,) = suggestions(brain, "topic")
    assert asked.draft.reason.startswith("ResticTool comes up in ")
    assert all(repr(one) in asked.draft.reason for one in names)
    cited = {brain.facts.get(one).said.text for one in asked.draft.detail["facts"]}
    assert len(cited) >= 4
    assert all("ResticTool" in one for one in cited)
    brain.review.confirm(asked.id, digest=brain.review.show(asked.id).digest)

    assert {one.name for one in brain.topics.list()} == {*names, "ResticTool"}
    assert cycle(brain, is_forced=True).cycle is not None
    assert suggestions(brain, "topic") == []
    brain.review.undo(asked.id)
    assert {one.name for one in brain.topics.list()} == set(names)


@pytest.mark.row("GA-028")
def test_outbox_and_queue_of_a_garden_that_nobody_answers_stay_of_one_size(store, place, tmp_path):
    brain = crowded(store, place.clock, tmp_path, 60)
    folder, sizes = brain.parts.gardener.folder.root, []
    for _ in range(6 + 14 // place.size_share):
        cycle(brain)
        place.clock.at += DAY
        open_count = brain.review.list(limit=1).waiting
        sizes.append((len(brain.garden.digest()), open_count))

    # Names of days differ in length.
    assert sizes[-1][0] <= 1.1 * max(size for size, _ in sizes[2:6])
    # Thirty candidates, and besides the digests of weeks.
    assert sizes[-1][1] <= 30 + len(suggestions(brain, "digest"))
    assert len(list((folder / "outbox/candidates").iterdir())) <= 20


@pytest.mark.row("GA-006", "GA-009", "GA-027")
def test_files_verbs_and_the_page_come_to_the_same_state(make_place_on, tmp_path):
    """The same three answers to the same three candidates, given in three ways."""
    states = {}
    for way in ("files", "verbs", "page"):
        place = make_place_on("sqlite")
        brain = plot(place.open(), place.clock, tmp_path / way)
        planted(brain)
        brain.topics.add("backups")
        cycle(brain)
        by_text = {one.fact.said.text: one for one in brain.garden.candidates()}
        yes, also, no = (by_text[text] for text in sorted(by_text)[:3])
        if way == "files":
            folder = brain.parts.gardener.folder.root
            put(folder, "approvals.json", json.dumps({"approvals": [yes.fact.id, also.fact.id]}))
            put(folder, "rejections.json", [{"id": no.fact.id, "reason": "out of date"}])
            brain.garden.sign()
        elif way == "verbs":
            answered(brain, yes)
            answered(brain, also)
            answered(brain, no, "reject", note="out of date")
        else:
            with serving(brain, tmp_path / way) as served:
                browser = served.browser()
                for one, action in ((yes, "confirm"), (also, "confirm"), (no, "reject")):
                    page = browser.get("/garden").text
                    note = {"note": "out of date"} if action == "reject" else {}
                    said = pressed(
                        browser, page, "review/decide", one.proposal.id, action=action, **note
                    )
                    assert said.status_code == 200
        place.clock.at += DAY
        cycle(brain)
        told = brain.topics.list()[0].counts
        metrics = brain.garden.metrics()
        states[way] = (
            sorted(
                (
                    one.fact.said.text,
                    one.fact.life.lifecycle,
                    one.fact.life.review,
                    one.reason,
                    one.is_open,
                )
                for one in brain.garden.candidates(is_all=True)
            ),
            told,
            (metrics.coverage, metrics.accuracy, metrics.efficiency, metrics.engagement),
            sorted(brain.garden.metrics().questions.items()),
            brain.review.list(limit=1).waiting,
            [hit.text for hit in brain.recall(yes.fact.said.text).hits if hit.tier == "fact"],
        )
        brain.close()

    assert states["files"] == states["verbs"]
    assert states["page"] == states["verbs"]


def sown(tilth):
    """Play a garden by the command line alone: documents, a topic, a cycle."""
    for name, text in TEXTS.items():
        (tilth.home / f"{name}.md").write_text(text)
    assert tilth("import", *(tilth.home / f"{one}.md" for one in TEXTS)).code == 0
    assert tilth("topic", "add", "backups").code == 0
    assert tilth("garden", "run", "--apply").code == 0


def by_files(tilth, yes, no):
    inbox = tilth.store.with_name("tilth.db.garden") / "inbox"
    (inbox / "approvals.json").write_text(json.dumps([one["fact"]["id"] for one in yes]))
    told = [{"id": no["fact"]["id"], "reason": "out of date"}]
    (inbox / "rejections.json").write_text(json.dumps(told))
    assert tilth("garden", "sign").code == 0


NOTE = ("--note", "out of date")


def by_commands(tilth, yes, no):
    for one, verb, note in ((yes[0], "confirm", ()), (yes[1], "confirm", ()), (no, "reject", NOTE)):
        proposal = one["proposal"]["id"]
        digest = tilth("review", "show", proposal, "--json").answer["digest"]
        run = tilth("review", verb, proposal, "--digest", digest, *note)
        assert run.code == 0, run.err


def by_http(tilth, yes, no):
    ana = Human("someone")
    with connect(tilth.store, actor=ana) as brain, serving(brain, tilth.home / "served") as served:
        client = served.client(Role.REVIEWER, "someone")

        def asked(path, **told):
            answer = client.post(f"/v1/{path}", json=told)
            assert answer.status_code == 200, answer.text
            return answer.json()

        for one, action in ((yes[0], "confirm"), (yes[1], "confirm"), (no, "reject")):
            told = {"proposal_id": one["proposal"]["id"]}
            told |= {"digest": asked("review/show", **told)["digest"], "action": action}
            note = {"note": "out of date"} if action == "reject" else {}
            asked("review/decide", **told, **note)


@pytest.mark.row("GA-006", "GA-027", "T1")
def test_files_commands_and_http_come_to_the_same_state(ready, as_person, tmp_path):
    """From one store, copied: the same answers by each, and the same cycle behind them."""
    sown(ready)
    states = {}
    for way in (by_files, by_commands, by_http):
        home = tmp_path / way.__name__
        shutil.copytree(ready.home, home, symlinks=True)
        tilth = Inside(home)
        listed = tilth("garden", "candidates", "--json").answer["candidates"]
        yes, no = listed[:2], listed[2]

        way(tilth, yes, no)

        assert tilth("garden", "run", "--apply", "--force").code == 0
        every = tilth("garden", "candidates", "--all", "--json").answer["candidates"]
        log = tilth.store.with_name("tilth.db.garden") / "logs/activity.md"
        states[way.__name__] = {
            "candidates": sorted(
                (
                    one["fact"]["said"]["text"],
                    one["fact"]["life"]["lifecycle"],
                    one["fact"]["life"]["review"],
                    one.get("reason", ""),
                )
                for one in every
            ),
            "waiting": tilth("review", "list", "--json").answer["waiting"],
            "metrics": tilth("garden", "metrics", "--json").answer,
            "known": tilth("state", "--json").answer["count"],
            "log": re.findall(r"new \w+ \d+", log.read_text()),
        }  # fmt: skip

    assert states["by_files"] == states["by_commands"] == states["by_http"]
    assert states["by_files"]["log"] == ["new confirmed 2", "new rejected 1"]
    assert states["by_files"]["known"] == 2


def documented(brain, name, scope):
    """Record one of the documents in which a name connects topics, and tend its topic."""
    told = {"kind": "document", "metadata": {"heading": name, "line": 1}}
    brain.remember(CONNECTED[name], session_id=f"docs:{name}.md", scope=scope, **told)
    brain.topics.add(name, scope=scope)


@pytest.mark.row("GA-019", "GA-034", "XR-04")
@pytest.mark.parametrize(
    ("scopes", "told_in"),
    [
        (("project:one", "project:two"), []),
        (("project:one", "global"), ["project:one"]),
        (("project:one", "project:one"), ["project:one"]),
        (("global", "global"), ["global"]),
    ],
)
def test_what_connects_topics_is_told_where_both_of_them_are_seen(
    store, place, tmp_path, scopes, told_in
):
    brain = plot(store, place.clock, tmp_path)
    for name, scope in zip(CONNECTED, scopes, strict=True):
        documented(brain, name, scope)

    cycle(brain)

    assert {one.fact.life.scope for one in brain.garden.candidates()} == set(scopes)
    asked = suggestions(brain, "topic") + suggestions(brain, "pattern")
    assert [one.draft.scope for one in asked] == told_in


@pytest.mark.row("GA-010", "XR-04")
def test_why_candidates_were_rejected_is_asked_where_they_were_found(garden, place):
    text, metadata = TEXTS["backup-policy"], {"heading": "Backup policy", "line": 1}
    told = {"session_id": "docs:secret.md", "kind": "document", "metadata": metadata}
    garden.remember(text, scope="project:secret", **told)
    garden.topics.add("backups", scope="project:secret")
    cycle(garden)
    for one in garden.garden.candidates():
        answered(garden, one, "reject")
    place.clock.at += DAY

    cycle(garden)

    (asked,) = suggestions(garden, "reason")
    assert asked.draft.scope == "project:secret"
    assert not garden.review.list(scope="project:other", limit=100).proposals
