"""
Which scopes one project was recorded under.

What names a project may change: a repository gets a remote, a worktree is known
as one, an older version named projects otherwise. And not every program says the
remote of the repository that it worked in. What was recorded keeps its scope, and
is seen from the project that its folders belong to.
"""

import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from tilth.core.outside.projects import scope_of_folder
from tilth.core.scope import Owner, Scope, key_of
from tilth.episodes.tables import Episodes
from tilth.ledger.store import Store

_READ_AGAIN_S = 60
# What a remote says besides the host: its owner and its name.
_OWNER_AND_NAME = 2


def former_scopes(store: Store, owner: Owner, scope: Scope) -> frozenset[Scope]:
    """Return the scopes that *scope* goes on from, as far as the folders of its sessions tell."""
    known = _read(store, owner, int(time.monotonic()) // _READ_AGAIN_S)
    return known.get(scope, frozenset())


@lru_cache(maxsize=8)
def _read(store: Store, owner: Owner, _when: int) -> Mapping[Scope, frozenset[Scope]]:
    with store.read() as view:
        recorded = Episodes(view).project_folders(owner)
    remotes = remotes_of(recorded)
    return successors((scope, _today(scope, folder, remotes)) for scope, folder in recorded)


def _today(scope: Scope, folder: str, remotes: Mapping[str, Scope]) -> Scope:
    """Return the project of a folder: as it is here, else as another session in it said."""
    here = scope_of_folder(folder)
    if _is_remote(here):
        return here
    return scope if _is_remote(scope) else remotes.get(folder) or here


def remotes_of(recorded: Sequence[tuple[Scope, str]]) -> Mapping[str, Scope]:
    """
    Return which repository is at a folder, and under the owner and name of one, by its remote.

    A folder for which two remotes were told is nobody's, and so are an owner and a name that two
    hosts have. A name alone says nothing: two repositories may have it.

    Args:
        recorded: The scopes in which sessions were recorded, each with a folder.
    """
    told: defaultdict[str, set[Scope]] = defaultdict(set)
    for scope, folder in recorded:
        # A folder that is called as an address ("my.site/acme/api") tells no remote.
        if _is_remote(scope) and not folder.casefold().endswith(f"/{key_of(scope)}".casefold()):
            told[folder].add(scope)
    hosts: defaultdict[str, set[Scope]] = defaultdict(set)
    for scope in {one for ones in told.values() for one in ones}:
        hosts["/".join(key_of(scope).split("/")[-_OWNER_AND_NAME:])].add(scope)
    for scope, folder in recorded:
        last = "/".join(key_of(scope).casefold().split("/")[-_OWNER_AND_NAME:])
        # Another remote in that folder, or two that would fit: what it is, nobody can tell.
        if folder not in told and len(hosts.get(last, ())) == 1:
            told[folder] = hosts[last]
    return {place: next(iter(ones)) for place, ones in told.items() if len(ones) == 1}


def _is_remote(scope: Scope) -> bool:
    """Say whether a scope is named by an address: a host with a dot, an owner and a name."""
    host, _, path = key_of(scope).partition("/")
    return "." in host.strip(".") and path.count("/") >= 1


def successors(pairs: Iterable[tuple[Scope, Scope]]) -> Mapping[Scope, frozenset[Scope]]:
    """
    Return for each scope of today those that it goes on from.

    A scope of which one folder belongs elsewhere today goes on as nobody's: two
    projects may have shared it.

    Args:
        pairs: The scope in which something was recorded, and that of its folder today.
    """
    today = defaultdict(set)
    for scope, now in pairs:
        today[scope].add(now)
    found = defaultdict(set)
    for scope, ones in today.items():
        if len(ones) == 1 and scope not in ones:
            found[ones.pop()].add(scope)
    return {now: frozenset(scopes) for now, scopes in found.items()}
