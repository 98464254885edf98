"""How SQLite reads triples: by index, whatever the size."""

from contextlib import closing
from pathlib import Path

import pytest

from tests.places import SqlitePlace
from tilth.domain.registries import Channel
from tilth.domain.scope import Visibility
from tilth.ports import FactFilter
from tilth.stores.knowledge import triples
from tilth.stores.knowledge.fact_filter import where
from tilth.stores.sqlite.connection import INTEGERS


@pytest.fixture
def plan(tmp_path: Path):
    """Say how SQLite would read the triples at one end of a thing."""
    place = SqlitePlace(tmp_path)
    place.create()

    def told(end, which):
        with closing(place.open()) as store, store.read() as view:
            narrowed = where(view._conn, which, INTEGERS)
            sql = f"{triples._TRIPLES} {narrowed.sql} AND f.{end}_node = ? ORDER BY f.fact_no DESC"
            rows = view._conn.rows(f"EXPLAIN QUERY PLAN {sql}", (*narrowed.params, "urn:x:a"))
        return [row[3] for row in rows]

    return told


@pytest.mark.parametrize(
    ("end", "channel", "index"),
    [
        ("subject", Channel.ENTITY, "triples_in_a_channel (subject_node=? AND channel=?)"),
        ("subject", None, "triples_from (subject_node=?)"),
        ("object", None, "triples_to (object_node=?)"),
    ],
)
def test_du_027_a_walk_reads_the_index_of_its_end_and_channel(plan, end, channel, index):
    steps = plan(end, FactFilter(within=Visibility(), channel=channel))

    assert index in steps[0]
    assert not any(step.startswith("SCAN") and "json_each" not in step for step in steps)
    assert not any("ORDER BY" in step for step in steps)
