"""Find the facts that a page cites, and whether it may still state them; every brief loads this."""

from collections.abc import Iterator, Mapping, Sequence

from tilth.core.ids import FactId
from tilth.core.lifecycle import Lifecycle
from tilth.core.scope import Visibility
from tilth.knowledge.facts.fact import Fact
from tilth.knowledge.facts.tables import Facts
from tilth.ledger.records import find_places
from tilth.ledger.snapshot import Snapshot
from tilth.pages.model import Page


def cited_facts(view: Snapshot, page: Page) -> list[Fact]:
    """Return the facts that a page cites, in its order, and those of texts beside locks."""
    places = cited_places(view, page)
    found = Facts(view).at(sorted(places.values()), Visibility(page.owner))
    by_id = {str(one.id): one for one in found}
    return [by_id[one] for one in places if one in by_id]


def cited_places(view: Snapshot, page: Page) -> Mapping[str, int]:
    """Return the places in the ledger of those facts, by ID."""
    return find_places(view.conn, _cites(page))


def cited_places_of_each(
    view: Snapshot, pages: Sequence[Page]
) -> list[tuple[Page, Mapping[str, int]]]:
    """Return *pages*, each with the places of its cited facts, from one read."""
    cites = [(page, [*_cites(page)]) for page in pages]
    places = find_places(view.conn, (id_ for _, ids in cites for id_ in ids))
    return [(page, {id_: places[id_] for id_ in ids if id_ in places}) for page, ids in cites]


def _cites(page: Page) -> Iterator[str]:
    """Yield the IDs of the facts that a page cites, and those that wait beside locked sections."""
    waiting = (id_ for one in page.sections if one.lock for id_ in one.section.cites)
    named = dict.fromkeys((*page.compiled_from, *waiting))
    return (one for one in named if one.startswith(FactId.prefix))


def is_told(fact: Fact) -> bool:
    """Say whether a page may still state a fact that it cites."""
    return fact.life.lifecycle is Lifecycle.CURRENT and not fact.is_in_doubt
