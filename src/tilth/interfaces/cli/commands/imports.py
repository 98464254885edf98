"""`tilth import`: bring in what others recorded."""

import os
import re
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated

from tilth.core.errors import NotFoundError
from tilth.core.io.file_lock import try_lock
from tilth.core.verb import Arg, Section
from tilth.core.view import Bold, Dim, Line, number_of
from tilth.interfaces.cli.commands.worker import (
    count_lacking_vectors,
    raising_interrupt,
    start_in_background,
)
from tilth.interfaces.cli.screen import Screen, columns
from tilth.interfaces.cli.terminal import Terminal, command
from tilth.interfaces.import_transcripts import Summary, Tally, has_more_to_learn, learn, run_import
from tilth.runtime import connect as bootstrap
from tilth.runtime import places
from tilth.runtime.brain import Brain
from tilth.transfer.model import Source

_REASONS_SHOWN = 10
# As importers say of what holds nothing to remember; any other reason is a loss.
_BY_DESIGN = "left out: "
_QUOTED = re.compile(r"'[^']*'")


@command(
    "import",
    section=Section.START,
    examples=("tilth import", "tilth import ~/notes chats.json --dry-run"),
)
def run(
    terminal: Terminal,
    paths: Annotated[
        Sequence[str],
        Arg(
            "files or folders; none means the transcripts of agents on this machine", metavar="PATH"
        ),
    ] = (),
    *,
    dry_run: Annotated[
        bool, Arg("count only, and write nothing", flags=("-n", "--dry-run"))
    ] = False,
    no_background: Annotated[bool, Arg("leave the second tier of vectors for later")] = False,
    limit: Annotated[int | None, Arg("the most new or changed sources to read", least=1)] = None,
) -> int:
    """
    Import transcripts, exports, notes and documents.

    What was imported before is recognised, so an import can be repeated, or
    interrupted and started again.
    """
    screen = terminal.screen
    # Another import may run too; whichever was first is the one that can be ended from outside.
    running = try_lock(places.import_lock(terminal.place))
    with terminal.open() as brain, running as is_alone, raising_interrupt(threading.Event()):
        if not is_alone:
            screen.say("another import runs; what both bring in is recorded once")
        sources = sources_at(brain, paths) if paths else agent_transcripts()
        if not sources:
            raise _nothing_found(paths)
        if 0 < (count := len(sources) - len(brain.unimported(sources))) < len(sources):
            screen.say(f"going on: {count:,} of {len(sources):,} sources were read before")
        with telling_what_is_kept(screen, "the same command", is_dry_run=dry_run):
            with screen.progress("importing", sum(one.size for one in sources)) as advance:
                summary, reports = run_import(
                    brain, sources, advance, is_dry_run=dry_run, limit=limit
                )
            # One that was broken off may have left something to learn, and to find by meaning.
            is_on = not (dry_run or no_background)
            with screen.progress("sessions") as advance:
                learned = learn(brain, advance) if is_on else Counter()
        has_more = is_on and has_more_to_learn(brain)
        is_on = is_on and bool(summary.total.new_count or learned or count_lacking_vectors(brain))
    if is_on:
        start_in_background(terminal)
    is_learned = is_on and bool(summary.total.new_count or learned)
    told = lesson_lines(learned, has_more=has_more) if is_learned else ()
    lines = [*summary_lines(summary), *told]
    screen.answer({"summary": summary, "sources": reports, "learned": learned}, lines)
    if summary.total.new_count and not dry_run:
        screen.say("ask: tilth recall QUESTION")
    return 0


@contextmanager
def telling_what_is_kept(
    screen: Screen, goes_on_by: str, *, is_dry_run: bool = False
) -> Iterator[None]:
    """Tell whoever breaks an import off what is kept, and what goes on from there."""
    try:
        yield
    except KeyboardInterrupt:
        if not is_dry_run:
            screen.say(f"\nwhat was read is kept; {goes_on_by} goes on from there")
        raise


def lesson_lines(learned: Counter[str], *, has_more: bool) -> Iterator[Line]:
    """Yield what was learned, whether the worker learns more, and where it is seen."""
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in learned.most_common())
    if kinds:
        count = Bold(f"{number_of(learned.total(), 'fact')} learned")
        yield (count, f": {kinds}; nobody confirmed them yet")
    else:
        yield "no fact learned: nothing in it says that it is to be kept"
    if has_more:
        yield Dim("so far: a worker looks through the other sessions in the background")
    if kinds:
        yield Dim("see them: tilth fact list; what waits for you: tilth review")


def agent_transcripts() -> list[Source]:
    """Return the transcripts that agents left on this machine."""
    return bootstrap.default_sources(os.environ)


def sources_at(brain: Brain, paths: Iterable[str]) -> list[Source]:
    """Return what can be imported at *paths*, each source once."""
    found = (source for path in paths for source in brain.find_sources(path))
    return list({source.uri: source for source in found}.values())


def summary_lines(summary: Summary) -> Iterator[Line]:
    """Yield a summary for a person."""
    header: list[str] = ["format", "sources", "unchanged", "sessions", "new", "known", "skipped"]
    rows = [_row(name, tally) for name, tally in sorted(summary.formats.items())]
    total = [_row("all", summary.total)] if len(rows) > 1 else []
    yield from columns([[Dim(cell) for cell in header], *rows, *total])
    yield from _skipped(summary.total.reasons)
    yield from _reason_lines("read, and mended", summary.total.mended)
    if summary.total.unchanged_count or summary.total.known_count:
        yield Dim(_here_already(summary.total))
    if gone := summary.total.gone_count:
        what = "1 document is" if gone == 1 else f"{gone:,} documents are"
        yield Dim(f"{what} gone from there, and shown no more; nothing of it is erased")
    written = "would be written; this was a dry run" if summary.is_dry_run else "recorded"
    yield (
        Bold(f"{number_of(summary.total.new_count, 'new episode')} {written}"),
        Dim(f" in {summary.seconds:.1f} s"),
    )


def _here_already(total: Tally) -> str:
    sources = number_of(total.unchanged_count, "source")
    episodes = f"{number_of(total.known_count, 'episode')} of the others"
    return f"here already: {sources}" + (f", and {episodes}" if total.known_count else "")


def _skipped(reasons: Counter[str]) -> Iterator[Line]:
    """Yield what was lost by its reason, and what holds nothing to remember in one line."""
    lost = Counter({one: n for one, n in reasons.items() if not one.startswith(_BY_DESIGN)})
    yield from _reason_lines("skipped", lost)
    if left := reasons.total() - lost.total():
        yield Dim(f"skipped {left:,} that hold nothing to remember; --json says what they are")


def _reason_lines(what: str, reasons: Counter[str]) -> Iterator[Line]:
    alike = _merge_similar(reasons)
    for reason, count in alike.most_common(_REASONS_SHOWN):
        yield Dim(f"{what} {count:,}: {reason}")
    if (rest := len(alike) - _REASONS_SHOWN) > 0:
        yield Dim(f"and {rest} more reasons; --json has them all")


def _merge_similar(reasons: Counter[str]) -> Counter[str]:
    """Count reasons that differ only in what they quote as one, told by the most frequent."""
    told: dict[str, str] = {}
    counts = Counter[str]()
    for reason, count in reasons.most_common():
        form = _QUOTED.sub("", reason)
        if told.setdefault(form, reason) != reason:
            told[form] = f"such as {told[form].removeprefix('such as ')}"
        counts[form] += count
    return Counter({told[form]: count for form, count in counts.items()})


def _row(name: str, tally: Tally) -> list[str]:
    counts = (
        tally.source_count,
        tally.unchanged_count,
        tally.session_count,
        tally.new_count,
        tally.known_count,
        tally.skipped_count,
    )
    return [Bold(name), *(f"{count:,}" for count in counts)]


def _nothing_found(paths: Sequence[str]) -> NotFoundError:
    if paths:
        return NotFoundError(
            "nothing there is of a format that is read",
            hint="transcripts, exports, notes and documents are: see docs/reference/imports.md",
        )
    return NotFoundError(
        "no agent has left transcripts here", hint="name a file or folder: tilth import PATH"
    )
