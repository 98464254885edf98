"""
Keeping and reading the receipts of what agents were shown.

A receipt names what was shown and repeats none of it, so it holds nothing that
would have to be erased apart from its sources, and counts as evidence of nothing.
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
    One thing that was shown: in which block, what it says now, and what came of it.

    `named_by` are those who named its ID in that session later; `ignored_because` says why nothing
    came of it, as far as that can be seen, and nothing where something did.
    """

    block: str
    source: str
    said: Episode | Fact | None
    votes: Sequence[Vote]
    named_by: Sequence[EpisodeId] = ()
    ignored_because: str = ""

    @property
    def is_ignored(self) -> bool:
        """Whether nothing came of it, as far as anybody said or named it."""
        return bool(self.ignored_because)

    @property
    def text(self) -> str:
        """What it says now; nothing if it is gone, or is no text."""
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
    A turn as it was: what was asked, what was shown for it, and what came of that.

    `asked` is where the question stands in the session; None where nobody
    asked, or a tool did, whose words are kept as a digest alone.
    """

    receipt: ContextReceipt
    asked: Episode | None
    shown: Sequence[Shown]


def trace(store: Store, receipt_id: ReceiptId, within: Visibility) -> Trace:
    """
    Return a receipt with what was asked, and each thing that it names as it stands now (XR-02).

    What nobody voted on or named afterwards was ignored, as far as anybody said;
    what is gone is named without its words.

    Raises:
        NotFoundError: there is no such receipt that may be seen.
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
                    # A document is named by its slug, and nobody votes on one.
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
    """Return what was shown with what came of it in what was said *later*, or why nothing did."""
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
    """Return what was spoken in the session of a context, the newest first."""
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
