"""Actors: who acts. The kind comes from the authenticated caller, never from a payload."""

from enum import StrEnum

from tilth.core.dataclass import dataclass
from tilth.core.errors import ForbiddenError, InvalidInputError

NAME_CHARS_MAX = 100


class ActorKind(StrEnum):
    """The kinds of actor, from least to most trusted."""

    ANONYMOUS = "anonymous"
    IMPORT = "import"
    AGENT = "agent"
    JOB = "job"
    HUMAN = "human"


@dataclass(frozen=True, slots=True)
class Actor:
    """Whoever asks for a change."""

    name: str
    kind: ActorKind

    def __post_init__(self) -> None:
        if type(self.name) is not str:
            raise InvalidInputError(f"an actor's name is a string, not {self.name!r:.60}")
        if not self.name or len(self.name) > NAME_CHARS_MAX or not self.name.isprintable():
            raise InvalidInputError(
                f"an actor's name has 1 to {NAME_CHARS_MAX} printable characters, not {self.name!r}"
            )

    @property
    def is_human(self) -> bool:
        """Whether it was authenticated by a credential that agents never hold."""
        return self.kind is ActorKind.HUMAN


def Human(name: str) -> Actor:  # noqa: N802 - it reads as what it makes
    """
    Return a person, for whom the calling program vouches.

    A program that knows who is there, because they signed in or sit at its terminal,
    says so with `tilth.connect(..., actor=tilth.Human("ana"))`. What a human writes
    outranks what agents write, so no agent may choose the actor.

    Args:
        name: Who it is, 1 to 100 printable characters.

    Returns:
        The actor, of the kind `human`.

    Raises:
        InvalidInputError: the name is empty, too long or not printable.
    """
    return Actor(name, ActorKind.HUMAN)


# The actor of imports. Hosts tell hooks what agents say, which proves nothing of who was there; so
# whatever a source claims, its content is an import (I22).
IMPORTER = Actor("importer", ActorKind.IMPORT)
# The actor that records fetched pages.
FETCHER = Actor("fetcher", ActorKind.IMPORT)
HOOKS = Actor("hooks", ActorKind.AGENT)
DISTILLER = Actor("distil", ActorKind.JOB)
# The actor of the garden; no agent is shown what it finds before a human confirms it.
GARDENER = Actor("garden", ActorKind.JOB)


class CameBy(StrEnum):
    """
    How a record reached the store: decided by its way in, never by its text.

    What a person typed is `CAPTURED` or `TOLD`. `IMPORTED` or `PASSED` records say that others say
    that a person said something: testimony, without authority. `FETCHED` is what somebody
    published, at an address that Tilth read itself.
    """

    CAPTURED = "captured"  # a host's hook reported it as it happened
    TOLD = "told"  # a person wrote it, at a terminal or through a program that vouches for them
    IMPORTED = "imported"  # a file that some program wrote contained it
    FETCHED = "fetched"  # a page or feed that Tilth read contained it
    PASSED = "passed"  # an agent or a program handed it over, in whatever role


def came_by(recorder: Actor) -> CameBy:
    """Return how a record by *recorder* reached the store."""
    if recorder == HOOKS:
        return CameBy.CAPTURED
    if recorder == FETCHER:
        return CameBy.FETCHED
    if recorder.kind is ActorKind.IMPORT:
        return CameBy.IMPORTED
    return CameBy.TOLD if recorder.is_human else CameBy.PASSED


def require_human(actor: Actor, verb: str) -> None:
    """
    Refuse *verb* to whoever is not a human.

    Raises:
        ForbiddenError: *actor* is an agent, a job, an import or anonymous.
    """
    if not actor.is_human:
        raise ForbiddenError(
            f"only a human may {verb}, and {actor.name} is {actor.kind.value}",
            hint="let a person do it, at a terminal that no agent started",
        )


def require_known(actor: Actor, verb: str) -> None:
    """
    Refuse *verb* to an anonymous actor, who may add records and change nothing.

    Raises:
        ForbiddenError: *actor* is anonymous.
    """
    if actor.kind is ActorKind.ANONYMOUS:
        raise ForbiddenError(f"nobody knows who {actor.name} is, so it may not {verb}")
