"""Waiting for somebody else's work no longer than anybody wants it."""

import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import TypeVar

from tilth.errors import UnavailableError
from tilth.ports.models import Patience

_LOOKED_EVERY_S = 0.05

_T = TypeVar("_T")


def while_patient(work: Callable[[float], _T], patience: Patience) -> _T:
    """
    Return what *work* returns, given the seconds that it may take.

    It runs in a thread of its own: whoever cancels gets away at once, and the
    thread ends with the seconds that it was given.

    Raises:
        UnavailableError: patience was over before it.
    """
    done: SimpleQueue[tuple[_T | None, BaseException | None]] = SimpleQueue()
    seconds = patience.remaining_s()

    def run() -> None:
        try:
            done.put((work(seconds), None))
        except BaseException as error:  # noqa: BLE001 - raised again by whoever waits
            done.put((None, error))

    threading.Thread(target=run, name="tilth-model", daemon=True).start()
    while patience.remaining_s() > 0:
        try:
            result, error = done.get(timeout=min(_LOOKED_EVERY_S, seconds))
        except Empty:
            continue
        if error is not None:
            raise error
        return result  # type: ignore[return-value] # there is one where there is no error
    raise UnavailableError("no answer came in time")
