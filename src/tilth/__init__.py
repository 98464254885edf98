"""
A local-first memory and knowledge brain for AI agents.

    brain = tilth.connect("tilth.db", create=True)
    brain.remember("We chose PostgreSQL for the ledger.", session_id="planning")
    brain.recall("Which database did we choose?")

The names below load on first use, so that importing the package costs nothing.
"""

from importlib import import_module

TYPE_CHECKING = False  # What type checkers know as true; `typing` takes as long as all else here.
if TYPE_CHECKING:  # What `__getattr__` resolves, for those who read types.
    from tilth.context.model import BriefRequest as BriefRequest
    from tilth.core.actor import Human as Human
    from tilth.core.errors import TilthError as TilthError
    from tilth.episodes.episode import Episode as Episode
    from tilth.episodes.episode import EpisodeDraft as EpisodeDraft
    from tilth.episodes.session import SessionInfo as SessionInfo
    from tilth.interfaces.memory_tool import MemoryTool as MemoryTool
    from tilth.runtime.brain import Brain as Brain
    from tilth.runtime.connect import connect as connect

_HOMES = {
    "Brain": "tilth.runtime.brain",
    "BriefRequest": "tilth.context.model",
    "Episode": "tilth.episodes.episode",
    "EpisodeDraft": "tilth.episodes.episode",
    "Human": "tilth.core.actor",
    "MemoryTool": "tilth.interfaces.memory_tool",
    "SessionInfo": "tilth.episodes.session",
    "TilthError": "tilth.core.errors",
    "connect": "tilth.runtime.connect",
}
__all__ = sorted(_HOMES)  # noqa: PLE0605 - a list of strings all the same
__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'tilth' has no attribute {name!r}")
    if name != "TilthError":
        import_module("tilth.core.io.operating_system").check_system()
    return getattr(import_module(_HOMES[name]), name)
