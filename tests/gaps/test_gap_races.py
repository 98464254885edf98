"""Gaps that many processes look for at once, and pulses that die in the midst."""

import os
from contextlib import closing
from dataclasses import replace

import pytest

from tests.brains import a_brain
from tests.gaps.test_gap_scan import NO, PDF
from tests.places import SqlitePlace
from tests.processes import fresh_processes
from tilth.core.actor import Actor, ActorKind
from tilth.embedding.static import StaticEmbedder
from tilth.gaps.task_lists import FILE, LocalTaskLists, OutboxFolder, TodoFile
from tilth.runtime.brain import Brain
from tilth.runtime.system import SystemClock, SystemIds

_PROCESSES = 4
_DIED = 9
HUMAN = Actor("ada", ActorKind.HUMAN)


def brain_on(store, folder):
    plain = a_brain(store, SystemClock(), second=StaticEmbedder())
    outbox = OutboxFolder(folder / "tilth.db.outbox")
    return Brain(replace(plain._parts, outbox=outbox, task_lists=LocalTaskLists({})))


def ask(brain):
    for number, text in enumerate(PDF):
        brain.remember(text, session_id=f"s{number}")
        brain.remember(NO, role="assistant", session_id=f"s{number}")


def beat(folder, start):
    place = SqlitePlace(folder)
    with closing(place.open(SystemClock(), SystemIds(), busy_timeout_s=60)) as store:
        brain = brain_on(store, folder)
        start.wait(60)
        brain.gaps.run(is_forced=True)


def beat_and_die_writing(folder):
    put = OutboxFolder.put

    def put_and_die(self, name, text):
        put(self, name, text)
        os._exit(_DIED)

    OutboxFolder.put = put_and_die
    with closing(SqlitePlace(folder).open(SystemClock(), SystemIds())) as store:
        brain_on(store, folder).gaps.run(is_forced=True)


def beat_and_die_filing(folder):
    file = TodoFile.file

    def file_and_die(self, task):
        file(self, task)
        os._exit(_DIED)

    TodoFile.file = file_and_die
    with closing(SqlitePlace(folder).open(SystemClock(), SystemIds())) as store:
        brain_on(store, folder).gaps.run(is_forced=True)


def run(target, *args):
    process = fresh_processes().Process(target=target, args=args)
    process.start()
    process.join()
    return process.exitcode


@pytest.mark.row("EM-049", "I31")
def test_processes_that_pulse_at_once_find_one_gap_and_draft_one_todo(tmp_path):
    place = SqlitePlace(tmp_path)
    place.create()
    context = fresh_processes()
    with closing(place.open(SystemClock(), SystemIds())) as store:
        brain = brain_on(store, tmp_path)
        ask(brain)
        start = context.Event()
        processes = [
            context.Process(target=beat, args=(tmp_path, start)) for _ in range(_PROCESSES)
        ]
        for process in processes:
            process.start()
        start.set()
        for process in processes:
            process.join()

        assert [process.exitcode for process in processes] == [0] * _PROCESSES
        (gap,) = brain.gaps.list()
        assert (gap.frequency, gap.status) == (3, "todo_created")
        names = [type(one.event).__name__ for one in brain.gaps.get(gap.id).history]
        assert names.count("GapMoved") == 1
        assert len(list((tmp_path / "tilth.db.outbox").iterdir())) == 1
        assert list(store.verify()) == []


@pytest.mark.row("I31")
def test_a_pulse_that_is_killed_between_two_steps_is_finished_by_the_next(tmp_path):
    place = SqlitePlace(tmp_path)
    place.create()
    repository = tmp_path / "repository"
    (repository / ".git").mkdir(parents=True)
    with closing(place.open(SystemClock(), SystemIds())) as store:
        brain = brain_on(store, tmp_path)
        ask(brain)
    assert run(beat_and_die_writing, tmp_path) == _DIED
    with closing(place.open(SystemClock(), SystemIds())) as store:
        brain = brain_on(store, tmp_path)
        assert brain.gaps.list()[0].status == "detected"
        brain.gaps.run(is_forced=True)
        human = a_brain(store, SystemClock(), by=HUMAN)
        human.gaps.opt_in(str(repository))
    assert run(beat_and_die_filing, tmp_path) == _DIED
    with closing(place.open(SystemClock(), SystemIds())) as store:
        brain = brain_on(store, tmp_path)
        assert brain.gaps.list()[0].todo_ref.startswith("outbox:")
        (filed,) = brain.gaps.run(is_forced=True).filed

        assert (repository / FILE).read_text().count(filed.id) == 1
        assert len(list((tmp_path / "tilth.db.outbox").iterdir())) == 1
        assert list(store.verify()) == []
