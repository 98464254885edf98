"""
The chain that makes the ledger evident: nothing in it changes unseen.

    commitment = H(salt, payload)
    chain      = H(chain before, header, commitment)

H is SHA-256 over parts that each carry their length, so no two inputs share
an encoding. Erasing a payload with its salt leaves commitment and chain
standing, and without the salt nobody can guess a short payload from its
commitment (DESIGN §6).
"""

import functools
import hashlib
import hmac
from dataclasses import dataclass
from typing import NamedTuple

HASH_BYTES = 32
SALT_BYTES = 16
KEY_DIGEST_BYTES = 16
GENESIS = bytes(HASH_BYTES)


class Header(NamedTuple):
    """
    What the chain says about an event in the clear.

    `event_id` is the 16 bytes of its ULID, `recorded_at` microseconds since
    1970, `key` a digest of the idempotency key.
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


def key_digest(owner: str, key: str) -> bytes:
    """Return the 16 bytes that stand for *owner*'s idempotency key in the ledger."""
    return hashlib.sha256(_joined(owner.encode(), key.encode())).digest()[:KEY_DIGEST_BYTES]


def commit(salt: bytes, payload: str) -> bytes:
    """Return the commitment to *payload*."""
    text = payload.encode()
    return hashlib.sha256(b"%d:%b%d:%b" % (len(salt), salt, len(text), text)).digest()


def link(before: bytes, header: Header, commitment: bytes) -> bytes:
    """Return the chain's value at *header*, given its value *before*."""
    seq, event_id, recorded_at, owner, actor, actor_kind, session_id, kind, key = header
    text = f"{seq},{recorded_at},{_who(owner, actor, actor_kind, kind)}".encode()
    session = b"-" if session_id is None else b"+" + session_id.encode()
    keyed = b"-" if key is None else b"+" + key
    # One expression, since verify comes here for every event: it is `_joined` of the six.
    parts = b"%d:%b%d:%b%d:%b%d:%b%d:%b%d:%b" % (
        len(before), before, len(event_id), event_id, len(text), text,
        len(session), session, len(keyed), keyed, len(commitment), commitment,
    )  # fmt: skip
    return hashlib.sha256(parts).digest()


@functools.lru_cache(maxsize=1024)
def _who(*words: str) -> str:
    return "".join(f"{len(word)}:{word}" for word in words)


def _joined(*parts: bytes) -> bytes:
    return b"".join(b"%d:%b" % (len(part), part) for part in parts)


@dataclass(frozen=True, slots=True)
class Head:
    """The end of the chain as it stood once; kept outside the store, it shows a lost tail."""

    seq: int
    chain: bytes


def sign(head: Head, *, key: bytes, store_id: str) -> bytes:
    """Return the HMAC-SHA-256 of *head* under the installation's *key*."""
    parts = _joined(store_id.encode(), b"%d" % head.seq, head.chain)
    return hmac.digest(key, parts, "sha256")


def is_signed(head: Head, signature: bytes, *, key: bytes, store_id: str) -> bool:
    """Say whether *signature* is that of *head* under *key*."""
    return hmac.compare_digest(signature, sign(head, key=key, store_id=store_id))
