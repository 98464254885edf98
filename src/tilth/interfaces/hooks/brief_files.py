"""
The briefs that stand in while no worker answers: one file for each folder in use.

They are written when nothing else waits, once in a while, and only if anything
was recorded since.
"""

import time
from dataclasses import field

from tilth.agents.state_folder import StateFolder
from tilth.context.model import BriefRequest
from tilth.core.clock import Clock
from tilth.core.dataclass import dataclass
from tilth.core.io.projects import scope_of_folder
from tilth.runtime.brain import Brain
from tilth.runtime.stages import StageRun

FOLDERS_MAX = 20
_SESSIONS_READ = 200
AGAIN_S = 60.0


@dataclass(slots=True)
class BriefFiles:
    """Keeps them up to date. `cursor` is the place up to which they tell what was recorded."""

    brain: Brain
    state: StateFolder
    clock: Clock
    cursor: str = field(default="", init=False)
    looked_at: float = field(default=float("-inf"), init=False)

    def run(self) -> StageRun:
        """Write them, if it is time and there is something new to tell."""
        if time.monotonic() - self.looked_at < AGAIN_S:
            return StageRun()
        self.looked_at = time.monotonic()
        if self.is_current():
            return StageRun()
        # Asked for first, so that what is recorded meanwhile is new the next time.
        self.cursor = self.brain.changes(self.clock.now().isoformat(), limit=1).cursor
        folders = self._folders()
        return StageRun(len(folders), sum(map(self._is_kept, folders)))

    def is_current(self) -> bool:
        """Say whether nothing was recorded since they were written."""
        return bool(self.cursor) and not self.brain.changes(self.cursor, limit=1).items

    def _folders(self) -> list[str]:
        sessions = self.brain.sessions.list(limit=_SESSIONS_READ)
        folders = dict.fromkeys(one.info.folder for one in sessions if one.info.folder)
        return list(folders)[:FOLDERS_MAX]

    def _is_kept(self, folder: str) -> bool:
        request = BriefRequest(via="brief file", is_asked=False)
        brief = self.brain.brief(request, scope=scope_of_folder(folder))
        if brief.text:
            self.state.keep_brief(folder, brief.text)
        else:
            self.state.forget_brief(folder)
        return bool(brief.text)
