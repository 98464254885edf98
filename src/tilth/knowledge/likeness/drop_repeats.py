"""
Leave out texts that share most of their words with an earlier one.

A text that names another thing, or negates it, is kept (`tilth.knowledge.likeness.distinguish`).
"""

from collections.abc import Callable, Iterable
from typing import TypeVar

from tilth.core.text.pattern import pattern
from tilth.core.text.tokens import index_terms

T = TypeVar("T")
# Asides in brackets.
_ASIDE = pattern(r"\([^()]*\)|\uff08[^\uff08\uff09]*\uff09")


def distinct(
    items: Iterable[T], text: Callable[[T], str], *, same: float, told: Iterable[str] = ()
) -> list[T]:
    """
    Return *items* without those that share more than *same* of their terms with an earlier one.

    *told* texts come before all of them.
    """
    kept: list[T] = []
    known = [(one, frozenset(index_terms(one))) for one in told]
    for one in items:
        said = text(one)
        terms = frozenset(index_terms(said))
        alike = (other for other, its in known if len(terms & its) > same * len(terms | its))
        if all(_are_of_two(said, other) for other in alike):
            kept.append(one)
            known.append((said, terms))
    return kept


def drop_contained(
    items: Iterable[T], text: Callable[[T], str], *, share: float, told: Iterable[str] = ()
) -> list[T]:
    """
    Return *items* without those that an earlier one contains by more than *share*.

    *told* texts come before all of them. Asides in brackets do not count.
    """
    known = [_without_asides(one) for one in told]
    kept: list[T] = []
    for one in items:
        said, terms = _without_asides(text(one))
        wholes = (other for other, its in known if len(terms & its) > share * len(terms))
        if all(_are_of_two(said, other) for other in wholes):
            kept.append(one)
            known.append((said, terms))
    return kept


def _without_asides(text: str) -> tuple[str, frozenset[str]]:
    said = _ASIDE.sub(" ", text)
    return said, frozenset(index_terms(said))


def _are_of_two(one: str, other: str) -> bool:
    # Few texts are so similar, and this import takes long.
    from tilth.knowledge.likeness.distinguish import are_distinct  # noqa: PLC0415

    return are_distinct(one, other)
