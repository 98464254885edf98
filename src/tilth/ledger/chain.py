"""
The hash chain of the ledger, which makes every change of it evident.

    commitment = H(salt, payload)
    chain      = H(chain before, header, commitment)

H is SHA-256 over parts that each carry their length, so no two inputs share an encoding. Erasing a
payload with its salt leaves commitment and chain standing, and without the salt nobody can guess a
short payload from its commitment (DESIGN §6).
"""

import functools
import hashlib
import hmac
from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeAlias

from tilth.core.dataclass import dataclass

HASH_BYTES = 32
SALT_BYTES = 16
KEY_DIGEST_BYTES = 16
GENESIS = bytes(HASH_BYTES)


class Header(NamedTuple):
    """
    The fields of an event that the chain covers in clear.

    `event_id` is the 16 bytes of its ULID, `recorded_at` microseconds since 1970, `key` a digest of
    the idempotency key.
    """

    seq: int
    event_id: bytes
    recorded_at: int
    owner: str
    actor: str
    actor_kind: str
    session_id: str | None
    kind: str
    key: bytes | None


class Row(NamedTuple):
    """One row of the ledger. An erased event has neither payload nor salt."""

    header: Header
    payload: str | None
    salt: bytes | None
    commitment: bytes
    chain: bytes


# The values of a header, in order.
Fields: TypeAlias = tuple[int, bytes, int, str, str, str, str | None, str, bytes | None]


def key_digest(owner: str, key: str) -> bytes:
    """Return the 16 bytes that stand for *owner*'s idempotency key in the ledger."""
    return hashlib.sha256(_joined(owner.encode(), key.encode())).digest()[:KEY_DIGEST_BYTES]


def commit(salt: bytes, payload: str) -> bytes:
    """Return the commitment to *payload*."""
    return next(commitments((salt,), (payload,)))


def commitments(salts: Iterable[bytes], payloads: Iterable[str]) -> Iterator[bytes]:
    """Yield the commitment to each of *payloads*."""
    for salt, text in zip(salts, map(str.encode, payloads), strict=True):
        parts = b"%d:%b%d:%b" % (len(salt), salt, len(text), text)
        yield hashlib.sha256(parts).digest()


def link(before: bytes, header: Fields, commitment: bytes) -> bytes:
    """Return the chain's value at *header*, given its value *before*."""
    return next(links((before,), (header,), (commitment,)))


def links(
    befores: Iterable[bytes], headers: Iterable[Fields], committed: Iterable[bytes]
) -> Iterator[bytes]:
    """Yield the chain's value at each of *headers*, given those before them."""
    for before, header, commitment in zip(befores, headers, committed, strict=True):
        seq, event_id, recorded_at, owner, actor, actor_kind, session_id, kind, key = header
        text = b"%d,%d,%b" % (seq, recorded_at, _who(owner, actor, actor_kind, kind))
        keyed = b"-" if key is None else b"+" + key
        # One expression, since verify calls it for every event: `_joined` of the six parts.
        parts = b"%d:%b%d:%b%d:%b%b%d:%b%d:%b" % (
            len(before), before, len(event_id), event_id, len(text), text,
            _session(session_id), len(keyed), keyed, len(commitment), commitment,
        )  # fmt: skip
        yield hashlib.sha256(parts).digest()


@functools.lru_cache(maxsize=1024)
def _who(*words: str) -> bytes:
    return "".join(f"{len(word)}:{word}" for word in words).encode()


@functools.lru_cache(maxsize=1024)
def _session(session_id: str | None) -> bytes:
    return _joined(b"-" if session_id is None else b"+" + session_id.encode())


def _joined(*parts: bytes) -> bytes:
    return b"".join(b"%d:%b" % (len(part), part) for part in parts)


@dataclass(frozen=True, slots=True)
class Head:
    """The end of the chain at some time; a copy outside of the store shows a lost tail."""

    seq: int
    chain: bytes


def sign(head: Head, *, key: bytes, store_id: str) -> bytes:
    """Return the HMAC-SHA-256 of *head* under the installation's *key*."""
    parts = _joined(store_id.encode(), b"%d" % head.seq, head.chain)
    return hmac.digest(key, parts, "sha256")


def is_signed(head: Head, signature: bytes, *, key: bytes, store_id: str) -> bool:
    """Say whether *signature* is that of *head* under *key*."""
    return hmac.compare_digest(signature, sign(head, key=key, store_id=store_id))
