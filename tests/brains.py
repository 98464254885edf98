"""A brain whose every part obeys."""

from tests.fakes import HashingEmbedder
from tilth.app import Brain, Parts
from tilth.domain.actor import Actor, ActorKind
from tilth.domain.scope import DEFAULT_OWNER
from tilth.files.importer import FileImporter
from tilth.ports import Clock, Store
from tilth.settings import Settings
from tilth.usecases.remember import Recorder


def a_brain(store: Store, clock: Clock) -> Brain:
    return Brain(
        Parts(
            store=store,
            clock=clock,
            first=HashingEmbedder(),
            second=None,
            importer=FileImporter(),
            settings=Settings(),
            recorder=Recorder(by=Actor("agent", ActorKind.AGENT), owner=DEFAULT_OWNER),
        )
    )
