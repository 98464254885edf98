"""Both engines, side by side: what happened alike is told alike."""

from collections.abc import Iterator
from contextlib import suppress
from datetime import timedelta
from random import Random  # noqa: TID251 - seeded

import pytest

from tests.conftest import AGENT
from tests.fakes import START, HashingEmbedder
from tilth.core.event import Event
from tilth.core.ids import SessionId
from tilth.core.scope import GLOBAL, Owner, Scope, Visibility, seen_from
from tilth.episodes.episode import EpisodeDraft, EpisodeKind, Role
from tilth.episodes.events import EpisodeRecorded, ImportFinished, SessionDescribed
from tilth.episodes.filters import EpisodeFilter
from tilth.episodes.session import SessionInfo
from tilth.episodes.tables import Episodes
from tilth.ledger.events import SetAside
from tilth.ledger.search import Search
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Store
from tilth.transfer.tables import imported

WORDS = ["kettle", "tea", "milk", "rain", "soil", "Ærø", "東京", "naïve", "x-1.2", "don't", "\x00"]
SCOPES = [GLOBAL, Scope("project:work"), Scope("domain:home")]
OWNERS = [Owner("alice"), Owner("bob")]
EMBEDDER = HashingEmbedder()

pytestmark = pytest.mark.postgres


def history(seed: int, length: int) -> Iterator[tuple[Event, Owner, str | None]]:
    drawn = Random(seed)
    for n in range(length):
        owner, scope = drawn.choice(OWNERS), drawn.choice(SCOPES)
        session = drawn.choice([SessionId("s"), SessionId("Tü"), None])
        match drawn.randrange(8):
            case 0:
                info = SessionInfo(title=drawn.choice(WORDS), tags=(drawn.choice(WORDS),))
                described = SessionDescribed(
                    session_id=session or SessionId("x"), info=info, scope=scope
                )
                yield described, owner, None
            case 1:
                finished = ImportFinished(
                    uri=f"file:///{drawn.randrange(3)}", format="codex", sha256=f"{n:064d}",
                    new_count=n, known_count=0, skipped_count=0,
                )  # fmt: skip
                yield finished, owner, None
            case _:
                draft = EpisodeDraft(
                    text=" ".join(drawn.choices(WORDS, k=drawn.randint(1, 9))) + ".",
                    kind=drawn.choice(list(EpisodeKind)),
                    role=drawn.choice(list(Role)),
                    speaker=drawn.choice(["", "Bob", "Ægir"]),
                    session_id=session,
                    occurred_at=START + timedelta(minutes=drawn.randint(-999, 999)),
                    scope=scope,
                    metadata={"n": n, "of": [drawn.random()]},
                )
                yield EpisodeRecorded(draft), owner, drawn.choice([None, f"key {n}"])


def live(store: Store, seed: int, length: int = 120) -> None:
    for number, (event, owner, key) in enumerate(history(seed, length)):
        with store.begin() as tx:
            seq = tx.append(event, by=AGENT, owner=owner, idempotency_key=key).recorded.seq
            if isinstance(event, EpisodeRecorded) and number % 5:
                tx.put_vectors(EMBEDDER.space, [(seq, EMBEDDER.embed([event.draft.text])[0])])


def told(view: Snapshot) -> list[object]:
    """Return everything that recall and the surfaces read, for several readers."""
    every = range(200)
    answers: list[object] = [view.head(), view.events(limit=999)]
    for within in (Visibility(OWNERS[0]), seen_from(OWNERS[1], SCOPES[1]), Visibility()):
        which = EpisodeFilter(
            within=within, occurred_from=START - timedelta(hours=9), kinds=frozenset(EpisodeKind)
        )
        for narrowed in (which, EpisodeFilter(within=within)):
            found = Search(view).lexical(["tea", "rain", "京"], narrowed, limit=999)
            answers += [
                Episodes(view).select(narrowed, limit=99, newest_first=True),
                Episodes(view).passages(every, narrowed),
                Episodes(view).places([9, 40, 71], narrowed, reach=2),
                sorted(one.seq for one in found),
                [one.seq for one in nearest(view, narrowed)],
            ]
        answers += [
            Episodes(view).sessions(within, limit=99),
            Episodes(view).count(within),
            Search(view).corpus(["tea", "rain", "nothing"], within),
            imported(view, within.owner, "file:///1"),
        ]
    answers += [
        Episodes(view).sessions_of(every),
        Search(view).unembedded(EMBEDDER.space, limit=99),
    ]
    answers.append([(one.space, one.vector_count, bytes(one.mean.data)) for one in spaces(view)])
    answers.append(
        [
            (seq, bytes(v.data))
            for seq, v in sorted(Search(view).vectors(EMBEDDER.space, every).items())
        ]
    )
    return answers


def nearest(view: Snapshot, which: EpisodeFilter):
    return Search(view).nearest(
        EMBEDDER.space, EMBEDDER.embed(["tea in the rain"])[0], which, limit=10
    )


def spaces(view: Snapshot):
    return Search(view).spaces()


@pytest.mark.row("I10")
@pytest.mark.parametrize("seed", [1, 2])
def test_equal_histories_give_equal_digests_and_answers_on_both_engines(make_place_on, seed):
    stores = [make_place_on(engine).open() for engine in ("sqlite", "postgres")]

    for store in stores:
        live(store, seed)

    one, other = stores
    assert one.digest() == other.digest()
    with one.read() as view, other.read() as other_view:
        for here, there in zip(told(view), told(other_view), strict=True):
            assert here == there
    for store in stores:
        assert list(store.verify()) == []
        store.rebuild()
    assert one.digest() == other.digest()
    for store in stores:
        store.close()


def test_scores_of_vectors_agree_on_both_engines(make_place_on):
    scores = []
    for engine in ("sqlite", "postgres"):
        store = make_place_on(engine).open()
        live(store, 3)
        with store.read() as view:
            scores.append(
                [one.score for one in nearest(view, EpisodeFilter(within=Visibility(OWNERS[0])))]
            )
        store.close()

    assert scores[0] == pytest.approx(scores[1], abs=1e-5)


def test_a_snapshot_keeps_the_realms_it_saw_and_a_transaction_sees_new_ones(store: Store) -> None:
    which = EpisodeFilter(within=Visibility(OWNERS[0]))

    def recorded(n: int) -> EpisodeRecorded:
        return EpisodeRecorded(EpisodeDraft(text=WORDS[n], scope=SCOPES[n]))

    def texts(view: Snapshot) -> list[str]:
        return [one.text for one in Episodes(view).select(which, limit=9)]

    with store.begin() as tx:
        tx.append(recorded(0), owner=OWNERS[0], by=AGENT)
        assert texts(tx) == WORDS[:1]
        tx.append(recorded(1), owner=OWNERS[0], by=AGENT)
        assert texts(tx) == WORDS[:2]
    with store.read() as view:
        assert texts(view) == WORDS[:2]
        with store.begin() as tx:
            tx.append(recorded(2), owner=OWNERS[0], by=AGENT)
        assert texts(view) == WORDS[:2]
    with store.read() as view:
        assert texts(view) == WORDS[:3]


def test_a_transaction_looks_for_realms_again_where_there_are_others(store: Store) -> None:
    asked = []

    def count(tx: Snapshot) -> None:
        rows = tx.conn.rows
        tx.conn.rows = lambda sql, params=(): asked.append(sql) or rows(sql, params)

    def read(tx: Snapshot) -> list[str]:
        asked.clear()
        found = Episodes(tx).select(EpisodeFilter(within=Visibility(OWNERS[0])), limit=9)
        return [one.text for one in found]

    def of_realms() -> list[str]:
        return [sql for sql in asked if "FROM realms" in sql]

    told = []
    with store.begin() as tx:
        count(tx)
        for number, is_asked in ((0, True), (0, False), (1, True)):
            draft = EpisodeDraft(text=WORDS[number], scope=SCOPES[number])
            told.append(tx.append(EpisodeRecorded(draft), owner=OWNERS[0], by=AGENT).recorded)
            assert WORDS[number] in read(tx)
            assert bool(of_realms()) is is_asked
        read(tx)
        assert of_realms() == []

    aside = SetAside(aside=tuple(one.event_id for one in told))

    def take_back(tx: Snapshot) -> list[str]:
        count(tx)
        assert read(tx) != []
        # Every table is made again, under the lock or ahead of it, and no realm is left.
        tx.set_aside(aside, owner=OWNERS[0], by=AGENT)
        assert read(tx) == []
        return of_realms()

    with suppress(InterruptedError), store.begin() as tx:
        assert take_back(tx)
        raise InterruptedError
    assert store.change(take_back)
