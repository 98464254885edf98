"""The garden as lines for a person."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from tilth.core.calls.paging import PAGE_MAX
from tilth.core.instant import written_day
from tilth.core.view import Bold, Dim, Line, Note, list_end
from tilth.garden.candidates import TopicStory
from tilth.garden.cycle.inbox import InboxReport
from tilth.garden.cycle.run import CycleReport
from tilth.garden.measures import Metrics
from tilth.garden.model import Allowance, Candidate, Cycle, Source, Topic
from tilth.garden.reports import uncertainty
from tilth.knowledge.facts.views import fact_lines
from tilth.privacy.terminal_text import inert, one_line

_NAME_CHARS = 60
_TEXT_CHARS = 300
_NO_TOPIC = "there is no topic to tend; name one: tilth topic add NAME"
_LISTED_MAX = 10


def topics(found: Sequence[Topic]) -> Iterator[Line]:
    """Yield topics, one line each."""
    yield from map(_topic, found)
    if not found:
        yield Note("there are none; name one: tilth topic add 'backups'")


def topic(one: Topic) -> Iterator[Line]:
    """Yield one topic on one line."""
    yield _topic(one)


def sources(found: Sequence[Source], *, limit: int) -> Iterator[Line]:
    """Yield sources, one line each, with the credibility their candidates imply."""
    for one in found:
        yield _source(one)
        if one.suggested is not None:
            yield Note(f"its candidates speak for: tilth source rate {one.id} {one.suggested}")
    none = "there are none; a cycle reads some: tilth garden run --apply"
    yield from list_end(found, none, limit=limit)


def source(one: Source) -> Iterator[Line]:
    """Yield one source on one line."""
    yield _source(one)


def topic_story(told: TopicStory) -> Iterator[Line]:
    """Yield a topic, the facts that somebody added, its candidates and their sources."""
    yield _topic(told.topic)
    yield from fact_lines(told.facts)
    yield from candidates(told.candidates)
    yield from map(_source, told.sources)


def candidates(found: Sequence[Candidate], *, limit: int = PAGE_MAX) -> Iterator[Line]:
    """Yield candidates: the statement, its confidence, its outcome."""
    for one in found:
        review = "" if one.waits else f"{one.fact.life.review}  "
        yield one_line(one.fact.said.text, _TEXT_CHARS)
        yield (f"  {uncertainty(one.confidence)}  {review}", Dim(one.fact.id))
        if one.reason:
            yield Dim(f"  {one_line(one.reason, _TEXT_CHARS)}")
    none = "none waits; a cycle looks for some: tilth garden run --apply"
    yield from list_end(found, none, limit=limit)


def made(names: Sequence[str]) -> Iterator[Line]:
    """Yield what was made of the folder."""
    yield from (f"made {name}" for name in names)
    if not names:
        yield Note("all of it is there")


def ran(report: CycleReport) -> Iterator[Line]:
    """Yield what a cycle did or would do, after the state of the garden."""
    yield _state(report)
    if report.is_busy:
        yield Note("another cycle runs; nothing was done")
    elif report.cycle is None and not report.has_topics:
        yield Note(_NO_TOPIC)
        return
    elif report.is_dry_run:
        yield from _would(report)
    elif report.cycle is None:
        yield Note(f"no cycle is due before {report.next_at:%Y-%m-%d %H:%M} UTC")
    else:
        yield from _did(report.cycle)
    yield f"next cycle {report.next_at:%Y-%m-%d %H:%M} UTC"


def status(report: CycleReport) -> Iterator[Line]:
    """Yield the state of the garden, its signs, and what waits."""
    yield _state(report)
    for one in report.signals:
        yield (f"  {'ok ' if one.is_well else 'BAD'} {one.name}: {one.told}",)
    if report.cycle is not None:
        yield f"last cycle {report.cycle.begun_at:%Y-%m-%d %H:%M} UTC  {report.cycle.id}"
    if report.has_topics:
        yield f"next cycle {report.next_at:%Y-%m-%d %H:%M} UTC"
    else:
        yield Note(_NO_TOPIC)


def next_at(at: datetime) -> Iterator[Line]:
    """Yield when the next cycle is due."""
    yield f"{at:%Y-%m-%d %H:%M} UTC"


def text(said: str) -> Iterator[Line]:
    """Yield a page as it is written."""
    yield from (inert(line) for line in said.splitlines())
    if not said:
        yield Note("there is no folder yet: tilth garden init")


def signed(report: InboxReport) -> Iterator[Line]:
    """Yield what became of what was signed."""
    for name, listed in (
        ("applied", report.applied),
        ("disputed, since another reviewer sees it otherwise", report.disputed),
        ("was answered before", report.answered),
        ("names no candidate", report.unknown),
        ("set aside", report.set_aside),
    ):
        yield from (f"{name}: {inert(one)}" for one in listed)
    if not (report.applied or report.disputed):
        yield Note("nothing changed")


def budget(told: Sequence[Allowance]) -> Iterator[Line]:
    """Yield each budget of a cycle on a line."""
    for one in told:
        yield f"{one.name:<20} {one.spent}" + ("" if one.most is None else f" of {one.most}")
    if not told:
        yield Note("no cycle has run: tilth garden run --apply")


def metrics(told: Metrics) -> Iterator[Line]:
    """Yield the five figures, and what yields most."""
    for name, value in (
        ("coverage", f"{told.coverage:g} confirmed facts a topic"),
        ("freshness", f"{told.freshness:g} of the age that topics allow"),
        ("accuracy", "no answer yet" if told.accuracy is None else f"{told.accuracy:.0%}"),
        (
            "efficiency",
            "no search yet" if told.efficiency is None else f"{told.efficiency:g} facts a search",
        ),
        ("engagement", f"{told.engagement:g} days a week"),
    ):
        yield (Bold(f"{name:<12}"), value)
    for heading, found in (("questions", told.questions), ("sources", told.sources)):
        yield from (
            Dim(
                f"  {heading}: {one_line(name, _NAME_CHARS)}  {one.confirmed} confirmed, "
                f"{one.rejected} rejected, {one.waiting} waiting"
            )
            for name, one in list(found.items())[:_LISTED_MAX]
        )


def _state(report: CycleReport) -> Line:
    bad = [one.name for one in report.signals if not one.is_well]
    if bad:
        return (Bold("DEGRADED"), f": {', '.join(bad)}")
    return (Bold("HEALTHY"), "" if report.has_topics else ": nothing is tended yet")


def _would(report: CycleReport) -> Iterator[Line]:
    for one in report.needy:
        needs = ", ".join(one.needs)
        yield (f"  {one_line(one.topic.name, _NAME_CHARS)}: {needs}, weight {one.weight:g}",)
    yield from (Dim(f"  would ask: {inert(one.text)}") for one in report.asked)
    yield f"{report.waiting} candidates wait; {report.allowed} may be added"
    yield Note("that is what a cycle would do; to do it: tilth garden run --apply")


def _did(cycle: Cycle) -> Iterator[Line]:
    for step, told in cycle.ended.items():
        counts = {
            name.replace("_", " "): len(value) if isinstance(value, list) else value
            for name, value in told.items()
        }
        yield f"  {step}: {', '.join(f'{name} {value}' for name, value in counts.items())}"


def _topic(one: Topic) -> Sequence[str]:
    counts = one.counts
    told = f"{counts.confirmed} confirmed, {counts.candidates} waiting"
    if counts.unreviewed:
        told += f", {counts.unreviewed} unreviewed"
    tended = f"tended {written_day(one.last_tended)}" if one.last_tended else "never tended"
    state = "archived, " if one.is_archived else ""
    return (
        Bold(one_line(one.name, _NAME_CHARS)),
        f"  priority {one.priority}, every {one.freshness_days} days, {state}{tended}, {told}  ",
        Dim(one.id),
    )


def _source(one: Source) -> Sequence[str]:
    found = one.outcomes
    told = f"{found.confirmed} confirmed, {found.rejected} rejected, {found.waiting} waiting"
    return (
        Bold(one_line(one.title or one.address, _NAME_CHARS)),
        f"  {one.credibility}, read {written_day(one.fetched_at)}, {told}  ",
        Dim(one.id),
    )
