"""Record a verdict on a recalled record."""

import logging
from dataclasses import replace

from tilth.context.events import FeedbackGiven
from tilth.context.tables import Contexts
from tilth.core.errors import InvalidInputError, parse_word
from tilth.core.ids import EpisodeId, FactId
from tilth.core.scope import Scope, Visibility
from tilth.episodes.remember import WriteContext, scrubbed_id
from tilth.episodes.tables import Episodes
from tilth.knowledge.facts.tables import Facts
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Store
from tilth.recall.feedback import Feedback, Verdict

logger = logging.getLogger(__name__)


def give_feedback(
    store: Store, feedback: Feedback, within: Visibility, *, recorder: WriteContext
) -> None:
    """
    Record a verdict on a visible episode or fact.

    A verdict moves its target in later rankings, within bounds; it changes no fact, label or
    proposal. An actor has one vote on a target in a session: the last one counts.

    Raises:
        NotFoundError: the target or the receipt does not exist or is not visible.
        InvalidInputError: the target is of a kind that takes no votes.
    """
    with store.begin() as tx:
        scope = _scope_of(tx, feedback.target, within)
        if feedback.receipt_id is not None:
            Contexts(tx).receipt(feedback.receipt_id, within)
        where = scrubbed_id(feedback.session_id)
        event = FeedbackGiven(replace(feedback, scope=scope, session_id=where))
        tx.append(event, by=recorder.by, owner=recorder.owner)
    logger.info("feedback given: target=%s verdict=%s", feedback.target, feedback.verdict)


def parse_verdict(word: str) -> Verdict:
    """
    Read a verdict.

    Raises:
        InvalidInputError: *word* is not a verdict.
    """
    return parse_word(Verdict, word.replace("-", "_"), "verdict")


def _scope_of(view: Snapshot, target: str, within: Visibility) -> Scope:
    if target.startswith(EpisodeId.prefix):
        return Episodes(view).get(EpisodeId(target), within).scope
    if target.startswith(FactId.prefix):
        return Facts(view).get(FactId(target), within).life.scope
    raise InvalidInputError(
        f"{target[:40]!r} is nothing that is voted on", hint="give the id of an episode or a fact"
    )
