"""Folders of notes and of decision records, as things that link to one another."""

import os
from datetime import UTC, datetime

import pytest

from tests.brains import a_brain
from tilth.core.actor import Actor, ActorKind
from tilth.core.errors import InvalidInputError
from tilth.core.lifecycle import Lifecycle

A = """---
aliases: [The first]
depends_on: "[[Pump]]"
---
# Boiler

The boiler heats the house, and is looked after as [[Care of things#Weekly|they]] all are.

```
[[not a link]]
```

## Parts

It has a burner that is cleaned in autumn, and a pump: see [[Pump]]. ![[picture.png]]
"""
NOTES = {"Boiler.md": A, "Pump.md": "# Pump\n\nIt pumps.\n", "deep/Care of things.md": "Weekly.\n"}
USE = """# 2. Use PostgreSQL

Date: 2026-03-01

## Status

{}

## Context

SQLite locks for too long.

## Decision

We keep the orders in PostgreSQL, because many write at once.

## Consequences

A server has to run.
"""
RECORDS = {
    "0001-use-sqlite.md": "# 1. Use SQLite\n\nDate: 2026-01-01\n\n## Status\n\nSuperseded by "
    "[2. Use PostgreSQL](0002-use-postgresql.md)\n\n## Context\n\nWe are small.\n\n## Decision\n\n"
    "We keep the orders in SQLite.\n",
    "0002-use-postgresql.md": USE.format("Accepted\n\nSupersedes ADR-1"),
    "0003-use-redis.md": "# 3. Use Redis\n\nDate: 2026-04-01\n\n## Status\n\nProposed\n\n"
    "## Context\n\nIt is slow.\n\n## Decision\n\nWe cache in Redis.\n",
}


@pytest.fixture
def human(whole_store, place):
    return a_brain(whole_store, place.clock, by=Actor("ada", ActorKind.HUMAN))


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "notes"


def write(folder, texts):
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def bring(human, folder):
    return list(human.import_sources(human.find_sources(str(folder))))


def edges(human, name):
    around = human.entities.around(name)
    return {(one.kind, one.source == human.entities.get(name).entity.id) for one in around.edges}


def head(store):
    with store.read() as view:
        return view.head().seq


class TestNotes:
    @pytest.mark.row("KB-065")
    def test_a_vault_of_notes_becomes_things_that_link_and_know_where_they_lie(self, human, folder):
        write(folder, NOTES)
        (folder / ".obsidian").mkdir()
        bring(human, folder)

        boiler = human.entities.get("The first").entity
        assert (boiler.name, boiler.metadata) == (
            "Boiler", {"document": (folder / "Boiler.md").as_uri()},
        )  # fmt: skip
        joined = {(one.kind.value, one.source, one.target) for one in human.edges.list()}
        pump, care = (human.entities.get(one).entity.id for one in ("Pump", "Care of things"))
        assert joined == {("depends_on", boiler.id, pump), ("about", boiler.id, care)}
        (said,) = [one for one in human.episodes.list() if "burner" in one.text]
        session = human.sessions.get(said.session_id)
        assert session.info.uri == (folder / "Boiler.md").as_uri()
        lines = A.splitlines()
        assert said.text.startswith(lines[said.metadata["line"] - 1])

    @pytest.mark.row("KB-065")
    def test_what_is_unchanged_changes_nothing_and_a_changed_file_is_one_new_version(
        self, human, folder, whole_store
    ):
        write(folder, NOTES)
        bring(human, folder)
        before = head(whole_store)
        assert all(one.is_unchanged for one in bring(human, folder))
        assert head(whole_store) == before

        text = A.replace("a burner that is cleaned", "two burners that are cleaned")
        write(folder, {"Boiler.md": text})
        (changed,) = [one for one in bring(human, folder) if not one.is_unchanged]
        assert (changed.new_count, changed.skipped_count) == (1, 0)
        assert len(human.edges.list()) == 2

    @pytest.mark.row("KB-065")
    def test_a_note_that_was_renamed_goes_on_where_it_was(self, human, folder):
        write(folder, NOTES)
        bring(human, folder)
        (was,) = {one.session_id for one in human.episodes.list() if "burner" in one.text}
        (folder / "old").mkdir()
        (folder / "Boiler.md").rename(folder / "old/Heating.md")
        (moved,) = [one for one in bring(human, folder) if not one.is_unchanged]
        assert (moved.new_count, moved.skipped) == (0, [])
        assert human.entities.get("Heating").entity.id == human.entities.get("Boiler").entity.id
        assert human.sessions.get(was).info.uri == (folder / "old/Heating.md").as_uri()

        write(folder, {"old/Heating.md": A + "\n## More\n\nA third burner is bought.\n"})
        bring(human, folder)
        assert {one.session_id for one in human.episodes.list() if "third" in one.text} == {was}
        (folder / "copy.md").write_text((folder / "old/Heating.md").read_text())
        bring(human, folder)
        assert len({one.session_id for one in human.episodes.list() if "third" in one.text}) == 2

    def test_a_document_that_links_to_nothing_is_nothing_but_its_words(self, human, folder):
        write(folder, {"README.md": "# Read me\n\nHow to install it.\n"})
        bring(human, folder)
        assert human.entities.list() == []

    def test_a_vault_of_ours_within_a_folder_is_passed_over(self, human, folder):
        write(folder, {"notes/Heating.md": A})
        human.vault.export(str(folder / "vault"))

        found = [one.uri.rpartition("/")[2] for one in human.find_sources(str(folder))]

        assert (folder / "vault" / "index.md").is_file()
        assert found == ["Heating.md"]

    def test_a_vault_of_ours_is_not_taken_for_notes(self, human, folder):
        human.vault.export(str(folder))
        with pytest.raises(InvalidInputError, match="a vault that Tilth wrote") as refused:
            human.find_sources(str(folder))
        assert "tilth vault import" in refused.value.hint


class TestRecords:
    @pytest.mark.row("KB-065", "GA-024")
    def test_a_record_is_a_decision_with_a_life_and_what_it_took_the_place_of(self, human, folder):
        write(folder, RECORDS)
        then = datetime(2026, 3, 1, tzinfo=UTC)
        os.utime(folder / "0001-use-sqlite.md", (then.timestamp(), then.timestamp()))
        bring(human, folder)

        facts = {one.said.text: one for one in human.facts.list()}
        old = facts["We keep the orders in SQLite."]
        new = facts["We keep the orders in PostgreSQL, because many write at once."]
        assert len(facts) == 2
        assert (old.life.valid_from.year, old.life.valid_to) == (2026, then)
        assert (new.life.lifecycle, new.life.valid_to) == (Lifecycle.HISTORICAL, None)
        (quote,) = new.evidence
        said = human.episodes.get(quote.episode_id).text[quote.start : quote.end]
        assert said == new.said.text
        decisions = {one.name: one for one in human.entities.list()}
        assert {one.type.value for one in decisions.values()} == {"decision"}
        (edge,) = human.edges.list()
        ends = (decisions["Use PostgreSQL"].id, "supersedes", decisions["Use SQLite"].id)
        assert (edge.source, edge.kind.value, edge.target) == ends
        assert [one.id for one in human.facts.promotable()] == [new.id]

    def test_a_record_that_says_later_that_it_is_over_ends_its_fact(self, human, folder):
        write(folder, {"0002-use-postgresql.md": USE.format("Accepted")})
        bring(human, folder)
        (fact,) = human.facts.list(lifecycles=["historical"])
        write(folder, {"0002-use-postgresql.md": USE.format("Deprecated")})
        bring(human, folder)

        assert human.facts.get(fact.id).life.valid_to is not None
        assert human.facts.promotable() == []
        assert human.review.list(states=["open"]).count == 0

    def test_a_record_that_says_later_that_it_is_over_asks_who_made_it_current(self, human, folder):
        write(folder, {"0002-use-postgresql.md": USE.format("Accepted")})
        bring(human, folder)
        (fact,) = human.facts.promotable()
        human.facts.promote_many([fact.id])
        write(folder, {"0002-use-postgresql.md": USE.format("Deprecated")})
        bring(human, folder)

        asked = human.review.show(human.changes(limit=100).items[-1].headline.id)
        assert asked.proposal.draft.kind.value == "removal"
        assert "0002-use-postgresql.md says that it is over" in asked.proposal.draft.reason
