"""
Identifiers: a prefix that names the kind, and a ULID.

A ULID is 48 bits of milliseconds and 80 random bits in 26 characters of
Crockford's base 32 (github.com/ulid/spec), so identifiers sort by time.
"""

import re
from typing import NewType

from tilth.core.errors import InvalidInputError

EventId = NewType("EventId", str)
EpisodeId = NewType("EpisodeId", str)
SessionId = NewType("SessionId", str)
FactId = NewType("FactId", str)
EntityId = NewType("EntityId", str)
EdgeId = NewType("EdgeId", str)
ProposalId = NewType("ProposalId", str)
ReceiptId = NewType("ReceiptId", str)
ConversationId = NewType("ConversationId", str)
SummaryId = NewType("SummaryId", str)
GapId = NewType("GapId", str)
OutcomeId = NewType("OutcomeId", str)

ULID_BYTES = 16
ULID_CHARS = 26
SESSION_ID_CHARS_MAX = 200
EPISODE_PREFIX = "epi_"
FACT_PREFIX = "fct_"
ENTITY_PREFIX = "ent_"
EDGE_PREFIX = "edg_"
PROPOSAL_PREFIX = "prp_"
RECEIPT_PREFIX = "rcp_"
CONVERSATION_PREFIX = "cnv_"
SUMMARY_PREFIX = "sum_"
GAP_PREFIX = "gap_"
OUTCOME_PREFIX = "out_"
# Crockford's alphabet has no I, L, O, U, so that none is read as a digit.
_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_PAIRS = [high + low for high in _ALPHABET for low in _ALPHABET]
_VALUES = {char: value for value, char in enumerate(_ALPHABET)}
_IDENTIFIER = re.compile(rf"\s*[a-z]{{3}}_[{_ALPHABET}]{{{ULID_CHARS}}}\s*", re.IGNORECASE)
# What other programs write where a value is missing; never an identifier (EM-066).
_NOT_A_VALUE = frozenset({"", "undefined", "null", "none", "nan"})
_WORD_CHARS_MAX = max(map(len, _NOT_A_VALUE))


def encode_ulid(raw: bytes) -> str:
    """Write the 16 bytes of a ULID as its 26 characters."""
    number = int.from_bytes(raw)
    return "".join([_PAIRS[(number >> shift) & 1023] for shift in range(120, -1, -10)])


def decode_ulid(text: str) -> bytes:
    """
    Read the 26 characters of a ULID as its 16 bytes.

    Raises:
        InvalidInputError: *text* is not a ULID.
    """
    values = [_VALUES.get(char, -1) for char in text.upper()]
    # 26 characters hold 130 bits, so the first may only use its lower three.
    if len(values) != ULID_CHARS or -1 in values or values[0] > 7:  # noqa: PLR2004
        raise InvalidInputError(
            f"{text[:60]!r} is not an identifier of ours",
            hint="give an ID as it was printed: four characters, such as fct_, and 26 more",
        )
    number = 0
    for value in values:
        number = number << 5 | value
    return number.to_bytes(ULID_BYTES)


def episode_id_of(event_id: EventId) -> EpisodeId:
    """Name the episode that the event *event_id* recorded."""
    return EpisodeId(EPISODE_PREFIX + event_id)


def event_id_of(episode_id: EpisodeId) -> EventId:
    """
    Name the event that recorded the episode.

    Raises:
        InvalidInputError: *episode_id* is not the identifier of an episode.
    """
    return event_id_in(episode_id, EPISODE_PREFIX, "an episode")


def event_id_in(text: str, prefix: str, noun: str) -> EventId:
    """
    Name the event that recorded the thing whose identifier is *text*.

    Raises:
        InvalidInputError: *text* does not begin with *prefix*, or no ULID follows it.
    """
    ulid = text.removeprefix(prefix)
    if ulid == text or len(ulid) != ULID_CHARS:
        raise InvalidInputError(
            f"{text[:60]!r} is not the identifier of {noun}",
            hint=f"they begin with {prefix!r}, and {ULID_CHARS} characters follow",
        )
    return EventId(encode_ulid(decode_ulid(ulid)))


def parse_fact_id(text: str) -> FactId:
    """
    Check the identifier of a fact.

    Raises:
        InvalidInputError: it is none.
    """
    return FactId(FACT_PREFIX + event_id_in(text, FACT_PREFIX, "a fact"))


def parse_entity_id(text: str) -> EntityId:
    """
    Check the identifier of an entity.

    Raises:
        InvalidInputError: it is none.
    """
    return EntityId(ENTITY_PREFIX + event_id_in(text, ENTITY_PREFIX, "an entity"))


def parse_edge_id(text: str) -> EdgeId:
    """
    Check the identifier of an edge.

    Raises:
        InvalidInputError: it is none.
    """
    return EdgeId(EDGE_PREFIX + event_id_in(text, EDGE_PREFIX, "an edge"))


def parse_proposal_id(text: str) -> ProposalId:
    """
    Check the identifier of a proposal.

    Raises:
        InvalidInputError: it is none.
    """
    return ProposalId(PROPOSAL_PREFIX + event_id_in(text, PROPOSAL_PREFIX, "a proposal"))


def parse_conversation_id(text: str) -> ConversationId:
    """
    Check the identifier of a conversation.

    Raises:
        InvalidInputError: it is none.
    """
    event_id = event_id_in(text, CONVERSATION_PREFIX, "a conversation")
    return ConversationId(CONVERSATION_PREFIX + event_id)


def parse_gap_id(text: str) -> GapId:
    """
    Check the identifier of a gap.

    Raises:
        InvalidInputError: it is none.
    """
    return GapId(GAP_PREFIX + event_id_in(text, GAP_PREFIX, "a gap"))


def parse_outcome_id(text: str) -> OutcomeId:
    """
    Check the identifier of an outcome.

    Raises:
        InvalidInputError: it is none.
    """
    return OutcomeId(OUTCOME_PREFIX + event_id_in(text, OUTCOME_PREFIX, "an outcome"))


def parse_session_id(text: str) -> SessionId:
    """
    Accept any printable name for a session, since hosts bring their own.

    Raises:
        InvalidInputError: *text* is empty, a word for nothing, too long or not printable.
    """
    if is_word_for_nothing(text) or len(text) > SESSION_ID_CHARS_MAX or not text.isprintable():
        raise InvalidInputError(
            f"{text[:SESSION_ID_CHARS_MAX]!r} cannot name a session",
            hint=f"use 1 to {SESSION_ID_CHARS_MAX} printable characters",
        )
    return SessionId(text)


def is_identifier(text: str) -> bool:
    """Say whether *text* is the identifier of one thing of ours, and nothing else."""
    return _IDENTIFIER.fullmatch(text) is not None


def is_word_for_nothing(text: str) -> bool:
    """Say whether *text* is empty, or a literal such as `undefined` that stands for nothing."""
    word = text.strip()
    return len(word) <= _WORD_CHARS_MAX and word.casefold() in _NOT_A_VALUE
