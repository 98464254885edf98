"""A store of an earlier schema that has been lived in opens with all that it held."""

import shutil
from contextlib import closing

import pytest

from tests.brains import a_brain
from tests.conftest import a_draft
from tests.playbooks.deployments import deployment
from tests.practice.sessions import SHOP
from tilth.context.model import BriefRequest
from tilth.core.actor import Actor, ActorKind
from tilth.ledger.postgres import store as postgres
from tilth.ledger.postgres.schema import known_migrations as known_to_postgres
from tilth.ledger.sqlite import store as sqlite
from tilth.ledger.sqlite.schema import known_migrations as known_to_sqlite


def live(brain):
    """Do what a store of that time had tables for: each kind of thing, and what became of it."""
    for day in range(3):
        deployment(brain, f"s{day}", day=day)
    # Several things at once, which a store of any order of letters must number alike.
    adding = 'Bash: {"command": "pip install Zope attrs zope.event"}'
    brain.remember(adding, kind="tool_call", session_id="t", scope=SHOP)
    brain.remember("From now on always run make lint before a commit.", session_id="t", scope=SHOP)
    brain.distil()
    old = brain.facts.add("The router answers at 192.0.2.7.", system="lab", component="router")
    brain.facts.add("The router answers at 192.0.2.9.", system="lab", component="router")
    brain.facts.retire(brain.facts.add("The lid is green.", about=["lid"]).fact.id, reason="sold")
    brain.edges.add("router", "part_of", "lab")
    brain.entities.add("rooter", type="host")
    brain.entities.merge("router", "rooter")
    brain.people.introduce("Ada", transport="email", address="ada@example.org")
    brain.gaps.add("exports invoices as a spreadsheet")
    brain.brief(BriefRequest(via="test"), scope=SHOP)
    brain.feedback(old.fact.id, "useful", session_id="t")
    brain.remember_many([a_draft("one"), a_draft("two", session_id="talk")])


def told(brain):
    return [
        brain.facts.list(limit=1000),
        brain.state(),
        brain.entities.list(limit=1000),
        brain.edges.list(limit=1000),
        brain.gaps.list(),
        brain.sessions.list(),
        brain.commands.list(is_all=True),
        brain.review.list(),
        [hit.id for hit in brain.recall("where does the router answer").hits],
        brain.brief(BriefRequest(via="test"), scope=SHOP).blocks,
    ]


# What a later schema keeps in other columns, as an earlier one had it.
FORMER = {
    "sightings": (
        "episode_no, form, name, key, handle",
        """SELECT n.episode_no, d.form, d.name, d.key, coalesce(u.handle, '')
        FROM newer.sightings n JOIN newer.sighted d ON d.sighted_no = n.sighted_no
        LEFT JOIN newer.tool_uses u ON u.episode_no = n.episode_no""",
    )
}


def _former(schema):
    return FORMER if schema < 5 else {}


def as_of_schema_in_a_file(place, schema):
    """Put what a store holds into the tables of *schema*, at its place."""
    newer = place.path.with_name("newer.db")
    heads = place.heads.read_bytes()
    place.path.rename(newer)
    for one in place.path.parent.glob("tilth.db-*"):
        one.rename(str(one).replace("tilth.db", "newer.db"))
    shutil.rmtree(place.heads) if place.heads.is_dir() else place.heads.unlink()
    sqlite.create_store(place.path, place.around(), migrations=known_to_sqlite()[:schema])
    place.heads.write_bytes(heads)
    columns = "SELECT name FROM pragma_table_xinfo('{}') WHERE hidden = 0"
    # An index over text keeps its words in tables of its own, whose columns have no such list.
    names = [
        name
        for (name,) in place.run(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'"
        )
    ]
    moved = [f"ATTACH '{newer}' AS newer"]
    for name in names:
        shown = ", ".join(f'"{column}"' for (column,) in place.run(columns.format(name)))
        told, rows = _former(schema).get(name, (shown, f"SELECT {shown} FROM newer.{name}"))
        moved += [f"DELETE FROM main.{name}", f"INSERT INTO main.{name} ({told}) {rows}"]
    place.tamper("; ".join(moved))


def as_of_schema_in_a_database(place, schema):
    """Put what a store holds into the tables of *schema*, in its database."""
    heads, path = place.heads.read_bytes(), place.heads
    place.run(f"ALTER SCHEMA {place.schema} RENAME TO newer; CREATE SCHEMA {place.schema}")
    path.unlink()
    postgres.create_store(place.url, place.around(), migrations=known_to_postgres()[:schema])
    path.write_bytes(heads)
    rows = place.run(
        "SELECT table_name, string_agg(quote_ident(column_name), ', ' ORDER BY ordinal_position)"
        " FROM information_schema.columns JOIN information_schema.tables t"
        " USING (table_schema, table_name) WHERE table_schema = %s AND table_type = 'BASE TABLE'"
        " AND is_generated = 'NEVER' GROUP BY table_name ORDER BY table_name",
        [place.schema],
    )
    moved = []
    for name, shown in rows:
        if name != "tilth_store":
            told, held = _former(schema).get(name, (shown, f"SELECT {shown} FROM newer.{name}"))
            moved += [f"DELETE FROM {name}"]
            moved += [f"INSERT INTO {name} ({told}) OVERRIDING SYSTEM VALUE {held}"]
    place.tamper("; ".join(moved))
    for table, column in (("spaces", "space_no"), ("vectors", "vector_no")):
        place.run(
            f"SELECT setval(pg_get_serial_sequence('{table}', '{column}'),"
            f" (SELECT coalesce(max({column}), 0) + 1 FROM {table}), false)"
        )
    place.run("DROP SCHEMA newer CASCADE")


AGED = {"SqlitePlace": as_of_schema_in_a_file, "PostgresPlace": as_of_schema_in_a_database}


@pytest.mark.row("I42", "KB-061")
@pytest.mark.parametrize("schema", [2, 3, 4, 6])
def test_a_store_that_was_lived_in_keeps_all_and_goes_on(place, schema):
    ada = Actor("ada", ActorKind.HUMAN)
    with closing(place.open()) as store:
        brain = a_brain(store, place.clock, by=ada)
        live(brain)
        before = told(brain)
        count = len(place.run("SELECT seq FROM ledger"))

    AGED[type(place).__name__](place, schema)

    with closing(place.open()) as store:
        assert list(store.verify()) == []
        assert len(place.run("SELECT seq FROM ledger")) >= count
        brain = a_brain(store, place.clock, by=ada)
        assert told(brain) == before
        brain.reflect()
        assert [one.draft.scope for one in brain.playbooks.list()] == [SHOP]
        assert list(store.verify()) == []
