"""
Which project a folder belongs to.

A folder inside a git repository belongs to that repository: its worktrees and
clones are one project. What names it is its remote, else its main folder. Any
other folder names itself; a temporary one is no project, and what is said in
it stays there (KB-126).

Git itself is never run: `.git`, `commondir` and `config` are small files
(gitrepository-layout(5), git-config(1)), read again after some seconds at the
earliest. A path that is not here is named by its words alone.
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
# A clone of a clone of … on this machine; nobody goes further.
_CLONES_MAX = 4
_TEMPORARY = (
    *("/tmp", "/private/tmp", "/var/tmp", "/private/var/tmp"),  # noqa: S108
    *("/var/folders", "/private/var/folders", "/dev/shm"),  # noqa: S108
)
# Where people and agents keep worktrees inside a repository; the longer name first.
_WORKTREES = ((".claude", "worktrees"), (".worktrees",))
# How many leading parts of a path are somebody's home.
_HOMES = {"home": 2, "Users": 2, "root": 1}
_DRIVE = pattern(r"[A-Za-z]:(?=[\\/])")
_SECTION = pattern(r'\s*\[\s*([\w.-]+)(?:\s+"([^"]*)")?\s*\]')
_ENTRY = pattern(r"\s*([A-Za-z][\w-]*)\s*=\s*(.*?)\s*")
# `scheme://user@host:port/path`, or `user@host:path`; what stands before `@` may be a secret.
_ADDRESS = pattern(
    r"(?!file:)(?:[a-z][a-z0-9+.-]*://(?:[^/@]*@)?([^/:?#]+)(?::\d+)?/|(?:[^/@:]+@)?([^/:]{2,}):)"
    r"(?!//)/*([^?#]+)",
    re.IGNORECASE,
)


def scope_of_folder(folder: str, remote: str = "") -> Scope:
    """
    Name the scope of what is said in a folder.

    Args:
        folder: An absolute path, of this machine or another; it need not exist.
        remote: What a transcript says of its repository, where the folder is not here.

    Returns:
        `project:KEY`; for a temporary folder `scratch:PATH`; without a folder `unfiled`.
    """
    return _known(folder, remote, int(time.monotonic()) // _READ_AGAIN_S)


def scope_of_start(folder: str) -> Scope:
    """
    Name the scope of what is said in the folder in which a program was started.

    Whoever has no folder in mind starts programs in the user's home or in `/`: that is `unfiled`.
    """
    place = Path(folder).resolve()
    return UNFILED if place == place.parent or _is_home(place) else scope_of_folder(folder)


def scope_of_document(path: Path) -> Scope:
    """Name the project whose repository holds a document; `global` where none does."""
    folder = path.resolve().parent
    return scope_of_folder(str(folder)) if _git_above(folder) else GLOBAL


@lru_cache(maxsize=_KNOWN_MAX)
def _known(folder: str, remote: str, _when: int) -> Scope:
    if not folder.strip():
        return _of_address(remote) or UNFILED
    try:
        here = Path(folder).resolve() if Path(folder).is_absolute() else None
        own = here and _of_repository(here, _CLONES_MAX)
    except (OSError, ValueError, RuntimeError):  # too long, a NUL, links in a circle
        here = own = None
    return own or _of_address(remote) or _of_path(str(here or folder))


def _of_repository(folder: Path, clones_left: int) -> Scope | None:
    """Return the scope of the repository around a folder, if there is one here."""
    git = _git_above(folder)
    common = _common_folder(git) if git else None
    if git is None or common is None:
        return None
    url = _remote_in(_text(common / "config"))
    if found := _of_address(url):
        return found
    origin = (git.parent / url.removeprefix("file://")).resolve()
    if url and clones_left and origin.exists():
        return _of_repository(origin, clones_left - 1) or _of_path(str(origin))
    return _of_path(str(_main_folder(common)))


def _git_above(folder: Path) -> Path | None:
    """Return the `.git` of the repository that a folder is in, or the folder of a bare one."""
    if (folder / "HEAD").is_file() and (folder / "objects").is_dir():
        return folder
    for place in (folder, *folder.parents):
        # A repository of dotfiles around a home is not what the folders in it belong to.
        if place != folder and (_is_home(place) or str(place) in {"/", *_TEMPORARY}):
            break
        if _is_ours(place / ".git"):
            return place / ".git"
    return None


def _is_ours(path: Path) -> bool:
    # As git has it: what another user put above our folder says nothing about it.
    try:
        return path.stat().st_uid in {os.geteuid(), 0}
    except OSError:
        return False


def _common_folder(git: Path) -> Path | None:
    """
    Return the folder that all worktrees of a repository share.

    A `.git` file is believed where what it points to points back: anybody could write one.
    """
    if git.is_dir():
        return git
    said = _text(git).strip()
    if not said.startswith("gitdir:"):
        return None
    own = (git.parent / said.removeprefix("gitdir:").strip()).resolve()
    if common := _text(own / "commondir").strip():
        back = (own / _text(own / "gitdir").strip()).resolve()
        return (own / common).resolve() if back == git else None
    # A submodule, or a repository whose folder was put elsewhere.
    worktree = dict(_entries(_text(own / "config"))).get("core..worktree")
    return own if worktree and (own / worktree).resolve() == git.parent else None


def _main_folder(common: Path) -> Path:
    return common.parent if common.name == ".git" else common.with_suffix("")


def _remote_in(config: str) -> str:
    """Return the address of `origin`, or of the first remote; nothing if there is none."""
    urls = [
        (name.removesuffix(".url"), value)
        for name, value in _entries(config)
        if name.startswith("remote.") and name.endswith(".url") and value
    ]
    return dict(reversed(urls)).get("remote.origin", urls[0][1] if urls else "")


def _entries(config: str) -> Iterator[tuple[str, str]]:
    """Yield what a git configuration says: `section.name.key`, and its value."""
    section = ""
    for line in config.splitlines():
        if found := _SECTION.match(line):
            section = f"{found[1].casefold()}.{found[2] or ''}"
        elif found := _ENTRY.fullmatch(line):
            yield f"{section}.{found[1].casefold()}", found[2].strip('"')


def _of_address(url: str) -> Scope | None:
    """Return the scope of a repository's address: its host and path, however it is written."""
    found = None if _DRIVE.match(url) else _ADDRESS.fullmatch(url.strip())
    path = found[3].rstrip("/").removesuffix(".git") if found else ""
    # A path of nothing but dots and slashes names no repository.
    if found is None or not path.strip("./"):
        return None
    return scope_of_path(f"{found[1] or found[2]}/{path}".casefold())


def _of_path(text: str) -> Scope:
    """Name what is at a path by its words: below a home, by what stands there."""
    path = _DRIVE.sub("", text).replace("\\", "/")
    if f"{path}/".startswith(tuple(f"{one}/" for one in _TEMPORARY)) or "/.cache/" in f"{path}/":
        return scope_of_path(path, kind="scratch")
    parts = _without_worktree([part for part in path.split("/") if part])
    home = _home_length(parts)
    # Of a folder right in a home, and of the home itself, the home's own name is part.
    return scope_of_path("/".join(parts[home if len(parts) > home + 1 else max(home - 1, 0) :]))


def _without_worktree(parts: list[str]) -> list[str]:
    """Return the folder of the repository, of a worktree that it keeps inside by custom."""
    for name in _WORKTREES:
        for at in range(1, len(parts) - len(name)):
            if tuple(parts[at : at + len(name)]) == name:
                return parts[:at]
    return parts


def _home_length(parts: list[str]) -> int:
    """Return how many leading parts of a path are somebody's home; 0 if none are."""
    own = [*Path(os.environ.get("HOME", "/")).resolve().parts[1:]]
    if own and parts[: len(own)] == own:
        return len(own)
    length = _HOMES.get(parts[0], 0) if parts else 0
    return length if len(parts) >= length else 0


def _is_home(place: Path) -> bool:
    parts = [*place.parts[1:]]
    return bool(parts) and len(parts) == _home_length(parts)


def _text(path: Path) -> str:
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            return file.read(_FILE_CHARS_MAX)
    except (OSError, ValueError):
        return ""
