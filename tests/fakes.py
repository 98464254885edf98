"""Stand-ins for the world: a clock that obeys, chance that counts, a model of a few lines."""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import UTC, datetime, timedelta
from functools import lru_cache

import numpy as np

from tilth.core.ids import ULID_BYTES, EventId
from tilth.core.instant import to_micros
from tilth.core.text.tokens import words
from tilth.embedding.embedder import Vector
from tilth.ledger.chain import SALT_BYTES

START = datetime(2026, 1, 1, tzinfo=UTC)


class FixedClock:
    """Stands still, or moves on by `step` each time it is asked; may be set to any time."""

    def __init__(self, at: datetime = START, *, step: timedelta = timedelta(0)) -> None:
        self.at = at
        self.step = step

    def now(self) -> datetime:
        now = self.at
        self.at += self.step
        return now


class CountingIds:
    """Gives 1, 2, 3… where the real thing gives chance."""

    def __init__(self) -> None:
        self._ulids = 0
        self._salts = 0

    def ulid(self, at: datetime) -> bytes:
        self._ulids += 1
        return (to_micros(at) // 1000).to_bytes(6) + self._ulids.to_bytes(ULID_BYTES - 6)

    def salt(self) -> bytes:
        self._salts += 1
        return self._salts.to_bytes(SALT_BYTES)


class PlainFence:
    """Marks where a text begins and ends, and remembers nothing of it."""

    def fenced(self, text: str) -> str:
        return f'<tilth-context id="ctx_{0:032x}">\n{text}\n</tilth-context>'


class HashingEmbedder:
    """Gives each word a direction of its own, and a text the sum of its words'."""

    def __init__(self, dimensions: int = 64) -> None:
        self.dimensions = dimensions
        self.space = f"hashing-{dimensions}"

    def embed(self, texts: Sequence[str]) -> Vector:
        summed = [self.word_vectors(words(text)).sum(axis=0) for text in texts]
        return _units(np.array(summed, np.float32).reshape(len(texts), self.dimensions))

    def word_vectors(self, words: Sequence[str]) -> Vector:
        rows = [_direction(word, self.dimensions) for word in words]
        return np.array(rows, np.float32).reshape(len(words), self.dimensions)

    def is_known(self, word: str) -> bool:
        return True

    def corrected(self, word: str) -> str:
        return ""


# The same few hundred words are told in nearly all tests.
@lru_cache(maxsize=10_000)
def _direction(word: str, dimensions: int) -> Vector:
    drawn = hashlib.shake_256(word.encode()).digest(dimensions)
    unit: Vector = _units(np.frombuffer(drawn, np.uint8)[None, :].astype(np.float32) - 127.5)[0]
    return unit


def _units(rows: Vector) -> Vector:
    units = np.zeros_like(rows)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    np.divide(rows, lengths, out=units, where=lengths > 0)
    return units


class Nowhere:
    """No file but the store's own; see `tilth.erasure.erase.SurroundingFiles`."""

    def forget(self, words: Sequence[str], skills: Collection[str] = ()) -> Sequence[str]:
        return ()

    def forget_in_snapshots(self, store_id: str, gone: AbstractSet[EventId]) -> Sequence[str]:
        return ()

    def scan(self, words: Sequence[str]) -> tuple[int, Mapping[str, Sequence[str]]]:
        return 0, {}

    def copies(self, store_id: str, words: Sequence[str]) -> Sequence[str]:
        return ()

    def limits(self) -> Sequence[str]:
        return ()


class KeptOutbox:
    """An outbox in memory."""

    def __init__(self) -> None:
        self.files: dict[str, str] = {}

    def put(self, name: str, text: str) -> None:
        self.files[name] = text

    def read(self, name: str) -> str | None:
        return self.files.get(name)

    def path_of(self, name: str) -> str:
        return ""

    def remove(self, name: str) -> None:
        self.files.pop(name, None)
