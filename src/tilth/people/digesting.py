"""
What a stretch of a conversation comes to: by its own sentences, or by a model where one answers.

A model is asked outside any transaction. What it says is checked (`tilth.llm.client`), and what
is not a whole answer counts for nothing: the sentences chosen by code stand in its place.
"""

import textwrap
from collections.abc import Mapping, Sequence
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
from tilth.people.summary import (
    SENTENCE_CHARS_MAX,
    Line,
    pending_in,
    summarise,
    tone_of,
    weighed,
)
from tilth.privacy.redaction import scrub
from tilth.recall.packing import token_estimate

SUMMARY_TOKENS = 2000
# So many messages are summed up at once; what is longer comes to several summaries.
STRETCH_MESSAGES = 2000

_A = TypeVar("_A", bound=Answer)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """
    Messages of a conversation that are to be summarised.

    `carried` is the summary that they go on from: what is still to do there is still to do.
    `supersedes` is the one that theirs supersedes.
    """

    conversation_id: ConversationId
    said: tuple[Episode, ...]
    carried: Summary | None
    supersedes: SummaryId | None

    @property
    def is_all(self) -> bool:
        """Whether nothing was left for the next summary."""
        return len(self.said) < STRETCH_MESSAGES

    def begins(self, other: "Stretch") -> bool:
        """Say whether *other* is this stretch, or goes on from it."""
        same = (self.carried, self.supersedes) == (other.carried, other.supersedes)
        return same and other.said[: len(self.said)] == self.said


def stretch_in(
    view: Snapshot, conversation_id: ConversationId, within: Visibility, *, is_forced: bool
) -> Stretch | None:
    """
    Return what came since the last summary, or (forced) the last stretch again.

    Returns:
        None if there is nothing to summarise.

    Raises:
        NotFoundError: there is no such conversation that may be seen.
    """
    summaries = Conversations(view).summaries(conversation_id, within)
    before = summaries[-1] if summaries else None
    end = 0 if before is None else before.last_seq
    carried = before
    said = Conversations(view).messages(conversation_id, within, after=end, limit=STRETCH_MESSAGES)
    if not said and is_forced and before is not None:
        # The same stretch again, on what the one before it stood on.
        said = Conversations(view).messages(conversation_id, within, after=before.first_seq - 1)
        carried = summaries[-2] if len(summaries) > 1 else None
    if not said:
        return None
    supersedes = before.id if before else None
    return Stretch(
        conversation_id=conversation_id, said=tuple(said), carried=carried, supersedes=supersedes
    )


def plain_digest(stretch: Stretch) -> DigestDraft:
    """Return what a stretch comes to, without a model."""
    said, carried = stretch.said, stretch.carried
    lines = _lines(said)
    return DigestDraft(
        conversation_id=stretch.conversation_id,
        first=said[0].id,
        last=said[-1].id,
        count=len(said),
        text=summarise(weighed(said), SUMMARY_TOKENS),
        tone=plain_tone(said),
        pending=pending_in(carried.draft.pending if carried else (), lines),
        supersedes=stretch.supersedes,
    )


def digest(thinker: ModelClient, stretch: Stretch) -> DigestDraft:
    """Return what a stretch comes to, in a model's words where they hold."""
    plain = plain_digest(stretch)
    draft = replace(plain, tone=tone(thinker, stretch.said))
    thought = ask(thinker, SummaryDraft, stretch.said, {})
    if isinstance(thought, Refusal) or not _fits(thought.answer):
        return draft
    return replace(
        draft,
        text=scrub(thought.answer.summary).text,
        # What the words themselves owe is never lost to what a model makes of them.
        pending=_pending(thought.answer.open_questions, plain.pending),
        model=thought.model,
    )


def tone(thinker: ModelClient, said: Sequence[Episode]) -> ToneDraft:
    """Return how the other side speaks, as a model hears it or by the words alone."""
    thought = ask(thinker, ToneDraft, _theirs(said), {})
    return plain_tone(said) if isinstance(thought, Refusal) else thought.answer


def plain_tone(said: Sequence[Episode]) -> ToneDraft:
    """Return how the other side speaks, by the words alone."""
    return tone_of(_lines(_theirs(said)))


def ask(
    thinker: ModelClient, kind: type[_A], said: Sequence[Episode], things: Mapping[str, str]
) -> Thought[_A] | Refusal:
    """Have a model read messages of one conversation; more than is sent at once is refused."""
    question = Question(episodes=said, things=things, scope=said[0].scope)
    try:
        return think(thinker, kind, question)
    except LimitExceededError as error:
        return Refusal(Reason.REFUSED, str(error))


def _fits(told: SummaryDraft) -> bool:
    """Say whether a summary says something, rests on words, and leaves room for the rest."""
    return bool(told.summary.strip() and told.quotes) and (
        token_estimate(told.summary) <= SUMMARY_TOKENS
    )


def _pending(open_questions: Sequence[str], plain: Sequence[str]) -> tuple[str, ...]:
    told = (textwrap.shorten(scrub(one).text, SENTENCE_CHARS_MAX) for one in open_questions)
    return tuple(list(dict.fromkeys([*filter(None, told), *plain]))[-PENDING_MAX:])


def _theirs(said: Sequence[Episode]) -> Sequence[Episode]:
    return [one for one in said if one.direction is Direction.INBOUND] or said


def _lines(said: Sequence[Episode]) -> list[Line]:
    return [Line(one.speaker or one.role.value, one.text) for one in said]
