"""
Summarise a conversation without a model, by choosing from its own sentences.

A sentence weighs by what it states, such as a promise or a decision, and by words that promise,
ask, decide or describe somebody. The heaviest are chosen, and stay in the order of the messages.
"""

import math
import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from tilth.core.text.promises import is_reported
from tilth.core.text.tokens import split_sentences
from tilth.episodes.episode import Episode, Role
from tilth.learning.candidate import Candidate, StatementKind, Turn
from tilth.llm.answers import Pace, Sentiment, ToneDraft
from tilth.people.conversation import PENDING_MAX
from tilth.recall.packing import token_estimate

SENTENCE_CHARS_MAX = 240
# In words. Whoever writes longer messages is not in a hurry.
_LONG_WORDS = 80
_PENDING = re.compile(
    r"\b(?:i(?:'ll| will)|we(?:'ll| will| need to| have to)|remind me|don't forget|to ?do\b|"
    r"(?<!yes )(?<!yes, )please|(?:can|could|would) you|"
    r"by (?:mon|tues|wednes|thurs|fri|satur|sun)day|"
    r"by tomorrow|still (?:open|waiting|need))",
    re.IGNORECASE,
)
_DECIDED = re.compile(
    r"\b(?:decided|agreed|let's|we chose|going with|will use|from now on)\b", re.IGNORECASE
)
_PERSONAL = re.compile(
    r"\b(?:i (?:prefer|like|hate|live|work|am|always|never|use)|i'm|my \w+ is|call me)\b",
    re.IGNORECASE,
)
_FORMAL = re.compile(r"\b(?:dear|regards|kindly|sincerely|would you|could you)\b", re.IGNORECASE)
_CASUAL = re.compile(r"\b(?:hey|yeah|lol|gonna|wanna|btw|thx|cool)\b", re.IGNORECASE)
_GOOD = re.compile(
    r"\b(?:thanks|thank you|great|good|love|perfect|nice|works|happy)\b", re.IGNORECASE
)
_BAD = re.compile(
    r"\b(?:broken|bad|hate|wrong|fails?|failed|annoying|angry|sorry|problem)\b", re.IGNORECASE
)
_HASTY = re.compile(r"\b(?:asap|now|urgent|quick(?:ly)?|hurry|immediately)\b", re.IGNORECASE)
_TECHNICAL = re.compile(r"`|\b\w+[_/.]\w+\b|\b\d+\.\d+\b|\b[A-Z]{2,}\b|\(\)")
# The weight that each pattern adds to a sentence.
_WEIGHTS = ((_PENDING, 4.0), (_DECIDED, 4.0), (_PERSONAL, 3.0), (re.compile(r"\d"), 1.0))


class Line(NamedTuple):
    """The text of a message or of a sentence of it, and the speaker."""

    speaker: str
    text: str

    @property
    def words(self) -> str:
        """Both, as a summary has them."""
        return f"{self.speaker}: {self.text}" if self.speaker else self.text


class Sentence(NamedTuple):
    """A sentence and its weight."""

    line: Line
    weight: float


def summarise(said: Iterable[Sentence], budget: int) -> str:
    """
    Return the heaviest sentences for their length, a line each, in at most *budget* tokens.

    Of two that weigh the same, the later one is chosen.
    """
    sentences = list({one.line: one for one in said}.values())
    costs = [token_estimate(f"{one.line.words}\n") for one in sentences]
    # By the root of its length a long sentence is neither free nor shut out (`bench.continuity`).
    worth = [one.weight / math.sqrt(cost) for one, cost in zip(sentences, costs, strict=True)]
    room, kept = budget, set()
    for at in sorted(range(len(sentences)), key=lambda at: (-worth[at], -at)):
        if costs[at] <= room:
            kept.add(at)
            room -= costs[at]
    return "\n".join(sentences[at].line.words for at in sorted(kept))


def lines_of(summary: str) -> Iterator[Line]:
    """Yield the lines of a summary; one in a model's words may have no speaker."""
    for line in summary.splitlines():
        speaker, colon, text = line.partition(": ")
        yield Line(speaker, text) if colon else Line("", line)


def pending_in(before: Iterable[str], said: Sequence[Line]) -> tuple[str, ...]:
    """
    Return the open points of *before* and of *said*, the newest at the end.

    A later sentence that reports a point as done closes it.
    """
    owed = list(dict.fromkeys(before))
    for line in said:
        for text in sentences_in(line.text):
            owed = unreported(owed, text)
            words = Line(line.speaker, text).words
            if words not in owed and _PENDING.search(text):
                owed.append(words)
        owed = owed[-PENDING_MAX:]
    return tuple(owed)


def unreported(owed: Iterable[str], sentence: str) -> list[str]:
    """Return the points in *owed* that *sentence* does not report as done."""
    return [one for one in owed if not is_reported(one.partition(": ")[2] or one, sentence)]


def tone_of(said: Sequence[Line]) -> ToneDraft:
    """Return how somebody speaks, by the words alone."""
    text = "\n".join(line.text for line in said)
    good, bad = len(_GOOD.findall(text)), len(_BAD.findall(text))
    if good and bad:
        sentiment = Sentiment.MIXED
    else:
        sentiment = Sentiment.POSITIVE if good else Sentiment.NEGATIVE if bad else Sentiment.NEUTRAL
    mean = len(text.split()) / max(len(said), 1)
    unhurried = Pace.SLOW if mean > _LONG_WORDS else Pace.STEADY
    return ToneDraft(
        formality=_share(_FORMAL, _CASUAL, text),
        technical_level=min(1.0, len(_TECHNICAL.findall(text)) / max(len(text.split()), 1) * 5),
        sentiment=sentiment,
        pace=Pace.FAST if _HASTY.search(text) else unhurried,
    )


def sentences_in(text: str) -> list[str]:
    """Return the sentences of a message, each on one line and not too long."""
    parts = (
        textwrap.shorten(part, SENTENCE_CHARS_MAX, placeholder=" …")
        for part in split_sentences(text)
    )
    return [part for part in parts if part]


def weight_of(sentence: str) -> float:
    """Return how much a sentence weighs by its words alone."""
    return sum(weight for pattern, weight in _WEIGHTS if pattern.search(sentence)) + min(
        len(sentence) / SENTENCE_CHARS_MAX, 1.0
    )


def _share(more: re.Pattern[str], less: re.Pattern[str], text: str) -> float:
    """Return the share of matches of *more* among both; a half without any."""
    one, other = len(more.findall(text)), len(less.findall(text))
    return one / (one + other) if one + other else 0.5


# Statements that bind the next reply weigh more than those that recall finds as well; chosen by
# `bench.continuity`.
_BINDING, _TELLING, _SEEN = 20.0, 12.0, 4.0
_KIND_WEIGHTS: Mapping[StatementKind, float] = {
    StatementKind.CORRECTION: _BINDING,
    StatementKind.DECISION: _BINDING,
    StatementKind.COMMITMENT: _BINDING,
    StatementKind.DEFERRAL: _BINDING,
    StatementKind.GOAL: _BINDING,
    StatementKind.GAP: _BINDING,
    StatementKind.PREFERENCE: _BINDING,
    StatementKind.RELATIONSHIP: _BINDING,
    StatementKind.FACT: _TELLING,
    StatementKind.MILESTONE: _SEEN,
    StatementKind.OPINION: _SEEN,
}
_ASKED = "? "
_ANSWERING = re.compile(r"\((?:asked|told) “(?P<before>.+?)”\) (?P<said>.+)")
_OTHER = {Role.USER: Role.ASSISTANT, Role.ASSISTANT: Role.USER}


def weigh_sentences(said: Sequence[Episode]) -> Iterator[Sentence]:
    """Yield the sentences of messages with their weights; a short answer has its question in it."""
    before: dict[Role, Episode] = {}
    for episode in said:
        speaker = episode.speaker or episode.role.value
        turn = Turn(episode, before.get(_OTHER.get(episode.role, episode.role)))
        found = _statements_in(turn)
        for text in sentences_in(episode.text):
            yield _weigh(Line(speaker, text), found)
        before[episode.role] = episode


def merge_summaries(texts: Sequence[str], like: Episode | None, budget: int) -> str:
    """
    Return the summaries of consecutive stretches as one text.

    Args:
        texts: The summaries, the oldest first.
        like: A message of the conversation; None if none is left.
        budget: The most tokens. If all of them need more, the heaviest sentences are chosen; of a
            single summary, or without a message, all are kept.
    """
    whole = "\n".join(texts)
    if like is None or len(texts) == 1 or token_estimate(whole) <= budget:
        return whole
    return summarise(reweigh(lines_of(whole), like), budget)


def reweigh(lines: Iterable[Line], like: Episode) -> Iterator[Sentence]:
    """Yield the sentences of a summary, weighed like those of messages."""
    roles = {role.value: role for role in Role}
    for line in lines:
        role = roles.get(line.speaker, Role.USER)
        before, words = _split_question(line.text)
        said = replace(like, role=role, text=words)
        asked = replace(like, role=_OTHER.get(role, role), text=before) if before else None
        again = _weigh(Line(line.speaker, words), _statements_in(Turn(said, asked)))
        if again.line.text == words != line.text:
            # The text before it is no question that it answers.
            again = _weigh(line, _statements_in(Turn(replace(said, text=line.text), None)))
        yield again


def _split_question(text: str) -> tuple[str, str]:
    """Return the question that a sentence of a summary answers, if any, and the sentence."""
    if found := _ANSWERING.fullmatch(text):
        return found["before"], found["said"]
    # Summaries of earlier versions have the question under the speaker of the answer.
    question, asked, answer = text.rpartition(_ASKED)
    return (f"{question}?", answer) if asked else ("", text)


def _statements_in(turn: Turn) -> list[Candidate]:
    from tilth.learning.extract import OF_PEOPLE  # noqa: PLC0415 - it loads all that reads sentences

    found = (one for extract in OF_PEOPLE for one in extract(turn))
    return [one for one in found if isinstance(one, Candidate)]


def _weigh(line: Line, found: Sequence[Candidate]) -> Sentence:
    here = [one for one in found if _is_of(line.text, " ".join(one.quote.split()))]
    text = _with_question(line.text, here)
    stated = max((_KIND_WEIGHTS[one.kind] for one in here), default=0.0)
    return Sentence(Line(line.speaker, text), stated + weight_of(text))


def _with_question(said: str, found: Sequence[Candidate]) -> str:
    """Return what was *said*, preceded by the question or statement that it answers."""
    bare = said.rstrip(".")
    if not bare:
        return said
    whole = max([said, *(one.said.text for one in found if bare in one.said.text)], key=len)
    before = whole.partition(bare)[0].strip()
    if not before:
        return whole
    return f"({'asked' if before.endswith('?') else 'told'} “{before}”) {said}"


def _is_of(sentence: str, quote: str) -> bool:
    """Say whether a statement with this quote is from the sentence."""
    is_most = len(sentence) > len(quote) / 2
    return quote in sentence or (is_most and sentence in quote)
