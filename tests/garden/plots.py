"""A garden over a few documents, with time that moves on as it is told."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from tests.brains import a_brain
from tests.fakes import FixedClock
from tilth.core.actor import Actor, ActorKind
from tilth.core.clock import Clock
from tilth.episodes.session import SessionInfo
from tilth.garden.cycle.run import CycleReport
from tilth.ledger.store import Store
from tilth.runtime.brain import Brain
from tilth.snapshots.folder import SnapshotFolder

DAY = timedelta(days=1)
TEXTS = {
    "backup-policy": (
        "# Backup policy\n\n"
        "Backups of the database must run at four in the morning on every host.\n"
        "Backups are kept for thirty days and then removed by the rotation job.\n\n"
        "The restore of backups is tested by `make restore` in the first week of a month.\n"
    ),
    "backup-hosts": (
        "# Backup hosts\n\n"
        "Backups are stored on the machine `vault`, because it stands in another building.\n"
        "Backups of the mail server are encrypted with age, not with gpg.\n"
    ),
    "release-steps": (
        "# Release steps\n\n"
        "A release must be tagged by two people, and the tag must be signed.\n"
        "Every release is built by the job `build-release` on the host `vault`.\n"
        "A release is never made on a Friday, because nobody is there on the day after.\n"
    ),
    "release-notes": (
        "# Release notes\n\n"
        "Release notes are written by hand and are reviewed before a release is tagged.\n"
        "The release notes must name every change that breaks a caller.\n"
    ),
    "monitoring": (
        "# Monitoring\n\n"
        "Monitoring sends alerts to the pager only between eight and twenty o'clock.\n"
        "Monitoring of disks warns at eighty percent and pages at ninety-five percent.\n"
    ),
}


def plot(
    store: Store,
    clock: Clock,
    folder: Path,
    *,
    by: str = "ana",
    kind: ActorKind = ActorKind.HUMAN,
    owner: str = "local",
) -> Brain:
    """Return a brain with a garden in a folder, as somebody uses it."""
    brain = a_brain(store, clock, by=Actor(by, kind))
    parts = replace(
        brain.parts, garden=folder / "garden", snapshots=SnapshotFolder(folder / "snapshots")
    )
    return Brain(parts)


def planted(brain: Brain, texts: Mapping[str, str] | None = None) -> None:
    """Record documents, a section each, as an import would."""
    for name, text in (texts or TEXTS).items():
        title = text.split("\n", 1)[0].removeprefix("# ")
        session = f"docs:{name}.md"
        metadata = {"heading": title, "line": 1}
        brain.remember(text, session_id=session, kind="document", metadata=metadata)
        brain.sessions.describe(session, SessionInfo(title=title))


def crowded(store: Store, clock: Clock, folder: Path, count: int) -> Brain:
    """Return a garden with one topic, about which one document has so many sentences to keep."""
    brain = plot(store, clock, folder)
    said = [
        f"Backups of shop{n} must be stored on the machine node{n}, because cellar{n} has door{n}."
        for n in range(count)
    ]
    planted(brain, {"hosts": "# Backups\n\n" + "\n\n".join(said)})
    brain.topics.add("backups")
    return brain


def cycle(brain: Brain, **told: Any) -> CycleReport:
    """Run a cycle, and return its report."""
    return brain.garden.run(is_applied=True, **told)


def days(brain: Brain, clock: FixedClock, count: int) -> list[CycleReport]:
    """Run cycles on so many days."""
    reports = []
    for _ in range(count):
        reports.append(cycle(brain))
        clock.at += DAY
    return reports
