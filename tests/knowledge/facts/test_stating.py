"""Stating, proposing, deciding and ending facts, through Python, on both engines."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields
from datetime import timedelta
from itertools import product

import pytest

from tests.fakes import START
from tilth.core.actor import Actor, ActorKind
from tilth.core.errors import ConflictError, ForbiddenError, InvalidInputError, NotFoundError
from tilth.core.lifecycle import Lifecycle, Review
from tilth.core.scope import Visibility
from tilth.knowledge.entities.events import AliasAdded
from tilth.knowledge.facts.filters import FactFilter
from tilth.knowledge.facts.life import Grade
from tilth.knowledge.facts.statement import Statement, Taxonomy
from tilth.knowledge.facts.tables import Facts
from tilth.knowledge.proposals.events import ProposalDecided
from tilth.knowledge.proposals.proposal import Action, Ruling
from tilth.knowledge.vocabulary.tables import KnownWords

DAY = timedelta(days=1)
PI_HOLE = {"area": "Network", "environment": "home", "system": "pi-hole", "component": "ip"}


@pytest.fixture
def store(whole_store):
    return whole_store


def held(brain, **asking):
    return [one.fact.said.text for one in brain.state(**asking).facts]


def confirmed(human, stated):
    """Let a human confirm what waits, having looked at it."""
    seen = human.review.show(stated.proposal_id)
    retires = [fact.id for fact in seen.retires]
    return human.review.confirm(stated.proposal_id, digest=seen.digest, retires=retires)


@pytest.mark.row("OB-001")
def test_each_place_narrows_alone_and_with_the_others(agent):
    agent.facts.add("DNS answers on .100.", **PI_HOLE, tags=["durable"])
    agent.facts.add("The NAS is full.", area="Storage", system="nas", component="fill")

    assert held(agent, area="network") == ["DNS answers on .100."]
    assert held(agent, system="NAS") == ["The NAS is full."]
    assert held(agent, area="Network", environment="home", tags=["durable"]) == [
        "DNS answers on .100."
    ]
    assert held(agent, area="Network", system="nas") == []


@pytest.mark.row("OB-003")
def test_what_is_still_so_has_no_end(agent):
    fact = agent.facts.add("DNS answers on .100.", **PI_HOLE).fact

    assert fact.life.valid_to is None
    assert fact.life.valid_from == fact.recorded_at


@pytest.mark.row("OB-005", "I15")
def test_only_what_holds_is_served_and_the_rest_on_request(agent, human):
    old = human.facts.add("DNS answers on 192.168.100.30.", **PI_HOLE)
    new = human.facts.add("DNS answers on 192.168.110.30.", **PI_HOLE)

    assert (new.verdict, new.retired) == ("superseded", old.fact.id)
    assert held(agent, system="Pi-Hole") == ["DNS answers on 192.168.110.30."]
    assert held(agent, lifecycles=["superseded"]) == ["DNS answers on 192.168.100.30."]


@pytest.mark.row("OB-006")
def test_what_was_superseded_is_reached_by_id_history_and_time(human, place):
    old = human.facts.add("DNS answers on .100.", **PI_HOLE).fact
    place.clock.at += DAY
    new = human.facts.add("DNS answers on .110.", **PI_HOLE).fact

    assert human.facts.get(old.id).said.text == "DNS answers on .100."
    assert [fact.id for fact in human.facts.history(new.id)] == [old.id, new.id]
    assert held(human, as_of=new.life.valid_from - timedelta(hours=1)) == ["DNS answers on .100."]


@pytest.mark.row("OB-006")
@pytest.mark.parametrize("who", ["human", "agent"])
def test_what_comes_in_late_ends_where_the_next_known_value_began(who, human, agent, place):
    speaker, began = {"human": human, "agent": agent}[who], place.clock.at - 100 * DAY
    slot = {"subject": "api", "predicate": "status", "channel": "entity"}
    for days, status in ((0, "planned"), (40, "beta"), (80, "stable")):
        speaker.facts.add(object=status, valid_from=began + days * DAY, **slot)

    late = speaker.facts.add(object="alpha", valid_from=began + 20 * DAY, **slot)

    assert late.verdict == "recorded"
    assert late.fact.life.valid_to == began + 40 * DAY
    assert held(human, as_of=began + 30 * DAY) == ["api status alpha", "api status planned"]
    assert held(human, as_of=began + 60 * DAY) == ["api status beta"]
    assert held(human) == ["api status stable"]


@pytest.mark.row("OB-008")
def test_a_proposal_commits_nothing(agent):
    old = agent.facts.add("DNS answers on .100.", **PI_HOLE).fact
    asked = agent.facts.propose("DNS answers on .110.", supersedes=old.id, **PI_HOLE)

    assert asked.verdict == "proposed"
    assert asked.fact.life.lifecycle is Lifecycle.DRAFT
    assert held(agent) == ["DNS answers on .100."]
    assert agent.facts.get(old.id).is_contested


@pytest.mark.row("OB-008")
def test_a_target_must_be_there_be_current_and_be_named(agent, human):
    old = human.facts.add("DNS answers on .100.", **PI_HOLE).fact
    human.facts.add("DNS answers on .110.", **PI_HOLE)

    with pytest.raises(ConflictError, match="superseded"):
        agent.facts.propose("DNS answers on .120.", supersedes=old.id, **PI_HOLE)
    with pytest.raises(NotFoundError):
        agent.facts.propose("x is so", supersedes="fct_" + "0" * 26, **PI_HOLE)
    with pytest.raises(InvalidInputError, match="names what"):
        agent.facts.propose("x is so", **PI_HOLE)
    with pytest.raises(InvalidInputError, match="needs a text"):
        agent.facts.propose("", supersedes=old.id)


@pytest.mark.row("OB-009", "I14")
def test_a_human_confirms_once_and_the_times_touch(agent, human):
    old = agent.facts.add("DNS answers on .100.", **PI_HOLE).fact
    asked = agent.facts.add("DNS answers on .110.", **PI_HOLE)
    confirmed(human, asked)

    before, after = human.facts.get(old.id), human.facts.get(asked.fact.id)
    assert held(agent) == ["DNS answers on .110."]
    assert before.life.lifecycle is Lifecycle.SUPERSEDED
    assert before.life.valid_to == after.life.valid_from
    assert after.life.review is Review.CONFIRMED
    with pytest.raises(ConflictError, match="decided already"):
        confirmed(human, asked)


@pytest.mark.row("OB-010")
def test_nobody_but_a_human_confirms(agent, human, make):
    old = human.facts.add("DNS answers on .100.", **PI_HOLE).fact
    asked = agent.facts.add("DNS answers on .110.", supersedes=old.id, **PI_HOLE)
    assert asked.fact.life.lifecycle is Lifecycle.DRAFT

    for kind in ("agent", "job", "import", "anonymous"):
        with pytest.raises(ForbiddenError):
            confirmed(make(kind), asked)
    assert held(agent) == ["DNS answers on .100."]


@pytest.mark.row("OB-011")
def test_a_second_one_names_the_holder_and_waits(agent):
    old = agent.facts.add("DNS answers on .100.", **PI_HOLE).fact
    asked = agent.facts.add("DNS answers on .110.", **PI_HOLE)

    assert asked.fact.supersedes == old.id
    assert asked.proposal_id is not None
    assert held(agent) == ["DNS answers on .100."]


@pytest.mark.row("OB-012")
def test_general_tags_do_not_meet(agent):
    for component in ("switch", "firewall"):
        agent.facts.add(f"The {component} is up.", system="lan", component=component, tags=["Lan"])

    assert len(held(agent, system="lan")) == 2


@pytest.mark.row("OB-013")
def test_without_a_system_there_is_no_limit(agent):
    for number in range(30):
        agent.facts.add(f"Lesson {number} is learnt.", about=["Go"], area="Study", tags=["durable"])

    assert agent.state(area="Study", limit=100).count == 30


@pytest.mark.row("OB-014", "I13")
@pytest.mark.parametrize(
    "change",
    [
        {"system": "PI-HOLE"},
        {"component": "IP"},
        {"component": "", "tags": ["component:IP", "durable"]},
        {"component": "", "tags": ["durable", "component:ip"]},
        {"component": "", "tags": [" Component: ip "]},
        {"component": "component:ip"},
        {"component": "Component: IP", "tags": ["component:ip"]},
    ],
)
@pytest.mark.on_sqlite(but=2)
def test_the_guard_holds_however_the_place_is_written(agent, change):
    agent.facts.add("DNS answers on .100.", **PI_HOLE)
    asked = agent.facts.add("DNS answers on .110.", **(PI_HOLE | change))

    assert asked.verdict == "proposed"
    assert held(agent) == ["DNS answers on .100."]


@pytest.mark.row("OB-014")
def test_two_components_are_refused_in_either_order(agent):
    for tags in (["component:a", "component:b"], ["component:b", "component:a"]):
        with pytest.raises(InvalidInputError, match="one component"):
            agent.facts.add("It is up.", system="lan", tags=tags)


@pytest.mark.row("OB-014", "OB-001")
@pytest.mark.parametrize(
    "asked",
    [{"component": "ip"}, {"component": "component:IP"}, {"tags": ["component:ip", "durable"]}],
)
def test_a_component_is_asked_for_however_it_is_written(agent, asked):
    agent.facts.add("DNS answers on .100.", **PI_HOLE, tags=["durable"])
    agent.facts.add("It has 2 GB.", **(PI_HOLE | {"component": "memory"}), tags=["durable"])

    assert held(agent, **asked) == ["DNS answers on .100."]


@pytest.mark.row("OB-014")
def test_a_mark_that_names_no_component_is_refused(agent):
    for filing in ({"tags": ["component:"]}, {"component": "component: "}):
        with pytest.raises(InvalidInputError, match="names no component"):
            agent.facts.add("It is up.", system="lan", **filing)


@pytest.mark.row("OB-050")
def test_every_change_says_who_made_it_and_stays(agent, human, place):
    old = human.facts.add("DNS answers on .100.", **PI_HOLE).fact
    asked = agent.facts.add("DNS answers on .110.", **PI_HOLE)
    confirmed(human, asked)

    lives = human.facts.lives(old.id)
    assert [(life.event_kind, life.by.kind.value) for life in lives] == [
        ("fact_recorded", "human"),
        ("proposal_decided", "human"),
    ]
    for sql in ("UPDATE ledger SET actor = 'x'", "DELETE FROM ledger"):
        with pytest.raises(place.refusals):
            place.run(sql)


@pytest.mark.row("OB-052")
def test_a_fact_is_retired_once_and_never_by_itself(human):
    fact = human.facts.add("DNS answers on .100.", **PI_HOLE).fact
    again = human.facts.add("DNS answers on .100.", supersedes=fact.id, **PI_HOLE)
    assert again.verdict == "reinforced"

    human.facts.retire(fact.id)
    with pytest.raises(ConflictError, match="historical already"):
        human.facts.retire(fact.id)


@pytest.mark.row("OB-053")
@pytest.mark.parametrize(
    ("sql", "problem"),
    [
        ("UPDATE lives SET lifecycle = 'historical'", "a row is not what the ledger says"),
        ("DELETE FROM lives", "a row is missing"),
    ],
)
def test_a_changed_lifecycle_is_one_finding(agent, place, store, sql, problem):
    agent.facts.add("DNS answers on .100.", **PI_HOLE)
    place.run(sql)

    assert [(found.part, found.problem) for found in store.verify()] == [("lives", problem)]
    store.rebuild()


@pytest.mark.row("OB-052", "I8")
def test_a_correction_into_what_is_known_already_is_refused_and_names_it(human, agent):
    wrong = human.facts.add("The gate opens at seven.", about=["gate"]).fact
    right = human.facts.add("The gate opens at nine.", about=["gate"]).fact
    said = {"about": ["gate"], "supersedes": wrong.id}

    for state in (human.facts.add, agent.facts.add, agent.facts.propose):
        with pytest.raises(ConflictError, match=f"{right.id} says that already") as refused:
            state("The gate opens at nine.", **said)
        assert f"tilth fact retire {wrong.id}" in refused.value.hint
    with pytest.raises(ConflictError, match=f"{right.id} says that already"):
        human.facts.reword(wrong.id, "The gate opens at nine.")
    assert human.facts.add("The gate opens at seven.", **said).verdict == "reinforced"
    assert len(held(agent)) == 2


def test_an_edit_into_what_is_known_already_is_refused_and_names_it(human, agent):
    wrong = human.facts.add("The gate opens at seven.", about=["gate"]).fact
    right = human.facts.add("The gate opens at nine.", about=["gate"]).fact
    asked = agent.facts.propose("It opens at eight.", about=["gate"], supersedes=wrong.id)
    seen = human.review.show(asked.proposal_id)

    with pytest.raises(ConflictError, match=f"{right.id} says that already"):
        human.review.decide(
            asked.proposal_id,
            "edit",
            digest=seen.digest,
            text="The gate opens at nine.",
            retires=[wrong.id],
        )
    assert len(held(agent)) == 2


@pytest.mark.row("OB-056")
def test_an_end_told_of_what_is_known_already_is_not_lost_in_silence(human, agent, place):
    told = {"about": ["gate"]}
    fact = human.facts.add("The gate is open.", **told, valid_from=START - 9 * DAY).fact
    past, later = (START - 9 * DAY, START - DAY), (None, START + 9 * DAY)
    for brain, (begins, ends) in product((human, agent), (past, later)):
        again = brain.facts.add("The gate is open.", **told, valid_from=begins, valid_to=ends)
        assert (again.verdict, again.fact.life.valid_to) == ("reinforced", None)
        assert f"tilth fact retire {fact.id} --valid-to " in again.warnings[0]
    assert human.facts.add("The gate is open.", **told).warnings == ()

    ends = place.clock.at + 9 * DAY
    lent = human.facts.add("The van is lent.", about=["van"], valid_to=ends)
    assert human.facts.add("The van is lent.", about=["van"], valid_to=ends).warnings == ()
    assert lent.fact.life.valid_to == ends


@pytest.mark.row("OB-055")
def test_an_auto_slot_changes_in_one_call_and_notes_stand_side_by_side(agent):
    first = agent.facts.add(subject="Acme", predicate="phase", object="pilot", about=["Acme"])
    second = agent.facts.add(subject="Acme", predicate="phase", object="rollout")
    agent.facts.add("Acme was called.", about=["Acme"])
    agent.facts.add("Acme was called again.", about=["Acme"])

    assert (second.verdict, second.retired) == ("superseded", first.fact.id)
    assert len(held(agent)) == 3


@pytest.mark.row("OB-056", "OB-005")
def test_what_ends_later_is_not_ended_now(human, place):
    fact = human.facts.add("The flat is rented.", about=["flat"]).fact
    for later in (START + 9 * DAY, place.clock.at + timedelta(hours=2)):
        with pytest.raises(InvalidInputError, match="holds until then"):
            human.facts.retire(fact.id, valid_to=later)
    assert held(human) == ["The flat is rented."]

    # Of what ended today the day is not over.
    human.facts.retire(fact.id, valid_to=f"{place.clock.at:%Y-%m-%d}")
    assert held(human) == []
    assert held(human, as_of=place.clock.at) == []


@pytest.mark.row("OB-009", "OB-005")
def test_nothing_takes_a_place_before_it_begins(human, agent, place):
    later = place.clock.at + 9 * DAY
    old = human.facts.add("The flat is blue.", about=["flat"]).fact
    with pytest.raises(ConflictError, match="holds until then"):
        human.facts.add("The flat is red.", about=["flat"], supersedes=old.id, valid_from=later)
    agent.facts.add("DNS answers on .100.", **PI_HOLE)
    asked = agent.facts.add("DNS answers on .110.", **PI_HOLE)
    seen = human.review.show(asked.proposal_id)
    answer = {"digest": seen.digest, "retires": [one.id for one in seen.retires]}
    with pytest.raises(InvalidInputError, match="nothing would hold until then"):
        human.review.decide(asked.proposal_id, "confirm", since=later, **answer)
    assert held(human, system="pi-hole") == ["DNS answers on .100."]

    human.review.decide(asked.proposal_id, "confirm", **answer)
    assert held(human, system="pi-hole") == ["DNS answers on .110."]


@pytest.mark.row("XR-03", "OB-059")
def test_one_side_follows_the_other_when_it_has_begun(human, place):
    for hour in ("02:00", "04:00"):
        human.facts.add(f"The backup runs at {hour} every night.", system="nas")
    human.review.scan()
    (asked,) = human.review.list().proposals
    old, new = asked.draft.facts
    answer = {"digest": human.review.show(asked.id).digest, "keeps": new, "retires": [old]}
    with pytest.raises(InvalidInputError, match="nothing would hold until then"):
        human.review.decide(asked.id, "supersede", since=place.clock.at + 9 * DAY, **answer)
    assert len(held(human)) == 2

    human.review.decide(asked.id, "supersede", since=place.clock.at, **answer)
    assert len(held(human)) == 1


@pytest.mark.row("XR-03", "OB-057")
@pytest.mark.parametrize("kept", ["older", "newer"])
def test_what_is_merged_goes_on_from_when_it_began(human, kept):
    began, again = START - 30 * DAY, START - 9 * DAY
    older = human.facts.add("Each night at two the NAS is saved.", system="nas", valid_from=began)
    newer = human.facts.add("The NAS is saved each night at two.", system="nas", valid_from=again)
    human.dedup()
    (asked,) = human.review.list(kinds=["duplicate"]).proposals
    stays, goes = (older, newer) if kept == "older" else (newer, older)
    human.review.decide(
        asked.id, "merge", digest=human.review.show(asked.id).digest,
        keeps=stays.fact.id, retires=[goes.fact.id],
    )  # fmt: skip

    assert held(human, as_of=again - DAY) == [older.fact.said.text]
    assert held(human, as_of=again) == held(human) == [stays.fact.said.text]


@pytest.mark.row("OB-056", "OB-060")
def test_an_end_that_an_agent_names_is_the_one_that_is_confirmed(agent, human, place):
    began, sold = START - 30 * DAY, START - 9 * DAY
    asked = {}
    for name in ("printer", "scanner", "modem"):
        fact = agent.facts.add(f"The {name} stands in the hall.", about=[name], valid_from=began)
        told = {} if name == "modem" else {"valid_to": sold}
        why = f"The {name} was sold, says a note."
        asked[name] = fact.fact.id, agent.facts.retire(fact.fact.id, reason=why, **told).proposal_id
    shown = human.review.show(asked["printer"][1])
    assert f"{sold:%Y-%m-%d %H:%M}" in shown.proposal.draft.reason
    assert "was sold, says a note" in shown.proposal.draft.reason

    for name, since in (("printer", None), ("scanner", sold + DAY), ("modem", None)):
        fact_id, proposal_id = asked[name]
        digest = human.review.show(proposal_id).digest
        human.review.decide(proposal_id, "confirm", digest=digest, retires=[fact_id], since=since)
    ends = {name: human.facts.get(one).life.valid_to for name, (one, _) in asked.items()}
    assert (ends["printer"], ends["scanner"]) == (sold, sold + DAY)
    assert ends["modem"] >= START
    assert held(human, as_of=sold + DAY / 2) == [
        "The modem stands in the hall.",
        "The scanner stands in the hall.",
    ]
    human.review.undo(asked["printer"][1])
    assert held(human) == ["The printer stands in the hall."]


@pytest.mark.row("OB-056")
def test_a_backdated_end_keeps_when_it_was_recorded(human):
    began = START - 30 * DAY
    fact = human.facts.add("DNS answers on .100.", valid_from=began, **PI_HOLE).fact
    human.facts.retire(fact.id, reason="gone", valid_to=START - 9 * DAY)

    life = human.facts.lives(fact.id)[-1]
    assert life.life.valid_to == START - 9 * DAY
    assert life.began_at >= START
    assert held(human, as_of=START - 10 * DAY) == ["DNS answers on .100."]
    assert held(human, as_of=START - 9 * DAY) == []


@pytest.mark.row("OB-058")
def test_an_end_before_the_beginning_is_refused(human):
    with pytest.raises(InvalidInputError, match="before it begins"):
        human.facts.add("x is so", about=["x"], valid_from=START, valid_to=START - DAY)
    fact = human.facts.add("x is so", about=["x"]).fact
    with pytest.raises(InvalidInputError, match="before it begins"):
        human.facts.retire(fact.id, valid_to=START - DAY)


@pytest.mark.row("OB-060")
def test_an_agent_asks_for_removal_with_a_reason_and_is_not_asked_again(agent, human):
    fact = human.facts.add("DNS answers on .100.", **PI_HOLE).fact
    with pytest.raises(InvalidInputError, match="20 characters"):
        agent.facts.retire(fact.id, reason="old")
    reason = "the host was switched off in May"
    asked = agent.facts.retire(fact.id, reason=reason)
    assert asked.fact.life.lifecycle is Lifecycle.CURRENT
    assert agent.facts.retire(fact.id, reason=reason).proposal_id == asked.proposal_id

    seen = human.review.show(asked.proposal_id)
    human.review.reject(asked.proposal_id, digest=seen.digest)
    with pytest.raises(ForbiddenError, match="decided about that"):
        agent.facts.retire(fact.id, reason=reason)
    assert held(agent) == ["DNS answers on .100."]


@pytest.mark.row("OB-061", "I20")
def test_confirming_names_what_it_retires(agent, human):
    old = agent.facts.add("DNS answers on .100.", **PI_HOLE).fact
    asked = agent.facts.add("DNS answers on .110.", **PI_HOLE)
    digest = human.review.show(asked.proposal_id).digest

    with pytest.raises(InvalidInputError, match=old.id):
        human.review.confirm(asked.proposal_id, digest=digest)
    with pytest.raises(ConflictError, match="not what was shown"):
        human.review.confirm(asked.proposal_id, digest="0" * 64, retires=[old.id])


@pytest.mark.row("OB-063")
def test_a_tag_folds_and_an_unknown_one_waits(agent, store):
    one = agent.facts.add("Lab is up.", about=["lab"], tags=["DURABLE", "foo"]).fact

    assert one.said.taxonomy.tags == ("durable", "foo")
    with store.read() as view:
        assert [(word.word, word.count) for word in KnownWords(view).unknown("local", limit=9)] == [
            ("foo", 1)
        ]


@pytest.mark.row("C-08")
def test_a_decision_takes_a_successor_by_name_alone(agent, human):
    said = {"subject": "Tilth", "predicate": "database", "channel": "decision"}
    first = human.facts.add("One file is enough.", object="SQLite", **said).fact
    with pytest.raises(ConflictError, match=first.id):
        human.facts.add("It has grown.", object="PostgreSQL", **said)
    second = human.facts.add("It has grown.", object="PostgreSQL", supersedes=first.id, **said)

    assert second.retired == first.id
    assert human.facts.get(first.id).said.triple.object == "SQLite"


@pytest.mark.row("DU-006")
def test_a_milestone_stays(human):
    said = {"subject": "Tilth", "predicate": "reached", "channel": "milestone"}
    first = human.facts.add(object="alpha", **said).fact
    human.facts.add(object="beta", **said)

    with pytest.raises(ConflictError, match="milestone"):
        human.facts.retire(first.id)
    with pytest.raises(ConflictError, match="milestone"):
        human.facts.add(object="gamma", supersedes=first.id, **said)
    assert len(held(human)) == 2


@pytest.mark.row("C-10")
def test_an_unknown_predicate_warns_and_supersedes_nothing(agent):
    agent.facts.add(subject="Acme", predicate="frobs", object="one")
    stated = agent.facts.add(subject="Acme", predicate="frobs", object="two")

    assert "nobody registered" in stated.warnings[0]
    assert len(held(agent)) == 2


@pytest.mark.row("C-14", "I22")
def test_an_agent_is_capped_until_a_human_confirms(agent, human):
    agent.facts.add("DNS answers on .100.", **PI_HOLE)
    asked = agent.facts.add("DNS answers on .110.", confidence="high", **PI_HOLE)
    assert (asked.fact.confidence.value, asked.fact.confidence.source) == (0.8, "agent")

    confirmed(human, asked)
    confidence = agent.facts.get(asked.fact.id).confidence
    assert (confidence.value, confidence.source) == (0.9, "human")


@pytest.mark.row("I23")
def test_what_a_human_wrote_is_replaced_by_no_agent(agent, human):
    fact = human.facts.add(subject="Acme", predicate="phase", object="pilot").fact
    stated = agent.facts.add(subject="Acme", predicate="phase", object="rollout")

    assert stated.verdict == "proposed"
    with pytest.raises(ForbiddenError):
        agent.facts.archive(fact.id)
    with pytest.raises(ForbiddenError):
        agent.facts.undo(fact.id)


@pytest.mark.row("EM-066")
@pytest.mark.parametrize("word", ["undefined", "null", " Undefined "])
def test_a_word_for_nothing_is_no_part_of_a_fact_or_a_trait(agent, store, word):
    bob = agent.entities.add("Bob", type="person").entity.id
    before = store.digest()

    for part in ("subject", "predicate", "object"):
        told = {"subject": "Bob", "predicate": "knows", "object": "Eve", part: word}
        with pytest.raises(InvalidInputError, match="no part of a triple"):
            agent.facts.add(**told)
    with pytest.raises(InvalidInputError, match="no part of a triple"):
        agent.kg.add("relationship", "Bob", "knows", word)
    with pytest.raises(InvalidInputError, match="not about"):
        agent.facts.add("The kettle is green.", about=["kettle", word])
    for key, value in ((word, "calm"), ("mood", word)):
        with pytest.raises(InvalidInputError, match="a key and a value"):
            agent.people.tell(bob, key, value)
    assert store.digest() == before


@pytest.mark.row("I20")
def test_what_a_person_says_again_is_vouched_for_by_them(agent, human, place):
    said = agent.facts.add("DNS answers on .100.", **PI_HOLE).fact
    assert said.grade is Grade.CANDIDATE
    place.clock.at += timedelta(days=400)

    agent.facts.add("DNS answers on .100.", **PI_HOLE)
    assert human.facts.get(said.id).life == said.life
    told = human.facts.add("DNS answers on .100.", **PI_HOLE)

    assert (told.verdict, told.fact.id) == ("reinforced", said.id)
    assert (told.fact.life.review, told.fact.grade) == (Review.CONFIRMED, Grade.KNOWN)
    assert told.fact.life.valid_from == said.life.valid_from
    assert told.fact.life.checked_at - said.life.checked_at >= timedelta(days=400)
    assert human.changes().items[-1].event.headline().text == "said again by a person"
    assert human.facts.add("DNS answers on .100.", **PI_HOLE).fact.life == told.fact.life
    place.clock.at += timedelta(days=2)
    again = human.facts.add("DNS answers on .100.", **PI_HOLE).fact
    assert again.life.checked_at - told.fact.life.checked_at >= timedelta(days=2)


@pytest.mark.row("I24")
def test_saying_it_again_is_no_evidence(agent):
    first = agent.facts.add("DNS answers on .100.", **PI_HOLE).fact
    again = agent.facts.add("DNS answers on .100.", **PI_HOLE)

    assert again.verdict == "reinforced"
    assert again.fact.evidence == first.evidence
    episode = agent.remember("The log says: DNS answers on .100.")
    told = agent.facts.add("DNS answers on .100.", evidence=[(episode, "on .100.")], **PI_HOLE)
    assert len(told.fact.evidence) == 2


@pytest.mark.row("I18")
def test_a_quote_must_stand_there_word_for_word(agent):
    episode = agent.remember("Anna leads Acme.")

    with pytest.raises(InvalidInputError, match="does not say"):
        agent.facts.add("Boris leads Acme.", about=["Acme"], evidence=[(episode, "Boris")])
    fact = agent.facts.add("Anna leads.", about=["Acme"], evidence=[(episode, "Anna leads")]).fact
    assert (fact.evidence[0].start, fact.evidence[0].end) == (0, 10)


@pytest.mark.row("I18")
def test_a_fact_is_about_something(agent):
    with pytest.raises(InvalidInputError, match="about something"):
        agent.facts.add("It rains.")


def test_what_a_human_rejected_is_refused_when_it_is_extracted_again(agent, human):
    agent.facts.add("DNS answers on .100.", **PI_HOLE)
    asked = agent.facts.add("DNS answers on .110.", **PI_HOLE)
    seen = human.review.show(asked.proposal_id)
    human.review.reject(asked.proposal_id, digest=seen.digest)

    with pytest.raises(ForbiddenError, match="rejected"):
        agent.facts.add("DNS answers on .110.", **PI_HOLE)
    assert held(agent) == ["DNS answers on .100."]


def test_a_decision_is_taken_back_whole(agent, human):
    old = agent.facts.add("DNS answers on .100.", **PI_HOLE).fact
    asked = agent.facts.add("DNS answers on .110.", **PI_HOLE)
    confirmed(human, asked)
    human.review.undo(asked.proposal_id)

    assert held(agent) == ["DNS answers on .100."]
    assert human.facts.get(old.id).is_contested
    confirmed(human, asked)
    assert held(agent) == ["DNS answers on .110."]


def test_a_supersession_is_one_call_to_undo(agent):
    agent.facts.add(subject="Acme", predicate="phase", object="pilot")
    second = agent.facts.add(subject="Acme", predicate="phase", object="rollout").fact
    agent.facts.undo(second.id)

    assert held(agent) == ["Acme phase pilot"]


def test_a_secret_is_gone_from_all_that_is_said_before_a_fact_is_kept(agent):
    secret = "ghp_" + "a1B2c3" * 6
    texts = {one.name for one in (*fields(Taxonomy), *fields(Statement)) if one.type is str}
    told = dict.fromkeys(texts - {"text"}, f"at {secret}")
    fact = agent.facts.add(f"The token is {secret}.", about=["CI"], tags=[secret], **told).fact

    assert texts - {"text"} <= fact.said.filing.keys()
    assert secret not in str(fact.said)


@pytest.mark.row("C-23")
def test_an_import_is_historical_until_a_human_promotes_it(make, agent, human):
    fact = make("import").facts.add("DNS answers on .90.", **PI_HOLE).fact
    assert (fact.life.lifecycle, fact.life.review) == (Lifecycle.HISTORICAL, Review.UNREVIEWED)
    assert held(agent) == []

    asked = agent.facts.promote(fact.id)
    confirmed(human, asked)
    assert held(agent) == ["DNS answers on .90."]


def test_what_nobody_signed_waits(make, agent):
    stated = make("anonymous").facts.add("DNS answers on .90.", **PI_HOLE)

    assert stated.verdict == "proposed"
    assert held(agent) == []


@pytest.mark.row("XR-04")
def test_words_leave_their_scope_only_by_a_human(agent, human):
    episode = agent.remember("Anna leads Acme.", scope="project:work/acme")

    with pytest.raises(ForbiddenError, match="project:work/acme"):
        agent.facts.add("Anna leads.", about=["Acme"], evidence=[episode])
    assert human.facts.add("Anna leads.", about=["Acme"], evidence=[episode]).fact


@pytest.mark.row("XR-04")
def test_no_fact_is_seen_where_the_words_that_it_rests_on_are_not(agent):
    scopes = ("project:work/acme", "project:work/other", "domain:mysql", "global")
    said = {one: agent.remember(f"Anna leads {one}.", scope=one) for one in scopes}
    refused = []
    # Of every two of them, in every scope: one says so, or both together.
    for first, second, stated_in in product(scopes, repeat=3):
        try:
            agent.facts.add(f"Anna leads, say {first} and {second} in {stated_in}.",
                            about=["Anna"], scope=stated_in,
                            evidence=list({said[first], said[second]}))  # fmt: skip
        except ForbiddenError:
            refused.append((first, second, stated_in))

    for viewer in scopes:
        episodes, facts = (
            agent.recall("who does Anna lead", scope=viewer, limit=100, tiers=[tier]).hits
            for tier in ("episode", "fact")
        )
        seen = {one.id for one in episodes}
        assert said["global"] in seen
        assert facts
        assert all(seen.issuperset(one.episode_ids) for one in facts), viewer
    widened = {(first, second) for first, second, to in refused if to == "global"}
    assert widened == {*product(scopes, repeat=2)} - {("global", "global")}


@pytest.mark.row("C-01")
def test_a_preference_ends_no_other_unless_it_is_of_the_same_thing(agent):
    def prefer(predicate, value):
        return agent.facts.add(subject="user", predicate=predicate, object=value)

    prefer("prefers", "dark mode")
    prefer("prefers", "pytest")
    vim = prefer("prefers.editor", "vim").fact
    emacs = prefer("prefers.editor", "emacs")
    prefer("prefers.shell", "fish")

    assert emacs.retired == vim.id
    held = {one.fact.said.triple.object for one in agent.state(subject="user").facts}
    assert held == {"dark mode", "pytest", "emacs", "fish"}


def test_an_alias_meets_the_same_slot(agent, store):
    first = agent.facts.add(subject="Postgres", predicate="current_version", object="16").fact
    with store.begin() as tx:
        alias = AliasAdded(entity_id=first.about[0], alias="pg")
        tx.append(alias, by=Actor("ada", ActorKind.HUMAN), owner=first.owner)
    stated = agent.facts.add(subject="PG", predicate="version", object="17")

    assert stated.verdict == "superseded"
    assert stated.fact.said.triple.written_as == "version"


@pytest.mark.row("I13")
def test_writers_at_once_leave_one_current_fact(make, store):
    def write(number):
        brain = make("agent", f"writer {number}")
        for turn in range(15):
            brain.facts.add(subject="Acme", predicate="phase", object=f"{number}.{turn}")

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(write, range(4)))

    with store.read() as view:
        every = FactFilter(within=Visibility(), lifecycles=frozenset(Lifecycle))
        facts = Facts(view).select(every, limit=100)
        (current,) = [fact for fact in facts if fact.life.lifecycle is Lifecycle.CURRENT]
        assert len(facts) == len(Facts(view).history(current.id, Visibility())) == 60


@pytest.mark.row("OB-009")
def test_a_decision_that_breaks_off_leaves_neither_half(agent, human, store):
    agent.facts.add("DNS answers on .100.", **PI_HOLE)
    asked = agent.facts.add("DNS answers on .110.", **PI_HOLE)
    seen = human.review.show(asked.proposal_id)
    before = store.digest()

    ruling = Ruling(action=Action.CONFIRM, facts=(asked.fact.id,), retires=(seen.retires[0].id,))
    event = ProposalDecided(proposal_id=seen.proposal.id, digest=seen.digest, ruling=ruling)

    def break_off():
        with store.begin() as tx:
            tx.append(event, by=Actor("ada", ActorKind.HUMAN), owner=asked.fact.owner)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        break_off()

    assert store.digest() == before
    assert held(agent) == ["DNS answers on .100."]


def test_facts_are_stated_together_or_not_at_all(agent):
    phase = {"subject": "Acme", "predicate": "phase"}
    stated = agent.facts.add_many([phase | {"object": "pilot"}, phase | {"object": "rollout"}])
    assert [one.verdict for one in stated] == ["recorded", "superseded"]

    with pytest.raises(InvalidInputError):
        agent.facts.add_many([phase | {"object": "done"}, {"text": "It rains."}])
    assert held(agent) == ["Acme phase rollout"]


def test_what_comes_back_needs_its_place(agent):
    phase = {"subject": "Acme", "predicate": "phase"}
    first = agent.facts.add(**phase, object="pilot").fact
    with pytest.raises(ConflictError, match="not archived"):
        agent.facts.restore(first.id)
    agent.facts.archive(first.id)
    second = agent.facts.add(**phase, object="rollout").fact

    with pytest.raises(ConflictError, match=second.id):
        agent.facts.restore(first.id)
    agent.facts.archive(second.id)
    assert agent.facts.restore(first.id).life == first.life


def test_what_comes_back_says_nothing_that_was_said_again_meanwhile(agent):
    first = agent.facts.add("The NAS has 4 disks.", about=["nas"]).fact
    agent.facts.archive(first.id)
    again = agent.facts.add("The NAS has 4 disks.", about=["nas"]).fact
    assert again.id != first.id

    for come_back in (agent.facts.restore, agent.facts.undo):
        with pytest.raises(ConflictError, match=f"{again.id} says the same"):
            come_back(first.id)
    assert held(agent) == ["The NAS has 4 disks."]
    agent.facts.archive(again.id)
    assert agent.facts.restore(first.id).life == first.life


@pytest.mark.parametrize(
    "verb", ["get", "history", "lives", "retire", "archive", "restore", "undo"]
)
def test_a_fact_that_is_not_there_is_not_found_by_any_verb(human, verb):
    episode = human.remember("x is so")
    for fact_id in ("fct_" + "0" * 26, "fct_" + episode.removeprefix("epi_")):
        with pytest.raises(NotFoundError):
            getattr(human.facts, verb)(fact_id)
