"""Taking everything elsewhere, and how facts of other stores are brought in and made current."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from typing import Annotated, Protocol, Unpack

from tilth.core.actor import IMPORTER, ActorKind, require_human
from tilth.core.errors import InvalidInputError
from tilth.core.ids import FactId
from tilth.core.lifecycle import Lifecycle, Review
from tilth.core.outside.paths import whole_path
from tilth.core.verb import ANYONE, Arg, Section, verb
from tilth.episodes.context import Context, Narrowed
from tilth.knowledge.facts.fact import Fact
from tilth.knowledge.facts.query import FactQuery, parse_asking
from tilth.knowledge.facts.tables import Facts
from tilth.knowledge.facts.verbs import Needs as FactNeeds
from tilth.transfer import views
from tilth.transfer.export import ExportContext, Exported, export
from tilth.transfer.exporting import Exporting
from tilth.transfer.importing import Row
from tilth.transfer.legacy.stating import (
    PROMOTED_MAX,
    LegacyReport,
    Promoted,
    import_facts,
    promote_facts,
)

_HISTORICAL = frozenset({Lifecycle.HISTORICAL})
_UNREVIEWED = frozenset({Review.UNREVIEWED})


@verb("", python="facts.import_rows", roles=ANYONE)
def import_rows(
    brain: FactNeeds,
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
    return import_facts(brain.store, rows, writing, brain.excluded, is_dry_run=is_dry_run)


@verb("", python="facts.promotable", roles=ANYONE)
def promotable(
    brain: Context, *, scope: Narrowed = None, **asking: Unpack[FactQuery]
) -> Sequence[Fact]:
    """
    List the imported facts that may be made current.

    Returns:
        Historical facts that nobody reviewed.
    """
    asked = replace(
        parse_asking(brain.store, asking, brain.within(scope)),
        lifecycles=_HISTORICAL,
        reviews=_UNREVIEWED,
    )
    with brain.store.read() as view:
        found = Facts(view).select(asked, limit=PROMOTED_MAX)
    return [
        fact for fact in found if fact.by.kind is ActorKind.IMPORT and fact.life.valid_to is None
    ]


@verb("", python="facts.promote_many", roles=ANYONE)
def promote_many(
    brain: FactNeeds,
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
    return promote_facts(brain.store, list(fact_ids), brain.writing)


class Needs(Context, Protocol):
    """What an export needs of a brain besides what every verb needs."""

    @property
    def scribe(self) -> ExportContext:
        """What writes exports."""


@verb(
    "export",
    python="export",
    roles=ANYONE,
    section=Section.LOOK_AFTER,
    view=views.exported,
    examples=(
        "tilth export everything.jsonl",
        "tilth export ledger.jsonl --whole",
        "tilth export shop.jsonl --scope project:work/shop --share",
    ),
)
def export_to(
    brain: Needs,
    path: Annotated[str, Arg("the file to make", metavar="FILE", parse=whole_path)],
    *,
    is_shared: Annotated[
        bool,
        Arg(
            "for others: mask mail, numbers, addresses, secrets and home folders",
            flags=("--share",),
        ),
    ] = False,
    is_whole: Annotated[
        bool, Arg("the ledger itself, of which `tilth load` makes a store", flags=("--whole",))
    ] = False,
    is_forced: Annotated[bool, Arg("replace a file that is there", flags=("--force",))] = False,
    scope: Narrowed = None,
    progress: Annotated[
        Callable[[int], None], Arg("told how many rows are done", progress="exporting")
    ] = lambda _done: None,
) -> Exported:
    """
    Write everything that you may see into one file.

    The file holds JSON lines in the order of recording: episodes, facts with their
    history, entities, edges, people, conversations and summaries. It is written
    whole or not at all, and only you may read it. With `--whole` it holds the ledger
    word for word, whoever owns what, which only a person may have.

    Returns:
        The path, the last event in it, and the rows of each kind.

    Raises:
        ConflictError: there is a file at the path, and it is not to be replaced.
        ForbiddenError: the whole ledger is for a human alone.
        InvalidInputError: the whole ledger is neither narrowed nor masked.
    """
    if is_whole:
        require_human(brain.by, "export the whole ledger")
        if is_shared or scope is not None:
            raise InvalidInputError("the whole ledger is neither narrowed nor masked")
    told = Exporting(
        path=path,
        within=brain.within(scope),
        is_shared=is_shared,
        is_whole=is_whole,
        is_forced=is_forced,
    )
    scribe = brain.scribe.leaving_out(brain.excluded)
    return export(brain.store, scribe, told, progress=progress)
