"""Upkeep as lines for a person."""

from collections.abc import Iterator, Sequence

from tilth.core.ids import FactId
from tilth.core.view import Bold, Dim, Line, Note, number_of
from tilth.llm.client import Reason
from tilth.maintenance.archive import Swept
from tilth.maintenance.clean import Cleaned
from tilth.maintenance.consolidate import Consolidated


def archived(swept: Swept) -> Iterator[Line]:
    """Yield how much was archived, or would be."""
    done = "would be archived" if swept.is_dry_run else "were archived"
    yield f"{number_of(len(swept.facts), 'fact')} {done}"
    yield Dim(f"{number_of(swept.byte_count, 'byte')} of text")
    if swept.has_more:
        yield Note("more is due than one round takes: run it again")
    if swept.facts and not swept.is_dry_run:
        yield Note("they come back with: tilth unarchive")


def unarchived(facts: Sequence[FactId]) -> Iterator[Line]:
    """Yield how many facts are back."""
    yield f"{number_of(len(facts), 'fact')} brought back"


def cleaned(done: Cleaned) -> Iterator[Line]:
    """Yield how many facts were judged, and which were archived."""
    if done.refusal:
        why = Reason(done.refusal).words
        yield Note(f"no language model read anything: {why}; see: tilth model")
        return
    if not done.judged_count:
        yield Note(
            "no fact is due: each is read over once it is a day old, and again after a week; those"
            " that a person, a rule or a slot stands behind never are"
        )
        return
    told = f"{number_of(done.judged_count, 'fact')} read over, {len(done.facts):,} archived"
    ignored = f", {number_of(done.ignored_count, 'verdict')} ignored" if done.ignored_count else ""
    yield told + ignored
    yield from (Dim(one) for one in done.facts)
    if done.facts:
        yield Note("each comes back with: tilth fact restore ID")


def consolidated(done: Consolidated) -> Iterator[Line]:
    """Yield the groups that were consolidated."""
    for group in done.groups:
        came_of_it = group.fact_id or "nothing yet"
        sources = number_of(len(group.sources), "fact")
        yield (Bold(came_of_it), Dim(f"  from {sources} about {group.about}"))
    if done.has_more:
        yield Note("more waits than one run takes: run it again")
    elif not done.groups:
        yield Note("nothing new belongs together")
