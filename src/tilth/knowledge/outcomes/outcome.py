"""
The model of outcomes: tests of a fact by others than its author.

Only these kinds count, and only with evidence that neither the author of the fact nor the reporter
of the outcome wrote (EM-064). How often a fact was recalled, cited or repeated does not count.
"""

from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum

from tilth.core.actor import Actor
from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError, LimitExceededError, parse_word
from tilth.core.ids import EpisodeId, FactId, OutcomeId, ProposalId
from tilth.core.lifecycle import Review
from tilth.core.scope import Owner
from tilth.knowledge.facts.fact import Fact

EVIDENCE_MAX = 20
NOTE_CHARS_MAX = 2000


class OutcomeKind(StrEnum):
    """How a fact was tested."""

    TEST_PASSED = "test_passed"
    PR_MERGED = "pr_merged"
    OPERATIONAL_VERIFIED = "operational_verified"
    VERIFIED_REUSE = "verified_reuse"


class Maturity(StrEnum):
    """The maturity of a record: stated once, or verified. Playbooks and skills rank above."""

    OBSERVATION = "observation"
    FACT = "fact"


@dataclass(frozen=True, slots=True, kw_only=True)
class OutcomeDraft:
    """An outcome to be recorded: the fact, the kind, and the episodes that show it."""

    fact_id: FactId
    kind: OutcomeKind
    evidence: tuple[EpisodeId, ...]
    note: str = ""

    def __post_init__(self) -> None:
        if not self.evidence:
            raise InvalidInputError("an outcome is shown by something", hint="--evidence ID")
        if len(self.evidence) > EVIDENCE_MAX:
            raise LimitExceededError(f"an outcome is shown by at most {EVIDENCE_MAX} episodes")
        if len(self.note) > NOTE_CHARS_MAX:
            raise LimitExceededError(f"a note has at most {NOTE_CHARS_MAX} characters")


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """One recorded outcome; `proposal_id` is the promotion proposed because of it."""

    id: OutcomeId
    seq: int
    owner: Owner
    by: Actor
    recorded_at: datetime
    draft: OutcomeDraft
    is_revoked: bool
    proposal_id: ProposalId | None


def maturity_of(fact: Fact, outcomes: Iterable[Outcome]) -> Maturity:
    """Return the maturity of a fact: verified by an outcome that stands, or by a human."""
    is_verified = any(not one.is_revoked for one in outcomes)
    is_confirmed = fact.life.review is Review.CONFIRMED
    return Maturity.FACT if is_verified or is_confirmed else Maturity.OBSERVATION


def parse_outcome_kind(word: str) -> OutcomeKind:
    """
    Read the kind of an outcome.

    Raises:
        InvalidInputError: *word* is none.
    """
    return parse_word(OutcomeKind, word.replace("-", "_"), "outcome")
