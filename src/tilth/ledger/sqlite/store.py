"""Make, open and restore a store in one SQLite file."""

import glob
import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from shlex import quote

from tilth.core.actor import Actor, ActorKind
from tilth.core.errors import (
    ConflictError,
    CorruptionError,
    ForeignStoreError,
    StoreMissingError,
    TilthError,
)
from tilth.core.ids import encode_ulid
from tilth.core.io.atomic_file import make_private, sync
from tilth.core.io.file_lock import lock_folder
from tilth.core.io.temporary_files import temporary_path
from tilth.core.scope import DEFAULT_OWNER
from tilth.core.text.pattern import pattern
from tilth.ledger.chain import Head, Row
from tilth.ledger.erasures import ErasuresFile
from tilth.ledger.events import Erasure, StoreCreated
from tilth.ledger.heads import HeadsFile, signing_key, store_named_in
from tilth.ledger.log import store_id_of
from tilth.ledger.sqlite.backup import copy_database
from tilth.ledger.sqlite.engine import SqliteEngine
from tilth.ledger.sqlite.known_schema import KnownSchema
from tilth.ledger.sqlite.open_database import creation_error, make_file, opened_read_only
from tilth.ledger.store import Store, StoreEnvironment
from tilth.ledger.tables import Migration, Tombstones

_MAKER = Actor("tilth", ActorKind.JOB)
_ASIDE = pattern(r"\.replaced-\d{8}T\d{6}Z")
# What belongs to a store; the file itself comes last, as it does where it is moved.
_SUFFIXES = ("-wal", "-journal", ".heads", "")


def heads_path(path: Path) -> Path:
    """Return where the signed heads of the store at *path* are kept."""
    return path.with_name(f"{path.name}.heads")


def far_heads_path(path: Path, around: StoreEnvironment) -> Path:
    """Return where this installation keeps the heads of the place *path* once more."""
    place = hashlib.sha256(os.path.realpath(path).encode("utf-8", "surrogateescape")).hexdigest()
    return around.state / f"sqlite-{place[:16]}.heads"


def create_store(
    path: Path,
    around: StoreEnvironment,
    *,
    migrations: Sequence[Migration] | None = None,
    rows: Iterable[Row] = (),
    store_id: str = "",
    make_room: Callable[[], object] | None = None,
) -> None:
    """
    Make a store at *path*, whole or not at all: an empty one, or one that holds *rows*.

    Those are the lines of the ledger of the store *store_id*, from its first. What stands at
    *path* is moved away by *make_room*, once they are proven; without that, nothing may be there.

    Raises:
        ConflictError: something is there already.
        CorruptionError: *rows* are not chained as they should be.
        UnavailableError: the folder cannot be written.
    """
    if make_room is None:
        _refuse_if_taken(path)
    with _temporary_store(path) as made:
        make_file(made, migrations=migrations)
        is_new = not store_id
        store_id = store_id or encode_ulid(around.ids.ulid(around.clock.now()))
        engine = SqliteEngine(made, busy_timeout_s=around.busy_timeout_s, migrations=migrations)
        store = _store(engine, around, _heads(made, around, store_id))
        try:
            with store.begin() as tx:
                if is_new:
                    tx.append(StoreCreated(store_id), by=_MAKER, owner=DEFAULT_OWNER)
                else:
                    tx.load(rows)
            if make_room is not None:
                _refuse_damaged(store, "what was made")
        finally:
            store.close()
        _put_in_place(made, path, make_room)


def open_store(
    path: Path, around: StoreEnvironment, *, migrations: Sequence[Migration] | None = None
) -> Store:
    """
    Open the store at *path*, its schema brought up to date.

    Raises:
        StoreMissingError: nothing is there.
        ForeignStoreError: it is no store of ours, or not the one whose heads lie beside it.
        NewerSchemaError: a newer version of this program wrote it.
        UnsafeSqliteError: this SQLite can lose commits.
        CorruptionError: its tables are not those of its version, or it has no beginning.
    """
    if not path.exists() and store_named_in(far_heads_path(path, around)) is not None:
        hint = "put it back, or a backup of it: tilth restore BACKUP; `tilth init` begins anew"
        if put_back := commands_to_put_back(path):
            hint = f"it was moved aside, and nothing took its place; put it back: {put_back}"
        raise StoreMissingError(f"the store that was at {path} is gone", hint=hint)
    known = KnownSchema(around.state / "schemas.json", around.code)
    engine = SqliteEngine(
        path, busy_timeout_s=around.busy_timeout_s, migrations=migrations, known=known
    )
    with engine.reading() as conn:
        store_id = store_id_of(conn)
    named = store_named_in(heads_path(path))
    if named not in {None, store_id}:
        engine.close()
        raise ForeignStoreError(
            f"{path} is store {store_id}, but {named} was here",
            hint="put the right file back, or replace the store with: tilth restore",
        )
    return _store(engine, around, _heads(path, around, store_id, far=far_heads_path(path, around)))


def commands_to_put_back(path: Path) -> str:
    """
    Return the commands that put back the store that was moved aside from *path* last.

    Nothing where none was, or something stands at *path*: who moved it was not killed then.
    """
    if path.exists():
        return ""
    names = (one.name for one in path.parent.glob(f"{glob.escape(path.name)}.replaced-*"))
    stems = [name for name in names if _ASIDE.fullmatch(name.removeprefix(path.name))]
    if not stems:
        return ""
    aside = path.with_name(max(stems))
    moved = [
        (aside.with_name(aside.name + one), path.with_name(path.name + one)) for one in _SUFFIXES
    ]
    return "; ".join(
        f"mv {quote(str(source))} {quote(str(target))}"
        for source, target in moved
        if source.exists()
    )


def restore_store(
    backup: Path,
    path: Path,
    around: StoreEnvironment,
    *,
    before_served: Callable[[Store], object] = lambda _store: None,
    make_room: Callable[[], object] | None = None,
) -> int:
    """
    Put *backup* in the place *path*, after every check passed on it.

    The backup itself is not changed. What stands at *path* is moved away by *make_room*; without
    that, nothing may be there. *before_served* brings the copy to where the store was.

    Returns:
        How many events the restored store holds.

    Raises:
        StoreMissingError: there is no backup.
        ConflictError: something is at *path*.
        CorruptionError: the backup is not whole.
    """
    if not backup.exists():
        raise StoreMissingError(f"there is no backup at {backup}")
    if make_room is None:
        _refuse_if_taken(path)
    with _temporary_store(path) as made:
        with opened_read_only(backup) as source:
            copy_database(source, made)
        head, store_id = _signed_and_verified(made, around, before_served)
        _put_in_place(made, path, make_room)
    with closing(_heads(path, around, store_id, far=far_heads_path(path, around))) as heads:
        heads.accept(head)
    return head.seq


def check_backup(backup: Path, around: StoreEnvironment) -> Head:
    """
    Verify a copy of *backup*, throw the copy away, and return the end of its chain.

    Raises:
        StoreMissingError: there is no backup.
        CorruptionError: it is not whole.
    """
    if not backup.exists():
        raise StoreMissingError(f"there is no backup at {backup}")
    with _temporary_store(backup) as made:
        with opened_read_only(backup) as source:
            copy_database(source, made)
        return _signed_and_verified(made, around, lambda _store: None)[0]


def signed_heads(path: Path, around: StoreEnvironment, store_id: str) -> list[Head]:
    """Return the heads of the store that this installation signed in the place *path*."""
    heads = _heads(path, around, store_id, far=far_heads_path(path, around))
    return heads.signed() if store_named_in(heads.path) in {None, store_id} else []


def erasures_of(path: Path, around: StoreEnvironment) -> Sequence[Erasure]:
    """Return what was erased in the store at *path*; nothing where it cannot be read."""
    try:
        with closing(open_store(path, around)) as store, store.read() as view:
            return Tombstones(view).erasures()
    except TilthError:
        return ()


def _signed_and_verified(
    made: Path, around: StoreEnvironment, before_served: Callable[[Store], object]
) -> tuple[Head, str]:
    engine = SqliteEngine(made, busy_timeout_s=around.busy_timeout_s)
    with engine.reading() as conn:
        store_id = store_id_of(conn)
    store = _store(engine, around, _heads(made, around, store_id))
    try:
        before_served(store)
        # An empty transaction signs the head that is there.
        with store.begin() as tx:
            head = tx.head()
        _refuse_damaged(store, "the backup", hint="try an older one")
    finally:
        store.close()
    return head, store_id


def _refuse_damaged(store: Store, what: str, *, hint: str = "") -> None:
    if (found := next(store.verify(), None)) is not None:
        raise CorruptionError(f"{what} is not whole: {found.part}: {found.problem}", hint=hint)


def _heads(
    path: Path, around: StoreEnvironment, store_id: str, *, far: Path | None = None
) -> HeadsFile:
    key = signing_key(around.state)
    return HeadsFile(heads_path(path), key=key, store_id=store_id, far=far)


def _store(engine: SqliteEngine, around: StoreEnvironment, heads: HeadsFile) -> Store:
    key = signing_key(around.state)
    erasures = ErasuresFile(around.state, key=key, store_id=heads.store_id)
    return Store(engine, heads, erasures, around.clock, around.ids)


def _put_in_place(made: Path, path: Path, make_room: Callable[[], object] | None = None) -> None:
    """Move a closed store and its heads to *path*; the one that comes second is refused."""
    with lock_folder(path.parent):
        if make_room is not None:
            make_room()
        _refuse_if_taken(path)
        # The heads come first, so that whoever sees the store finds them beside it.
        heads_path(made).replace(heads_path(path))
        made.replace(path)
        sync(path.parent)


def _refuse_if_taken(path: Path) -> None:
    if path.exists():
        raise ConflictError(f"{path} is there already", hint="open it, or name another file")
    for companion in ("-wal", "-journal"):
        if (log := path.with_name(path.name + companion)).exists():
            raise ConflictError(
                f"{log} is left of another store", hint="move it away: it would be read into this"
            )


@contextmanager
def _temporary_store(path: Path) -> Iterator[Path]:
    """Name a file next to *path* to work on; what is left of it afterwards goes."""
    try:
        make_private(path.parent)
    except OSError as error:
        raise creation_error(path, error) from error
    made = temporary_path(path)
    try:
        yield made
    finally:
        for left in made.parent.glob(f"{glob.escape(made.name)}*"):
            left.unlink()
