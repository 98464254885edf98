"""
Whose something is, and where it may be seen.

An owner is a namespace that reads never cross. Within it a scope says where
an item belongs: `global`, `project:KEY` or `domain:NAME`.
"""

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import NewType

from tilth.core.errors import InvalidInputError

Owner = NewType("Owner", str)
Scope = NewType("Scope", str)

DEFAULT_OWNER = Owner("local")
GLOBAL = Scope("global")
# A leading letter and no separators: an owner can never be read as a path (EM-068).
_OWNER = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,39}")
_SCOPE = re.compile(r"global|(?:project|domain):[\w.@+-]+(?:/[\w.@+-]+)?")
_SCOPE_CHARS_MAX = 120
# Work in these folders belongs to no project; they vanish and are reused (KB-126).
_EPHEMERAL = tuple(
    f"{folder}/"
    for folder in ("/tmp", "/private/tmp", "/var/tmp", "/var/folders", "/private/var/folders")  # noqa: S108
)
# How many leading parts of a path are somebody's home rather than a project.
_HOMES = {"home": 2, "Users": 2, "root": 1}


def parse_owner(text: str) -> Owner:
    """
    Check the name of an owner.

    Raises:
        InvalidInputError: it is not a letter and at most 39 letters, digits, `_` or `-`.
    """
    if not _OWNER.fullmatch(text):
        raise InvalidInputError(
            f"{text[:50]!r} cannot name an owner",
            hint="use a letter, then at most 39 letters, digits, '_' or '-'",
        )
    return Owner(text)


def parse_scope(text: str) -> Scope:
    """
    Check a scope.

    Raises:
        InvalidInputError: it is not `global`, `project:KEY` or `domain:NAME`.
    """
    if len(text) > _SCOPE_CHARS_MAX or ".." in text or not _SCOPE.fullmatch(text):
        raise InvalidInputError(
            f"{text[:50]!r} is not a scope", hint="write global, project:KEY or domain:NAME"
        )
    return Scope(text)


def scope_of_folder(folder: str) -> Scope:
    """
    Name the project that lives in *folder*, or `global` where none can.

    The key is the folder and its parent, so that `work/api` and `home/api`
    stay apart. Temporary and hidden cache folders, a home and the root are no
    projects.
    """
    path = folder.replace("\\", "/")
    if f"{path}/".startswith(_EPHEMERAL) or "/.cache/" in f"{path}/":
        return GLOBAL
    parts = [_slug(part) for part in path.split("/") if not part.endswith(":")]
    parts = [part for part in parts if part]
    if not parts or (parts[0] in _HOMES and len(parts) <= _HOMES[parts[0]]):
        return GLOBAL
    return parse_scope("project:" + "/".join(part[:50] for part in parts[-2:]))


def _slug(part: str) -> str:
    return re.sub(r"\.{2,}", ".", re.sub(r"[^\w.@+-]+", "-", part)).strip("-.")


@dataclass(frozen=True, slots=True)
class Visibility:
    """
    What a reader may see: one owner's items, in some scopes or (None) in all.

    Stores apply it to every read; nothing above them filters again.
    """

    owner: Owner = DEFAULT_OWNER
    scopes: frozenset[Scope] | None = None

    def admits(self, owner: Owner, scope: Scope) -> bool:
        """Say whether an item of *owner* in *scope* may be seen."""
        return owner == self.owner and (self.scopes is None or scope in self.scopes)


def seen_from(
    owner: Owner, scope: Scope | None, domains: AbstractSet[Scope] = frozenset()
) -> Visibility:
    """Return what is seen from *scope*: itself, *domains* and `global`; None sees all."""
    return Visibility(owner, None if scope is None else frozenset({scope, GLOBAL, *domains}))


def parse_domains(words: Sequence[str]) -> Mapping[Scope, AbstractSet[Scope]]:
    """
    Read which domains projects see, such as ``project:lab=domain:go`` (KB-051).

    Raises:
        InvalidInputError: a word does not say that of a project and a domain.
    """
    seen: dict[Scope, set[Scope]] = {}
    for word in words:
        project, _, domain = word.partition("=")
        if not (project.startswith("project:") and domain.startswith("domain:")):
            raise InvalidInputError(
                f"{word[:50]!r} lets no project see a domain",
                hint="write project:KEY=domain:NAME, once for each domain",
            )
        seen.setdefault(parse_scope(project), set()).add(parse_scope(domain))
    return seen
