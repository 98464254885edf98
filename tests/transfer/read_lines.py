"""Reading a file of one format whole, for the tests of that format."""

import json
from dataclasses import dataclass
from pathlib import Path

from tilth.episodes.episode import EpisodeDraft
from tilth.transfer.file_importer import FileImporter, Format
from tilth.transfer.model import Described, Item, Skipped, Source


@dataclass(frozen=True)
class Reading:
    """What a source held, as the tests ask for it."""

    items: list[Item]

    @property
    def drafts(self) -> list[EpisodeDraft]:
        return [item for item in self.items if isinstance(item, EpisodeDraft)]

    @property
    def sessions(self) -> list[Described]:
        return [item for item in self.items if isinstance(item, Described)]

    @property
    def skipped(self) -> list[Skipped]:
        return [item for item in self.items if isinstance(item, Skipped)]

    @property
    def said(self) -> list[str]:
        return [f"{draft.role}: {draft.text}" for draft in self.drafts]

    @property
    def times(self) -> list[str]:
        return [f"{draft.occurred_at:%m-%d %H:%M:%S}" for draft in self.drafts]

    @property
    def keys(self) -> list[str | None]:
        return [draft.idempotency_key for draft in self.drafts]

    @property
    def reasons(self) -> dict[str, int]:
        """What was left out on purpose, and how often."""
        return {note.reason: note.count for note in self.skipped}


def read_whole(form: Format, folder: Path, name: str, content: str | bytes) -> Reading:
    """Write *content* to a file called *name*, and read it as *form*."""
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    source = Source(path.as_uri(), form.HOST, path.stat().st_size)
    return Reading([item for item, _ in FileImporter().read(source)])


def lines_of(*values: object) -> str:
    """Write each of *values* as JSON on a line of its own."""
    return "".join(f"{json.dumps(value)}\n" for value in values)
