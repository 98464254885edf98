"""
Words of a question that the store does not have, and what may stand for them.

Word vectors tell what a word means if the vocabulary has it, or both halves of it. What is put
together of pieces gets a vector all the same: made-up words are like everything a little, and
names like other names.
"""

from collections.abc import Mapping
from enum import Enum, auto

from tilth.core.dataclass import dataclass
from tilth.core.text.pattern import pattern
from tilth.core.text.tokens import words
from tilth.ledger.search import CorpusStats
from tilth.recall.lexicon import Lexicon
from tilth.recall.question import Question

# Written as names are, after another word: "Kubernetes", "RabbitMQ", and not "DB".
_NAME = pattern(r"(?<=[^\s.!?:] )[^\W\d_a-z][\w-]*[a-z][\w-]*")
_PART_LETTERS = 3


class Stranger(Enum):
    """What kind of word is not here."""

    # Neither the store nor the vocabulary has it: what is spelt nearly so meets it.
    WORD = auto()
    # A name that the store does not have: what means nearly the same meets it.
    NAME = auto()


@dataclass(frozen=True, slots=True)
class Absent:
    """
    What is to be known of a question's words that no episode has.

    `strangers` are met by little; `meant` is what those stand for that are slips of the finger.
    """

    strangers: Mapping[str, Stranger]
    meant: Mapping[str, str]


def absent(question: Question, corpus: CorpusStats, lexicon: Lexicon) -> Absent:
    """Return what the words of *question* are that no episode has; times and numbers are not."""
    names = _names(question.text)
    strangers, meant = dict[str, Stranger](), dict[str, str]()
    for word, term in zip(question.words, question.terms, strict=True):
        is_of_time = word in question.timed or not word.isalpha()
        if corpus.frequencies.get(term) or is_of_time or _is_joined(word, question.words):
            continue
        if lexicon.is_known(word):
            if word in names:
                strangers[word] = Stranger.NAME
        elif corrected := lexicon.corrected(word):
            meant[word] = corrected
        elif word in names or not _is_of_two(word, lexicon):
            strangers[word] = Stranger.WORD
    return Absent(strangers, meant)


def _names(text: str) -> frozenset[str]:
    """Return the words of what is written as a name; none where nearly every word is."""
    found = _NAME.findall(text)
    if 2 * len(found) >= len(text.split()):
        return frozenset()
    return frozenset(word for name in found for word in words(name))


def _is_of_two(word: str, lexicon: Lexicon) -> bool:
    """Say whether *word* is put together of two that are known, as "roadtrip" is."""
    cuts = range(_PART_LETTERS, len(word) - _PART_LETTERS + 1)
    return any(lexicon.is_known(word[:at]) and lexicon.is_known(word[at:]) for at in cuts)


def _is_joined(word: str, others: tuple[str, ...]) -> bool:
    """Say whether *word* is put together of words beside it, as the whole of a compound is."""
    return any(word.startswith(one) and word.removeprefix(one) in others for one in others)
