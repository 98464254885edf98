"""Upkeep as lines for a person."""

from collections.abc import Iterator, Sequence

from tilth.core.ids import FactId
from tilth.core.view import Bold, Dim, Line, Note
from tilth.maintenance.archive import Swept
from tilth.maintenance.clean import Cleaned
from tilth.maintenance.consolidate import Consolidated


def archived(swept: Swept) -> Iterator[Line]:
    """Yield how much was archived, or would be."""
    done = "would be archived" if swept.is_dry_run else "were archived"
    yield f"{len(swept.facts):,} facts {done}"
    yield Dim(f"{swept.byte_count:,} bytes of text")
    if swept.has_more:
        yield Note("more is due than one round takes: run it again")
    if swept.facts and not swept.is_dry_run:
        yield Note("they come back with: tilth unarchive")


def unarchived(facts: Sequence[FactId]) -> Iterator[Line]:
    """Yield how many facts are back."""
    yield f"{len(facts):,} facts are back"


def cleaned(done: Cleaned) -> Iterator[Line]:
    """Yield how much was read over, and what was archived."""
    if done.refusal:
        yield Note(f"no language model read anything: {done.refusal}; see: tilth metrics")
        return
    yield f"{done.judged_count:,} facts were read over, {len(done.facts):,} archived"
    yield from (Dim(one) for one in done.facts)
    if done.facts:
        yield Note("each comes back with: tilth fact restore ID")


def consolidated(done: Consolidated) -> Iterator[Line]:
    """Yield what was summed up."""
    for group in done.groups:
        came_of_it = group.fact_id or "nothing yet"
        yield (Bold(came_of_it), Dim(f"  from {len(group.sources)} facts about {group.about}"))
    if done.has_more:
        yield Note("more waits than one run takes: run it again")
    elif not done.groups:
        yield Note("nothing new belongs together")
