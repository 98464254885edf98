"""
Read and keep receipts of what agents were shown.

A receipt names records and repeats none of their words. So it holds nothing that an erase of those
records would have to reach, and it counts as evidence of nothing.
"""

import logging
from collections.abc import Sequence
from dataclasses import replace

from tilth.context.context import Context, ContextReceipt, words_digest
from tilth.context.tables import Contexts
from tilth.core.calls.paging import PAGE_MAX
from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError, NotFoundError
from tilth.core.ids import EpisodeId, FactId, ReceiptId
from tilth.core.lifecycle import Lifecycle
from tilth.core.scope import Visibility
from tilth.episodes.episode import Episode, EpisodeKind
from tilth.episodes.filters import EpisodeFilter
from tilth.episodes.tables import Episodes
from tilth.knowledge.facts.fact import Fact
from tilth.knowledge.facts.tables import Facts
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Store
from tilth.recall.feedback import Vote, Votes

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """
    One item of a receipt, as the record stands now, with the feedback on it.

    `named_by` are the actors who named its ID later in that session. `ignored_because` says why it
    had no effect, as far as the record shows; it is empty where it had one.
    """

    block: str
    source: str
    said: Episode | Fact | None
    votes: Sequence[Vote]
    named_by: Sequence[EpisodeId] = ()
    ignored_because: str = ""

    @property
    def is_ignored(self) -> bool:
        """Whether nobody voted on it or named it."""
        return bool(self.ignored_because)

    @property
    def text(self) -> str:
        """Its present text; empty if the record is gone or has no text."""
        match self.said:
            case Episode(text=text):
                return text
            case Fact(said=statement):
                return statement.text
            case _:
                return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """
    A past turn: the question, what was shown for it, and the feedback on that.

    `asked` is the episode of the question; None where nobody asked, or where a tool did, of whose
    words only a digest is kept.
    """

    receipt: ContextReceipt
    asked: Episode | None
    shown: Sequence[Shown]


def trace(store: Store, receipt_id: ReceiptId, within: Visibility) -> Trace:
    """
    Return a receipt with its question and each of its items as it stands now (XR-02).

    Items without a vote or a later mention count as ignored. Items that were erased are named
    without text.

    Raises:
        NotFoundError: no such receipt exists or is visible.
    """
    with store.read() as view:
        receipt = Contexts(view).receipt(receipt_id, within)
        spoken = _spoken(view, receipt.context, within)
        later = [one for one in spoken if one.recorded_at >= receipt.at]
        said = {source: _said(view, source, within) for _, source in receipt.context.items}
        votes = Votes(view)
        shown = [
            _shown(
                Shown(
                    block=block,
                    source=source,
                    said=said[source],
                    # A document is named by its slug, and takes no votes.
                    votes=votes.on(source) if said[source] else (),
                ),
                later,
            )
            for block, source in receipt.context.items
        ]
    asked = receipt.context.asked
    question = next((one for one in spoken if asked and words_digest(one.text) == asked), None)
    return Trace(receipt=receipt, asked=question, shown=shown)


def _shown(one: Shown, later: Sequence[Episode]) -> Shown:
    """Return an item with who named it in *later* episodes, or else why it was ignored."""
    named_by = tuple(said.id for said in later if one.source in said.text)
    match one.said:
        case _ if named_by or one.votes:
            why = ""
        case _ if not later:
            why = "nothing was said in the session afterwards"
        case Fact(life=life) if life.lifecycle is not Lifecycle.CURRENT:
            why = f"it is {life.lifecycle} by now"
        case _:
            why = "nothing that was said afterwards names it"
    return replace(one, named_by=named_by, ignored_because=why)


def _spoken(view: Snapshot, context: Context, within: Visibility) -> list[Episode]:
    """Return the messages of the context's session, newest first."""
    if context.session_id is None:
        return []
    which = EpisodeFilter(
        within=within, session_id=context.session_id, kinds=frozenset({EpisodeKind.MESSAGE})
    )
    return Episodes(view).select(which, limit=PAGE_MAX, newest_first=True)


def _said(view: Snapshot, source: str, within: Visibility) -> Episode | Fact | None:
    try:
        if source.startswith(FactId.prefix):
            return Facts(view).get(FactId.parse(source), within)
        return Episodes(view).get(EpisodeId(source), within)
    except (NotFoundError, InvalidInputError):
        return None
