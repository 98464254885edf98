"""
What the answers to each kind of proposal do.

Each feature registers it for its own kinds. A rule says what an answer means for facts; it is
recorded with the decision, and all that changes of facts follows from that one event:

    @rules_on(ProposalKind.PROMOTION)
    def rule_on_promotion(tx, proposal, answer, recorder) -> Ruling: ...

Where more follows, an act does it in the same transaction, and its twin takes it back:

    @acts_on(ProposalKind.GAP_MERGE, when=YES, undo=part_gaps)
    def merge_gaps(tx, proposal, ruling, recorder) -> None: ...

`tilth.review` holds the one path that every decision takes.
"""

from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Final, Protocol, TypeVar

from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError
from tilth.episodes.remember import WriteContext
from tilth.knowledge.proposals.proposal import Action, Answer, Proposal, ProposalKind, Ruling
from tilth.ledger.store import Transaction

YES: Final = frozenset({Action.CONFIRM, Action.MERGE})
_DISMISSING: Final = frozenset(
    {Action.REJECT, Action.EVIDENCE_ONLY, Action.MARK_STALE, Action.DISPUTE}
)


class Rule(Protocol):
    """Says what an answer means for facts, or refuses it."""

    def __call__(
        self, tx: Transaction, proposal: Proposal, answer: Answer, recorder: WriteContext, /
    ) -> Ruling:
        """
        Return what *answer* means.

        Raises:
            InvalidInputError: the answer does not fit this kind of proposal.
            ConflictError: what it is about has changed, or its place is taken.
        """
        ...


class Act(Protocol):
    """Does what else follows from a decision that was just recorded."""

    def __call__(
        self, tx: Transaction, proposal: Proposal, ruling: Ruling, recorder: WriteContext, /
    ) -> None:
        """
        Do it.

        Raises:
            ConflictError: it is so already, or can no longer be.
        """
        ...


class Undo(Protocol):
    """Takes back what an act did."""

    def __call__(
        self, tx: Transaction, proposal: Proposal, recorder: WriteContext, /, *, reason: str
    ) -> None:
        """
        Take it back.

        Raises:
            ConflictError: it was taken back already, or can no longer be.
        """
        ...


@dataclass(frozen=True, slots=True)
class Acting:
    """An act, the answers that it follows, and its twin."""

    when: frozenset[Action]
    act: Act
    undo: Undo


@dataclass(frozen=True, slots=True)
class Decider:
    """What the answers to one kind of proposal do."""

    rule: Rule
    acting: Acting | None = None

    def acting_on(self, action: Action) -> Acting | None:
        """Return what follows from an answer besides what the ruling does to facts, if any does."""
        return self.acting if self.acting is not None and action in self.acting.when else None


_RuleT = TypeVar("_RuleT", bound=Rule)
_ActT = TypeVar("_ActT", bound=Act)
_deciders: dict[ProposalKind, Decider] = {}
_homes: list[Callable[[], Iterable[str]]] = []


def rules_on(*kinds: ProposalKind) -> Callable[[_RuleT], _RuleT]:
    """Register a rule for kinds of proposal about facts."""

    def register(rule: _RuleT) -> _RuleT:
        for kind in kinds:
            _register(kind, Decider(rule))
        return rule

    return register


def acts_on(kind: ProposalKind, *, when: frozenset[Action], undo: Undo) -> Callable[[_ActT], _ActT]:
    """Register what follows from some answers to a kind of proposal; the others dismiss it."""

    def register(act: _ActT) -> _ActT:
        acting = Acting(when, act, undo)
        _register(kind, Decider(_rule_beside(acting), acting))
        return act

    return register


def deciders_live_in(find: Callable[[], Iterable[str]]) -> None:
    """Say how the modules are found that register deciders; the first decision imports them."""
    _homes.append(find)


def decider_of(kind: ProposalKind) -> Decider:
    """Return what decides proposals of a kind; every kind has one, which a test holds."""
    while _homes:
        for module in _homes.pop()():
            import_module(module)
    return _deciders[kind]


def _register(kind: ProposalKind, decider: Decider) -> None:
    if kind in _deciders:
        raise ValueError(f"two decide a {kind}")
    _deciders[kind] = decider


def _rule_beside(acting: Acting) -> Rule:
    """Return the rule of a question about no facts: an answer settles it, and means no more."""
    answers = acting.when | _DISMISSING

    def rule(_: Transaction, proposal: Proposal, answer: Answer, __: WriteContext, /) -> Ruling:
        if answer.facts:
            raise InvalidInputError(f"{proposal.id} is not about {', '.join(answer.facts)}")
        if answer.action not in answers:
            kind, action = proposal.draft.kind, answer.action
            raise InvalidInputError(
                f"{action.replace('_', ' ')} is no answer to a {kind.replace('_', ' ')}",
                hint=f"answer with one of {', '.join(sorted(answers))}",
            )
        return Ruling(action=answer.action)

    return rule
