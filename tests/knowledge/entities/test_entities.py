"""Entities, their names, merging and splitting, through Python, on both engines."""

import pytest

from tests.fakes import START
from tilth.core.actor import Actor, ActorKind
from tilth.core.errors import ConflictError, ForbiddenError, InvalidInputError, NotFoundError
from tilth.knowledge.vocabulary.registries import EntityType


@pytest.fixture
def store(whole_store):
    return whole_store


def names(found):
    return [one.entity.name for one in found]


def reads(brain, scope=None):
    """Return everything that can be read about entities and edges."""
    entities = brain.entities.list(scope=scope)
    return (
        [brain.entities.get(one.id, scope=scope) for one in entities],
        [brain.entities.around(one.id, depth=2, scope=scope) for one in entities],
        [brain.entities.impact(one.id, scope=scope) for one in entities],
        brain.edges.list(scope=scope),
        [brain.about(one.id, scope=scope).facts for one in entities],
        [brain.entities.suggest(one.id, scope=scope) for one in entities],
    )


def waiting(brain, kind="merge"):
    return [one.draft for one in brain.review.list(kinds=[kind]).proposals]


@pytest.mark.row("KB-002")
def test_one_host_is_one_node_for_two_projects(agent):
    host = agent.entities.add("proxmox-1", type="host").entity
    for project in ("alpha", "beta"):
        seen = agent.entities.add("Proxmox-1", type="host", scope=f"project:{project}")
        agent.entities.add(project, type="project")
        agent.edges.add("proxmox-1", "used_by", project)
        assert (seen.entity.id, seen.is_new) == (host.id, False)

    around = agent.entities.around("proxmox-1")
    assert [node.name for node in around.nodes] == ["proxmox-1", "alpha", "beta"]
    assert {edge.kind for edge in around.edges} == {"used_by"}


@pytest.mark.row("KB-004")
def test_an_entity_says_who_recorded_it_and_when(agent, place):
    entity = agent.entities.add("grafana", type="service").entity

    assert entity.by == Actor("ada", ActorKind.AGENT)
    assert START <= entity.recorded_at <= place.clock.now()


@pytest.mark.row("KB-005")
def test_a_wrong_name_and_a_wrong_type_take_one_call_each(agent, human):
    entity = agent.entities.add("db-1", type="service", aliases=["the database"]).entity

    assert human.entities.unalias(entity.id, "The Database").names == ("db-1",)
    assert human.entities.retype(entity.id, "host").type is EntityType.HOST
    assert human.entities.resolve("the database").entity is None
    with pytest.raises(ForbiddenError):
        agent.entities.retype(entity.id, "tool")
    with pytest.raises(ForbiddenError):
        agent.entities.unalias(entity.id, "db-1")
    with pytest.raises(InvalidInputError, match="no alias"):
        human.entities.unalias(entity.id, "db-1")


@pytest.mark.row("KB-010")
def test_only_a_node_can_be_joined(agent):
    episode = agent.remember("the kettle is on")

    with pytest.raises(InvalidInputError, match="no node") as refused:
        agent.edges.add("kettle", "uses", episode)
    assert "entity, fact, playbook, skill" in refused.value.hint
    assert agent.edges.list() == []


@pytest.mark.row("KB-011")
def test_the_types_of_entities_are_closed(agent, place):
    with pytest.raises(InvalidInputError, match="unknown entity type"):
        agent.entities.add("x", type="note")
    agent.entities.add("x")
    with pytest.raises(place.refusals):
        place.run("UPDATE entities SET type = 'note'")


@pytest.mark.row("KB-017")
def test_an_entity_comes_back_as_it_was_told_and_by_any_of_its_names(agent):
    told = {"type": "service", "aliases": ["dev-db", "192.168.3.88:5432"], "metadata": {"a": 1}}
    entity = agent.entities.add("svc-postgres-dev", **told).entity

    card = agent.entities.get(entity.id)
    assert card.entity == entity
    assert card.names == ("svc-postgres-dev", "dev-db", "192.168.3.88:5432")
    assert (entity.type, entity.scope, entity.metadata) == ("service", "global", {"a": 1})
    for name in card.names:
        assert agent.entities.get(name).entity.id == entity.id
        assert agent.entities.resolve(name).entity.id == entity.id


@pytest.mark.row("KB-027")
def test_names_of_one_thing_resolve_to_it_however_they_are_written(agent):
    entity = agent.entities.add("Postgres", type="tech", aliases=["pg", "192.168.3.88"]).entity

    for name in (
        "postgres",
        "  PG ",
        "192.168.3.88",
        "\uff30\uff2f\uff33\uff34gres",
        '"Postgres"',
        "(pg)",
    ):
        assert agent.entities.resolve(name).entity.id == entity.id, name
        assert not agent.entities.add(name, type="tech").is_new
    assert len(agent.entities.list()) == 1


@pytest.mark.row("KB-027")
def test_what_is_new_is_added_to_what_is_known(agent):
    first = agent.entities.add("pg").entity
    added = agent.entities.add("PostgreSQL", type="tech", aliases=["pg"])

    assert (added.entity.id, added.is_new) == (first.id, False)
    assert added.entity.type is EntityType.TECH
    assert agent.entities.get("pg").names == ("pg", "PostgreSQL")


@pytest.mark.row("KB-028")
def test_likeness_suggests_with_a_score_and_a_reason_and_never_links(agent):
    known = agent.entities.add("Kubernetes cluster north", type="service").entity
    added = agent.entities.add("Kubernets cluster north", type="service")

    assert added.is_new
    (found,) = agent.entities.suggest(added.entity.id)
    assert found.entity.id == known.id
    assert 0.5 < found.score < 1
    assert found.reason


@pytest.mark.row("KB-029")
def test_names_that_come_close_stay_apart_and_a_human_is_asked(agent):
    agent.entities.add("Grafana dashboard", type="service")
    added = agent.entities.add("Grafana dashbord", type="service")

    (asked,) = waiting(agent)
    assert added.proposals
    assert set(asked.entities) == {one.id for one in agent.entities.list()}
    assert "Grafana dashbord" in asked.reason


@pytest.mark.row("KB-029")
def test_a_name_in_disguise_is_never_taken_for_the_real_one(agent):
    real = agent.entities.add("Postgres", type="tech").entity
    disguised = agent.entities.add("P\u043estgres", type="tech")

    assert disguised.is_new
    assert agent.entities.get("Postgres").entity == real
    assert agent.entities.resolve("Postgres", type="tech").entity == real
    assert len(waiting(agent)) == 1


@pytest.mark.row("KB-029")
def test_rivals_are_not_asked_about(agent):
    agent.entities.add("db-1", type="host")
    agent.entities.add("db-2", type="host")

    assert waiting(agent) == []


def test_a_merge_is_taken_back_by_the_name_that_was_merged_away(human):
    winner = human.entities.add("Marina", type="person")
    loser = human.entities.add("Marina Costa", type="person").entity
    human.entities.merge("Marina", "Marina Costa")

    with pytest.raises(NotFoundError, match="merged away was called 'Marina'"):
        human.entities.split("Marina")
    split = human.entities.split("marina costa")

    assert (split.entity.id, split.winner.id) == (loser.id, winner.entity.id)
    assert human.entities.get("Marina Costa").entity.id == loser.id


def test_a_name_that_two_had_who_were_merged_away_is_told_with_both(human):
    for scope in ("project:shop", "project:lab"):
        loser = human.entities.add("pve", type="host", scope=scope).entity
        winner = human.entities.add("pve2", type="host", scope=scope).entity
        human.entities.merge(winner.id, loser.id)

    with pytest.raises(ConflictError, match="2 that were merged away") as refused:
        human.entities.split("pve")

    assert refused.value.hint.count(" into ent_") == 2


@pytest.mark.row("KB-030", "I17")
def test_a_split_restores_every_read_exactly(agent, human):
    one = agent.entities.add("Postgres", type="tech", aliases=["pg"]).entity
    two = agent.entities.add("main database", type="service").entity
    agent.edges.add("api", "uses", "main database")
    agent.edges.add("Postgres", "runs_on", "proxmox-1")
    agent.facts.add("The main database is full.", about=["main database"])
    before = reads(agent)

    merged = human.entities.merge(one.id, two.id, reason="the same")
    assert merged.is_merged
    assert agent.entities.get("main database").entity.id == one.id
    assert agent.entities.get("pg").names == ("Postgres", "pg", "main database")
    assert {node.name for node in agent.entities.around("pg").nodes} == {
        "Postgres", "api", "proxmox-1",
    }  # fmt: skip
    assert [one.fact.said.text for one in agent.about("pg").facts] == ["The main database is full."]

    split = human.entities.split(two.id)
    assert split.is_split
    assert reads(agent) == before


@pytest.mark.row("KB-031", "I17")
def test_a_merge_names_its_edges_and_old_ids_lead_on(agent, human):
    one = agent.entities.add("Postgres", type="tech").entity
    two = agent.entities.add("main database", type="service").entity
    old = agent.edges.add(two.id, "runs_on", "proxmox-1").edge
    human.entities.merge(one.id, two.id)
    new = agent.edges.add(two.id, "runs_on", "proxmox-2").edge
    fact = agent.facts.add("It answers on 5432.", about=["main database"]).fact

    assert agent.entities.get(two.id).entity.id == one.id
    assert [merged.id for merged in agent.entities.get(one.id).merged] == [two.id]
    assert new.source == one.id
    split = human.entities.split(two.id)
    assert split.kept_edges == (new.id,)
    assert split.kept_facts == (fact.id,)
    assert [edge.id for edge in agent.edges.list(two.id)] == [old.id]
    assert [edge.id for edge in agent.edges.list(one.id)] == [new.id]


@pytest.mark.row("KB-032")
def test_nobody_needs_to_tidy_and_tidying_merges_only_what_is_exactly_one(agent, make):
    agent.entities.add("Postgres", type="tech", scope="project:a")
    agent.entities.add("Postgres", type="tech")
    agent.entities.add("Grafana dashboards", type="tech", scope="project:a")
    agent.entities.add("Grafana dashboard", type="tech")
    assert len({one.id for one in agent.entities.list()}) == 4

    tidied = make("job").entities.tidy()
    assert (tidied.seen_count, tidied.merged_count) == (4, 1)
    assert agent.entities.get("Postgres", scope="project:a").entity.scope == "global"
    assert len(waiting(agent)) == 1
    merge = agent.entities.get("Postgres").merged[0]
    assert merge.scope == "project:a"
    assert make("job").entities.tidy(after=tidied.cursor).seen_count == 0
    assert make("job").entities.tidy().merged_count == 0


@pytest.mark.row("I23")
def test_what_a_human_recorded_or_put_apart_is_not_merged_by_anybody_else(agent, human, make):
    human.entities.add("Postgres", type="tech", scope="project:a")
    agent.entities.add("Postgres", type="tech")
    assert make("job").entities.tidy().merged_count == 0
    assert len(waiting(agent)) == 1

    local = agent.entities.add("Redis", type="tech", scope="project:a").entity
    agent.entities.add("Redis", type="tech")
    assert make("job").entities.tidy().merged_count == 1
    human.entities.split(local.id)
    assert make("job").entities.tidy().merged_count == 0


@pytest.mark.row("C-03")
def test_a_person_is_never_linked_without_a_human(agent, human):
    ada = agent.entities.add("Ada Lovelace", type="person").entity

    with pytest.raises(ConflictError, match="goes by"):
        agent.entities.add("ada lovelace", type="person")
    other = agent.entities.add("Ada Lovelace", type="person", is_namesake=True)
    assert other.is_new
    assert agent.entities.resolve("Ada Lovelace", type="person").entity is None
    merged = agent.entities.merge(ada.id, other.entity.id)
    assert not merged.is_merged
    assert merged.proposal_id in other.proposals
    with pytest.raises(ForbiddenError):
        agent.entities.alias(ada.id, "the countess")
    assert human.entities.alias(ada.id, "the countess").names[-1] == "the countess"
    assert human.entities.merge(ada.id, other.entity.id).is_merged
    assert waiting(human) == []


@pytest.mark.row("C-03")
def test_two_people_of_one_name_are_told_to_whoever_asks(agent):
    first = agent.entities.add("Ada", type="person").entity
    second = agent.entities.add("Ada", type="person", is_namesake=True).entity

    card = agent.entities.get("Ada")
    assert (card.entity.id, card.namesakes) == (first.id, (second.id,))


@pytest.mark.row("DU-059")
def test_case_and_plural_are_asked_about_and_the_proper_one_survives(agent):
    lower = agent.entities.add("lucas").entity
    proper = agent.entities.add("Lucas").entity

    assert lower.id != proper.id
    (asked,) = waiting(agent)
    assert asked.detail["winner"] == proper.id


@pytest.mark.row("DU-059")
def test_a_fact_about_a_name_in_another_case_goes_to_no_person(agent):
    person = agent.entities.add("Lucas", type="person").entity
    fact = agent.facts.add("lucas likes tea.", about=["lucas"]).fact
    exact = agent.facts.add("Lucas likes coffee.", about=["Lucas"]).fact

    assert person.id not in fact.about
    assert exact.about == (person.id,)


@pytest.mark.row("C-03")
def test_a_merge_into_what_others_cannot_see_is_refused(agent, human):
    hub = agent.entities.add("Postgres", type="tech").entity
    local = agent.entities.add("pg", type="tech", scope="project:a").entity
    other = agent.entities.add("pgsql", type="tech", scope="project:b").entity

    for winner, loser in ((local, hub), (local, other)):
        with pytest.raises(ForbiddenError):
            human.entities.merge(winner.id, loser.id)
    assert human.entities.merge(hub.id, local.id).is_merged
    with pytest.raises(ConflictError):
        human.entities.merge(hub.id, local.id)
    with pytest.raises(ConflictError):
        human.entities.merge(other.id, local.id)
    with pytest.raises(ConflictError):
        human.entities.merge(hub.id, hub.id)


@pytest.mark.row("XR-04")
def test_a_name_of_one_project_is_not_told_to_another(agent):
    hub = agent.entities.add("Postgres", type="tech").entity
    here = agent.entities.add(
        "Postgres", type="tech", aliases=["canary-10-0-0-5"], scope="project:a"
    )

    assert here.entity.id == hub.id
    assert "canary-10-0-0-5" in agent.entities.get("Postgres", scope="project:a").names
    assert agent.entities.get("canary-10-0-0-5", scope="project:a").entity.id == hub.id
    for scope in ("project:b", "global"):
        assert "canary" not in repr(reads(agent, scope))
        assert agent.entities.resolve("canary-10-0-0-5", scope=scope).entity is None
        assert agent.entities.search("canary 10 0 0 5", scope=scope) == ()


@pytest.mark.row("X-04")
def test_a_hub_that_names_alone_make_tells_no_project_of_another(agent, human):
    names = {"project:a": "Postgres", "project:b": "pg", "project:c": "192.168.3.88"}
    hub = human.entities.add("PostgreSQL (Dev)", type="service", aliases=names.values()).entity
    wrong = agent.entities.add("Grafana", type="service").entity
    for scope, name in names.items():
        agent.facts.add(f"{name} is used by {scope}.", about=[name], scope=scope)
    before = {scope: reads(agent, scope) for scope in ("global", *names)}

    human.entities.merge(hub.id, wrong.id)
    assert all(reads(agent, scope) != told for scope, told in before.items())
    human.entities.split(wrong.id)

    assert {scope: reads(agent, scope) for scope in before} == before
    for scope, name in names.items():
        about = agent.about("PostgreSQL (Dev)", scope=scope)
        assert agent.entities.get(name, scope=scope).entity.id == hub.id
        assert [one.fact.said.text for one in about.facts] == [f"{name} is used by {scope}."]
    assert agent.about(hub.id, scope="global").facts == ()


@pytest.mark.row("X-04")
def test_three_projects_become_one_hub_and_a_wrong_merge_is_split_back(agent, human):
    hub = human.entities.add("PostgreSQL (Dev)", type="service").entity
    local = {
        scope: agent.entities.add(name, scope=scope).entity
        for scope, name in (
            ("project:a", "Postgres"), ("project:b", "pg"), ("project:c", "192.168.3.88"),
        )
    }  # fmt: skip
    for scope, entity in local.items():
        agent.facts.add(f"{entity.name} is used by {scope}.", about=[entity.id], scope=scope)
    wrong = agent.entities.add("Grafana", type="service").entity
    for entity in local.values():
        human.entities.merge(hub.id, entity.id)
    before = reads(agent)

    human.entities.merge(hub.id, wrong.id)
    assert agent.entities.get("Grafana").entity.id == hub.id
    human.entities.split(wrong.id)
    assert reads(agent) == before
    for scope, entity in local.items():
        about = agent.about("PostgreSQL (Dev)", scope=scope)
        assert about.card.names == ("PostgreSQL (Dev)", entity.name)
        assert [one.fact.life.scope for one in about.facts] == [scope]
        assert agent.entities.get(entity.name, scope=scope).entity.id == hub.id


@pytest.mark.row("C-25")
def test_entities_of_another_owner_are_not_there(agent, make):
    stranger = make("human", owner="stranger")
    entity = agent.entities.add("Postgres", type="tech").entity
    mine = stranger.entities.add("Postgres", type="tech")

    assert mine.is_new
    for read in (stranger.entities.get, stranger.entities.around, stranger.about):
        with pytest.raises(NotFoundError):
            read(entity.id)
    with pytest.raises(NotFoundError):
        stranger.entities.merge(mine.entity.id, entity.id)
    assert [one.id for one in stranger.entities.list()] == [mine.entity.id]


def test_a_merge_flags_what_the_two_say_differently(agent, human):
    one = agent.entities.add("acme", type="project").entity
    two = agent.entities.add("acme corp", type="project").entity
    for subject, phase in (("acme", "beta"), ("acme corp", "live")):
        agent.facts.add(subject=subject, predicate="phase", object=phase, channel="entity")

    merged = human.entities.merge(one.id, two.id)
    assert len(merged.contradictions) == 1
    (flagged,) = waiting(human, "contradiction")
    assert len(flagged.facts) == 2

    human.entities.split(two.id, reason="two companies")
    assert waiting(human) == []
    assert not [hit for hit in human.recall("acme phase", tiers=["fact"]).hits if hit.rivals]
    human.entities.merge(one.id, two.id)
    assert len(waiting(human, "contradiction")) == 1


def stated_phase(brain, subject, phase):
    return brain.facts.add(subject=subject, predicate="phase", object=phase, channel="entity")


def phases(brain, subject):
    found = [one.fact.said.triple for one in brain.about(subject).facts]
    return sorted(one.object for one in found if one.predicate == "phase")


@pytest.fixture
def merged(agent, human):
    """One thing that was two, each with a phase of its own: Alpha and Beta."""
    one, two = (agent.entities.add(name, type="project").entity for name in ("Alpha", "Beta"))
    for name, phase in (("Alpha", "pilot"), ("Beta", "live")):
        stated_phase(agent, name, phase)
    human.entities.merge(one.id, two.id)
    return one, two


@pytest.mark.row("C-01")
@pytest.mark.parametrize(
    ("named", "ended", "left"), [("Beta", "live", "pilot"), ("Alpha", "pilot", "live")]
)
def test_a_write_after_a_merge_ends_what_it_names(agent, human, merged, *, named, ended, left):
    stated = stated_phase(agent, named, "gone")

    assert agent.facts.get(stated.retired).said.triple.object == ended
    assert phases(agent, named) == sorted(["gone", left])
    (asked,) = human.review.list().proposals
    told = {agent.facts.get(one).said.triple.object for one in asked.draft.facts}
    assert told == {"gone", left}
    assert all(one.against for one in agent.state(predicate="phase").facts)

    shown = human.review.show(asked.id)
    others = [one for one in asked.draft.facts if one != stated.fact.id]
    human.review.decide(
        asked.id, "supersede", keeps=stated.fact.id, retires=others, digest=shown.digest
    )
    assert phases(agent, named) == ["gone"]
    assert human.review.list().proposals == ()


@pytest.mark.row("X-04")
def test_a_split_after_a_write_gives_each_its_own_value(agent, human, merged):
    stated_phase(agent, "Beta", "gone")
    stated_phase(agent, "Alpha", "done")

    human.entities.split(merged[1].id)

    assert phases(agent, "Alpha") == ["done"]
    assert phases(agent, "Beta") == ["gone"]
    assert human.review.list().proposals == ()


@pytest.mark.row("C-01")
def test_a_value_under_the_name_of_a_part_that_has_none_ends_that_of_the_other(agent, human):
    one, two = (agent.entities.add(name, type="project").entity for name in ("Alpha", "Beta"))
    before = stated_phase(agent, "Alpha", "pilot").fact
    human.entities.merge(one.id, two.id)

    assert stated_phase(agent, "Beta", "live").retired == before.id
    assert phases(agent, "Alpha") == ["live"]
    assert human.review.list().proposals == ()


@pytest.mark.row("C-01")
def test_what_a_human_stands_behind_is_asked_about_after_a_merge_too(agent, human, merged):
    mine = stated_phase(human, "Beta", "frozen").fact
    stated = stated_phase(agent, "Beta", "gone")

    assert stated.is_proposal
    shown = human.review.show(stated.proposal_id)
    assert [one.id for one in shown.retires] == [mine.id]
    human.review.confirm(stated.proposal_id, retires=[mine.id], digest=shown.digest)
    (asked,) = human.review.list().proposals
    assert {agent.facts.get(one).said.triple.object for one in asked.draft.facts} == {
        "gone",
        "pilot",
    }


@pytest.mark.row("C-01")
def test_what_two_say_alike_is_no_question_when_they_are_merged(agent, human):
    one, two = (agent.entities.add(name, type="project").entity for name in ("Alpha", "Beta"))
    for name in ("Alpha", "Beta"):
        stated_phase(agent, name, "pilot")

    assert human.entities.merge(one.id, two.id).contradictions == ()


def test_a_split_leaves_the_question_that_did_not_come_of_the_merge(agent, human):
    one, two = (agent.entities.add(name, type="project").entity for name in ("acme", "acme corp"))
    ours, theirs = (
        agent.facts.add(subject=name, predicate="phase", object=phase, channel="entity").fact
        for name, phase in (("acme", "beta"), ("acme corp", "live"))
    )
    agent.facts.relate(ours.id, "updates", theirs.id)
    human.entities.merge(one.id, two.id)

    human.entities.split(two.id)

    assert len(waiting(human, "contradiction")) == 1


def test_an_agent_proposes_a_merge_and_a_split(agent, human):
    one = agent.entities.add("Postgres", type="tech").entity
    two = agent.entities.add("main database", type="service").entity

    asked = agent.entities.merge(one.id, two.id, reason="they answer on one port")
    assert not asked.is_merged
    assert agent.entities.merge(two.id, one.id).proposal_id == asked.proposal_id
    human.entities.merge(one.id, two.id)
    assert waiting(human) == []
    split = agent.entities.split(two.id, reason="they answer on two ports")
    assert not split.is_split
    assert len(waiting(human, "split")) == 1
    with pytest.raises(ConflictError):
        human.entities.split(one.id)


@pytest.mark.row("XR-03")
def test_a_question_about_entities_is_answered_in_the_queue_and_taken_back(agent, human):
    agent.entities.add("Grafana dashboard", type="service")
    (asked,) = agent.entities.add("Grafana dashbord", type="service").proposals
    before = reads(agent)

    human.review.decide(asked, "merge", digest=human.review.show(asked).digest)
    assert len({agent.entities.get(one.id).entity.id for one in agent.entities.list()}) == 1
    human.review.undo(asked)
    assert reads(agent) == before
    assert len(waiting(human)) == 1
    human.review.reject(asked, digest=human.review.show(asked).digest)
    assert agent.entities.tidy().proposed_count == 0


@pytest.mark.row("XR-03")
def test_a_split_that_was_asked_for_is_answered_in_the_queue(agent, human):
    one = agent.entities.add("Postgres", type="tech").entity
    two = agent.entities.add("main database", type="service").entity
    before = reads(agent)
    human.entities.merge(one.id, two.id)
    asked = agent.entities.split(two.id).proposal_id

    human.review.confirm(asked, digest=human.review.show(asked).digest)
    assert reads(agent) == before
    human.review.undo(asked)
    assert agent.entities.get("main database").entity.id == one.id


@pytest.mark.row("I20", "I21")
@pytest.mark.parametrize("kind", ["agent", "job", "import", "anonymous"])
@pytest.mark.on_sqlite(but=2)
def test_only_a_human_changes_what_others_told(make, human, kind):
    brain = make(kind)
    one = human.entities.add("Postgres", type="tech", aliases=["pg"]).entity
    two = human.entities.add("main database", type="service").entity
    person = human.entities.add("Ada", type="person").entity
    edge = human.edges.add("pg", "runs_on", "proxmox").edge
    before = reads(human)

    for forbidden in (
        lambda: brain.entities.unalias(one.id, "pg"),
        lambda: brain.entities.retype(one.id, "tool"),
        lambda: brain.entities.alias(person.id, "the countess"),
        lambda: brain.edges.retire(edge.id),
    ):
        with pytest.raises(ForbiddenError):
            forbidden()
    assert not brain.entities.merge(one.id, two.id).is_merged
    brain.entities.tidy()
    assert reads(human) == before
    human.entities.merge(one.id, two.id)
    assert not brain.entities.split(two.id).is_split
    assert human.entities.get(two.id).entity.id == one.id


@pytest.mark.row("KB-122")
def test_what_nobody_signed_touches_nothing_that_is_there(make, agent):
    stranger = make("anonymous")
    known = agent.entities.add("Postgres").entity
    before = reads(agent)

    again = stranger.entities.add("Postgres", type="tech", aliases=["evil"])
    assert (again.entity, again.is_new) == (known, False)
    for forbidden in (
        lambda: stranger.entities.alias(known.id, "evil"),
        lambda: stranger.entities.retype(known.id, "tech"),
        lambda: stranger.edges.add("Postgres", "runs_on", "evil"),
    ):
        with pytest.raises(ForbiddenError):
            forbidden()
    assert reads(agent) == before


def test_a_name_that_another_goes_by_is_no_alias(agent):
    one = agent.entities.add("Postgres", type="tech").entity
    agent.entities.add("Redis", type="tech")

    with pytest.raises(ConflictError, match="goes by"):
        agent.entities.alias(one.id, "redis")
    assert agent.entities.alias(one.id, "elephant").names == ("Postgres", "elephant")


def test_search_finds_by_words_misspellings_and_initials(agent):
    agent.entities.add("Home Assistant", type="service")
    agent.entities.add("Amazon Web Services", type="service")

    assert names(agent.entities.search("home assistant"))[0] == "Home Assistant"
    assert names(agent.entities.search("hone asistant"))[0] == "Home Assistant"
    assert names(agent.entities.search("AWS"))[0] == "Amazon Web Services"
    assert agent.entities.search("zzz") == ()


def test_an_unknown_name_is_refused_with_what_comes_close(agent):
    agent.entities.add("Home Assistant", type="service")

    with pytest.raises(NotFoundError) as refused:
        agent.entities.get("Home Asistant")
    assert "Home Assistant" in refused.value.hint


@pytest.mark.parametrize("name", ["", "  ", "x" * 201, "a\u202eb"])
@pytest.mark.on_sqlite(but=2)
def test_what_cannot_be_a_name_is_refused(agent, name):
    with pytest.raises(InvalidInputError):
        agent.entities.add(name)
    assert agent.entities.list() == []


@pytest.mark.row("EM-023")
def test_relatives_are_no_question_and_one_person_by_two_names_is(human):
    for name in ("Omar Schneider", "Mary Schneider"):
        assert human.entities.add(name, type="person").proposals == ()
    assert len(human.entities.add("Maria Schneider", type="person").proposals) == 1
