"""
What this server showed is known again when it is told back.

An agent that repeats what it has just recalled adds no evidence, however often
it does so (I24).
"""

import hashlib
from collections import OrderedDict
from threading import Lock

from tilth.core.ids import EpisodeId
from tilth.core.scope import Scope

_KNOWN_MAX = 10_000
_ELLIPSIS = "…"


class Echoes:
    """The words that were shown last, by their digest and scope, and the episodes they are of."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._known: OrderedDict[tuple[bytes, Scope], EpisodeId] = OrderedDict()

    def shown(self, episode_id: EpisodeId, scope: Scope, *texts: str) -> None:
        """Keep in mind that the episode was shown in these forms."""
        with self._lock:
            for text in texts:
                self._known[_digest(text), scope] = episode_id
                self._known.move_to_end((_digest(text), scope))
            while len(self._known) > _KNOWN_MAX:
                self._known.popitem(last=False)

    def find(self, text: str, scope: Scope) -> EpisodeId | None:
        """Return the episode of which *text* is an echo in *scope*; None if it is something new."""
        with self._lock:
            return self._known.get((_digest(text), scope))


def _digest(text: str) -> bytes:
    # Agents re-wrap what they copy; the words and their order stay.
    words = text.replace(_ELLIPSIS, " ").split()
    return hashlib.sha256(" ".join(words).encode("utf-8", "surrogatepass")).digest()
