"""What every store promises of its episodes and sessions: who sees what, in which order."""

from datetime import timedelta

import numpy as np
import pytest

from tests.conftest import AGENT, a_draft, append, append_all, texts
from tests.fakes import START, FixedClock
from tilth.core.errors import InvalidInputError, NotFoundError
from tilth.core.ids import EpisodeId, SessionId
from tilth.core.instant import to_micros
from tilth.core.scope import DEFAULT_OWNER, GLOBAL, Owner, Scope, Visibility, seen_from
from tilth.episodes.episode import EpisodeKind, Role
from tilth.episodes.events import SessionDescribed
from tilth.episodes.filters import EpisodeFilter, SessionFilter
from tilth.episodes.session import SessionInfo
from tilth.episodes.tables import Episodes
from tilth.ledger.search import Search

ALICE, BOB, CHARLIE = Owner("alice"), Owner("bob"), Owner("charlie")
WORK, HOME = Scope("project:work/api"), Scope("domain:home")
ALL = Visibility()
ANYTHING = EpisodeFilter(within=ALL)
S, T = SessionId("s"), SessionId("t")
HOUR = timedelta(hours=1)


def described(session_id: SessionId = S, scope: Scope = GLOBAL, **info: object) -> SessionDescribed:
    return SessionDescribed(session_id=session_id, info=SessionInfo(**info), scope=scope)


def describe(store, event: SessionDescribed, owner: Owner = DEFAULT_OWNER) -> None:
    with store.begin() as tx:
        tx.append(event, by=AGENT, owner=owner)


@pytest.fixture
def shared(store):
    """Three episodes of Alice in three scopes, one of Bob in a scope of the same name."""
    seqs = {}
    for owner, scope, text in [
        (ALICE, GLOBAL, "alice everywhere"),
        (ALICE, WORK, "alice at work"),
        (ALICE, HOME, "alice at home"),
        (BOB, WORK, "bob at work"),
    ]:
        appended = append(store, a_draft(text, scope=scope, session_id=S), owner=owner)
        seqs[text] = appended.recorded
    return seqs


VIEWS = [
    (Visibility(ALICE), ["alice everywhere", "alice at work", "alice at home"]),
    (seen_from(ALICE, WORK), ["alice everywhere", "alice at work"]),
    (seen_from(ALICE, HOME), ["alice everywhere", "alice at home"]),
    (Visibility(ALICE, frozenset({WORK})), ["alice at work"]),
    (seen_from(ALICE, Scope("project:other")), ["alice everywhere"]),
    (Visibility(ALICE, frozenset()), []),
    (Visibility(BOB), ["bob at work"]),
    (seen_from(BOB, WORK), ["bob at work"]),
    (seen_from(BOB, HOME), []),
    (Visibility(CHARLIE), []),
    (seen_from(CHARLIE, WORK), []),
]


@pytest.mark.row("I28")
@pytest.mark.parametrize(("within", "seen"), VIEWS)
class TestNobodySeesBeyondOwnerAndScope:
    """Alice may, Bob may, Charlie may not: for every read there is."""

    def test_get(self, store, shared, within, seen):
        for text, recorded in shared.items():
            episode_id = EpisodeId.of(recorded.event_id)
            with store.read() as view:
                if text in seen:
                    assert Episodes(view).get(episode_id, within).text == text
                else:
                    with pytest.raises(NotFoundError):
                        Episodes(view).get(episode_id, within)

    def test_at(self, store, shared, within, seen):
        every = [one.seq for one in shared.values()]
        with store.read() as view:
            assert [one.text for one in Episodes(view).at(every, within)] == seen

    def test_select(self, store, shared, within, seen):
        assert texts(store, within) == seen

    def test_select_in_a_session(self, store, shared, within, seen):
        which = EpisodeFilter(within=within, session_id=S)
        with store.read() as view:
            assert [one.text for one in Episodes(view).select(which, limit=9)] == seen

    def test_passages(self, store, shared, within, seen):
        every = [one.seq for one in shared.values()]
        with store.read() as view:
            found = Episodes(view).passages(every, EpisodeFilter(within=within))
        assert [one.text for one in found] == seen

    @pytest.mark.parametrize("reach", [0, 3])
    def test_places(self, store, shared, within, seen, reach):
        every = [one.seq for one in shared.values()]
        with store.read() as view:
            found = Episodes(view).places(every, EpisodeFilter(within=within), reach=reach)
        assert [one.seq for one in found] == [shared[text].seq for text in seen]

    def test_count(self, store, shared, within, seen):
        with store.read() as view:
            assert Episodes(view).count(within) == len(seen)

    def test_session(self, store, shared, within, seen):
        with store.read() as view:
            if seen:
                assert Episodes(view).session(S, within).owner == within.owner
            else:
                with pytest.raises(NotFoundError):
                    Episodes(view).session(S, within)

    def test_sessions(self, store, shared, within, seen):
        with store.read() as view:
            found = Episodes(view).sessions(within, limit=9)
        assert {(one.owner, one.scope) for one in found} == {
            (within.owner, _scope(text)) for text in seen
        }

    def test_session_ids(self, store, shared, within, seen):
        with store.read() as view:
            places = Episodes(view).places(range(20), EpisodeFilter(within=within))
            numbers = range(20)
            assert Episodes(view).session_ids(numbers, within) == [S] * len(
                {one.session_no for one in places}
            )

    def test_lexical(self, store, shared, within, seen):
        which = EpisodeFilter(within=within)
        with store.read() as view:
            found = Search(view).lexical(["alic", "bob"], which, limit=9)
        assert {one.seq for one in found} == {shared[text].seq for text in seen}

    def test_corpus(self, store, shared, within, seen):
        with store.read() as view:
            stats = Search(view).corpus(["alic", "bob", "work"], within)
        assert stats.episode_count == len(seen)
        assert {term: n for term, n in stats.frequencies.items() if n} == {
            term: n
            for term, n in {
                "alic": sum("alice" in text for text in seen),
                "bob": sum("bob" in text for text in seen),
                "work": sum("work" in text for text in seen),
            }.items()
            if n
        }

    def test_nearest(self, store, shared, within, seen):
        vectors = np.eye(4, dtype=np.float32)
        with store.begin() as tx:
            pairs = zip((one.seq for one in shared.values()), vectors, strict=True)
            tx.put_vectors("space", pairs)
        with store.read() as view:
            found = Search(view).nearest("space", vectors[0], EpisodeFilter(within=within), limit=9)
        assert {one.seq for one in found} == {shared[text].seq for text in seen}


def _scope(text: str) -> Scope:
    return {"everywhere": GLOBAL, "work": WORK, "home": HOME}[text.rsplit(maxsplit=1)[-1]]


def test_an_episode_that_is_not_there_is_not_found(store):
    with store.read() as view, pytest.raises(NotFoundError):
        Episodes(view).get(EpisodeId("epi_01ARZ3NDEKTSV4RRFFQ69G5FAV"), ALL)


def test_what_is_no_episodes_identifier_is_refused(store):
    with store.read() as view, pytest.raises(InvalidInputError):
        Episodes(view).get(EpisodeId("01ARZ3NDEKTSV4RRFFQ69G5FAV"), ALL)


def test_the_identifier_of_another_event_is_not_found(store):
    with store.read() as view:
        created = view.events()[0]
        with pytest.raises(NotFoundError):
            Episodes(view).get(EpisodeId.of(created.event_id), Visibility(created.owner))


def test_places_are_answered_in_ledger_order_each_once(store):
    seqs = [one.recorded.seq for one in append_all(store, [a_draft(t) for t in "abc"])]

    with store.read() as view:
        found = Episodes(view).at([*reversed(seqs), *seqs, 10_000, 0, -1], ALL)

    assert [one.text for one in found] == ["a", "b", "c"]


def test_select_goes_on_after_a_place_either_way(store):
    append_all(store, [a_draft(t) for t in "abcde"])
    with store.read() as view:

        def select(**how):
            return [one.text for one in Episodes(view).select(ANYTHING, **how)]

        assert select(limit=2) == ["a", "b"]
        assert select(limit=2, after=3) == ["c", "d"]
        assert select(limit=2, newest_first=True) == ["e", "d"]
        assert select(limit=9, after=4, newest_first=True) == ["e", "d"]
        assert select(limit=0) == []


@pytest.mark.row("C-22")
@pytest.mark.parametrize(
    ("bounds", "seen"),
    [
        ({}, "abc"),
        ({"occurred_from": START + HOUR}, "bc"),
        ({"occurred_from": START + HOUR + timedelta(microseconds=1)}, "c"),
        ({"occurred_before": START + HOUR}, "a"),
        ({"occurred_before": START + HOUR + timedelta(microseconds=1)}, "ab"),
        ({"occurred_from": START + HOUR, "occurred_before": START + 2 * HOUR}, "b"),
        ({"occurred_from": START + HOUR, "occurred_before": START + HOUR}, ""),
    ],
)
def test_bounds_on_the_time_of_happening_are_half_open(store, bounds, seen):
    append_all(store, [a_draft(t, occurred_at=START + n * HOUR) for n, t in enumerate("abc")])

    with store.read() as view:
        found = Episodes(view).select(EpisodeFilter(within=ALL, **bounds), limit=9)

    assert "".join(one.text for one in found) == seen


@pytest.mark.row("C-22")
def test_a_bound_on_the_time_of_recording_is_half_open(place):
    store = place.open(FixedClock(START + HOUR, step=HOUR))
    recorded = [append(store, a_draft(t)).recorded.recorded_at for t in "abc"]

    def known_before(at):
        with store.read() as view:
            which = EpisodeFilter(within=ALL, recorded_before=at)
            return "".join(one.text for one in Episodes(view).select(which, limit=9))

    assert known_before(recorded[0]) == ""
    assert known_before(recorded[1]) == "a"
    assert known_before(recorded[1] + timedelta(microseconds=1)) == "ab"
    assert known_before(recorded[2] + HOUR) == "abc"
    assert known_before(START - 365 * 24 * HOUR) == ""
    store.close()


def test_what_happened_and_what_was_recorded_are_two_times(store):
    at = START - timedelta(days=30)
    append(store, a_draft("old news", occurred_at=at))
    append(store, a_draft("news"))

    with store.read() as view:
        old, new = Episodes(view).select(ANYTHING, limit=9)

    assert old.occurred_at == at < old.recorded_at
    assert new.occurred_at == new.recorded_at


@pytest.mark.parametrize(
    ("kinds", "seen"),
    [
        (None, "abc"),
        (frozenset({EpisodeKind.NOTE}), "b"),
        (frozenset({EpisodeKind.NOTE, EpisodeKind.MESSAGE}), "ab"),
        (frozenset(), ""),
    ],
)
def test_kinds_narrow_a_read(store, kinds, seen):
    said = zip("abc", (EpisodeKind.MESSAGE, EpisodeKind.NOTE, EpisodeKind.DOCUMENT), strict=True)
    append_all(store, [a_draft(text, kind=kind) for text, kind in said])

    with store.read() as view:
        found = Episodes(view).select(EpisodeFilter(within=ALL, kinds=kinds), limit=9)

    assert "".join(one.text for one in found) == seen


def test_every_narrowing_applies_to_every_read(store):
    drafts = [
        a_draft("kettle one", session_id=S, kind=EpisodeKind.NOTE, occurred_at=START),
        a_draft("kettle two", session_id=S, kind=EpisodeKind.NOTE, occurred_at=START + HOUR),
        a_draft("kettle three", session_id=T, kind=EpisodeKind.NOTE, occurred_at=START),
        a_draft("kettle four", session_id=S, occurred_at=START),
    ]
    seqs = [one.recorded.seq for one in append_all(store, drafts)]
    vectors = np.eye(4, dtype=np.float32)
    with store.begin() as tx:
        tx.put_vectors("space", zip(seqs, vectors, strict=True))
    which = EpisodeFilter(
        within=ALL,
        occurred_before=START + HOUR,
        kinds=frozenset({EpisodeKind.NOTE}),
        session_id=S,
    )

    with store.read() as view:
        search = Search(view)
        assert [one.seq for one in Episodes(view).select(which, limit=9)] == seqs[:1]
        assert [one.seq for one in Episodes(view).places(seqs, which, reach=2)] == seqs[:1]
        assert [one.seq for one in Episodes(view).passages(seqs, which)] == seqs[:1]
        assert [one.seq for one in search.lexical(["kettl"], which, limit=9)] == seqs[:1]
        assert [one.seq for one in search.nearest("space", vectors[1], which, limit=9)] == seqs[:1]


def test_passages_reach_their_neighbours_and_no_other_session(store):
    names = ["s1", "t1", "s2", "t2", "s3", "lone", "s4"]
    drafts = [
        a_draft(name, session_id={"s": S, "t": T}.get(name[0])) if name != "lone" else a_draft(name)
        for name in names
    ]
    seqs = dict(zip(names, (one.recorded.seq for one in append_all(store, drafts)), strict=True))

    def near(name, reach):
        with store.read() as view:
            found = Episodes(view).places([seqs[name]], ANYTHING, reach=reach)
        return [name for name, seq in seqs.items() if seq in {one.seq for one in found}]

    assert near("s2", 0) == ["s2"]
    assert near("s2", 1) == ["s1", "s2", "s3"]
    assert near("s4", 2) == ["s2", "s3", "s4"]
    assert near("t1", 9) == ["t1", "t2"]
    assert near("lone", 9) == ["lone"]


def test_places_and_passages_tell_what_ranking_reads(store):
    first = append(store, a_draft("one", session_id=S)).recorded.seq
    at = START + HOUR
    second = append(
        store,
        a_draft(
            "two", session_id=S, speaker="bash", role=Role.TOOL,
            kind=EpisodeKind.TOOL_RESULT, occurred_at=at,
        ),
    ).recorded.seq  # fmt: skip
    lone = append(store, a_draft("three")).recorded.seq

    with store.read() as view:
        one, two, three = Episodes(view).places([lone, second, first], ANYTHING)
        said = Episodes(view).passages([lone, second, first], ANYTHING)

    assert (one.seq, two.seq, three.seq) == (first, second, lone)
    assert one.session_no == two.session_no != 0
    assert (one.position, two.position) == (1, 2)
    assert (three.session_no, three.position) == (0, 0)
    assert (two.role, two.kind) == (Role.TOOL, EpisodeKind.TOOL_RESULT)
    assert two.occurred_at == to_micros(at)
    assert said == [(first, "", "one"), (second, "bash", "two"), (lone, "", "three")]


def test_a_session_spans_its_episodes_whatever_their_order(store):
    for at in (2 * HOUR, HOUR, 3 * HOUR):
        append(store, a_draft(session_id=S, occurred_at=START + at))

    with store.read() as view:
        session = Episodes(view).session(S, ALL)

    assert (session.started_at, session.last_at) == (START + HOUR, START + 3 * HOUR)
    assert session.episode_count == 3


def test_a_session_described_before_its_episodes_takes_their_times(store):
    describe(store, described(title="planning", host="slack"))
    append(store, a_draft(session_id=S, occurred_at=START - HOUR))

    with store.read() as view:
        session = Episodes(view).session(S, ALL)

    assert (session.started_at, session.last_at) == (START - HOUR, START - HOUR)
    assert (session.info.title, session.episode_count) == ("planning", 1)


def test_a_later_description_replaces_an_earlier_one(store):
    info = {"title": "Tüesday \x00", "host": "codex", "folder": "/w", "uri": "file:///x"}
    append(store, a_draft(session_id=S))
    describe(store, described(title="first", tags=("a",)))
    describe(store, described(**info, tags=("b", "c d", "\x00")))

    with store.read() as view:
        session = Episodes(view).session(S, ALL)
        (number,) = {one.session_no for one in Episodes(view).places(range(9), ANYTHING)}
        infos = Episodes(view).sessions_of([number, 999])

    # A table of PostgreSQL cannot hold a NUL; the ledger can, and does.
    expected = SessionInfo(**info | {"title": "Tüesday \ufffd"}, tags=("b", "c d", "\x00"))
    assert session.info == expected
    assert infos == {number: expected}


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({}, ["c", "b", "a"]),
        ({"host": "codex"}, ["b", "a"]),
        ({"host": "Codex"}, []),
        ({"words": "ÜBER queue"}, ["a"]),
        ({"words": "queue"}, ["c", "a"]),
        # What has no title is named by its ID.
        ({"words": "b"}, ["b", "a"]),
        ({"active_from": START + 2 * HOUR}, ["c", "b"]),
        ({"active_before": START + 2 * HOUR}, ["b", "a"]),
        ({"active_from": START + HOUR, "active_before": START + 2 * HOUR}, ["b"]),
        ({"host": "codex", "words": "queue", "active_from": START + HOUR}, []),
    ],
)
def test_sessions_are_narrowed_by_host_time_and_words_of_their_title(store, asked, found):
    told = {"a": ("Über the Queue", "codex"), "b": ("", "codex"), "c": ("the queue", "cursor")}
    for hours, (id_, (title, host)) in enumerate(told.items()):
        describe(store, described(SessionId(id_), title=title, host=host))
        append(store, a_draft(session_id=SessionId(id_), occurred_at=START + hours * HOUR))
    # It goes on for an hour, so it is active in both.
    append(store, a_draft(session_id=SessionId("b"), occurred_at=START + 2 * HOUR))

    with store.read() as view:
        reader, which = Episodes(view), SessionFilter(**asked)
        listed = [one.id for one in reader.sessions(ALL, limit=9, which=which)]
        second = [one.id for one in reader.sessions(ALL, limit=1, offset=1, which=which)]
        assert reader.hosts(ALL) == ["codex", "cursor"]

    assert sorted(listed) == sorted(found)
    assert second == listed[1:2]


def test_one_name_in_two_scopes_is_two_sessions(store):
    append_all(store, [a_draft("w", session_id=S, scope=WORK), a_draft("h", session_id=S)])

    with store.read() as view:
        found = Episodes(view).sessions(ALL, limit=9)

    assert sorted((one.scope, one.episode_count) for one in found) == [(GLOBAL, 1), (WORK, 1)]


def test_sessions_come_with_the_one_that_was_active_last_first(store):
    for name, hours in (("a", 3), ("b", 1), ("c", 2), ("d", 3)):
        append(store, a_draft(session_id=SessionId(name), occurred_at=START + hours * HOUR))

    with store.read() as view:

        def page(**how):
            return [one.id for one in Episodes(view).sessions(ALL, **how)]

        assert page(limit=9) == ["d", "a", "c", "b"]
        assert page(limit=2, offset=1) == ["a", "c"]
        assert page(limit=2, offset=9) == []


def test_a_store_without_episodes_answers_every_read(store):
    with store.read() as view:
        assert Episodes(view).count(ALL) == 0
        assert Episodes(view).select(ANYTHING, limit=9) == []
        assert Episodes(view).sessions(ALL, limit=9) == []
        assert Episodes(view).places([1], ANYTHING, reach=2) == []
        assert Episodes(view).sessions_of([]) == {}
        assert Episodes(view).at([], ALL) == []


@pytest.fixture
def captured(brain):
    """Have sessions as hosts name them, one of them a helper's of another."""
    names = ("codex:019ed50c-2fb3", "codex:019ed836-b1da", "claude-code:f6b7329a/agent-1")
    for name in (*names, "claude-code:f6b7329a"):
        brain.remember(f"Said in {name}.", session_id=name)
    return brain


@pytest.mark.parametrize(
    ("word", "meant"),
    [
        ("codex:019ed50c-2fb3", "codex:019ed50c-2fb3"),
        ("019ed50c-2fb3", "codex:019ed50c-2fb3"),
        ("019ed50", "codex:019ed50c-2fb3"),
        ("codex:019ed8", "codex:019ed836-b1da"),
        ("f6b7329a", "claude-code:f6b7329a"),
        ("f6b7329a/", "claude-code:f6b7329a/agent-1"),
    ],
)
def test_a_session_is_shown_by_what_its_program_calls_it_and_by_a_beginning(captured, word, meant):
    assert captured.sessions.show(word).session.id == meant


def test_a_beginning_of_several_sessions_or_of_none_is_told_to_be_that(captured):
    with pytest.raises(InvalidInputError, match="begins the IDs of several sessions") as refused:
        captured.sessions.show("019ed")
    assert "codex:019ed50c-2fb3, codex:019ed836-b1da" in refused.value.hint
    for word in ("019", "2fb3", "nowhere", "%", "019ed50c_2fb3"):
        with pytest.raises(NotFoundError):
            captured.sessions.show(word)
