"""Which playbooks agents are told of."""

from tilth.core.scope import Visibility
from tilth.ledger.snapshot import Snapshot
from tilth.playbooks.model import Playbook, PlaybookState
from tilth.playbooks.tables import Playbooks

# The kinds of scope, the widest first.
_WIDTHS = {"global": 0, "domain": 1, "project": 2}


def shown_playbooks(view: Snapshot, within: Visibility) -> list[Playbook]:
    """
    Return the playbooks that a brief tells: those that a human confirmed, best first.

    What says the same for a project, its domain and all is told once, for the narrowest of them.
    """
    confirmed = Playbooks(view).select(within, states={PlaybookState.CONFIRMED})
    by_words = {
        one.digest: one
        for one in sorted(confirmed, key=lambda one: _WIDTHS[one.draft.scope.partition(":")[0]])
    }
    found = by_words.values()
    return sorted(found, key=lambda one: (-one.evidence.success_least, -one.evidence.proven))
