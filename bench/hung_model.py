"""
What a hung language model does to writing: nothing, if this is right (KB-033).

`python -m bench.hung_model [--appends 300] [--rounds 6] [--thinkers 4]` appends episodes one by
one, in turns with nobody thinking and with several threads that wait for a model that took their
question and never answers. Both are measured in one run; their ratio is what counts.
"""

import argparse
import socket
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from bench.machine import keep, percentiles
from tilth.llm.answers import ToneDraft
from tilth.llm.client import ModelClient, Question, think
from tilth.runtime.brain import Brain
from tilth.runtime.connect import connect, model_pool_of
from tilth.runtime.settings import Settings

WORDS = "The kettle in the shed was descaled on Monday, and the filter ordered from the usual shop."
WARM_UP = 50


def main() -> None:
    """Measure, and report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("--appends", type=int, default=300, help="in each round")
    parser.add_argument("--rounds", type=int, default=6, help="of each kind")
    parser.add_argument("--thinkers", type=int, default=4)
    arguments = parser.parse_args()
    quiet, hung = list[float](), list[float]()
    with tempfile.TemporaryDirectory() as folder, hung_model() as url:
        settings = settings_for(url)
        with connect(Path(folder) / "tilth.db", create=True, settings=settings) as brain:
            appended(brain, WARM_UP)
            for _ in range(arguments.rounds):
                quiet += appended(brain, arguments.appends)
                with thinking(brain, settings, arguments.thinkers):
                    hung += appended(brain, arguments.appends)
            open_count = brain.models.spent_today().by_model[0].open_count
    report = {
        "bench": "hung_model",
        "appends": len(quiet),
        "quiet": percentiles(quiet),
        "hung": percentiles(hung),
        "p95_ratio": round(float(np.percentile(hung, 95) / np.percentile(quiet, 95)), 3),
        "p50_ratio": round(float(np.percentile(hung, 50) / np.percentile(quiet, 50)), 3),
        "unsettled_calls": open_count,
    }
    keep("hung_model", report)


def settings_for(url: str) -> Settings:
    """Return settings that ask the model at *url*, for longer than the bench takes."""
    return Settings(
        model_cheap=f"openai hung {url}",
        model_prices=("hung=0/0",),
        model_timeout_s=3_600,
        spend_day=("calls=1000", "tokens=100000000", "money=1"),
    )


@contextmanager
def hung_model() -> Iterator[str]:
    """Listen and never answer."""
    with socket.create_server(("127.0.0.1", 0), backlog=128) as listener:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"


@contextmanager
def thinking(brain: Brain, settings: Settings, count: int) -> Iterator[None]:
    """Keep so many threads waiting until the end of the block."""
    parts = brain._parts  # noqa: SLF001 - a bench cancels what a program lets end
    hired = model_pool_of(settings, {})
    thinker = ModelClient(hired, parts.store, parts.clock, parts.recorder)
    question = Question(things={"fct_1": WORDS})
    before = brain.models.spent_today().spent.calls
    threads = [
        threading.Thread(target=think, args=(thinker, ToneDraft, question)) for _ in range(count)
    ]
    for thread in threads:
        thread.start()
    while brain.models.spent_today().spent.calls < before + count:
        time.sleep(0.01)
    yield
    hired.cancel()
    for thread in threads:
        thread.join()


def appended(brain: Brain, count: int) -> list[float]:
    """Return the seconds that each of so many appends took."""
    seconds = []
    for number in range(count):
        begin = time.perf_counter()
        brain.remember(f"{WORDS} {number}")
        seconds.append(time.perf_counter() - begin)
    return seconds


if __name__ == "__main__":
    main()
