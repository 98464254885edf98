"""What waits for a human."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Unpack, cast

from tilth.core.actor import Actor, ActorKind
from tilth.core.ids import FactId, ProposalId
from tilth.knowledge.facts.decisions import Shown
from tilth.knowledge.proposals.proposal import Answer, Proposal
from tilth.llm.client import unfit
from tilth.llm.task import Task
from tilth.maintenance import contradictions
from tilth.maintenance.contradictions import Scanned
from tilth.review import decide as decisions
from tilth.review import queue as review
from tilth.review.answers import Answering, Sorting, parse_answer, parse_sorting
from tilth.review.decide import Decided
from tilth.review.queue import Queue
from tilth.runtime.parts import Parts, within

# Whoever has it look, what it asks is a machine's question.
SCANNER = Actor("scan", ActorKind.JOB)
_NAMED = frozenset({"proposal_id", "action"})


class Review:
    """The queue of a brain."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def list(
        self,
        *,
        limit: int = 100,
        offset: int = 0,
        scope: str | None = None,
        **sorting: Unpack[Sorting],
    ) -> Queue:
        """Return what waits now, unless it is asked otherwise; see `list_proposals`."""
        parts = self._parts
        which = parse_sorting(sorting, within(parts, scope), parts.clock.now())
        return review.list_proposals(parts.store, parts.clock, which, limit=limit, offset=offset)

    def show(self, proposal_id: str, *, scope: str | None = None) -> Shown:
        """See `tilth.review.queue.show_proposal`."""
        parts = self._parts
        return review.show_proposal(
            parts.store, ProposalId.parse(proposal_id), within(parts, scope)
        )

    def question(self, fact_id: str, *, reason: str) -> Proposal:
        """Ask a human about a fact; see `tilth.review.queue.question_fact`."""
        parts = self._parts
        return review.question_fact(
            parts.store, FactId.parse(fact_id), parts.recorder, reason=reason
        )

    def scan(self, *, after: int = 0, limit: int = contradictions.EVENTS_MAX) -> Scanned:
        """Ask about what contradicts; see `scan_contradictions`."""
        parts = self._parts
        embedders = [one for one in (parts.first, parts.second) if one is not None]
        return contradictions.scan_contradictions(
            parts.store,
            embedders,
            replace(parts.recorder, by=SCANNER),
            after=after,
            limit=limit,
            thinker=None if unfit(parts.staff, Task.CONTRADICTION) else parts.thinker,
        )

    def confirm(
        self, proposal_id: str, *, digest: str, retires: Sequence[str] = (), note: str = ""
    ) -> Proposal:
        """Say that it is so, naming what ends; see `decide`."""
        return self.decide(proposal_id, "confirm", digest=digest, retires=retires, note=note)

    def reject(self, proposal_id: str, *, digest: str, note: str = "") -> Proposal:
        """Say that it is not so; see `decide`."""
        return self.decide(proposal_id, "reject", digest=digest, note=note)

    def decide(self, proposal_id: str, action: str, **answering: Unpack[Answering]) -> Proposal:
        """Answer a proposal by any action; see `tilth.review.decide.decide_proposal`."""
        return decisions.decide_proposal(
            self._parts.store,
            ProposalId.parse(proposal_id),
            parse_answer(action, answering),
            self._parts.writing,
        )

    def decide_many(self, answers: Collection[Mapping[str, object]]) -> Sequence[Decided]:
        """
        Decide many, each for itself; see `tilth.review.decide.decide_proposals`.

        Each is a mapping with `proposal_id`, `action` and the arguments of `decide`.
        """
        parsed = [_one(told) for told in answers]
        return decisions.decide_proposals(self._parts.store, parsed, self._parts.writing)

    def snooze(self, proposal_id: str, *, until: datetime) -> Proposal:
        """See `tilth.review.queue.snooze_proposal`."""
        parts = self._parts
        return review.snooze_proposal(
            parts.store, ProposalId.parse(proposal_id), until, parts.recorder
        )

    def undo(self, proposal_id: str, *, reason: str = "") -> Proposal:
        """See `tilth.review.decide.undo_decision`."""
        parts = self._parts
        return decisions.undo_decision(
            parts.store, ProposalId.parse(proposal_id), parts.recorder, reason=reason
        )


def _one(told: Mapping[str, object]) -> tuple[ProposalId, Answer]:
    answering = {name: value for name, value in told.items() if name not in _NAMED}
    return ProposalId.parse(str(told.get("proposal_id", ""))), parse_answer(
        str(told.get("action", "")), cast("Answering", answering)
    )
