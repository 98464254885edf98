"""Plans, relations and provenance of facts, as lines for a person."""

from collections.abc import Iterator, Sequence

from tilth.core.view import Bold, Dim, Line, Note
from tilth.episodes.views import headed
from tilth.knowledge.changes.plan import Plan
from tilth.knowledge.changes.provenance import Resting, Why
from tilth.knowledge.changes.relations import Related
from tilth.knowledge.facts.views import fact_lines, life_line, waiting
from tilth.knowledge.graph.views import one_edge


def resting_facts(found: Sequence[Resting]) -> Iterator[Line]:
    """Yield the facts that rest on an episode, by which words, and what they superseded."""
    for one in found:
        yield from fact_lines([one.fact])
        yield from (Dim(f"  by: {quote}") for quote in one.quotes)
        for before in one.superseded:
            yield Dim(f"  superseded {before.id}: {before.said.text}")
    if not found:
        yield Note("no fact rests on that episode")


def planned(answer: Plan) -> Iterator[Line]:
    """Yield what a statement would do, and the facts that say something like it."""
    yield Bold(_would(answer))
    likeness = {one.fact.id: f"{one.likeness:.2f} like it" for one in answer.likely}
    yield from fact_lines((one.fact for one in answer.likely), likeness)
    yield from map(Note, answer.warnings)
    which = " with --update ID, or --decline ID for each of these" if answer.likely else ""
    yield Note(f"within ten minutes{which}: tilth fact apply … --token {answer.token}")


def _would(answer: Plan) -> str:
    if answer.verdict == "reinforced":
        return "it is known already: its evidence would grow"
    before = answer.would_supersede
    if answer.verdict == "superseded":
        return f"it would supersede {before}"
    if answer.verdict == "proposed":
        return "it would wait for a human" + (f", in the place of {before}" if before else "")
    return "it would be recorded, and nothing would end"


def related(answer: Related) -> Iterator[Line]:
    """Yield the edge between two facts, and the proposal that waits."""
    edge, proposal = answer.edge, answer.proposal
    if edge is not None:
        yield from one_edge(edge)
    if proposal is not None:
        yield from waiting(proposal.id)


def reasons(found: Why) -> Iterator[Line]:
    """Yield what a fact rests on, its life, and its chain of supersession."""
    yield from fact_lines([found.fact])
    for support in found.supports:
        yield ""
        if support.episode is None:
            yield Dim(f"it rests on {support.evidence.episode_id}, which is not seen from here")
            continue
        yield from headed(support.episode)
        if support.quote != support.episode.text:
            yield Dim(f"  it rests on: {support.quote}")
    yield ""
    for past in found.lives:
        yield Dim(life_line(past))
    before = [one for one in found.history if one.seq != found.fact.seq]
    if before:
        yield Dim("in one chain with:")
        yield from fact_lines(before)
