"""Fixtures that every kind of test may use."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from tests.places import Place, SqlitePlace
from tilth.domain.actor import Actor, ActorKind
from tilth.domain.episode import EpisodeDraft
from tilth.domain.events import EpisodeRecorded
from tilth.domain.scope import DEFAULT_OWNER, Owner, Visibility
from tilth.ports import Appended, EpisodeFilter, Store

AGENT = Actor("agent", ActorKind.AGENT)


def a_draft(text: str = "the kettle is on", **changes: object) -> EpisodeDraft:
    return EpisodeDraft(text=text, **changes)  # type: ignore[arg-type] # fields by name


def append(
    store: Store, draft: EpisodeDraft, *, by: Actor = AGENT, owner: Owner = DEFAULT_OWNER
) -> Appended:
    """Record one episode in a transaction of its own."""
    return append_all(store, [draft], by=by, owner=owner)[0]


def append_all(
    store: Store,
    drafts: Sequence[EpisodeDraft],
    *,
    by: Actor = AGENT,
    owner: Owner = DEFAULT_OWNER,
) -> list[Appended]:
    """Record episodes in one transaction."""
    with store.begin() as tx:
        return [
            tx.append(
                EpisodeRecorded(draft), by=by, owner=owner, idempotency_key=draft.idempotency_key
            )
            for draft in drafts
        ]


def texts(store: Store, within: Visibility | None = None) -> list[str]:
    """Return what was said, in order."""
    with store.read() as view:
        which = EpisodeFilter(within=within or Visibility())
        return [episode.text for episode in view.episodes.select(which, limit=10_000)]


@pytest.fixture
def make_draft() -> Callable[..., EpisodeDraft]:
    return a_draft


@pytest.fixture(params=["sqlite"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    """An empty store on every engine in turn: what takes this is part of the contract."""
    made = SqlitePlace(tmp_path)
    made.create()
    return made


@pytest.fixture
def store(place: Place) -> Iterator[Store]:
    """The store at `place`, opened."""
    opened = place.open()
    yield opened
    opened.close()


@pytest.fixture
def brain(store: Store, place: Place) -> object:
    """A brain on `store`, with a model of a few lines and a clock that obeys."""
    from tests.brains import a_brain  # noqa: PLC0415 - most tests need only a store

    return a_brain(store, place.clock)
