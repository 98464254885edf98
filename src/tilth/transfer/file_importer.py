"""
The list of import formats, and the one importer that reads them all.

A format is a module with a name, what its page says of it, a test whether a sample is of it, and a
reader. The first whose test holds has the file, so the strictest come first.
"""

import hashlib
import logging
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import product
from pathlib import Path, PurePosixPath
from typing import Protocol

from tilth.core.errors import InvalidInputError, NotFoundError, TilthError, UnavailableError
from tilth.episodes.episode import EpisodeDraft
from tilth.llm.task import TASK_FOLDER
from tilth.transfer.formats import (
    aider,
    chatgpt,
    claude_ai,
    claude_code,
    codex,
    copilot_cli,
    cursor,
    gemini,
    mcp_memory,
    opencode,
    slack,
    specstory,
    tilth_export,
    vscode,
)
from tilth.transfer.formats.documents import adr, markdown, plain_text
from tilth.transfer.ledger_file import is_ledger_file
from tilth.transfer.model import Item, Row, Skipped, Source
from tilth.transfer.reading.find_files import OUR_VAULT, files_in
from tilth.transfer.reading.sample import Sample, take_sample
from tilth.transfer.reading.source_file import SourceFile, path_of
from tilth.transfer.reading.sqlite_file import is_database

logger = logging.getLogger(__name__)


class Format(Protocol):
    """What a module says of the format that it reads."""

    HOST: str
    """The format's name, and the host of its sessions."""

    PROGRAM: str
    """What a person calls it: how the program names itself, or what lay there."""

    READS: str
    """What files it reads, in a cell of the page of imports."""

    SESSION: str
    """What a session of it is, in another."""

    def sniff(self, sample: Sample) -> bool:
        """Say whether *sample* is of this format. Nothing is raised, whatever it holds."""
        ...

    def read(self, source: SourceFile) -> Iterator[Item]:
        """Yield what *source* holds."""
        ...


FORMATS: tuple[Format, ...] = (
    tilth_export,
    claude_code,
    copilot_cli,
    codex,
    gemini,
    opencode,
    cursor,
    vscode,
    chatgpt,
    claude_ai,
    slack,
    mcp_memory,
    specstory,
    aider,
    adr,
    markdown,
    plain_text,
)
_KNOWING = {adr.HOST: adr.rows, markdown.HOST: markdown.rows}
_BY_NAME = {format_.HOST: format_ for format_ in FORMATS}
# A file in a folder that may not be unpacked is a source too, so that its refusal is reported.
UNREADABLE = "unreadable"
_EXPECTED = frozenset({".jsonl", ".markdown", ".md", ".ndjson", ".text", ".txt"})
_OURS = "left out: what Tilth put before an agent"


class FileImporter:
    """
    Reads files and folders on this machine.

    *strip* takes out of a text what Tilth itself put before an agent.
    """

    def __init__(self, strip: Callable[[str], str] = str) -> None:
        self._strip = strip

    def find(self, path: str) -> list[Source]:
        """
        Return what can be imported at *path*, a file or a folder.

        Raises:
            NotFoundError: nothing is there.
            InvalidInputError: *path* is a file of no format that is known, or a false archive.
            LimitExceededError: there is more than is read.
            UnavailableError: the file cannot be read.
        """
        there = _existing(path)
        if (there / OUR_VAULT).is_file():
            raise InvalidInputError(
                f"{path[:200]!r} is a vault that Tilth wrote, and says what is known already",
                hint="to propose what you changed in it: tilth vault import FOLDER",
            )
        if there.is_dir():
            found = (_source_among_others(file) for file in files_in(there))
            return [source for source in found if source]
        return [_source_by_itself(there)]

    def read(self, source: Source) -> Iterator[tuple[Item, int]]:
        """
        Yield what *source* holds, each with the bytes read so far.

        What is broken or beyond a limit is `Skipped` from there on.

        Raises:
            InvalidInputError: *source* is not one that was found.
            UnavailableError: the file cannot be read, or not any further.
        """
        file = SourceFile(path_of(source.uri), source.key)
        if source.format not in _BY_NAME and source.format != UNREADABLE:
            raise InvalidInputError(
                f"unknown format {source.format[:60]!r}", hint=f"one of {', '.join(_BY_NAME)}"
            )
        reader = _BY_NAME[source.format].read if source.format in _BY_NAME else _read_unreadable
        try:
            for item in reader(file):
                yield self._without_ours(item, file), file.position
        except TilthError as error:
            yield Skipped(file.label, str(error)), file.position
        except OSError as error:
            raise UnavailableError(_cause(error)) from error

    def rows(self, source: Source) -> Iterator[Row]:
        """Yield what a document is and links to, as rows; nothing of any other format."""
        if source.format in _KNOWING:
            yield from _KNOWING[source.format](SourceFile(path_of(source.uri), source.key))

    def _without_ours(self, item: Item, file: SourceFile) -> Item:
        if not isinstance(item, EpisodeDraft):
            return item
        text = self._strip(item.text)
        if text == item.text:
            return item
        return replace(item, text=text) if text.strip() else Skipped(file.label, _OURS)

    def fingerprint(self, source: Source) -> str:
        """
        Return the SHA-256 of the source's bytes.

        Raises:
            UnavailableError: the file cannot be read any more.
        """
        try:
            path = path_of(source.uri)
            with path.open("rb") as raw:
                digest = hashlib.file_digest(raw, "sha256")
            # The newest rows of a database, until they are taken over into it.
            with suppress(FileNotFoundError), Path(f"{path}-wal").open("rb") as raw:
                digest.update(hashlib.file_digest(raw, "sha256").digest())
            return digest.hexdigest()
        except OSError as error:
            raise UnavailableError(_cause(error)) from error


def default_places(home: Path, environ: Mapping[str, str]) -> list[Path]:
    """Return the folders and files where agents keep their transcripts, those that are there."""
    claude = Path(environ.get("CLAUDE_CONFIG_DIR") or home / ".claude")
    codex = Path(environ.get("CODEX_HOME") or home / ".codex")
    gemini = Path(environ.get("GEMINI_CLI_HOME") or home) / ".gemini"
    places = [
        claude / "projects",
        codex / "sessions",
        codex / "archived_sessions",
        home / ".copilot" / "session-state",
        *sorted(
            one for one in gemini.glob("tmp/*/chats") if not one.parent.name.startswith(TASK_FOLDER)
        ),
        *sorted(home.glob(".cursor/projects/*/agent-transcripts")),
        *_vscode_places(home, environ),
    ]
    opencode_ = Path(environ.get("XDG_DATA_HOME") or home / ".local" / "share") / "opencode"
    databases = (one for one in sorted(opencode_.glob("opencode*.db")) if os.access(one, os.R_OK))
    return [
        *(place for place in places if os.access(place, os.R_OK | os.X_OK)),
        # One that nobody wrote to yet is empty.
        *(one for one in databases if is_database(one)),
    ]


def _vscode_places(home: Path, environ: Mapping[str, str]) -> Iterator[Path]:
    """Yield where VS Code keeps the chats of each workspace, on any of its systems."""
    folders = [
        Path(environ.get("XDG_CONFIG_HOME") or home / ".config"),
        home / "Library" / "Application Support",
        Path(environ.get("APPDATA") or home / "AppData" / "Roaming"),
    ]
    for folder, edition in product(folders, ("Code", "Code - Insiders", "VSCodium")):
        yield from sorted((folder / edition / "User").glob("workspaceStorage/*/chatSessions"))


def _existing(path: str) -> Path:
    if not path:
        raise InvalidInputError("an empty path", hint="write . for the folder you are in")
    try:
        there = Path(path).resolve(strict=True)
    except (OSError, ValueError, RuntimeError) as error:
        raise NotFoundError(f"there is nothing at {path[:200]!r} that can be read") from error
    if not (there.is_dir() or there.is_file()):
        raise InvalidInputError(f"{path[:200]!r} is neither a file nor a folder")
    return there


def _source_by_itself(path: Path) -> Source:
    file = SourceFile(path)
    try:
        if found := _source(file):
            return found
    except OSError as error:
        raise UnavailableError(f"{file.label[-200:]!r}: {_cause(error)}") from error
    hint = f"what is read: {', '.join(_BY_NAME)}"
    if is_ledger_file(path):
        hint = "it is a whole ledger; make a store of it: tilth load FILE --store PATH"
    raise InvalidInputError(f"{file.label[-200:]!r} is of no format that is read", hint=hint)


def _source_among_others(path: Path) -> Source | None:
    file = SourceFile(path)
    try:
        found = _source(file)
    except TilthError:
        return Source(file.uri, UNREADABLE, file.size)
    except OSError as error:
        logger.warning("file passed over: errno=%s", error.errno)
        return None
    # JSON may be anything; what is named as words or as a transcript ought to be one.
    is_expected = file.size > 0 and PurePosixPath(file.name).suffix.lower() in _EXPECTED
    return Source(file.uri, UNREADABLE, file.size) if found is None and is_expected else found


def _source(file: SourceFile) -> Source | None:
    name = _format_of(take_sample(file))
    return Source(file.uri, name, file.size) if name else None


def _format_of(sample: Sample) -> str:
    return next((format_.HOST for format_ in FORMATS if format_.sniff(sample)), "")


def _read_unreadable(file: SourceFile) -> Iterator[Item]:
    sample = take_sample(file)
    if _format_of(sample):
        yield Skipped(file.label, "it could not be read when it was found; import it again")
    else:
        yield Skipped(file.label, "of no format that is read" if sample.is_text else "no text")


def _cause(error: OSError) -> str:
    return f"it cannot be read: {error.strerror or type(error).__name__}"
