"""
Under which scopes a project was recorded before.

What names a project may change: a repository gets a remote, a worktree is known
as one, an older version named projects otherwise. What was recorded keeps its
scope, and is seen from the project that its folders belong to today.
"""

import time
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import lru_cache

from tilth.core.outside.projects import scope_of_folder
from tilth.core.scope import Owner, Scope
from tilth.episodes.tables import Episodes
from tilth.ledger.store import Store

_READ_AGAIN_S = 60


def former_scopes(store: Store, owner: Owner, scope: Scope) -> frozenset[Scope]:
    """Return the scopes that *scope* had before, as far as the folders of its sessions tell."""
    known = _read(store, owner, int(time.monotonic()) // _READ_AGAIN_S)
    return known.get(scope, frozenset())


@lru_cache(maxsize=8)
def _read(store: Store, owner: Owner, _when: int) -> Mapping[Scope, frozenset[Scope]]:
    with store.read() as view:
        recorded = Episodes(view).project_folders(owner)
    return successors((scope, scope_of_folder(folder)) for scope, folder in recorded)


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
