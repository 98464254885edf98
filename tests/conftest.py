"""Fixtures that every kind of test may use."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.fakes import HashingEmbedder
from tests.places import Place, SqlitePlace
from tilth.app import Brain, Parts
from tilth.domain.actor import Actor, ActorKind
from tilth.domain.episode import EpisodeDraft
from tilth.domain.scope import DEFAULT_OWNER
from tilth.ports import Store
from tilth.settings import Settings
from tilth.usecases.remember import Recorder

AGENT = Actor("agent", ActorKind.AGENT)


def a_draft(text: str = "the kettle is on", **changes: object) -> EpisodeDraft:
    return EpisodeDraft(text=text, **changes)  # type: ignore[arg-type] # fields by name


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
def brain(store: Store, place: Place) -> Brain:
    """A brain on `store`, with a model of a few lines and a clock that obeys."""
    from tilth.files.importer import FileImporter  # noqa: PLC0415 - only a brain needs it

    return Brain(
        Parts(
            store=store,
            clock=place.clock,
            first=HashingEmbedder(),
            second=None,
            importer=FileImporter(),
            settings=Settings(),
            recorder=Recorder(by=AGENT, owner=DEFAULT_OWNER),
        )
    )
