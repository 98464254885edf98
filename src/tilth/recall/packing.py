"""Fit an answer into a budget: snippets, and whole hits while there is room."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import TypeVar

from tilth.core.text.pattern import pattern
from tilth.core.text.tokens import index_terms

SNIPPET_WORDS = 40
# English prose has some four characters a token, and code fewer. Other alphabets have about two,
# and Chinese, Japanese and Korean mostly one.
CHARS_PER_TOKEN = 4
_ALPHABETS = "\0\u0370\u1100\u1200\u2e80\ud800\uf900\ufb00\uff00\ufff0\U00020000\U00040000"
# For ranges of characters, how many further characters each counts as.
_MORE = (0, 1, 3, 0, 3, 0, 3, 0, 3, 0, 3, 0)
_WORD = pattern(r"\S+")

_Item = TypeVar("_Item")


def token_estimate(text: str) -> int:
    """Return an estimate of a language model's tokens for *text*."""
    fourths = len(text)
    if not text.isascii():
        fourths += sum(
            count * _MORE[bisect_right(_ALPHABETS, char) - 1]
            for char, count in Counter(text).items()
        )
    return -(-fourths // CHARS_PER_TOKEN)


def beginning(text: str, tokens: int) -> str:
    """Return the beginning of *text* that fits into *tokens*."""
    kept = text[: max(0, tokens) * CHARS_PER_TOKEN]
    while (cost := token_estimate(kept)) > tokens:
        kept = kept[: len(kept) * tokens // cost]
    return kept


def snippet(text: str, terms: Iterable[str]) -> str:
    """Return a few words of *text* around most of *terms*, cut at words."""
    found = text.split()
    if len(found) <= SNIPPET_WORDS:
        return text.strip()
    wanted = frozenset(terms)
    # Most words of a text occur more than once.
    met_by = {word: wanted.intersection(index_terms(word)) for word in {*found}}
    begin = _best_begin([met_by[word] for word in found], SNIPPET_WORDS)
    shown = [*islice(_WORD.finditer(text), begin, begin + SNIPPET_WORDS)]
    cut = text[shown[0].start() : shown[-1].end()]
    return f"{'… ' if begin else ''}{cut}{' …' if begin + SNIPPET_WORDS < len(found) else ''}"


def packed(items: Sequence[_Item], costs: Sequence[int], budget: int) -> list[_Item]:
    """
    Return the first of *items* whose costs fit into *budget*; 0 means no limit.

    The first item that does not fit ends the packing, so that no worse one takes its place.
    """
    if budget <= 0:
        return list(items)
    kept, spent = [], 0
    for item, cost in zip(items, costs, strict=True):
        spent += cost
        if spent > budget:
            break
        kept.append(item)
    return kept


def _best_begin(met: Sequence[frozenset[str]], size: int) -> int:
    """Return the start of the window with most distinct terms, then with most terms."""
    inside: Counter[str] = Counter()
    best, first, last, total = (-1, -1), 0, 0, 0
    for end, terms in enumerate(met):
        for one in terms:
            inside[one] += 1
        total += len(terms)
        begin = end - size + 1
        if begin < 0:
            continue
        worth = (len(inside), total)
        if worth > best:
            best, first, last = worth, begin, begin
        elif worth == best and begin == last + 1:
            last = begin
        for one in met[begin]:
            inside[one] -= 1
            if not inside[one]:
                del inside[one]
        total -= len(met[begin])
    # Put the match in the middle.
    return (first + last) // 2 if best[0] else 0
