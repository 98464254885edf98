"""Facts as lines for a person."""

from collections.abc import Iterable, Iterator, Mapping

from tilth.core.ids import FactId
from tilth.core.view import Bold, Dim, Line
from tilth.knowledge.facts.fact import Fact


def fact_lines(
    facts: Iterable[Fact], freshness: Mapping[FactId, str] | None = None
) -> Iterator[Line]:
    """Yield two lines for each fact: what it says, and how it stands."""
    for fact in facts:
        life = fact.life
        ends = "" if life.valid_to is None else f"{life.valid_to:%Y-%m-%d %H:%M}"
        labels = [life.lifecycle, life.review, (freshness or {}).get(fact.id, "")]
        labels += ["contested"] if fact.is_contested else []
        yield (Bold(fact.said.text),)
        yield Dim(
            f"  {fact.id}  {' '.join(filter(None, labels))}"
            f"  {life.valid_from:%Y-%m-%d %H:%M} to {ends or 'now'}  {life.scope}"
        )
