"""What is known about a thing, as lines for a person."""

from collections.abc import Iterator

from tilth.core.instant import written_day
from tilth.core.view import Bold, Dim, Line, Note
from tilth.knowledge.about.about import About
from tilth.knowledge.entities.views import names, namesakes
from tilth.knowledge.facts.views import beside_lines
from tilth.knowledge.graph.views import edges_of
from tilth.privacy.terminal_text import one_line

_CHARS = 100


def about(known: About) -> Iterator[Line]:
    """Yield what is known about a thing."""
    yield from names(known.card)
    if known.contact is not None:
        told = f"  last contact {written_day(known.contact.occurred_at)}"
        yield (told, Dim(f"  {one_line(known.contact.text, _CHARS)}  {known.contact.episode_id}"))
    for key, told in known.profile.items():
        yield f"  {one_line(key, _CHARS)}: {one_line(told, _CHARS)}"
    for one in known.promises:
        due = f", due {one.fact.due}" if one.fact.due else ""
        yield f"  open promise: {one_line(one.fact.said.text, _CHARS)}{due}"
    contested = {fact.id for fact in known.contested}
    for one in known.facts:
        mark = " contested" if one.fact.id in contested else ""
        yield (Bold(one.fact.said.text),)
        mark += " overtaken" if one.fact.is_overtaken else ""
        stands = f"{one.fact.grade} {one.fact.life.review} {one.freshness}{mark}"
        yield Dim(f"  {one.fact.id}  {stands}  {one.fact.life.scope}")
        yield from beside_lines(one.fact.beside)
    for one in known.told:
        life = one.fact.life
        yield (Bold(one.fact.said.text),)
        yield Dim(
            f"  {one.fact.id}  {one.freshness}  {life.scope}  {life.lifecycle}, {life.review}"
        )
        yield from beside_lines(one.fact.beside)
    yield from edges_of(known.graph)
    for mention in known.mentions:
        yield (Dim(f"{written_day(mention.occurred_at)}  {mention.episode_id}  "), mention.text)
    if known.fact_count > len(known.facts):
        yield Note(f"{known.fact_count} facts in all: --limit N shows more")
    yield from namesakes(known.card)
