"""
Find the project of a folder.

A folder in a git repository belongs to that repository; its worktrees and clones are one project,
named by its remote or else by its main folder. Any other folder names itself; a temporary one is no
project, and what is said there stays there (KB-126).

Git itself is never run: `.git`, `commondir` and `config` are small files (gitrepository-layout(5),
git-config(1)), read again after some seconds at the earliest. A path that is not on this machine is
named by its words.
"""

import os
import re
import time
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from tilth.core.scope import GLOBAL, UNFILED, Scope, scope_of_path
from tilth.core.text.pattern import pattern

_READ_AGAIN_S = 10
_KNOWN_MAX = 1024
_FILE_CHARS_MAX = 1 << 16
# The most clones of clones that are followed.
_CLONES_MAX = 4
_TEMPORARY = (
    *("/tmp", "/private/tmp", "/var/tmp", "/private/var/tmp"),  # noqa: S108
    *("/var/folders", "/private/var/folders", "/dev/shm"),  # noqa: S108
)
# Usual folders of worktrees inside a repository; the longer first.
_WORKTREES = ((".claude", "worktrees"), (".worktrees",))
# How many leading parts of a path are a home.
_HOMES = {"home": 2, "Users": 2, "root": 1}
_DRIVE = pattern(r"[A-Za-z]:(?=[\\/])")
_SECTION = pattern(r'\s*\[\s*([\w.-]+)(?:\s+"([^"]*)")?\s*\]')
_ENTRY = pattern(r"\s*([A-Za-z][\w-]*)\s*=\s*(.*?)\s*")
# `scheme://user@host:port/path`, or `user@host:path`; the part before `@` may be a secret.
_ADDRESS = pattern(
    r"(?!file:)(?:[a-z][a-z0-9+.-]*://(?:[^/@]*@)?([^/:?#]+)(?::\d+)?/|(?:[^/@:]+@)?([^/:]{2,}):)"
    r"(?!//)/*([^?#]+)",
    re.IGNORECASE,
)


def scope_of_folder(folder: str, remote: str = "") -> Scope:
    """
    Return the scope of what is said in a folder.

    Args:
        folder: An absolute path on this or another machine; it need not exist.
        remote: The remote that a transcript names, where the folder is not here.

    Returns:
        `project:KEY`; for a temporary folder `scratch:PATH`; without a folder `unfiled`.
    """
    return _cached_scope(folder, remote, int(time.monotonic()) // _READ_AGAIN_S)


def scope_of_start(folder: str) -> Scope:
    """
    Return the scope of a program started in a folder.

    Programs without a folder in mind are started in the home or in `/`: that is `unfiled`.
    """
    place = Path(folder).resolve()
    return UNFILED if place == place.parent or _is_home(place) else scope_of_folder(folder)


def scope_of_document(path: Path) -> Scope:
    """Return the project whose repository contains a document; `global` if none does."""
    folder = path.resolve().parent
    return scope_of_folder(str(folder)) if _git_above(folder) else GLOBAL


@lru_cache(maxsize=_KNOWN_MAX)
def _cached_scope(folder: str, remote: str, _when: int) -> Scope:
    if not folder.strip():
        return _address_scope(remote) or UNFILED
    try:
        here = Path(folder).resolve() if Path(folder).is_absolute() else None
        own = here and _repository_scope(here, _CLONES_MAX)
    except (OSError, ValueError, RuntimeError):  # too long, a NUL, links in a circle
        here = own = None
    return own or _address_scope(remote) or _path_scope(str(here or folder))


def _repository_scope(folder: Path, clones_left: int) -> Scope | None:
    """Return the scope of the repository around a folder; None if there is none here."""
    git = _git_above(folder)
    common = _common_folder(git) if git else None
    if git is None or common is None:
        return None
    url = _remote_in(_read_text(common / "config"))
    if found := _address_scope(url):
        return found
    origin = (git.parent / url.removeprefix("file://")).resolve()
    if url and clones_left and origin.exists():
        return _repository_scope(origin, clones_left - 1) or _path_scope(str(origin))
    return _path_scope(str(_main_folder(common)))


def _git_above(folder: Path) -> Path | None:
    """Return the `.git` of the repository around a folder, or a bare repository's folder."""
    if (folder / "HEAD").is_file() and (folder / "objects").is_dir():
        return folder
    for place in (folder, *folder.parents):
        # A repository of dotfiles around a home does not own the folders in it.
        if place != folder and (_is_home(place) or str(place) in {"/", *_TEMPORARY}):
            break
        if _is_owned_by_us(place / ".git"):
            return place / ".git"
    return None


def _is_owned_by_us(path: Path) -> bool:
    # As in git, a repository of another user says nothing about this folder.
    try:
        return path.stat().st_uid in {os.geteuid(), 0}
    except OSError:
        return False


def _common_folder(git: Path) -> Path | None:
    """
    Return the folder that all worktrees of a repository share.

    A `.git` file counts only if its target points back, since anybody could write one.
    """
    if git.is_dir():
        return git
    said = _read_text(git).strip()
    if not said.startswith("gitdir:"):
        return None
    own = (git.parent / said.removeprefix("gitdir:").strip()).resolve()
    if common := _read_text(own / "commondir").strip():
        back = (own / _read_text(own / "gitdir").strip()).resolve()
        return (own / common).resolve() if back == git else None
    # A submodule, or a repository whose folder is elsewhere.
    worktree = dict(_config_entries(_read_text(own / "config"))).get("core..worktree")
    return own if worktree and (own / worktree).resolve() == git.parent else None


def _main_folder(common: Path) -> Path:
    return common.parent if common.name == ".git" else common.with_suffix("")


def _remote_in(config: str) -> str:
    """Return the address of `origin`, or of the first remote; empty if there is none."""
    urls = [
        (name.removesuffix(".url"), value)
        for name, value in _config_entries(config)
        if name.startswith("remote.") and name.endswith(".url") and value
    ]
    return dict(reversed(urls)).get("remote.origin", urls[0][1] if urls else "")


def _config_entries(config: str) -> Iterator[tuple[str, str]]:
    """Yield the entries of a git configuration: `section.name.key` and value."""
    section = ""
    for line in config.splitlines():
        if found := _SECTION.match(line):
            section = f"{found[1].casefold()}.{found[2] or ''}"
        elif found := _ENTRY.fullmatch(line):
            yield f"{section}.{found[1].casefold()}", found[2].strip('"')


def _address_scope(url: str) -> Scope | None:
    """Return the scope of a repository's address: its host and path, in normal form."""
    found = None if _DRIVE.match(url) else _ADDRESS.fullmatch(url.strip())
    path = found[3].rstrip("/").removesuffix(".git") if found else ""
    # A path of nothing but dots and slashes names no repository.
    if found is None or not path.strip("./"):
        return None
    return scope_of_path(f"{found[1] or found[2]}/{path}".casefold())


def _path_scope(text: str) -> Scope:
    """Return the scope of a path by its words: below a home, the rest of the path."""
    path = _DRIVE.sub("", text).replace("\\", "/")
    if f"{path}/".startswith(tuple(f"{one}/" for one in _TEMPORARY)) or "/.cache/" in f"{path}/":
        return scope_of_path(path, kind="scratch")
    parts = _without_worktree([part for part in path.split("/") if part])
    home = _home_length(parts)
    # For a folder directly in a home, and for the home, the home's name is included.
    return scope_of_path("/".join(parts[home if len(parts) > home + 1 else max(home - 1, 0) :]))


def _without_worktree(parts: list[str]) -> list[str]:
    """Return the repository of a worktree that lies inside it by custom."""
    for name in _WORKTREES:
        for at in range(1, len(parts) - len(name)):
            if tuple(parts[at : at + len(name)]) == name:
                return parts[:at]
    return parts


def _home_length(parts: list[str]) -> int:
    """Return how many leading parts of a path are a home; 0 if none are."""
    own = [*Path(os.environ.get("HOME", "/")).resolve().parts[1:]]
    if own and parts[: len(own)] == own:
        return len(own)
    length = _HOMES.get(parts[0], 0) if parts else 0
    return length if len(parts) >= length else 0


def _is_home(place: Path) -> bool:
    parts = [*place.parts[1:]]
    return bool(parts) and len(parts) == _home_length(parts)


def _read_text(path: Path) -> str:
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            return file.read(_FILE_CHARS_MAX)
    except (OSError, ValueError):
        return ""
