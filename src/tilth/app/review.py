"""What waits for a human."""

from collections.abc import Collection, Sequence
from datetime import datetime

from tilth.app.parts import Parts, within
from tilth.domain.ids import parse_fact_id, parse_proposal_id
from tilth.domain.proposal import (
    Proposal,
    Shown,
    parse_action,
    parse_proposal_kind,
    parse_proposal_state,
)
from tilth.domain.scope import parse_scope
from tilth.usecases import review
from tilth.usecases.review import Answer, Queue


class Review:
    """The queue of a brain."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def list(
        self,
        *,
        states: Collection[str] = ("open",),
        kinds: Collection[str] | None = None,
        limit: int = 100,
        offset: int = 0,
        scope: str | None = None,
    ) -> Queue:
        """See `tilth.usecases.review.list_proposals`."""
        return review.list_proposals(
            self._parts.store,
            within(self._parts, scope),
            states=frozenset(map(parse_proposal_state, states)),
            kinds=None if kinds is None else frozenset(map(parse_proposal_kind, kinds)),
            limit=limit,
            offset=offset,
        )

    def show(self, proposal_id: str, *, scope: str | None = None) -> Shown:
        """See `tilth.usecases.review.show_proposal`."""
        parts = self._parts
        return review.show_proposal(
            parts.store, parse_proposal_id(proposal_id), within(parts, scope)
        )

    def confirm(
        self, proposal_id: str, *, digest: str, retires: Sequence[str] = (), note: str = ""
    ) -> Proposal:
        """Say that it is so, naming what ends; see `tilth.usecases.review.decide_proposal`."""
        return self.decide(proposal_id, "confirm", digest=digest, retires=retires, note=note)

    def reject(self, proposal_id: str, *, digest: str, note: str = "") -> Proposal:
        """Say that it is not so; see `tilth.usecases.review.decide_proposal`."""
        return self.decide(proposal_id, "reject", digest=digest, note=note)

    def decide(  # noqa: PLR0913 - what a human may say
        self,
        proposal_id: str,
        action: str,
        *,
        digest: str,
        retires: Sequence[str] = (),
        keeps: str | None = None,
        scope: str | None = None,
        note: str = "",
    ) -> Proposal:
        """Answer a proposal by any action; see `tilth.usecases.review.decide_proposal`."""
        answer = Answer(
            action=parse_action(action),
            digest=digest,
            retires=tuple(map(parse_fact_id, retires)),
            keeps=None if keeps is None else parse_fact_id(keeps),
            scope=None if scope is None else parse_scope(scope),
            note=note,
        )
        parts = self._parts
        return review.decide_proposal(
            parts.store, parse_proposal_id(proposal_id), answer, parts.recorder
        )

    def snooze(self, proposal_id: str, *, until: datetime) -> Proposal:
        """See `tilth.usecases.review.snooze_proposal`."""
        parts = self._parts
        return review.snooze_proposal(
            parts.store, parse_proposal_id(proposal_id), until, parts.recorder
        )

    def undo(self, proposal_id: str, *, reason: str = "") -> Proposal:
        """See `tilth.usecases.review.undo_decision`."""
        parts = self._parts
        return review.undo_decision(
            parts.store, parse_proposal_id(proposal_id), parts.recorder, reason=reason
        )
