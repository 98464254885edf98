"""An edited document says what it says now: its sections, lines, links and decisions (KB-065)."""

import os
import signal
from pathlib import Path
from unittest import mock

import pytest

import tilth
from tests.brains import a_brain
from tests.processes import fresh_processes
from tilth.core.actor import Actor, ActorKind
from tilth.core.errors import NotFoundError
from tilth.transfer import import_sources

ADA = Actor("ada", ActorKind.HUMAN)
WORDS = " ".join(["word"] * 50)
LINKED = f"See [[Pump]] and [[Valve]]. {WORDS}"
RECORD = """# 1. Use {0}

Date: 2026-03-01

## Status

Accepted

## Context

SQLite locks for too long.

## Decision

We keep the orders in {0}.
"""

pytestmark = pytest.mark.row("KB-065")


@pytest.fixture
def human(whole_store, place):
    return a_brain(whole_store, place.clock, by=ADA)


@pytest.fixture
def note(tmp_path):
    return tmp_path / "Boiler.md"


def text(*sections):
    return "".join(f"## {name}\n\n{said}\n\n" for name, said in sections)


def bring(brain, path, said):
    path.write_text(said)
    (report,) = brain.import_sources(brain.find_sources(str(path)))
    assert report.skipped == []
    return report


def sections(brain):
    ((_, found),) = brain.documents.list()
    return [(one.heading, one.pieces[0].metadata["line"]) for one in found]


def links(brain):
    names = {one.id: one.name for one in brain.entities.list()}
    return {(names[one.source], one.kind.value, names[one.target]) for one in brain.edges.list()}


BURNER, PUMP, CARE = (("Burner", f"It is cleaned. {WORDS}"), ("Pumps", LINKED), ("Care", WORDS))
TWO = {("Boiler", "about", "Pump"), ("Boiler", "about", "Valve")}


class TestEdits:
    def test_a_section_that_is_deleted_is_shown_no_more_and_is_back_with_its_words(
        self, human, note
    ):
        whole = text(BURNER, PUMP, CARE)
        bring(human, note, whole)
        assert sections(human) == [("Burner", 1), ("Pumps", 5), ("Care", 9)]
        bring(human, note, text(BURNER, CARE))
        assert sections(human) == [("Burner", 1), ("Care", 5)]
        assert any("[[Valve]]" in one.text for one in human.episodes.list())
        assert bring(human, note, whole).new_count == 0
        assert sections(human) == [("Burner", 1), ("Pumps", 5), ("Care", 9)]

    def test_a_section_that_moved_is_read_where_it_is_now(self, human, note):
        bring(human, note, text(BURNER, PUMP, CARE))
        report = bring(human, note, text(CARE, BURNER, PUMP))
        assert (report.new_count, report.known_count) == (0, 3)
        assert sections(human) == [("Care", 1), ("Burner", 5), ("Pumps", 9)]
        (slug,) = {one.slug for one, _ in human.documents.list()}
        assert "".join(one.text for one in human.documents.read(slug)[1]) == note.read_text()

    def test_an_edit_taken_back_shows_the_first_words_again(self, human, note):
        first, second = text(BURNER, PUMP), text((BURNER[0], f"Two of them. {WORDS}"), PUMP)
        for said, shown in ((first, "cleaned"), (second, "Two"), (first, "cleaned")):
            bring(human, note, said)
            ((_, found),) = human.documents.list()
            assert len(found) == 2
            assert shown in found[0].text

    def test_sections_of_one_name_that_stand_apart_are_both_shown(self, human, note):
        bring(human, note, text(BURNER, PUMP, BURNER))
        assert sections(human) == [("Burner", 1), ("Pumps", 5), ("Burner", 9)]

    def test_an_emptied_document_shows_nothing_and_links_to_nothing(self, human, note):
        bring(human, note, text(PUMP))
        note.write_text("---\ntitle: Boiler\n---\n")
        list(human.import_sources(human.find_sources(str(note))))
        assert sections(human) == []
        assert links(human) == set()

    def test_what_was_erased_of_a_document_is_not_shown_by_its_list(self, human, note):
        bring(human, note, text(BURNER, PUMP))
        (burner,) = [one for one in human.episodes.list() if "cleaned" in one.text]
        plan = human.erase.plan(episodes=[burner.id])
        human.erase.confirm(plan.digest, episodes=[burner.id])
        assert sections(human) == [("Pumps", 5)]
        bring(human, note, text(CARE, BURNER, PUMP))
        assert sections(human) == [("Care", 1), ("Pumps", 9)]


class TestGone:
    def test_a_file_that_is_gone_shows_no_document_and_ends_what_it_alone_stated(
        self, human, note, tmp_path
    ):
        bring(human, note, text(BURNER, PUMP))
        other = tmp_path / "Other.md"
        bring(human, other, text(CARE))
        note.unlink()

        (dry,) = [one for one in human.find_sources(str(tmp_path)) if one.is_gone]
        list(human.import_sources([dry], is_dry_run=True))
        assert len(human.documents.list()) == 2
        *_, report = human.import_sources(human.find_sources(str(tmp_path)))

        assert (report.source.uri, report.is_unchanged) == (note.as_uri(), False)
        assert [document.title for document, _ in human.documents.list()] == ["Other"]
        assert links(human) == set()
        assert any("cleaned" in one.text for one in human.episodes.list())
        assert not any(one.is_gone for one in human.find_sources(str(tmp_path)))
        (again,) = human.import_sources([dry])
        assert again.is_unchanged
        assert bring(human, note, text(BURNER, PUMP)).new_count == 0
        assert len(human.documents.list()) == 2
        assert links(human) == TWO

    def test_a_file_that_was_renamed_is_not_gone_and_one_in_a_lost_folder_neither(
        self, human, note, tmp_path
    ):
        bring(human, note, text(BURNER))
        note.rename(tmp_path / "Furnace.md")
        reports = list(human.import_sources(human.find_sources(str(tmp_path))))
        assert [one.is_unchanged for one in reports] == [False, True]
        assert len(human.documents.list()) == 1
        assert sections(human) == [("Burner", 1)]
        with pytest.raises(NotFoundError):
            human.find_sources(str(tmp_path / "elsewhere" / "Furnace.md"))

    def test_one_file_alone_can_be_named_that_is_gone(self, human, note):
        bring(human, note, text(BURNER))
        note.unlink()
        (report,) = human.import_sources(human.find_sources(str(note)))
        assert report.source.is_gone
        assert human.documents.list() == []

    def test_recall_tells_what_a_document_holds_and_labels_what_it_holds_no_more(
        self, human, note, place
    ):
        bring(human, note, text(("Burner", f"The burner is cleaned each May. {WORDS}"), CARE))
        before = place.clock.now()
        now = ("Burner", f"The burner is cleaned each June by Ana. {WORDS}")
        bring(human, note, text(now, CARE))

        hits = human.recall("when is the burner cleaned each May").hits

        told = [("June" in hit.text, hit.lifecycle) for hit in hits]
        assert told == [(True, "historical"), (False, "superseded")]
        then = human.recall("when is the burner cleaned each May", known_at=before).hits
        assert [("May" in hit.text, hit.lifecycle) for hit in then] == [(True, "historical")]
        bring(human, note, text(CARE))
        gone, care = human.recall("when is the burner cleaned each May").hits
        assert ("Care" in care.text, care.lifecycle) == (True, "historical")
        assert ("cleaned" in gone.text, gone.lifecycle) == (True, "superseded")


class TestLinks:
    def test_a_link_that_is_removed_ends_its_edge_and_a_restored_one_is_an_edge_again(
        self, human, note
    ):
        bring(human, note, text(PUMP))
        assert links(human) == TWO
        bring(human, note, text(("Pumps", LINKED.replace("[[Valve]]", "the valve"))))
        assert links(human) == {("Boiler", "about", "Pump")}
        bring(human, note, text(PUMP))
        assert links(human) == TWO

    def test_an_edge_that_somebody_stated_outlives_the_link(self, human, note):
        human.edges.add("Boiler", "about", "Valve")
        bring(human, note, text(PUMP))
        bring(human, note, text(CARE))
        assert links(human) == {("Boiler", "about", "Valve")}

    def test_an_edge_that_another_document_states_ends_with_the_last_of_them(self, human, tmp_path):
        supersedes = "# 2. B\n\n## Status\n\nSupersedes [1. A](0001-a.md)\n\n## Decision\n\nB is.\n"
        superseded = "# 1. A\n\n## Status\n\nSuperseded by [2. B](0002-b.md)\n\n## Decision\n\nA.\n"
        first, second = tmp_path / "0001-a.md", tmp_path / "0002-b.md"
        bring(human, first, superseded)
        bring(human, second, supersedes)
        assert links(human) == {("B", "supersedes", "A")}
        bring(human, first, superseded.replace("Superseded by [2. B](0002-b.md)", "Deprecated"))
        assert links(human) == {("B", "supersedes", "A")}
        bring(human, second, supersedes.replace("Supersedes [1. A](0001-a.md)", "Accepted"))
        assert links(human) == set()

    def test_a_decision_that_a_record_states_no_more_has_an_end(self, human, tmp_path):
        path = tmp_path / "0001-use.md"
        bring(human, path, RECORD.format("SQLite"))
        bring(human, path, RECORD.format("PostgreSQL"))
        ends = {one.said.text: one.life.valid_to is None for one in human.facts.promotable()}
        assert ends == {"We keep the orders in PostgreSQL.": True}
        bring(human, path, RECORD.format("SQLite"))
        (now,) = human.facts.promotable()
        assert now.said.text == "We keep the orders in SQLite."

    def test_of_a_decision_that_a_human_made_current_a_human_is_asked(self, human, tmp_path):
        path = tmp_path / "0001-use.md"
        bring(human, path, RECORD.format("SQLite"))
        (was,) = human.facts.promotable()
        assert human.facts.promote_many([was.id]).confirmed
        bring(human, path, RECORD.format("PostgreSQL"))
        (asked,) = human.review.list().proposals
        assert (asked.draft.kind.value, asked.draft.retires) == ("removal", (was.id,))
        assert human.facts.get(was.id).life.valid_to is None


def imports_of(path: Path, note: Path, gate) -> None:
    with tilth.connect(path, actor=ADA) as brain:
        gate.wait()
        list(brain.import_sources(brain.find_sources(str(note))))


def is_killed(path: Path, note: Path) -> None:
    def ended(*_: object, **__: object) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    with tilth.connect(path, actor=ADA) as brain, mock.patch.object(
        import_sources, "ImportFinished", ended
    ):  # fmt: skip
        list(brain.import_sources(brain.find_sources(str(note))))


class TestProcesses:
    @pytest.fixture
    def path(self, tmp_path, note):
        there = tmp_path / "brain.db"
        with tilth.connect(there, create=True, actor=ADA) as brain:
            bring(brain, note, text(BURNER, PUMP))
        return there

    def test_two_that_import_an_edit_at_once_leave_what_one_would(self, path, note):
        note.write_text(text(PUMP, CARE))
        context = fresh_processes()
        gate = context.Barrier(2)
        working = [context.Process(target=imports_of, args=(path, note, gate)) for _ in range(2)]
        for one in working:
            one.start()
        for one in working:
            one.join()
        assert [one.exitcode for one in working] == [0, 0]
        with tilth.connect(path, actor=ADA) as brain:
            assert sections(brain) == [("Pumps", 1), ("Care", 5)]
            assert links(brain) == TWO
            assert len(brain.episodes.list()) == 3

    def test_one_that_is_killed_has_ended_nothing_and_the_next_goes_on(self, path, note):
        said = text(CARE, BURNER)
        note.write_text(said)
        killed = fresh_processes().Process(target=is_killed, args=(path, note))
        killed.start()
        killed.join()
        assert killed.exitcode == -signal.SIGKILL
        with tilth.connect(path, actor=ADA) as brain:
            assert sections(brain) == [("Burner", 1), ("Pumps", 5)]
            assert links(brain) == TWO
            assert bring(brain, note, said).new_count == 0
            assert sections(brain) == [("Care", 1), ("Burner", 5)]
            assert links(brain) == set()
