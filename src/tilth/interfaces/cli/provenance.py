"""`tilth fact why` and `tilth episode facts`: what is believed, and what was said."""

from argparse import Namespace
from collections.abc import Iterator

from tilth.core.view import Dim, Line
from tilth.episodes.views import headed
from tilth.interfaces.cli.opening import open_brain
from tilth.interfaces.cli.screen import Screen
from tilth.knowledge.changes.provenance import Why
from tilth.knowledge.facts.views import fact_lines


def why(args: Namespace, screen: Screen) -> int:
    """Show what a fact rests on, and what became of it."""
    with open_brain(args) as brain:
        found = brain.facts.why(args.fact, known_at=args.known_at, scope=args.scope)
    screen.answer(found, _reasons(found))
    return 0


def _reasons(found: Why) -> Iterator[Line]:
    yield from fact_lines([found.fact])
    for support in found.supports:
        yield ""
        if support.episode is None:
            yield Dim(f"it rests on {support.evidence.episode_id}, which is not seen from here")
            continue
        yield from headed(support.episode)
        if support.quote != support.episode.text:
            yield Dim(f"  it rests on: {support.quote}")
    yield ""
    for past in found.lives:
        yield Dim(f"{past.began_at:%Y-%m-%d %H:%M}  {past.life.lifecycle} by {past.by.name}")
    before = [one for one in found.history if one.seq != found.fact.seq]
    if before:
        yield Dim("in one chain with:")
        yield from fact_lines(before)
