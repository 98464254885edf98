"""What verbs have in common: what they work with, and the arguments that many of them take."""

from typing import Annotated, Protocol, TypeAlias

from tilth.core.actor import Actor
from tilth.core.clock import Clock
from tilth.core.scope import Scope, Visibility, parse_scope
from tilth.core.verb import Arg
from tilth.episodes.remember import WriteContext
from tilth.ledger.store import Store
from tilth.privacy.exclusion import Exclusion


class Context(Protocol):
    """
    What every brain gives its verbs.

    A concept whose verbs need more extends it with that, in its `verbs.py`; the one
    class that has everything is `tilth.runtime.dependencies.Dependencies`.
    """

    @property
    def by(self) -> Actor:
        """Who asks."""

    @property
    def store(self) -> Store:
        """Where everything is."""

    @property
    def clock(self) -> Clock:
        """What time it is."""

    @property
    def recorder(self) -> WriteContext:
        """Who records, and for whom."""

    @property
    def excluded(self) -> Exclusion:
        """The terms of which nobody is told anything."""

    def setting(self, name: str) -> object:
        """Return the value in force of a setting."""

    def within(self, scope: str | None) -> Visibility:
        """Return what the owner sees from a scope; from everywhere, if None."""


Narrowed: TypeAlias = Annotated[str | None, Arg("only this scope and global", metavar="SCOPE")]
Place: TypeAlias = Annotated[
    Scope,
    Arg("where it belongs: global, project:KEY or domain:NAME", metavar="SCOPE", parse=parse_scope),
]
