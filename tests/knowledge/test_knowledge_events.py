"""What happens to facts, entities and proposals comes back from the ledger as it was."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilth.core.errors import CorruptionError, InvalidInputError
from tilth.core.lifecycle import Lifecycle
from tilth.core.names import name_key
from tilth.knowledge.entities.entity import EntityDraft
from tilth.knowledge.entities.events import (
    AliasAdded,
    AliasRemoved,
    EdgeRecorded,
    EdgeRetired,
    EntitiesMerged,
    EntityRecorded,
    EntitySplit,
    EntityTyped,
)
from tilth.knowledge.facts.events import (
    ChangeUndone,
    FactArchived,
    FactRecorded,
    FactReinforced,
    FactRetired,
)
from tilth.knowledge.facts.fact import Evidence
from tilth.knowledge.facts.life import Authority
from tilth.knowledge.facts.statement import Statement, Taxonomy, Triple
from tilth.knowledge.graph.edge import EdgeDraft
from tilth.knowledge.outcomes.events import OutcomeObserved, OutcomeRevoked
from tilth.knowledge.outcomes.outcome import OutcomeDraft, OutcomeKind
from tilth.knowledge.proposals.events import ProposalDecided, ProposalOpened, ProposalSnoozed
from tilth.knowledge.proposals.proposal import Action, ProposalDraft, ProposalKind, Ruling
from tilth.knowledge.vocabulary.events import WordRegistered
from tilth.knowledge.vocabulary.registries import (
    Cardinality,
    Channel,
    EdgeKind,
    EntityType,
    Entry,
    Registry,
    WriteMode,
)
from tilth.ledger.events import decode, encode, kind_of
from tilth.maintenance.events import SweepBegun

names = st.text(st.characters(codec="utf-8", categories=["L", "N", "P"]), max_size=20).filter(
    lambda text: bool(name_key(text))
)
printable = names.filter(str.isprintable)
instants = st.datetimes(timezones=st.just(UTC))
maybe_instant = st.none() | instants
fact_ids = st.integers(0, 9).map(lambda number: f"fct_{number:026}")
entity_ids = st.integers(0, 9).map(lambda number: f"ent_{number:026}")
triples = st.builds(Triple, names, names, names, st.just("") | names)
taxonomies = st.builds(
    Taxonomy, area=st.just("") | names, system=names, component=st.just("") | names,
    tags=st.lists(names, max_size=3).map(tuple),
)  # fmt: skip
statements = st.builds(Statement, text=names, taxonomy=taxonomies) | st.builds(
    Statement, text=names, triple=triples, channel=st.sampled_from(Channel)
)
evidence = st.lists(
    st.tuples(st.integers(0, 9), st.integers(0, 9)).map(
        lambda span: Evidence("epi_" + "0" * 26, min(span), max(span))
    ),
    max_size=3,
).map(tuple)
proposals = st.builds(
    ProposalDraft,
    kind=st.sampled_from(ProposalKind),
    reason=names,
    scope=st.sampled_from(["global", "project:a/b"]),
    facts=st.lists(fact_ids, min_size=1, max_size=2).map(tuple),
    entities=st.lists(entity_ids, max_size=2).map(tuple),
    retires=st.lists(fact_ids, max_size=2).map(tuple),
    detail=st.dictionaries(names, names, max_size=2),
    key=st.just("") | names,
)
rulings = st.builds(
    Ruling,
    action=st.sampled_from(Action),
    facts=st.lists(fact_ids, max_size=2).map(tuple),
    retires=st.lists(fact_ids, max_size=2).map(tuple),
    since=maybe_instant,
    scope=st.sampled_from([None, "global", "project:a/b"]),
    note=st.just("") | names,
)
events = st.one_of(
    st.builds(
        FactRecorded,
        said=statements,
        key=names,
        about=st.lists(entity_ids, max_size=2).map(tuple),
        evidence=evidence,
        slot=st.just("") | names,
        lifecycle=st.sampled_from(Lifecycle),
        scope=st.sampled_from(["global", "domain:home"]),
        valid_from=maybe_instant,
        valid_to=maybe_instant,
        confidence=st.floats(0, 1),
        authority=st.sampled_from(Authority),
        supersedes=st.none() | fact_ids,
        metadata=st.dictionaries(names, names, max_size=2),
        unknown=st.lists(st.tuples(st.sampled_from(Registry), names), max_size=2).map(tuple),
    ),
    st.builds(FactReinforced, fact_id=fact_ids, evidence=evidence),
    st.builds(FactRetired, fact_id=fact_ids, reason=st.just("") | names, valid_to=maybe_instant),
    st.builds(
        FactArchived,
        fact_id=fact_ids,
        reason=st.just("") | names,
        sweep=st.none() | st.just("0" * 26),
    ),
    st.builds(SweepBegun),
    st.builds(
        OutcomeObserved,
        st.builds(
            OutcomeDraft,
            fact_id=fact_ids,
            kind=st.sampled_from(OutcomeKind),
            evidence=st.just(("epi_" + "0" * 26,)),
            note=st.just("") | names,
        ),
    ),
    st.builds(OutcomeRevoked, outcome_id=names, fact_id=fact_ids, reason=st.just("") | names),
    st.builds(ChangeUndone, event_id=st.just("0" * 26), reason=st.just("") | names),
    st.builds(ProposalOpened, proposals),
    st.builds(ProposalDecided, proposal_id=names, digest=names, ruling=rulings),
    st.builds(ProposalSnoozed, proposal_id=names, until=instants),
    st.builds(
        EntityRecorded,
        st.builds(
            EntityDraft,
            name=names,
            type=st.sampled_from(EntityType),
            aliases=st.lists(names, max_size=2).map(tuple),
            scope=st.sampled_from(["global", "domain:home"]),
            metadata=st.dictionaries(names, names, max_size=2),
        ),
    ),
    st.builds(AliasAdded, entity_id=entity_ids, alias=names),
    st.builds(AliasRemoved, entity_id=entity_ids, alias=names),
    st.builds(EntityTyped, entity_id=entity_ids, type=st.sampled_from(EntityType)),
    st.builds(EntitiesMerged, winner=entity_ids, loser=entity_ids, reason=st.just("") | names),
    st.builds(EntitySplit, loser=entity_ids, reason=st.just("") | names),
    st.builds(
        EdgeRecorded,
        st.builds(EdgeDraft, source=fact_ids, kind=st.sampled_from(EdgeKind), target=entity_ids),
    ),
    st.builds(EdgeRetired, edge_id=names, reason=st.just("") | names),
    st.builds(
        WordRegistered,
        st.builds(
            Entry,
            registry=st.sampled_from(Registry),
            name=printable,
            aliases=st.lists(printable, max_size=2).map(tuple),
            cardinality=st.sampled_from(Cardinality),
            mode=st.sampled_from(WriteMode),
            is_ignored=st.booleans(),
        ),
    ),
)


@given(events)
def test_what_happened_comes_back_whole(event):
    assert decode(kind_of(event), encode(event), None) == event


@pytest.mark.row("I9")
def test_a_payload_of_a_fact_is_the_one_that_was_written_before():
    triple = Triple("Acme", "ceo", "Anna")
    event = FactRecorded(
        said=Statement(text="Anna leads Acme.", triple=triple, channel=Channel.ENTITY),
        key="k",
        about=("ent_1",),
        evidence=(Evidence("epi_1", 0, 4),),
        valid_from=datetime(2026, 11, 20, 12, tzinfo=UTC),
    )

    assert encode(event) == (
        '{"about":["ent_1"],"channel":"entity","evidence":[["epi_1",0,4]],"key":"k",'
        '"text":"Anna leads Acme.","triple":["Acme","ceo","Anna"],"valid_from":1795176000000000}'
    )


@pytest.mark.parametrize(
    ("kind", "payload"),
    [
        ("fact_recorded", "{}"),
        ("fact_recorded", '{"text":"x","key":"k","about":[],"evidence":[["e",2,1]]}'),
        ("fact_recorded", '{"text":"x","key":"k","about":[],"evidence":[],"lifecycle":"odd"}'),
        ("proposal_decided", '{"proposal_id":"p","digest":"d","action":"bless"}'),
        ("proposal_snoozed", '{"proposal_id":"p"}'),
        ("entity_recorded", '{"name":"x","type":"gadget"}'),
        ("edge_recorded", '{"source":"a","kind":"related_to","target":"b"}'),
        ("edge_recorded", '{"source":"a","kind":"uses","target":"a"}'),
        ("word_registered", '{"registry":"colour","name":"red"}'),
    ],
)
def test_a_payload_that_cannot_be_read_is_our_fault(kind, payload):
    with pytest.raises(CorruptionError):
        decode(kind, payload, None)


@pytest.mark.row("OB-054")
def test_a_component_needs_its_system():
    with pytest.raises(InvalidInputError, match="needs the system"):
        Taxonomy(component="k")
