"""What a child does until it is killed: every kind of writing that a store knows."""

import itertools
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from random import Random  # noqa: TID251 - always seeded
from typing import Any

from prove.ground import (
    FIRST_TIER,
    RECORDER,
    SESSIONS,
    TOKEN_CHARS,
    Ground,
    SecondTier,
    content,
    draft,
    token_of,
)
from tilth.core.ids import EpisodeId, SessionId
from tilth.episodes.episode import EpisodeDraft
from tilth.episodes.events import EpisodeRecorded
from tilth.episodes.remember import remember
from tilth.episodes.session import SessionInfo
from tilth.episodes.sessions import describe
from tilth.knowledge.facts.fact import parse_fact
from tilth.knowledge.facts.facts import state_fact
from tilth.knowledge.facts.write.write_fact import Writing
from tilth.ledger.sqlite.schema import known_migrations
from tilth.ledger.store import Store
from tilth.ledger.tables import Migration
from tilth.maintenance.embed import embed_backlog
from tilth.runtime.system import SystemClock

# Far longer than the parent takes to kill a child that has acknowledged something.
KILLED_WITHIN_S = 60
# The control is none of the works.
CONTROL = "premature"


def migrations_up_to(count: int) -> tuple[Migration, ...]:
    """Return our migrations, and more that copy the ledger, so that there is time to be killed."""
    ours = known_migrations()
    return ours + tuple(
        Migration(
            ours[0].version + number,
            f"""
            CREATE TABLE moved_{number} (seq INTEGER PRIMARY KEY, payload TEXT) STRICT;
            INSERT INTO moved_{number} SELECT seq, payload FROM ledger;
            CREATE INDEX moved_by_payload_{number} ON moved_{number} (payload);
            DELETE FROM moved_{number};
            """,  # noqa: S608 - a number
        )
        for number in range(len(ours), count)
    )


@dataclass(frozen=True, slots=True)
class Job:
    """One child's work on one store."""

    work: str
    ground: Ground
    seed: int

    def run(self, pipe: Connection) -> None:
        """Work for ever; say so if something other than a kill ends it."""
        tell = Teller(pipe)
        try:
            # Spoken before the store opens where opening is the work.
            tell.anything({})
            with self.ground.opened() as store:
                work = WORKS.get(self.work, _acknowledge_too_early)
                for turn in itertools.count():
                    work(store, Random(self.seed + turn), tell, self.ground)
        except BaseException as error:
            tell.anything({"died_of": repr(error)})
            raise


class Teller:
    """Tells the parent what was acknowledged."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe
        self._lock = threading.Lock()
        # The store's own first event, and one a told episode.
        self.told_count = 1

    def anything(self, message: dict[str, Any]) -> None:
        """Send one message."""
        with self._lock:
            self._pipe.send(message)

    def episodes(self, ids: Sequence[str], drafts: Sequence[EpisodeDraft]) -> None:
        """Tell which episodes were acknowledged, and with what content."""
        told = {id_: content(said) for id_, said in zip(ids, drafts, strict=True)}
        self.anything({"episodes": told, "text": drafts[-1].text})
        self.told_count += len(told)


def _remember(store: Store, drafts: Sequence[EpisodeDraft], tell: Teller) -> None:
    tell.episodes(remember(store, FIRST_TIER, drafts, recorder=RECORDER), drafts)


def _drafts(rng: Random, count: int) -> list[EpisodeDraft]:
    return [draft(rng, token_of(rng)) for _ in range(count)]


def _singles(store: Store, rng: Random, tell: Teller, _: Ground) -> None:
    _remember(store, _drafts(rng, 1), tell)


def _batches(store: Store, rng: Random, tell: Teller, _: Ground) -> None:
    _remember(store, _drafts(rng, rng.randint(2, 60)), tell)


def _sessions(store: Store, rng: Random, tell: Teller, _: Ground) -> None:
    session_id = SessionId(f"session-{rng.randrange(SESSIONS)}")
    describe(store, session_id, SessionInfo(title=token_of(rng), tags=("a",)), recorder=RECORDER)
    _remember(store, _drafts(rng, 3), tell)


def _keys(store: Store, rng: Random, tell: Teller, _: Ground) -> None:
    """Say everything twice, as one who was killed before the answer came would."""
    drafts = [
        replace(said, idempotency_key=f"key-{said.text[:TOKEN_CHARS]}") for said in _drafts(rng, 5)
    ]
    first = remember(store, FIRST_TIER, drafts, recorder=RECORDER)
    tell.episodes(first, drafts)
    if remember(store, FIRST_TIER, drafts, recorder=RECORDER) != first:
        raise AssertionError("a repeated key gave another episode")


def _triples(store: Store, rng: Random, tell: Teller, _: Ground) -> None:
    writing = Writing(FIRST_TIER, SystemClock(), RECORDER)
    subject, value = f"urn:client:{rng.randrange(SESSIONS)}", token_of(rng)
    told = parse_fact("", {"subject": subject, "predicate": "uses", "object": value})
    stated = state_fact(store, told, writing)
    tell.anything({"facts": {stated.fact.id: value}})
    tell.told_count += 1


def _backlog(store: Store, rng: Random, tell: Teller, _: Ground) -> None:
    _remember(store, _drafts(rng, 20), tell)
    embed_backlog(store, [SecondTier()])


def _backup(store: Store, rng: Random, tell: Teller, ground: Ground) -> None:
    writing = threading.Thread(target=_batches, args=(store, rng, tell, ground))
    target = ground.folder / f"backup-{token_of(Random(rng.random()))}.db"
    promised = tell.told_count
    writing.start()
    store.backup(str(target))
    tell.anything({"backups": {target.name: promised}})
    writing.join()


def _rebuild(store: Store, rng: Random, tell: Teller, _: Ground) -> None:
    _remember(store, _drafts(rng, 4), tell)
    store.rebuild()
    embed_backlog(store, [FIRST_TIER])


def _creation(_: Store, rng: Random, tell: Teller, ground: Ground) -> None:
    made = Ground(ground.folder / f"made-{token_of(rng)}")
    made.create()
    tell.anything({"stores": [str(made.folder)]})


def _acknowledge_too_early(store: Store, rng: Random, tell: Teller, _: Ground) -> None:
    """Break the promise on purpose, and wait for the kill before the commit: the control."""
    (said,) = _drafts(rng, 1)
    with store.begin() as tx:
        appended = tx.append(EpisodeRecorded(said), by=RECORDER.by, owner=RECORDER.owner)
        tell.episodes([EpisodeId.of(appended.recorded.event_id)], [said])
        time.sleep(KILLED_WITHIN_S)


WORKS: dict[str, Callable[[Store, Random, Teller, Ground], None]] = {
    "singles": _singles,
    "batches": _batches,
    "sessions": _sessions,
    "keys": _keys,
    "triples": _triples,
    "backlog": _backlog,
    "backup": _backup,
    "rebuild": _rebuild,
    "migration": _batches,
    "creation": _creation,
}
