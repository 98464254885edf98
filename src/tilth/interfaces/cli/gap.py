"""`tilth gap …`: what somebody wanted and nobody could do."""

from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

from tilth.gaps.filing import Filing
from tilth.gaps.gaps import GapStory
from tilth.gaps.model import Gap, Trace
from tilth.gaps.scan import Pattern
from tilth.gaps.schedule import Pulsed
from tilth.interfaces.cli.opening import open_brain
from tilth.interfaces.cli.screen import Bold, Dim, Line, Screen
from tilth.ledger.events import Recorded, kind_of
from tilth.privacy.inert import inert, one_line

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


def todo(args: Namespace, screen: Screen) -> int:
    """Draft the TODO of a gap."""
    with open_brain(args) as brain:
        drafted = brain.gaps.todo(args.gap)
    screen.answer({"gap": drafted}, [_line(drafted)])
    return 0


def pulse(args: Namespace, screen: Screen) -> int:
    """Do what is to be done about gaps."""
    with open_brain(args) as brain:
        done = brain.gaps.pulse(
            is_forced=args.force, is_dry_run=args.dry_run, threshold=args.threshold
        )
    screen.answer(done, _pulse_lines(done))
    if not done.is_due:
        screen.say(f"too early: the next one is due at {done.next_at:%Y-%m-%d %H:%M}; or --force")
    elif not any((done.resolved, done.drafted, done.filed, done.failed)):
        screen.say("no TODO is due")
    return 0


def opt_in(args: Namespace, screen: Screen) -> int:
    """Let TODOs be filed in a repository."""
    repository = str(Path(args.repository).absolute())
    with open_brain(args) as brain:
        chosen = brain.gaps.opt_in(repository, way=args.way, scope=args.scope or "global")
    screen.answer({"filing": chosen}, [_filing_line(chosen)])
    return 0


def opt_out(args: Namespace, screen: Screen) -> int:
    """File TODOs in no repository any more."""
    scope = args.scope or "global"
    with open_brain(args) as brain:
        brain.gaps.opt_out(scope=scope)
    screen.answer({"scope": scope}, [f"{scope}: TODOs stay in the outbox"])
    return 0


def filings(args: Namespace, screen: Screen) -> int:
    """Show where TODOs are filed."""
    with open_brain(args) as brain:
        found = brain.gaps.filings(scope=args.scope)
    screen.answer({"filings": found}, map(_filing_line, found))
    if not found:
        screen.say("TODOs stay in the outbox, beside the store")
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


def _pulse_lines(done: Pulsed) -> Iterator[Line]:
    if done.scanned is not None:
        yield from map(_pattern_line, done.scanned.patterns)
    drafted = "would draft" if done.is_dry_run else "drafted"
    for verb, gaps in (("resolved", done.resolved), (drafted, done.drafted), ("filed", done.filed)):
        yield from ((f"{verb}  ", *_line(gap)) for gap in gaps)
    yield from (f"left undone  {gap_id}  {code}" for gap_id, code in done.failed)


def _filing_line(filing: Filing) -> Line:
    return (Bold(filing.scope), f"  {filing.way}  {inert(filing.repository)}")


def _line(gap: Gap) -> Line:
    words = one_line(gap.description, _QUOTE_CHARS) or "(its words were erased)"
    told = f"  {gap.todo_ref}" if gap.todo_ref else ""
    return (
        Bold(gap.id),
        f"  {gap.how_often}  {gap.status}  {words}",
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
        Dim(f"{one.recorded_at:%Y-%m-%d %H:%M}  {one.by.name}  {_done(one)}")
        for one in story.history
    )


def _done(one: Recorded) -> str:
    """Return the kind of an event in words."""
    return kind_of(one.event).replace("_", " ")


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
