"""Keep a continued session in its scope, even if its program changed folders."""

from dataclasses import field, replace

from tilth.core.dataclass import dataclass
from tilth.core.errors import NotFoundError
from tilth.core.ids import SessionId
from tilth.core.scope import GLOBAL, UNFILED, Owner, Scope, Visibility
from tilth.episodes.episode import EpisodeDraft
from tilth.episodes.tables import Episodes
from tilth.ledger.store import Store
from tilth.transfer.model import EXPORTED_KEY, Described, Item, Skipped


@dataclass(slots=True)
class SessionScopes:
    """The scopes of sessions that are in the store or were read in this import."""

    store: Store
    owner: Owner
    known: dict[SessionId, Scope | None] = field(default_factory=dict, init=False)

    def placed(self, item: Item) -> Item:
        """Return *item* in the scope of its session, if that has a project or a folder."""
        if isinstance(item, Skipped) or item.session_id is None or _is_exported(item):
            return item
        scope = self._scope(item.session_id)
        if scope is None:
            # The first item of a new session decides the scope of the rest.
            self.known[item.session_id] = _placing(item.scope)
            return item
        return replace(item, scope=scope)

    def _scope(self, session_id: SessionId) -> Scope | None:
        if session_id not in self.known:
            with self.store.read() as view:
                try:
                    found = Episodes(view).session(session_id, Visibility(self.owner)).scope
                except NotFoundError:
                    found = GLOBAL
            self.known[session_id] = _placing(found)
        return self.known[session_id]


def _placing(scope: Scope) -> Scope | None:
    """Return a scope that later items take over; None without a project or folder."""
    return None if scope in {GLOBAL, UNFILED} else scope


def _is_exported(item: EpisodeDraft | Described) -> bool:
    """Say whether an item is from a Tilth export, which has the scope of each episode."""
    key = item.idempotency_key if isinstance(item, EpisodeDraft) else None
    return key is not None and key.startswith(EXPORTED_KEY)
