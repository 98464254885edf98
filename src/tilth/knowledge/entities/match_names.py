"""
Match a name with known entities.

Only an equal key identifies an entity without asking a human, only for things, and only if nothing
speaks against it. Everything else is a suggestion to a human, with its reasons. Likeness ranks, and
never decides (DESIGN §4).
"""

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum

from tilth.core.dataclass import dataclass
from tilth.core.text.names import is_confusable, is_plain, name_key
from tilth.knowledge.entities.blocking import parts
from tilth.knowledge.entities.name_likeness import (
    Rarity,
    families_apart,
    given_names_apart,
    likeness,
    parts_apart,
    rivalry,
)

# Types that merge without a human (C-03); an entity without a type fits each.
MERGED_TYPES = frozenset({"tech", "tool", "service", "host", "project"})
UNTYPED = frozenset({"", "thing"})
_PERSON = "person"

SUGGESTIONS_MAX = 5
# The least score of a suggestion: above it more than half are right, below it few
# (`bench.matching`).
FLOOR = 0.2

# Scores that do not come from likeness. Of names with one key some 99 in 100 mean one thing
# (`bench.matching`); the others are by judgement, in the order in which a human should look.
_ONE_KEY = 0.97
_LOOK_ALIKE = 0.9
_OTHER_KIND = 0.7
_ALIASES = 0.8
# The factor for rivals, which keeps their order and puts them below the floor.
_RIVAL = 0.1


class NameMatch(StrEnum):
    """How a name relates to a candidate."""

    EXACT = "exact"
    ALIAS = "alias"
    SUGGESTION = "suggestion"


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    """
    A named entity, as matching sees it.

    `place` is what its name is unique in, such as a host or system.
    """

    id: str
    name: str
    type: str = ""
    aliases: tuple[str, ...] = ()
    place: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """All its names, its own first."""
        return (self.name, *self.aliases)


@dataclass(frozen=True, slots=True)
class Match:
    """A candidate with its probability, from 0 to 1, and the reasons."""

    id: str
    verdict: NameMatch
    score: float
    reason: str


@dataclass(frozen=True, slots=True)
class Decision:
    """What a name means: one candidate for sure, several for a human to choose from, or none."""

    same: Match | None = None
    suggestions: tuple[Match, ...] = ()


def match(
    sought: Named,
    candidates: Sequence[Named],
    *,
    limit: int = SUGGESTIONS_MAX,
    floor: float = FLOOR,
) -> Decision:
    """
    Decide which of *candidates* a name means.

    Args:
        sought: The name, and what is known about its bearer.
        candidates: All with the same key, and the best by blocking.
        limit: The most suggestions.
        floor: The least score of a suggestion.
    """
    others = [one for one in candidates if one.id != sought.id]
    shared = {one.id: borne for one in others if (borne := _borne(sought, one))}
    doubts = {}
    for one in others:
        if one.id in shared:
            doubt = next(_doubts(sought, one, shared), None)
            if doubt is None:
                verdict = shared[one.id].verdict
                return Decision(Match(one.id, verdict, 1.0, _SAME[verdict]))
            doubts[one.id] = Match(one.id, NameMatch.SUGGESTION, *doubt)
    rarity = Rarity(name for one in others for name in one.names)
    found = (doubts.get(one.id) or _suggestion(sought, one, rarity) for one in others)
    best = sorted((one for one in found if one.score >= floor), key=lambda one: -one.score)
    return Decision(suggestions=tuple(best[:limit]))


_SAME = {
    NameMatch.EXACT: "the same name",
    NameMatch.ALIAS: "the name of one is an alias of the other",
}


@dataclass(frozen=True, slots=True)
class _Borne:
    """Two names with one key, as written."""

    verdict: NameMatch
    name: str
    other: str


def _borne(sought: Named, candidate: Named) -> _Borne | None:
    """Return a pair of names with one key; an alias on both sides is only likely."""
    key, other = name_key(sought.name), name_key(candidate.name)
    if key == other:
        return _Borne(NameMatch.EXACT, sought.name, candidate.name)
    for alias in candidate.aliases:
        if name_key(alias) == key:
            return _Borne(NameMatch.ALIAS, sought.name, alias)
    for alias in sought.aliases:
        if name_key(alias) == other:
            return _Borne(NameMatch.ALIAS, alias, candidate.name)
    return None


def _doubts(
    sought: Named, candidate: Named, shared: Mapping[str, _Borne]
) -> Iterator[tuple[float, str]]:
    """Yield why a human must look at two with one key, with scores, lowest first."""
    borne = shared[candidate.id]
    types = sorted({sought.type, candidate.type} - UNTYPED)
    places = {name_key(place) for place in (sought.place, candidate.place) if place}
    is_as_written = borne.name == borne.other
    if len(types) > 1:
        yield _OTHER_KIND, f"the same name, but a {types[0]} and a {types[1]}"
    if len(places) > 1:
        yield _OTHER_KIND, f"the same name, but in {sought.place} and in {candidate.place}"
    if not (is_as_written or (is_plain(borne.name) and is_plain(borne.other))):
        yield _LOOK_ALIKE, "the same name but for hidden or disguised characters"
    if len(shared) > 1:
        yield _ONE_KEY, f"the same name, which {len(shared)} go by"
    if not MERGED_TYPES.issuperset(types):
        yield _ONE_KEY, f"the same name, but only a human says which {types[0]} it is"
    if not types and not is_as_written:
        yield _ONE_KEY, "the same name in another writing, and nobody said what either is"


def _suggestion(sought: Named, candidate: Named, rarity: Rarity) -> Match:
    """Return the probability of a candidate with another key, from the most similar names."""
    score, reason = max(
        _likely(name, other, rarity) for name in sought.names for other in candidate.names
    )
    if rival := _rivalry(sought, candidate):
        score, reason = score * _RIVAL, f"{reason}, but {rival}"
    if len({sought.type, candidate.type} - UNTYPED) > 1:
        score, reason = score / 2, f"{reason}, but a {sought.type} and a {candidate.type}"
    return Match(candidate.id, NameMatch.SUGGESTION, score, reason)


def _rivalry(sought: Named, candidate: Named) -> str:
    """Return what distinguishes two entities by their names; empty if nothing does."""
    if apart := parts_apart(sought.name, candidate.name):
        return apart
    if sought.type == candidate.type == _PERSON:
        told = [
            families_apart(one, two) or given_names_apart(one, two)
            for one in sought.names
            for two in candidate.names
        ]
        if all(told):
            return told[0]
    return rivalry(parts(sought.name).words, parts(candidate.name).words)


def _likely(name: str, other: str, rarity: Rarity) -> tuple[float, str]:
    if name_key(name) == name_key(other):
        return _ALIASES, "an alias of both"
    if is_confusable(name, other):
        return _LOOK_ALIKE, "they look alike, in different letters"
    return likeness(name, other, rarity)
