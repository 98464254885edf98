"""Facts as lines for a person."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol

from tilth.core.ids import FactId
from tilth.core.instant import written_end, written_minute
from tilth.core.lifecycle import Lifecycle, Review
from tilth.core.view import Bold, Dim, Line, Note, page_end
from tilth.knowledge.facts.fact import Beside, Fact
from tilth.knowledge.facts.fact_lifecycle import Ended
from tilth.knowledge.facts.facts import TaxonomyCount
from tilth.knowledge.facts.life import PastLife
from tilth.knowledge.facts.state import State
from tilth.knowledge.facts.write.write_fact import Stated
from tilth.privacy.terminal_text import one_line

_CHARS = 160


class _Page(Protocol):
    @property
    def fact(self) -> Fact: ...

    @property
    def lives(self) -> Sequence[PastLife]: ...


def stated(answer: Stated) -> Iterator[Line]:
    """Yield what became of a statement."""
    yield (Bold(answer.verdict), "  ", answer.fact.id)
    if answer.retired is not None:
        yield Note(f"it supersedes {answer.retired}; tilth fact undo {answer.fact.id}")
    yield from map(Note, answer.warnings)
    if answer.proposal_id is None and answer.fact.life.lifecycle is Lifecycle.DRAFT:
        # It was proposed before.
        yield Note("it is a draft, and waits for a human: tilth review list")
    yield from waiting(answer.proposal_id)


def waiting(proposal_id: str | None) -> Iterator[Line]:
    """Yield that a proposal waits, if one does."""
    if proposal_id is not None:
        yield Note(f"it waits for a human: tilth review show {proposal_id}")


def fact_page(page: _Page) -> Iterator[Line]:
    """Yield a fact with its evidence and its life."""
    yield from fact_lines([page.fact])
    if filing := page.fact.said.filing:
        yield Dim(
            "  " + " · ".join(f"{name} {one_line(told, _CHARS)}" for name, told in filing.items())
        )
    for one in page.fact.evidence:
        words = f" [{one.start}:{one.end}]" if one.end > one.start else ""
        yield Dim(f"  rests on {one.episode_id}{words}")
    for past in page.lives:
        yield Dim(f"  {life_line(past)}")


def life_line(past: PastLife) -> str:
    """Return what a fact became, what a human said of it, when, by whom, and why."""
    said = (past.life.lifecycle, past.life.review)
    shown = ", ".join(one for one in said if one is not Review.UNREVIEWED)
    why = f": {one_line(past.why, _CHARS)}" if past.why else ""
    return f"{past.began_at:%Y-%m-%d %H:%M}  {shown} by {past.by.name}{why}"


def fact_list(facts: Sequence[Fact], *, limit: int, offset: int) -> Iterator[Line]:
    """Yield facts, two lines each, and how to see more."""
    yield from fact_lines(facts)
    none = "no fact of that is here; state one: tilth fact add TEXT"
    yield from page_end(facts, none, limit=limit, offset=offset)


def fact_chain(facts: Sequence[Fact]) -> Iterator[Line]:
    """Yield a chain of supersession."""
    yield from fact_lines(facts)


def one_fact(fact: Fact) -> Iterator[Line]:
    """Yield one fact."""
    yield from fact_lines([fact])


def ended(answer: Ended) -> Iterator[Line]:
    """Yield a fact that ended, or the proposal to end it."""
    yield from fact_lines([answer.fact])
    if answer.proposal_id is None:
        yield Note(f"to take it back: tilth fact undo {answer.fact.id}")
    yield from waiting(answer.proposal_id)


def state_page(answer: State) -> Iterator[Line]:
    """Yield the facts of a state, and beside each what contradicts it."""
    for one in answer.facts:
        yield from fact_lines([one.fact], {one.fact.id: f"{one.freshness}"})
        for other in one.against:
            yield Dim(f"  against it: {one_line(other.said.text, _CHARS)}  {other.id}")
    if answer.is_widened:
        yield Note("no such fact holds; these held before")
    elif not answer.facts:
        yield Note("no such fact holds; --widen shows what held before")
    if answer.count > len(answer.facts):
        yield Note(f"{answer.count} in all: --limit N shows more")


def shelves(found: Sequence[TaxonomyCount]) -> Iterator[Line]:
    """Yield the words under which facts are filed, by axis."""
    axis = ""
    for shelf in found:
        if shelf.axis != axis:
            yield (Bold(shelf.axis),)
        axis = shelf.axis
        name = f"{shelf.system} / {shelf.name}" if shelf.system else shelf.name
        yield f"  {shelf.fact_count:>7,}  {name}"
    if not found:
        yield Note("no fact is filed under anything: tilth fact add TEXT --area NAME --tag TAG")


def fact_lines(
    facts: Iterable[Fact], freshness: Mapping[FactId, str] | None = None
) -> Iterator[Line]:
    """Yield two lines for each fact: its text, and its state."""
    for fact in facts:
        life = fact.life
        ends = "" if life.valid_to is None else written_end(life.valid_to)
        labels = [life.lifecycle, fact.grade, life.review, (freshness or {}).get(fact.id, "")]
        labels += ["contested"] if fact.is_contested else []
        labels += [f"worded by {fact.worded_by}"] if fact.worded_by else []
        labels += ["overtaken"] if fact.is_overtaken else []
        labels += [f"due {fact.due}"] if fact.due else []
        yield (Bold(fact.said.text),)
        yield Dim(
            f"  {fact.id}  {' '.join(filter(None, labels))}"
            f"  {written_minute(life.valid_from)} to {ends or 'now'}  {life.scope}"
        )
        yield from beside_lines(fact.beside)


def beside_lines(beside: Iterable[Beside]) -> Iterator[Line]:
    """Yield the other facts of a sentence: the values of a statement, the statement of a value."""
    for one in beside:
        now = "" if one.lifecycle is Lifecycle.CURRENT else f"  {one.lifecycle}"
        by = f" by {one.successor}" if one.successor else ""
        what = "value" if one.is_value else "said in"
        yield Dim(f"  {what}: {one_line(one.words, _CHARS)}  {one.id}{now}{by}")
