"""A run of reflection as lines for a person."""

from collections.abc import Iterator

from tilth.core.view import Line, Note, Row, number_of
from tilth.privacy.terminal_text import inert
from tilth.reflection.growth import Growth
from tilth.reflection.reflect import Reflected
from tilth.skills.views import placings

_BAR_CHARS = 20


def reflected(done: Reflected) -> Iterator[Line]:
    """Yield what each stage looked at and made."""
    for one in done.stages:
        told = f"failed: {one.error}" if one.error else f"{one.found} found, {one.made} new"
        yield Row((one.name, told))
    for one in done.stages:
        yield from (f"no playbook: {inert(left)}" for left in one.left)
    yield from placings([file for one in done.stages for file in one.files])
    made = {one.name for one in done.stages if one.made}
    if made & {"draft", "lift"}:
        yield Note("to read and confirm the playbooks: tilth playbook list --state candidate")
    if "promote" in made:
        yield Note("to read and approve the skills: tilth skill list --state candidate")
    if "retire" in made:
        yield Note("what is no more in use says why: tilth playbook list, tilth skill list")
    if "archive" in made:
        yield Note("what was put away unused: tilth playbook list --state archived")
    if not made:
        yield Note("nothing is new")


def growth(told: Growth) -> Iterator[Line]:
    """Yield what was recorded by day, with a bar, and what holds now."""
    most = max((one.episodes for one in told.days), default=0)
    yield Row(("day", "episodes", "facts", "playbooks", "skills", "decisions", ""))
    for one in told.days:
        bar = "▇" * round(_BAR_CHARS * one.episodes / most) if most else ""
        counts = (one.episodes, one.facts, one.playbooks, one.skills, one.decisions)
        yield Row((one.date, *map(str, counts), bar))
    share = f": {told.compression:g} to one" if told.compression else ""
    yield (
        f"what holds: {number_of(told.facts, 'fact')}, {number_of(told.playbooks, 'playbook')},"
        f" {number_of(told.skills, 'skill')}, of {number_of(told.episodes, 'episode')}{share}"
    )
    yield (
        f"how it is built: {number_of(told.nodes, 'node')}, {number_of(told.edges, 'edge')},"
        f" {told.collision_rate:.1%} of the facts said twice"
    )
    if told.orphans:
        yield f"{number_of(told.orphans, 'fact')} resting on nothing: tilth doctor"
