"""The verbs on exports, imports, and facts of other stores."""

import logging
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Annotated, Protocol, Unpack

from tilth.core.actor import IMPORTER, ActorKind, require_human
from tilth.core.errors import (
    ConflictError,
    ForbiddenError,
    InvalidInputError,
    NotFoundError,
    TilthError,
)
from tilth.core.ids import FactId, ProposalId
from tilth.core.io.paths import whole_path
from tilth.core.lifecycle import Lifecycle, Review
from tilth.core.scope import Visibility
from tilth.core.verb import ANYONE, Arg, Section, verb
from tilth.episodes.context import Context, Narrowed
from tilth.knowledge.facts.fact import Fact
from tilth.knowledge.facts.fact_lifecycle import promote_fact
from tilth.knowledge.facts.query import FactQuery, parse_asking
from tilth.knowledge.facts.tables import Facts
from tilth.knowledge.facts.verbs import Needs as FactNeeds
from tilth.knowledge.facts.write.write_fact import Writing
from tilth.knowledge.proposals.proposal import Action, Answer, ProposalState
from tilth.ledger.store import Store
from tilth.review.decide import decide_proposal
from tilth.review.queue import show_proposal
from tilth.transfer import views
from tilth.transfer.export import ExportContext, Exported, export
from tilth.transfer.export_file import Exporting
from tilth.transfer.import_rows import Known, LegacyReport, Promoted, RowImporter, Taken
from tilth.transfer.model import Row, Skipped

logger = logging.getLogger(__name__)

_HISTORICAL = frozenset({Lifecycle.HISTORICAL})
_UNREVIEWED = frozenset({Review.UNREVIEWED})
PROMOTED_MAX = 1000


@verb("", python="facts.import_rows", roles=ANYONE)
def import_rows(
    brain: FactNeeds,
    rows: Annotated[Iterable[Row], Arg("what another store told")],
    *,
    is_dry_run: Annotated[bool, Arg("count only, and write nothing")],
) -> LegacyReport:
    """
    Import the facts of another store.

    They are historical and unreviewed until a human promotes them.

    Returns:
        How many are new, how many were known, and which were skipped and why.
    """
    recorder = replace(brain.recorder, by=IMPORTER)
    writing = replace(brain.writing, recorder=recorder)
    report = LegacyReport(is_dry_run)
    taker = RowImporter(brain.store.store_id, writing, brain.excluded)
    if is_dry_run:
        with suppress(_Pretended), brain.store.begin() as tx:
            for row in rows:
                _try(report, row, partial(taker.take, tx))
            raise _Pretended
    else:

        def take(row: Known) -> Taken:
            with brain.store.begin() as tx:
                return taker.take(tx, row)

        for row in rows:
            _try(report, row, take)
    logger.info("facts imported: new=%d known=%d", report.new_count, report.known_count)
    return report


def _try(report: LegacyReport, row: Row, take: Callable[[Known], Taken]) -> None:
    if isinstance(row, Skipped):
        report.skipped.append(row)
        return
    try:
        is_new = take(row).is_new
    except (InvalidInputError, ForbiddenError, ConflictError, NotFoundError) as error:
        report.skipped.append(Skipped(row.where, str(error)))
        return
    if is_new:
        report.new_count += 1
    else:
        report.known_count += 1


class _Pretended(Exception):  # noqa: N818 - nothing went wrong
    """Rolls back an import that was only counted."""


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
        The facts that are current now, those that wait because another would end, and those that
        were refused.

    Raises:
        ForbiddenError: the caller is not a human.
    """
    require_human(brain.writing.recorder.by, "promote facts")
    confirmed: list[ProposalId] = []
    waiting: list[ProposalId] = []
    refused: list[tuple[FactId, str]] = []
    for fact_id in fact_ids:
        try:
            proposal_id, is_confirmed = _promoted(brain.store, fact_id, brain.writing)
        except TilthError as error:
            refused.append((fact_id, str(error)))
        else:
            (confirmed if is_confirmed else waiting).append(proposal_id)
    logger.info("facts promoted: confirmed=%d waiting=%d", len(confirmed), len(waiting))
    return Promoted(tuple(confirmed), tuple(waiting), tuple(refused))


def _promoted(store: Store, fact_id: FactId, writing: Writing) -> tuple[ProposalId, bool]:
    recorder = writing.recorder
    asked = promote_fact(store, fact_id, recorder, reason="").proposal_id
    if asked is None:
        raise ConflictError(f"{fact_id} needs no promotion")
    seen = show_proposal(store, asked, Visibility(recorder.owner))
    if seen.retires or seen.proposal.state is not ProposalState.OPEN:
        return asked, False
    decide_proposal(store, asked, Answer(action=Action.CONFIRM, digest=seen.digest), writing)
    return asked, True


class Needs(Context, Protocol):
    """What an export needs of a brain besides what every verb needs."""

    @property
    def export_context(self) -> ExportContext:
        """The writer of exports."""


@verb(
    "export",
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

    The file holds JSON lines in the order of recording: episodes, facts with their history,
    entities, edges, people, conversations and summaries. It is written whole or not at all, and
    only you can read it. With `--whole` it holds the ledger word for word, of all owners; only a
    person may have that.

    Returns:
        The path, the last event in it, and the rows of each kind.

    Raises:
        ConflictError: a file exists at the path, and may not be replaced.
        ForbiddenError: only a human may export the whole ledger.
        InvalidInputError: the whole ledger can be neither narrowed nor masked.
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
    export_context = brain.export_context.leaving_out(brain.excluded)
    return export(brain.store, export_context, told, progress=progress)
