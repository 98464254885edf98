"""Compare facts: which are new, how similar two are, and which questions were asked already."""

from collections.abc import Iterator, Sequence

import numpy as np

from tilth.core.errors import NotFoundError
from tilth.core.event import Recorded
from tilth.core.ids import FactId, ProposalId
from tilth.core.lifecycle import Lifecycle, Review
from tilth.core.scope import Visibility
from tilth.embedding.embedder import Embedder
from tilth.episodes.remember import WriteContext
from tilth.knowledge.facts.events import FactRecorded
from tilth.knowledge.facts.fact import Fact
from tilth.knowledge.facts.filters import FactFilter
from tilth.knowledge.facts.tables import Facts
from tilth.knowledge.proposals.ask import ask
from tilth.knowledge.proposals.events import ProposalDecided
from tilth.knowledge.proposals.proposal import ProposalDraft, ProposalState
from tilth.knowledge.proposals.tables import Proposals
from tilth.ledger.search import Search
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Store


def new_facts(view: Snapshot, events: Sequence[Recorded], recorder: WriteContext) -> Iterator[Fact]:
    """Yield the facts that *events* stated or confirmed and that still hold."""
    named: dict[FactId, None] = {}
    for recorded in events:
        if recorded.owner != recorder.owner:
            continue
        match recorded.event:
            case FactRecorded():
                named[FactId.of(recorded.event_id)] = None
            case ProposalDecided(ruling=ruling):
                named |= dict.fromkeys(ruling.facts)
            case _:
                pass
    for fact_id in named:
        fact = Facts(view).get(fact_id, Visibility(recorder.owner))
        if holds(fact):
            yield fact


def nearest_places(
    view: Snapshot, fact: Fact, which: FactFilter, embedders: Sequence[Embedder], *, limit: int
) -> list[int]:
    """
    Return the places in the ledger of the facts nearest to one.

    These are *limit* at most for each of *embedders*, one after the other, nearest first.
    """
    places: list[int] = []
    for embedder in embedders:
        vector = Search(view).vectors(embedder.space, [fact.seq]).get(fact.seq)
        if vector is not None:
            nearest = Search(view).nearest(embedder.space, vector, which, limit=limit)
            places += [one.seq for one in nearest]
    return places


def mean_cosines(
    view: Snapshot, fact: Fact, others: Sequence[Fact], embedders: Sequence[Embedder]
) -> list[float | None]:
    """
    Return the cosine of one fact with each of *others*, as a mean over embedders.

    It is None where no embedder has a vector of both.
    """
    seqs = [fact.seq, *(one.seq for one in others)]
    spaces = [Search(view).vectors(one.space, seqs) for one in embedders]
    means: list[float | None] = []
    for other in others:
        cosines = [
            float(np.dot(vectors[fact.seq], vectors[other.seq]))
            for vectors in spaces
            if fact.seq in vectors and other.seq in vectors
        ]
        means.append(sum(cosines) / len(cosines) if cosines else None)
    return means


def still_hold(reader: Snapshot, facts: Sequence[Fact]) -> bool:
    """Say whether all of *facts* exist and hold in *reader*."""
    try:
        return all(holds(Facts(reader).get(one.id, Visibility(one.owner))) for one in facts)
    except NotFoundError:
        return False


def is_asked_already(reader: Snapshot, draft: ProposalDraft, recorder: WriteContext) -> bool:
    """Say whether a human answered a question, or is asked it about facts that still hold."""
    known = Proposals(reader).asked(draft.key, recorder.owner, draft.scope)
    if known is None:
        return False
    if known.state is ProposalState.DECIDED:
        return True
    sides = [Facts(reader).get(one, Visibility(recorder.owner)) for one in known.draft.facts]
    return all(map(holds, sides))


def ask_about(
    store: Store, sides: Sequence[Fact], draft: ProposalDraft, recorder: WriteContext
) -> ProposalId | None:
    """Ask about *sides*, unless that was asked already or one of them no longer holds."""
    with store.begin() as tx:
        if not still_hold(tx, sides) or is_asked_already(tx, draft, recorder):
            return None
        return ask(tx, draft, recorder).id


def holds(fact: Fact) -> bool:
    """Say whether a fact is current and no human rejected it."""
    return fact.life.lifecycle is Lifecycle.CURRENT and fact.life.review is not Review.REJECTED
