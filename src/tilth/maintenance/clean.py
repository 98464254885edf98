"""
Reading over what was learned, a batch at a time, with a language model (KB-121).

A fact that the model finds out of date, or said by another one too, is put away, and comes back
whenever somebody says so; nothing is destroyed. What a human, a slot or a rule of its channel
stands behind is not shown to it, nor what was put away once and brought back. Without a model
there are the rules of `tilth.maintenance.retention`, and the questions about doubles.
"""

import logging
from collections.abc import Iterator
from dataclasses import replace

from tilth.core.actor import Actor, ActorKind, require_known
from tilth.core.dataclass import dataclass
from tilth.core.errors import NotFoundError
from tilth.core.ids import FactId
from tilth.core.scope import Visibility
from tilth.knowledge.facts.events import FactArchived
from tilth.knowledge.facts.fact import Fact
from tilth.knowledge.facts.tables import Facts
from tilth.ledger.snapshot import Snapshot
from tilth.llm.answers import Fate, Judged, Judgement
from tilth.llm.client import ModelClient, Question, Reason, Refusal, think, why_unavailable
from tilth.llm.task import Task
from tilth.maintenance.compare import holds
from tilth.maintenance.events import FactsJudged
from tilth.maintenance.tables import Tending
from tilth.privacy.sanitize import cut

logger = logging.getLogger(__name__)

CLEANER = Actor("cleaner", ActorKind.JOB)
BATCH = 30
# Of a batch; a model that finds more of it worthless is not believed.
GONE_MAX = 10
_REASON_CHARS = 200
_SHOWN_CHARS = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Cleaned:
    """
    What was shown to a model, and what was put away for what it said.

    `ignored_count` are verdicts that put nothing away: their survivor is not there or goes too,
    somebody spoke of the fact meanwhile, or the model condemned more than it is believed.
    `refusal` says why there was no answer, where there was none.
    """

    judged_count: int = 0
    facts: tuple[FactId, ...] = ()
    ignored_count: int = 0
    refusal: str = ""


def clean(thinker: ModelClient) -> Cleaned:
    """
    Have a model read over the facts that it read longest ago, thirty of one scope at most.

    A fact is shown once it is a day old, and again after a week at the earliest.

    Raises:
        ForbiddenError: nobody knows the caller.
        UnavailableError: the store does not answer.
    """
    recorder, store = thinker.recorder, thinker.store
    require_known(recorder.by, "have what was learned read over")
    if why_unavailable(thinker.staff, Task.CLEAN):
        return Cleaned(refusal=Reason.OFF.value)
    with store.read() as view:
        seqs = Tending(view).unjudged(recorder.owner, thinker.clock.now(), limit=BATCH)
        shown = Facts(view).at(seqs, Visibility(recorder.owner))
    if not shown:
        return Cleaned()
    things = {str(one.id): cut(one.said.text, _SHOWN_CHARS) for one in shown}
    thought = think(thinker, Judged, Question(things=things, scope=shown[0].life.scope))
    if isinstance(thought, Refusal):
        return Cleaned(refusal=thought.reason.value)
    gone = [one for one in thought.answer.verdicts if one.verdict is not Fate.KEEP]
    done = _put_away(thinker, shown, gone if len(gone) <= GONE_MAX else [])
    logger.info("read over: facts=%d put away=%d", len(shown), len(done))
    return Cleaned(judged_count=len(shown), facts=tuple(done), ignored_count=len(gone) - len(done))


def _put_away(thinker: ModelClient, shown: list[Fact], gone: list[Judgement]) -> list[FactId]:
    recorder = replace(thinker.recorder, by=CLEANER)
    with thinker.store.begin() as tx:
        # Somebody may have spoken of one meanwhile.
        seqs = [one.seq for one in shown]
        due = Tending(tx).unjudged(
            recorder.owner, thinker.clock.now(), limit=len(shown), among=seqs
        )
        free = {one.id: one for one in shown if one.seq in due}
        judged = FactsJudged(facts=tuple(one.id for one in shown))
        tx.append(judged, by=recorder.by, owner=recorder.owner)
        done = list(_condemned(tx, free, gone))
        for one in done:
            why = f"{one.verdict}: {one.reason}"[:_REASON_CHARS]
            event = FactArchived(fact_id=one.fact, reason=why)
            tx.append(event, by=recorder.by, owner=recorder.owner)
    return [one.fact for one in done]


def _condemned(
    tx: Snapshot, free: dict[FactId, Fact], gone: list[Judgement]
) -> Iterator[Judgement]:
    going = {one.fact for one in gone}
    for one in gone:
        fact = free.get(one.fact)
        survives = one.verdict is Fate.STALE or (
            one.survivor not in going and fact is not None and _is_there(tx, one.survivor, fact)
        )
        if fact is not None and survives:
            yield one


def _is_there(tx: Snapshot, survivor: FactId, fact: Fact) -> bool:
    """Say whether what a double leaves behind holds, where that double was seen."""
    try:
        other = Facts(tx).get(survivor, Visibility(fact.owner, frozenset({fact.life.scope})))
    except NotFoundError:
        return False
    return holds(other)
