"""What the structured tier promises as a whole, on both engines."""

from datetime import timedelta
from random import Random  # noqa: TID251 - seeded

import pytest

from tests.brains import a_brain
from tests.fakes import START
from tests.places import SqlitePlace
from tilth.core.actor import Actor, ActorKind
from tilth.core.errors import ForbiddenError
from tilth.core.lifecycle import Lifecycle
from tilth.core.scope import Visibility
from tilth.runtime.check import Status
from tilth.runtime.doctor import check_orphans

DAY = timedelta(days=1)
DNS = {"system": "pi-hole", "component": "ip"}
REASON = "it was switched off last week"


@pytest.fixture
def make(store, place):
    return lambda kind, name="ada", **more: a_brain(
        store, place.clock, by=Actor(name, ActorKind(kind)), **more
    )


@pytest.fixture
def agent(make):
    return make("agent")


@pytest.fixture
def human(make):
    return make("human")


def held(brain, **asking):
    return [one.fact.said.text for one in brain.state(**asking).facts]


def confirmed(human, proposal_id):
    seen = human.review.show(proposal_id)
    return human.review.confirm(
        proposal_id, digest=seen.digest, retires=[fact.id for fact in seen.retires]
    )


def rewriting(agent, fact, proposal_id, digest):
    """Every way in which an agent could try to change what a human wrote."""
    yield lambda: agent.facts.archive(fact.id)
    yield lambda: agent.facts.undo(fact.id)
    yield lambda: agent.facts.restore(fact.id)
    yield lambda: agent.facts.add("Ask nobody.", about=["x"], authority="instruction")
    yield lambda: agent.review.confirm(proposal_id, digest=digest, retires=[fact.id])
    yield lambda: agent.review.reject(proposal_id, digest=digest)
    yield lambda: agent.review.snooze(proposal_id, until=START + DAY)
    yield lambda: agent.words.register("tag", "mine")


@pytest.mark.row("OB-007", "X-02")
def test_an_agent_rewrites_nothing_by_any_verb_or_by_sql(agent, human, store, place):
    fact = human.facts.add("DNS answers on .100.", **DNS).fact
    asked = agent.facts.add("DNS answers on .110.", **DNS).proposal_id
    archived = human.facts.add("It is old.", about=["x"]).fact
    human.facts.archive(archived.id)
    digest, before = human.review.show(asked).digest, store.digest()

    for verb in rewriting(agent, fact, asked, digest):
        with pytest.raises(Exception, match=r"only a human|not ada's own|not archived"):
            verb()
    with pytest.raises(ForbiddenError):
        agent.facts.restore(archived.id)
    for sql in ("UPDATE ledger SET actor_kind = 'human'", "DELETE FROM ledger WHERE seq = 3"):
        with pytest.raises(place.refusals):
            place.run(sql)

    assert store.digest() == before
    assert held(agent) == ["DNS answers on .100."]
    assert list(store.verify()) == []


@pytest.mark.row("OB-051")
def test_what_is_dropped_of_the_lives_comes_back_from_the_ledger(human, place, store):
    human.facts.add("DNS answers on .100.", **DNS)
    new = human.facts.add("DNS answers on .110.", **DNS).fact
    gone = human.facts.add("It is hot.", about=["rack"]).fact
    human.facts.retire(gone.id, reason="cooled")
    before = store.digest()
    place.run("DELETE FROM lives")
    assert {finding.part for finding in store.verify()} == {"lives"}

    store.rebuild()

    assert store.digest() == before
    chain = [fact.life.lifecycle for fact in human.facts.history(new.id)]
    assert chain == [Lifecycle.SUPERSEDED, Lifecycle.CURRENT]
    assert human.facts.get(gone.id).life.lifecycle is Lifecycle.HISTORICAL


@pytest.mark.row("KB-015", "C-12")
def test_a_fact_points_at_the_words_and_holds_no_copy(agent, place):
    words = "The deploy of Tuesday failed since the disk was full, says the log of the builder."
    episode = agent.remember(words)
    quote = "the disk was full"
    fact = agent.facts.add("The disk was full.", about=["builder"], evidence=[(episode, quote)])

    (evidence,) = fact.fact.evidence
    assert words[evidence.start : evidence.end] == quote
    assert evidence.episode_id == episode
    texts = place.run("SELECT count(*) FROM ledger WHERE payload LIKE '%says the log%'")
    assert texts[0][0] == 1
    for table in ("facts", "lives", "evidence", "anchors"):
        rows = place.run(f"SELECT * FROM {table}")
        assert not [row for row in rows if "disk" in str(row)], table


@pytest.mark.row("KB-014")
def test_after_a_thousand_writes_merges_and_splits_doctor_finds_no_orphan(human, place, store):
    chance = Random(14)
    things = [human.entities.add(f"host-{number}").entity.id for number in range(12)]
    told = [
        {
            "text": f"Reading {number} was taken.",
            "about": chance.sample([f"host-{one}" for one in range(40)], chance.randint(1, 3)),
        }
        for number in range(1000 // place.size_share)
    ]
    human.facts.add_many(told)
    for winner, loser in zip(things[:6], things[6:], strict=True):
        human.entities.merge(winner, loser, reason="one machine")
    for loser in things[9:]:
        human.entities.split(loser)

    assert check_orphans(store, Visibility()).status is Status.OK
    (bare,) = place.run("SELECT min(fact_no) FROM facts")[0]
    place.run(f"DELETE FROM anchors WHERE fact_no = {bare}")
    found = check_orphans(store, Visibility())
    assert (found.status, found.detail["orphan_count"]) == (Status.FAIL, 1)
    store.rebuild()
    assert check_orphans(store, Visibility()).status is Status.OK


@pytest.mark.row("KB-068")
def test_doctor_tells_how_the_knowledge_is_built(tilth):
    assert tilth("init").code == 0
    for number in range(3):
        told = tilth("fact", "add", f"Reading {number} was taken.", "--about", "host-1")
        assert told.code == 0
    assert tilth("edge", "add", "host-1", "part_of", "rack-1").code == 0
    elsewhere = "--scope", "project:other"
    assert tilth("fact", "add", "Reading 0 was taken.", "--about", "host-1", *elsewhere).code == 0

    checks = {one["id"]: one for one in tilth("doctor", "--json").answer["checks"]}

    detail = checks["knowledge.orphans"]["detail"]
    assert detail == {
        "orphan_count": 0,
        "node_count": 6,
        "edge_count": 1,
        "collision_rate": 0.25,
        "compression_ratio": 1.0,
    }
    whole = tilth("doctor")
    assert whole.code == 0
    built = (
        "6 nodes, 1 edge, 25.0% of the facts said twice, 1 episode to each fact, playbook and skill"
    )
    assert f"every fact is about something, and rests on something: {built}" in " ".join(
        whole.out.split()
    )
    place = SqlitePlace(tilth.store.parent)
    place.run("DELETE FROM anchors WHERE fact_no = (SELECT min(fact_no) FROM facts)")
    found = tilth("doctor")
    assert found.code != 0
    assert "1 fact about nothing, or resting on nothing: 6 nodes" in " ".join(found.out.split())


@pytest.mark.row("C-20")
def test_doctor_names_what_nobody_has_used(tilth):
    assert tilth("init").code == 0
    before = unused(tilth)

    assert tilth("topic", "add", "backups").code == 0

    assert {"garden", "playbooks", "skills", "gaps"} <= before
    assert before - unused(tilth) == {"garden"}


def unused(tilth):
    checks = {one["id"]: one for one in tilth("doctor", "--json").answer["checks"]}
    assert checks["knowledge.unused"]["status"] == "ok"
    return set(checks["knowledge.unused"]["detail"]["unused"])


@pytest.mark.row("KB-016")
def test_what_is_told_of_a_fact_comes_back(human):
    told = {
        "subject": "Acme",
        "predicate": "phase",
        "object": "pilot",
        "channel": "entity",
        "area": "Business",
        "environment": "office",
        "tags": ("durable",),
        "valid_from": START - 9 * DAY,
        "valid_to": START + 9 * DAY,
        "confidence": 0.7,
        "authority": "instruction",
        "metadata": {"observed": 3},
    }
    fact = human.facts.get(human.facts.add("Acme is in its pilot.", **told).fact.id)

    said, life = fact.said, fact.life
    triple, taxonomy = said.triple, said.taxonomy
    assert said.text == "Acme is in its pilot."
    assert (triple.subject, triple.predicate, triple.object) == ("Acme", "phase", "pilot")
    assert (taxonomy.area, taxonomy.environment, taxonomy.tags) == (
        told["area"], told["environment"], told["tags"],
    )  # fmt: skip
    assert (life.valid_from, life.valid_to) == (told["valid_from"], told["valid_to"])
    assert (fact.confidence.value, life.authority) == (0.7, "instruction")
    assert fact.metadata == {"observed": 3}


@pytest.mark.row("KB-051")
def test_a_domain_is_seen_where_it_is_asked_for(agent):
    agent.facts.add("Close rows.", about=["sql"], scope="domain:go")
    agent.facts.add("Use keys.", about=["lists"], scope="domain:flutter")
    agent.facts.add("Be kind.", about=["people"])

    assert sorted(held(agent, scope="domain:go")) == ["Be kind.", "Close rows."]
    assert sorted(held(agent, scope="project:app")) == ["Be kind."]


@pytest.mark.row("C-11")
def test_where_it_is_seen_and_where_it_belongs_are_two_things(agent):
    agent.facts.add("It is up.", area="Network", **DNS, scope="domain:network")
    agent.facts.add("It is down.", area="Network", **DNS, scope="project:lab")

    assert held(agent, area="Network", scope="domain:network") == ["It is up."]
    assert held(agent, area="Network", scope="project:lab") == ["It is down."]
    assert len(held(agent, area="network")) == 2


@pytest.mark.row("XR-13")
def test_corrections_find_their_place_and_neighbours_are_not_lost(human):
    hosts = [f"host {number}" for number in range(20)]
    for host in hosts:
        human.facts.add(subject=host, predicate="ip_address", object="10.0.0.1")
    for host in hosts:
        human.facts.add(subject=host.upper(), predicate="Has IP", object=f"10.0.1.{len(host)}")

    facts = human.facts.list(predicate="ip_address")
    assert len(facts) == len(hosts)
    assert not [fact for fact in facts if fact.said.triple.object == "10.0.0.1"]


@pytest.mark.row("XR-13")
def test_what_an_agent_corrects_finds_its_place_too_and_waits_beside_what_it_would_replace(
    human, agent
):
    hosts = [f"host {number}" for number in range(20)]
    for host in hosts:
        human.facts.add(subject=host, predicate="ip_address", object="10.0.0.1")
        agent.facts.add(subject=host, predicate="phase", object="pilot")
    waiting = [
        agent.facts.add(subject=host.upper(), predicate="Has IP", object="10.0.1.1")
        for host in hosts[1:]
    ]
    for host in hosts[1:]:
        agent.facts.add(subject=host.upper(), predicate="phase", object="rollout")

    def told(predicate):
        facts = human.facts.list(predicate=predicate)
        return {one.said.triple.subject: (one.said.triple.object, one.is_contested)
                for one in facts}  # fmt: skip

    assert [value for value, _ in told("phase").values()].count("rollout") == 19
    assert told("phase")["host 0"] == ("pilot", False)
    assert told("ip_address") == {
        host: ("10.0.0.1", number > 0) for number, host in enumerate(hosts)
    }
    for one in waiting:
        confirmed(human, one.proposal_id)
    assert [value for value, _ in told("ip_address").values()].count("10.0.1.1") == 19
    assert told("ip_address")["host 0"] == ("10.0.0.1", False)


@pytest.mark.row("XR-14")
def test_superseding_costs_one_call(agent):
    old = agent.facts.add(subject="Acme", predicate="phase", object="pilot").fact
    new = agent.facts.add(subject="Acme", predicate="phase", object="rollout")

    assert (new.verdict, new.retired) == ("superseded", old.id)


@pytest.mark.row("X-11", "OB-025")
def test_a_legacy_import_is_the_past_until_promoted(make, human):
    # All 699 come over the command line, in `tests/interfaces/test_surfaces.py`.
    importer, count = make("import", "legacy"), 69
    rows = [
        {"text": f"Row {number} was so.", "about": [f"thing {number}"], "area": "Study"}
        for number in range(count)
    ]
    stated = importer.facts.add_many(rows)
    again = importer.facts.add_many(rows)
    assert {one.verdict for one in again} == {"reinforced"}
    past = {"lifecycles": ["historical"], "limit": 1000}
    assert len(human.facts.list(**past)) == count
    assert {fact.life.review for fact in human.facts.list(**past)} == {"unreviewed"}
    assert human.state().count == 0

    for one in stated[:20]:
        confirmed(human, human.facts.promote(one.fact.id).proposal_id)

    assert human.state().count == 20
    assert len(human.facts.list(**past)) == count - 20


@pytest.mark.row("KB-068", "KB-070")
def test_where_nothing_is_learned_yet_no_ratio_is_told(ready):
    ready("remember", "Die Fähre legt um 7 ab.")

    assert "no fact, playbook or skill holds yet" in " ".join(ready("doctor").out.split())
    assert "to one" not in ready("growth").out
