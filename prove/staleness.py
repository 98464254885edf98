"""
No page is fresh that should be stale, however writes and compilations fall.

`python -m prove.staleness [--runs 1000] [--threads 200]`: a page is compiled while facts are
stated, superseded, retired, put away and brought back, agents report and commands run: before it
is read, between its reading and its recording, and after. Then the same with a writer in another
thread, and nobody waiting for anybody. A page that says it is fresh must be what compiling it now
would come to, of the same facts and word for word.
"""

import argparse
import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random  # noqa: TID251 - always seeded
from typing import Any
from unittest import mock

import tilth
from tilth.core.actor import Actor, ActorKind
from tilth.core.errors import ConflictError, NotFoundError
from tilth.core.scope import Scope
from tilth.episodes.episode import Role
from tilth.knowledge.facts.fact import Fact
from tilth.pages.compile import compile_pages as compiling
from tilth.pages.compile.freshness import with_freshness_of_each
from tilth.pages.compile.material import gather
from tilth.pages.compile.templates import inputs_of, sections_of
from tilth.pages.model import Section
from tilth.pages.tables import Pages
from tilth.runtime.brain import Brain

SHOP = Scope("project:work/shop")
_SYSTEMS = ("lab", "shop")
_STEPS_MAX = 3


def main() -> None:
    """Prove, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--threads", type=int, default=200)
    options = parser.parse_args()
    report, wrong = run(options.runs, options.threads)
    for line in wrong:
        print(line)
    print(
        f"{options.runs} interleavings, {options.threads} races: {len(wrong)} wrong,"
        f" {report['fresh']} fresh"
    )
    raise SystemExit(bool(wrong))


def run(runs: int, races: int) -> tuple[dict[str, object], list[str]]:
    """Let so many compilations and writes fall as they may; return the report and what is wrong."""
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "brain.db"
        human = Actor("ada", ActorKind.HUMAN)
        with tilth.connect(path, create=True, actor=human) as brain:
            for seed in range(runs):
                wrong += interleaved(brain, Random(seed), name=f"page-{seed % 7}")
            for seed in range(races):
                wrong += raced(brain, Random(seed), name=f"race-{seed % 7}")
            fresh = sum(not one.is_stale for one in brain.pages.list())
    report = {"programme": "staleness", "interleavings": runs, "races": races, "fresh": fresh}
    return report, wrong


def interleaved(brain: Brain, random: Random, *, name: str) -> list[str]:
    """Compile a page with random writes before, within and after; return what is wrong."""
    _change(brain, random, at_least=1)

    def gathered(*given: Any) -> object:  # noqa: ANN401 - what `gather` takes
        material = gather(*given)
        _change(brain, random)
        return material

    with mock.patch.object(compiling, "gather", gathered):
        _compile(brain, random, name)
    _change(brain, random)
    return wrong_in(brain)


def raced(brain: Brain, random: Random, *, name: str) -> list[str]:
    """Compile a page while another thread writes; return what is wrong."""
    other = Random(random.random())
    with ThreadPoolExecutor(2) as pool:
        jobs: Sequence[Callable[[], object]] = (
            lambda: _compile(brain, random, name),
            lambda: _change(brain, other, at_least=2),
        )
        for job in [pool.submit(one) for one in jobs]:
            job.result()
    return wrong_in(brain)


def wrong_in(brain: Brain) -> list[str]:
    """Return which pages say that they are fresh, and would be compiled to something else now."""
    parts = brain.parts
    now, owner = parts.clock.now(), parts.recorder.owner
    found = []
    with parts.store.read() as view:
        pages = Pages(view).select(parts.within(None), now)
        for page in with_freshness_of_each(view, pages, now, parts.excluded):
            material = gather(view, page.subject, owner, now, parts.excluded)
            said = [one.section for one in page.sections]
            sections = sections_of(material)
            is_right = _texts(said) == _texts(sections)
            if not page.is_stale and not (
                is_right and inputs_of(material, sections) == page.inputs
            ):
                found.append(f"{page.name} is fresh, and should be stale")
    return found


def _texts(sections: Sequence[Section]) -> list[tuple[str, str]]:
    return [(one.slug, line.text) for one in sections for line in one.sentences]


def _compile(brain: Brain, random: Random, name: str) -> None:
    kind = random.choice(("system-state", "summary", "entity", "topic", "project"))
    system = random.choice(_SYSTEMS)
    what = {"entity": system, "topic": "port"}.get(kind, "")
    try:
        filed = system if kind == "system-state" else ""
        scope = SHOP if kind == "project" else None
        brain.pages.compile(kind, what, name=f"{name}-{kind}", system=filed, scope=scope)
    except NotFoundError:
        # Nothing holds by chance.
        return


def _change(brain: Brain, random: Random, *, at_least: int = 0) -> None:
    for _ in range(random.randint(at_least, _STEPS_MAX)):
        held: Sequence[Fact] = [
            one for one in brain.facts.list(limit=20) if one.life.lifecycle == "current"
        ]
        try:
            _step(brain, random, held)
        except ConflictError:
            # Somebody else was there first.
            continue


def _step(brain: Brain, random: Random, held: Sequence[Fact]) -> None:
    act = random.choice(
        ("add", "add", "replace", "retire", "archive", "undo", "tell", *["work"] * 6)
    )
    system = random.choice(_SYSTEMS)
    number = random.randint(0, 10**9)
    match act:
        case "tell":
            brain.facts.add(f"Port {number % 5} of {system} is in use.", about=["till"], scope=SHOP)
        case "work":
            _work(brain, random)
        case "add":
            brain.facts.add(f"Port {number} of {system} is in use.", system=system)
        case "replace":
            brain.facts.add(f"It is at {number}.", system=system, component="router")
        case "retire" if held:
            brain.facts.retire(random.choice(held).id, reason="it is gone by now")
        case "archive" if held:
            brain.facts.archive(random.choice(held).id)
        case "undo" if held:
            brain.facts.undo(random.choice(held).id)


def _work(brain: Brain, random: Random) -> None:
    """Let a session ask, run, fail, commit and report; most of it changes no page."""
    session = f"s{random.randint(0, 9)}"
    number = random.randint(0, 10**6)
    said = random.choice(
        (
            ("Done.", Role.ASSISTANT, "message"),
            ("What about the port?", Role.USER, "message"),
            (
                f"Added the setting `PORT_{number}` so that the till moves.",
                Role.ASSISTANT,
                "message",
            ),
            (f"Run `make run-{number}` first.", Role.ASSISTANT, "message"),
            ('Bash: {"command": "make test"}', Role.ASSISTANT, "tool_call"),
            (
                f'Bash: {{"command": "git commit -m \'Sell {number}\'"}}',
                Role.ASSISTANT,
                "tool_call",
            ),
            ("12 passed", Role.TOOL, "tool_result"),
        )
    )
    brain.remember(said[0], role=said[1], kind=said[2], session_id=session, scope=SHOP)


if __name__ == "__main__":
    main()
