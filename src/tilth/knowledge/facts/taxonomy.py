"""Under what facts are filed, and how many under each word (MP-02)."""

from collections.abc import Sequence
from dataclasses import dataclass

from tilth.knowledge.facts.fact import Fact
from tilth.knowledge.facts.filters import FactFilter
from tilth.knowledge.facts.tables import Facts, Filed
from tilth.knowledge.vocabulary.registries import word_key
from tilth.ledger.store import Store


@dataclass(frozen=True, slots=True, kw_only=True)
class Shelf:
    """
    A word that facts are filed under, and how many hold there.

    `axis` is area, environment, system, component or tag. A component stands within its
    `system`. The `name` is as it was written last.
    """

    axis: str
    name: str
    system: str
    fact_count: int


def taxonomy(store: Store, which: FactFilter) -> Sequence[Shelf]:
    """Return under what the facts of a filter are filed, of each axis the fullest first."""
    with store.read() as view:
        filed = Facts(view).filed(which)
        examples = sorted({one.example for one in filed})
        known = {fact.seq: fact for fact in Facts(view).at(examples, which.within, which.moment)}
    return [_shelf(one, known[one.example]) for one in filed if one.example in known]


def _shelf(filed: Filed, example: Fact) -> Shelf:
    places = example.said.taxonomy
    if filed.axis == "tag":
        names = [tag for tag in places.tags if word_key(tag) == filed.key]
        return Shelf(axis=filed.axis, name=names[0], system="", fact_count=filed.count)
    return Shelf(
        axis=filed.axis,
        name=str(getattr(places, filed.axis)),
        system=places.system if filed.system else "",
        fact_count=filed.count,
    )
