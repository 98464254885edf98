"""Find words whose spelling differs from another by a slip."""

from collections.abc import Iterable
from difflib import get_close_matches

# The most letters by which lengths differ; the first letter must agree, since comparing with a
# whole vocabulary takes 30 ms.
_LETTERS = 2


def spelt_like(word: str, others: Iterable[str], *, ratio: float, count: int = 1) -> list[str]:
    """
    Return those of *others* that are spelt most like *word*, the nearest first.

    Args:
        word: What may be misspelt; not empty.
        others: Words, none of them empty.
        ratio: The least share of letters in order that both have, from 0 to 1; see `difflib`.
        count: So many at the most.
    """
    near = [one for one in others if one[0] == word[0] and abs(len(one) - len(word)) <= _LETTERS]
    return get_close_matches(word, near, count, ratio)
