"""
Facts of another store, and making them current.

What comes from elsewhere is historical and unreviewed, whatever it says of itself.
A human promotes it: one proposal and one decision each, however many at once.
"""

import logging
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import field
from functools import partial

from tilth.core.actor import require_human
from tilth.core.dataclass import dataclass
from tilth.core.errors import (
    ConflictError,
    ForbiddenError,
    InvalidInputError,
    NotFoundError,
    TilthError,
)
from tilth.core.ids import FactId, ProposalId
from tilth.core.scope import Visibility
from tilth.knowledge.facts.fact_lifecycle import promote_fact
from tilth.knowledge.facts.write.write_fact import Writing
from tilth.knowledge.proposals.proposal import Action, Answer, ProposalState
from tilth.ledger.store import Store
from tilth.privacy.exclusion import Exclusion
from tilth.review.decide import decide_proposal
from tilth.review.queue import show_proposal
from tilth.transfer.import_rows import Known, RowImporter, Taken
from tilth.transfer.importing import Row, Skipped

logger = logging.getLogger(__name__)

PROMOTED_MAX = 1000


@dataclass(slots=True)
class LegacyReport:
    """What became of the rows of another store."""

    is_dry_run: bool
    new_count: int = 0
    known_count: int = 0
    skipped: list[Skipped] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Promoted:
    """What became of many: confirmed, left in the queue because something would end, refused."""

    confirmed: tuple[ProposalId, ...]
    waiting: tuple[ProposalId, ...]
    refused: tuple[tuple[FactId, str], ...]


class _Pretended(Exception):  # noqa: N818 - nothing went wrong
    """Rolls back what was only done to be counted."""


def import_facts(
    store: Store, rows: Iterable[Row], writing: Writing, excluded: Exclusion, *, is_dry_run: bool
) -> LegacyReport:
    """
    State what another store knows, as an import; what was stated before adds nothing.

    A row that cannot be read or stated is skipped with its place. With *is_dry_run* the
    report is that of a real run, and nothing is written.
    """
    report, taker = LegacyReport(is_dry_run), RowImporter(store.store_id, writing, excluded)
    if is_dry_run:
        with suppress(_Pretended), store.begin() as tx:
            for row in rows:
                _try(report, row, partial(taker.take, tx))
            raise _Pretended
    else:
        for row in rows:
            _try(report, row, partial(_take, store, taker))
    logger.info("facts imported: new=%d known=%d", report.new_count, report.known_count)
    return report


def promote_facts(store: Store, fact_ids: Sequence[FactId], writing: Writing) -> Promoted:
    """
    Propose and confirm historical facts, one decision each; those in whose place others stand wait.

    It can be broken off and repeated at will: what is done is promotable no more.

    Raises:
        ForbiddenError: the caller is not a human.
    """
    require_human(writing.recorder.by, "promote facts")
    confirmed: list[ProposalId] = []
    waiting: list[ProposalId] = []
    refused: list[tuple[FactId, str]] = []
    for fact_id in fact_ids:
        try:
            proposal_id, is_confirmed = _promoted(store, fact_id, writing)
        except TilthError as error:
            refused.append((fact_id, str(error)))
        else:
            (confirmed if is_confirmed else waiting).append(proposal_id)
    logger.info("facts promoted: confirmed=%d waiting=%d", len(confirmed), len(waiting))
    return Promoted(tuple(confirmed), tuple(waiting), tuple(refused))


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


def _take(store: Store, taker: RowImporter, row: Known) -> Taken:
    with store.begin() as tx:
        return taker.take(tx, row)


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
