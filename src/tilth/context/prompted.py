"""What is laid beside a prompt: what answers it, and may come unasked."""

from tilth.context.brief_sources import quoted
from tilth.context.model import BriefItem, BriefRequest
from tilth.core.ids import is_identifier, is_word_for_nothing
from tilth.core.lifecycle import Lifecycle
from tilth.core.scope import Visibility
from tilth.episodes.episode import SPOKEN
from tilth.ledger.store import Store
from tilth.privacy.defusing import defused
from tilth.privacy.inert import one_line
from tilth.recall.model import Hit, RecallOptions, Tier
from tilth.recall.packing import snippet
from tilth.recall.question import Question, understand
from tilth.recall.recall import recall
from tilth.recall.recaller import Recaller

# A prompt of a word or two ("go on") asks nothing that a memory could answer.
QUESTION_TERMS_MIN = 2
# Higher than what makes a recall answerable, since nobody asked: of LoCoMo's questions 90 in 100
# are still told something by their own conversation, 5 by another's; see docs/adr/0013.
UNASKED_FROM = 0.4
RECALLED_LIMIT = 30
SNIPPET_WORDS = 28


def recalled(
    store: Store, recaller: Recaller, request: BriefRequest, within: Visibility
) -> list[BriefItem]:
    """Return what answers the question; nothing rather than what only comes close."""
    if is_word_for_nothing(request.question) or is_identifier(request.question):
        return []
    now = recaller.clock.now()
    question = understand(request.question, now)
    if len(question.terms) < QUESTION_TERMS_MIN:
        return []
    options = RecallOptions(limit=RECALLED_LIMIT)
    hits = recall(store, recaller, request.question, within, options).hits
    return [
        _recalled_item(hit, question)
        for hit in hits
        if _surety(hit) >= UNASKED_FROM and _is_worth_telling(hit, request)
    ]


def _surety(hit: Hit) -> float:
    """Return how surely this hit alone answers; see `tilth.recall.answer` for the measure."""
    cosine = max(hit.signals.get("cosine_first", 0.0), hit.signals.get("cosine_second", 0.0))
    return (hit.signals.get("covered", 0.0) + cosine) / 2


def _is_worth_telling(hit: Hit, request: BriefRequest) -> bool:
    """
    Say whether a hit may come unasked.

    What this session said is before the agent already, and asking the same once
    more answers nothing. What a tool put out or a page said is shown to those
    who ask for it alone (T9).
    """
    return (
        (hit.kind in SPOKEN or (hit.tier is Tier.FACT and hit.lifecycle is Lifecycle.CURRENT))
        and (request.session_id is None or hit.session_id != request.session_id)
        and hit.text.split() != request.question.split()
    )


def _recalled_item(hit: Hit, question: Question) -> BriefItem:
    text = snippet(hit.text, question.terms, size=SNIPPET_WORDS)
    when = f"{hit.valid_from:%Y-%m-%d} ({hit.freshness})"
    who = one_line(defused(hit.who), 40)
    return BriefItem(f"{when}, {who}: {quoted(text)}", hit.id)
