"""
Rivalry: what sets two names apart, however alike they are.

`db-1` and `db-2`, PostgreSQL 15 and 16, staging and production are never one thing. Each name may
lack such a word, so only two different ones count.
"""

import re

_NUMBER = re.compile(r"\d+")
# As far as rulers, divisions and versions count.
_ROMANS = "i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx"
_ROMAN = {roman: number for number, roman in enumerate(_ROMANS.split(), 1)}
_NEGATIONS = frozenset({"not", "no", "non", "never", "without", "anti", "ex", "former", "un"})
# Words of one line exclude each other; those joined by a slash mean the same.
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
    """Return what sets two names, given by their words, apart; an empty text if nothing does."""
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


def _numbers(words: tuple[str, ...]) -> frozenset[int]:
    arabic = [int(digits) for word in words for digits in _NUMBER.findall(word)]
    # A name does not begin with a Roman number: vi is an editor.
    return frozenset(arabic + [_ROMAN[word] for word in words[1:] if word in _ROMAN])


def _grouped(words: tuple[str, ...]) -> dict[int, str]:
    return dict(_GROUP_OF[word] for word in words if word in _GROUP_OF)


def _shown(numbers: frozenset[int]) -> str:
    return ", ".join(map(str, sorted(numbers)))
