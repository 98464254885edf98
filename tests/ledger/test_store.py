"""Whatever happens in whatever order, a store is what a few lines of plain Python say."""

from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from tests.conftest import AGENT
from tests.effort import tried
from tests.fakes import START
from tilth.core.errors import IdempotencyConflictError
from tilth.core.ids import SessionId
from tilth.core.scope import GLOBAL, Owner, Scope, Visibility
from tilth.core.text.tokens import index_terms
from tilth.episodes.episode import EpisodeDraft, EpisodeKind, Role
from tilth.episodes.events import EpisodeRecorded, ImportFinished, SessionDescribed
from tilth.episodes.filters import EpisodeFilter
from tilth.episodes.session import SessionInfo
from tilth.episodes.tables import Episodes
from tilth.ledger.search import Search
from tilth.transfer.tables import imported

OWNERS = [Owner("alice"), Owner("bob")]
SCOPES = [GLOBAL, Scope("project:work")]
SESSIONS = [SessionId("s"), SessionId("t ü"), None]
WORDS = ["kettle", "tea", "Ærø", "東京", "\x00", "don't", "x-1.2"]

owners = st.sampled_from(OWNERS)
scopes = st.sampled_from(SCOPES)
drafts = st.builds(
    EpisodeDraft,
    text=st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join),
    kind=st.sampled_from(list(EpisodeKind)),
    role=st.sampled_from(list(Role)),
    speaker=st.sampled_from(["", "Bob"]),
    session_id=st.sampled_from(SESSIONS),
    occurred_at=st.none() | st.integers(-9, 9).map(lambda n: START + timedelta(hours=n)),
    scope=scopes,
    idempotency_key=st.none() | st.sampled_from(["k1", "k2"]),
)
infos = st.builds(
    SessionInfo,
    title=st.sampled_from(["", "one", "two ü"]),
    tags=st.lists(st.sampled_from("ab"), max_size=2).map(tuple),
)


@dataclass
class Talk:
    """A session as the model knows it."""

    info: SessionInfo = field(default_factory=SessionInfo)
    described_at: datetime | None = None
    times: list = field(default_factory=list)

    @property
    def span(self):
        times = self.times or [self.described_at]
        return min(times), max(times)


@dataclass
class Model:
    """All that a store should answer from, with nothing derived in it."""

    episodes: list = field(default_factory=list)
    talks: dict = field(default_factory=dict)
    keys: dict = field(default_factory=dict)
    imports: dict = field(default_factory=dict)
    event_count: int = 1

    def add(self, owner, draft, recorded_at):
        at = draft.occurred_at or recorded_at
        self.event_count += 1
        self.episodes.append((self.event_count, owner, draft, at))
        if draft.session_id is not None:
            self.talks.setdefault((owner, draft.scope, draft.session_id), Talk()).times.append(at)
        if draft.idempotency_key is not None:
            self.keys[owner, draft.idempotency_key] = (self.event_count, said_in(draft))

    def seen(self, within):
        return [one for one in self.episodes if within.admits(one[1], one[2].scope)]


def said_in(draft):
    return replace(draft, idempotency_key=None)


class StoreMachine(RuleBasedStateMachine):
    """A store beside its model."""

    def __init__(self, make_place):
        super().__init__()
        self.make_place = make_place

    @initialize()
    def begin(self):
        self.model = Model()
        self.place = self.make_place()
        self.store = self.place.open()

    def teardown(self):
        if hasattr(self, "store"):
            assert list(self.store.verify()) == []
            self.store.close()
            self.place.remove()

    @rule(owner=owners, batch=st.lists(drafts, min_size=1, max_size=4))
    def append(self, owner, batch):
        with self.store.begin() as tx:
            for draft in batch:
                self.append_one(tx, owner, draft)

    def append_one(self, tx, owner, draft):
        known = self.model.keys.get((owner, draft.idempotency_key))
        try:
            appended = tx.append(
                EpisodeRecorded(draft), by=AGENT, owner=owner,
                idempotency_key=draft.idempotency_key,
            )  # fmt: skip
        except IdempotencyConflictError:
            assert known is not None
            assert known[1] != said_in(draft)
        else:
            assert appended.is_new == (known is None)
            if known is None:
                self.model.add(owner, draft, appended.recorded.recorded_at)
            else:
                assert known == (appended.recorded.seq, said_in(draft))

    @rule(owner=owners, scope=scopes, session=st.sampled_from(SESSIONS[:2]), info=infos)
    def describe(self, owner, scope, session, info):
        with self.store.begin() as tx:
            event = SessionDescribed(session_id=session, info=info, scope=scope)
            recorded = tx.append(event, by=AGENT, owner=owner).recorded
        self.model.event_count += 1
        talk = self.model.talks.setdefault((owner, scope, session), Talk())
        talk.info = info
        talk.described_at = talk.described_at or recorded.recorded_at

    @rule(owner=owners, uri=st.sampled_from(["file:///x", "file:///y"]), n=st.integers(0, 9))
    def finish_import(self, owner, uri, n):
        event = ImportFinished(
            uri=uri, format="codex", sha256=str(n) * 64, new_count=n, known_count=0,
            skipped_count=0,
        )  # fmt: skip
        with self.store.begin() as tx:
            tx.append(event, by=AGENT, owner=owner)
        self.model.event_count += 1
        self.model.imports[owner, uri] = event.sha256

    @rule(owner=owners, batch=st.lists(drafts, min_size=1, max_size=3))
    def roll_back(self, owner, batch):
        with suppress(KeyboardInterrupt), self.store.begin() as tx:
            for draft in batch:
                tx.append(EpisodeRecorded(said_in(draft)), by=AGENT, owner=owner)
            raise KeyboardInterrupt

    @rule(step=st.sampled_from([-60, 0, 60]))
    def clock_jumps(self, step):
        self.place.clock.at += timedelta(minutes=step)

    @rule()
    def rebuild(self):
        before = self.store.digest()
        assert self.store.rebuild() == self.model.event_count
        assert self.store.digest() == before

    @rule()
    def reopen(self):
        self.store.close()
        self.store = self.place.open()

    @invariant()
    def episodes_are_those_of_the_model(self):
        with self.store.read() as view:
            assert view.head().seq == self.model.event_count
            for within in views():
                expected = self.model.seen(within)
                found = Episodes(view).select(EpisodeFilter(within=within), limit=999)
                assert [(one.seq, one.text, one.occurred_at) for one in found] == [
                    (seq, draft.text, at) for seq, _, draft, at in expected
                ]
                assert Episodes(view).count(within) == len(expected)

    @invariant()
    def sessions_are_those_of_the_model(self):
        with self.store.read() as view:
            for within in views():
                found = Episodes(view).sessions(within, limit=999)
                assert found == sorted(found, key=lambda one: one.last_at, reverse=True)
                assert {(one.owner, one.scope, one.id): told(one) for one in found} == {
                    key: (talk.info, *talk.span, len(talk.times))
                    for key, talk in self.model.talks.items()
                    if within.admits(*key[:2])
                }

    @invariant()
    def indexes_are_those_of_the_model(self):
        terms = sorted({term for word in [*WORDS, "Bob"] for term in index_terms(word)})
        with self.store.read() as view:
            for within in views():
                held = {
                    seq: index_terms(": ".join(filter(None, (draft.speaker, draft.text))))
                    for seq, _, draft, _ in self.model.seen(within)
                }
                counts = Counter(term for found in held.values() for term in set(found))
                stats = Search(view).corpus(terms, within)
                assert stats.frequencies == {term: counts[term] for term in terms}
                assert stats.mean_terms == sum(map(len, held.values())) / max(len(held), 1)
                which = EpisodeFilter(within=within)
                found = Search(view).lexical(terms[:2], which, limit=999)
                assert {one.seq for one in found} == {
                    seq for seq, found in held.items() if set(found) & set(terms[:2])
                }

    @invariant()
    def keys_and_imports_are_those_of_the_model(self):
        with self.store.read() as view:
            for owner in OWNERS:
                known = {
                    key: seq for (who, key), (seq, _) in self.model.keys.items() if who == owner
                }
                assert view.by_key(owner, ["k1", "k2"]) == known
                for uri in ("file:///x", "file:///y"):
                    assert imported(view, owner, uri) == self.model.imports.get((owner, uri))


def told(session):
    return session.info, session.started_at, session.last_at, session.episode_count


def views():
    for owner in OWNERS:
        yield Visibility(owner)
        yield Visibility(owner, frozenset({SCOPES[1]}))


@pytest.mark.hypothesis
@pytest.mark.row("I10")
def test_a_store_is_what_its_history_says(make_place):
    run_state_machine_as_test(
        lambda: StoreMachine(make_place),
        settings=settings(
            tried(20),
            stateful_step_count=15,
            derandomize=True,
            database=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
