"""
Estimate the probability that two names mean the same, and what distinguishes them.

A logistic regression weighs six measures. It was fitted to the candidates of 13 sets of names, a
fifth of them misspelt on purpose (ADR 12), so a score is near the share of pairs with that score
that are right. One configuration serves all types of entity.

`db-1` and `db-2`, PostgreSQL 15 and 16, staging and production are never one thing, however
similar. Either name may lack such a word, so only two different ones count.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable
from collections.abc import Set as AbstractSet

from tilth.core.text.given_names import are_of_two
from tilth.core.text.names import is_confusable
from tilth.core.text.urn import is_urn, node_key, part_key
from tilth.knowledge.entities.blocking import Parts, parts

_BIAS = -8.14
_GRAMS = 8.62
_COVERED = 1.53
_COVERING = 1.37
_EDITS = 4.93
_JOINED = 5.14
_INITIALS = 7.71

# Names that differ in more than this share of letters count as entirely different.
_EDITED_MAX = 1 / 3
_SPELLED_ALIKE = 0.2
_SHOWN_WORDS_MAX = 4


class Rarity:
    """Weights of shared words or runs of characters: the rarer, the higher."""

    def __init__(self, names: Iterable[str]) -> None:
        taken = [parts(name) for name in names]
        self._total = len(taken) + 1
        self._counts = Counter(run for apart in taken for run in (*apart.grams, *_marked(apart)))

    def share(self, runs: AbstractSet[str], others: AbstractSet[str]) -> float:
        """Return the weighted share of the first set that is in the second."""
        return self._weight(runs & others) / (self._weight(runs) or 1.0)

    def cosine(self, runs: AbstractSet[str], others: AbstractSet[str]) -> float:
        """Return the weighted cosine of two sets."""
        return math.sqrt(self.share(runs, others) * self.share(others, runs))

    def _weight(self, runs: AbstractSet[str]) -> float:
        # In a fixed order, on which sums of floats depend.
        return sum(math.log1p(self._total / (self._counts[run] + 1)) ** 2 for run in sorted(runs))


def likeness(name: str, other: str, rarity: Rarity) -> tuple[float, str]:
    """
    Return the probability that two names mean the same (0 to 1), and the reason.

    *name* is sought, *other* is a candidate's; *rarity* is that of all candidates.
    """
    from rapidfuzz.distance import OSA  # noqa: PLC0415 - many know names, few compare them

    mine, theirs = parts(name), parts(other)
    words, others = _marked(mine), _marked(theirs)
    edited = OSA.normalized_distance(" ".join(sorted(mine.words)), " ".join(sorted(theirs.words)))
    is_joined = mine.joined == theirs.joined
    is_initials = mine.joined in theirs.initials or theirs.joined in mine.initials
    evidence = (
        _BIAS
        + _GRAMS * rarity.cosine(mine.grams, theirs.grams)
        + _COVERED * rarity.share(words, others)
        + _COVERING * rarity.share(others, words)
        + _EDITS * max(0.0, 1 - edited / _EDITED_MAX)
        + _JOINED * is_joined
        + _INITIALS * is_initials
    )
    if is_joined:
        reason = "the same but for what parts its words"
    elif is_initials:
        reason = "one is the initials of the other"
    elif edited <= _SPELLED_ALIKE:
        reason = "spelled alike"
    else:
        shared = [word for word in dict.fromkeys(mine.words) if word in theirs.words]
        named = ", ".join(map(repr, shared[:_SHOWN_WORDS_MAX])) or "parts of words"
        reason = f"{named} in common"
    return 1 / (1 + math.exp(-evidence)), reason


def _marked(apart: Parts) -> frozenset[str]:
    # Keep words apart from runs of characters with the same letters.
    return frozenset(f":{word}" for word in apart.words)


_FULL_NAME_WORDS = 2
# What follows a name says where its bearer works, or what they are; a comma may follow a family
# name.
_BESIDE = re.compile(r"(?<=\S)\s*(?:[(\[{|/@,]|\s[-\u2013\u2014]\s)")
_NUMBER = re.compile(r"\d+")
# Up to the numbers of rulers, divisions and versions.
_ROMANS = "i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx"
_ROMAN = {roman: number for number, roman in enumerate(_ROMANS.split(), 1)}
_NEGATIONS = frozenset({"not", "no", "non", "never", "without", "anti", "ex", "former", "un"})
# Words on one line exclude each other; those joined by a slash mean the same.
_GROUPS = """
    north/northern south/southern east/eastern west/western
    dev/development test/testing/qa staging/stage prod/production/live
    men/mens/male/boys women/womens/female/girls/ladies
    primary/master/leader replica/secondary/standby/slave/follower
    internal/inner external/outer
    upper lower
    left right
    read/reader write/writer
    input output
    public private
    client server
    frontend backend
    local remote
    source target
    old new
    first/1st second/2nd third/3rd fourth/4th fifth/5th
    junior senior
    summer winter
    minimum/min maximum/max
    alpha beta
    debug release
    singles doubles
"""
_GROUP_OF = {
    word: (group, alike.split("/")[0])
    for group, line in enumerate(_GROUPS.split("\n"))
    for alike in line.split()
    for word in alike.split("/")
}


def rivalry(words: tuple[str, ...], others: tuple[str, ...]) -> str:
    """Return what distinguishes two names, given by their words; empty if nothing does."""
    mine, theirs = _numbers(words), _numbers(others)
    if mine - theirs and theirs - mine:
        return f"number {_shown(mine - theirs)} is not {_shown(theirs - mine)}"
    grouped = _grouped(others)
    for group, word in _grouped(words).items():
        if grouped.get(group, word) != word:
            return f"{word} is not {grouped[group]}"
    if denied := _NEGATIONS & (set(words) ^ set(others)):
        return f"only one of them says {min(denied)!r}"
    return ""


def parts_apart(name: str, other: str) -> str:
    """
    Return what distinguishes a URN from another of the same thing; empty if nothing does.

    A thing is no part of itself, and two of its parts are apart unless they are spelled alike.
    """
    from rapidfuzz.distance import OSA  # noqa: PLC0415 - many know names, few compare them

    if not is_urn(name) or node_key(name) != node_key(other) or is_confusable(name, other):
        return ""
    mine, theirs = part_key(name), part_key(other)
    if not (mine and theirs):
        return "one is a part of the other" if mine or theirs else ""
    part, another = (key.removeprefix(node_key(name)) for key in (mine, theirs))
    if OSA.normalized_distance(part, another) <= _SPELLED_ALIKE:
        return ""
    return f"{part!r} is not {another!r}"


def families_apart(name: str, other: str) -> str:
    """
    Return the family names that distinguish two persons; empty if none do.

    Both are full names that share a word, such as a first name, and neither family name is in the
    other name or spelt like a word of it.
    """
    mine, theirs = parts(name).words, parts(other).words
    if min(len(mine), len(theirs)) < _FULL_NAME_WORDS or not set(mine) & set(theirs):
        return ""
    family, another = _family(name), _family(other)
    if any(_is_spelled_alike(family, word) for word in theirs) or any(
        _is_spelled_alike(another, word) for word in mine
    ):
        return ""
    return f"{family!r} is not {another!r}"


def given_names_apart(name: str, other: str) -> str:
    """
    Return the given names that distinguish two persons; empty if none do.

    All of both must be known, and none may be a short form or misspelling of the other's.
    """
    mine, theirs = _given_names(name), _given_names(other)
    pairs = [(one, another) for one in mine for another in theirs]
    if not pairs or not all(
        are_of_two(one, another) and not _is_spelled_alike(one, another) for one, another in pairs
    ):
        return ""
    return f"{mine[0]!r} is not {theirs[0]!r}"


def _given_names(name: str) -> tuple[str, ...]:
    """Return the given names of a full name: `Ana` of `Ana Pop (Acme)` and `Pop, Ana`."""
    full, *rest = (parts(one).words for one in _BESIDE.split(name))
    return full[:-1] or (rest[0] if rest else ())


def _family(name: str) -> str:
    """Return the family name of a full name: `Pop` of `Ana Pop (Acme)` and `Pop, Ana`."""
    last = parts(_BESIDE.split(name, maxsplit=1)[0]).words or parts(name).words
    return last[-1]


def _is_spelled_alike(word: str, other: str) -> bool:
    """Say whether two words may be one, misspelt or abbreviated to an initial."""
    from rapidfuzz.distance import OSA  # noqa: PLC0415 - many know names, few compare them

    if 1 in {len(word), len(other)}:
        return word[0] == other[0]
    edits = OSA.distance(word, other)
    return edits <= max(1, _SPELLED_ALIKE * max(len(word), len(other)))


def _numbers(words: tuple[str, ...]) -> frozenset[int]:
    arabic = [int(digits) for word in words for digits in _NUMBER.findall(word)]
    # A name does not begin with a Roman numeral: vi is an editor.
    return frozenset(arabic + [_ROMAN[word] for word in words[1:] if word in _ROMAN])


def _grouped(words: tuple[str, ...]) -> dict[int, str]:
    return dict(_GROUP_OF[word] for word in words if word in _GROUP_OF)


def _shown(numbers: frozenset[int]) -> str:
    return ", ".join(map(str, sorted(numbers)))
