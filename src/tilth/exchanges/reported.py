"""
What agents reported that is worth telling in another session: whole sentences, by their words.

Causes, limits and how things are stand in reports alone. An agent may be wrong, so a sentence is
told as reported, with its date, and not at all if somebody doubted the report or took back what it
tells of.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from tilth.core.text.pattern import pattern
from tilth.core.text.tokens import index_terms
from tilth.episodes.episode import Role
from tilth.exchanges.model import Exchange
from tilth.exchanges.passage import passages
from tilth.exchanges.speech import passes, supposes
from tilth.exchanges.worth import announces, without_nod, worth

# Advice, what is to come and what only may be: none of it is how something is.
_NOT_SO_YET = pattern(
    r"\b(?:will|should|would|could|might|may|can now|you can|you'?ll|i'?ll|next (?:phase|step)|once"
    r"|likely|probably|possibl[ey]|seems?)\b",
    re.IGNORECASE,
)
# How far the work is: "✅ Types fixed", "Status: done", "Progress update".
_OF_THE_HOUR = pattern(
    r"\W*(?:progress|summary|note|best practices|status|results?)\b|.*[✅❌🎉🎯]", re.IGNORECASE
)
# What the agent is about, and what it takes up from the sentence before.
_UNDER_WAY = pattern(
    r"\W*(?:(?:looking at|investigating|examining|checking|verifying|tracing|reading)\b"
    r"|i(?:'m| am) \w+ing\b|i (?:need|have) to\b|the user (?:wants?|asked|is)\b"
    # What the agent was asked for is a person's word, and told as that.
    r"|(?:so )?you(?:'d| would)? (?:want(?:ed)?|asked|requested|mentioned|like)\b"
    r"|the (?:goal|plan|idea|task|aim) is to\b"
    r"|(?:however,? )?there (?:is|are) (?:still |several |some |a few )?(?:\w+ )?"
    r"(?:error|issue|problem)s?\b"
    r"|(?:it|this|that|they|these|those)\b|(?:fixed|changed|updated|solution|problem solved):)",
    re.IGNORECASE,
)
# What leads on to a list that is not told with it, and what a host writes of a tool.
_LEADS_ON = pattern(
    r"(?::|\b(?:either|following|as follows|below))\W*$|^\W*here(?:'s| is| are)\b|</?[a-z]+>",
    re.IGNORECASE,
)
# An item that only names a thing, and what that is about: "Detailed rules covering A, B and C".
_NAMES_ONLY = pattern(
    r"\W*(?:an? |the )?(?:[\w-]+ ){1,4}(?:covering|explaining|describing|for|of|with|about|to)\b"
    r"(?!.*\b(?:is|are|was|were|has|have|had|does|do|did|can|must|cannot|\w+n't)\b)",
    re.IGNORECASE,
)
_NAMES_A_LINK = pattern(r"\]\(|https?://")
# What is longer is a review or a plan; and so much is read in all, for a brief must not wait.
_REPORT_CHARS, _READ_CHARS = 4_000, 24_000
# A shorter one is a heading or a nod, a longer one a plan.
_CHARS = range(40, 301)
# So much of one exchange is told; its card has the rest.
_OF_ONE = 2
# Two sentences that share more of the terms of the shorter one say the same.
_SAME = 0.5


class Reported(NamedTuple):
    """
    A sentence of a report with what belongs to it.

    How likely the sentence itself is worth telling is from 0 to 1.
    """

    text: str
    exchange: Exchange
    worth: float


def reported(work: Iterable[Exchange], told: Iterable[str], *, least: float) -> list[Reported]:
    """
    Return what reports of *work* say, what is worth most first, the newer before the older.

    Args:
        work: Exchanges, the newest first.
        told: What is told anyhow: what says the same is left out.
        least: How likely a sentence must be worth telling.
    """
    found = [
        Reported(whole, one, weight)
        for one, report in _read(work)
        for text, whole in _sentences(report)
        if (weight := worth(text, Role.ASSISTANT)) >= least
    ]
    return list(_distinct(sorted(found, key=lambda one: -one.worth), told))


def _read(work: Iterable[Exchange]) -> Iterator[tuple[Exchange, str]]:
    """Yield what may be told of, each with as much of its report as is read."""
    left = _READ_CHARS
    for one in work:
        if left > 0 and not (one.is_doubted or one.is_taken_back):
            most = min(left, _REPORT_CHARS)
            left -= len(one.report[:most])
            # Of a line that breaks off nothing is told.
            is_whole = len(one.report) <= most
            yield one, one.report if is_whole else one.report[:most].rpartition("\n")[0]


def _sentences(report: str) -> Iterator[tuple[str, str]]:
    """Yield the sentences that may be told, each with what belongs to it."""
    for one in passages(report, Role.ASSISTANT):
        text = without_nod(one.alone)
        is_part = one.sentence.is_item and not text.endswith(".") and _NAMES_ONLY.match(text)
        if len(text) in _CHARS and not (is_part or _is_of_no_use(text)):
            yield text, without_nod(one.whole)


def _is_of_no_use(text: str) -> bool:
    if (
        _UNDER_WAY.match(text)
        or _OF_THE_HOUR.match(text)
        or _LEADS_ON.search(text)
        or _NAMES_A_LINK.search(text)
        or _NOT_SO_YET.search(text)
    ):
        return True
    return passes(text) or announces(text) or supposes(text)


def _distinct(found: Sequence[Reported], told: Iterable[str]) -> Iterator[Reported]:
    known = [frozenset(index_terms(one)) for one in told]
    count: Counter[str] = Counter()
    for one in found:
        terms = frozenset(index_terms(one.text))
        if count[one.exchange.id] < _OF_ONE and not any(_is_same(terms, each) for each in known):
            count[one.exchange.id] += 1
            known.append(terms)
            yield one


def _is_same(one: frozenset[str], other: frozenset[str]) -> bool:
    return len(one & other) > _SAME * min(len(one), len(other))
