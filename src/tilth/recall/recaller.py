"""What recall works with, and the weights of ranking; light, for programs that never ask."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING

from tilth.core.clock import Clock
from tilth.core.dataclass import dataclass
from tilth.embedding.embedder import Embedder
from tilth.episodes.episode import Role

if TYPE_CHECKING:  # these load numpy and threads
    from concurrent.futures import Executor

    from tilth.recall.lexicon import Lexicon


# The share of a neighbour's coverage that an episode may adopt, by distance in the session: the
# answer to a question that names the topic often stands one turn further.
_WINDOW = {-4: 0.25, -3: 0.35, -2: 0.5, -1: 0.7, 1: 0.5, 2: 0.4, 3: 0.3, 4: 0.2}
# Weights by role: assistants and tools write long texts that touch everything. At 0.8, users' own
# words lose nothing to them; more would help questions about what the assistant said, at the users'
# cost.
_ROLES = {Role.USER: 1.0, Role.ASSISTANT: 0.8, Role.SYSTEM: 0.8, Role.TOOL: 0.7}


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """
    The weights and constants of ranking.

    `bm25_*` are Robertson's; b is low, since sessions mix short and long turns of one speaker.
    Coverage counts similarity above `similarity_floor`, which rises with the logarithm of an
    episode's length, since a long text contains a similar word by chance; up to `terms_plain` terms
    it does not. Longer texts count less by a power: `long_power` for their own words,
    `neighbour_power` for those they lend. The longer a store's texts are, the less coverage tells,
    so `second_of_two` grows with the logarithm of their mean length. BM25 only proposes, and has no
    weight beside coverage.

    A date has the weight `date`, more if more of the question names a time, and `date_alone` if it
    asks for nothing else. The weight fades after the range with `date_days`, and drops at once to
    `date_alone_after` where nothing else is asked.
    """

    coverage: float = 1.0
    session: float = 0.3
    date: float = 0.3
    date_alone: float = 1.5
    date_alone_after: float = 0.3
    speaker: float = 0.05
    # The most that all votes together add or take: less than one more word of the question does.
    feedback: float = 0.1
    # Both tiers count where an episode has both vectors, else only the first.
    first_of_two: float = 0.2
    second_of_two: float = 0.6
    first_alone: float = 0.4

    bm25_k1: float = 0.9
    bm25_b: float = 0.3
    similarity_floor: float = 0.2
    floor_growth: float = 0.05
    terms_plain: int = 30
    long_power: float = 0.2
    neighbour_power: float = 1.0
    same_stem: float = 0.9
    # As if the store had this many more texts without any word of the question: in a store of five,
    # a word in four of them is not yet common.
    unseen_texts: int = 5
    # How well a nearly equal spelling matches an unknown word, and the least likeness at which
    # another word matches an unknown name; see `tilth.recall.order.unknown_words`.
    nearly_spelt: float = 0.8
    name_floor: float = 0.5
    date_days: float = 14.0
    window: Mapping[int, float] = field(default_factory=lambda: dict(_WINDOW))
    roles: Mapping[Role, float] = field(default_factory=lambda: dict(_ROLES))

    # Shares of terms at which two statements are one: said again; or changed since, if both contain
    # the same words of the question and the lesser has this share of the other's score.
    said_again: float = 0.8
    changed_since: float = 0.3
    changed_score: float = 0.9
    same_statement_terms_max: int = 60
    # A fact answers as well as its evidence if it covers this share of what that covers.
    fact_share: float = 0.9
    # The same for the evidence of a proposal to replace it, which may contain the very value in
    # question.
    proposed_share: float = 0.3
    # How many turns represent their session.
    session_turns: int = 3
    # Passes 95 of 100 questions that a conversation answers, and stops three of four that were
    # meant for another; see docs/adr/0006-ranking.md.
    answerable_from: float = 0.33
    # Among more texts something is a little like any question by chance: with the logarithm of how
    # many times as many episodes as these are looked through, the floor rises by this.
    answerable_growth: float = 0.03
    answerable_texts: int = 500
    # The weight of a cosine of the second tier if no word matches: at one half it suffices.
    by_meaning: float = 0.66


DEFAULT = Recipe()


@dataclass(frozen=True, slots=True)
class Recaller:
    """What recall works with besides the store; *executor* runs models beside the searches."""

    first: Embedder
    second: Embedder | None
    lexicon: Lexicon
    clock: Clock
    executor: Executor
    recipe: Recipe = DEFAULT
