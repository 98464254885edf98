"""
How long it takes to look through an imported past, and how much memory.

`python -m bench.distil [--episodes 100000]` fills a store with the transcripts of
`bench/data/capture/first.jsonl`, over and over, each time as new sessions of another project, and
has them looked through as the worker does, round by round, without a model.
"""

import argparse
import resource
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import count, islice
from pathlib import Path

import tilth
from bench.machine import keep, resident_mb
from bench.transcripts import read_transcripts
from tilth.core.ids import SessionId
from tilth.core.scope import Scope
from tilth.episodes.episode import EpisodeDraft

TRANSCRIPTS = Path(__file__).parent / "data" / "capture" / "first.jsonl"
_AT_ONCE = 2_000


def main() -> None:
    """Measure, and report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("--episodes", type=int, default=100_000)
    arguments = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        tilth.connect(Path(folder) / "tilth.db", create=True) as brain,
    ):
        for drafts in batches(islice(said(), arguments.episodes)):
            brain.remember_many(drafts)
        before_mb, began = resident_mb(), time.monotonic()
        windows = stated = 0
        while (done := brain.distil(is_asked=False)).windows:
            windows += len(done.windows)
            stated += len(done.stated)
        seconds = time.monotonic() - began
    report = {
        "bench": "distil",
        "episodes": arguments.episodes,
        "windows": windows,
        "stated": stated,
        "seconds": round(seconds, 1),
        "episodes_per_s": round(arguments.episodes / seconds),
        "before_mb": before_mb,
        "peak_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1_000, 1),
    }
    keep("distil", report)


def said() -> Iterator[EpisodeDraft]:
    """Yield what was said, for ever; the same transcript again is another project's session."""
    transcripts = read_transcripts(TRANSCRIPTS)
    for turn in count():
        for one in transcripts:
            for draft in one.drafts:
                yield replace(
                    draft,
                    session_id=SessionId(f"{one.id}-{turn}"),
                    scope=Scope(f"project:{one.id}-{turn}"),
                    idempotency_key=None,
                )


def batches(drafts: Iterator[EpisodeDraft]) -> Iterator[list[EpisodeDraft]]:
    """Yield *drafts* in parts that one transaction takes."""
    while some := list(islice(drafts, _AT_ONCE)):
        yield some


if __name__ == "__main__":
    main()
