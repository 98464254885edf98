"""What every store promises of its changes: complete, in order, each thing once, nobody else's."""

import threading
from datetime import timedelta

import pytest

from tests.brains import a_brain
from tests.conftest import AGENT, a_draft, append
from tests.fakes import START
from tilth.core.actor import Actor, ActorKind
from tilth.core.errors import ConflictError, InvalidInputError
from tilth.core.ids import SessionId
from tilth.core.scope import DEFAULT_OWNER, GLOBAL, Owner, Scope, Visibility, seen_from
from tilth.episodes.changes import changes
from tilth.episodes.events import EpisodeRecorded, ImportFinished, SessionDescribed
from tilth.episodes.session import SessionInfo

ALL = Visibility()
BOB = Owner("bob")
WORK, HOME = Scope("project:work"), Scope("project:home")


def described(title, scope=GLOBAL):
    return SessionDescribed(session_id=SessionId("s"), info=SessionInfo(title=title), scope=scope)


def record(store, event, owner=DEFAULT_OWNER):
    with store.begin() as tx:
        tx.append(event, by=AGENT, owner=owner)


def told(page):
    return [
        one.event.draft.text if isinstance(one.event, EpisodeRecorded) else one.event.info.title
        for one in page.items
    ]


def walk(store, limit, within=ALL, since=""):
    """Read page after page to the end."""
    seen = []
    while True:
        page = changes(store, since, within, limit=limit)
        seen += told(page)
        since = page.cursor
        if not page.has_more:
            return seen, since


@pytest.fixture
def history(store):
    """Four things to see, with things between them that are none of the reader's."""
    append(store, a_draft("one"))
    append(store, a_draft("bob's"), owner=BOB)
    record(store, described("two"))
    record(
        store,
        ImportFinished(
            uri="file:x", format="x", sha256="0", new_count=0, known_count=0, skipped_count=0
        ),
    )
    append(store, a_draft("three", session_id=SessionId("s")))
    record(store, described("bob's session"), owner=BOB)
    record(store, described("four"))


@pytest.mark.parametrize("limit", [1, 2, 3, 4, 5, 100])
def test_pages_of_any_size_hold_everything_once_and_in_order(store, history, limit):
    assert walk(store, limit)[0] == ["one", "two", "three", "four"]


def test_after_the_last_page_only_what_is_new_is_read(store, history):
    _, cursor = walk(store, 2)

    assert walk(store, 2, since=cursor)[0] == []
    append(store, a_draft("five"))
    assert walk(store, 2, since=cursor)[0] == ["five"]


def test_an_empty_store_gives_a_cursor_for_later(store):
    first = changes(store, "", ALL, limit=9)
    append(store, a_draft("one"))

    assert (first.items, first.has_more) == ((), False)
    assert told(changes(store, first.cursor, ALL, limit=9)) == ["one"]


def test_an_instant_begins_with_what_was_recorded_at_it(store, place):
    append(store, a_draft("before"))
    noon = place.clock.at = START + timedelta(hours=12)
    append(store, a_draft("at"))

    assert told(changes(store, noon.isoformat(), ALL, limit=9)) == ["at"]
    assert told(changes(store, "2030-01-01", ALL, limit=9)) == []


@pytest.mark.row("I28")
def test_changes_show_nothing_beyond_owner_and_scope(store):
    for scope in (GLOBAL, WORK, HOME):
        append(store, a_draft(f"episode {scope}", scope=scope))
        record(store, described(f"session {scope}", scope))

    assert walk(store, 1, seen_from(DEFAULT_OWNER, WORK))[0] == [
        "episode global",
        "session global",
        "episode project:work",
        "session project:work",
    ]
    assert walk(store, 1, seen_from(DEFAULT_OWNER, Scope("project:other")))[0] == [
        "episode global",
        "session global",
    ]
    assert walk(store, 1, Visibility(BOB))[0] == []


def test_a_page_that_ends_among_hidden_things_goes_on_behind_them(store):
    for number in range(7):
        record(store, described(f"hidden {number}", HOME))
    append(store, a_draft("seen", scope=WORK))

    assert walk(store, 2, seen_from(DEFAULT_OWNER, WORK))[0] == ["seen"]


def test_a_cursor_of_another_history_is_refused(make_place):
    stores = [make_place().open(), make_place().open()]
    cursors = []
    for store, text in zip(stores, ["one", "another"], strict=True):
        append(store, a_draft(text))
        cursors.append(changes(store, "", ALL, limit=9).cursor)

    for store, cursor in zip(stores, reversed(cursors), strict=True):
        with pytest.raises(ConflictError):
            changes(store, cursor, ALL, limit=9)
        store.close()


@pytest.mark.parametrize(
    "since", ["chg_", "chg_AAAA", "chg_é", "chg_" + "A" * 21, "yesterday", "2026-01-01T10:00:00"]
)
@pytest.mark.on_sqlite(but=2)
def test_what_is_neither_cursor_nor_instant_is_refused(store, since):
    with pytest.raises(InvalidInputError):
        changes(store, since, ALL, limit=9)


def test_a_cursor_beyond_the_end_is_refused(store, history):
    with pytest.raises(ConflictError):
        changes(store, "chg_" + "_" * 20, ALL, limit=9)


@pytest.mark.parametrize("limit", [0, -1, 1001])
def test_a_page_has_from_one_to_a_thousand_things(store, limit):
    with pytest.raises(InvalidInputError):
        changes(store, "", ALL, limit=limit)


@pytest.mark.row("OB-028")
def test_what_becomes_of_gaps_is_told(brain, place, store, tmp_path):
    human = a_brain(store, place.clock, by=Actor("ada", ActorKind.HUMAN))
    said = [brain.remember(f"I wish it could export PDF ({count}).") for count in range(2)]
    gap = brain.gaps.add("export PDF", evidence=said[:1]).gap.id
    brain.gaps.add("export PDF", evidence=said[1:])
    human.gaps.resolve(gap, note="it does now")
    (tmp_path / ".git").mkdir()
    human.gaps.opt_in(str(tmp_path))
    human.gaps.opt_out()

    told = [one.headline for one in human.changes().items][2:]

    assert [(one.kind, one.text) for one in told] == [
        ("gap", "export PDF"),
        ("gap", "came up again"),
        ("gap", "resolved"),
        ("filing", f"into {tmp_path}"),
        ("filing", "ended"),
    ]
    assert {one.id for one in told[:3]} == {gap}


class TestKnowledge:
    PLACE = {"area": "Network", "system": "api", "component": "port"}  # noqa: RUF012

    @pytest.fixture
    def human(self, store, place):
        return a_brain(store, place.clock, by=Actor("ada", ActorKind.HUMAN))

    @staticmethod
    def kinds(page):
        """Leave out the entities that a fact is about: they come with the first one."""
        kinds = [one.headline.kind for one in page.items]
        return [kind for kind in kinds if kind in ("proposed", "decided") or "fact" in kind]

    @pytest.mark.row("OB-028")
    def test_what_is_stated_asked_decided_and_ended_is_told_once_in_order(self, brain, human):
        first = human.facts.add("The API listens on port 8080.", scope=WORK, **self.PLACE)
        waiting = brain.facts.add("The API listens on port 9090.", scope=WORK, **self.PLACE)
        seen = human.review.show(waiting.proposal_id)
        human.review.confirm(seen.proposal.id, digest=seen.digest, retires=[first.fact.id])
        human.facts.retire(waiting.fact.id, reason="switched off")

        page = human.changes(scope=WORK)

        assert self.kinds(page) == [
            "fact current",
            "fact draft",
            "proposed",
            "decided",
            "fact retired",
        ]
        assert human.changes(page.cursor, scope=WORK).items == ()

    @pytest.mark.row("OB-028")
    def test_each_change_is_told_in_its_own_scope(self, brain, human):
        fact = human.facts.add("The API listens on port 8080.", scope=WORK, **self.PLACE).fact
        human.facts.retire(fact.id, reason="moved")
        human.facts.archive(fact.id)

        assert self.kinds(human.changes(scope=WORK)) == [
            "fact current",
            "fact retired",
            "fact archived",
        ]
        assert human.changes(scope=HOME).items == ()

    @pytest.mark.parametrize("limit", [1, 2, 7])
    def test_pages_of_any_size_hold_every_kind_once(self, human, limit):
        for number in range(4):
            fact = human.facts.add(f"Port {number} is open.", scope=WORK, **self.PLACE).fact
            human.remember(f"I opened port {number}.", scope=WORK)
            human.facts.retire(fact.id, reason="closed again")

        seen, cursor, has_more = [], "", True
        while has_more:
            page = human.changes(cursor, limit=limit, scope=WORK)
            seen += [one.seq for one in page.items]
            cursor, has_more = page.cursor, page.has_more

        assert seen == sorted(set(seen))
        assert len(seen) == len(human.changes(limit=100).items) >= 12


@pytest.mark.row("OB-028")
def test_a_reader_beside_two_writers_misses_nothing_and_meets_nothing_twice(place):
    """Readers go on from their cursor while others write, each through its own connection."""
    written, stopped, seen = [], threading.Event(), []

    def write(name):
        store = place.open()
        for number in range(25):
            appended = append(store, a_draft(f"{name} {number}"))
            written.append(appended.recorded.seq)
        store.close()

    def follow():
        store, cursor = place.open(), ""
        while True:
            is_last = stopped.is_set()
            page = changes(store, cursor, ALL, limit=7)
            seen.extend(one.seq for one in page.items)
            cursor = page.cursor
            if is_last and not page.has_more:
                break
        store.close()

    reader = threading.Thread(target=follow)
    writers = [threading.Thread(target=write, args=(name,)) for name in ("ada", "ben")]
    for thread in (reader, *writers):
        thread.start()
    for thread in writers:
        thread.join()
    stopped.set()
    reader.join()

    assert len(written) == 50
    assert seen == sorted(written)
