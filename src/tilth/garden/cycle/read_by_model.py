"""
Let a language model find what a document says about a topic, if a model is set.

Code bounds what the model may say: each finding quotes the document word for word, and every name
and number in it stands near the quote. The worst that a document can make of this is a candidate,
which a human reads.
"""

import logging
from collections.abc import Sequence
from dataclasses import replace

from tilth.discovery.model import SourceText
from tilth.episodes.episode import Episode
from tilth.garden.cycle.gardener import Gardener
from tilth.garden.extract import Finding, is_unsure, status_of, terms_of
from tilth.garden.model import Topic
from tilth.garden.standalone import CHARS_MAX
from tilth.knowledge.likeness.paraphrase import contains_values
from tilth.llm.answers import TopicFinding, TopicFindings
from tilth.llm.client import Question, Thought, think

logger = logging.getLogger(__name__)

# In characters, how much of a document is shown. Of a longer one, the parts with most of the
# topic's words.
SHOWN_CHARS_MAX = 24_000
# In characters, how far from its quote a statement may take its names and numbers.
_AROUND_CHARS = 1_000


def findings_by_model(
    gardener: Gardener, topic: Topic, document: SourceText, pieces: Sequence[Episode]
) -> list[Finding] | None:
    """
    Return what a model finds in a document about a topic.

    Args:
        gardener: The client of the model, among other things.
        topic: The topic.
        document: The document, as it may be disclosed.
        pieces: Its text in order; excluded terms in it are not shown.

    Returns:
        The findings, surest first; None if no model answered, so that rules must do.
    """
    shown = _shown(pieces, topic)
    if gardener.thinker is None or not shown:
        return None
    covered = [replace(one, text=gardener.excluded.covered(one.text)) for one in shown]
    question = Question(episodes=covered, things={topic.id: topic.name}, scope=topic.scope)
    thought = think(gardener.thinker, TopicFindings, question)
    if not isinstance(thought, Thought):
        return None
    said = (_finding(one, topic, document, thought.model) for one in thought.answer.findings)
    found = [one for one in said if one is not None]
    logger.info(
        "document read by a model: claimed=%d kept=%d", len(thought.answer.findings), len(found)
    )
    return sorted(found, key=lambda one: (-one.score, one.start))


def _shown(pieces: Sequence[Episode], topic: Topic) -> list[Episode]:
    """Return the pieces with most of the topic's terms, in the order of the document."""
    wanted = terms_of(topic.name)
    by_worth = sorted(pieces, key=lambda one: -len(wanted & terms_of(one.text)))
    left, taken = SHOWN_CHARS_MAX, set[str]()
    for one in by_worth:
        if len(one.text) <= left:
            taken.add(one.id)
            left -= len(one.text)
    return [one for one in pieces if one.id in taken]


def _finding(said: TopicFinding, topic: Topic, document: SourceText, model: str) -> Finding | None:
    """Return a model's statement as a finding; None if the document does not support it."""
    text, quote = " ".join(said.statement.split()), said.quote.text
    start = document.text.find(quote)
    around = document.text[max(0, start - _AROUND_CHARS) : start + len(quote) + _AROUND_CHARS]
    known = f"{document.title}. {topic.name}. {around}"
    if start < 0 or len(text) > CHARS_MAX or not contains_values(known, text):
        return None
    return Finding(
        text=text,
        quote=quote,
        start=start,
        score=said.confidence,
        is_hedged=bool(status_of(document.text)) or is_unsure(quote),
        model=model,
    )
