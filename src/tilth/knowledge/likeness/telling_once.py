"""Telling each thing once: what shares most of its words with something before it is left out."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from tilth.core.text.tokens import index_terms

T = TypeVar("T")


def distinct(
    items: Iterable[T], text: Callable[[T], str], *, same: float, told: Iterable[str] = ()
) -> list[T]:
    """
    Return *items* without those that share more than *same* of their terms with one before.

    What is *told* stands before all of them.
    """
    kept: list[T] = []
    known = [frozenset(index_terms(one)) for one in told]
    for one in items:
        terms = frozenset(index_terms(text(one)))
        if not any(len(terms & other) > same * len(terms | other) for other in known):
            kept.append(one)
            known.append(terms)
    return kept
