"""
Find where a person said the same in another session, which corroborates it.

A single statement of how something is may be wrong, and is not relied on. If a person typed the
same in another session, at another time, there are two sources. Subagents and forks of the session
do not count as others; nor do agents and programs, which may have read it; nor does a long sentence
that is the same word for word, since it was copied.
"""

import re
from collections.abc import Iterable, Iterator

from tilth.core.scope import Visibility
from tilth.core.text.tokens import index_terms
from tilth.episodes.episode import SPOKEN, Episode, Quote, Role
from tilth.episodes.filters import EpisodeFilter
from tilth.episodes.lineage import root_of
from tilth.episodes.tables import Episodes
from tilth.exchanges.sentences import own_sentences
from tilth.ledger.search import Search
from tilth.ledger.snapshot import Snapshot

# The most messages with shared words that are read.
_READ_MAX = 20
_COPY_CHARS = 60
# Two sentences say the same if they share this part of their words and agree in negations, figures
# and names.
_SAME = 0.7
_WORD = re.compile(r"[^\s,;()\"\u201c\u201d]+")
_MARK = re.compile(
    r"\d|[`_/@#.]\w|\w[A-Z]|^(?:not?|never|none|nothing|only|without|unless|except|cannot)$|n't$"
)


def quotes_elsewhere(
    view: Snapshot, text: str, here: Episode, within: Visibility
) -> Iterator[Quote]:
    """
    Yield the places where the same person said the same in another session.

    Args:
        view: The snapshot that is searched.
        text: A sentence.
        here: The message with that sentence; nothing is found unless a person typed it.
        within: The owner and scopes that may be read.
    """
    if here.session_id is None or not here.is_persons:
        return
    own = root_of(view, here.session_id, within)
    which = EpisodeFilter(within=within, kinds=SPOKEN)
    near = Search(view).lexical(index_terms(text), which, limit=_READ_MAX)
    for episode in Episodes(view).at([scored.seq for scored in near], within):
        if episode.occurred_at == here.occurred_at or not episode.is_persons:
            continue
        said = [one.text for one in own_sentences(episode.text, Role.USER)]
        same = [one for one in said if _is_same(text, one)]
        if same and episode.session_id and root_of(view, episode.session_id, within) != own:
            yield from (Quote(episode.id, one) for one in same)


def _is_same(one: str, other: str) -> bool:
    """Say whether two sentences say the same; longer ones must differ in wording."""
    is_copy = len(one) > _COPY_CHARS and one.split() == other.split()
    first, second = _words(one), _words(other)
    shared = len(first & second) / max(1, len(first | second))
    return not is_copy and shared >= _SAME and _marks(first) == _marks(second)


def _words(text: str) -> frozenset[str]:
    return frozenset(word.strip(".:!?*'") for word in _WORD.findall(text)) - {""}


def _marks(words: Iterable[str]) -> frozenset[str]:
    """Return the words that decide what a sentence states: names, figures and negations."""
    return frozenset(word for word in words if _MARK.search(word))
