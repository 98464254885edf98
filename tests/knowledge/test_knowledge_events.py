"""What happens to facts, entities and proposals comes back from the ledger as it was."""

from datetime import UTC, datetime

import pytest

from tilth.core.errors import CorruptionError, InvalidInputError
from tilth.core.event import decode, encode
from tilth.knowledge.facts.events import (
    FactRecorded,
)
from tilth.knowledge.facts.fact import Evidence
from tilth.knowledge.facts.statement import Statement, Taxonomy, Triple
from tilth.knowledge.vocabulary.registries import (
    Channel,
)


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
