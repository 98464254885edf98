"""
What pages cost those who state facts.

    python -m bench.stale [--facts 100000] [--pages 1000] [--stated 400]

A store is filled with facts, and the time of stating more of them is taken three times: without
pages, with as many fresh pages that watch other things, and with as many that all watch what is
stated and go stale by the first fact. Times are of the processor, in ms a fact, and the shares are
to the run without pages. The last line is one JSON object.
"""

import argparse
import tempfile
import time
from pathlib import Path

import tilth
from bench.machine import keep
from tilth.core.actor import Actor, ActorKind
from tilth.pages.compile.compile_pages import Compiler
from tilth.pages.events import PageCompiled
from tilth.pages.model import PageDraft, PageKind, Section, Sentence, Subject
from tilth.pages.watches import ALL, filed
from tilth.runtime.brain import Brain

_AT_ONCE = 1000


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--facts", type=int, default=100_000)
    parser.add_argument("--pages", type=int, default=1000)
    parser.add_argument("--stated", type=int, default=400)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "brain.db"
        with tilth.connect(path, create=True, actor=Actor("ada", ActorKind.HUMAN)) as brain:
            _fill(brain, options.facts)
            report = _measured(brain, options.pages, options.stated)
    for name, value in report.items():
        print(f"{name}: {value}")
    keep("stale", {"facts": options.facts, "pages": options.pages} | report)


def _measured(brain: Brain, pages: int, stated: int) -> dict[str, float]:
    bare = _stating(brain, stated)
    _add(brain, [filed("", "", f"other{number}") for number in range(pages)], "fresh")
    beside = _stating(brain, stated)
    began = time.process_time()
    listed = len(brain.pages.list())
    list_ms = 1000 * (time.process_time() - began)
    _add(brain, [ALL] * pages, "all")
    began = time.process_time()
    brain.facts.add("One more port is in use.", system="lab")
    first_ms = 1000 * (time.process_time() - began)
    after = _stating(brain, stated)
    assert listed == pages
    return {
        "ms a fact": round(bare, 3),
        "with fresh pages": round(beside / bare, 2),
        "with stale pages": round(after / bare, 2),
        "ms of the fact that makes all stale": round(first_ms, 1),
        "ms of the list": round(list_ms, 1),
    }


def _fill(brain: Brain, count: int) -> None:
    for begin in range(0, count, _AT_ONCE):
        rows = [
            {"text": f"Machine {number} is in rack {number % 97}.", "system": f"s{number % 500}"}
            for number in range(begin, min(count, begin + _AT_ONCE))
        ]
        brain.facts.add_many(rows)


def _add(brain: Brain, watches: list[str], name: str) -> None:
    """Record pages that watch these, as a compilation would."""
    compiler = Compiler(brain.parts.thinker, brain.excluded)
    with compiler.store.begin() as tx:
        for number, watch in enumerate(watches):
            subject = Subject(name=f"{name}-{number}", kind=PageKind.SUMMARY, title="A page")
            draft = PageDraft(
                subject=subject,
                sections=(Section("now", "Now", (Sentence("It is so.", ()),)),),
                read_to=tx.head().seq,
                watches=(watch,),
                inputs=str(number),
            )
            tx.append(PageCompiled(draft), by=compiler.recorder.by, owner=compiler.owner)


def _stating(brain: Brain, count: int) -> float:
    """Return the processor's time of stating one fact, in ms."""
    began = time.process_time()
    for _ in range(count):
        number = time.perf_counter_ns()
        brain.facts.add(f"Port {number} is in use.", system="lab")
    return 1000 * (time.process_time() - began) / count


if __name__ == "__main__":
    main()
