"""
What can be asked of a store, told from what is in it.

A question is made of the telling words of something that was decided or found
out, or of how a session began. It is pure: equal sessions give equal questions.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tilth.core.text.tokens import STOP_WORDS, split_sentences

_WORD = re.compile(r"(?<!\w)[^\W\d_]{4,24}(?![\w'\u2019])")
# How a question begins, and what a sentence says that answers it.
_KINDS = (
    (
        "What did we decide about",
        re.compile(
            r"decision:|decided|\bwe (?:agreed|chose|will use)|\blet'?s (?:use|go with)\b",
            re.IGNORECASE,
        ),
    ),
    (
        "What was wrong with",
        re.compile(
            r"\b(?:root cause|the (?:bug|cause|issue|problem) (?:is|was)|found it)\b",
            re.IGNORECASE,
        ),
    ),
)
_AT_ALL = "What was said about"
_SENTENCE_CHARS = range(30, 400)
_TALK_CHARS_MAX = 1500
# Words of talk about work rather than of the work; no question is about them.
_CHATTER_WORDS = """
    after again agreed already answered anything because been before behind better cannot chose
    code decided decision does every everything file files first from good great have here into
    lets like line lines look looking made make more most need needs next nothing okay only please
    possible really right same should show something still sure take thanks them then there they
    thing things think used using want wants well work working works would
"""
_CHATTER = frozenset(_CHATTER_WORDS.split())
_TELLING_WORDS = 3


@dataclass(frozen=True, slots=True)
class Talk:
    """What was said in one session, message by message, the user's first one in front."""

    session_id: str
    messages: Sequence[str]


@dataclass(frozen=True, slots=True)
class Suggestion:
    """
    A question, the session that it came from, and the words that tell the answer.

    `is_request` marks the user's first words: the answer to them is what the
    agent said.
    """

    question: str
    session_id: str
    words: tuple[str, ...]
    is_request: bool = False


def suggest(talks: Sequence[Talk]) -> Iterator[Suggestion]:
    """Yield questions: about decisions, about causes, about beginnings; one a session each."""
    frequency = Counter(
        word
        for talk in talks
        for word in {word.casefold() for message in talk.messages for word in _telling(message)}
    )
    for beginning, pattern in _KINDS:
        for talk in talks:
            if sentence := next(_sentences(talk, pattern), None):
                yield from _asked(beginning, sentence, talk, frequency)
    for talk in talks:
        if talk.messages:
            for asked in _asked(_AT_ALL, talk.messages[0], talk, frequency):
                yield replace(asked, is_request=True)


def _asked(beginning: str, text: str, talk: Talk, frequency: Counter[str]) -> Iterator[Suggestion]:
    shown: dict[str, str] = {}
    for word in _telling(text):
        shown.setdefault(word.casefold(), word)
    # Rare in other sessions, then long: those tell this moment from all others.
    ranked = sorted(shown, key=lambda word: (frequency[word], -len(word), word))
    chosen = set(ranked[:_TELLING_WORDS])
    if len(chosen) == _TELLING_WORDS:
        words = tuple(shown[word] for word in shown if word in chosen)
        asked = f"{beginning} {', '.join(words[:-1])} and {words[-1]}?"
        yield Suggestion(asked, talk.session_id, words)


def _sentences(talk: Talk, pattern: re.Pattern[str]) -> Iterator[str]:
    # Long messages are pasted documents and reports rather than talk.
    for message in (said for said in talk.messages if len(said) <= _TALK_CHARS_MAX):
        for sentence in split_sentences(message):
            if len(sentence) in _SENTENCE_CHARS and pattern.search(sentence):
                yield sentence


def _telling(text: str) -> Iterator[str]:
    dull = STOP_WORDS | _CHATTER
    return (word for word in _WORD.findall(text) if word.casefold() not in dull)
