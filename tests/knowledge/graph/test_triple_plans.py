"""How SQLite reads triples: by index, whatever the size."""

from contextlib import closing
from pathlib import Path

import pytest

from bench.kg import fill, triples
from tests.brains import a_brain
from tests.places import SqlitePlace
from tilth.core.scope import Visibility
from tilth.knowledge.facts.filters import FactFilter, where
from tilth.knowledge.facts.lives import contested_at
from tilth.knowledge.facts.triples import _TRIPLES
from tilth.knowledge.vocabulary.registries import Channel
from tilth.ledger.sqlite.connection import INTEGERS

SIZE = 10_000


@pytest.fixture
def plan(tmp_path: Path):
    """Say how SQLite would read the triples at one end of a thing."""
    place = SqlitePlace(tmp_path)
    place.create()

    def told(end, which):
        with closing(place.open()) as store, store.read() as view:
            narrowed = where(view.conn, which, INTEGERS)
            sql = f"{_TRIPLES} {narrowed.sql} AND f.{end}_node = ? ORDER BY f.fact_no DESC"
            params = (*contested_at(narrowed.known), *narrowed.params)
            rows = view.conn.rows(f"EXPLAIN QUERY PLAN {sql}", (*params, "urn:x:a"))
        return [row[3] for row in rows]

    return told


@pytest.mark.row("DU-024", "DU-027")
@pytest.mark.parametrize(
    ("end", "channel", "index"),
    [
        ("subject", Channel.ENTITY, "triples_in_a_channel (subject_node=? AND channel=?)"),
        ("subject", None, "triples_from (subject_node=?)"),
        ("object", None, "triples_to (object_node=?)"),
    ],
)
def test_a_walk_reads_the_index_of_its_end_and_channel(plan, end, channel, index):
    steps = plan(end, FactFilter(within=Visibility(), channel=channel))

    assert index in steps[0]
    assert not any(step.startswith("SCAN") and "json_each" not in step for step in steps)
    assert not any("ORDER BY" in step for step in steps)


@pytest.mark.row("DU-024")
def test_among_ten_thousand_triples_two_hops_bring_what_reading_all_of_them_brings(
    tmp_path,
):
    place = SqlitePlace(tmp_path)
    place.create()
    told = list(triples(SIZE))
    with closing(place.open()) as store:
        fill(store, SIZE)
        kg = a_brain(store, place.clock).kg
        for name in ("urn:thing:0", "urn:thing:77", "urn:thing:1999"):
            walk = kg.query(name, depth=2)

            found = {(one.subject, one.predicate, one.object) for one in walk.triples}
            assert found == read_through(told, name)
            assert not walk.truncated


def read_through(told, name):
    """Return what is said of a thing, who mentions it, and what is said of what it names."""
    first = [one for one in told if one.subject == name]
    named = {one.object for one in first if one.object.startswith("urn:")}
    more = [one for one in told if one.subject in named or one.object == name]
    return {(one.subject, one.predicate, one.object) for one in (*first, *more)}
