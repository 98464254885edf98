"""How SQLite reads people and conversations: by index, however much came from elsewhere."""

from contextlib import closing

import pytest

from tests.places import SqlitePlace
from tilth.core.scope import Visibility
from tilth.episodes.filters import EpisodeFilter
from tilth.episodes.tables import Episodes
from tilth.people.conversation import ConversationFilter
from tilth.people.conversation_tables import Conversations
from tilth.people.tables import People

ALL = Visibility()


class Watched:
    """A connection that remembers how it would read what was asked for."""

    def __init__(self, conn):
        self._conn = conn
        self.realms = {}
        self.steps = []

    def rows(self, sql, params=()):
        plan = self._conn.rows(f"EXPLAIN QUERY PLAN {sql}", params)
        self.steps += [str(row[3]) for row in plan]
        return self._conn.rows(sql, params)

    def once(self, _, made):
        return made()


@pytest.fixture
def place(tmp_path):
    made = SqlitePlace(tmp_path)
    made.create()
    return made


@pytest.fixture
def store(place):
    with closing(place.open()) as opened:
        yield opened


@pytest.fixture
def ids(brain):
    person = brain.entities.add("Ada", type="person").entity.id
    talk = brain.conversations.create(person, "irc", address="ada").conversation.id
    brain.conversations.add(talk, "Hello.")
    return {"person": person, "talk": talk}


READS = {
    "one conversation": lambda view, ids: Conversations(view).get(ids["talk"], ALL),
    "all of them": lambda view, _: Conversations(view).select(
        ConversationFilter(within=ALL), limit=9
    ),
    "its messages": lambda view, ids: Conversations(view).messages(ids["talk"], ALL),
    "its last messages": lambda view, ids: Conversations(view).recent(ids["talk"], ALL, limit=9),
    "its summaries": lambda view, ids: Conversations(view).summaries(ids["talk"], ALL),
    "what passed": lambda view, ids: People(view).interactions(ids["person"], ALL, limit=9),
    "how much passed": lambda view, ids: People(view).tally(ids["person"], ALL),
    "what is about somebody": lambda view, ids: Episodes(view).select(
        EpisodeFilter(within=ALL, about=ids["person"]), limit=9
    ),
}


@pytest.mark.row("EM-054")
@pytest.mark.parametrize("name", READS)
def test_reading_somebody_never_reads_what_came_from_everybody(store, ids, name):
    with store.read() as view:
        watched = Watched(view.conn)
        view.conn = watched

        assert READS[name](view, ids) is not None

    assert watched.steps
    assert [one for one in watched.steps if one.startswith(("SCAN o", "SCAN e"))] == []


@pytest.mark.row("EM-054")
def test_adding_a_message_counts_none_of_those_before_it(brain, ids, monkeypatch):
    def counted(*_):
        raise AssertionError("all messages are counted for one")

    monkeypatch.setattr("tilth.people.conversation_tables.Conversations._counted_up", counted)

    assert brain.conversations.add(ids["talk"], "Once more.")
