"""Several processes compile at once, and one that is killed in between leaves nothing behind."""

import os
import signal
from contextlib import closing
from pathlib import Path
from unittest import mock

import pytest

import tilth
from tests.brains import a_brain
from tests.processes import fresh_processes
from tests.program import acting
from tilth.core.actor import Actor, ActorKind
from tilth.pages.compile import compile_pages as compiling
from tilth.pages.events import SectionLocked
from tilth.runtime.system import SystemClock, SystemIds

ADA = Actor("ada", ActorKind.HUMAN)


@pytest.fixture
def path(tmp_path):
    there = tmp_path / "brain.db"
    with tilth.connect(there, create=True, actor=ADA) as brain:
        brain.facts.add("The rack is full.", system="lab")
    return there


def compiles(path: Path, gate) -> None:
    with tilth.connect(path, actor=ADA) as brain:
        gate.wait()
        for number in range(5):
            brain.facts.add(f"Port {os.getpid()}-{number} is in use.", system="lab")
            brain.pages.compile("system-state", system="lab", name="lab")


def is_killed(path: Path) -> None:
    def gathered(*_: object) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    with tilth.connect(path, actor=ADA) as brain, mock.patch.object(compiling, "gather", gathered):
        brain.pages.compile("system-state", system="lab", name="lab")


@pytest.mark.row("OB-019", "I16")
def test_processes_that_state_and_compile_at_once_leave_one_page_that_is_right(path):
    context = fresh_processes()
    gate = context.Barrier(3)
    working = [context.Process(target=compiles, args=(path, gate)) for _ in range(3)]
    for one in working:
        one.start()
    for one in working:
        one.join()

    assert [one.exitcode for one in working] == [0, 0, 0]
    with tilth.connect(path, actor=ADA) as brain:
        (page,) = brain.pages.list()
        held = {one.id for one in brain.facts.list(system="lab", limit=99)}
        assert len(held) == 16
        assert page.is_stale or set(page.compiled_from) == held
        again = brain.pages.refresh("lab").page
        assert (set(again.compiled_from), again.is_stale) == (held, False)


def locks(place, gate, who: int) -> None:
    with closing(place.open(SystemClock(), SystemIds(), busy_timeout_s=60)) as store:
        brain = a_brain(store, SystemClock(), by=ADA)
        gate.wait()
        for number in range(5):
            brain.pages.lock("lab", "notes", f"Words {number} of {who}.")
            brain.facts.add(f"Port {who}-{number} is in use.", system="lab")
            brain.pages.refresh("lab")


@pytest.mark.row("XR-05")
def test_processes_at_one_section_leave_one_and_every_revision_stays_told(place, human):
    human.facts.add("The rack is full.", system="lab")
    human.pages.compile("system-state", system="lab", name="lab")
    since = human.changes().cursor
    context = fresh_processes()
    gate = context.Barrier(3)
    working = [context.Process(target=locks, args=(place, gate, who)) for who in range(3)]
    for one in working:
        one.start()
    for one in working:
        one.join()

    assert [one.exitcode for one in working] == [0, 0, 0]
    told = human.changes(since, limit=1000).items
    assert [one.headline.kind for one in told].count("section locked") == 15
    notes = [one for one in human.pages.get("lab").page.sections if one.section.slug == "notes"]
    assert [one.lock.text for one in notes] in [[f"Words 4 of {who}."] for who in range(3)]
    locked = [one.event.text for one in told if isinstance(one.event, SectionLocked)]
    assert sorted(locked) == sorted(
        f"Words {number} of {who}." for who in range(3) for number in range(5)
    ), "a later revision takes none away"
    assert locked[-1] == notes[0].lock.text


@pytest.mark.row("OB-018")
def test_a_process_that_is_killed_while_it_compiles_leaves_the_page_as_it_was(path):
    with tilth.connect(path, actor=ADA) as brain:
        before = brain.pages.compile("system-state", system="lab", name="lab").page
        brain.facts.add("The fan is loud.", system="lab")
    killed = fresh_processes().Process(target=is_killed, args=(path,))
    killed.start()
    killed.join()

    assert killed.exitcode == -signal.SIGKILL
    with tilth.connect(path, actor=ADA) as brain:
        (page,) = brain.pages.list()
        assert (page.sections, page.is_stale) == (before.sections, True)
        assert len(brain.pages.refresh("lab").page.compiled_from) == 2


def test_in_the_folder_of_a_project_its_page_needs_no_scope(ready):
    git = ready.home / ".git"
    git.mkdir()
    (git / "HEAD").write_text("ref: refs/heads/main\n")
    (git / "config").write_text('[remote "origin"]\n\turl = https://git.test/ada/shop.git\n')
    with acting("human"):
        scope = ("--scope", "project:git.test/ada/shop")
        assert ready("fact", "add", "Deploy on Mondays.", "--about", "till", *scope).code == 0

    run = ready("page", "compile", "project")

    assert "project:git.test/ada/shop" in run.out
    assert "Deploy on Mondays." in run.out
    assert ready("page", "compile", "project", "--folder", "/tmp/nowhere").code == 3


@pytest.mark.row("XR-06")
def test_the_program_sweeps_and_tells_how_each_page_was_made(ready, as_person):
    for number in range(5):
        ready("fact", "add", f"The backup of nas2 takes disk {number}.", "--about", "nas2",
              "--about", f"d{number}", "--tag", "backup")  # fmt: skip

    assert "2 made" in ready("page", "sweep").out

    told = ready("page", "manifest", "--json").answer["pages"]
    assert [(one["name"], one["kind"]) for one in told] == [("nas2", "entity"), ("backup", "topic")]
    assert [one["cost"]["calls"] for one in told] == [0, 0]
    lines = ready("page", "manifest").out
    assert "backup  topic  5 sources, inputs" in lines
    assert "no model call" in lines


@pytest.mark.row("OB-018")
def test_a_page_that_lacks_a_confirmation_names_the_way_to_one(ready):
    ready("fact", "add", "The switch is at 192.0.2.9.", "--system", "lab", "--area", "Network")
    refused = ready("page", "compile", "system-state", "--area", "Network")
    assert refused.code == 3
    assert "tilth fact list --review unreviewed, then tilth review ask ID" in refused.err

    # What the refusal says, done.
    (fact,) = ready("fact", "list", "--review", "unreviewed", "--json").answer["facts"]
    with acting("human"):
        asked = ready("review", "ask", fact["id"], "--reason", "is it so?", "--json").answer
        card = ready("review", "show", asked["id"], "--json").answer
        ready("review", "confirm", asked["id"], "--digest", card["digest"])

    assert "192.0.2.9" in ready("page", "compile", "system-state", "--area", "Network").out
