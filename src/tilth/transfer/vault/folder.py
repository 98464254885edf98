"""The folder of a vault: its manifest and its files, each written whole."""

import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from dataclasses import asdict, field
from pathlib import Path
from typing import Any

from tilth.core.dataclass import dataclass
from tilth.core.errors import ConflictError, CorruptionError, InvalidInputError
from tilth.core.io.atomic_file import Disk, make_private
from tilth.core.io.file_lock import lock_folder
from tilth.core.io.os_errors import unavailable
from tilth.transfer.vault.page_text import Links, brain_id_in

FORMAT, VERSION = "tilth-vault", 1
_MANIFEST = ".tilth/manifest.json"
_BYTES_MAX = 64 << 20
_HEAD_BYTES = 1 << 14
_LEFTOVER = re.compile(r"\..+\.[0-9a-f]{8}\.tilth")
# Folders of editors, of git and of Tilth.
_EDITORS_FOLDERS = frozenset({".obsidian", ".git", ".tilth", ".trash"})


@dataclass(slots=True)
class Written:
    """
    A page as it was written last: its path, the digest of Tilth's part, its facts and lines.

    `taken` is the digest of the page as it was read back last, `waits` are the proposals made of
    it, and `left` the lines that could not be proposed: the next export puts them below the marker.
    """

    path: str
    sha: str
    facts: dict[str, str] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    taken: str = ""
    waits: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Manifest:
    """The store and owner of a vault, and its pages by ID."""

    store_id: str
    owner: str
    links: str
    pages: dict[str, Written] = field(default_factory=dict)
    renames: list[dict[str, str]] = field(default_factory=list)


class VaultFolder:
    """
    The folder of a vault.

    Args:
        root: Its path; nothing outside of it is read or written.
    """

    def __init__(self, root: Path) -> None:
        self.root = root

    def manifest(self) -> Manifest | None:
        """
        Return the manifest; None if there is no vault yet.

        Raises:
            InvalidInputError: the folder holds something else.
            CorruptionError: the manifest cannot be read.
        """
        file = self.root / _MANIFEST
        is_other = self.root.exists() and not self._is_begun()
        # Checked last, since another export may have begun the vault meanwhile.
        if not file.is_file():
            if is_other:
                raise InvalidInputError(
                    f"{self.root} is there, and no vault of ours", hint="name a new folder in it"
                )
            return None
        try:
            told = json.loads(file.read_text(encoding="utf-8"))
            return _manifest(told)
        except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
            raise CorruptionError(f"{file} cannot be read: {error}") from error

    def _is_begun(self) -> bool:
        """Say whether the folder is empty but for the manifest's own folder."""
        begun = Path(_MANIFEST).parent.name
        return self.root.is_dir() and all(
            one.name == begun and one.is_dir() and not one.is_symlink()
            for one in self.root.iterdir()
        )

    def write_manifest(self, manifest: Manifest) -> None:
        """Write the manifest, after all pages."""
        told = {"format": FORMAT, "version": VERSION, **asdict(manifest)}
        text = json.dumps(told, ensure_ascii=False, indent=1, sort_keys=True)
        self._write(_MANIFEST, f"{text}\n")

    def read(self, path: str) -> str | None:
        """
        Return the text of a page; None if there is no file.

        Raises:
            InvalidInputError: it is not UTF-8, or larger than 64 MiB.
        """
        file = self._inside(path)
        if not file.is_file():
            return None
        if file.stat().st_size > _BYTES_MAX:
            raise InvalidInputError(f"{path} is larger than {_BYTES_MAX >> 20} MB")
        try:
            return file.read_text(encoding="utf-8").replace("\r\n", "\n")
        except UnicodeDecodeError as error:
            raise InvalidInputError(f"{path} is no text in UTF-8") from error

    def write(self, path: str, text: str) -> None:
        """Write a page whole or not at all, if its bytes change."""
        file = self._inside(path)
        if not file.is_file() or file.read_bytes() != text.encode():
            self._write(path, text)

    def remove(self, path: str) -> None:
        """Remove a page, and folders that are empty then."""
        file = self._inside(path)
        file.unlink(missing_ok=True)
        for folder in file.parents:
            if folder == self.root or not folder.is_dir() or any(folder.iterdir()):
                return
            folder.rmdir()

    def moved(self, manifest: Manifest) -> dict[str, str]:
        """Return the present paths of pages that somebody renamed, by the IDs in them."""
        missing = {id_ for id_, one in manifest.pages.items() if self.read(one.path) is None}
        if not missing:
            return {}
        found: dict[str, str] = {}
        for path, id_ in self._unlisted(manifest):
            if id_ in missing:
                found.setdefault(id_, path)
        return found

    def foreign(self, manifest: Manifest, ours: AbstractSet[str]) -> list[str]:
        """Return the files that are neither in the manifest nor have one of the IDs in *ours*."""
        return [path for path, id_ in self._unlisted(manifest) if id_ not in ours]

    def files(self) -> list[Path]:
        """Return every file that may hold what the brain knows: the manifest and all pages."""
        return [self.root / _MANIFEST, *(self.root / path for path in self._markdown())]

    @contextmanager
    def locked(self) -> Iterator[None]:
        """
        Lock the vault against other exports and imports.

        Raises:
            UnavailableError: the folder cannot be made or opened.
        """
        try:
            make_private(self.root)
        except OSError as error:
            raise unavailable(error, f"{self.root} cannot be made") from error
        with lock_folder(self.root):
            yield

    def remove_leftovers(self) -> None:
        """Remove the temporary files that a killed export left."""
        for one in self.root.rglob(".*.tilth"):
            if _LEFTOVER.fullmatch(one.name) and not one.is_symlink():
                one.unlink(missing_ok=True)

    def _unlisted(self, manifest: Manifest) -> Iterator[tuple[str, str]]:
        """Yield the path of each file that is not in the manifest, and the ID in it."""
        known = {one.path for one in manifest.pages.values()}
        for path in self._markdown():
            if path not in known:
                with (self.root / path).open("rb") as file:
                    begin = file.read(_HEAD_BYTES).decode("utf-8", "replace")
                yield path, brain_id_in(begin.replace("\r\n", "\n"))

    def _markdown(self) -> Iterator[str]:
        for folder, folders, files in os.walk(self.root):
            folders[:] = sorted(set(folders) - _EDITORS_FOLDERS)
            for name in sorted(files):
                file = Path(folder) / name
                if name.endswith(".md") and not file.is_symlink():
                    yield file.relative_to(self.root).as_posix()

    def _write(self, path: str, text: str) -> None:
        make_private(self.root)
        Disk().write(str(self._inside(path)), text.encode())

    def _inside(self, path: str) -> Path:
        """
        Return the file at *path*, relative to the vault.

        Raises:
            ConflictError: it lies outside of the vault, or a link is on the way to it.
        """
        file = self.root / path
        if Path(path).is_absolute() or ".." in Path(path).parts:
            raise ConflictError(f"{path!r} lies outside of the vault")
        between = [file, *file.parents][: len(Path(path).parts)]
        if any(one.is_symlink() for one in between):
            raise ConflictError(f"{path!r} is a link, and a vault holds none", hint="remove it")
        return file


def digest_of(text: str) -> str:
    """Return the digest of Tilth's part of a page."""
    return hashlib.sha256(text.encode()).hexdigest()


def _manifest(told: Mapping[str, Any]) -> Manifest:
    if (told["format"], told["version"]) != (FORMAT, VERSION):
        raise KeyError(FORMAT)
    pages = {str(id_): Written(**one) for id_, one in told["pages"].items()}
    return Manifest(
        store_id=str(told["store_id"]),
        owner=str(told["owner"]),
        links=Links(told["links"]),
        pages=pages,
        renames=list(told["renames"]),
    )


def check_same(manifest: Manifest, store_id: str, owner: str) -> None:
    """
    Refuse a vault of another brain.

    Raises:
        ConflictError: it is one.
    """
    if (manifest.store_id, manifest.owner) != (store_id, owner):
        raise ConflictError(
            f"that is a vault of store {manifest.store_id}, owner {manifest.owner}",
            hint="its edits go back to that store alone; for this one name another folder:"
            " tilth vault export FOLDER",
        )
