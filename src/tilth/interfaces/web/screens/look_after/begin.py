"""The beginning: what agents left on this machine, brought in while one looks on."""

import os
from collections.abc import Mapping, Sequence
from itertools import groupby

from tilth.core.actor import ActorKind
from tilth.core.io.paths import users_home
from tilth.interfaces.import_transcripts import TranscriptFolder, sources_in, transcript_folders
from tilth.interfaces.web.screen import Ask, Said, Told, act, is_new, screen
from tilth.knowledge.facts.fact import Fact
from tilth.transfer.file_importer import UNREADABLE

_LEARNED_SHOWN = 6
_BETWEEN = "\n"


@screen(
    "/begin",
    title="Import",
    group="Look after",
    place=95,
)
def begin(ask: Ask) -> Told:
    """Gather what lies on this machine by host, how far an import is, and what it taught."""
    progress, lying = ask.serving.importing.progress, transcript_folders(ask.brain)
    found = [one for one in lying if one.host != UNREADABLE]
    is_first = is_new(ask.brain)
    return {
        "hosts": _by_host(found),
        "unreadable": sum(one.count for one in lying if one.host == UNREADABLE),
        "home": users_home(os.environ),
        "new_count": sum(one.waiting_count for one in found),
        "progress": progress,
        "is_first": is_first,
        "learned": _learned(ask) if progress.stage == "done" else (),
        "between": _BETWEEN,
        "heading": "Welcome" if is_first and progress.stage == "idle" else "Import",
    }


def _learned(ask: Ask) -> Sequence[Fact]:
    """Return what was read from sessions last."""
    return ask.brain.facts.list(by=[ActorKind.JOB], limit=_LEARNED_SHOWN)


def _by_host(found: Sequence[TranscriptFolder]) -> Mapping[str, Sequence[TranscriptFolder]]:
    ordered = sorted(found, key=lambda one: one.host)
    return {host: list(ones) for host, ones in groupby(ordered, key=lambda one: one.host)}


@act("import/begin")
def start(ask: Ask) -> Said:
    """Bring in what was chosen."""
    chosen = [one.partition(_BETWEEN) for one in ask.many("pile")]
    sources = sources_in([(host, folder) for host, _, folder in chosen])
    ask.serving.importing.begin(ask.serving.brain, sources)
    return Said(f"{len(sources):,} transcripts are being read.")


@act("import/stop")
def stop(ask: Ask) -> Said:
    """End an import after the transcript that is read."""
    ask.serving.importing.stop()
    return Said("It ends after this transcript. What was read stays, and is not read twice.")
