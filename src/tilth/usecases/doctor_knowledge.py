"""Whether what is known hangs together; checks of `tilth.usecases.doctor`."""

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
