"""Read a question: separate it from surrounding text, and find its words, times and people."""

import re
from collections.abc import Sequence
from datetime import datetime

from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError
from tilth.core.ids import is_word_for_nothing
from tilth.core.text.pattern import pattern
from tilth.core.text.tokens import split_sentences, stem, words
from tilth.recall.times import TimeRange, time_ranges

# In characters. A longer text holds more than a question: a prompt, a log, a page (MP-05).
QUESTION_CHARS = 500
READ_CHARS_MAX = 20_000
WORDS_MAX = 32
_ENOUGH_WORDS = 3
# In sentences: how little may follow the question of a prompt, such as how to answer.
_NEAR_END = 3
_MARKED = pattern(r"(?:question|query|user|task|ask(?:ed)?)\s*[:>]\s*", re.IGNORECASE)
# Stems of words that only ask what happened at a time.
_HAPPENED = frozenset(
    (
        "happen", "occur", "go", "went", "gone", "work", "done", "said", "say", "told", "tell",
        "talk", "discuss", "ask", "note", "memori", "rememb", "new", "event", "session", "convers",
        "summari", "summar", "summaris", "recap", "show", "list", "give", "get", "got", "everyth",
        "anyth", "someth", "thing", "stuff", "date", "day", "between", "dure", "time", "exactli",
    )
)  # fmt: skip
_PART_WORDS, _PARTS_MAX = 2, 3
_JOINT = pattern(
    r"(?:\?\s+|,?\s+and\s+)(?=(?:who|whom|whose|what|which|when|where|why|how)\b)", re.IGNORECASE
)
_BACK = pattern(
    r"\b(?:it|its|they|them|their|that|this|those|these|he|she|him|her|his|there|then|one|both)\b",
    re.IGNORECASE,
)
_TAG = pattern(r"</?[a-zA-Z][\w-]{0,40}>")


@dataclass(frozen=True, slots=True)
class Question:
    """
    A question as ranking reads it.

    `text` is the question itself, `words` its distinct words with their `terms`, `ranges` the times
    that it names, `timed` the words that name them.
    """

    text: str
    words: tuple[str, ...]
    terms: tuple[str, ...]
    ranges: tuple[TimeRange, ...] = ()

    @property
    def is_of_time(self) -> bool:
        """Whether it only asks what happened at a time."""
        named, said = self.timed, zip(self.words, self.terms, strict=True)
        return bool(self.ranges) and all(w in named or term in _HAPPENED for w, term in said)

    @property
    def timed(self) -> frozenset[str]:
        """Its words that name a time."""
        return frozenset(word for asked in self.ranges for word in words(asked.text))


def understand(asked: str, now: datetime) -> Question:
    """
    Read a question that is asked at *now*.

    Raises:
        InvalidInputError: it is empty, or has no word.
    """
    if is_word_for_nothing(asked):
        raise InvalidInputError(f"a question needs words, not {asked[:20]!r}")
    text = reduce_to_question(asked)
    said = tuple(dict.fromkeys(words(text)))[:WORDS_MAX]
    return Question(text, said, tuple(stem(word) for word in said), time_ranges(text, now))


def parts_of(asked: str) -> list[str]:
    """
    Return the questions in *asked*: the whole, or those it joins ("…, and who …?").

    A part that only refers to the first ("and why was it dropped?") is no question by itself.
    """
    found = [part.strip() for part in _JOINT.split(reduce_to_question(asked))]
    are_whole = all(len(words(part)) >= _PART_WORDS for part in found)
    if not 1 < len(found) <= _PARTS_MAX or not are_whole or any(map(_BACK.search, found[1:])):
        return [asked]
    return found


def reduce_to_question(asked: str) -> str:
    """
    Return the question in *asked*: all of a short text, otherwise the asking sentence.

    A system prompt or page around a question would drown it (a competitor's recall fell from 90 %
    to 1 %). Sentences before it are added until there is enough to search for.
    """
    text = _TAG.sub(" ", asked[-READ_CHARS_MAX:]).strip()
    if len(text) <= QUESTION_CHARS:
        return text or asked[:QUESTION_CHARS]
    sentences = [part.strip() for part in split_sentences(text) if part.strip()]
    last = _index_of_question(sentences)
    chosen = _MARKED.split(sentences[last])[-1]
    while len(words(chosen)) < _ENOUGH_WORDS and last > 0:
        last -= 1
        chosen = f"{sentences[last][-QUESTION_CHARS:]} {chosen}"
    return chosen[-2 * QUESTION_CHARS :]


def _index_of_question(sentences: Sequence[str]) -> int:
    """Return the index of the asking sentence: at the end, else at the start, else the last one."""
    near_end = range(len(sentences) - 1, max(-1, len(sentences) - 1 - _NEAR_END), -1)
    return next((at for at in (*near_end, 0) if sentences[at].endswith("?")), len(sentences) - 1)
