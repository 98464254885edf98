"""Pairs of words that cannot both be true of one thing at one time."""

from collections import defaultdict
from itertools import product

from tilth.core.text.tokens import stem

# Chosen by hand: states of machines and work, and common pairs of English. Each word on one side is
# opposed to each on the other.
_SIDES = (
    ("enabled enable up running active online started healthy working works on",
     "disabled disable down stopped inactive offline broken failing unhealthy off"),
    ("open opened", "closed close"),
    ("allowed allow permitted accepted accept approved approve",
     "forbidden denied deny blocked block rejected reject refused refuse"),
    ("enjoy like love prefer fond avid", "dislike hate detest avoid"),
    ("support supporter advocate proponent favour favor",
     "oppose opposed opponent critic against"),
    ("increase raise raised grow grew rise rose expand", "decrease reduce lower fall fell shrink"),
    ("same together jointly", "different separate separately apart"),
    ("always often regularly frequently", "never rarely seldom hardly"),
    ("many several multiple various", "one single"),
    ("succeed succeeded pass win won success", "fail failed lose lost failure"),
    ("install installed add added keep kept", "remove removed uninstall delete deleted drop"),
    ("join joined", "leave left quit resigned"),
    ("married", "single divorced unmarried"),
    ("alive", "dead died"),
    ("public", "private"),
    ("required mandatory", "optional"),
    ("before", "after"),
    ("older elder", "younger"),
    ("indoors indoor", "outdoors outdoor"),
    ("true", "false"),
    ("inside internal", "outside external"),
    ("manual manually", "automatic automatically automated"),
    ("encrypted", "unencrypted plaintext"),
    ("primary", "secondary replica standby"),
)  # fmt: skip
_PREFIXES = ("un", "dis", "non", "in", "im", "ir")
# In characters, so that "disk" is not the opposite of "k".
_PREFIXED_CHARS_MIN = 4


def _opposites() -> dict[str, frozenset[str]]:
    found: defaultdict[str, set[str]] = defaultdict(set)
    for left, right in _SIDES:
        for one, other in product(map(stem, left.split()), map(stem, right.split())):
            found[one].add(other)
            found[other].add(one)
    return {term: frozenset(others) for term, others in found.items()}


_OPPOSITES = _opposites()


def are_opposite(one: str, other: str) -> bool:
    """Say whether two stems are opposites."""
    if other in _OPPOSITES.get(one, ()):
        return True
    short, long = (one, other) if len(one) < len(other) else (other, one)
    is_prefixed = len(short) >= _PREFIXED_CHARS_MIN and long.endswith(short)
    return is_prefixed and long.removesuffix(short) in _PREFIXES
