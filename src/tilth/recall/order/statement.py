"""What is compared: the best candidates, read whole."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, Protocol

from tilth.core.text.tokens import index_terms
from tilth.episodes.episode import Episode
from tilth.recall.order.aspect import Aspect, aspect
from tilth.recall.order.stance import Stance, stance

# A page says many things; the pairs that the weights of `newer` come from have up to 62 words.
WORDS_MAX = 120


@dataclass(frozen=True, eq=False)
class Said:
    """One of the best, as it is compared: who said it when, its terms, and its stance."""

    episode: Episode

    @cached_property
    def terms(self) -> frozenset[str]:
        """The terms of its text and its speaker."""
        return frozenset(index_terms(f"{self.episode.speaker}: {self.episode.text}"))

    @cached_property
    def spoken(self) -> frozenset[str]:
        """The terms of its text."""
        return frozenset(index_terms(self.episode.text))

    @cached_property
    def changes(self) -> frozenset[str]:
        """The terms of its sentences that tell a change."""
        return frozenset(index_terms(" ".join(self.stance.changes)))

    @cached_property
    def told(self) -> tuple[Aspect, ...]:
        """What its sentences are about that tell something."""
        return tuple(map(aspect, self.stance.told))

    @cached_property
    def aspects(self) -> tuple[Aspect, ...]:
        """What all of its sentences are about."""
        return (*self.told, *map(aspect, self.stance.left))

    @cached_property
    def stance(self) -> Stance:
        """What it tells, and what it only asks, plans, compares or denies."""
        return stance(self.episode.text)

    def is_void(self, of: frozenset[str]) -> bool:
        """Say whether what it tells of the terms *of* is only asked, planned, compared, denied."""
        told, left = self._terms_by_stance
        return bool(left) and len(of & left) >= len(of & told)

    @cached_property
    def _terms_by_stance(self) -> tuple[frozenset[str], frozenset[str]]:
        stance = self.stance
        told, left = (index_terms(" ".join(one)) for one in (stance.told, stance.left))
        return frozenset(told), frozenset(left)


class Near(NamedTuple):
    """How near one statement is to another: their cosine; how well one's words are met in each."""

    cosine: float
    met: float
    meets: float


class Alike(Protocol):
    """Some of the candidates, read whole, and how alike they are."""

    @property
    def said(self) -> Mapping[int, Said]:
        """What is compared, by candidate."""
        ...

    def near(self, one: int, other: int) -> Near | None:
        """Return how near two of them are; None where one of them has no words."""
        ...
