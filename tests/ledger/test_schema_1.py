"""A store of the first schema opens with everything in it, and takes what is newer."""

from contextlib import closing
from hashlib import sha256
from shutil import copyfile

import pytest

from tests.brains import a_brain
from tests.conftest import a_draft, append_all, texts
from tests.places import SqlitePlace
from tilth.core.actor import Actor, ActorKind
from tilth.core.scope import DEFAULT_OWNER, Visibility
from tilth.knowledge.entities.entity import EntityDraft
from tilth.knowledge.entities.events import EntityRecorded
from tilth.knowledge.entities.tables import Entities
from tilth.knowledge.vocabulary.registries import EntityType
from tilth.ledger.postgres import store as postgres
from tilth.ledger.postgres.schema import known_migrations as known_to_postgres
from tilth.ledger.sqlite import store as sqlite
from tilth.ledger.sqlite.schema import known_migrations as known_to_sqlite

ENTITY = EntityRecorded(EntityDraft(name="Acme", type=EntityType.ORGANISATION))


MAIL = {"transport": "email", "address": "Ada+x@Example.org"}
# What records an episode today wants this table, which the first schema did not have.
ORIGINS = "origins (episode_no INTEGER, transport TEXT, address TEXT, entity_id TEXT,"


def fill(place, store):
    with closing(store):
        place.run(f"CREATE TABLE {ORIGINS} conversation_id TEXT)")
        append_all(store, [a_draft("one", **MAIL), a_draft("two", session_id="s1")])
        place.run("DROP TABLE origins")


@pytest.fixture
def old(tmp_path, make_place_on, request):
    """A place whose store was made with the first schema, by its engine's name."""
    if request.param == "sqlite":
        place = SqlitePlace(tmp_path)
        sqlite.create_store(place.path, place.around(), migrations=known_to_sqlite()[:1])
        fill(place, sqlite.open_store(place.path, place.around(), migrations=known_to_sqlite()[:1]))
        return place
    place = make_place_on("postgres")
    place.run(f"DROP SCHEMA {place.schema} CASCADE; CREATE SCHEMA {place.schema}")
    postgres.create_store(place.url, place.around(), migrations=known_to_postgres()[:1])
    fill(place, postgres.open_store(place.url, place.around(), migrations=known_to_postgres()[:1]))
    return place


ENGINES = ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)]


@pytest.mark.row("I42", "KB-061")
@pytest.mark.parametrize("old", ENGINES, indirect=True)
def test_a_store_of_the_first_schema_keeps_all_and_takes_what_is_newer(old):
    before = old.run("SELECT * FROM ledger ORDER BY seq")

    with closing(old.open()) as store:
        assert list(store.verify()) == []
        origins = "SELECT transport, address FROM origins"
        assert [tuple(row) for row in old.run(origins)] == [("email", "ada@example.org")]
        assert texts(store) == ["one", "two"]
        assert old.run("SELECT * FROM ledger ORDER BY seq") == before
        with store.begin() as tx:
            tx.append(ENTITY, by=Actor("human", ActorKind.HUMAN), owner=DEFAULT_OWNER)
        with store.read() as view:
            assert [entity.name for entity in Entities(view).named("ACME", Visibility())] == [
                "Acme"
            ]
        assert list(store.verify()) == []


@pytest.mark.row("EM-026")
@pytest.mark.parametrize("old", ENGINES, indirect=True)
def test_mail_of_an_older_store_is_of_whom_its_address_is_linked_to(old):
    with closing(old.open()) as store:
        brain = a_brain(store, old.clock, by=Actor("ada", ActorKind.HUMAN))
        brain.people.introduce("Ada", transport="email", address=" ADA+other@EXAMPLE.org")

        said = brain.people.interactions("Ada", transport="email")
        assert [one.text for one in said.episodes] == ["one"]
        assert said.episodes[0].address == MAIL["address"]
        assert said.tally.count == 1


@pytest.mark.row("I42")
def test_a_backup_of_the_first_schema_lies_beside_the_store(tmp_path):
    place = SqlitePlace(tmp_path)
    sqlite.create_store(place.path, place.around(), migrations=known_to_sqlite()[:1])
    fill(place, sqlite.open_store(place.path, place.around(), migrations=known_to_sqlite()[:1]))

    place.open().close()

    kept = place.path.with_name(f"tilth.db.before-schema-{known_to_sqlite()[-1].version}")
    assert sqlite.restore_store(kept, tmp_path / "restored.db", place.around()) == 3


@pytest.mark.row("EM-031")
@pytest.mark.usefixtures("as_person")
def test_the_program_migrates_a_store_of_the_first_schema_and_keeps_what_it_was(tilth, tmp_path):
    place = SqlitePlace(tmp_path)
    sqlite.create_store(place.path, place.around(), migrations=known_to_sqlite()[:1])
    fill(place, sqlite.open_store(place.path, place.around(), migrations=known_to_sqlite()[:1]))
    tilth.store.parent.mkdir(parents=True)
    copyfile(place.path, tilth.store)

    def recalled(**environ):
        run = tilth("recall", "one", "--json", environ=environ)
        assert run.code == 0, run.err
        return [hit["text"] for hit in run.answer["hits"]]

    assert recalled() == ["one"]
    (kept,) = tilth.store.parent.glob("tilth.db.before-schema-*")
    elsewhere = str(tmp_path / "elsewhere")
    accepting = ("--accept", "another-installation")
    assert tilth("restore", kept, *accepting, environ={"TILTH_HOME": elsewhere}).code == 0
    assert recalled(TILTH_HOME=elsewhere) == ["one"]


@pytest.mark.row("I42")
@pytest.mark.parametrize(
    ("script", "digest"),
    [
        (
            known_to_sqlite()[0].script,
            "0f4a7690c6b90b4f346b9c3cbb4505835d7ec615b8a6f1f6812aa53b0f0fe54e",
        ),
        (
            known_to_postgres()[0].script,
            "ff259b88bd07e88ee40914e6549133ec0d950652fa5d43dfa0acb64df1d2716e",
        ),
    ],
    ids=["sqlite", "postgres"],
)
def test_the_first_schema_is_the_one_that_stores_were_made_with(script, digest):
    statements = (" ".join(one.split()).rstrip("; ") for one in script.split(";\n"))

    assert sha256("\n".join(sorted(filter(None, statements))).encode()).hexdigest() == digest
