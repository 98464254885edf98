"""
Find the files below a folder that may be sources.

Links are not followed, so nothing outside the folder is read and no walk runs in circles. Folders
of tools and caches are skipped.
"""

import logging
import os
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath

from tilth.core.errors import LimitExceededError
from tilth.transfer.reading.limits import FOLDER_DEPTH_MAX, FOLDER_FILES_MAX

logger = logging.getLogger(__name__)

# Sampling every picture and binary below a home would read gigabytes.
_SUFFIXES = frozenset({".json", ".jsonl", ".markdown", ".md", ".ndjson", ".text", ".txt", ".zip"})
# opencode keeps its sessions in a database; others are nobody's transcripts.
_DATABASE = "opencode*.db"
_PASSED_OVER = frozenset(
    {
        ".cache",
        ".git",
        ".hg",
        ".mypy_cache",
        ".pytest_cache",
        ".ruff_cache",
        ".svn",
        ".tox",
        ".venv",
        "__pycache__",
        "node_modules",
        "site-packages",
        "tool-results",  # Claude Code's copies of what stands in its transcripts
        "venv",
    }
)
# Of a vault that we wrote: what stands in it is known.
OUR_VAULT = ".tilth/manifest.json"
# A cache says so itself: bford.info/cachedir.
_CACHE_MARK = "CACHEDIR.TAG"
# Where agents keep their transcripts within their hidden folders.
_TRANSCRIPTS = {
    ".claude": "projects",
    ".codex": "sessions",
    ".copilot": "session-state",
    ".gemini": "tmp",
    ".specstory": "history",
}


def files_in(folder: Path, *, files_max: int = FOLDER_FILES_MAX) -> Iterator[Path]:
    """
    Yield the files below *folder* that could be sources, in the order of their names.

    Hidden folders are passed over, unless *folder* lies within one; of the
    agents' own, their transcripts are read. Vaults that we wrote are passed over, too.

    Raises:
        LimitExceededError: there are more of them, or deeper ones, than are read.
    """
    takes_hidden = any(part.startswith(".") for part in folder.parts)
    for count, path in enumerate(_walk(folder, takes_hidden, FOLDER_DEPTH_MAX), 1):
        if count > files_max:
            raise LimitExceededError(f"more than {files_max} files", hint="name a folder within it")
        yield path


def _walk(folder: Path, takes_hidden: bool, depth_left: int) -> Iterator[Path]:  # noqa: FBT001
    if not depth_left:
        raise LimitExceededError(
            f"folders nested deeper than {FOLDER_DEPTH_MAX} levels", hint="name a folder within it"
        )
    for entry in _entries(folder):
        path = folder / entry.name
        if entry.is_file(follow_symlinks=False):
            if _may_be_read(entry.name):
                yield path
        elif entry.is_dir(follow_symlinks=False):
            if not takes_hidden and entry.name in _TRANSCRIPTS:
                path /= _TRANSCRIPTS[entry.name]
            elif entry.name in _PASSED_OVER or (entry.name[0] == "." and not takes_hidden):
                continue
            yield from _walk(path, takes_hidden, depth_left - 1)


def _may_be_read(name: str) -> bool:
    suffix = PurePosixPath(name.removesuffix(".gz")).suffix.lower()
    return suffix in _SUFFIXES or fnmatchcase(name, _DATABASE)


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as found:
            entries = sorted(found, key=lambda entry: entry.name)
    except OSError as error:
        logger.warning("folder passed over: errno=%s", error.errno)
        return []
    names = {entry.name for entry in entries}
    is_ours = OUR_VAULT.partition("/")[0] in names and (folder / OUR_VAULT).is_file()
    return [] if _CACHE_MARK in names or is_ours else entries
