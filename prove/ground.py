"""
The ground that every programme stands on: real stores in a folder, and seeded histories.

A programme prints one JSON object on its last line, and exits with 1 if
anything that it was to prove is not so.
"""

import hashlib
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random  # noqa: TID251 - always seeded

import numpy as np
from numpy.typing import NDArray

from tilth.core.actor import Actor, ActorKind
from tilth.core.ids import SessionId
from tilth.core.scope import DEFAULT_OWNER, parse_scope
from tilth.core.text.tokens import stem
from tilth.embedding.static import StaticEmbedder
from tilth.episodes.episode import Episode, EpisodeDraft, EpisodeKind, Role
from tilth.episodes.remember import WriteContext
from tilth.ledger.sqlite.store import create_store, open_store
from tilth.ledger.store import Store, StoreEnvironment
from tilth.ledger.tables import Migration
from tilth.runtime.features import load_features
from tilth.runtime.system import SystemClock, SystemIds

load_features()
# A child that loads the stemmer by itself is killed before it has done anything.
stem("kettles")

RECORDER = WriteContext(Actor("prove", ActorKind.AGENT), DEFAULT_OWNER)
FIRST_TIER = StaticEmbedder()
SESSIONS = 12
TOKEN_CHARS = 16
_SCOPES = ("global", "project:tilth/core", "domain:ops")
_TEXT = """
    backup restore ledger garden the a we moved deploy from to database server it failed because
    disk full again please check Tuesday meeting invoice rolled back port 8443 changed config
    mother birthday flight Lisbon hotel paid review merge branch tests green flaky café naïve 東京
    query index slow fixed by adding cache who said that and why not tomorrow maybe soil compost
"""


class SecondTier:
    """A stand-in for the second tier's model: as long vectors, made of the text's hash."""

    space = "prove-384"
    dimensions = 384

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one unit vector for each text."""
        rows = [
            np.random.default_rng(_seed(text)).standard_normal(self.dimensions) for text in texts
        ]
        vectors = np.array(rows, np.float32).reshape(len(texts), self.dimensions)
        return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


def _seed(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8])


@dataclass(frozen=True, slots=True)
class Ground:
    """A folder with one store in it, and the state of the installation that owns it."""

    folder: Path
    migrations: tuple[Migration, ...] | None = None

    @property
    def path(self) -> Path:
        """Where the store is."""
        return self.folder / "tilth.db"

    @property
    def around(self) -> StoreEnvironment:
        """The real clock and chance, and a key of its own."""
        return StoreEnvironment(SystemClock(), SystemIds(), self.folder / "state")

    def create(self) -> None:
        """Make the store."""
        create_store(self.path, self.around)

    @contextmanager
    def opened(self) -> Iterator[Store]:
        """Open the store, and close it after."""
        store = open_store(self.path, self.around, migrations=self.migrations)
        try:
            yield store
        finally:
            store.close()


def draft(rng: Random, token: str) -> EpisodeDraft:
    """Return a draft whose text holds *token*, which makes it the only one of its kind."""
    words = " ".join(rng.choices(_TEXT.split(), k=rng.randint(3, 40)))
    in_session = rng.random() < 0.7
    return EpisodeDraft(
        text=f"{token} {words}",
        kind=rng.choice(list(EpisodeKind)),
        role=rng.choice(list(Role)),
        speaker=rng.choice(["", "Ana", "Ben", "tool:bash"]),
        session_id=SessionId(f"session-{rng.randrange(SESSIONS)}") if in_session else None,
        scope=parse_scope(rng.choice(_SCOPES)),
        metadata={"cost": rng.randrange(9), "file": "a/b.py"} if rng.random() < 0.2 else {},
        idempotency_key=f"key-{token}" if rng.random() < 0.4 else None,
    )


def token_of(rng: Random) -> str:
    """Return a word that no other text holds: one term, in whatever way words are cut."""
    return "".join(rng.choices("bcdfghjklmnpqrtvwxz", k=TOKEN_CHARS))


def content(said: Episode | EpisodeDraft) -> str:
    """Return a digest of what was said and around it, as the reader gets it."""
    told = (said.text, said.session_id, said.speaker, said.role, said.kind, said.scope)
    return hashlib.sha256(json.dumps([*told, dict(said.metadata)]).encode()).hexdigest()[:16]


def conclude(report: Mapping[str, object], failures: Sequence[str]) -> None:
    """Print the failures and the report, and leave with 1 if there are failures."""
    for failure in failures:
        print(f"FAILED {failure}", file=sys.stderr)
    print(json.dumps({**report, "failures": len(failures), "proved": not failures}))
    if failures:
        sys.exit(1)
