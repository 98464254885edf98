"""
Owners and scopes: whose a record is, and where it is visible.

An owner is a namespace that no read crosses. Within it a scope says where a record belongs:
`global`, `project:KEY` or `domain:NAME`; `scratch:PATH` is a temporary folder, and `unfiled` is for
what was said in no folder. Those two are only visible when asked for. `tilth.core.io.projects`
maps folders to scopes.
"""

import hashlib
import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import field
from typing import NewType

from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError
from tilth.core.text.pattern import pattern

Owner = NewType("Owner", str)
Scope = NewType("Scope", str)

DEFAULT_OWNER = Owner("local")
GLOBAL = Scope("global")
# A leading letter and no separators, so that an owner is never read as a path (EM-068).
_OWNER = pattern(r"[A-Za-z][A-Za-z0-9_-]{0,39}")
UNFILED = Scope("unfiled")
_PARTS_MAX = 12
_PART = r"[\w.@+-]+"
_SCOPE = pattern(
    rf"global|unfiled|(?:project|domain|scratch):{_PART}(?:/{_PART}){{0,{_PARTS_MAX - 1}}}"
)
_SCOPE_CHARS_MAX = 120
_KEY_CHARS_MAX = _SCOPE_CHARS_MAX - len("project:")
_DIGEST_CHARS = 8


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
        InvalidInputError: it is not `global`, `unfiled`, `project:KEY`, `domain:NAME` or
            `scratch:PATH`.
    """
    if len(text) > _SCOPE_CHARS_MAX or ".." in text or not _SCOPE.fullmatch(text):
        raise InvalidInputError(
            f"{text[:50]!r} is not a scope", hint="write global, project:KEY or domain:NAME"
        )
    return Scope(text)


def key_of(scope: Scope) -> str:
    """Return the project, domain or folder of a scope; empty for `global` and `unfiled`."""
    return scope.partition(":")[2]


def scope_to_read(scope: Scope) -> Scope:
    """Return the scope that a session in *scope* reads; unfiled words are in no brief."""
    return GLOBAL if scope == UNFILED else scope


def scope_of_path(path: str, *, kind: str = "project") -> Scope:
    """
    Return the scope for a path, word for word; `unfiled` for an empty one.

    The key contains all parts, so that no two folders share one; a long path is a digest with its
    last two parts.
    """
    parts = [part for part in map(_slug, re.split(r"[/\\]", path)) if part]
    key = "/".join(parts)
    if len(key) > _KEY_CHARS_MAX or len(parts) > _PARTS_MAX:
        digest = hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGEST_CHARS]
        key = "/".join([digest, *(part[:50].rstrip("-.") for part in parts[-2:])])
    return parse_scope(f"{kind}:{key}") if key else UNFILED


def _slug(part: str) -> str:
    return re.sub(r"\.{2,}", ".", re.sub(r"[^\w.@+-]+", "-", part)).strip("-.")


def parse_project(text: str) -> Scope:
    """
    Check the scope of a project; its key alone will do.

    Raises:
        InvalidInputError: it is not `project:KEY`.
    """
    scope = parse_scope(text if ":" in text else f"project:{text}")
    if not scope.startswith("project:"):
        raise InvalidInputError(f"{text[:50]!r} is no project", hint="name it: project:KEY")
    return scope


@dataclass(frozen=True, slots=True)
class Visibility:
    """
    What a reader may see: one owner's records, in some scopes or (None) in all.

    Stores apply it to every read; nothing above them filters again. `origin` is the scope of the
    reader, if there is one: its own records come first.
    """

    owner: Owner = DEFAULT_OWNER
    scopes: frozenset[Scope] | None = None
    origin: Scope | None = field(default=None, compare=False)

    @property
    def own(self) -> "Visibility":
        """The same without records of no project, if the reader is in a project."""
        if self.scopes is None or self.scopes == {GLOBAL}:
            return self
        return Visibility(self.owner, self.scopes - {GLOBAL})

    def admits(self, owner: Owner, scope: Scope) -> bool:
        """Say whether an item of *owner* in *scope* may be seen."""
        return owner == self.owner and (self.scopes is None or scope in self.scopes)


def seen_from(
    owner: Owner, scope: Scope | None, besides: AbstractSet[Scope] = frozenset()
) -> Visibility:
    """Return what is seen from *scope*: itself, *besides* and `global`; None sees all."""
    scopes = None if scope is None else frozenset({scope, GLOBAL, *besides})
    return Visibility(owner, scopes, scope)


def parse_domains(words: Sequence[str]) -> Mapping[Scope, AbstractSet[Scope]]:
    """
    Read which domains projects see, such as ``project:lab=domain:go`` (KB-051).

    Raises:
        InvalidInputError: a word does not name a project and a domain.
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


def parse_renamed(words: Sequence[str]) -> Mapping[Scope, AbstractSet[Scope]]:
    """
    Read the earlier names of projects, such as ``project:api=project:billing``.

    Returns:
        For each present or earlier name of a project, all earlier ones.

    Raises:
        InvalidInputError: a word does not name two projects.
    """
    next_: dict[Scope, Scope] = {}
    for word in words:
        old, _, new = word.partition("=")
        if not (old.startswith("project:") and new.startswith("project:")) or old == new:
            raise InvalidInputError(
                f"{word[:50]!r} says of no project what it is called now",
                hint="write project:OLD=project:NEW, once for each project",
            )
        next_[parse_scope(old)] = parse_scope(new)
    found: dict[Scope, set[Scope]] = {}
    for old in next_:
        later = old
        # A name that recurs ends the chain.
        while (later := next_.get(later, old)) != old:
            if old in found.setdefault(later, set()):
                break
            found[later].add(old)
    return found
