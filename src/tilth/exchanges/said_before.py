"""
What a person tells in a second session, about which the first one told nobody: it is borne out.

Who only says how something is may be wrong, and is not relied on. Where the same stands in another
session, typed at another time, there are two sources. The same session, its subagents and its forks
are the first one again; an agent, and a program that hands something over, may have read it; and a
long sentence word for word was copied.
"""

import re
from collections.abc import Iterable, Iterator

from tilth.core.scope import Visibility
from tilth.core.text.tokens import index_terms
from tilth.episodes.episode import SPOKEN, Episode, Quote, Role
from tilth.episodes.filters import EpisodeFilter
from tilth.episodes.lineage import root_of
from tilth.episodes.tables import Episodes
from tilth.exchanges.speech import own_sentences
from tilth.ledger.search import Search
from tilth.ledger.snapshot import Snapshot

# So many messages that share words are read.
_READ_MAX = 20
_COPY_CHARS = 60
# Two sentences that share so much of their words say the same, if they deny, count and name alike.
_SAME = 0.7
_WORD = re.compile(r"[^\s,;()\"\u201c\u201d]+")
_MARK = re.compile(
    r"\d|[`_/@#.]\w|\w[A-Z]|^(?:not?|never|none|nothing|only|without|unless|except|cannot)$|n't$"
)


def said_before(view: Snapshot, text: str, here: Episode, within: Visibility) -> Iterator[Quote]:
    """
    Yield where a person said the same in another session, by their own.

    Args:
        view: Where it is looked for.
        text: A sentence.
        here: The message in which it stands; nothing is found for one that no person typed.
        within: Whose sessions.
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
    """Say whether two sentences say the same, and the longer ones in words of their own."""
    is_copy = len(one) > _COPY_CHARS and one.split() == other.split()
    first, second = _words(one), _words(other)
    shared = len(first & second) / max(1, len(first | second))
    return not is_copy and shared >= _SAME and _marks(first) == _marks(second)


def _words(text: str) -> frozenset[str]:
    return frozenset(word.strip(".:!?*'") for word in _WORD.findall(text)) - {""}


def _marks(words: Iterable[str]) -> frozenset[str]:
    """Return the words that make another statement of it: names, figures, and what denies."""
    return frozenset(word for word in words if _MARK.search(word))
