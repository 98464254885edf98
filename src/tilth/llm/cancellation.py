"""Timeouts and cancellation of waiting."""

import threading
from collections.abc import Callable
from typing import Protocol, TypeVar

from tilth.core.errors import UnavailableError

_POLL_S = 0.05

_T = TypeVar("_T")


class Patience(Protocol):
    """How long somebody waits, and whether they still do."""

    @property
    def is_cancelled(self) -> bool:
        """Whether nobody wants the answer any more."""
        ...

    def remaining_s(self) -> float:
        """Return the seconds that are left; 0 when they are over, or it was cancelled."""
        ...

    def wait(self, seconds: float) -> None:
        """Wait so long, or as long as patience lasts."""
        ...


def while_patient(work: Callable[[float], _T], patience: Patience) -> _T:
    """
    Return what *work* returns, given the seconds that it may take.

    It runs in a thread of its own: whoever cancels gets away at once, and the
    thread ends with the seconds that it was given.

    Raises:
        UnavailableError: patience was over before it.
    """
    done = list[tuple[_T | None, BaseException | None]]()
    seconds = patience.remaining_s()

    def run() -> None:
        try:
            done.append((work(seconds), None))
        except BaseException as error:  # noqa: BLE001 - raised again by whoever waits
            done.append((None, error))

    thread = threading.Thread(target=run, name="tilth-model", daemon=True)
    if seconds > 0:
        thread.start()
    while thread.is_alive() and patience.remaining_s() > 0:
        thread.join(_POLL_S)
    if not done:
        raise UnavailableError("no answer came in time")
    result, error = done[0]
    if error is not None:
        raise error
    return result  # type: ignore[return-value] # there is one where there is no error
