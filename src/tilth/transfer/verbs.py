"""How facts of other stores are brought in, and made current."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Annotated, Unpack

from tilth.core.actor import IMPORTER
from tilth.core.ids import FactId
from tilth.core.verb import ANYONE, Arg, verb
from tilth.episodes.context import Context, Narrowed
from tilth.knowledge.facts.fact import Fact
from tilth.knowledge.facts.query import Asking, parse_asking
from tilth.knowledge.facts.verbs import Needs
from tilth.transfer import legacy_import
from tilth.transfer.importing import Row
from tilth.transfer.legacy_import import LegacyReport, Promoted


@verb("", python="facts.import_rows", roles=ANYONE)
def import_rows(
    brain: Needs,
    rows: Annotated[Iterable[Row], Arg("what another store told")],
    *,
    is_dry_run: Annotated[bool, Arg("count, and write nothing")],
) -> LegacyReport:
    """
    Import the facts of another store.

    They are historical and unreviewed until a human promotes them.

    Returns:
        How many are new, how many were known, and which were skipped and why.
    """
    recorder = replace(brain.recorder, by=IMPORTER)
    writing = replace(brain.writing, recorder=recorder)
    return legacy_import.import_facts(brain.store, rows, writing, is_dry_run=is_dry_run)


@verb("", python="facts.promotable", roles=ANYONE)
def promotable(
    brain: Context, *, scope: Narrowed = None, **asking: Unpack[Asking]
) -> Sequence[Fact]:
    """
    List the imported facts that may be made current.

    Returns:
        Historical facts that nobody reviewed.
    """
    return legacy_import.promotable(brain.store, parse_asking(asking, brain.within(scope)))


@verb("", python="facts.promote_many", roles=ANYONE)
def promote_many(
    brain: Needs,
    fact_ids: Annotated[
        Collection[FactId], Arg("historical facts", id=FactId.prefix, parse=FactId.parse)
    ],
) -> Promoted:
    """
    Make imported facts current, one decision each.

    Returns:
        Those that are current now, those that wait since something would end, and those
        that were refused.

    Raises:
        ForbiddenError: the caller is not a human.
    """
    return legacy_import.promote_facts(brain.store, list(fact_ids), brain.writing)
