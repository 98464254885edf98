"""Checks of `tilth.usecases.doctor`: whether what is known hangs together, what is gone is gone."""

from tilth.domain.checkup import Check, Status
from tilth.domain.scope import Visibility
from tilth.ports import Store


def check_orphans(store: Store, within: Visibility) -> Check:
    """Find facts that are about nothing, or rest on nothing; there are none (KB-014)."""
    with store.read() as view:
        count = view.facts.orphan_count(within)
    name, detail = "knowledge.orphans", {"orphan_count": count}
    if count:
        summary = f"{count:,} facts are about nothing, or rest on nothing"
        return Check(name, Status.FAIL, summary, "tilth rebuild", dict(detail))
    summary = "every fact is about something, and rests on something"
    return Check(name, Status.OK, summary, "", dict(detail))


def check_erasures(store: Store) -> Check:
    """Find erasures after which the database's files were not cleaned (I33)."""
    name, due = "store.erased", len(store.erasures.unpurged())
    if due:
        summary = f"after {due:,} erasures the store's files still hold what was erased"
        return Check(name, Status.FAIL, summary, "tilth worker --once", {"due_count": due})
    known = len(store.erasures.known())
    return Check(name, Status.OK, f"{known:,} erasures, each to the last byte")
