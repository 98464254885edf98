"""The model of profiles: traits of an entity, in versions with evidence (seed 004)."""

from datetime import datetime
from enum import StrEnum
from functools import partial

from tilth.core.actor import Actor
from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError, LimitExceededError, parse_word
from tilth.core.ids import EntityId, EpisodeId, is_word_for_nothing
from tilth.core.text.names import index_key

KEY_CHARS_MAX = 100
VALUE_CHARS_MAX = 2000
EVIDENCE_MAX = 100


class ProfileConfidence(StrEnum):
    """How sure a trait is (EM-028)."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


@dataclass(frozen=True, slots=True, kw_only=True)
class TraitDraft:
    """A trait about to be told of an entity: a key, a value, and the episodes that show it."""

    entity_id: EntityId
    key: str
    value: str
    confidence: ProfileConfidence = ProfileConfidence.MEDIUM
    evidence: tuple[EpisodeId, ...] = ()

    def __post_init__(self) -> None:
        nothing = is_word_for_nothing(self.value) or is_word_for_nothing(self.key)
        if nothing or not index_key(self.key):
            raise InvalidInputError("a trait has a key and a value", hint="give both")
        if len(self.key) > KEY_CHARS_MAX or len(self.value) > VALUE_CHARS_MAX:
            raise LimitExceededError(
                f"a key has at most {KEY_CHARS_MAX} characters, a value {VALUE_CHARS_MAX}"
            )
        if len(self.evidence) > EVIDENCE_MAX:
            raise LimitExceededError(f"a trait rests on at most {EVIDENCE_MAX} episodes")


@dataclass(frozen=True, slots=True, kw_only=True)
class Trait:
    """One version of a trait; `is_current` until a later one took its place."""

    entity_id: EntityId
    seq: int
    by: Actor
    recorded_at: datetime
    key: str
    value: str
    confidence: ProfileConfidence
    evidence: tuple[EpisodeId, ...]
    is_current: bool


parse_profile_confidence = partial(parse_word, ProfileConfidence, noun="confidence")
