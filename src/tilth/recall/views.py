"""Answers of recall, as lines for a person."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Annotated

from tilth.core.instant import written_day, written_end, written_minute
from tilth.core.lifecycle import Lifecycle, Review
from tilth.core.scope import GLOBAL
from tilth.core.verb import Arg
from tilth.core.view import Aside, Bold, Dim, Line, Note, Paragraph
from tilth.knowledge.facts.views import beside_lines
from tilth.practice.views import habits
from tilth.privacy.terminal_text import one_line
from tilth.recall.model import Hit, Neighbour, Recall, Tier

_BESIDE_CHARS = 100
_ASKED_CHARS = 200
# In characters, so that time, speaker, place and state fit into a line of eighty.
_TITLE_CHARS = 32
_INDENT = "   "
# Clocks and time zones differ by less.
_ALIKE = timedelta(days=1)


def hits(
    found: Recall, *, explain: Annotated[bool, Arg("show why each hit ranks where it does")] = False
) -> Iterator[Line]:
    """Yield the commands that were asked for, then the hits, best first."""
    yield from habits(found.commands)
    if found.commands and found.hits:
        yield ""
    for number, hit in enumerate(found.hits, 1):
        if number > 1:
            yield ""
        yield from _hit_lines(number, hit)
        if explain:
            parts = [f"{name} {value:.3f}" for name, value in hit.parts.items()]
            signals = [f"{name} {value:.3g}" for name, value in hit.signals.items()]
            yield Dim(f"{_INDENT}score  {hit.score:.3f} = {' + '.join(parts)}")
            yield Dim(f"{_INDENT}signals  {', '.join(signals)}")
    if explain:
        yield Dim(f"confidence {found.confidence:.2f}")
    if not found.hits and not found.commands:
        yield Note("nothing here answers that")
    elif not found.answerable:
        yield Note("nothing here answers that; these came closest")
    yield from map(Note, found.notes)


def _hit_lines(number: int, hit: Hit) -> Iterator[Line]:
    """Yield one hit: time, speaker and place, then its text."""
    yield (
        Bold(f"{number:<2} {written_minute(hit.valid_from)}  {hit.who}"),
        Dim(f"  {_place(hit)}  ({_labels(hit)})"),
    )
    for near in (one for one in hit.around if one.offset < 0):
        yield _beside(near)
    card = hit.exchange
    if card and card.asked:
        yield Aside(f"asked: {_shortened(card.asked)}")
    yield Paragraph(hit.text)
    if card and card.reported:
        yield Aside(f"{card.ending}: {_shortened(card.reported)}")
    for done in card.commands if card else ():
        yield Aside(f"ran {done}")
    if card and card.is_taken_back:
        yield Dim(f"{_INDENT}taken back later in the session")
    for near in (one for one in hit.around if one.offset > 0):
        yield _beside(near)
    if hit.tier is Tier.FACT:
        yield Dim(f"{_INDENT}{hit.id}, rests on {' '.join(hit.episode_ids)}{_project(hit)}")
        yield from beside_lines(hit.beside)
    else:
        yield Dim(f"{_INDENT}{hit.id}{_project(hit)}")


def _place(hit: Hit) -> str:
    """Return where a hit was said, or how long it holds."""
    if hit.tier is Tier.EPISODE:
        title = hit.session_title or hit.session_id or "no session"
        return one_line(title, _TITLE_CHARS)
    return f"to {written_end(hit.valid_to)}" if hit.valid_to else "to now"


def _project(hit: Hit) -> str:
    """Return the project or domain of a hit, unless it belongs everywhere."""
    return "" if hit.scope == GLOBAL else f"  {hit.scope}"


def _labels(hit: Hit) -> str:
    """Return how fresh a hit is, and its state if that is not simply current."""
    labels: list[str] = [hit.freshness]
    if hit.tier is Tier.EPISODE and hit.valid_from - hit.recorded_at > _ALIKE:
        # The clock was wrong; the label says by which date the hit ages.
        labels += [f"recorded {written_day(hit.recorded_at)}"]
    if hit.lifecycle is not Lifecycle.CURRENT:
        labels += [hit.lifecycle, hit.review]
    elif hit.tier is Tier.FACT:
        labels += [hit.review, *([hit.grade] if hit.grade else [])]
    if hit.successor is not None:
        labels += [f"by {hit.successor}"]
    if hit.is_contested or hit.review is Review.DISPUTED:
        labels += ["contested" + "".join(f" by {rival}" for rival in hit.rivals)]
    elif hit.rivals:
        labels += [f"against it: {' '.join(hit.rivals)}"]
    return ", ".join(labels)


def _shortened(text: str) -> str:
    return one_line(text, _ASKED_CHARS)


def _beside(near: Neighbour) -> Line:
    said = one_line(near.text, _BESIDE_CHARS)
    return Dim(f"{_INDENT}{near.offset:+d} {near.speaker or near.role}: {said}")
