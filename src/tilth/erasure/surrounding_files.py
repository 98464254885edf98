"""
The files around a store that may hold its words: the spool, briefs, copies.

Tilth's own files are cleaned, and so are stores that were moved aside. Copies elsewhere are listed,
since only their owner may change them. A byte scan reads every file in Tilth's folders.
"""

import gzip
import json
import mmap
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from pathlib import Path

import re2

from tilth.agents.spool import SpoolFolder
from tilth.core.ids import EventId
from tilth.core.io.private_files import read_lines
from tilth.core.io.temporary_files import abandoned_files
from tilth.gaps.task_lists import OutboxFolder, outbox_of
from tilth.garden.cycle.folder import GardenFolder
from tilth.snapshots.folder import SnapshotFolder, snapshots_of
from tilth.transfer.export_file import NotedExports
from tilth.transfer.vault.folder import VaultFolder

_BACKUPS = "backups.jsonl"
_REPLACED = re.compile(r"\.replaced-\d{8}T\d{6}Z")
_UNZIPPED_BYTES_MAX = 1 << 30
# In bytes. A part of a file that holds any word is searched again for each word.
_PART_BYTES = 1 << 18
_PATTERN_BYTES_MAX = 1 << 28
_FILE_LIMITS = (
    "blocks that the file system freed but did not overwrite, and snapshots that it keeps",
    "copies that other programs made: synchronised folders, backups of the whole disk",
)
_SERVER_LIMITS = (
    "the database server's write-ahead log and its archive, until the server recycles them",
    "replicas of the server, and backups that were made with its own tools",
)


class LocalFiles:
    """
    The files on this machine; see `tilth.erasure.erase.SurroundingFiles`.

    Args:
        where: The path or URL of the store.
        data: The folder of data.
        state: The folder of keys and logs.
        garden: The folder in which the garden writes for people.
        erase_again: Updates a store that was moved aside; returns whether that changed it.
    """

    def __init__(
        self, where: str, data: Path, state: Path, garden: Path, erase_again: Callable[[Path], bool]
    ) -> None:
        self._store = None if "://" in where else Path(where)
        self._outbox = outbox_of(where, data)
        self._data = data
        self._state = state
        self._garden = GardenFolder(garden, data / "snapshots")
        self._erase_again = erase_again

    def forget(self, words: Sequence[str], skills: Collection[str] = ()) -> Sequence[str]:
        """
        Remove *words* from Tilth's own files; return the files that were changed.

        The spool and the garden's inboxes lose the lines with them. Briefs and readings for them
        are removed, and made anew later; drafts and the garden's outbox are rewritten. Edited files
        of *skills* that were moved aside are removed, and so are others with any of the words.
        Stores that were moved aside are erased like this one.
        """
        cleaned = list(SpoolFolder(self._data / "spool").forget(_forms(words)))
        cleaned += OutboxFolder(self._outbox).forget(_forms(words), skills)
        cleaned += self._garden.forget(_forms(words))
        told_of = (*self._state.glob("briefs/*.txt"), *self._state.glob("readings/*.json"))
        for told in sorted(told_of):
            told.unlink(missing_ok=True)
            cleaned.append(told)
        cleaned += [left for left in self._left_over() if _is_removed(left)]
        cleaned += [aside for aside in self._put_aside() if self._erase_again(aside)]
        return [str(path) for path in cleaned]

    def forget_in_snapshots(self, store_id: str, gone: AbstractSet[EventId]) -> Sequence[str]:
        """Remove erased records from a store's snapshots; return the files that held any."""
        folders = sorted(snapshots_of(self._data, store_id).glob("*/"))
        return [file for one in folders for file in SnapshotFolder(one).forget(gone)]

    def scan(self, words: Sequence[str]) -> tuple[int, Mapping[str, Sequence[str]]]:
        """Search every file of Tilth for *words* in all encodings; see `SurroundingFiles`."""
        forms, copies = {word: _forms([word]) for word in words if word}, {*self._copies_beside()}
        files = [path for path in self._files() if path not in copies] if forms else []
        held = {str(path): _words_in(path, forms) for path in files}
        return len(files), {path: found for path, found in held.items() if found}

    def copies(self, store_id: str, words: Sequence[str]) -> Sequence[str]:
        """
        Return the copies that hold any of *words*: backups, exports, and stores moved aside.

        Without words, these are all copies. A vault's git history is always one, since it is not
        searched.
        """
        noted, forms = [Path(path) for path in self._backups(store_id)], _forms(words)
        histories = list[Path]()
        for one in NotedExports(self._state).there(store_id):
            path = Path(one.path)
            noted += VaultFolder(path).files() if one.links else [path]
            histories += [path / ".git"] if one.links and (path / ".git").exists() else []
        every = dict.fromkeys([*noted, *self._copies_beside()])
        there = [path for path in every if path.is_file()]
        held = [path for path in there if not forms or _words_in(path, {"": forms})]
        return list(map(str, [*held, *histories]))

    def limits(self) -> Sequence[str]:
        """Return what no scan reaches, a line each."""
        return _FILE_LIMITS if self._store is not None else _SERVER_LIMITS

    def _files(self) -> list[Path]:
        roots = [self._data, self._state, self._outbox, self._garden.root]
        found = {path for root in roots if root.is_dir() for path in root.rglob("*")}
        if self._store is not None:
            found |= set(self._store.parent.glob(f"{self._store.name}*"))
        found |= set(self._left_over())
        return sorted(path for path in found if path.is_file() and not path.is_symlink())

    def _left_over(self) -> Iterator[Path]:
        """Yield temporary copies that a killed restore or backup left."""
        noted = [Path(path) for path in self._backups(None)]
        for target in dict.fromkeys([*noted, *([] if self._store is None else [self._store])]):
            yield from abandoned_files(target)

    def _put_aside(self) -> list[Path]:
        """Return stores that were replaced, without their companion files."""
        name = "" if self._store is None else self._store.name
        beside = self._copies_beside()
        return [one for one in beside if _REPLACED.fullmatch(one.name.removeprefix(name))]

    def _copies_beside(self) -> Iterator[Path]:
        """Yield copies that Tilth makes beside a store: before a migration or a restore."""
        if self._store is None:
            return
        for mark in (".replaced-", ".before-schema-"):
            yield from sorted(self._store.parent.glob(f"{self._store.name}{mark}*"))

    def _backups(self, store_id: str | None) -> Iterator[str]:
        """Yield the recorded backups of a store, or of any (`tilth backup`)."""
        for one in read_lines(self._state / _BACKUPS):
            if store_id in {None, one.get("store_id")} and isinstance(one.get("path"), str):
                yield str(one["path"])


def _is_removed(path: Path) -> bool:
    try:
        path.unlink()
    except OSError:
        return False
    return True


def _forms(words: Sequence[str]) -> list[bytes]:
    """Return the bytes that *words* may be in a file: as text, in JSON, and in UTF-16."""
    forms: dict[bytes, None] = {}
    for word in filter(None, words):
        for text in (word, json.dumps(word)[1:-1], json.dumps(word, ensure_ascii=False)[1:-1]):
            forms[text.encode("utf-8", "surrogatepass")] = None
        forms[word.encode("utf-16-le", "surrogatepass")] = None
    return list(forms)


def _words_in(path: Path, forms: Mapping[str, Sequence[bytes]]) -> Sequence[str]:
    """Return the words that a file contains in any encoding."""
    if path.stat().st_size == 0:
        return ()
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        found = _found_in(content, forms)
    if path.suffix == ".gz":
        with gzip.open(path) as zipped:
            found |= _found_in(zipped.read(_UNZIPPED_BYTES_MAX), forms)
    return sorted(found)


def _found_in(content: bytes | mmap.mmap, forms: Mapping[str, Sequence[bytes]]) -> set[str]:
    """Return the words that *content* contains in any encoding."""
    every = tuple(form for ways in forms.values() for form in ways)
    found: set[str] = set()
    if not every:
        return found
    # Searching each encoding by itself takes a hundred times as long as searching all at once.
    is_any, overlap = _any_of(every), max(map(len, every)) - 1
    for begin in range(0, len(content), _PART_BYTES):
        part = content[begin : begin + _PART_BYTES + overlap]
        if is_any.search(part):
            left = {word: ways for word, ways in forms.items() if word not in found}
            found |= {word for word, ways in left.items() if any(one in part for one in ways)}
    return found


@lru_cache(maxsize=4)
def _any_of(forms: Sequence[bytes]) -> re2._Regexp:
    options = re2.Options()
    options.encoding = re2.Options.Encoding.LATIN1
    options.max_mem = _PATTERN_BYTES_MAX
    return re2.compile(b"|".join(map(re2.escape, forms)), options)
