"""
What can be asked of a store, told from what is in it.

A question is made of the telling words of something that was decided, or of
how a session began. It is pure: equal sessions give equal questions.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from tilth.retrieval.tokens import STOP_WORDS

_WORD = re.compile(r"[^\W\d_]{4,24}")
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n+")
_DECISION = re.compile(
    r"\b(?:decision|decided|agreed|we chose|let'?s (?:use|go with)|we (?:will|'ll) use)\b",
    re.IGNORECASE,
)
_SENTENCE_CHARS = range(30, 400)
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
    """A question, and the session that it came from."""

    question: str
    session_id: str


def suggest(talks: Sequence[Talk]) -> Iterator[Suggestion]:
    """Yield questions, those about decisions first, at most one of each kind a session."""
    frequency = Counter(word for talk in talks for word in _words_of(talk))
    for talk in talks:
        if decision := next(_decisions(talk), None):
            yield from _asked("What did we decide about", decision, talk, frequency)
    for talk in talks:
        if talk.messages:
            yield from _asked("What was said about", talk.messages[0], talk, frequency)


def _asked(beginning: str, text: str, talk: Talk, frequency: Counter[str]) -> Iterator[Suggestion]:
    shown: dict[str, str] = {}
    for word in _telling(text):
        shown.setdefault(word.casefold(), word)
    # Rare in other sessions, then long: those tell this moment from all others.
    ranked = sorted(shown, key=lambda word: (frequency[word], -len(word), word))
    chosen = set(ranked[:_TELLING_WORDS])
    if len(chosen) == _TELLING_WORDS:
        first, second, third = (shown[word] for word in shown if word in chosen)
        yield Suggestion(f"{beginning} {first}, {second} and {third}?", talk.session_id)


def _decisions(talk: Talk) -> Iterator[str]:
    for message in talk.messages:
        for sentence in _SENTENCE_END.split(message):
            if len(sentence) in _SENTENCE_CHARS and _DECISION.search(sentence):
                yield sentence


def _words_of(talk: Talk) -> set[str]:
    return {word.casefold() for message in talk.messages for word in _telling(message)}


def _telling(text: str) -> Iterator[str]:
    dull = STOP_WORDS | _CHATTER
    return (word for word in _WORD.findall(text) if word.casefold() not in dull)
