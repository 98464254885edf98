"""Tables are declared once, and every event says where it shows."""

import pytest

from tilth.core.event import events_by_kind
from tilth.core.table import Table, newest_schema, scripts_of, tables
from tilth.ledger.events import SetAside, StoreCreated
from tilth.ledger.projection import projected_kinds

TYPES = {
    "integer": "INT",
    "blob": "BYTES",
    "strict": "",
    "keyed": "KEYED",
    "bytewise": "BYTEWISE",
    "aside": "TABLE",
}


def test_tables_come_in_the_order_of_their_numbers():
    assert [table.no for table in tables()] == [*range(1, len(tables()) + 1)]


def test_a_table_comes_with_its_schema_and_its_indexes():
    gaps = next(table for table in tables() if table.name == "gaps")

    script = "\n".join(scripts_of(gaps.since, TYPES))

    assert "CREATE TABLE gaps (\n    gap_no      INT PRIMARY KEY,\n" in script
    assert "CREATE INDEX gaps_in_realm ON gaps (realm_no, status);" in script
    assert gaps.ddl(TYPES, temporary=True).startswith("CREATE TEMPORARY TABLE gaps (")


def test_what_a_later_schema_adds_to_a_table_comes_with_that_schema():
    first, second = ("\n".join(scripts_of(schema, TYPES)) for schema in (1, 2))

    assert "INDEX documents ON episodes" not in first
    assert "INDEX documents ON episodes" in second
    assert newest_schema() == 7


def test_a_table_comes_as_it_was_and_is_made_anew_with_its_rows_where_a_schema_says_so():
    fourth, fifth = ("\n".join(scripts_of(schema, TYPES)) for schema in (4, 5))

    assert "    handle     TEXT NOT NULL,\n    PRIMARY KEY (episode_no, form, name)\n) \n" in fourth
    assert "sightings_by_key" in fourth
    steps = [
        "CREATE TABLE sightings_before AS SELECT * FROM sightings;",
        "DROP TABLE sightings;",
        "    PRIMARY KEY (episode_no, sighted_no)\n) KEYED\n;",
        "CREATE INDEX sightings_of_a_thing",
        "form BYTEWISE",
        "DROP TABLE sightings_before;",
    ]
    assert sorted(steps, key=fifth.index) == steps


def test_only_an_engine_that_can_keeps_a_table_in_its_key_alone():
    keyed = next(table for table in tables() if table.name == "splits")

    assert keyed.keyed == 5
    assert "DROP TABLE splits;" in "\n".join(scripts_of(5, TYPES))
    assert "splits" not in "\n".join(scripts_of(5, {**TYPES, "keyed": ""}))
    assert keyed.ddl(TYPES, temporary=True).endswith(") KEYED\n")


@pytest.mark.parametrize(("name", "no"), [("gaps", 10_000), ("novelties", 1)])
def test_no_two_tables_have_one_name_or_one_number(name, no):
    with pytest.raises(TypeError, match="already"):
        Table(name, no=no, since=3, columns="a $integer")


def test_every_event_shows_in_a_table():
    # What is aside shows in none: it is what a replay passes over.
    assert set(events_by_kind().values()) - projected_kinds() == {StoreCreated, SetAside}
