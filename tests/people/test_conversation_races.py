"""Conversations that many processes write at once."""

from contextlib import closing

import pytest

from tests.brains import a_brain
from tests.places import SqlitePlace
from tests.processes import fresh_processes
from tilth.core.scope import Visibility
from tilth.people.conversation_tables import Conversations
from tilth.runtime.system import SystemClock, SystemIds

_PROCESSES, _WRITES = 8, 500


def _write(folder, conversation_id, name):
    place = SqlitePlace(folder)
    with closing(place.open(SystemClock(), SystemIds(), busy_timeout_s=120)) as store:
        brain = a_brain(store, SystemClock())
        for number in range(_WRITES):
            brain.conversations.add(conversation_id, f"{name} {number}", speaker=name)


@pytest.mark.row("EM-054")
def test_eight_processes_of_five_hundred_writes_each_lose_nothing(tmp_path):
    place = SqlitePlace(tmp_path)
    place.create()
    with closing(place.open(SystemClock(), SystemIds())) as store:
        brain = a_brain(store, SystemClock())
        person = brain.entities.add("Ada", type="person").entity.id
        talk = brain.conversations.create(person, "irc").conversation.id
        context = fresh_processes()
        names = [f"writer-{number}" for number in range(_PROCESSES)]
        writers = [context.Process(target=_write, args=(tmp_path, talk, name)) for name in names]
        for writer in writers:
            writer.start()
        for writer in writers:
            writer.join()

        assert [writer.exitcode for writer in writers] == [0] * _PROCESSES
        with store.read() as view:
            said = Conversations(view).messages(talk, Visibility())
        for name in names:
            assert [one.text for one in said if one.speaker == name] == [
                f"{name} {number}" for number in range(_WRITES)
            ]
        assert brain.conversations.summarise(talk) is not None
        counts = [one.draft.count for one in brain.conversations.summaries(talk)]
        assert sum(counts) == _PROCESSES * _WRITES
        assert list(store.verify()) == []
