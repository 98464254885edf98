"""`tilth recall`: find what answers a question."""

import textwrap
from argparse import Namespace
from collections.abc import Iterator, Mapping
from typing import cast

from tilth.core.lifecycle import Lifecycle, Review
from tilth.core.view import Bold, Dim, Line
from tilth.interfaces.cli import seat
from tilth.interfaces.cli.opening import open_brain
from tilth.interfaces.cli.screen import Screen
from tilth.recall.model import Hit, Neighbour, Recall, Recalling, Tier

_WIDTH_MAX = 100
_INDENT = "   "


def run(args: Namespace, screen: Screen) -> int:
    """Ask the brain."""
    told = {
        "limit": args.limit,
        "as_of": args.as_of,
        "known_at": args.known_at,
        "tiers": args.tier,
        "session_id": args.session,
        "entity": args.entity,
        "area": args.area,
        "budget_tokens": args.budget,
        "is_full": args.full,
        "around": args.around,
    }
    options = cast("Recalling", {name: value for name, value in told.items() if value is not None})
    with open_brain(args) as brain:
        recall = brain.recall(args.question, scope=args.scope, **options)
    screen.answer(recall, _page(recall, is_explained=args.explain))
    if not recall.hits:
        screen.say("nothing here answers that")
    elif not recall.answerable:
        screen.say("nothing here answers that; these came closest")
    for note in recall.notes:
        screen.say(note)
    return 0


def _page(recall: Recall, *, is_explained: bool) -> Iterator[Line]:
    for number, hit in enumerate(recall.hits, 1):
        if number > 1:
            yield ""
        yield from _told(number, hit)
        if is_explained:
            yield Dim(f"{_INDENT}score  {hit.score:.3f} = {_sum(hit.parts)}")
            yield Dim(f"{_INDENT}signals  {_list(hit.signals)}")
    if is_explained:
        yield Dim(f"confidence {recall.confidence:.2f}")


def _told(number: int, hit: Hit) -> Iterator[Line]:
    """Yield one hit for a person: when, who and where, then its text."""
    yield (
        Bold(f"{number:<2} {hit.valid_from:%Y-%m-%d %H:%M}  {hit.who}"),
        Dim(f"  {_place(hit)}  ({_labels(hit)})"),
    )
    for near in (one for one in hit.around if one.offset < 0):
        yield _beside(near)
    width = min(seat.width(), _WIDTH_MAX)
    for paragraph in hit.text.splitlines():
        yield from textwrap.wrap(
            paragraph, width, initial_indent=_INDENT, subsequent_indent=_INDENT
        )
    for near in (one for one in hit.around if one.offset > 0):
        yield _beside(near)
    if hit.tier is Tier.FACT:
        yield Dim(f"{_INDENT}{hit.id}, rests on {' '.join(hit.episode_ids)}")
    else:
        yield Dim(f"{_INDENT}{hit.id}")


def _place(hit: Hit) -> str:
    """Return where a hit was said, or for how long it holds."""
    if hit.tier is Tier.EPISODE:
        return hit.session_title or hit.session_id or "no session"
    return f"to {hit.valid_to:%Y-%m-%d %H:%M}" if hit.valid_to else "to now"


def _labels(hit: Hit) -> str:
    """Return how fresh a hit is, and how it stands where it is not simply current."""
    labels: list[str] = [hit.freshness]
    if hit.lifecycle is not Lifecycle.CURRENT:
        labels += [hit.lifecycle, hit.review]
    elif hit.tier is Tier.FACT:
        labels += [hit.review]
    if hit.successor is not None:
        labels += [f"by {hit.successor}"]
    if hit.is_contested or hit.review is Review.DISPUTED:
        labels += ["contested" + "".join(f" by {rival}" for rival in hit.rivals)]
    return ", ".join(labels)


def _beside(near: Neighbour) -> Line:
    said = textwrap.shorten(near.text, _WIDTH_MAX, placeholder=" …")
    return Dim(f"{_INDENT}{near.offset:+d} {near.speaker or near.role}: {said}")


def _sum(parts: Mapping[str, float]) -> str:
    return " + ".join(f"{name} {value:.3f}" for name, value in parts.items())


def _list(signals: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {value:.3g}" for name, value in signals.items())
