"""
Send server-sent events: what was recorded, how many questions wait, and what the worker does.

The ledger is asked once a second. A client that comes back names the last event that it saw, and
misses nothing.
"""

import asyncio
import json
import logging
from collections.abc import AsyncIterator

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import StreamingResponse

from tilth.core.errors import TilthError
from tilth.core.verb import VERBS
from tilth.interfaces.import_transcripts import ImportJob
from tilth.interfaces.to_json import to_json
from tilth.privacy.exclusion import Exclusion
from tilth.review.queue import count_waiting
from tilth.runtime.brain import Brain
from tilth.runtime.connect import stage_log

logger = logging.getLogger(__name__)

_ROUND_SECONDS = 1.0
_IMPORT_ROUND_SECONDS = 0.4
# A comment that keeps what stands between from closing a quiet connection.
_BEAT_ROUNDS = 15
_CHANGES_MAX = 50


async def stream(brain: Brain, where: str, request: Request) -> StreamingResponse:
    """
    Return what happens from now on, or since the `Last-Event-ID` of the request: a cursor.

    Raises:
        InvalidInputError: it is no cursor.
    """
    since = request.headers.get("last-event-id") or brain.parts.clock.now().isoformat()
    # What is wrong with the cursor is said before the answer begins.
    first = await run_in_threadpool(brain.changes, since, limit=1)
    cursor = since if "last-event-id" in request.headers else first.cursor
    events = _until_refused(_events(brain, where, cursor, request))
    return StreamingResponse(events, media_type="text/event-stream")


def waiting_in(brain: Brain) -> int:
    """Return how many questions wait for a human."""
    parts = brain.parts
    return count_waiting(parts.store, parts.clock, parts.within(None))


async def _until_refused(events: AsyncIterator[str]) -> AsyncIterator[str]:
    """Yield *events* until the store does not answer; whoever comes back is told why."""
    try:
        async for event in events:
            yield event
    except TilthError as error:
        logger.warning("a stream of events ends: code=%s", error.code)


async def _events(brain: Brain, where: str, cursor: str, request: Request) -> AsyncIterator[str]:
    excluded = Exclusion() if brain.parts.by.is_human else brain.excluded
    waiting, jobs, rounds = -1, None, 0
    yield "retry: 2000\n\n"
    while not await request.is_disconnected():
        changes = await run_in_threadpool(brain.changes, cursor, limit=_CHANGES_MAX)
        if changes.items:
            told = excluded.shown(to_json(VERBS["changes"].json(changes)))
            yield _event("changes", told, changes.cursor)
        cursor = changes.cursor
        count = await run_in_threadpool(waiting_in, brain)
        if count != waiting:
            waiting = count
            yield _event("review", {"waiting": count}, cursor)
        counts = to_json(await run_in_threadpool(stage_log(where).read))
        if counts != jobs:
            jobs = counts
            yield _event("jobs", counts, cursor)
        rounds += 1
        if rounds % _BEAT_ROUNDS == 0:
            yield ": still here\n\n"
        await asyncio.sleep(_ROUND_SECONDS)


def import_stream(importing: ImportJob) -> StreamingResponse:
    """Return how far the import of this server is, until it has ended."""
    return StreamingResponse(_progress(importing), media_type="text/event-stream")


async def _progress(importing: ImportJob) -> AsyncIterator[str]:
    yield "retry: 2000\n\n"
    told = None
    while True:
        now = importing.progress
        if now != told:
            told = now
            yield f"event: import\ndata: {json.dumps(to_json(now))}\n\n"
        if not now.is_running:
            return
        await asyncio.sleep(_IMPORT_ROUND_SECONDS)


def _event(name: str, value: object, place: str) -> str:
    return f"id: {place}\nevent: {name}\ndata: {json.dumps(value)}\n\n"
