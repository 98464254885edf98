"""How much work something is: bounds that hostile text must not break, with room to spare."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from time import thread_time


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
    assert taken < seconds
