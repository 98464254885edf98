"""Triples are measured apart from what becomes a fact at all, on rows that have a date."""

from datetime import UTC, datetime

import pytest

from bench.triples import ROWS, Read, Row, measured, read, rows
from tilth.knowledge.facts.statement import Triple

PORT = Row(datetime(2026, 2, 2, 9, tzinfo=UTC), "x", [[["API", "the API"], ["port"], ["9091"]]])
SILENT = Row(datetime(2026, 2, 3, 9, tzinfo=UTC), "y", [])


@pytest.mark.row("DU-060")
def test_precision_and_recall_are_of_triples_and_coverage_is_of_sentences():
    right = Read(PORT, facts=1, triples=[Triple("The API", "port", "9091")])
    wrong = Read(PORT, facts=1, triples=[Triple("API", "port", "9090")])
    missed = Read(PORT, facts=1)
    loud = Read(SILENT, facts=1, triples=[Triple("a", "is", "b")])

    told = measured([right, wrong, missed, loud, Read(SILENT)])

    assert told["triples"] == {
        "wanted": 3, "found": 3, "right": 1, "precision": 0.333, "recall": 0.333, "f1": 0.333,
    }  # fmt: skip
    assert told["coverage"] == {"stating": 1.0, "silent": 0.5}


@pytest.mark.row("DU-060")
def test_each_row_of_the_fixture_has_its_day_and_what_states_nothing_becomes_no_fact():
    said = rows(ROWS)
    told = measured(read(said))

    assert len(said) == len({one.text for one in said}) == 36
    assert all(one.at.year == 2026 for one in said)
    assert told["coverage"]["silent"] == 0
    assert told["coverage"]["stating"] > 0.7
    assert told["triples"]["precision"] > 0.6
