"""
Identifiers: a prefix that names the kind, and a ULID.

A ULID is 48 bits of milliseconds and 80 random bits in 26 characters of
Crockford's base 32 (github.com/ulid/spec), so identifiers sort by time.
"""

import re
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import ClassVar, NamedTuple, NewType, Self, cast

from tilth.core.errors import InvalidInputError
from tilth.core.instant import EPOCH
from tilth.core.text.pattern import pattern

EventId = NewType("EventId", str)
SessionId = NewType("SessionId", str)

ULID_BYTES = 16
ULID_CHARS = 26
_RANDOM_BITS = 80
SESSION_ID_CHARS_MAX = 200
# Crockford's alphabet lacks I, L, O and U, which look like digits or other letters.
_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_PAIRS = [high + low for high in _ALPHABET for low in _ALPHABET]
# 26 characters hold 130 bits, so the first may only use its lower three.
_ULID = pattern(rf"[0-7][{_ALPHABET}]{{{ULID_CHARS - 1}}}")
# The alphabet of Python's own base 32.
_TO_DIGITS = str.maketrans(_ALPHABET, "0123456789ABCDEFGHIJKLMNOPQRSTUV")
# Tilth's IDs, and those of imported memories, such as `mem_20250101120000_abcdef12` (EM-061).
_IDENTIFIER = pattern(
    rf"\s*(?:[a-z]{{3}}_[{_ALPHABET}]{{{ULID_CHARS}}}|(?:mem|obs)_\d[\da-f_-]{{7,}})\s*",
    re.IGNORECASE,
)
# What programs write for a missing value; never an ID (EM-066).
_NOT_A_VALUE = frozenset({"", "undefined", "null", "none", "nan"})
_WORD_CHARS_MAX = max(map(len, _NOT_A_VALUE))
# An ID within a sentence; and how many characters of an ID may stand for it, if they are unique.
_SHORT_MIN = 4
_BEGINNING = pattern(
    rf"([a-z]{{3}}_)([0-7][{_ALPHABET}]{{{_SHORT_MIN - 1},{ULID_CHARS - 2}}})", re.IGNORECASE
)
_IN_TEXT = pattern(rf"\b[a-z]{{3}}_{_ULID.pattern}\b")


class Place(NamedTuple):
    """
    The table with the scope of a thing, and the column of its place.

    `current` selects the present row, where a thing has had several.
    """

    table: str
    key: str
    current: str = ""


class Id(str):
    """
    An identifier. Each noun has a type of its own, with all that others need to know of it.

        class GapId(Id, prefix="gap_", noun="a gap", plural="gaps", place=Place("gaps", "gap_no")):
            ...

    At run time it is plain text: `GapId(text)` returns *text*.

    Attributes:
        prefix: The beginning of such an identifier.
        noun: The word for one of them.
        plural: The word for several.
        place: Where its scope is found; None where it is visible with something else.
    """

    __slots__ = ()

    prefix: ClassVar[str]
    noun: ClassVar[str]
    plural: ClassVar[str]
    place: ClassVar[Place | None]
    by_prefix: ClassVar[dict[str, "type[Id]"]] = {}

    def __init_subclass__(  # type: ignore[explicit-override] # `override` came with Python 3.12
        cls, *, prefix: str, noun: str, plural: str, place: Place | None = None
    ) -> None:
        super().__init_subclass__()
        cls.prefix, cls.noun, cls.plural, cls.place = prefix, noun, plural, place
        Id.by_prefix[prefix] = cls

    def __new__(cls, text: str) -> Self:
        """Return *text* as it is."""
        return cast("Self", text)

    @classmethod
    def of(cls, event_id: str) -> Self:
        """Return the ID of what the event *event_id* made."""
        return cls(cls.prefix + event_id)

    @classmethod
    def stored(cls, event_id: bytes) -> Self:
        """Return the ID of what an event made, from the event's ID in a table."""
        return cls.of(encode_ulid(bytes(event_id)))

    @classmethod
    def parse(cls, text: str) -> Self:
        """
        Check an identifier from a caller.

        Raises:
            InvalidInputError: it is not of this kind.
        """
        return cls.of(event_id_in(text, cls.prefix, cls.noun))


class EpisodeId(Id, prefix="epi_", noun="an episode", plural="episodes"):
    """The identifier of an episode."""


class OperationId(Id, prefix="opn_", noun="an operation", plural="operations"):
    """The identifier of a rollback or an undo."""


class FactId(
    Id,
    prefix="fct_",
    noun="a fact",
    plural="facts",
    place=Place("lives", "fact_no", current="until IS NULL"),
):
    """The identifier of a fact."""


class EntityId(
    Id, prefix="ent_", noun="an entity", plural="entities", place=Place("entities", "entity_no")
):
    """The identifier of an entity."""


class EdgeId(Id, prefix="edg_", noun="an edge", plural="edges", place=Place("edges", "edge_no")):
    """The identifier of an edge."""


class ProposalId(
    Id,
    prefix="prp_",
    noun="a proposal",
    plural="proposals",
    place=Place("proposals", "proposal_no"),
):
    """The identifier of a proposal."""


class ReceiptId(Id, prefix="rcp_", noun="a receipt", plural="receipts"):
    """The identifier of a receipt."""


class ConversationId(
    Id,
    prefix="cnv_",
    noun="a conversation",
    plural="conversations",
    place=Place("conversations", "conversation_no"),
):
    """The identifier of a conversation."""


class OutcomeId(Id, prefix="out_", noun="an outcome", plural="outcomes"):
    """The identifier of an outcome."""


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
    letters = text.upper()
    if not _ULID.fullmatch(letters):
        raise InvalidInputError(
            f"{text[:60]!r} is not an identifier of ours",
            hint="give an ID as it was printed: four characters, such as fct_, and 26 more",
        )
    return int(letters.translate(_TO_DIGITS), 32).to_bytes(ULID_BYTES)


def event_id_of(episode_id: EpisodeId) -> EventId:
    """
    Return the ID of the event that recorded the episode.

    Raises:
        InvalidInputError: *episode_id* is not an episode's.
    """
    return event_id_in(episode_id, EpisodeId.prefix, EpisodeId.noun)


def event_id_in(text: str, prefix: str, noun: str) -> EventId:
    """
    Return the ID of the event behind the identifier *text*.

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


def parse_session_id(text: str) -> SessionId:
    """
    Accept any printable name for a session, since hosts bring their own.

    Raises:
        InvalidInputError: *text* is empty, a word for nothing, too long or not printable.
    """
    if is_word_for_nothing(text) or len(text) > SESSION_ID_CHARS_MAX or not text.isprintable():
        raise InvalidInputError(
            f"{text[:60]!r} cannot name a session",
            hint=f"use 1 to {SESSION_ID_CHARS_MAX} printable characters",
        )
    return SessionId(text)


def parent_session(session_id: str) -> SessionId:
    """Return the parent session of a subagent's; any other session itself."""
    return SessionId(session_id.partition("/")[0])


def parse_beginning(text: str) -> tuple[type[Id], str] | None:
    """Return the kind of ID that a text may begin, and its letters; None if it begins none."""
    found = _BEGINNING.fullmatch(text)
    made = None if found is None else Id.by_prefix.get(found[1].lower())
    return None if found is None or made is None else (made, found[2].upper())


def ulid_of(id_: str) -> EventId:
    """Return the ID of the event that made the thing called *id_*."""
    return EventId(id_[-ULID_CHARS:])


def clock_time_of(id_: str) -> datetime:
    """
    Return the clock's time when *id_* was made, to the millisecond.

    Times of recording never go back; this one does, with the clock.
    """
    milliseconds = int.from_bytes(decode_ulid(ulid_of(id_))) >> _RANDOM_BITS
    return EPOCH + timedelta(milliseconds=milliseconds)


def is_identifier(text: str) -> bool:
    """Say whether *text* is exactly one identifier."""
    return _IDENTIFIER.fullmatch(text) is not None


def is_word_for_nothing(text: str) -> bool:
    """Say whether *text* is empty, or a literal such as `undefined` that stands for nothing."""
    word = text.strip()
    return len(word) <= _WORD_CHARS_MAX and word.casefold() in _NOT_A_VALUE


def ids_in(text: str) -> list[str]:
    """Return the identifiers of Tilth in *text*."""
    return _IN_TEXT.findall(text)


def with_ids_in_words(text: str, words: Mapping[str, str]) -> str:
    """Return *text* with identifiers replaced by the words in *words*."""

    def named(found: re.Match[str]) -> str:
        told = words.get(found[0])
        return f"“{told}” ({found[0]})" if told else found[0]

    return _IN_TEXT.sub(named, text)
