"""
State what a new version of a document states, and end what only its earlier version stated.

Nothing is erased: episodes stay, and facts and edges are retired. If a fact is current or a human
vouches for it, a human is asked.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import field

from tilth.core.dataclass import dataclass
from tilth.core.errors import (
    ConflictError,
    ErasedError,
    ForbiddenError,
    InvalidInputError,
    NotFoundError,
)
from tilth.core.ids import EdgeId, FactId
from tilth.core.scope import Visibility
from tilth.episodes.episode import EpisodeDraft, EpisodeKind
from tilth.episodes.events import Content
from tilth.episodes.remember import WriteContext, scrubbed_id
from tilth.episodes.tables import Episodes
from tilth.knowledge.facts.tables import Facts
from tilth.knowledge.graph.edges import Edges
from tilth.knowledge.graph.events import EdgeRetired
from tilth.ledger.store import Transaction
from tilth.transfer.import_rows import RowImporter, end_in
from tilth.transfer.model import Row, Skipped, Source
from tilth.transfer.reading.conversation import session_id_of
from tilth.transfer.renamed_documents import DOCUMENTS
from tilth.transfer.tables import told_by

# Errors of one row, after which the others are read.
_REFUSED = (InvalidInputError, ForbiddenError, ConflictError, NotFoundError)


@dataclass(frozen=True, slots=True)
class Reading:
    """The pieces of a document that were read; `document` is its session, empty for no document."""

    document: str
    contents: list[Content] = field(default_factory=list)

    def note(self, tx: Transaction, drafts: Sequence[EpisodeDraft], recorder: WriteContext) -> None:
        """Note the pieces of the document, which were recorded now or before."""
        if not self.document:
            return
        keys = [one.idempotency_key for one in drafts if one.kind is EpisodeKind.DOCUMENT]
        places = tx.by_key(recorder.owner, [key for key in keys if key is not None])
        pieces = Episodes(tx).at(list(places.values()), Visibility(recorder.owner))
        ids = {piece.seq: piece.id for piece in pieces}
        for draft in drafts:
            # An erased piece is no part of it any more.
            id_ = ids.get(places.get(draft.idempotency_key or "", 0))
            line = draft.metadata.get("line")
            if id_ is not None:
                self.contents.append(Content(id_, line if isinstance(line, int) else 1))


def reading_of(source: Source) -> Reading:
    """Return an empty reading of *source*."""
    if source.format not in DOCUMENTS:
        return Reading("")
    session_id = session_id_of(source.format, (source.key or source.uri).removesuffix(".gz"))
    return Reading(scrubbed_id(session_id) or session_id)


def restate(
    tx: Transaction, reading: Reading, rows: Iterable[Row], taker: RowImporter
) -> Iterator[str | Skipped]:
    """
    State the rows of a document, and end what it states no more.

    Yields:
        The ID of each fact and edge that it states, and the rows that were refused.
    """
    owner = taker.writing.recorder.owner
    before = told_by(tx, owner, reading.document) if reading.document else {}
    now: dict[str, None] = {}
    is_whole = True
    for row in rows:
        try:
            if isinstance(row, Skipped):
                is_whole = False
                yield row
            elif id_ := taker.take(tx, row).id:
                now[id_] = None
        except _REFUSED as error:
            is_whole = False
            yield Skipped(row.where, str(error))
    gone = {id_: others for id_, others in before.items() if id_ not in now}
    if not is_whole:
        # A document that was not read completely takes nothing back.
        now |= dict.fromkeys(gone)
    else:
        for id_ in (one for one, others in gone.items() if not others):
            _end(tx, id_, reading.document, taker.writing.recorder)
    yield from now


def _end(tx: Transaction, id_: str, document: str, recorder: WriteContext) -> None:
    """End a fact or an edge that only one document stated, unless somebody else vouches for it."""
    within, why = Visibility(recorder.owner), f"{document} does not say so any more"
    # Nothing to do if somebody ended, erased or decided it meanwhile.
    with suppress(NotFoundError, ErasedError, ForbiddenError):
        if id_.startswith(EdgeId.prefix):
            if Edges(tx).get(EdgeId.parse(id_), within).by == recorder.by:
                event = EdgeRetired(edge_id=EdgeId.parse(id_), reason=why)
                tx.append(event, by=recorder.by, owner=recorder.owner)
        else:
            end_in(tx, Facts(tx).get(FactId.parse(id_), within), why, recorder)
