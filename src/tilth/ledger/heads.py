"""
Signed heads: the end of the chain, kept in a file beside the store.

A chain alone cannot show that its tail was cut off or that an old file was
put back. A head outside can (I5). The file is a ring of fixed slots; each
head goes to the slot of its number, so that writers in several processes do
not disturb each other and a torn write spoils one slot alone.

Whoever replaces a store can replace what lies beside it. So the heads of a store in a file
are kept a second time, far from it, under the name of its place: they tell that another
store was there, or this one with more in it, until a person accepts what is there now.
"""

import logging
import os
import threading
from pathlib import Path

from tilth.core.errors import UnavailableError
from tilth.core.ids import ULID_CHARS
from tilth.core.io.atomic_file import make_once
from tilth.ledger.chain import HASH_BYTES, Head, is_signed, sign

logger = logging.getLogger(__name__)

_MAGIC = "tilth-heads"
_HEADER_BYTES = len(_MAGIC) + ULID_CHARS + 2
_SLOTS = 64
_SEQ_CHARS = 20
_SLOT_BYTES = _SEQ_CHARS + 2 * HASH_BYTES + 2 * HASH_BYTES + 3
KEY_BYTES = 32


class HeadsFile:
    """The signed heads of one store, and those of its place in the file *far*, if there is one."""

    def __init__(self, path: Path, *, key: bytes, store_id: str, far: Path | None = None) -> None:
        self.path = path
        self._key = key
        self.store_id = store_id
        self._file: int | None = None
        # Else a thread that is told to close may let another write into what has this number next.
        self._lock = threading.Lock()
        self._is_refused = False
        self._far = None if far is None else HeadsFile(far, key=key, store_id=store_id)

    def keep(self, head: Head) -> None:
        """
        Write *head* to its slot. Call it after the commit, so it never runs ahead of the store.

        It is not flushed to the disk: after a power cut an older head stands, which still shows
        everything before it. So it does where the disk is full: what was committed is kept, and
        whoever was told otherwise would say it again.
        """
        try:
            with self._lock:
                self._write(head)
        except OSError as error:
            if not self._is_refused:
                told = "no signed head could be written to %s: %s"
                logger.warning(told, self.path, error.strerror)
            self._is_refused = True
        # What tells of another store stays as it is, until a person has seen it.
        if self._far is not None and (self._far.is_open or self.swapped is None):
            self._far.keep(head)

    def _write(self, head: Head) -> None:
        if self._file is None:
            self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            os.pwrite(self._file, f"{_MAGIC} {self.store_id}\n".encode(), 0)
        signature = sign(head, key=self._key, store_id=self.store_id)
        line = f"{head.seq:0{_SEQ_CHARS}d} {head.chain.hex()} {signature.hex()}\n"
        os.pwrite(self._file, line.encode(), _HEADER_BYTES + head.seq % _SLOTS * _SLOT_BYTES)

    @property
    def is_open(self) -> bool:
        """Whether a head was written to it."""
        return self._file is not None

    @property
    def swapped(self) -> str | None:
        """The store that was in this place before, where nobody accepted that it is another now."""
        named = None if self._far is None else store_named_in(self._far.path)
        return None if named == self.store_id else named

    def accept(self, head: Head) -> None:
        """Forget every other head: *head* is where trust begins anew."""
        for one in (self, self._far):
            if one is not None:
                one.close()
                one.path.unlink(missing_ok=True)
        self.keep(head)

    def latest(self) -> Head | None:
        """Return the furthest head that bears our signature; None if there is none."""
        return max(self.signed(), key=lambda head: head.seq, default=None)

    def signed(self) -> list[Head]:
        """Return every head that bears our signature."""
        far = [] if self._far is None or self.swapped else self._far.signed()
        if not self.path.exists():
            return far
        data = self.path.read_bytes()
        slots = (data[at : at + _SLOT_BYTES] for at in range(_HEADER_BYTES, len(data), _SLOT_BYTES))
        return [head for head in map(self._read, slots) if head] + far

    def close(self) -> None:
        """Close the file. Calling it twice does no harm."""
        if self._far is not None:
            self._far.close()
        with self._lock:
            if self._file is not None:
                os.close(self._file)
                self._file = None

    def _read(self, slot: bytes) -> Head | None:
        try:
            seq, chain, signature = slot.decode("ascii").split()
            head = Head(int(seq), bytes.fromhex(chain))
            signed = bytes.fromhex(signature)
        except ValueError:
            return None
        return head if is_signed(head, signed, key=self._key, store_id=self.store_id) else None


def store_named_in(path: Path) -> str | None:
    """Return the store whose heads the file holds; None if it is missing or not one of ours."""
    if not path.exists():
        return None
    magic, _, store_id = path.read_bytes()[: _HEADER_BYTES - 1].partition(b" ")
    return store_id.decode("ascii", "replace") if magic == _MAGIC.encode() else None


def signing_key(folder: Path) -> bytes:
    """
    Return this installation's key, made on first use and readable by its owner alone.

    Raises:
        UnavailableError: what is there is no key; signed with it, anybody's heads would be ours.
    """
    path = folder / "signing.key"
    if not path.exists():
        make_once(path, os.urandom(KEY_BYTES))
    if len(key := path.read_bytes()) != KEY_BYTES:
        raise UnavailableError(
            f"{path} is not the key that this installation signs with",
            hint="put it back; or remove it, so that a new one is made, and say that what is here"
            " is meant: tilth verify --accept",
        )
    return key
