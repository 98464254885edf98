"""
Decide whether a statement repeats another in other words.

This serves rejections. A false match only asks a human once more, whereas a miss makes something
untrue current; so if words alone cannot tell, it is a repetition. Different values, different
things and negations are distinguished.
"""

import re
from collections.abc import Collection, Sequence
from typing import TypeAlias

from tilth.core.dataclass import dataclass
from tilth.core.text.tokens import stem
from tilth.knowledge.likeness.conflicts import ConflictKind, conflicts
from tilth.knowledge.likeness.parse_statement import TokenKind, read_statement

_CONTRARY = frozenset(
    {ConflictKind.DENIAL, ConflictKind.OPPOSITE, ConflictKind.NUMBER, ConflictKind.TIME}
)
_VALUES = frozenset({TokenKind.NAME, TokenKind.NUMBER, TokenKind.TIME})
# Words about the saying itself.
_ASIDES = """
    said say says saying tell told mention mentioned remember recall note noted repeat repeated
    again still already actually really indeed definitely certainly surely simply currently now
    today nowadays earlier before previously yesterday once more fact matter true truth correct
    right confirm confirmed sure know think believe insist check checked verified verify please
    remind reminder fyi btw clearly obviously course usual user human according as-is though
    anyway however well listen look see new always ever long finally turns turned
"""
# Words that join a thing to its value, in one way or another.
_JOINING = """
    use used using run runs be live lives sit sits stay stays work works go goes set keep kept have
    get gets make made listen listens listening serve serves serving locate located location find
    found reach reached reachable address ip host hosted value name named call called choose chose
    chosen pick picked decide decided decision switch switched move moved change changed become
    became stand stands answer answers answering respond responds expose exposed bind bound
    available lie lies reside resides exist exists happen happens own owned hold put assign assigned
    point points resolve resolves return returns number url endpoint version default setting main
    prefer prefers preferred like likes love loves enjoy want wants favour favor rely relies based
    build built store stored stores config configured configure adopt adopted employ employed
    belong belongs
"""
_PAST = (
    re.compile(r"\bfrom\s+\S+(?:\s+\S+){0,4}?\s+(?=to\b)", re.IGNORECASE),
    re.compile(r"\breplac\w*\s+\S+(?:\s+\S+){0,2}?\s+(?=(?:by|with)\b)", re.IGNORECASE),
)
# Names of things, each as its terms.
_Names: TypeAlias = Sequence[Sequence[frozenset[str]]]
# The most further terms of a repetition.
_MORE_MAX = 6


def _terms_of(words: str) -> frozenset[str]:
    return frozenset(map(stem, words.split()))


_ASIDE, _JOINS = _terms_of(_ASIDES), _terms_of(_JOINING)


@dataclass(frozen=True, slots=True)
class Claim:
    """
    A statement for comparison: its text and, if it is a triple, its subject and value.

    `place` is the narrowest thing that it is filed under: a component, or else a system.
    """

    text: str
    subject: str = ""
    value: str = ""
    place: str = ""

    @property
    def all_words(self) -> str:
        """All of its words."""
        return ". ".join(filter(None, (self.text, self.subject, self.value, self.place)))


def says_again(new: Claim, old: Claim, shared: Sequence[Collection[str]] = ()) -> bool:
    """
    Say whether *new* repeats *old*.

    Args:
        new: The new statement.
        old: The earlier statement.
        shared: The names of each thing that both are about; either may use any of them.
    """
    names = [[_terms(name) for name in thing] for thing in shared]
    if new.value and old.value:
        ends = ((new.subject, old.subject), (new.value, old.value))
        is_again = all(_is_same(_terms(one), _terms(other), names) for one, other in ends)
    else:
        is_again = _repeats(new, old, names)
    # This check takes longest, and few pairs reach it.
    return is_again and not is_contrary(new.text, old.text)


def is_contrary(one: str, other: str) -> bool:
    """Say whether two statements differ in a negation, an opposite, a number or a time."""
    found = conflicts(read_statement(one), read_statement(other))
    return any(conflict.kind in _CONTRARY for conflict in found)


def _repeats(new: Claim, old: Claim, names: _Names) -> bool:
    said, known = _by_any_name(_terms(_present(new)), names), _terms(old.all_words)
    common = frozenset(term for thing in names for name in thing for term in name)
    required = _required(old, common)
    missing = required - said - _terms(new.place)
    own = (_terms(f"{new.subject}. {new.value}") if new.value else said) - common - _JOINS
    more = own - known
    if not missing:
        return len(more) <= _MORE_MAX
    if missing <= _JOINS:
        return not more
    # It says less, and nothing else.
    enough = 2 * len(own) >= len(required - _JOINS)
    return bool(own) and not more and enough and not missing & _values(old.text)


def _required(old: Claim, common: frozenset[str]) -> frozenset[str]:
    """Return the terms that a repetition of *old* must contain, without *common* ones."""
    if old.value:
        return (_terms(old.subject) - common) | _terms(old.value)
    said = _terms(old.text)
    of_what = said - _values(old.text) - _JOINS
    if not of_what and not said & common:
        said |= _terms(old.place)
    return said - common or said


def _present(claim: Claim) -> str:
    """Return the words of *claim* without what it says is over."""
    text = claim.text
    for past in _PAST:
        text = past.sub(" ", text)
    return ". ".join(filter(None, (text, claim.subject, claim.value)))


def _is_same(one: frozenset[str], other: frozenset[str], names: _Names) -> bool:
    if (one - _JOINS or one) == (other - _JOINS or other):
        return True
    return any(one in thing and other in thing for thing in names)


def _by_any_name(said: frozenset[str], names: _Names) -> frozenset[str]:
    """Return the terms of *said*, with all names of the things it names."""
    named = (thing for thing in names if any(name and name <= said for name in thing))
    return said.union(*(name for thing in named for name in thing))


def _terms(text: str) -> frozenset[str]:
    return read_statement(text).whole.terms - _ASIDE


def contains_values(text: str, statement: str) -> bool:
    """Say whether a text contains every name, number and time of a statement."""
    return _values(statement) <= read_statement(text).whole.terms


def _values(text: str) -> frozenset[str]:
    return read_statement(text).whole.of(*_VALUES)
