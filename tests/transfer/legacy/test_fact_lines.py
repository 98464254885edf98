"""Facts of another store: historical and unreviewed, until a human promotes them."""

import json

import pytest

from tilth.core.actor import ActorKind
from tilth.core.errors import ForbiddenError, NotFoundError
from tilth.core.lifecycle import Lifecycle, Review
from tilth.transfer.legacy.fact_lines import read_legacy_facts

ROWS = [
    {"content": "DNS answers on .100.", "domain": "Network", "environment": "home",
     "system": "pi-hole", "component": "ip", "valid_from": "2025-03-01", "status": "current"},
    {"subject": "Acme", "predicate": "phase", "object": "pilot", "confidence": "high"},
    {"content": "Bees sleep at night.", "tags": ["durable"]},
]  # fmt: skip


@pytest.fixture
def store(place):
    opened = place.open()
    yield opened
    assert list(opened.verify()) == []
    opened.close()


@pytest.fixture
def legacy(tmp_path):
    """Write rows to a file, and return what is read of it."""

    def written(*rows):
        path = tmp_path / "legacy.jsonl"
        path.write_text(
            "".join(f"{row if isinstance(row, str) else json.dumps(row)}\n" for row in rows)
        )
        return str(path)

    return written


def bring(brain, path, *, is_dry_run=False):
    return brain.facts.import_rows(read_legacy_facts(path), is_dry_run=is_dry_run)


def historical(brain):
    return brain.facts.list(lifecycles=["historical"])


@pytest.mark.row("OB-025")
def test_what_a_legacy_store_holds_is_historical_and_unreviewed(human, legacy):
    report = bring(human, legacy(*ROWS))

    assert (report.new_count, report.known_count, report.skipped) == (3, 0, [])
    facts = historical(human)
    assert len(facts) == 3
    assert {fact.life.review for fact in facts} == {Review.UNREVIEWED}
    assert {fact.by.kind for fact in facts} == {ActorKind.IMPORT}
    assert human.state().facts == ()


@pytest.mark.row("OB-025")
def test_a_second_run_adds_nothing_and_a_dry_run_writes_nothing(human, legacy, store):
    path = legacy(*ROWS)
    with store.read() as view:
        before = view.head()
    assert bring(human, path, is_dry_run=True).new_count == 3
    with store.read() as view:
        assert view.head() == before
    bring(human, path)
    with store.read() as view:
        after = view.head()
    again = bring(human, path)

    assert (again.new_count, again.known_count) == (0, 3)
    with store.read() as view:
        assert view.head() == after
    assert bring(human, path, is_dry_run=True).known_count == 3


@pytest.mark.row("OB-025")
def test_what_is_about_nothing_is_study_and_never_guessed(human, legacy):
    bring(human, legacy(*ROWS))
    (bees,) = human.facts.list(lifecycles=["historical"], area="Study")

    assert (bees.said.taxonomy.environment, bees.said.text) == ("Study", "Bees sleep at night.")


@pytest.mark.row("OB-025", "OB-001")
def test_a_row_without_a_system_stays_in_the_area_that_it_names(human, legacy):
    filing = {"domain": "Network", "environment": "home", "system": "", "component": " "}
    bring(human, legacy({"content": "DNS moved to .110."} | filing, {"content": "Bees."}))

    (moved,) = human.facts.list(lifecycles=["historical"], area="Network")
    assert (moved.said.taxonomy.environment, moved.said.taxonomy.system) == ("home", "")
    assert [human.entities.get(one).entity.name for one in moved.about] == ["Network"]
    (bees,) = human.facts.list(lifecycles=["historical"], area="Study")
    assert bees.said.text == "Bees."


@pytest.mark.row("OB-025", "OB-056")
def test_a_row_began_when_it_says_or_else_when_it_was_made(human, legacy):
    made = {"created_at": "2025-03-01 10:00:00"}
    bring(
        human,
        legacy(
            {"content": "DNS answers on .100."} | made,
            {"content": "DNS answers on .110.", "occurred_at": "2025-02-01"} | made,
            {"content": "DNS answers on .120.", "created_at": "some day in spring"},
        ),
    )

    began = {one.said.text[-5:]: one.life.valid_from for one in historical(human)}
    assert began[".100."].isoformat() == "2025-03-01T10:00:00+00:00"
    assert began[".110."].isoformat() == "2025-02-01T00:00:00+00:00"
    assert began[".120."].year > 2025
    kept = [one.metadata["legacy"]["created_at"] for one in historical(human)]
    assert sorted(kept) == ["2025-03-01 10:00:00"] * 2 + ["some day in spring"]


@pytest.mark.row("OB-029")
def test_study_notes_do_not_answer_operational_questions(human, legacy):
    bring(human, legacy(*ROWS))
    human.facts.promote_many([fact.id for fact in human.facts.promotable()])

    assert [one.fact.said.text for one in human.state(area="Network").facts] == [
        "DNS answers on .100."
    ]


@pytest.mark.row("OB-029")
def test_study_notes_of_a_legacy_store_stay_out_of_a_query_without_an_area(human, legacy):
    human.facts.add("The router answers on .1.", about=["router"], area="Network")
    bring(human, legacy({"content": "A router answers whoever asks it."}))

    assert [one.fact.said.text for one in human.state().facts] == ["The router answers on .1."]
    assert human.recall("what the router answers").hits[0].text == "The router answers on .1."
    assert [fact.said.taxonomy.area for fact in historical(human)] == ["Study"]


@pytest.mark.row("OB-029")
def test_recall_in_an_area_returns_nothing_of_another(human):
    said = human.remember("The switch by the window was moved to port 7.")
    human.facts.add("The switch uses port 7.", about=["switch"], area="Network", evidence=[said])
    human.facts.add("A switch uses MAC tables.", about=["switch"], area="Study")
    human.remember("A switch is also a riding crop.")

    found = human.recall("which port does the switch use", area="network")

    assert {hit.text for hit in found.hits} == {
        "The switch uses port 7.",
        "The switch by the window was moved to port 7.",
    }


def test_what_a_row_says_of_itself_is_kept_and_raises_nothing(human, legacy):
    bring(
        human, legacy({**ROWS[0], "review": "confirmed", "actor": "human", "lifecycle": "current"})
    )

    (fact,) = historical(human)
    assert fact.metadata["legacy"] == {
        "status": "current", "review": "confirmed", "actor": "human", "lifecycle": "current",
    }  # fmt: skip
    assert fact.life.review is Review.UNREVIEWED
    assert fact.confidence.value <= 0.8


def test_the_graph_of_the_reference_memory_server_is_read(human, legacy):
    bring(
        human,
        legacy(
            {
                "type": "entity",
                "name": "Ana",
                "entityType": "person",
                "observations": ["likes tea"],
            },
            {"type": "relation", "from": "Ana", "relationType": "uses", "to": "Postgres"},
        ),
    )
    texts = sorted(fact.said.text for fact in historical(human))
    assert texts == ["Ana uses Postgres", "Ana: likes tea"]


@pytest.mark.row("I40")
def test_a_row_that_is_wrong_is_skipped_with_its_place(human, legacy):
    path = legacy("{broken", {"content": ""}, {"content": "x" * 3000},
                  {"content": "So it is.", "valid_from": "yesterday"}, ROWS[1])  # fmt: skip
    report = bring(human, path)

    assert report.new_count == 1
    places = sorted(one.where for one in report.skipped)
    assert places == [f"legacy.jsonl:{number}" for number in (1, 2, 3, 4)]
    with pytest.raises(NotFoundError):
        bring(human, path + ".gone")


@pytest.mark.row("OB-026")
def test_a_historical_fact_is_promoted_by_proposal_and_confirmation(make, human, legacy):
    bring(human, legacy(*ROWS))
    agent = make("agent")
    (dns,) = human.facts.list(lifecycles=["historical"], system="pi-hole")
    asked = agent.facts.promote(dns.id, reason="it answers there").proposal_id
    seen = human.review.show(asked)
    human.review.confirm(asked, digest=seen.digest)

    promoted = human.facts.get(dns.id)
    assert (promoted.life.lifecycle, promoted.life.review) == (Lifecycle.CURRENT, Review.CONFIRMED)
    assert promoted.life.valid_from == dns.life.valid_from


@pytest.mark.row("OB-026")
def test_many_are_promoted_with_one_decision_each_and_it_can_be_resumed(human, legacy):
    bring(human, legacy(*ROWS))
    found = human.facts.promotable()
    assert len(human.facts.promote_many([found[0].id]).confirmed) == 1
    rest = human.facts.promotable()
    assert len(rest) == 2
    promoted = human.facts.promote_many([fact.id for fact in rest])

    assert len(set(promoted.confirmed)) == 2
    assert human.facts.promotable() == []
    human.review.undo(promoted.confirmed[0])
    assert len(human.facts.promotable()) == 1


def test_promoting_many_ends_nothing_by_itself(human, legacy):
    human.facts.add("DNS answers on .110.", system="pi-hole", component="ip")
    bring(human, legacy(*ROWS))
    promoted = human.facts.promote_many([fact.id for fact in human.facts.promotable()])

    assert (len(promoted.confirmed), len(promoted.waiting), promoted.refused) == (2, 1, ())
    (kept,) = human.state(system="pi-hole").facts
    assert kept.fact.said.text == "DNS answers on .110."
    again = human.facts.promote_many([fact.id for fact in human.facts.promotable()])
    assert again.waiting == promoted.waiting


@pytest.mark.row("I20")
@pytest.mark.parametrize("kind", ["agent", "job", "import", "anonymous"])
@pytest.mark.on_sqlite(but=1)
def test_nobody_else_promotes_many(make, human, legacy, kind):
    bring(human, legacy(*ROWS))
    with pytest.raises(ForbiddenError):
        make(kind).facts.promote_many([fact.id for fact in human.facts.promotable()])
    assert human.state().facts == ()


def test_what_a_human_rejected_does_not_come_back_with_an_import(human, legacy):
    path = legacy(*ROWS)
    bring(human, path)
    (dns,) = human.facts.list(lifecycles=["historical"], system="pi-hole")
    asked = human.facts.promote(dns.id).proposal_id
    human.review.reject(asked, digest=human.review.show(asked).digest)
    report = bring(human, path)

    assert (report.new_count, report.known_count) == (0, 2)
    assert "rejected this statement" in report.skipped[0].reason


@pytest.mark.row("XR-13")
def test_what_an_import_corrects_loses_nothing_and_finds_its_place_once_promoted(human, legacy):
    hosts = [f"host {number}" for number in range(20)]
    for host in hosts:
        human.facts.add(subject=host, predicate="ip_address", object="10.0.0.1")
    rows = [{"subject": host.upper(), "predicate": "Has IP", "object": "10.0.1.1"}
            for host in hosts[1:]]  # fmt: skip
    report = bring(human, legacy(*rows))

    def told():
        facts = human.facts.list(predicate="ip_address")
        return {one.said.triple.subject.lower(): one.said.triple.object for one in facts}

    assert report.new_count == 19
    assert told() == dict.fromkeys(hosts, "10.0.0.1")
    for proposal_id in human.facts.promote_many([one.id for one in historical(human)]).waiting:
        seen = human.review.show(proposal_id)
        retired = [fact.id for fact in seen.retires]
        human.review.confirm(proposal_id, digest=seen.digest, retires=retired)
    assert told() == dict.fromkeys(hosts, "10.0.1.1") | {"host 0": "10.0.0.1"}
    assert len(human.facts.list(predicate="ip_address")) == len(hosts)
