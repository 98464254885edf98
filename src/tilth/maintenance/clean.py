"""
Have a language model judge facts, a batch at a time (KB-121).

A fact that the model finds outdated, or a duplicate of another one, is archived and can be
restored. The model is not shown facts that a human, a slot or a rule of its channel backs, nor
facts that were archived once and restored.
"""

import logging
from collections.abc import Iterator
from contextlib import suppress
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
from tilth.maintenance.tables import Retention
from tilth.privacy.sanitize import shortened

logger = logging.getLogger(__name__)

CLEANER = Actor("cleaner", ActorKind.JOB)
BATCH = 30
# Of a batch. The verdicts of a model that condemns more are ignored.
GONE_MAX = 10
_REASON_CHARS = 200
_SHOWN_CHARS = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Cleaned:
    """
    How many facts a model judged, and which were archived.

    `ignored_count` counts verdicts without effect: the surviving duplicate does not hold or goes
    too, there is new evidence of the fact, or there are more verdicts than `GONE_MAX`. `refusal`
    says why there was no answer; it is empty if there was one.
    """

    judged_count: int = 0
    facts: tuple[FactId, ...] = ()
    ignored_count: int = 0
    refusal: str = ""


def clean(thinker: ModelClient) -> Cleaned:
    """
    Have a model judge the facts that it judged longest ago, thirty of one scope at most.

    A fact is shown once it is a day old, and again after a week at the earliest.

    Raises:
        ForbiddenError: the caller is unknown.
        UnavailableError: the store does not answer.
    """
    recorder, store = thinker.recorder, thinker.store
    require_known(recorder.by, "have what was learned read over")
    if why_unavailable(thinker.model_pool, Task.CLEAN):
        return Cleaned(refusal=Reason.OFF.value)
    with store.read() as view:
        seqs = Retention(view).unjudged(recorder.owner, thinker.clock.now(), limit=BATCH)
        shown = Facts(view).at(seqs, Visibility(recorder.owner))
    if not shown:
        return Cleaned()
    things = {str(one.id): shortened(one.said.text, _SHOWN_CHARS) for one in shown}
    thought = think(thinker, Judged, Question(things=things, scope=shown[0].life.scope))
    if isinstance(thought, Refusal):
        return Cleaned(refusal=thought.reason.value)
    gone = _condemned(thought.answer)
    done = _archive_due(thinker, shown, gone if len(gone) <= GONE_MAX else [])
    logger.info("read over: facts=%d archived=%d", len(shown), len(done))
    return Cleaned(judged_count=len(shown), facts=tuple(done), ignored_count=len(gone) - len(done))


def _condemned(answer: Judged) -> list[Judgement]:
    """Return the first verdict on each fact, without the facts that one verdict keeps."""
    kept = {one.fact for one in answer.verdicts if one.verdict is Fate.KEEP}
    first = {one.fact: one for one in reversed(answer.verdicts) if one.fact not in kept}
    return list(first.values())[::-1]


def _archive_due(thinker: ModelClient, shown: list[Fact], gone: list[Judgement]) -> list[FactId]:
    recorder = replace(thinker.recorder, by=CLEANER)
    with thinker.store.begin() as tx:
        # There may be new evidence of one meanwhile.
        seqs = [one.seq for one in shown]
        due = Retention(tx).unjudged(
            recorder.owner, thinker.clock.now(), limit=len(shown), among=seqs
        )
        free = {one.id: one for one in shown if one.seq in due}
        judged = FactsJudged(facts=tuple(one.id for one in shown))
        tx.append(judged, by=recorder.by, owner=recorder.owner)
        done = list(_applicable(tx, free, gone))
        for one in done:
            why = f"{one.verdict}: {one.reason}"[:_REASON_CHARS]
            event = FactArchived(fact_id=one.fact, reason=why)
            tx.append(event, by=recorder.by, owner=recorder.owner)
    return [one.fact for one in done]


def _applicable(
    tx: Snapshot, free: dict[FactId, Fact], gone: list[Judgement]
) -> Iterator[Judgement]:
    """Yield the verdicts on *free* facts that are outdated or leave a duplicate that holds."""
    going = {one.fact for one in gone}
    for one in gone:
        fact = free.get(one.fact)
        if fact is None:
            continue
        if one.verdict is Fate.STALE:
            yield one
        elif one.survivor not in going:
            # The survivor must hold where its duplicate was visible.
            within = Visibility(fact.owner, frozenset({fact.life.scope}))
            with suppress(NotFoundError):
                if holds(Facts(tx).get(one.survivor, within)):
                    yield one
