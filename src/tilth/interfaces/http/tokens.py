"""
Who may ask over HTTP: named tokens with a role, and links that sign a person in.

A token is 256 random bits, shown once. The file beside the store keeps its SHA-256 alone,
readable by its owner; random bits of that length need no slow hash. A link is a token that
works once, for ten minutes.
"""

import fcntl
import hashlib
import hmac
import json
import os
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from datetime import datetime, timedelta
from enum import StrEnum
from pathlib import Path

from tilth.core.actor import Actor, ActorKind
from tilth.core.clock import Clock
from tilth.core.dataclass import dataclass
from tilth.core.errors import ConflictError, CorruptionError, InvalidInputError, NotFoundError
from tilth.core.io.atomic_file import Disk, make_private

_PREFIX = "tth_"
_SCHEME = "Bearer"
_TOKEN_BYTES = 32
_LINK_HOLDS = timedelta(minutes=10)


class Role(StrEnum):
    """What a token lets its bearer do."""

    AGENT = "agent"
    REVIEWER = "reviewer"
    ADMIN = "admin"
    LINK = "link"


GIVEN: Sequence[Role] = (Role.AGENT, Role.REVIEWER, Role.ADMIN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """One token as it is kept: whose it is, its role, the digest of its bits, and until when."""

    name: str
    role: Role
    digest: str
    made_at: datetime
    ends_at: datetime | None = None

    @property
    def actor(self) -> Actor:
        """Who asks with it: an agent, or the person who holds it."""
        kind = ActorKind.AGENT if self.role is Role.AGENT else ActorKind.HUMAN
        return Actor(self.name, kind)


class Tokens:
    """The tokens of one store, in a file that several processes may change."""

    def __init__(self, path: Path, clock: Clock) -> None:
        self._path = path
        self._clock = clock
        self._read_at: tuple[int, int] | None = None
        self._known: Sequence[Token] = ()

    def add(self, name: str, role: Role) -> str:
        """
        Make a token, and return it; nobody can read it again.

        Raises:
            ConflictError: a token has that name.
            InvalidInputError: the name is empty, too long or not printable.
        """
        Actor(name, ActorKind.AGENT)
        return self._add(Token(name=name, role=role, digest="", made_at=self._clock.now()))

    def add_link(self, name: str) -> str:
        """Return a token that signs the person *name* in, once, within ten minutes."""
        now = self._clock.now()
        ends = now + _LINK_HOLDS
        return self._add(Token(name=name, role=Role.LINK, digest="", made_at=now, ends_at=ends))

    def of_header(self, header: str) -> Token | None:
        """Return the token that a header `Authorization` bears; None if it bears none of ours."""
        scheme, _, bits = header.partition(" ")
        return self.find(bits) if scheme == _SCHEME and bits else None

    def list(self) -> list[Token]:
        """Return the tokens that were given, the oldest first, without links."""
        return [one for one in self._load() if one.role is not Role.LINK]

    def revoke(self, name: str) -> None:
        """
        End a token; whoever holds it is refused from the next request on.

        Raises:
            NotFoundError: no token has that name.
        """
        with self._locked() as known:
            kept = [one for one in known if one.role is Role.LINK or one.name != name]
            if len(kept) == len(known):
                raise NotFoundError(f"no token is called {name!r}", hint="see: tilth token list")
            self._write(kept)

    def find(self, bits: str) -> Token | None:
        """Return the token with these bits, if it stands and is no link."""
        found = self._matching(self._load(), bits)
        return None if found is None or found.role is Role.LINK else found

    def sign_in(self, bits: str) -> Token | None:
        """Return the link with these bits, which it uses up; None if there is none such."""
        with self._locked() as known:
            found = self._matching(known, bits)
            if found is None or found.role is not Role.LINK:
                return None
            self._write([one for one in known if one is not found])
        return found if found.ends_at and self._clock.now() < found.ends_at else None

    def _add(self, token: Token) -> str:
        bits = _PREFIX + secrets.token_urlsafe(_TOKEN_BYTES)
        with self._locked() as known:
            now = self._clock.now()
            kept = [one for one in known if one.ends_at is None or now < one.ends_at]
            if token.role is not Role.LINK and any(one.name == token.name for one in self.list()):
                raise ConflictError(
                    f"a token is called {token.name!r} already",
                    hint=f"end it first: tilth token revoke {token.name}",
                )
            self._write([*kept, replace(token, digest=_digest(bits))])
        return bits

    def _matching(self, known: Sequence[Token], bits: str) -> Token | None:
        digest = _digest(bits)
        # Every one is compared, so that the time tells nothing of which it is.
        found = [one for one in known if hmac.compare_digest(one.digest, digest)]
        return found[0] if found else None

    def _load(self) -> Sequence[Token]:
        try:
            state = self._path.stat()
        except FileNotFoundError:
            return ()
        read_at = (state.st_mtime_ns, state.st_ino)
        if read_at != self._read_at:
            self._known = _parse_file(self._path)
            self._read_at = read_at
        return self._known

    @contextmanager
    def _locked(self) -> Iterator[Sequence[Token]]:
        make_private(self._path.parent)
        lock = os.open(f"{self._path}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield self._load()
        finally:
            os.close(lock)

    def _write(self, tokens: Sequence[Token]) -> None:
        rows = [
            asdict(one)
            | {
                "made_at": one.made_at.isoformat(),
                "ends_at": one.ends_at and one.ends_at.isoformat(),
            }
            for one in tokens
        ]
        Disk().write(str(self._path), (json.dumps(rows, indent=1) + "\n").encode())


def parse_role(word: str) -> Role:
    """
    Read the role of a token.

    Raises:
        InvalidInputError: it is none that is given.
    """
    if word not in GIVEN:
        raise InvalidInputError(f"{word[:40]!r} is no role", hint=f"use one of {', '.join(GIVEN)}")
    return Role(word)


def _parse_file(path: Path) -> list[Token]:
    try:
        return [
            Token(
                name=row["name"],
                role=Role(row["role"]),
                digest=row["digest"],
                made_at=datetime.fromisoformat(row["made_at"]),
                ends_at=datetime.fromisoformat(row["ends_at"]) if row["ends_at"] else None,
            )
            for row in json.loads(path.read_text(encoding="utf-8"))
        ]
    except (ValueError, KeyError, TypeError) as error:
        raise CorruptionError(
            f"the tokens in {path} cannot be read", hint="remove the file; then make tokens anew"
        ) from error


def _digest(bits: str) -> str:
    return hashlib.sha256(bits.encode("utf-8", "surrogatepass")).hexdigest()
