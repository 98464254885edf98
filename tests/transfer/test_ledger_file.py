"""The whole ledger as plain text, and a store made of it again, on either engine."""

import json
import socket

import pytest

from tests.brains import a_brain
from tests.playbooks.deployments import deployment, troubled
from tests.transfer.test_export import scene  # noqa: F401 - a little of everything
from tilth.core.actor import Actor, ActorKind
from tilth.core.errors import ConflictError, CorruptionError, ForbiddenError, InvalidInputError
from tilth.runtime import connect as bootstrap
from tilth.runtime.settings import Settings
from tilth.transfer.ledger_file import opened

HUMAN = Actor("ada", ActorKind.HUMAN)


@pytest.fixture
def file(human, scene, tmp_path):  # noqa: F811 - pytest's way
    human.snapshots.take()
    fact = human.facts.add("The pump whistles.", about=["pump"]).fact
    human.undo(fact.id)
    path = tmp_path / "ledger.jsonl"
    human.export(str(path), is_whole=True)
    return path


@pytest.mark.row("KB-075", "KB-066")
@pytest.mark.parametrize("engine", ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def test_a_store_made_of_the_file_is_to_the_letter_what_the_first_one_was(
    engine, file, store, make_place_on, tmp_path, monkeypatch
):
    monkeypatch.setenv("TILTH_HOME", str(tmp_path / "another machine"))
    where = str(tmp_path / "loaded.db")
    if engine == "sqlite":
        monkeypatch.setattr(socket.socket, "connect", unreachable)
    if engine == "postgres":
        place = make_place_on("postgres")
        where = empty_schema(place)

    assert bootstrap.load_store(opened(str(file)), where, Settings()) == (
        opened(str(file)).through, True,
    )  # fmt: skip
    again = bootstrap.open_store(where, settings=Settings())
    assert again.digest() == store.digest()
    assert again.store_id == store.store_id
    assert list(again.verify()) == []
    with again.read() as there, store.read() as here:
        assert there.head() == here.head()
        assert list(there.rows()) == list(here.rows())
    brain = a_brain(again, None, by=HUMAN)
    assert [one.said.text for one in brain.facts.list(limit=1)]
    again.close()
    with pytest.raises(ConflictError):
        bootstrap.load_store(opened(str(file)), where, Settings())


def unreachable(*_args):
    """Stand for a machine without a network."""
    raise AssertionError("the network was asked")


@pytest.mark.row("KB-066", "C-24")
def test_a_brain_that_is_wiped_and_restored_writes_the_same_vault(
    file, human, store, tmp_path, monkeypatch
):
    """Markdown alone proposes (ADR 17): the whole that comes back is the ledger."""
    human.export(str(tmp_path / "all.jsonl"), is_whole=True)
    human.vault.export(str(tmp_path / "vault"))
    monkeypatch.setenv("TILTH_HOME", str(tmp_path / "another machine"))
    where = str(tmp_path / "restored.db")

    bootstrap.load_store(opened(str(tmp_path / "all.jsonl")), where, Settings())
    again = bootstrap.open_store(where, settings=Settings())
    restored = a_brain(again, human.parts.clock, by=HUMAN)
    restored.vault.export(str(tmp_path / "new vault"))

    assert again.digest() == store.digest()
    before, after = (
        {one.relative_to(root).as_posix(): one.read_bytes() for one in sorted(root.rglob("*.md"))}
        for root in (tmp_path / "vault", tmp_path / "new vault")
    )
    assert before == after
    assert len(before) > 3
    again.close()


@pytest.mark.row("KB-018", "KB-019", "KB-075")
def test_playbooks_and_skills_come_back_with_the_whole_as_a_person_left_them(
    human, tmp_path, monkeypatch
):
    for day in range(3):
        deployment(human, f"s{day}", day=day)
    troubled(human, "s4", day=4)
    human.reflect()
    (book,) = human.playbooks.list()
    human.playbooks.confirm(book.id, digest=book.digest)
    human.playbooks.report(book.id, "ok", session_id="claude-code:x9")
    human.skills.add("---\nname: tag\ndescription: Use to tag.\n---\n\n# Tag\n\n1. Tag.\n")
    human.export(str(tmp_path / "rows.jsonl"))
    assert '"playbook"' not in (tmp_path / "rows.jsonl").read_text()
    human.export(str(tmp_path / "all.jsonl"), is_whole=True)
    monkeypatch.setenv("TILTH_HOME", str(tmp_path / "another machine"))
    where = str(tmp_path / "restored.db")

    bootstrap.load_store(opened(str(tmp_path / "all.jsonl")), where, Settings())
    again = bootstrap.open_store(where, settings=Settings())
    restored = a_brain(again, human.parts.clock, by=HUMAN)

    assert restored.playbooks.list() == human.playbooks.list()
    assert restored.skills.list() == human.skills.list()
    (told,) = restored.playbooks.list()
    assert (told.state, told.evidence.seeds, told.evidence.applied) == ("confirmed", 4, 1)
    again.close()


def empty_schema(place):
    """Return the URL of a schema in which nothing is."""
    place.run("CREATE SCHEMA loaded")
    place.schema = "loaded"
    return place.url


@pytest.mark.parametrize("change", ["payload", "line", "tail"])
def test_a_changed_file_makes_no_store(change, file, tmp_path, monkeypatch):
    monkeypatch.setenv("TILTH_HOME", str(tmp_path / "another machine"))
    lines = file.read_text().splitlines()
    if change == "payload":
        lines = [one.replace("blue", "pink") for one in lines]
    elif change == "line":
        del lines[4]
    else:
        lines.pop()
    file.write_text("\n".join(lines) + "\n")

    with pytest.raises(CorruptionError):
        bootstrap.load_store(opened(str(file)), str(tmp_path / "new.db"), Settings())
    assert not (tmp_path / "new.db").exists()


def test_the_whole_is_for_a_person_and_neither_narrowed_nor_masked(agent, human, tmp_path):
    path = str(tmp_path / "all.jsonl")
    with pytest.raises(ForbiddenError, match="only a human"):
        agent.export(path, is_whole=True)
    with pytest.raises(InvalidInputError, match="neither narrowed nor masked"):
        human.export(path, is_whole=True, is_shared=True)
    human.export(path)
    with pytest.raises(CorruptionError, match="no whole ledger"):
        opened(path)


@pytest.mark.row("KB-075", "T13")
def test_the_program_loads_what_it_exported_and_an_erase_reaches_the_file(ready, as_person):
    fact = ready("fact", "add", "The vault code is 4711-canary.", "--about", "vault", "--json")
    file = ready.home / "all.jsonl"
    ready("export", file, "--whole")
    new = ready.home / "new.db"
    assert ready("load", file, "--store", new, "--json").answer["is_equal"] is True
    assert "canary" in ready("fact", "list", "--store", new, "--json").out

    fact_id = fact.answer["fact"]["id"]
    plan = ready("erase", "--fact", fact_id, "--json").answer
    done = ready("erase", "--fact", fact_id, "--confirm", "--digest", plan["digest"], "--json")
    assert str(file) in done.answer["cleaned"]
    assert "canary" not in file.read_text()
    assert json.loads(file.read_text().splitlines()[0])["type"] == "tilth-ledger"
    assert ready("load", file, "--store", ready.home / "third.db").code == 0
    assert ready("verify", "--store", ready.home / "third.db").code == 0
