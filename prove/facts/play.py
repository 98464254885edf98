"""Random steps, taken by the product and by the model."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random  # noqa: TID251 - always seeded
from typing import TypeVar, cast

from prove.facts import endings, stating
from prove.facts.compare import EVERYTHING, Comparison
from prove.facts.endings import Answer, At
from prove.facts.stating import Named, Told
from prove.facts.world import GLOBAL, Fact, Proposal, Who, World
from prove.ground import FIRST_TIER
from tilth.core.actor import Actor, ActorKind
from tilth.core.errors import TilthError
from tilth.core.event import Event
from tilth.core.ids import FactId, ProposalId
from tilth.core.scope import DEFAULT_OWNER, Scope, Visibility
from tilth.episodes.remember import WriteContext
from tilth.knowledge.entities.events import AliasAdded, EntitiesMerged, EntitySplit
from tilth.knowledge.facts import fact_lifecycle, facts, verbs
from tilth.knowledge.facts.fact import FactFields, parse_fact
from tilth.knowledge.facts.write.write_fact import Stated, Writing
from tilth.knowledge.proposals import proposal
from tilth.knowledge.vocabulary.events import WordRegistered
from tilth.knowledge.vocabulary.registries import Cardinality, Entry, Registry
from tilth.ledger.store import Store
from tilth.privacy.exclusion import Exclusion
from tilth.review import decide as decisions
from tilth.review import queue as review
from tilth.review import verbs as review_verbs

WRITERS = (
    *2 * (Who("ada", "human"), Who("bot", "agent")),
    Who("other", "agent"),
    Who("gardener", "job"),
    Who("importer", "import"),
    Who("stranger", "anonymous"),
)
SCOPES = (GLOBAL, GLOBAL, GLOBAL, "project:work")
# Two spellings of a name fold to one; what is merged and renamed folds further.
SUBJECTS = ("Acme", "ACME", "Beta", "Gamma")
SYSTEMS = ("nas", "NAS", "router")
PREDICATES = ("phase", "phase", "stage", "port", "rule", "likes", "colour")
CHANNELS = ("entity", "entity", "entity", "decision", "milestone")
VALUES = ("one", "One", "two", "three")
ACTIONS = (
    *3 * ("confirm",),
    *("reject", "dispute", "mark_stale", "evidence_only", "restrict_scope", "supersede", "merge"),
)
LONG = "it was switched off last week"
_TICK = timedelta(microseconds=1)
_HOURS = (-60, -2, 2, 60)
START = datetime(2026, 1, 1, 12, tzinfo=UTC)

_Came = TypeVar("_Came")
_Expected = TypeVar("_Expected")


@dataclass
class Hand:
    """A clock that somebody sets."""

    at: datetime = START

    def now(self) -> datetime:
        """Return what it was set to."""
        return self.at


@dataclass(frozen=True)
class Asker:
    """What verbs need of a brain, for one of the writers."""

    store: Store
    clock: Hand
    recorder: WriteContext
    excluded: Exclusion = field(default_factory=Exclusion)

    @property
    def by(self) -> Actor:
        """Who asks."""
        return self.recorder.by

    def setting(self, name: str) -> object:
        """Refuse: nothing is set here."""
        raise LookupError(name)

    def within(self, scope: str | None) -> Visibility:
        """Return all that there is."""
        del scope
        return EVERYTHING


@dataclass
class Play:
    """A store beside its model; `log` tells the steps, so that a failure can be understood."""

    store: Store
    clock: Hand
    rng: Random
    world: World = field(default_factory=World)
    log: list[str] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.comparison = Comparison(self.store, self.world, self.rng)
        self.now = self.recorded = self.comparison.recorded()
        self.head = self.comparison.head()

    def step(self) -> None:
        """Take one step, and compare all that is known."""
        moves: dict[Callable[[], None], int] = {
            self.tell: 46,
            self.retire: 7,
            self.promote: 4,
            self.archive: 5,
            self.restore: 4,
            self.undo: 7,
            self.decide: 16,
            self.undo_decision: 3,
            self.snooze: 1,
            self.rename: 2,
            self.merge: 2,
            self.register: 1,
        }
        # A clock goes back by an hour at most; what is told lies further off (`_HOURS`).
        jump = timedelta(minutes=self.rng.choice([-30, 0, 0, 0, 1, 60, 24 * 60]))
        self.clock.at = max(self.clock.at + jump, self.recorded - timedelta(hours=1))
        # Times of recording never go back: a clock that did calls later what is next by a tick.
        is_back = self.clock.at < self.recorded
        self.now = self.recorded + _TICK if is_back else self.clock.at
        self.head = self.comparison.head()
        (move,) = self.rng.choices(list(moves), weights=list(moves.values()))
        move()
        self.counts[move.__name__] = self.counts.get(move.__name__, 0) + 1
        if self.comparison.head() > self.head:
            self.recorded = self.now
        self.comparison.check(self.now)

    def replay(self) -> None:
        """Verify, make everything again from the ledger, and compare."""
        self._same("verify", list(self.store.verify()), [])
        digest = self.store.digest()
        self.store.rebuild()
        self._same("replay", self.store.digest(), digest)
        self.comparison.check(self.now)

    def tell(self) -> None:
        """State something, or ask a human to put it in the place of something."""
        by, told, is_asking = self._writer(), self._told(), self.rng.random() < 0.1
        writing = self._writing(by)

        def real() -> Stated:
            draft = parse_fact(told.text, cast("FactFields", told.telling()))
            act = facts.propose_fact if is_asking else facts.state_fact
            return act(self.store, draft, writing)

        def mine() -> str:
            return stating.state(self.world, told, by, self.now, is_asking=is_asking)

        if (came := self._both(f"{by} asks={is_asking} {told}", real, mine)) is None:
            return
        stated, verdict = came
        spoken = dict.fromkeys(("promotion", "supersession", "late"), "proposed")
        spoken["past"] = "recorded"
        said = "reinforced" if verdict in self.world.facts else spoken.get(verdict, verdict)
        self._same("verdict", stated.verdict, said)
        placed = stating.place(self.world, told, by, self.now)
        fact, proposal = stated.fact, stated.proposal_id or ""
        named = Named(fact.id, fact.seq, proposal, fact.since, self.clock.at)
        stating.record(self.world, placed, verdict, named)

    def retire(self) -> None:
        """End a fact, or ask for it."""
        if (fact := self._fact()) is None:
            return
        by, ends = self._writer(), self.rng.choice([None, self._instant()])
        reason = self.rng.choice(["old", LONG, LONG])

        def real() -> fact_lifecycle.Ended:
            return fact_lifecycle.retire_fact(
                self.store, FactId(fact.id), _recorder(by), reason=reason, valid_to=ends
            )

        def mine() -> str | None:
            if by.is_human:
                endings.retire(fact, ends, self._at(by))
                return ""
            known = endings.ask_to_retire(self.world, fact, ends, reason)
            return known.id if known else None

        if came := self._both(f"{by} retires {fact.id} to {ends} {reason}", real, mine):
            self._asked("removal", fact, came[0].proposal_id, came[1])
            if came[1] is None:
                self.world.proposals[str(came[0].proposal_id)].ends = ends

    def promote(self) -> None:
        """Ask that what is past is so."""
        if (fact := self._fact()) is None:
            return
        by = self._writer()

        def real() -> fact_lifecycle.Ended:
            return fact_lifecycle.promote_fact(
                self.store, FactId(fact.id), _recorder(by), reason=""
            )

        def mine() -> str | None:
            known = endings.ask_to_promote(self.world, fact, by)
            return known.id if known else None

        if came := self._both(f"{by} promotes {fact.id}", real, mine):
            self._asked("promotion", fact, came[0].proposal_id, came[1])

    def archive(self) -> None:
        """Put a fact away."""
        if fact := self._fact():
            by = self._writer()
            self._both(
                f"{by} archives {fact.id}",
                lambda: verbs.archive(self._brain(by), FactId(fact.id)),
                lambda: endings.archive(fact, self._at(by)),
            )

    def restore(self) -> None:
        """Bring back what was put away."""
        away = [one for one in self.world.facts.values() if one.life.lifecycle == "archived"]
        if away:
            fact, by = self.rng.choice(away), self._writer()
            self._both(
                f"{by} restores {fact.id}",
                lambda: verbs.restore(self._brain(by), FactId(fact.id)),
                lambda: endings.restore(self.world, fact, self._at(by)),
            )

    def undo(self) -> None:
        """Take back what happened to a fact last."""
        if fact := self._fact():
            by = self._writer()
            self._both(
                f"{by} undoes {fact.id}",
                lambda: verbs.undo(self._brain(by), FactId(fact.id)),
                lambda: endings.undo(self.world, fact, self._at(by)),
            )

    def decide(self) -> None:
        """Answer a proposal, now and then with what was shown before."""
        if (asked := self._proposal(is_open=self.rng.random() < 0.9)) is None:
            return
        by = self.rng.choice([*4 * [WRITERS[0]], self._writer()])
        gone = endings.retires_now(self.world, asked)
        answer, is_stale = self._answer(asked.facts, gone), self.rng.random() < 0.1
        id_ = ProposalId(asked.id)
        digest = review.show_proposal(self.store, id_, EVERYTHING).digest
        told = proposal.Answer(
            action=proposal.parse_action(answer.action),
            digest=digest[::-1] if is_stale else digest,
            retires=tuple(map(FactId, answer.retires)),
            keeps=None if answer.keeps is None else FactId(answer.keeps),
            scope=None if answer.scope is None else Scope(answer.scope),
        )
        self._both(
            f"{by} decides {asked} {answer} stale={is_stale}",
            lambda: decisions.decide_proposal(self.store, id_, told, self._writing(by)),
            lambda: endings.decide(self.world, asked, answer, self._at(by), is_stale=is_stale),
        )

    def undo_decision(self) -> None:
        """Take back what a human decided."""
        if asked := self._proposal(is_open=self.rng.random() < 0.1):
            by, id_ = self.rng.choice([WRITERS[0], self._writer()]), ProposalId(asked.id)
            self._both(
                f"{by} undoes the decision {asked}",
                lambda: review_verbs.undo(self._brain(by), id_),
                lambda: endings.undo_decision(self.world, asked, self._at(by)),
            )

    def snooze(self) -> None:
        """Look at a proposal later."""
        if asked := self._proposal(is_open=True):
            until, id_ = self.now + timedelta(days=1), ProposalId(asked.id)
            review_verbs.snooze(self._brain(WRITERS[0]), id_, until=until)
            asked.snoozed = until

    def rename(self) -> None:
        """Let an entity go by one more name."""
        if self.world.things:
            number = self.rng.randrange(len(self.world.things))
            name = self.rng.choice([*SUBJECTS, *SYSTEMS, "Acme Corp"])
            thing = self.world.things[number]
            self.log.append(f"{thing} is {name} too")
            ids = self.comparison.things()
            self._append(AliasAdded(entity_id=ids[number].id, alias=name))
            if name.lower() not in map(str.lower, thing.names):
                thing.names.append(name)

    def merge(self) -> None:
        """Merge two entities of one scope, or split what was merged."""
        ids, things = self.comparison.things(), self.world.things
        merged = [one for one in things if one.merged_into is not None]
        if merged and self.rng.random() < 0.4:
            loser = self.rng.choice(merged)
            self._append(EntitySplit(loser=ids[things.index(loser)].id))
            loser.merged_into = None
            return
        whole = [one for one in things if one.merged_into is None]
        pairs = [(a, b) for a in whole for b in whole if a is not b and a.scope == b.scope]
        if pairs:
            winner, loser = self.rng.choice(pairs)
            self.log.append(f"{loser} merges into {winner}")
            places = [things.index(one) for one in (winner, loser)]
            self._append(EntitiesMerged(winner=ids[places[0]].id, loser=ids[places[1]].id))
            loser.merged_into = winner

    def register(self) -> None:
        """Register a predicate that was none, after half of the steps."""
        if "colour" not in self.world.registered and len(self.world.facts) > 30:
            entry = Entry(
                registry=Registry.PREDICATE, name="colour", cardinality=Cardinality.SINGLE
            )
            self._append(WordRegistered(entry))
            self.world.registered["colour"] = ("single", "auto")
            self.log.append("colour is registered")

    def _both(
        self, what: str, real: Callable[[], _Came], mine: Callable[[], _Expected]
    ) -> tuple[_Came, _Expected] | None:
        """Let both do it; return what came of it, None where both refuse for the same reason."""
        self.log.append(what)
        came, refused = _attempt(real)
        expected, refusal = _attempt(mine)
        self._same("refusal", refused, refusal)
        return None if refused else (cast("_Came", came), cast("_Expected", expected))

    def _same(self, what: str, came: object, expected: object) -> None:
        if came != expected:
            raise AssertionError(f"{what}: {came} came, {expected} was expected: {self.log[-1]}")

    def _asked(self, kind: str, fact: Fact, id_: str | None, known: str | None) -> None:
        if known is None:
            endings.ask(self.world, kind, fact, str(id_), self.comparison.head())
        else:
            self._same("question", id_ or "", known)

    def _append(self, event: Event) -> None:
        with self.store.begin() as tx:
            tx.append(event, by=_actor(WRITERS[0]), owner=DEFAULT_OWNER)

    def _at(self, by: Who) -> At:
        return At(self.comparison.acted(self.head), self.now, by)

    def _brain(self, by: Who) -> Asker:
        return Asker(self.store, self.clock, _recorder(by))

    def _writing(self, by: Who) -> Writing:
        return Writing(FIRST_TIER, self.clock, _recorder(by))

    def _writer(self) -> Who:
        return self.rng.choice(WRITERS)

    def _instant(self) -> datetime:
        return self.now + timedelta(hours=self.rng.choice(_HOURS))

    def _fact(self) -> Fact | None:
        known = list(self.world.facts.values())
        return self.rng.choice([*known, *known[-8:]]) if known else None

    def _proposal(self, *, is_open: bool) -> Proposal | None:
        found = [one for one in self.world.proposals.values() if (one.decided is None) is is_open]
        return self.rng.choice(found) if found else None

    def _told(self) -> Told:
        rng = self.rng
        known = self._fact()
        told = Told(
            subject=rng.choice(SUBJECTS),
            scope=rng.choice(SCOPES),
            begins=self._instant() if rng.random() < 0.2 else None,
            ends=self._instant() if rng.random() < 0.15 else None,
            confidence=rng.choice([0.3, 0.95]),
            authority="instruction" if rng.random() < 0.03 else "evidence",
            named=known.id if known and rng.random() < 0.15 else None,
        )
        match rng.choice(["triple", "triple", "triple", "component", "text"]):
            case "triple":
                value, channel = rng.choice(VALUES), rng.choice(CHANNELS)
                return told._replace(
                    predicate=rng.choice(PREDICATES),
                    value=value,
                    channel=channel,
                    # A decision says why.
                    text=f"{value} is what we need" if channel == "decision" else "",
                )
            case "component":
                return told._replace(
                    subject=rng.choice(SYSTEMS), component="ip", text=f"it is {rng.choice(VALUES)}"
                )
            case _:
                return told._replace(text=f"it likes {rng.choice(VALUES)}")

    def _answer(self, facts_: list[str], retires: list[str]) -> Answer:
        rng, action = self.rng, self.rng.choice(ACTIONS)
        keeps = rng.choice([*facts_, *retires]) if action in {"supersede", "merge"} else None
        gone = set(retires) if action == "confirm" else {*facts_, *retires} - {keeps}
        if rng.random() < 0.1:
            gone = set()
        return Answer(action, sorted(map(str, gone)), keeps, rng.choice([None, *SCOPES]))


def _attempt(act: Callable[[], _Came]) -> tuple[_Came | None, str]:
    try:
        return act(), ""
    except TilthError as error:
        return None, type(error).__name__


def _actor(who: Who) -> Actor:
    return Actor(who.name, ActorKind(who.kind))


def _recorder(who: Who) -> WriteContext:
    return WriteContext(_actor(who), DEFAULT_OWNER)
