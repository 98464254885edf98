"""
Summarise a stretch of a conversation: by its own sentences, or by a model.

A model is asked outside of any transaction. Its answer is checked (`tilth.llm.client`), and if it
is not complete, the sentences that code chose are used.
"""

import textwrap
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from tilth.core.dataclass import dataclass
from tilth.core.errors import LimitExceededError
from tilth.core.ids import ConversationId
from tilth.core.scope import Visibility
from tilth.episodes.episode import Direction, Episode
from tilth.ledger.snapshot import Snapshot
from tilth.llm.answers import Answer, SummaryDraft, ToneDraft
from tilth.llm.client import ModelClient, Question, Reason, Refusal, Thought, think
from tilth.people.conversation import PENDING_MAX, DigestDraft, Summary, SummaryId
from tilth.people.conversation_tables import Conversations
from tilth.people.extractive_summary import (
    SENTENCE_CHARS_MAX,
    Line,
    pending_in,
    summarise,
    tone_of,
    weigh_sentences,
)
from tilth.privacy.redaction import scrub
from tilth.recall.packing import token_estimate

SUMMARY_TOKENS = 2000
# The most messages of one summary; a longer stretch gets several.
STRETCH_MESSAGES = 2000

_A = TypeVar("_A", bound=Answer)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """
    Consecutive messages of a conversation that get one summary.

    `carried` is the summary before them, whose open points remain open. `supersedes` is the
    summary that the new one supersedes.
    """

    conversation_id: ConversationId
    said: tuple[Episode, ...]
    carried: Summary | None
    supersedes: SummaryId | None

    @property
    def is_all(self) -> bool:
        """Whether no message is left for another summary."""
        return len(self.said) < STRETCH_MESSAGES

    def begins(self, other: "Stretch") -> bool:
        """Say whether *other* begins with this stretch."""
        same = (self.carried, self.supersedes) == (other.carried, other.supersedes)
        return same and other.said[: len(self.said)] == self.said


def stretch_in(
    view: Snapshot, conversation_id: ConversationId, within: Visibility, *, is_forced: bool
) -> Stretch | None:
    """
    Return the messages since the last summary or, if forced, the last stretch again.

    Returns:
        None if there is nothing to summarise.

    Raises:
        NotFoundError: no such conversation is visible.
    """
    summaries = Conversations(view).summaries(conversation_id, within)
    before = summaries[-1] if summaries else None
    end = 0 if before is None else before.last_seq
    carried = before
    said = Conversations(view).messages(conversation_id, within, after=end, limit=STRETCH_MESSAGES)
    if not said and is_forced and before is not None:
        # The same stretch again, after the same earlier summary.
        said = Conversations(view).messages(conversation_id, within, after=before.first_seq - 1)
        carried = summaries[-2] if len(summaries) > 1 else None
    if not said:
        return None
    supersedes = before.id if before else None
    return Stretch(
        conversation_id=conversation_id, said=tuple(said), carried=carried, supersedes=supersedes
    )


def plain_digest(stretch: Stretch) -> DigestDraft:
    """Return a summary made without a model."""
    said, carried = stretch.said, stretch.carried
    lines = _lines(said)
    return DigestDraft(
        conversation_id=stretch.conversation_id,
        first=said[0].id,
        last=said[-1].id,
        count=len(said),
        text=summarise(weigh_sentences(said), SUMMARY_TOKENS),
        tone=plain_tone(said),
        pending=pending_in(carried.draft.pending if carried else (), lines),
        supersedes=stretch.supersedes,
    )


def digest(thinker: ModelClient, stretch: Stretch) -> DigestDraft:
    """Return a summary in a model's words, if they pass the checks."""
    plain = plain_digest(stretch)
    draft = replace(plain, tone=tone(thinker, stretch.said))
    thought = ask(thinker, SummaryDraft, stretch.said)
    if isinstance(thought, Refusal) or not _is_valid(thought.answer):
        return draft
    asked = (
        textwrap.shorten(scrub(one).text, SENTENCE_CHARS_MAX)
        for one in thought.answer.open_questions
    )
    # Open points that code found are kept, whatever the model says.
    pending = list(dict.fromkeys([*filter(None, asked), *plain.pending]))
    return replace(
        draft,
        text=scrub(thought.answer.summary).text,
        pending=tuple(pending[-PENDING_MAX:]),
        model=thought.model,
    )


def tone(thinker: ModelClient, said: Sequence[Episode]) -> ToneDraft:
    """Return how the other side speaks, by a model or by the words alone."""
    thought = ask(thinker, ToneDraft, _inbound(said))
    return plain_tone(said) if isinstance(thought, Refusal) else thought.answer


def plain_tone(said: Sequence[Episode]) -> ToneDraft:
    """Return how the other side speaks, by the words alone."""
    return tone_of(_lines(_inbound(said)))


def ask(thinker: ModelClient, kind: type[_A], said: Sequence[Episode]) -> Thought[_A] | Refusal:
    """Return a model's answer about messages of one conversation; too many at once are refused."""
    try:
        return think(thinker, kind, Question(episodes=said, scope=said[0].scope))
    except LimitExceededError as error:
        return Refusal(Reason.REFUSED, str(error))


def _is_valid(told: SummaryDraft) -> bool:
    """Say whether a summary has content and evidence, and is within the budget."""
    return bool(told.summary.strip() and told.quotes) and (
        token_estimate(told.summary) <= SUMMARY_TOKENS
    )


def _inbound(said: Sequence[Episode]) -> Sequence[Episode]:
    return [one for one in said if one.direction is Direction.INBOUND] or said


def _lines(said: Sequence[Episode]) -> list[Line]:
    return [Line(one.speaker or one.role.value, one.text) for one in said]
