"""What recall works with, and how it weighs: light, for who asks nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING

from tilth.core.clock import Clock
from tilth.core.dataclass import dataclass
from tilth.embedding.embedder import Embedder
from tilth.episodes.episode import Role

if TYPE_CHECKING:  # They bring numpy and threads, for who asks.
    from concurrent.futures import Executor

    from tilth.recall.lexicon import Lexicon


# How much of a neighbour's coverage an episode may take for its own, by distance within the
# session: the answer to a question that names the topic often stands one turn further.
_WINDOW = {-4: 0.25, -3: 0.35, -2: 0.5, -1: 0.7, 1: 0.5, 2: 0.4, 3: 0.3, 4: 0.2}
# What an assistant or a tool writes is long and touches everything. At 0.8 users' own words lose
# nothing to it; more would help questions about what the assistant said, at their cost.
_ROLES = {Role.USER: 1.0, Role.ASSISTANT: 0.8, Role.SYSTEM: 0.8, Role.TOOL: 0.7}


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """
    The weights and constants of ranking.

    `bm25_*` are Robertson's; a low b since sessions mix short turns and long
    ones of the same speaker. Coverage counts similarity from `similarity_floor`
    on, which rises with the logarithm of an episode's length, since a long text
    holds a word like any other; `terms_plain` is the length up to which it does
    not. Longer texts count less by a power: `long_power` for their own words,
    `neighbour_power` for what they lend. The longer a store's texts are, the
    less coverage tells, so `second_of_two` grows with the logarithm of their mean
    length. BM25 has no weight of its own, since coverage has it: it proposes.

    A date weighs `date`, and more the more of the question names a time;
    `date_alone` where it asks for nothing else. Its pull fades after the range
    that was asked for, by `date_days`, at once down to `date_alone_after` where
    nothing else is asked.
    """

    coverage: float = 1.0
    session: float = 0.3
    date: float = 0.3
    date_alone: float = 1.5
    date_alone_after: float = 0.3
    speaker: float = 0.05
    # What every vote together may add or take: less than one word more of the question does.
    feedback: float = 0.1
    # Both tiers where an episode has both vectors, else the first alone.
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
    # As if so many texts without any word of the question were there too: in a store of five, a
    # word that stands in four of them is not yet a common one.
    unseen_texts: int = 5
    # How well a strange word is met by one that is spelt nearly so, and from which likeness on a
    # name that is not here is met by another word; see `tilth.recall.order.strangers`.
    nearly_spelt: float = 0.8
    name_floor: float = 0.5
    date_days: float = 14.0
    window: Mapping[int, float] = field(default_factory=lambda: dict(_WINDOW))
    roles: Mapping[Role, float] = field(default_factory=lambda: dict(_ROLES))

    # From here on two statements count as one (share of terms): said again; or changed since, if
    # both meet the same words of the question and the lesser has this share of the other's score.
    said_again: float = 0.8
    changed_since: float = 0.3
    changed_score: float = 0.9
    same_statement_terms_max: int = 60
    # From which share of what its evidence covers of a question a fact answers as well.
    fact_share: float = 0.9
    # And of what a proposal to replace it covers, which may say the very value that is asked about.
    proposed_share: float = 0.3
    # How many turns speak for their session.
    session_turns: int = 3
    # Lets 95 of 100 questions through that a conversation answers, and stops three of four that
    # were meant for another; see docs/adr/0006-ranking.md.
    answerable_from: float = 0.33
    # What a cosine of the second tier counts where no word tells: one of a half is enough.
    by_meaning: float = 0.66


DEFAULT = Recipe()


@dataclass(frozen=True, slots=True)
class Recaller:
    """What recall works with besides the store; *executor* runs the models beside the searches."""

    first: Embedder
    second: Embedder | None
    lexicon: Lexicon
    clock: Clock
    executor: Executor
    recipe: Recipe = DEFAULT
