"""
When agents are told something unasked, and what of it (KB-120).

    strategy        when a session begins             beside a prompt
    --------------  --------------------------------  ------------------------------------
    hybrid          the whole brief                   what answers, at most five
    top_k_relevant  what was laid down                what answers, at most k
    top_k_recent    what was laid down, and the last  nothing
                    k things that were said
    on_keyword      nothing                           what answers, at most five, if one of
                                                      the keywords stands in the prompt
    manual_only     nothing                           nothing
    none            nothing, even if somebody asks    nothing, even if somebody asks

Known pitfalls are told under the first three, since they answer a failure, and under those an
agent is asked for a note where a session goes on and nothing of it was noted.
"""

import re
from enum import StrEnum

from tilth.context.model import Block
from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError

LIMIT_DEFAULT = 5
LIMIT_MAX = 50
# The most answers beside a prompt. Later ones are seldom worth their tokens (ADR 13).
ANSWERS_MAX = 5
# Words by which people refer to something said earlier.
KEYWORDS = ("remember", "recall", "earlier", "before", "previously", "last time", "again")
# After how many prompts an agent is asked for a note, and how many later it is asked again. About
# two sessions in five have more than two prompts; asking more often would only annoy.
ASKED_AFTER, ASKED_AGAIN_AFTER = 2, 10


class Strategy(StrEnum):
    """How much agents are told unasked."""

    NONE = "none"
    TOP_K_RECENT = "top_k_recent"
    TOP_K_RELEVANT = "top_k_relevant"
    HYBRID = "hybrid"
    MANUAL_ONLY = "manual_only"
    ON_KEYWORD = "on_keyword"


_OPENS_WITH = {
    Strategy.HYBRID: frozenset(Block),
    Strategy.TOP_K_RELEVANT: frozenset({Block.RULES}),
    Strategy.TOP_K_RECENT: frozenset({Block.RULES, Block.RECENT}),
}
_ANSWERS = frozenset({Strategy.HYBRID, Strategy.TOP_K_RELEVANT, Strategy.ON_KEYWORD})
_COUNTED = frozenset({Strategy.TOP_K_RECENT, Strategy.TOP_K_RELEVANT})


@dataclass(frozen=True, slots=True, kw_only=True)
class Injection:
    """A strategy with its numbers and words."""

    strategy: Strategy = Strategy.HYBRID
    limit: int = LIMIT_DEFAULT
    keywords: tuple[str, ...] = KEYWORDS
    asks_for_notes: bool = True

    def __post_init__(self) -> None:
        if not 1 <= self.limit <= LIMIT_MAX:
            raise InvalidInputError(f"'injection_limit' is 1 to {LIMIT_MAX}, not {self.limit}")

    @property
    def warns(self) -> bool:
        """Whether known pitfalls are told."""
        return self.strategy in _OPENS_WITH

    def asks_for_a_note(self, prompt_count: int, *, is_again: bool) -> bool:
        """
        Say whether an agent is to be asked for a note now.

        Args:
            prompt_count: How many prompts of the session were answered since its last note, or
                since the agent was last asked for one.
            is_again: Whether the session has a note, or was asked for one, already.
        """
        least = ASKED_AGAIN_AFTER if is_again else ASKED_AFTER
        return self.asks_for_notes and self.warns and prompt_count >= least

    def blocks(self, question: str, *, is_asked: bool) -> frozenset[Block]:
        """
        Return the blocks that the strategy allows.

        Args:
            question: The prompt; empty when a session begins.
            is_asked: Whether somebody asked for the brief, by a command or a tool.
        """
        if self.strategy is Strategy.NONE:
            return frozenset()
        if is_asked:
            return frozenset(Block)
        if question:
            return frozenset({Block.RECALLED}) if self._answers(question) else frozenset()
        return _OPENS_WITH.get(self.strategy, frozenset())

    def limit_of(self, block: Block, *, is_asked: bool) -> int | None:
        """Return the most items of *block* that are shown; None for as many as fit."""
        if is_asked or block is Block.RULES:
            return None
        if self.strategy in _COUNTED:
            return self.limit
        return ANSWERS_MAX if block is Block.RECALLED else None

    def _answers(self, prompt: str) -> bool:
        if self.strategy is Strategy.ON_KEYWORD:
            return any(
                re.search(rf"\b{re.escape(word)}\b", prompt, re.IGNORECASE)
                for word in self.keywords
            )
        return self.strategy in _ANSWERS


def parse_strategy(word: str) -> Strategy:
    """
    Read the name of a strategy.

    Raises:
        InvalidInputError: *word* names no strategy.
    """
    try:
        return Strategy(word)
    except ValueError as error:
        raise InvalidInputError(
            f"setting 'injection' is {word!r}", hint=f"use {', '.join(Strategy)}"
        ) from error
