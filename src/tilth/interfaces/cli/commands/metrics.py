"""`tilth metrics`: what background work and hooks have come to, and what models spent."""

import os
from collections.abc import Iterator, Mapping

from tilth.core.verb import Section
from tilth.core.view import Bold, Dim, Line
from tilth.interfaces.cli.opening import is_there
from tilth.interfaces.cli.screen import columns
from tilth.interfaces.cli.terminal import Terminal, command
from tilth.llm.budget import MILLIONTHS, Limits, SessionSpending, Spending
from tilth.llm.client import SpentToday
from tilth.runtime import connect as bootstrap
from tilth.runtime.doctor import Unread
from tilth.runtime.machine import unread_of
from tilth.runtime.stages import StageCounts, alarm


@command("metrics", section=Section.ADVANCED, examples=("tilth metrics", "tilth metrics --json"))
def run(terminal: Terminal) -> int:
    """
    Show what the worker and hooks did, and what language models spent.

    Counts are kept for each stage of the worker; spending is today's.
    """
    where, spent, screen = terminal.place, None, terminal.screen
    stages, unread = bootstrap.stage_log(where).read(), unread_of(os.environ)
    if "://" in where or is_there(where):
        with terminal.open() as brain:
            spent = brain.models.spent_today()
    told = {"stages": stages, "hooks": unread, "models": spent}
    screen.answer(told, [*_lines(stages, unread), *(_spent_lines(spent) if spent else ())])
    if not stages:
        screen.say("no worker has had anything to do yet; let one look: tilth worker --once")
    return 0


def _lines(stages: Mapping[str, StageCounts], unread: Unread) -> Iterator[Line]:
    header = [Dim(word) for word in ("stage", "runs", "found", "made", "last made")]
    yield from columns([header, *(_row(name, counts) for name, counts in stages.items())])
    for name, counts in stages.items():
        if wrong := alarm(counts):
            yield (Bold(name), f" {wrong}")
    yield (
        f"hooks: {unread.waiting_bytes:,} bytes wait, {unread.lost_count:,} events were lost,"
        f" {unread.aside_bytes:,} bytes could not be read"
    )


def _row(name: str, counts: StageCounts) -> list[str]:
    made_at = counts.last_made_at
    numbers = (counts.run_count, counts.found_count, counts.made_count)
    shown = [f"{number:,}" for number in numbers]
    return [Bold(name), *shown, f"{made_at:%Y-%m-%d %H:%M}" if made_at else "never"]


def _spent_lines(today: SpentToday) -> Iterator[Line]:
    if today.budget.is_off and not today.by_model:
        yield "models: off"
        return
    yield f"models today: {_of(today.spent, today.budget.day)}"
    header = [Dim(word) for word in ("task", "model", "calls", "tokens", "money", "unsettled")]
    rows = [
        [
            Bold(one.task),
            one.model,
            f"{one.spent.calls:,}",
            f"{one.spent.tokens:,}",
            _money(one.spent.millionths),
            f"{one.open_count:,}",
        ]
        for one in today.by_model
    ]
    if rows:
        yield from columns([header, *rows])
    if today.by_session:
        header = [Dim(word) for word in ("session", "calls", "tokens", "money")]
        yield from columns([header, *map(_session_row, today.by_session)])


def _session_row(one: SessionSpending) -> list[str]:
    spent = one.spent
    amounts = [f"{spent.calls:,}", f"{spent.tokens:,}", _money(spent.millionths)]
    return [Bold(one.session_id), *amounts]


def _of(spent: Spending, most: Limits) -> str:
    return (
        f"{spent.calls:,} of {most.calls or 0:,} calls,"
        f" {spent.tokens:,} of {most.tokens or 0:,} tokens,"
        f" {_money(spent.millionths)} of {_money(most.millionths or 0)} money"
    )


def _money(millionths: int) -> str:
    return f"{millionths / MILLIONTHS:.4f}"
