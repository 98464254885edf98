"""Check a whole store in a thread; a server runs one check at a time."""

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TypeAlias

from tilth.core.dataclass import dataclass
from tilth.core.errors import ConflictError
from tilth.runtime.check import Check

logger = logging.getLogger(__name__)

Examine: TypeAlias = Callable[[], Sequence[Check]]


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckRun:
    """When a check began and ended, what it found, and which error ended it early."""

    began_at: datetime | None = None
    ended_at: datetime | None = None
    checks: Sequence[Check] = ()
    problem: str = ""

    @property
    def is_running(self) -> bool:
        """Whether the check has not ended yet."""
        return self.began_at is not None and self.ended_at is None


class StoreCheck:
    """The check of a server's store, in its own thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._now = CheckRun()

    @property
    def last(self) -> CheckRun:
        """The check that runs, or the last one."""
        return self._now

    def begin(self, examine: Examine, clock: Callable[[], datetime]) -> None:
        """
        Start *examine* in the background.

        Raises:
            ConflictError: a check is running.
        """
        with self._lock:
            if self._now.is_running:
                raise ConflictError("the store is being checked already", hint="look again soon")
            self._now = CheckRun(began_at=clock())
        threading.Thread(target=self._run, args=(examine, clock), daemon=True).start()

    def _run(self, examine: Examine, clock: Callable[[], datetime]) -> None:
        now = self._now
        try:
            now = replace(now, checks=tuple(examine()))
        except Exception as error:
            # Whatever it is, the page says so, and the next run may begin.
            logger.exception("the check of the store ended")
            now = replace(now, problem=str(error))
        self._now = replace(now, ended_at=clock())
