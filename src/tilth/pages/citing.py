"""What a page cites, and whether it may still be stated; light, for every brief asks it."""

from collections.abc import Mapping

from tilth.core.ids import FactId
from tilth.core.lifecycle import Lifecycle
from tilth.core.scope import Visibility
from tilth.knowledge.facts.fact import Fact
from tilth.knowledge.facts.tables import Facts
from tilth.ledger.records import find_places
from tilth.ledger.snapshot import Snapshot
from tilth.pages.model import Page


def cited_facts(view: Snapshot, page: Page) -> list[Fact]:
    """Return the facts that a page cites, in its order, and those of what waits beside locks."""
    places = cited_in(view, page)
    found = Facts(view).at(sorted(places.values()), Visibility(page.owner))
    by_id = {str(one.id): one for one in found}
    return [by_id[one] for one in places if one in by_id]


def cited_in(view: Snapshot, page: Page) -> Mapping[str, int]:
    """Return the places of those facts, as far as the ledger has them."""
    waiting = (id_ for one in page.sections if one.lock for id_ in one.section.cites)
    named = dict.fromkeys((*page.compiled_from, *waiting))
    return find_places(view.conn, (one for one in named if one.startswith(FactId.prefix)))


def is_told(fact: Fact) -> bool:
    """Say whether a fact that a page cites is still one that it may state."""
    return fact.life.lifecycle is Lifecycle.CURRENT and not fact.is_in_doubt
