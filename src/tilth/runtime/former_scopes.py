"""
Find the scopes under which one project was recorded earlier.

A project's key may change: its repository gets a remote, a worktree is recognised as one, or an
older version named projects differently; and some programs do not report the remote. Records keep
their scope, and are visible from the project to which their folder belongs now.
"""

import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from tilth.core.io.projects import scope_of_folder
from tilth.core.scope import Owner, Scope, key_of
from tilth.episodes.tables import Episodes
from tilth.ledger.store import Store

_READ_AGAIN_S = 60
# The parts of a remote behind the host: owner and name.
_OWNER_AND_NAME = 2


def former_scopes(store: Store, owner: Owner, scope: Scope) -> frozenset[Scope]:
    """Return the earlier scopes that *scope* continues, judged by the folders of sessions."""
    known = _former_by_scope(store, owner, int(time.monotonic()) // _READ_AGAIN_S)
    return known.get(scope, frozenset())


@lru_cache(maxsize=8)
def _former_by_scope(store: Store, owner: Owner, _when: int) -> Mapping[Scope, frozenset[Scope]]:
    with store.read() as view:
        recorded = Episodes(view).project_folders(owner)
    remotes = remotes_of(recorded)
    return successors((scope, _present_scope(scope, folder, remotes)) for scope, folder in recorded)


def _present_scope(scope: Scope, folder: str, remotes: Mapping[str, Scope]) -> Scope:
    """Return the project of a folder: as it is here, or else as another session in it reported."""
    here = scope_of_folder(folder)
    if _is_remote(here):
        return here
    return scope if _is_remote(scope) else remotes.get(folder) or here


def remotes_of(recorded: Sequence[tuple[Scope, str]]) -> Mapping[str, Scope]:
    """
    Return the repositories, by their folder and by their owner and name.

    A folder with two reported remotes is left out, and so are an owner and name that two hosts
    have. A name alone identifies nothing, since two repositories may share it.

    Args:
        recorded: The scopes of sessions, each with its folder.
    """
    told: defaultdict[str, set[Scope]] = defaultdict(set)
    for scope, folder in recorded:
        # A folder named like an address ("my.site/acme/api") reports no remote.
        if _is_remote(scope) and not folder.casefold().endswith(f"/{key_of(scope)}".casefold()):
            told[folder].add(scope)
    hosts: defaultdict[str, set[Scope]] = defaultdict(set)
    for scope in {one for ones in told.values() for one in ones}:
        hosts["/".join(key_of(scope).split("/")[-_OWNER_AND_NAME:])].add(scope)
    for scope, folder in recorded:
        last = "/".join(key_of(scope).casefold().split("/")[-_OWNER_AND_NAME:])
        # Skip folders with another remote, and owners and names that fit two hosts.
        if folder not in told and len(hosts.get(last, ())) == 1:
            told[folder] = hosts[last]
    return {place: next(iter(ones)) for place, ones in told.items() if len(ones) == 1}


def _is_remote(scope: Scope) -> bool:
    """Say whether a scope is an address: a host with a dot, an owner and a name."""
    host, _, path = key_of(scope).partition("/")
    return "." in host.strip(".") and path.count("/") >= 1


def successors(pairs: Iterable[tuple[Scope, Scope]]) -> Mapping[Scope, frozenset[Scope]]:
    """
    Return for each present scope the earlier scopes that it continues.

    An earlier scope with a folder that now belongs to another project continues nowhere, since two
    projects may have shared it.

    Args:
        pairs: Recorded scopes, each with the present scope of its folder.
    """
    today = defaultdict(set)
    for scope, now in pairs:
        today[scope].add(now)
    found = defaultdict(set)
    for scope, ones in today.items():
        if len(ones) == 1 and scope not in ones:
            found[ones.pop()].add(scope)
    return {now: frozenset(scopes) for now, scopes in found.items()}
