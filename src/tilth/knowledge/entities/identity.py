"""The model of identities: addresses of somebody on transports (seed 004)."""

from datetime import datetime
from enum import StrEnum
from functools import partial

from tilth.core.actor import Actor
from tilth.core.codec import Inline
from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError, LimitExceededError, parse_word
from tilth.core.ids import EntityId, is_word_for_nothing
from tilth.core.text.pattern import pattern
from tilth.privacy.redaction import scrub_label

ADDRESS_CHARS_MAX = 200
EMAIL = "email"

# A mail address after a name, and a bare one (RFC 5322, 3.4 and 3.4.1, without quotes).
_NAMED_MAIL = pattern(r"[^<>]*<([^<>@\s]+@[^<>@\s]+)>")
_MAIL = pattern(r"[^\s<>,;]+@[^\s<>,;@]+")


class LinkConfidence(StrEnum):
    """How sure it is that an address is somebody's; only a human confirms (EM-022)."""

    CONFIRMED = "confirmed"
    SUGGESTED = "suggested"
    INFERRED = "inferred"


@dataclass(frozen=True, slots=True)
class Address:
    """A normalised address on a transport; `parse_address` makes it."""

    transport: str
    address: str

    @property
    def words(self) -> str:
        """The transport and the address."""
        return f"{self.transport} {self.address}"


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentityDraft:
    """An address to be linked; `display_name` is its bearer's name there."""

    address: Inline[Address]
    display_name: str = ""
    confidence: LinkConfidence = LinkConfidence.SUGGESTED

    def __post_init__(self) -> None:
        if len(self.display_name) > ADDRESS_CHARS_MAX:
            raise LimitExceededError(f"a name is longer than {ADDRESS_CHARS_MAX} characters")


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """An address linked to one entity; `verified_at` is set once a human confirmed it."""

    entity_id: EntityId
    address: Address
    display_name: str
    confidence: LinkConfidence
    by: Actor
    linked_at: datetime
    verified_at: datetime | None


@dataclass(frozen=True, slots=True)
class Tally:
    """How many episodes there were with somebody, and when the first and last were."""

    count: int
    first_at: datetime | None = None
    last_at: datetime | None = None


def address_key(transport: str, address: str) -> str:
    """
    Return *address* in normal form: mail bare, in lower case and without `+` tags (EM-026).

    Secrets in it, such as the token of a link, are replaced. Nothing is refused, since an episode
    keeps whatever it was given.
    """
    key = scrub_label(address).strip()
    if transport != EMAIL:
        return key
    if named := _NAMED_MAIL.fullmatch(key):
        key = named[1]
    local, at, host = key.casefold().rpartition("@")
    return f"{local.partition('+')[0] or local}{at}{host}"


def handle_of(address: str) -> str:
    """Return the local part of an address: `ada` of `ada@example.org` and `@ada:x.org`."""
    bare = address.removeprefix("@")
    return bare.partition("@" if bare == address else ":")[0].casefold()


def parse_address(transport: str, address: str) -> Address:
    """
    Read an address as somebody wrote it.

    Raises:
        InvalidInputError: it is empty, too long or not printable, or mail without its `@`.
    """
    key = address_key(transport, address)
    if is_word_for_nothing(key) or len(key) > ADDRESS_CHARS_MAX or not key.isprintable():
        raise InvalidInputError(
            f"{address[:60]!r} is no address",
            hint=f"use 1 to {ADDRESS_CHARS_MAX} printable characters",
        )
    if transport == EMAIL and not _MAIL.fullmatch(key):
        raise InvalidInputError(f"{address[:60]!r} is no address of mail", hint="write NAME@HOST")
    return Address(transport, key)


parse_link_confidence = partial(parse_word, LinkConfidence, noun="confidence")
