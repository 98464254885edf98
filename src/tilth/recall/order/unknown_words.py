"""
Find words of a question that the store does not have, and what may stand for them.

A word's vector tells its meaning if the vocabulary has the word, or both halves of it. A vector
made of smaller pieces does not: made-up words are a little like everything, and names like other
names.
"""

from collections.abc import Mapping
from enum import Enum, auto

from tilth.core.dataclass import dataclass
from tilth.core.text.pattern import pattern
from tilth.core.text.tokens import words
from tilth.ledger.search import CorpusStats
from tilth.recall.lexicon import Lexicon
from tilth.recall.question import Question

# Written like a name, after another word: "Kubernetes", "RabbitMQ", but not "DB".
_NAME = pattern(r"(?<=[^\s.!?:] )[^\W\d_a-z][\w-]*[a-z][\w-]*")
_PART_LETTERS = 3


class UnknownKind(Enum):
    """The kind of an unknown word."""

    # In neither the store nor the vocabulary; only a word with nearly its spelling matches it.
    WORD = auto()
    # A name that the store does not have; only a word of nearly its meaning matches it.
    NAME = auto()


@dataclass(frozen=True, slots=True)
class UnknownWords:
    """
    What is known of a question's words that no episode contains.

    `kinds` are matched by little; `corrections` maps misspelt words to the intended ones.
    """

    kinds: Mapping[str, UnknownKind]
    corrections: Mapping[str, str]


def unknown_words(question: Question, corpus: CorpusStats, lexicon: Lexicon) -> UnknownWords:
    """Return the words of *question* that no episode contains, except times and numbers."""
    names = _names(question.text)
    kinds, corrections = dict[str, UnknownKind](), dict[str, str]()
    for word, term in zip(question.words, question.terms, strict=True):
        is_of_time = word in question.timed or not word.isalpha()
        if corpus.frequencies.get(term) or is_of_time or _joins_neighbours(word, question.words):
            continue
        if lexicon.is_known(word):
            if word in names:
                kinds[word] = UnknownKind.NAME
        elif corrected := lexicon.corrected(word):
            corrections[word] = corrected
        elif word in names or not _joins_two_known_words(word, lexicon):
            kinds[word] = UnknownKind.WORD
    return UnknownWords(kinds, corrections)


def _names(text: str) -> frozenset[str]:
    """Return words that are written like names; none if nearly every word is."""
    found = _NAME.findall(text)
    if 2 * len(found) >= len(text.split()):
        return frozenset()
    return frozenset(word for name in found for word in words(name))


def _joins_two_known_words(word: str, lexicon: Lexicon) -> bool:
    """Say whether *word* consists of two known words, like "roadtrip"."""
    cuts = range(_PART_LETTERS, len(word) - _PART_LETTERS + 1)
    return any(lexicon.is_known(word[:at]) and lexicon.is_known(word[at:]) for at in cuts)


def _joins_neighbours(word: str, others: tuple[str, ...]) -> bool:
    """Say whether *word* consists of words beside it, as a whole compound does."""
    return any(word.startswith(one) and word.removeprefix(one) in others for one in others)
