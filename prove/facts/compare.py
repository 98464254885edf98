"""Everything that can be asked about facts, asked of both."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random  # noqa: TID251 - always seeded

from prove.facts import world as model
from prove.facts.stating import CAP
from prove.facts.world import World
from tilth.core.ids import ProposalId
from tilth.core.lifecycle import Lifecycle
from tilth.core.scope import DEFAULT_OWNER, Scope, Visibility
from tilth.knowledge.entities.entity import Entity
from tilth.knowledge.entities.tables import Entities, EntityFilter
from tilth.knowledge.facts.fact import Fact
from tilth.knowledge.facts.filters import FactFilter, Moment
from tilth.knowledge.facts.tables import Facts
from tilth.knowledge.proposals.events import ProposalOpened
from tilth.knowledge.proposals.proposal import Proposal
from tilth.knowledge.proposals.tables import Proposals
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Store

EVERYTHING = Visibility(DEFAULT_OWNER)
SEEN_AT_WORK = Visibility(DEFAULT_OWNER, frozenset({Scope("project:work")}))
_ALL = 100_000
_KEPT_ANSWERS = 200
_EVERY = frozenset(Lifecycle)


@dataclass
class Comparison:
    """Compares a store with its model; answers about the past are kept, and asked again."""

    store: Store
    world: World
    rng: Random
    answers: list[tuple[Moment, set[str]]] = field(default_factory=list)

    def check(self, now: datetime) -> None:
        """
        Compare all facts, what waits, what holds and what held.

        Raises:
            AssertionError: something differs.
        """
        with self.store.read() as view:
            self._check_facts(view)
            self._check_proposals(view)
            self._check_current(view)
            self._check_past(view, now)

    def head(self) -> int:
        """Return the last place of the ledger."""
        with self.store.read() as view:
            return view.head().seq

    def acted(self, after: int) -> int:
        """Return the last place behind *after* but for the questions that an act brings up."""
        with self.store.read() as view:
            places = [
                one.seq for one in view.events(after=after) if type(one.event) is not ProposalOpened
            ]
            return places[-1] if places else view.head().seq

    def recorded(self) -> datetime:
        """Return when the last event was recorded."""
        with self.store.read() as view:
            return view.events(after=view.head().seq - 1)[-1].recorded_at

    def things(self) -> Sequence[Entity]:
        """Return the entities in the order in which they were recorded."""
        with self.store.read() as view:
            return Entities(view).select(EntityFilter(within=EVERYTHING), limit=_ALL)

    def _check_facts(self, view: Snapshot) -> None:
        which = FactFilter(within=EVERYTHING, lifecycles=_EVERY)
        contested = self.world.contested()
        came = {str(fact.id): _face(fact) for fact in Facts(view).select(which, limit=_ALL)}
        expected = {
            one.id: _model_face(one, is_contested=one.id in contested)
            for one in self.world.facts.values()
        }
        _same_set("facts", set(came), set(expected))
        for id_, face in came.items():
            _same(f"fact {id_}", face, expected[id_])

    def _check_proposals(self, view: Snapshot) -> None:
        for one in self.world.proposals.values():
            asked = Proposals(view).get(ProposalId(one.id), EVERYTHING)
            expected = [one.kind, one.facts, one.retires, one.action, one.snoozed, one.scope]
            _same(f"proposal {one.id}", _asked(asked), expected)

    def _check_current(self, view: Snapshot) -> None:
        for within in (EVERYTHING, SEEN_AT_WORK):
            came = {
                str(fact.id) for fact in Facts(view).select(FactFilter(within=within), limit=_ALL)
            }
            expected = {
                one.id
                for one in self.world.facts.values()
                if one.life.lifecycle == "current"
                and within.admits(DEFAULT_OWNER, Scope(one.life.scope))
            }
            _same_set("current", came, expected)

    def _check_past(self, view: Snapshot, now: datetime) -> None:
        """Ask one new question about the past, and one or two that were asked before."""
        head = view.head().seq
        as_of = self._instant(now)
        moment = Moment(as_of, known_seq=self.rng.randint(max(1, head - 60), head))
        came = _held(view, moment)
        _same_set("held", came, self.world.held(as_of, moment.known_seq or 0))
        for kept, answer in self.rng.sample(self.answers, min(2, len(self.answers))):
            _same_set("held as it was told before", _held(view, kept), answer)
        self.answers.append((moment, came))
        if len(self.answers) > _KEPT_ANSWERS:
            self.answers.pop(self.rng.randrange(_KEPT_ANSWERS))

    def _instant(self, now: datetime) -> datetime:
        """Return an instant, most often one at which something began or ended."""
        lives = [one.life for one in self.world.facts.values()]
        edges = [at for life in lives for at in (life.begins, life.ends) if at is not None]
        if edges and self.rng.random() < 0.7:
            return self.rng.choice(edges)
        return now + timedelta(hours=self.rng.randint(-72, 72))


def _held(view: Snapshot, moment: Moment) -> set[str]:
    which = FactFilter(within=EVERYTHING, moment=moment)
    return {str(fact.id) for fact in Facts(view).select(which, limit=_ALL)}


def _face(fact: Fact) -> list[object]:
    life = fact.life
    return [
        fact.seq,
        (fact.by.name, fact.by.kind.value),
        fact.recorded_at,
        tuple(json.loads(fact.slot)) if fact.slot else None,
        (life.scope, life.lifecycle, life.review, life.authority),
        (life.valid_from, life.valid_to, life.checked_at, life.successor),
        fact.since,
        (fact.confidence.value, fact.confidence.source.value),
        fact.supersedes,
        len(fact.evidence),
        fact.is_contested,
    ]


def _model_face(one: model.Fact, *, is_contested: bool) -> list[object]:
    life = one.life
    is_sure = one.by.is_human or one.life.review == "confirmed"
    return [
        one.seq,
        tuple(one.by),
        one.recorded,
        one.slot,
        (life.scope, life.lifecycle, life.review, life.authority),
        (life.begins, life.ends, life.checked, life.successor),
        one.steps[-1].since,
        (
            one.confidence if is_sure else min(one.confidence, CAP),
            "human" if is_sure else one.by.kind,
        ),
        one.supersedes,
        len(one.sources),
        is_contested,
    ]


def _asked(one: Proposal) -> list[object]:
    draft = one.draft
    return [
        draft.kind.value,
        list(draft.facts),
        list(draft.retires),
        None if one.ruling is None else one.ruling.action.value,
        one.snoozed_until,
        draft.scope,
    ]


def _same(what: str, came: Sequence[object], expected: Sequence[object]) -> None:
    if came != expected:
        raise AssertionError(f"{what}:\n  is       {came}\n  expected {expected}")


def _same_set(what: str, came: set[str], expected: set[str]) -> None:
    if came != expected:
        raise AssertionError(
            f"{what}: only the store has {sorted(came - expected)}, "
            f"only the model {sorted(expected - came)}"
        )
