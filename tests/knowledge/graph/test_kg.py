"""The graph of triples, through Python, on both engines."""

from contextlib import closing
from datetime import timedelta
from random import Random  # noqa: TID251 - always seeded

import pytest

from tests.brains import a_brain
from tests.fakes import START
from tilth.core.actor import Actor, ActorKind
from tilth.core.errors import ConflictError, ForbiddenError, InvalidInputError, LimitExceededError
from tilth.core.lifecycle import Freshness, Lifecycle, Review
from tilth.core.scope import parse_owner
from tilth.knowledge.graph import kg as graph
from tilth.knowledge.vocabulary.tables import KnownWords

DAY = timedelta(days=1)
ACME = "urn:client:acme"
MARINA = "urn:person:marina"
# As the design of seed 002 prints them.
PRINTED = [
    ("entity", ACME, "is_a", "client"),
    ("entity", ACME, "located_in", "São Paulo"),
    ("entity", ACME, "uses", "DOS"),
    ("milestone", ACME, "first_call", "2026-04-12"),
    ("relationship", MARINA, "role_at", "urn:client:acme/CTO"),
]


@pytest.fixture
def store(whole_store):
    return whole_store


@pytest.fixture
def make(store, place):
    return lambda kind="agent", **more: a_brain(
        store, place.clock, by=Actor("ada", ActorKind(kind)), **more
    )


@pytest.fixture
def agent(make):
    return make()


@pytest.fixture
def acme(agent):
    for triple in PRINTED:
        agent.kg.add(*triple)
    agent.kg.add("entity", "urn:client:globex", "is_a", "client")
    agent.kg.add("relationship", MARINA, "lives_in", "Lisbon")
    return agent


def parts(triples):
    return sorted((one.channel.value, one.subject, one.predicate, one.object) for one in triples)


@pytest.mark.row("DU-013")
def test_the_example_of_the_design_gives_exactly_its_five_triples(acme):
    assert parts(acme.kg.query(ACME, depth=2).triples) == sorted(PRINTED)


@pytest.mark.row("DU-013")
def test_one_hop_says_nothing_of_who_mentions_it(acme):
    assert parts(acme.kg.query(ACME).triples) == sorted(PRINTED[:4])


@pytest.mark.row("DU-013")
def test_a_channel_narrows(acme):
    assert parts(acme.kg.query(ACME, depth=2, channel="entity").triples) == sorted(PRINTED[:3])
    assert len(acme.kg.query(ACME, depth=2, channel="*").triples) == 5


@pytest.mark.row("DU-013")
def test_from_a_person_the_walk_leads_to_where_she_works(acme):
    found = acme.kg.query(MARINA, depth=2).triples

    assert ("entity", ACME, "uses", "DOS") in parts(found)
    assert {one.depth for one in found} == {1, 2}


@pytest.mark.row("DU-013")
def test_sharing_a_plain_word_relates_nothing(acme):
    found = acme.kg.query(ACME, depth=5).triples

    assert ("relationship", MARINA, "lives_in", "Lisbon") in parts(found)
    assert "urn:client:globex" not in {one.subject for one in found}


@pytest.mark.row("DU-013")
def test_a_part_is_asked_for_alone(acme):
    acme.kg.add("relationship", "urn:person:ivo", "knows", "urn:client:acme/Sales/Lead")

    def who(urn):
        return {one.subject for one in acme.kg.query(urn, depth=2).triples}

    assert who("urn:client:acme/CTO") == {MARINA}
    assert who("urn:client:acme/sales") == {"urn:person:ivo"}
    assert who("urn:client:acme/Sal") == set()
    assert who("urn:client:ac") == set()


@pytest.mark.row("DU-014")
def test_more_hops_than_there_may_be_are_cut_and_said(acme):
    walk = acme.kg.query(ACME, depth=99)

    assert (walk.depth, walk.is_clamped) == (graph.DEPTH_MAX, True)
    assert not acme.kg.query(ACME, depth=2).is_clamped
    with pytest.raises(InvalidInputError):
        acme.kg.query(ACME, depth=0)


@pytest.mark.row("DU-014")
def test_a_cycle_ends(agent):
    for here, there in ("ab", "bc", "ca", "aa"):
        agent.kg.add("entity", f"urn:x:{here}", "uses", f"urn:x:{there}")

    found = agent.kg.query("urn:x:a", depth=5).triples

    assert len(found) == 4
    assert len(agent.kg.explore("urn:x:a", depth=5).links) == 4


@pytest.mark.row("DU-002")
def test_another_channel_is_refused_and_nothing_is_written(agent, store):
    before = store.digest()

    with pytest.raises(InvalidInputError, match="misc") as refused:
        agent.kg.add("misc", "Acme", "uses", "DOS")

    for channel in ("intent", "entity", "decision", "milestone", "agent_diary", "relationship"):
        assert channel in refused.value.hint
    assert store.digest() == before


@pytest.mark.row("DU-003")
@pytest.mark.parametrize("over", ["done", "Completed", "abandoned"])
def test_a_sealed_intent_takes_nothing_more(agent, over):
    agent.kg.add("intent", "urn:intent:move", "wants", "a new flat")
    agent.kg.add("intent", "urn:intent:move", "status", over)

    with pytest.raises(ConflictError) as refused:
        agent.kg.add("intent", "urn:intent:move", "wants", "a garden")

    assert "new intent" in refused.value.hint
    with pytest.raises(ConflictError):
        agent.kg.add("intent", "urn:intent:move", "status", "active")
    assert agent.kg.add("intent", "urn:intent:move", "status", over).verdict == "reinforced"
    assert agent.kg.add("intent", "urn:intent:other", "wants", "a garden").verdict == "recorded"


@pytest.mark.row("DU-013")
def test_a_plain_name_finds_what_has_a_urn_of_it_whatever_its_kind(acme, make):
    acme.kg.add("entity", "urn:service:check-out", "port", "9090")
    acme.kg.add("entity", "urn:service:check-out-api", "port", "9091")
    acme.kg.add("entity", "urn:host:marina", "uses", "Debian")

    assert {one.subject for one in acme.kg.query("Check Out").triples} == {"urn:service:check-out"}
    found = parts(acme.kg.query("Marina").triples)
    assert found == sorted(
        [PRINTED[-1], ("relationship", MARINA, "lives_in", "Lisbon"),
         ("entity", "urn:host:marina", "uses", "Debian")]
    )  # fmt: skip
    assert [one.object for one in acme.kg.timeline("check-out")] == ["9090"]
    assert acme.kg.explore("Marina").links
    # What goes by the very name comes before what has a URN of it.
    acme.kg.add("entity", "Marina", "is_a", "boat")
    assert parts(acme.kg.query("Marina").triples) == [("entity", "Marina", "is_a", "boat")]
    stranger = make(owner=parse_owner("eve"))
    assert stranger.kg.query("Marina").triples == ()
    assert acme.kg.query("check").triples == ()


@pytest.mark.row("DU-004")
def test_one_entity_is_written_without_the_other(agent):
    agent.kg.add("entity", ACME, "uses", "urn:tool:dos")

    assert agent.kg.query("urn:tool:dos").triples == ()
    assert [one.subject for one in agent.kg.query("urn:tool:dos", depth=2).triples] == [ACME]


@pytest.mark.row("DU-005")
def test_a_decision_has_a_rationale_and_is_replaced_by_name_alone(make):
    human = make("human")
    with pytest.raises(InvalidInputError, match="rationale"):
        human.kg.add("decision", "Storage", "engine", "SQLite")
    old = human.kg.add("decision", "Storage", "engine", "SQLite", rationale="one file")

    with pytest.raises(ConflictError):
        human.kg.add("decision", "Storage", "engine", "Postgres", rationale="many writers")
    new = human.kg.add(
        "decision", "Storage", "engine", "Postgres", rationale="teams", supersedes=old.fact.id
    )

    assert new.fact.metadata == {"rationale": "teams"}
    assert [one.object for one in human.kg.timeline("Storage")] == ["SQLite", "Postgres"]
    assert [one.object for one in human.kg.query("Storage").triples] == ["Postgres"]


@pytest.mark.row("DU-006")
def test_a_milestone_is_never_modified(agent):
    first = agent.kg.add("milestone", ACME, "first_call", "2026-04-12")

    with pytest.raises(ConflictError, match="milestone"):
        agent.kg.add("milestone", ACME, "first_call", "2026-04-13", supersedes=first.fact.id)

    assert [one.object for one in agent.kg.query(ACME).triples] == ["2026-04-12"]


@pytest.mark.row("DU-007")
def test_a_diary_belongs_to_its_session(agent):
    agent.kg.add("agent_diary", "Claude", "noted", "tests are slow", session_id="s1")
    agent.kg.add("agent_diary", "claude", "noted", "cache helps", session_id="s1")
    agent.kg.add("agent_diary", "codex", "noted", "all green", session_id="s2")

    with pytest.raises(ForbiddenError):
        agent.kg.add("agent_diary", "codex", "noted", "mine now", session_id="s1")
    with pytest.raises(InvalidInputError, match="session"):
        agent.kg.add("agent_diary", "codex", "noted", "nowhere")

    told = agent.kg.query("CLAUDE", channel="agent_diary").triples
    assert {(one.object, one.source) for one in told} == {
        ("tests are slow", "s1"),
        ("cache helps", "s1"),
    }


@pytest.mark.row("DU-008")
def test_a_new_role_supersedes_the_old_and_history_is_kept(acme):
    stated = acme.kg.add("relationship", MARINA, "role_at", "urn:client:globex/CEO")

    assert stated.verdict == "superseded"
    told = acme.kg.timeline(MARINA, channel="relationship")
    assert [(one.object, one.lifecycle) for one in told if one.predicate == "role_at"] == [
        ("urn:client:acme/CTO", Lifecycle.SUPERSEDED),
        ("urn:client:globex/CEO", Lifecycle.CURRENT),
    ]
    assert MARINA not in {one.subject for one in acme.kg.query(ACME, depth=2).triples}


@pytest.mark.row("DU-004")
def test_who_writes_of_one_thing_reads_nothing_of_another(make_place_on):
    place = make_place_on("sqlite")
    with closing(place.open()) as store:
        brain = a_brain(store, place.clock)
        for number in range(9):
            brain.kg.add("relationship", MARINA, "knows", f"guest {number}")
        brain.kg.add("entity", ACME, "uses", "DOS")
        read = []
        with store._engine.reading() as conn:
            connections = (store._engine._writer, conn.raw)
        for one in connections:
            one.set_row_trace(lambda _, row: read.append(repr(row).lower()) or row)

        brain.kg.add("entity", ACME, "uses", "Excel")

        assert any("acme" in row for row in read)
        assert not any("marina" in row or "guest" in row for row in read)
        brain.kg.add("relationship", MARINA, "knows", "guest 9")
        assert any("marina" in row for row in read)


@pytest.mark.row("DU-009")
def test_a_triple_has_a_confidence_a_source_and_a_time(agent):
    agent.kg.add("entity", ACME, "uses", "DOS", confidence=0.5, session_id="s9")
    agent.kg.add("entity", ACME, "uses", "Excel")

    excel, dos = agent.kg.query(ACME).triples
    assert (dos.confidence, dos.source) == (0.5, "s9")
    assert excel.source.startswith("epi_")
    assert excel.recorded_at > dos.recorded_at


@pytest.mark.row("DU-015")
def test_the_same_again_is_evidence_and_another_channel_stays(agent):
    first = agent.kg.add("relationship", MARINA, "lives_in", "Lisbon", session_id="s1")
    again = agent.kg.add("relationship", "URN:person:Marina", "lives in", "LISBON", session_id="s2")
    agent.kg.add("entity", MARINA, "lives_in", "Lisbon")
    moved = agent.kg.add("relationship", MARINA, "lives_in", "Porto")

    assert (again.verdict, again.fact.id) == ("reinforced", first.fact.id)
    assert len(again.fact.evidence) == 2
    assert moved.retired == first.fact.id
    assert {(one.channel.value, one.object) for one in agent.kg.query(MARINA).triples} == {
        ("entity", "Lisbon"),
        ("relationship", "Porto"),
    }


@pytest.mark.row("DU-015")
@pytest.mark.parametrize("confidence", [-0.1, 1.1])
def test_a_confidence_outside_its_range_is_refused(agent, confidence):
    with pytest.raises(InvalidInputError):
        agent.kg.add("entity", ACME, "uses", "DOS", confidence=confidence)


@pytest.mark.row("DU-012")
def test_the_past_is_as_it_was_when_it_was_asked_for(acme, place):
    before = acme.kg.query(ACME, depth=2).triples
    then = before[-1].recorded_at
    last = max(one.recorded_at for one in before) + timedelta(microseconds=1)
    place.clock.at = last + 100 * DAY
    acme.kg.add("relationship", MARINA, "role_at", "urn:client:globex/CEO")
    acme.kg.add("entity", ACME, "uses", "Excel")

    known = acme.kg.query(ACME, depth=2, known_at=last + DAY).triples
    held = acme.kg.query(ACME, depth=2, as_of=last + DAY).triples

    assert parts(known) == parts(held) == sorted(PRINTED)
    assert {one.freshness for one in known} == {Freshness.FRESH}
    assert {one.lifecycle for one in known} == {Lifecycle.CURRENT}
    assert acme.kg.query(ACME, as_of=then - 10 * DAY).triples == ()


@pytest.mark.row("DU-012")
@pytest.mark.parametrize("seed", range(3))
def test_any_past_is_what_a_snapshot_taken_then_shows(agent, place, seed):
    random = Random(seed)
    # Several triples of one microsecond are told apart by their place.
    place.clock.step = timedelta(0)
    snapshots = {}
    for _ in range(25):
        thing, value = random.choice("abc"), random.choice("wxyz")
        agent.kg.add("entity", f"urn:x:{thing}", random.choice(["phase", "likes"]), value)
        snapshots[place.clock.at] = [
            parts(agent.kg.query(f"urn:x:{one}", depth=2).triples) for one in "abc"
        ]
        if random.random() < 0.6:
            place.clock.at += timedelta(microseconds=random.randrange(1, 9))

    for then, shown in snapshots.items():
        known = [
            parts(agent.kg.query(f"urn:x:{one}", depth=2, known_at=then).triples) for one in "abc"
        ]
        assert known == shown


@pytest.mark.row("DU-017")
@pytest.mark.parametrize(
    ("days", "label"),
    [(7, "fresh"), (8, "ageing"), (89, "ageing"), (90, "verify"), (399, "verify"), (400, "guess")],
)
@pytest.mark.on_sqlite(but=2)
def test_every_triple_carries_its_age_and_label(acme, place, days, label):
    stated = max(one.recorded_at for one in acme.kg.query(ACME).triples)
    place.clock.at = stated + days * DAY

    last = max(acme.kg.query(ACME).triples, key=lambda one: one.recorded_at)
    assert (last.freshness.value, last.age_days) == (label, days)


@pytest.mark.row("DU-017")
def test_confirming_makes_it_fresh_again(make, acme, place):
    place.clock.at = START + 100 * DAY
    old = next(one for one in acme.kg.query(ACME).triples if one.object == "DOS")
    human = make("human")
    human.kg.add("entity", ACME, "uses", "DOS")
    question = human.review.question(old.id, reason="is it so?")
    seen = human.review.show(question.id)
    human.review.confirm(question.id, digest=seen.digest)

    new = next(one for one in acme.kg.query(ACME).triples if one.object == "DOS")
    assert (old.freshness.value, new.freshness.value) == ("verify", "fresh")
    assert new.review is Review.CONFIRMED


@pytest.mark.row("DU-016")
def test_a_graph_has_nodes_and_links_and_is_connected(acme):
    found = acme.kg.explore(ACME, depth=1)

    assert parts(found.links) == sorted(PRINTED)
    assert found.nodes[0] == ACME
    assert {MARINA, "São Paulo", "DOS"} <= set(found.nodes)
    assert not found.truncated


@pytest.mark.row("DU-016")
@pytest.mark.parametrize("asked", ["Acme", ACME, "acme gmbh", f"{ACME}/CTO", "Marina"])
def test_a_graph_is_connected_by_whatever_name_it_is_asked_for(acme, make, asked):
    acme.kg.add("entity", f"{ACME}/CTO", "email_address", "cto@acme.example")
    acme.kg.add("entity", "Acme GmbH", "uses", "urn:tech:redis")
    acme.kg.add("entity", "urn:tech:Redis", "owned_by", "Salvatore")
    make("human").entities.merge(ACME, "Acme GmbH")

    found = acme.kg.explore(asked)

    drawn = [(one.subject, one.object) for one in found.links]
    drawn += [(one.name, one.other) for one in found.joins]
    reached = {found.nodes[0]}
    for _ in drawn:
        reached |= {end for ends in drawn if reached & set(ends) for end in ends}
    assert reached == set(found.nodes)
    assert {end for ends in drawn for end in ends} == reached


@pytest.mark.row("DU-016")
def test_two_things_with_one_value_are_not_joined_by_another_writing_of_it(agent):
    agent.kg.add("entity", "urn:x:a", "uses", "urn:x:b")
    agent.kg.add("entity", "urn:x:a", "colour", "Red")
    agent.kg.add("entity", "urn:x:b", "colour", "red")

    assert agent.kg.explore("urn:x:a").joins == ()


@pytest.mark.row("DU-016")
def test_a_graph_of_what_nobody_stated_has_no_node(agent):
    assert agent.kg.explore("nobody").nodes == ()


@pytest.mark.row("DU-016")
def test_what_has_very_many_is_cut_and_says_so(agent, monkeypatch):
    monkeypatch.setattr(graph, "FAN_OUT", 3)
    for number in range(5):
        agent.kg.add("entity", ACME, "uses", f"tool {number}")

    found = agent.kg.query(ACME)
    assert [one.object for one in found.triples] == ["tool 4", "tool 3", "tool 2"]
    assert found.truncated
    assert agent.kg.explore(ACME).truncated


def test_what_is_hidden_is_neither_crossed_nor_counted(make, agent):
    secret = "project:secret"
    agent.kg.add("entity", "urn:x:a", "uses", "urn:x:b", scope=secret)
    agent.kg.add("entity", "urn:x:b", "uses", "urn:x:c")
    stranger = make(owner=parse_owner("stranger"))

    assert agent.kg.query("urn:x:a", depth=5, scope="project:other").triples == ()
    assert len(agent.kg.query("urn:x:a", depth=5, scope=secret).triples) == 2
    assert stranger.kg.query("urn:x:b", depth=5).triples == ()
    assert stranger.kg.stats().count == 0
    assert agent.kg.stats(scope="project:other").count == 1


def test_hidden_triples_do_not_use_up_what_may_be_shown(agent, monkeypatch):
    monkeypatch.setattr(graph, "FAN_OUT", 2)
    agent.kg.add("entity", ACME, "uses", "seen")
    for number in range(4):
        agent.kg.add("entity", ACME, "uses", f"hidden {number}", scope="project:secret")

    found = agent.kg.query(ACME, scope="project:other")
    assert [one.object for one in found.triples] == ["seen"]
    assert not found.truncated


def test_another_name_of_a_thing_finds_its_triples(make, agent):
    human = make("human")
    acme = human.entities.add("Acme", type="organisation", aliases=[ACME])
    agent.kg.add("entity", ACME, "uses", "DOS")

    assert acme
    assert [one.object for one in agent.kg.query("ACME").triples] == ["DOS"]


@pytest.mark.row("DU-050")
def test_an_alias_is_stored_by_its_name_and_an_unknown_word_is_queued(agent, store):
    stated = agent.kg.add("relationship", MARINA, "employed_by", "Acme")
    odd = agent.kg.add("entity", ACME, "frobnicates", "DOS")

    assert stated.fact.said.triple.predicate == "works_for"
    assert stated.fact.said.triple.written_as == "employed_by"
    assert "frobnicates" in odd.warnings[0]
    with store.read() as view:
        waiting = KnownWords(view).unknown(odd.fact.owner, limit=10)
    assert [one.word for one in waiting] == ["frobnicates"]


@pytest.mark.row("DU-051")
def test_a_rival_of_one_value_replaces_and_others_stand_side_by_side(agent):
    agent.kg.add("entity", ACME, "deal_stage", "lead")
    agent.kg.add("entity", ACME, "deal_stage", "won")
    agent.kg.add("entity", ACME, "nickname", "A")
    agent.kg.add("entity", ACME, "nickname", "B")

    found = {(one.predicate, one.object) for one in agent.kg.query(ACME).triples}
    assert found == {("deal_stage", "won"), ("nickname", "A"), ("nickname", "B")}


@pytest.mark.row("DU-051")
def test_a_rival_of_what_a_human_said_waits_and_contests(make, agent):
    make("human").kg.add("entity", ACME, "deal_stage", "lead")

    stated = agent.kg.add("entity", ACME, "deal_stage", "won")

    assert stated.verdict == "proposed"
    assert [one.object for one in agent.kg.query(ACME).triples] == ["lead"]


@pytest.mark.row("DU-052")
@pytest.mark.parametrize(
    "word",
    [
        "queried_by_session", "created_in_session", "health_score",
        "healthScore", "Health Score", "queriedBySession", "created-inSession",
    ],
)  # fmt: skip
@pytest.mark.on_sqlite(but=2)
def test_telemetry_is_refused_and_pointed_to_the_log(agent, word):
    with pytest.raises(InvalidInputError, match=word) as refused:
        agent.kg.add("entity", ACME, word, "7")

    assert "ledger" in refused.value.hint


@pytest.mark.row("DU-062")
def test_a_page_is_limited_where_the_rows_are(agent):
    for number in range(5):
        agent.kg.add("milestone", ACME, "call", f"call {number}")

    assert [one.object for one in agent.kg.timeline(ACME, limit=2)] == ["call 3", "call 4"]
    with pytest.raises(InvalidInputError):
        agent.kg.timeline(ACME, limit=0)


@pytest.mark.row("DU-062")
def test_what_is_joined_by_a_predicate_since_some_hours_is_listed_and_counted(agent, place):
    for hours in (30, 3, 1):
        began = place.clock.at - timedelta(hours=hours)
        agent.kg.add("milestone", ACME, "call", f"{hours} hours ago", valid_from=began)
    agent.kg.add("milestone", ACME, "deploy", "to production")
    lately = {"predicate": "call", "since": place.clock.at - timedelta(hours=24)}

    told = agent.kg.timeline(ACME, **lately)

    assert [one.object for one in told] == ["3 hours ago", "1 hours ago"]
    assert agent.kg.stats(**lately).count == 2
    assert agent.kg.stats(predicate="CALL").count == 3


@pytest.mark.row("MP-08")
def test_an_inverted_interval_is_refused_and_the_boundary_has_one_value(agent):
    with pytest.raises(InvalidInputError):
        agent.kg.add("entity", ACME, "uses", "DOS", valid_from=START, valid_to=START - DAY)
    agent.kg.add("entity", ACME, "phase", "one", valid_from=START - 9 * DAY)
    agent.kg.add("entity", ACME, "phase", "two", valid_from=START - 2 * DAY)

    def at(instant):
        return [one.object for one in agent.kg.query(ACME, as_of=instant).triples]

    assert at(START - 3 * DAY) == ["one"]
    assert at(START - 2 * DAY) == ["two"]


@pytest.mark.row("MP-08")
def test_stats_count_by_channel_and_predicate(acme):
    found = acme.kg.stats()

    assert found.count == 7
    assert found.predicates[0].predicate == "is_a"
    assert found.predicates[0].count == 2
    assert acme.kg.stats(channel="milestone").count == 1


def test_what_is_too_long_is_refused(agent):
    with pytest.raises(LimitExceededError):
        agent.kg.add("entity", "x" * 201, "uses", "DOS")


@pytest.mark.row("X-03")
def test_after_marina_left_before_and_after_are_right(acme, place):
    stated = max(one.recorded_at for one in acme.kg.query(ACME, depth=2).triples)
    left = stated + 30 * DAY
    place.clock.at = left
    acme.kg.add("relationship", MARINA, "role_at", "urn:client:globex/CEO")

    def marina(at):
        found = acme.kg.query(ACME, depth=2, as_of=at).triples
        return [one.object for one in found if one.subject == MARINA]

    assert marina(left - DAY) == ["urn:client:acme/CTO"]
    assert marina(left + DAY) == []
    place.clock.at = left + 91 * DAY
    found = acme.kg.query(MARINA).triples
    assert {one.freshness for one in found} == {Freshness.VERIFY}


RULED = {
    "sealed": ({"channel": "intent", "subject": "urn:intent:1", "predicate": "goal", "object": "x"},
               ConflictError),
    "why": ({"channel": "decision", "subject": "db", "predicate": "is", "object": "SQLite"},
            InvalidInputError),
    "session": ({"channel": "agent_diary", "subject": "scout", "predicate": "noted",
                 "object": "a map"}, InvalidInputError),
}  # fmt: skip


@pytest.mark.row("DU-003", "DU-004")
@pytest.mark.parametrize("rule", RULED)
@pytest.mark.parametrize("verb", ["add", "add_many", "plan"])
def test_the_rule_of_a_channel_holds_however_a_triple_is_stated(brain, rule, verb):
    telling, error = RULED[rule]
    brain.kg.add("intent", "urn:intent:1", "status", "done")
    before = brain.facts.list(limit=100)

    verbs = {
        "add": lambda: brain.facts.add(**telling),
        "add_many": lambda: brain.facts.add_many([telling]),
        "plan": lambda: brain.facts.plan(**telling),
    }
    with pytest.raises(error):
        verbs[verb]()

    assert brain.facts.list(limit=100) == before


@pytest.mark.row("DU-004")
def test_a_decision_says_why_in_its_words_its_metadata_or_those_it_rests_on(brain):
    telling = {"channel": "decision", "predicate": "is", "object": "SQLite"}
    said = brain.remember("We take SQLite, since one file is enough.")

    for number, more in enumerate(
        ({"text": "One file is enough."}, {"metadata": {"rationale": "one file"}},
         {"evidence": [said]})
    ):  # fmt: skip
        stated = brain.facts.add(**telling, subject=f"db {number}", **more)
        assert stated.fact.said.channel == "decision"


@pytest.mark.row("DU-003")
def test_a_diary_is_of_the_session_that_its_words_come_from(brain):
    said = brain.remember("Scout found a map.", session_id="s1")
    entry = {"channel": "agent_diary", "predicate": "noted", "evidence": [said]}

    brain.facts.add(subject="scout", object="a map", **entry)

    with pytest.raises(ForbiddenError, match="another agent's"):
        brain.facts.add(subject="reviewer", object="a map", **entry)


@pytest.mark.row("DU-062")
def test_what_an_import_brings_was_ruled_elsewhere(make):
    told = make("import").facts.add(channel="decision", subject="db", predicate="is", object="DB2")

    assert told.fact.life.lifecycle == "historical"
