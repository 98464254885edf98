"""What was exported comes back elsewhere as it was, as history, and never where it left."""

import json
from contextlib import closing
from datetime import timedelta

import pytest

from tests.brains import a_brain
from tilth.core.actor import Actor, ActorKind
from tilth.runtime.system import SystemIds
from tilth.transfer.legacy.fact_lines import read_legacy_facts

WORDS = "ProxySQL needs the mirror flag, or writes go to the replica, says the runbook."
FLAG = "Without the mirror flag ProxySQL writes to the replica."
HUMAN = Actor("ada", ActorKind.HUMAN)


@pytest.fixture
def store(whole_store):
    return whole_store


@pytest.fixture
def elsewhere(make_place):
    """Another brain, of somebody else's installation."""
    place = make_place()
    place.clock.at += timedelta(days=1)
    # Elsewhere no ID is the same by chance.
    with closing(place.open(ids=SystemIds())) as store:
        yield a_brain(store, place.clock, by=HUMAN)
        assert list(store.verify()) == []


@pytest.fixture
def file(tmp_path):
    return tmp_path / "brain.jsonl"


def rows(file, type_):
    told = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    return [row for row in told if row["type"] == type_]


def send(brain, file, **how):
    """Export a brain under the ID of its own that its store would have but for counted IDs."""
    brain.export(str(file), is_forced=True, **how)
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace(brain.store_id, "another", 1), encoding="utf-8")


def bring(brain, file, *, is_dry_run=False):
    (report,) = brain.import_sources(brain.find_sources(str(file)), is_dry_run=is_dry_run)
    knowledge = brain.facts.import_rows(read_legacy_facts(str(file)), is_dry_run=is_dry_run)
    return report, knowledge


@pytest.fixture
def told(human):
    """The fact of KB-016, the entity of KB-017, and what leads to them."""
    said = human.remember(WORDS, session_id="s1", speaker="Ada", metadata={"n": 1})
    human.entities.add(
        "svc-postgres-dev",
        type="service",
        aliases=["dev-db", "192.168.3.88:5432"],
        metadata={"a": 1},
    )
    human.edges.add("svc-postgres-dev", "runs_on", "nas")
    return human.facts.add(
        FLAG,
        about=["ProxySQL", "MySQL"],
        evidence=[(said, "writes go to the replica")],
        scope="domain:mysql",
        tags=["durable"],
        area="Storage",
        environment="office",
        system="proxysql",
        component="routing",
        confidence=0.7,
        authority="instruction",
        metadata={"observed": 3},
    ).fact


@pytest.mark.row("KB-016")
def test_a_fact_and_what_it_rests_on_come_through_a_file(human, told, elsewhere, file):
    send(human, file)
    episodes, knowledge = bring(elsewhere, file)

    assert (episodes.new_count, episodes.session_count) == (1, 1)
    assert [one.reason for one in knowledge.skipped] == []
    (fact,) = elsewhere.facts.list(lifecycles=["historical"])
    assert (fact.said, fact.life.scope, fact.confidence.value) == (told.said, "domain:mysql", 0.7)
    assert (fact.life.valid_from, fact.life.valid_to) == (told.life.valid_from, None)
    assert fact.metadata["exported"]["id"] == told.id
    assert fact.metadata["observed"] == told.metadata["observed"] == 3
    # A file raises nobody's word: what was laid down elsewhere is evidence here (ADR 17).
    assert (told.life.authority, fact.life.authority) == ("instruction", "evidence")
    names = {elsewhere.entities.get(one, scope="domain:mysql").entity.name for one in fact.about}
    assert names == {"ProxySQL", "MySQL"}
    (support,) = elsewhere.facts.why(fact.id).supports
    assert support.quote == "writes go to the replica"
    assert (support.episode.text, support.episode.session_id) == (WORDS, "s1")
    assert support.episode.metadata["n"] == 1
    # History, until a human promotes it (C-23).
    assert elsewhere.state().facts == ()
    assert (fact.life.review, fact.by.kind) == ("unreviewed", "import")


@pytest.mark.row("KB-016")
def test_a_fact_that_rests_on_a_whole_note_rests_on_the_note_that_came(human, elsewhere, file):
    human.facts.add("The NAS is at 192.0.2.5.", system="lab", component="nas")
    send(human, file)
    bring(elsewhere, file)

    (fact,) = elsewhere.facts.list(lifecycles=["historical"])
    (support,) = elsewhere.facts.why(fact.id).supports
    assert support.episode.metadata["exported"]["id"]
    assert len(elsewhere.duplicates("The NAS is at 192.0.2.5.")) == 1


@pytest.mark.row("KB-017")
def test_an_entity_comes_through_with_its_names_and_relations(human, told, elsewhere, file):
    send(human, file)
    bring(elsewhere, file)

    for name in ("dev-db", "192.168.3.88:5432", "svc-postgres-dev"):
        card = elsewhere.entities.get(name)
        assert (card.entity.name, card.entity.type) == ("svc-postgres-dev", "service")
        assert (card.entity.scope, card.entity.metadata.get("a")) == ("global", 1)
    (edge,) = elsewhere.edges.list()
    assert elsewhere.entities.get(edge.target).entity.name == "nas"
    assert edge.kind == "runs_on"


def test_what_is_brought_again_adds_nothing_and_what_is_new_does(
    human, told, elsewhere, file, tmp_path
):
    human.people.introduce("Ada", transport="irc", address="ada")
    send(human, file)
    dry = bring(elsewhere, file, is_dry_run=True)
    assert elsewhere.episodes.list() == []
    first = bring(elsewhere, file)
    assert dry[0].new_count == first[0].new_count
    assert first[1].new_count == dry[1].new_count
    before = known(elsewhere, tmp_path)
    again = bring(elsewhere, file)
    assert [one.new_count for one in again] == [0, 0]
    assert again[1].skipped == []
    assert known(elsewhere, tmp_path) == before

    human.facts.add("The fan is loud.", about=["fan"])
    send(human, file)
    later = bring(elsewhere, file)
    assert later[0].new_count == 1
    assert len(elsewhere.facts.list(lifecycles=["historical"])) == 2


def known(brain, tmp_path):
    """Everything that an export tells, but for when."""
    path = tmp_path / "known.jsonl"
    brain.export(str(path), is_forced=True)
    return path.read_text(encoding="utf-8").splitlines()[1:]


def test_nothing_comes_back_into_the_store_that_it_left(human, told, file, tmp_path):
    human.edges.add("svc-postgres-dev", "uses", "nas")
    human.export(str(file))
    human.edges.retire(human.edges.list()[0].id)
    human.facts.archive(told.id)
    before = known(human, tmp_path)
    episodes, knowledge = bring(human, file)

    assert (episodes.new_count, episodes.known_count) == (0, 1)
    assert (knowledge.new_count, knowledge.skipped) == (0, [])
    assert known(human, tmp_path) == before


@pytest.mark.row("I33")
def test_what_was_erased_is_brought_back_by_no_file(human, told, file):
    human.export(str(file))
    (said,) = [one.id for one in human.episodes.list() if one.session_id == "s1"]
    asked = {"episodes": [said]}
    human.erase.confirm(human.erase.plan(**asked).digest, **asked)
    episodes, knowledge = bring(human, file)

    assert (episodes.new_count, knowledge.new_count) == (0, 0)
    assert WORDS not in [one.text for one in human.episodes.list()]
    assert human.facts.list(lifecycles=["historical", "current"]) == []


def test_what_was_superseded_comes_back_with_its_times_and_rejected_facts_stay_out(
    human, agent, elsewhere, file
):
    human.facts.add(subject="Acme", predicate="phase", object="pilot")
    human.facts.add(subject="Acme", predicate="phase", object="rollout")
    dns = {"system": "pi-hole", "component": "ip"}
    human.facts.add("DNS answers on .100.", **dns)
    asked = agent.facts.add("DNS answers on .110.", **dns)
    send(human, file)
    _, knowledge = bring(elsewhere, file)

    assert [one.reason for one in knowledge.skipped] == ["it was never more than proposed"]
    facts = elsewhere.facts.list(lifecycles=["historical"])
    assert {one.said.text for one in facts} == {
        "Acme phase pilot", "Acme phase rollout", "DNS answers on .100.",
    }  # fmt: skip
    (pilot,) = [one for one in facts if "pilot" in one.said.text]
    (rollout,) = [one for one in facts if "rollout" in one.said.text]
    assert pilot.life.valid_to == rollout.life.valid_from
    assert rollout.life.valid_to is None
    seen = human.review.show(asked.proposal_id)
    human.review.reject(asked.proposal_id, digest=seen.digest)
    send(human, file)
    _, knowledge = bring(elsewhere, file)
    assert [one.reason for one in knowledge.skipped] == ["a human rejected it"]


def test_a_file_that_breaks_off_or_is_newer_says_so(human, told, elsewhere, file):
    send(human, file)
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    file.write_text("".join(lines[:-1]), encoding="utf-8")
    episodes, _ = bring(elsewhere, file, is_dry_run=True)
    assert "it breaks off: its last line is not there" in [one.reason for one in episodes.skipped]

    file.write_text("".join([lines[0].replace('"version": 1', '"version": 2'), *lines[1:]]))
    episodes, knowledge = bring(elsewhere, file, is_dry_run=True)
    for report in (episodes, knowledge):
        assert any("an export of version '2'" in one.reason for one in report.skipped)


def test_what_was_shared_comes_in_too(human, told, elsewhere, file):
    human.remember("Write to bob@example.org.")
    send(human, file, is_shared=True)
    episodes, _ = bring(elsewhere, file)

    assert episodes.new_count == 2
    (fact,) = elsewhere.facts.list(lifecycles=["historical"])
    assert fact.said.text == FLAG
    assert "[email]" in " ".join(one.text for one in elsewhere.episodes.list())
    assert rows(file, "identity") == []
