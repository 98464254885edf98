"""Tables are declared once, and every event says where it shows."""

import pytest

from tilth.core.event import events_by_kind
from tilth.core.table import Table, newest_schema, scripts_of, tables
from tilth.ledger.events import SetAside, StoreCreated
from tilth.ledger.projection import projected_kinds

TYPES = {"integer": "INT", "blob": "BYTES", "strict": ""}


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
    assert newest_schema() == 4


@pytest.mark.parametrize(("name", "no"), [("gaps", 10_000), ("novelties", 1)])
def test_no_two_tables_have_one_name_or_one_number(name, no):
    with pytest.raises(TypeError, match="already"):
        Table(name, no=no, since=3, columns="a $integer")


def test_every_event_shows_in_a_table():
    # What is aside shows in none: it is what a replay passes over.
    assert set(events_by_kind().values()) - projected_kinds() == {StoreCreated, SetAside}
