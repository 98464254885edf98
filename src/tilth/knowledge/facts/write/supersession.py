"""
What becomes of a new fact: the one decision on which the truth of the brain rests.

    who        meets in its slot                    of a rule                verdict
    ---------  -----------------------------------  -----------------------  ----------------------
    anyone     begins later than now, in a slot     any                      Refuse
    not human  claims to be an instruction          any                      Refuse
    not human  a human rejected this statement      any                      Refuse
    not human  it says what a human rejected        any                      Propose (the rest)
    anonymous  anything, or nothing                 any                      Propose (promotion)
    anyone     a fact that says the same            any                      Reinforce
    import     anything, or nothing                 any                      Coexist (historical)
    not human  nothing                              human                    Propose (promotion)
    anyone     nothing                              any other                Coexist (current)
    anyone     a milestone                          any                      Refuse
    anyone     a fact that the draft does not name  immutable                Refuse
    not human  one that may have been said later    any other                Propose (supersession)
    not human  one that a human vouches for, later  any other                Propose (promotion)
    anyone     a fact that began later, or is past  any other                Coexist (historical)
    human      a fact                               any other                Supersede
    not human  a fact that is over                  single, auto or propose  Supersede
    not human  a fact that no human vouched for     single, auto             Supersede
    not human  a fact                               any other                Propose (supersession)

Without a slot a fact meets only what says the same, or what it names as
superseded; so many stand side by side, with a warning where nobody registered
the predicate. Likeness is not asked. `retires` is always one exact fact.
"""

from dataclasses import replace
from datetime import datetime
from typing import TypeAlias

from tilth.core.actor import ActorKind
from tilth.core.dataclass import dataclass
from tilth.core.ids import FactId
from tilth.core.lifecycle import Lifecycle
from tilth.knowledge.facts.fact import Fact, FactDraft
from tilth.knowledge.facts.life import Authority, check_interval
from tilth.knowledge.facts.statement import Slot
from tilth.knowledge.proposals.proposal import ProposalKind
from tilth.knowledge.vocabulary.registries import Cardinality, Channel, Predicate, WriteMode


@dataclass(frozen=True, slots=True)
class Rejection:
    """A rejected fact that a draft repeats: identically in the same scope, or nearly."""

    fact_id: FactId
    is_same: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """
    A draft with its slot, the key of its statement, and its beginning.

    A draft that only states its end is refused, since its beginning is unknown. It is in doubt if
    nobody can tell whether it was said before what it meets. `followed_at` is when the next known
    value of its slot began, for a draft about the past.
    """

    draft: FactDraft
    slot: Slot | None
    key: str
    begins: datetime
    now: datetime
    rejection: Rejection | None = None
    is_in_doubt: bool = False
    followed_at: datetime | None = None

    def __post_init__(self) -> None:
        check_interval(self.begins, self.draft.valid_to)


@dataclass(frozen=True, slots=True)
class Reinforce:
    """It is known already: only the evidence grows."""

    fact_id: FactId


@dataclass(frozen=True, slots=True)
class Supersede:
    """It replaces `retires`, which ends where it begins."""

    retires: FactId


@dataclass(frozen=True, slots=True)
class Propose:
    """
    It waits as a draft; what it would retire goes on, and is contested.

    `rejected` is the rejected fact that it repeats.
    """

    kind: ProposalKind
    retires: FactId | None
    reason: str
    rejected: FactId | None = None
    valid_to: datetime | None = None


@dataclass(frozen=True, slots=True)
class Coexist:
    """It stands beside other facts."""

    lifecycle: Lifecycle = Lifecycle.CURRENT
    valid_to: datetime | None = None
    warning: str = ""


@dataclass(frozen=True, slots=True)
class Refuse:
    """Nothing is recorded."""

    reason: str
    hint: str
    is_forbidden: bool = False


WriteDecision: TypeAlias = Reinforce | Supersede | Propose | Coexist | Refuse


def decide(
    placed: Placed, incumbent: Fact | None, rule: Predicate | None, actor: ActorKind
) -> WriteDecision:
    """
    Decide what becomes of a draft, by the table above.

    Args:
        placed: The draft and its slot.
        incumbent: What it meets: the holder of its slot, the fact that it supersedes by name, or a
            current fact that says the same.
        rule: The rule for values of its predicate; None if nobody registered it.
        actor: The kind of the authenticated caller.
    """
    is_human = actor is ActorKind.HUMAN
    if refusal := _refusal(placed, actor):
        return refusal
    verdict = _verdict(placed, incumbent, rule, actor)
    if is_human or placed.rejection is None:
        return verdict
    return weigh_rejection(verdict, placed.rejection)


def decide_nomination(placed: Placed, incumbent: Fact | None, reason: str) -> WriteDecision:
    """
    Decide what becomes of a draft that only a human may make current.

    What a human rejected, in whatever words, is not proposed again.
    """
    if placed.rejection is not None:
        return _refuse_repetition(placed.rejection)
    if incumbent is not None and incumbent.key == placed.key:
        return Reinforce(incumbent.id)
    retires = None if placed.slot is None or incumbent is None else incumbent.id
    return Propose(ProposalKind.PROMOTION, retires, reason)


def weigh_rejection(verdict: WriteDecision, rejection: Rejection) -> WriteDecision:
    """Refuse an identical repetition of a rejection; a similar one waits for a human."""
    if rejection.is_same:
        return _refuse_repetition(rejection)
    why = f"it says what a human rejected: {rejection.fact_id}"
    match verdict:
        case Propose():
            return replace(verdict, reason=f"{verdict.reason}; {why}", rejected=rejection.fact_id)
        case Supersede(retires=retires):
            return Propose(ProposalKind.SUPERSESSION, retires, why, rejection.fact_id)
        case Coexist(lifecycle=Lifecycle.CURRENT):
            return Propose(ProposalKind.PROMOTION, None, why, rejection.fact_id)
        case Coexist():
            return replace(verdict, warning=why)
        case _:
            return verdict


def _refuse_repetition(rejection: Rejection) -> Refuse:
    return Refuse(
        f"a human rejected this statement before: {rejection.fact_id}",
        "that is remembered; a person can still state it: tilth fact add",
        is_forbidden=True,
    )


def _verdict(
    placed: Placed, incumbent: Fact | None, rule: Predicate | None, actor: ActorKind
) -> WriteDecision:
    is_human = actor is ActorKind.HUMAN
    if actor is ActorKind.ANONYMOUS:
        return Propose(ProposalKind.PROMOTION, None, "nobody knows who wrote it")
    if (
        incumbent is not None
        and incumbent.key == placed.key
        and not is_over(incumbent, placed.begins)
    ):
        return Reinforce(incumbent.id)
    if actor is ActorKind.IMPORT:
        return Coexist(Lifecycle.HISTORICAL, placed.draft.valid_to)
    if incumbent is None or (placed.slot is None and placed.draft.supersedes is None):
        return _decide_without_incumbent(placed, rule, is_human=is_human)
    return refuse_milestone(incumbent) or _decide_against_incumbent(
        placed, incumbent, rule, is_human=is_human
    )


def refuse_milestone(incumbent: Fact) -> Refuse | None:
    """Refuse to replace a milestone (DU-006)."""
    if incumbent.said.channel is not Channel.MILESTONE:
        return None
    return Refuse(f"{incumbent.id} is a milestone, and those stay", "record another beside it")


def is_over(fact: Fact, at: datetime) -> bool:
    """Say whether a fact has ended by *at*."""
    ends = fact.life.valid_to
    return ends is not None and ends <= at


# A job makes rules of what a person typed; no interface lets anybody act as a job (ADR 27).
_MAY_INSTRUCT = frozenset({ActorKind.HUMAN, ActorKind.JOB})


def _refusal(placed: Placed, actor: ActorKind) -> Refuse | None:
    is_late = placed.begins > placed.now
    if is_late and placed.slot is not None:
        return Refuse(
            f"it begins at {placed.begins.isoformat()}, and a slot holds what is so now",
            "state it when it has begun",
        )
    if is_late and placed.draft.supersedes is not None:
        return Refuse(
            f"it begins at {placed.begins.isoformat()}, and what it supersedes holds until then",
            "state it when it has begun",
        )
    if placed.draft.authority is Authority.INSTRUCTION and actor not in _MAY_INSTRUCT:
        return Refuse(
            "only a human makes something an instruction",
            "record it as evidence",
            is_forbidden=True,
        )
    return None


def _decide_without_incumbent(
    placed: Placed, rule: Predicate | None, *, is_human: bool
) -> WriteDecision:
    if rule is not None and rule.mode is WriteMode.HUMAN and not is_human:
        return Propose(ProposalKind.PROMOTION, None, f"only a human states {rule.name!r}")
    ends = placed.draft.valid_to
    if ends is not None and ends <= placed.now:
        return Coexist(Lifecycle.HISTORICAL, ends)
    return Coexist(warning=_warning(placed, rule))


def _decide_against_incumbent(
    placed: Placed, incumbent: Fact, rule: Predicate | None, *, is_human: bool
) -> WriteDecision:
    is_named = placed.draft.supersedes == incumbent.id
    is_immutable = rule is not None and rule.cardinality is Cardinality.IMMUTABLE
    if is_immutable and not is_named:
        return Refuse(
            f"what was decided does not change, and {incumbent.id} holds this place",
            f"record a new one that supersedes it: --supersedes {incumbent.id}",
        )
    if placed.is_in_doubt and not is_human:
        why = f"a clock was set back, and nobody can tell whether it came before {incumbent.id}"
        return Propose(ProposalKind.SUPERSESSION, incumbent.id, why)
    if (ends := _past_end(placed, incumbent)) is not None:
        if is_human or not incumbent.is_vouched:
            return Coexist(Lifecycle.HISTORICAL, ends)
        why = f"it tells of the past, and a human stands behind {incumbent.id}"
        return Propose(ProposalKind.PROMOTION, None, why, valid_to=ends)
    if is_human or _may_replace(placed, incumbent, rule):
        return Supersede(incumbent.id)
    return Propose(ProposalKind.SUPERSESSION, incumbent.id, _proposal_reason(incumbent, rule))


def _may_replace(placed: Placed, incumbent: Fact, rule: Predicate | None) -> bool:
    if rule is None or rule.cardinality is not Cardinality.SINGLE or rule.mode is WriteMode.HUMAN:
        return False
    return is_over(incumbent, placed.begins) or (
        rule.mode is WriteMode.AUTO and not incumbent.is_vouched
    )


def _past_end(placed: Placed, incumbent: Fact) -> datetime | None:
    """Return the end of a draft about the past; None if it is about the present."""
    ends, next_begins = placed.draft.valid_to, incumbent.life.valid_from
    if placed.begins < next_begins:
        next_begins = min(next_begins, placed.followed_at or next_begins)
        return next_begins if ends is None else min(ends, next_begins)
    return ends if ends is not None and ends <= placed.now else None


def _proposal_reason(incumbent: Fact, rule: Predicate | None) -> str:
    if incumbent.is_vouched:
        return f"a human stands behind {incumbent.id}"
    if rule is None or rule.cardinality is Cardinality.MULTI:
        return "it names what it supersedes, and no slot says so"
    return f"{rule.name!r} changes only when a human agrees"


def _warning(placed: Placed, rule: Predicate | None) -> str:
    triple = placed.draft.said.triple
    if rule is not None or triple is None:
        return ""
    return f"nobody registered {triple.predicate!r}, so its values stand side by side"
