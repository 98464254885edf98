"""The verbs that erase for privacy, which only a human may use."""

from collections.abc import Sequence
from typing import Annotated, Protocol, Unpack

from tilth.core.verb import ANYONE, HUMANS, Arg, verb
from tilth.episodes.context import Context
from tilth.erasure import erase
from tilth.erasure.erase import Certificate, ErasePlan, Eraser, Finished, SurroundingFiles
from tilth.erasure.erase_request import Erasing
from tilth.transfer.export import ExportContext


class Needs(Context, Protocol):
    """What erasing needs of a brain besides what every verb needs."""

    @property
    def surrounding_files(self) -> SurroundingFiles:
        """The files around the store."""

    @property
    def export_context(self) -> ExportContext:
        """The writer of exports."""


@verb("", python="erase.plan", roles=HUMANS)
def plan(
    brain: Needs,
    *,
    besides: Annotated[
        bool, Arg("whether to count what else holds a name or an address of it, which reads all")
    ] = True,
    **told: Unpack[Erasing],
) -> ErasePlan:
    """
    Show what an erase would destroy. Nothing changes.

    Exactly one of `entity`, `episodes`, `session` and `facts` names it.

    Returns:
        What would go, counted and by ID, and the digest that confirms it.

    Raises:
        InvalidInputError: none or several of the four are given.
        NotFoundError: there is no such thing, and never was.
        ConflictError: several entities have that name.
    """
    return erase.plan_erase(eraser_of(brain), told, besides=besides)


@verb("", python="erase.confirm", roles=HUMANS)
def confirm(
    brain: Needs,
    digest: Annotated[str, Arg("the digest of the plan")],
    *,
    terms: Annotated[
        Sequence[str], Arg("what to look for in every file besides the erased words")
    ] = (),
    **told: Unpack[Erasing],
) -> Certificate:
    """
    Destroy what a plan showed, for good, and certify it.

    Returns:
        The certificate: who erased what, where its words were searched for, and what is out of
        reach.

    Raises:
        ConflictError: the erase would destroy something else than the plan showed.
        NotFoundError: there is no such thing, and never was.
    """
    return erase.erase(eraser_of(brain), told, digest, terms=terms)


@verb("", python="erase.finish", roles=ANYONE)
def finish(brain: Needs) -> Finished:
    """
    Finish an erase that was interrupted.

    Returns:
        How many erasures were due, and whether the store's files are clean.
    """
    return erase.finish(eraser_of(brain))


def eraser_of(brain: Needs) -> Eraser:
    """Return what an erase of a brain needs."""
    return Eraser(
        store=brain.store,
        surrounding_files=brain.surrounding_files,
        export_context=brain.export_context.leaving_out(brain.excluded),
        recorder=brain.recorder,
        clock=brain.clock,
    )
