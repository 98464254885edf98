"""
Register what the answers to each kind of proposal do.

Each feature registers this for its own kinds. A rule says what an answer means for facts; its
ruling is recorded with the decision, and all changes of facts follow from that event:

    @rules_on(ProposalKind.PROMOTION)
    def rule_on_promotion(tx, proposal, answer, recorder) -> Ruling: ...

If an answer has further effects, an act has them in the same transaction, and its counterpart
undoes them:

    @acts_on(ProposalKind.GAP_MERGE, when=YES, undo=part_gaps)
    def merge_gaps(tx, proposal, ruling, recorder) -> None: ...

Every decision goes through `tilth.review`.
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
    """Returns what an answer means for facts, or refuses it."""

    def __call__(
        self, tx: Transaction, proposal: Proposal, answer: Answer, recorder: WriteContext, /
    ) -> Ruling:
        """
        Return the ruling of *answer*.

        Raises:
            InvalidInputError: the answer does not fit this kind of proposal.
            ConflictError: a fact has changed, or its place is taken.
        """
        ...


class Act(Protocol):
    """Has the further effects of a decision that was just recorded."""

    def __call__(
        self, tx: Transaction, proposal: Proposal, ruling: Ruling, recorder: WriteContext, /
    ) -> None:
        """
        Have the effects.

        Raises:
            ConflictError: it is so already, or no longer possible.
        """
        ...


class Undo(Protocol):
    """Undoes the effects of an act."""

    def __call__(
        self, tx: Transaction, proposal: Proposal, recorder: WriteContext, /, *, reason: str
    ) -> None:
        """
        Undo them.

        Raises:
            ConflictError: that was done already, or is no longer possible.
        """
        ...


@dataclass(frozen=True, slots=True)
class Acting:
    """An act, the answers that cause it, and its undo."""

    when: frozenset[Action]
    act: Act
    undo: Undo


@dataclass(frozen=True, slots=True)
class Decider:
    """The rule and the act for one kind of proposal."""

    rule: Rule
    acting: Acting | None = None

    def acting_on(self, action: Action) -> Acting | None:
        """Return the act for an answer; None if it has no further effects."""
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
    """Register an act for some answers to a kind of proposal; other answers dismiss it."""

    def register(act: _ActT) -> _ActT:
        acting = Acting(when, act, undo)
        _register(kind, Decider(_rule_beside(acting), acting))
        return act

    return register


def deciders_live_in(find: Callable[[], Iterable[str]]) -> None:
    """Set *find*, which names the modules that register deciders; the first decision loads them."""
    _homes.append(find)


def decider_of(kind: ProposalKind) -> Decider:
    """Return the decider of a kind; a test holds that every kind has one."""
    while _homes:
        for module in _homes.pop()():
            import_module(module)
    return _deciders[kind]


def _register(kind: ProposalKind, decider: Decider) -> None:
    if kind in _deciders:
        raise ValueError(f"two decide a {kind}")
    _deciders[kind] = decider


def _rule_beside(acting: Acting) -> Rule:
    """Return the rule for a question that is not about facts: the answer only settles it."""
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
