"""
Close a work item: end the facts on who works on it and on its phase.

Facts whose predicates may be replaced in one call are ended in one; for those that a human
confirmed it is proposed. Each end is an event of its own, and can be undone by itself (DU-058).
"""

import logging
from collections.abc import Iterator

from tilth.core.actor import require_known
from tilth.core.dataclass import dataclass
from tilth.core.ids import FactId, ProposalId
from tilth.core.scope import Visibility
from tilth.core.text.keys import index_key
from tilth.episodes.remember import WriteContext
from tilth.knowledge.entities.naming import pointed_at
from tilth.knowledge.entities.tables import Entities
from tilth.knowledge.facts.events import FactRetired
from tilth.knowledge.facts.fact import Fact
from tilth.knowledge.facts.fact_lifecycle import removal_in
from tilth.knowledge.facts.filters import FactFilter
from tilth.knowledge.facts.tables import Facts
from tilth.knowledge.vocabulary.registries import WriteMode
from tilth.knowledge.vocabulary.tables import KnownWords
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Store
from tilth.privacy.redaction import scrub

logger = logging.getLogger(__name__)

_WORKING_ON = "working_on"
_PHASE = "phase"
_FACTS_MAX = 1000


@dataclass(frozen=True, slots=True)
class Closed:
    """The facts that ended with a work item, and the proposals that wait."""

    ended: tuple[FactId, ...]
    proposed: tuple[ProposalId, ...]


def close_work(store: Store, item: str, recorder: WriteContext, *, reason: str) -> Closed:
    """
    End the current `working_on` facts on a work item, and its `phase`.

    Raises:
        NotFoundError: nothing visible has that name.
        ForbiddenError: the caller is anonymous.
    """
    require_known(recorder.by, "end what is said of a work item")
    within = Visibility(recorder.owner)
    why = scrub(reason).text or f"the work item {item} is archived"
    ended: list[FactId] = []
    proposed: list[ProposalId] = []
    with store.begin() as tx:
        known = KnownWords(tx).known(recorder.owner)
        for fact in _open(tx, item, within):
            predicate = known.predicate(fact.said.triple.predicate) if fact.said.triple else None
            is_auto = predicate is not None and predicate.mode is WriteMode.AUTO
            if recorder.by.is_human or (is_auto and not fact.is_vouched):
                event = FactRetired(fact_id=fact.id, reason=why)
                tx.append(event, by=recorder.by, owner=recorder.owner)
                ended.append(fact.id)
            else:
                asked = removal_in(tx, fact, why, recorder).proposal_id
                proposed += [asked] if asked is not None else []
    logger.info("work item closed: ended=%d proposed=%d", len(ended), len(proposed))
    return Closed(tuple(ended), tuple(proposed))


def _open(reader: Snapshot, item: str, within: Visibility) -> Iterator[Fact]:
    """Yield the facts on who works on an item, and on its phase, by any of its names."""
    entity, *_ = pointed_at(reader, item, within)
    names = {index_key(name): name for name in Entities(reader).bearer(entity.id, within).names}
    for name in names.values():
        for which in (
            FactFilter(within=within, predicate=_WORKING_ON, object=name),
            FactFilter(within=within, predicate=_PHASE, subject=name),
        ):
            yield from Facts(reader).select(which, limit=_FACTS_MAX)
