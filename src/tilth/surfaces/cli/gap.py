"""`tilth gap …`: what somebody wanted and nobody could do."""

from argparse import Namespace
from collections.abc import Iterator

from tilth.domain.gap import Gap, Trace
from tilth.privacy.inert import one_line
from tilth.surfaces.cli.opening import open_brain
from tilth.surfaces.cli.screen import Bold, Dim, Line, Screen
from tilth.usecases.gaps import GapStory
from tilth.usecases.scanning import Pattern

_QUOTE_CHARS = 100


def add(args: Namespace, screen: Screen) -> int:
    """Record a gap."""
    with open_brain(args) as brain:
        noted = brain.gaps.add(
            args.text,
            kind=args.kind,
            evidence=args.evidence,
            follows=args.follows,
            scope=args.scope or "global",
        )
    screen.answer(noted, [_line(noted.gap)])
    if not noted.is_new:
        screen.say("it was known already")
    return 0


def scan(args: Namespace, screen: Screen) -> int:
    """Look for gaps in what was said lately."""
    with open_brain(args) as brain:
        found = brain.gaps.scan(
            since=args.since,
            entity=args.entity,
            limit=args.limit,
            is_dry_run=args.dry_run,
            scope=args.scope,
        )
    screen.answer(found, map(_pattern_line, found.patterns))
    if not found.patterns:
        screen.say(f"looked at {found.interaction_count} messages, and found no gap that is new")
    return 0


def list_(args: Namespace, screen: Screen) -> int:
    """List gaps."""
    with open_brain(args) as brain:
        found = brain.gaps.list(
            status=args.status,
            entity=args.entity,
            sort=args.sort,
            limit=args.limit,
            scope=args.scope,
        )
    screen.answer({"gaps": found}, map(_line, found))
    if not found:
        screen.say("there are none; look for some with: tilth gap scan")
    return 0


def show(args: Namespace, screen: Screen) -> int:
    """Show a gap with all that shows it."""
    with open_brain(args) as brain:
        story = brain.gaps.get(args.gap, scope=args.scope)
    screen.answer(story, _story_lines(story))
    return 0


def move(args: Namespace, screen: Screen) -> int:
    """Say what became of a gap."""
    with open_brain(args) as brain:
        moved = brain.gaps.move(
            args.gap, status=args.status, todo_ref=args.todo_ref, note=args.note
        )
    screen.answer({"gap": moved}, [_line(moved)])
    return 0


def resolve(args: Namespace, screen: Screen) -> int:
    """Say that a gap is closed."""
    with open_brain(args) as brain:
        moved = brain.gaps.resolve(args.gap, todo_ref=args.todo_ref, note=args.note)
    screen.answer({"gap": moved}, [_line(moved)])
    return 0


def stats(args: Namespace, screen: Screen) -> int:
    """Count gaps."""
    with open_brain(args) as brain:
        counts = brain.gaps.stats(scope=args.scope)
    lines = [
        f"{group:10}{word:18}{count:>8,}"
        for group, counted in counts.items()
        for word, count in counted.items()
    ]
    screen.answer(counts, lines)
    return 0


def _line(gap: Gap) -> Line:
    words = one_line(gap.description, _QUOTE_CHARS) or "(its words were erased)"
    told = f"  {gap.todo_ref}" if gap.todo_ref else ""
    return (
        Bold(gap.id),
        f"  {gap.frequency} times  {gap.status}  {words}",
        Dim(f"  {gap.kind}{told}"),
    )


def _pattern_line(found: Pattern) -> Line:
    words = one_line(found.description, _QUOTE_CHARS)
    mark = "new" if found.is_new else f"now {found.frequency} times"
    return (Bold(found.gap_id or "(not noted)"), f"  {mark}  {words}", Dim(f"  {found.kind}"))


def _story_lines(story: GapStory) -> Iterator[Line]:
    gap = story.gap
    yield _line(gap)
    if gap.follows is not None:
        yield f"came again after {gap.follows}"
    if gap.merged_into is not None:
        yield f"is one with {gap.merged_into}"
    yield from (f"{one.id} is one with it" for one in story.merged)
    yield from map(_trace_line, story.trail)
    yield from (
        Dim(f"{one.recorded_at:%Y-%m-%d %H:%M}  {one.by.name}  {type(one.event).__name__}")
        for one in story.history
    )


def _trace_line(trace: Trace) -> Line:
    evidence = trace.evidence
    if trace.episode is None:
        return (f"  {evidence.episode_id}", Dim("  erased"))
    said = trace.episode
    repeats = f"  repeats {evidence.root}" if evidence.root else ""
    where = said.conversation_id or said.session_id or ""
    return (
        f"  {said.id}  {one_line(trace.quote, _QUOTE_CHARS)}",
        Dim(f"  {said.occurred_at:%Y-%m-%d}  {where}{repeats}"),
    )
