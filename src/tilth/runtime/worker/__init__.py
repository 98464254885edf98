"""
What happens in the background: what hooks wrote is recorded, and vectors catch up.

One worker at a time has a store, by a lock that the system frees however the
worker ends. Each batch is committed on its own, so it may be killed at any
moment and the next one goes on where it stopped.
"""

from tilth.runtime.worker.background import (
    FOR_HOOKS,
    SHARE_MAX,
    Ended,
    Pace,
    alone,
    end,
    end_background,
    give_way,
    holder,
    start,
    start_once,
)
from tilth.runtime.worker.loop import FOR_EVER, ONCE, PAUSE_S, Stage, Until, work
from tilth.runtime.worker.stage_log import StageLog

__all__ = [
    "FOR_EVER",
    "FOR_HOOKS",
    "ONCE",
    "PAUSE_S",
    "SHARE_MAX",
    "Ended",
    "Pace",
    "Stage",
    "StageLog",
    "Until",
    "alone",
    "end",
    "end_background",
    "give_way",
    "holder",
    "start",
    "start_once",
    "work",
]
