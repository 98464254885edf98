"""
A local-first memory and knowledge brain for AI agents.

    brain = tilth.connect("tilth.db", create=True)
    brain.remember("We chose PostgreSQL for the ledger.", session_id="planning")
    brain.recall("Which database did we choose?")

The names below load on first use, so that importing the package costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # What `__getattr__` resolves, for those who read types.
    from tilth.app import Brain as Brain
    from tilth.bootstrap import connect as connect
    from tilth.domain.episode import Episode as Episode
    from tilth.domain.episode import EpisodeDraft as EpisodeDraft
    from tilth.domain.session import SessionInfo as SessionInfo
    from tilth.errors import TilthError as TilthError
    from tilth.surfaces.memory_tool import MemoryTool as MemoryTool

_HOMES = {
    "Brain": "tilth.app",
    "Episode": "tilth.domain.episode",
    "EpisodeDraft": "tilth.domain.episode",
    "MemoryTool": "tilth.surfaces.memory_tool",
    "SessionInfo": "tilth.domain.session",
    "TilthError": "tilth.errors",
    "connect": "tilth.bootstrap",
}
__all__ = sorted(_HOMES)  # noqa: PLE0605 - a list of strings all the same
__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'tilth' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
