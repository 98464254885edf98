"""The best candidates, read whole for comparison."""

from collections.abc import Mapping
from functools import cached_property, lru_cache
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from tilth.core.dataclass import dataclass
from tilth.core.text.tokens import index_terms
from tilth.episodes.episode import Episode
from tilth.recall.order.aspect import Aspect, aspect
from tilth.recall.order.stance import Stance, is_only_question, stance

Floats = NDArray[np.floating]
# In words. A page says many things; the pairs behind the weights of `newer` have up to 62 words.
WORDS_MAX = 120


# How many texts are cached: the best of one question are often those of the next.
_KEPT = 2048


@dataclass(frozen=True, eq=False)
class ReadText:
    """A text as it is compared: its terms, its stance, and what its sentences are about."""

    text: str

    @cached_property
    def terms(self) -> frozenset[str]:
        """The terms of the text."""
        return frozenset(index_terms(self.text))

    @cached_property
    def stance(self) -> Stance:
        """Which sentences state something, and which only ask, plan, compare or deny."""
        return stance(self.text)

    @cached_property
    def changes(self) -> frozenset[str]:
        """The terms of its sentences that tell a change."""
        return frozenset(index_terms(" ".join(self.stance.changes)))

    @cached_property
    def asserted_aspects(self) -> tuple[Aspect, ...]:
        """What its stating sentences are about."""
        return tuple(map(aspect, self.stance.asserted))

    @cached_property
    def aspects(self) -> tuple[Aspect, ...]:
        """What all of its sentences are about."""
        return (*self.asserted_aspects, *map(aspect, self.stance.unasserted))

    @cached_property
    def is_only_question(self) -> bool:
        """Whether it asks, and tells nothing."""
        return is_only_question(self.text)

    def asserts_nothing_of(self, of: frozenset[str]) -> bool:
        """Say whether all that it says of the terms *of* is asked, planned, compared or denied."""
        if not self.stance.unasserted:
            return False
        asserted, unasserted = self._terms_by_stance
        return bool(unasserted) and len(of & unasserted) >= len(of & asserted)

    @cached_property
    def _terms_by_stance(self) -> tuple[frozenset[str], frozenset[str]]:
        stance = self.stance
        asserted, unasserted = (
            index_terms(" ".join(one)) for one in (stance.asserted, stance.unasserted)
        )
        return frozenset(asserted), frozenset(unasserted)


@lru_cache(maxsize=_KEPT)
def read_text(text: str) -> ReadText:
    """Return *text* as it is compared; cached."""
    return ReadText(text)


@dataclass(frozen=True, eq=False)
class Statement:
    """One of the best candidates: its speaker, its time, and what it says."""

    episode: Episode

    @cached_property
    def content(self) -> ReadText:
        """What it says."""
        return read_text(self.episode.text)

    @cached_property
    def terms(self) -> frozenset[str]:
        """The terms of its text and its speaker."""
        return self.content.terms.union(index_terms(self.episode.speaker))


@dataclass(frozen=True, slots=True)
class Likenesses:
    """
    Likenesses between statements: arrays with a row and a column for each.

    `cosine` is that of their vectors, `met` how well the column contains the words of the row;
    `shared` counts terms of both beside the question's, `lacked` terms of the question that the row
    has and the column lacks. `is_said` says which statements have words.
    """

    cosine: Floats
    met: Floats
    shared: Floats
    lacked: Floats
    is_said: NDArray[np.bool_]


class Comparison(Protocol):
    """Some of the candidates, read whole, with their likenesses."""

    @property
    def statements(self) -> Mapping[int, Statement]:
        """The compared statements, by candidate."""
        ...

    @property
    def near(self) -> Likenesses:
        """Their likenesses, in the order of `statements`."""
        ...
