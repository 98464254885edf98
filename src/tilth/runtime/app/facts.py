"""Facts."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Unpack, cast

from tilth.core.ids import EpisodeId, parse_fact_id, parse_outcome_id
from tilth.knowledge.changes import plan as planning
from tilth.knowledge.changes import provenance, relations
from tilth.knowledge.changes.plan import Choice, Plan
from tilth.knowledge.changes.provenance import Why
from tilth.knowledge.changes.relation import parse_relation
from tilth.knowledge.changes.relations import Related
from tilth.knowledge.facts import fact_lifecycle as endings
from tilth.knowledge.facts import facts, taxonomy
from tilth.knowledge.facts.fact import Fact, FactDraft, Telling, parse_fact
from tilth.knowledge.facts.fact_lifecycle import Ended
from tilth.knowledge.facts.filters import Moment
from tilth.knowledge.facts.life import PastLife
from tilth.knowledge.facts.query import Asking, parse_asking
from tilth.knowledge.facts.taxonomy import Shelf
from tilth.knowledge.facts.write.write_fact import Stated
from tilth.knowledge.outcomes import outcomes
from tilth.knowledge.outcomes.outcome import OutcomeDraft, parse_outcome_kind
from tilth.knowledge.outcomes.outcomes import Tested
from tilth.learning import check as checking
from tilth.learning.check import Issue
from tilth.runtime.parts import IMPORTER, Parts, within
from tilth.transfer import legacy_import as legacy
from tilth.transfer.importing import Row
from tilth.transfer.legacy_import import LegacyReport, Promoted


class Facts:
    """The facts of a brain."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def add(self, text: str = "", **telling: Unpack[Telling]) -> Stated:
        """State a fact; see `tilth.knowledge.facts.facts.state_fact`."""
        return facts.state_fact(self._parts.store, parse_fact(text, telling), self._parts.writing)

    def add_many(self, tellings: Sequence[Mapping[str, object]]) -> Sequence[Stated]:
        """
        State facts in one transaction; see `tilth.knowledge.facts.facts.state_facts`.

        Each is a mapping with the arguments of `add`; `text` may be left out for a triple.
        """
        drafts = [_draft(telling) for telling in tellings]
        return facts.state_facts(self._parts.store, drafts, self._parts.writing)

    def propose(self, text: str = "", *, reason: str = "", **telling: Unpack[Telling]) -> Stated:
        """State a draft for a human to decide; see `tilth.knowledge.facts.facts.propose_fact`."""
        draft = parse_fact(text, telling)
        return facts.propose_fact(self._parts.store, draft, self._parts.writing, reason=reason)

    def plan(self, text: str = "", **telling: Unpack[Telling]) -> Plan:
        """Say what stating it would do, and what is like it; see `tilth.knowledge.changes.plan`."""
        draft = parse_fact(text, telling)
        return planning.plan_fact(self._parts.store, draft, self._parts.writing)

    def apply(
        self,
        text: str = "",
        *,
        token: str,
        updates: str | None = None,
        declines: Sequence[str] = (),
        reason: str = "",
        **telling: Unpack[Telling],
    ) -> Stated:
        """State what was planned; see `tilth.knowledge.changes.plan.apply_plan`."""
        choice = Choice(
            token=token,
            updates=None if updates is None else parse_fact_id(updates),
            declines=tuple(map(parse_fact_id, declines)),
            reason=reason,
        )
        draft = parse_fact(text, telling)
        return planning.apply_plan(self._parts.store, draft, choice, self._parts.writing)

    def reword(self, fact_id: str, text: str = "", *, value: str = "", reason: str = "") -> Stated:
        """Propose that a fact be said otherwise; see `tilth.knowledge.facts.facts.reword_fact`."""
        return facts.reword_fact(
            self._parts.store,
            parse_fact_id(fact_id),
            text,
            value,
            self._parts.writing,
            reason=reason,
        )

    def import_rows(self, rows: Iterable[Row], *, is_dry_run: bool) -> LegacyReport:
        """State the facts of another store; see `tilth.transfer.legacy_import.import_facts`."""
        writing = replace(self._parts.writing, recorder=replace(self._parts.recorder, by=IMPORTER))
        return legacy.import_facts(self._parts.store, rows, writing, is_dry_run=is_dry_run)

    def promotable(self, *, scope: str | None = None, **asking: Unpack[Asking]) -> Sequence[Fact]:
        """See `tilth.transfer.legacy_import.promotable`."""
        which = parse_asking(asking, within(self._parts, scope))
        return legacy.promotable(self._parts.store, which)

    def promote_many(self, fact_ids: Collection[str]) -> Promoted:
        """Make what an import brought current; see `tilth.transfer.legacy_import.promote_facts`."""
        ids = [parse_fact_id(one) for one in fact_ids]
        return legacy.promote_facts(self._parts.store, ids, self._parts.writing)

    def promote(self, fact_id: str, *, reason: str = "") -> Ended:
        """Propose that a historical fact is so; see `fact_lifecycle.promote_fact`."""
        parts = self._parts
        return endings.promote_fact(
            parts.store, parse_fact_id(fact_id), parts.recorder, reason=reason
        )

    def get(
        self, fact_id: str, *, known_at: datetime | None = None, scope: str | None = None
    ) -> Fact:
        """See `tilth.knowledge.facts.facts.get_fact`."""
        parts = self._parts
        moment = Moment(known_at=known_at)
        return facts.get_fact(parts.store, parse_fact_id(fact_id), within(parts, scope), moment)

    def list(
        self,
        *,
        limit: int = 100,
        offset: int = 0,
        scope: str | None = None,
        **asking: Unpack[Asking],
    ) -> Sequence[Fact]:
        """See `tilth.knowledge.facts.facts.list_facts`."""
        which = parse_asking(asking, within(self._parts, scope))
        return facts.list_facts(self._parts.store, which, limit=limit, offset=offset)

    def history(self, fact_id: str, *, scope: str | None = None) -> Sequence[Fact]:
        """See `tilth.knowledge.facts.facts.history_of`."""
        parts = self._parts
        return facts.history_of(parts.store, parse_fact_id(fact_id), within(parts, scope))

    def lives(self, fact_id: str, *, scope: str | None = None) -> Sequence[PastLife]:
        """See `tilth.knowledge.facts.facts.lives_of`."""
        parts = self._parts
        return facts.lives_of(parts.store, parse_fact_id(fact_id), within(parts, scope))

    def why(
        self, fact_id: str, *, known_at: datetime | None = None, scope: str | None = None
    ) -> Why:
        """Say why a fact is believed; see `tilth.knowledge.changes.provenance.why`."""
        parts = self._parts
        moment = Moment(known_at=known_at)
        return provenance.why(parts.store, parse_fact_id(fact_id), within(parts, scope), moment)

    def relate(self, fact_id: str, relation: str, other_id: str, *, reason: str = "") -> Related:
        """Say how a fact relates to an earlier one; see `tilth.knowledge.changes.relations`."""
        parts = self._parts
        ends = (parse_fact_id(fact_id), parse_fact_id(other_id))
        return relations.relate_facts(
            parts.store, ends, parse_relation(relation), parts.recorder, reason=reason
        )

    def outcome(
        self, fact_id: str, kind: str, *, evidence: Sequence[str], note: str = ""
    ) -> Tested:
        """Say that a fact held when tested; see `outcomes.observe_outcome`."""
        draft = OutcomeDraft(
            fact_id=parse_fact_id(fact_id),
            kind=parse_outcome_kind(kind),
            evidence=tuple(EpisodeId(one) for one in dict.fromkeys(evidence)),
            note=note,
        )
        return outcomes.observe_outcome(self._parts.store, draft, self._parts.recorder)

    def outcomes(self, fact_id: str, *, scope: str | None = None) -> Tested:
        """See `tilth.knowledge.outcomes.outcomes.outcomes_of`."""
        parts = self._parts
        return outcomes.outcomes_of(parts.store, parse_fact_id(fact_id), within(parts, scope))

    def revoke(self, outcome_id: str, *, reason: str = "") -> Tested:
        """Let an outcome count no more; see `tilth.knowledge.outcomes.outcomes.revoke_outcome`."""
        parts = self._parts
        return outcomes.revoke_outcome(
            parts.store, parse_outcome_id(outcome_id), parts.recorder, reason=reason
        )

    def check(self, text: str, *, scope: str | None = None) -> Sequence[Issue]:
        """Return what may be wrong in a text; see `tilth.learning.check.check_text`."""
        parts = self._parts
        seen = within(parts, scope)
        return checking.check_text(parts.store, parts.clock, parts.first, text, seen)

    def taxonomy(self, *, scope: str | None = None, **asking: Unpack[Asking]) -> Sequence[Shelf]:
        """Return under what facts are filed; see `tilth.knowledge.facts.taxonomy.taxonomy`."""
        which = parse_asking(asking, within(self._parts, scope))
        return taxonomy.taxonomy(self._parts.store, which)

    def retire(self, fact_id: str, *, reason: str = "", valid_to: datetime | None = None) -> Ended:
        """End a fact, or propose that; see `tilth.knowledge.facts.fact_lifecycle.retire_fact`."""
        parts = self._parts
        return endings.retire_fact(
            parts.store, parse_fact_id(fact_id), parts.recorder, reason=reason, valid_to=valid_to
        )

    def archive(self, fact_id: str, *, reason: str = "") -> Fact:
        """See `tilth.knowledge.facts.fact_lifecycle.archive_fact`."""
        parts = self._parts
        return endings.archive_fact(
            parts.store, parse_fact_id(fact_id), parts.recorder, reason=reason
        )

    def restore(self, fact_id: str) -> Fact:
        """See `tilth.knowledge.facts.fact_lifecycle.restore_fact`."""
        parts = self._parts
        return endings.restore_fact(parts.store, parse_fact_id(fact_id), parts.recorder)

    def undo(self, fact_id: str, *, reason: str = "") -> Fact:
        """Take back what happened to a fact last; see `fact_lifecycle.undo_change`."""
        parts = self._parts
        return endings.undo_change(
            parts.store, parse_fact_id(fact_id), parts.recorder, reason=reason
        )


def _draft(told: Mapping[str, object]) -> FactDraft:
    telling = {name: value for name, value in told.items() if name != "text"}
    return parse_fact(str(told.get("text", "")), cast("Telling", telling))
