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
from tilth.recall.order.stance import Stance, only_asks, stance

Floats = NDArray[np.floating]
# In words. A page says many things; the pairs behind the weights of `newer` have up to 62 words.
WORDS_MAX = 120


# How many texts are cached: the best of one question are often those of the next.
_KEPT = 2048


@dataclass(frozen=True, eq=False)
class Spoken:
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
    def told(self) -> tuple[Aspect, ...]:
        """What its stating sentences are about."""
        return tuple(map(aspect, self.stance.told))

    @cached_property
    def aspects(self) -> tuple[Aspect, ...]:
        """What all of its sentences are about."""
        return (*self.told, *map(aspect, self.stance.left))

    @cached_property
    def only_asks(self) -> bool:
        """Whether it asks, and tells nothing."""
        return only_asks(self.text)

    def is_void(self, of: frozenset[str]) -> bool:
        """Say whether all that it says of the terms *of* is asked, planned, compared or denied."""
        if not self.stance.left:
            return False
        told, left = self._terms_by_stance
        return bool(left) and len(of & left) >= len(of & told)

    @cached_property
    def _terms_by_stance(self) -> tuple[frozenset[str], frozenset[str]]:
        stance = self.stance
        told, left = (index_terms(" ".join(one)) for one in (stance.told, stance.left))
        return frozenset(told), frozenset(left)


@lru_cache(maxsize=_KEPT)
def spoken(text: str) -> Spoken:
    """Return *text* as it is compared; cached."""
    return Spoken(text)


@dataclass(frozen=True, eq=False)
class Said:
    """One of the best candidates: its speaker, its time, and what it says."""

    episode: Episode

    @cached_property
    def spoken(self) -> Spoken:
        """What it says."""
        return spoken(self.episode.text)

    @cached_property
    def terms(self) -> frozenset[str]:
        """The terms of its text and its speaker."""
        return self.spoken.terms.union(index_terms(self.episode.speaker))


@dataclass(frozen=True, slots=True)
class Near:
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


class Alike(Protocol):
    """Some of the candidates, read whole, with their likenesses."""

    @property
    def said(self) -> Mapping[int, Said]:
        """The compared statements, by candidate."""
        ...

    @property
    def near(self) -> Near:
        """Their likenesses, in the order of `said`."""
        ...
