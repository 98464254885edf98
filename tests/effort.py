"""How much work something is: bounds that hostile text must not break, with room to spare."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from time import thread_time

from hypothesis import HealthCheck, settings

# What `slowness` tries, on a machine of 2025 that has nothing else to do.
_USUAL_SECONDS = 0.015


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """
    Fail where the block takes this thread more processor time.

    Neither other programs and threads count, nor what others left to be collected.
    """
    gc.collect()
    gc.disable()
    begun = thread_time()
    try:
        yield
    finally:
        taken = thread_time() - begun
        gc.enable()
    assert taken < seconds or taken < seconds * slowness()


def slowness() -> float:
    """
    Return how many times slower than usual this machine is now, at least 1.

    Processor time grows, too, where others share its caches and its cores' halves.
    """
    begun = thread_time()
    sum(len(str(number)) for number in range(200_000))
    return max(1.0, (thread_time() - begun) / _USUAL_SECONDS)


def tried(count: int, *suppressed: HealthCheck) -> settings:
    """
    Return how a property is tried that is worth *count* examples where others are worth 100.

    The profile says how many all are worth: see `tests/conftest.py`.
    """
    count = max(1, count * settings.default.max_examples // 100)
    return settings(max_examples=count, suppress_health_check=[HealthCheck.too_slow, *suppressed])
