"""The one place that knows every concrete class."""

import hashlib
import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, RLock

import apsw
import platformdirs

from tilth.agents.hooks import Hooks
from tilth.agents.hosts.wiring import PROGRAM, HostSetup, Wiring
from tilth.agents.injections import Injections
from tilth.agents.places import host_setup as setup_of
from tilth.agents.state_folder import StateFolder
from tilth.core.actor import Actor, ActorKind
from tilth.core.errors import InvalidInputError, StoreMissingError, TilthError, UnsupportedError
from tilth.core.ids import encode_ulid
from tilth.core.scope import parse_owner
from tilth.embedding.embedder import Embedder
from tilth.embedding.minilm import MiniLmEmbedder
from tilth.embedding.onnx_folder import OnnxFolderEmbedder
from tilth.embedding.openai_compatible import OpenAiCompatibleEmbedder
from tilth.embedding.static import StaticEmbedder
from tilth.episodes.remember import Recorder
from tilth.erasure.erase import finish_erasures, reapply_erasures
from tilth.erasure.outside import Outside
from tilth.gaps.outbox import OutboxFolder, outbox_of
from tilth.gaps.task_lists import LocalTaskLists
from tilth.ledger.sqlite.aside import erase_aside, move_whole, set_aside
from tilth.ledger.sqlite.opening import check_sqlite
from tilth.ledger.sqlite.store import create_store, erasures_of, heads_path, restore_store
from tilth.ledger.sqlite.store import open_store as open_sqlite
from tilth.ledger.store import Store, Surroundings
from tilth.llm.choosing import model_of
from tilth.llm.client import Staff, Worker
from tilth.llm.task import ModelChoice
from tilth.recall.candidates import Recaller
from tilth.recall.lexicon import Lexicon
from tilth.runtime import features  # noqa: F401 - what a brain is made of
from tilth.runtime.brain import Brain
from tilth.runtime.features import load_events
from tilth.runtime.parts import Parts
from tilth.runtime.settings import Loaded, Settings, load
from tilth.runtime.system import SystemClock, SystemIds, SystemPatience
from tilth.runtime.worker import StageLog
from tilth.transfer.export import Scribe
from tilth.transfer.export_file import FileExporter
from tilth.transfer.formats.legacy_facts import read_legacy_facts
from tilth.transfer.importer import FileImporter, default_places
from tilth.transfer.importing import Row, Source
from tilth.transfer.noted_exports import NotedExports

# What a program is that did not say who it is: the least that may write.
ANYONE = Actor("python", ActorKind.AGENT)
# Both tiers of two questions.
_MODELS_AT_ONCE = 4


@dataclass(frozen=True, slots=True)
class Folders:
    """Where a user's files belong: data, state (keys, logs), and the settings file."""

    data: Path
    state: Path
    config: Path


def folders(environ: Mapping[str, str]) -> Folders:
    """Return this user's folders; `TILTH_HOME` puts them all in one place."""
    if home := environ.get("TILTH_HOME"):
        root = Path(home)
        return Folders(root, root / "state", root / "config.toml")
    config = environ.get("TILTH_CONFIG") or platformdirs.user_config_path("tilth") / "config.toml"
    return Folders(
        platformdirs.user_data_path("tilth"), platformdirs.user_state_path("tilth"), Path(config)
    )


def loaded(environ: Mapping[str, str]) -> Loaded:
    """
    Return the settings in force.

    Raises:
        InvalidInputError: a setting is unknown or not of its type.
    """
    file = folders(environ).config
    return load(environ, file if file.exists() else None)


def connect(
    store: str | os.PathLike[str] | None = None,
    *,
    create: bool = False,
    actor: Actor = ANYONE,
    owner: str | None = None,
    settings: Settings | None = None,
) -> Brain:
    """
    Open a brain.

    Args:
        store: A path, or a `postgresql://` URL; None for the one in the settings.
        create: Make the store if there is none. Without it a missing store is
            refused, so that a mistyped path never looks like a lost memory.
        actor: Who acts through this brain.
        owner: Whose items are read and written; None for the one in the settings.
        settings: None reads the environment and the settings file.

    Raises:
        StoreMissingError: there is no store, and *create* is false.
        ForeignStoreError: what is there is not a store of ours.
        NewerSchemaError: a newer version of this program wrote it.
        UnsafeSqliteError: this SQLite can lose commits.
        InvalidInputError: a setting is wrong.
    """
    settings = settings or loaded(os.environ).settings
    home, where, around = folders(os.environ), place(store, settings), surroundings(settings)
    first, second, clock = StaticEmbedder(), second_tier(settings), SystemClock()
    return Brain(
        Parts(
            store=open_store(where, create=create, settings=settings),
            clock=clock,
            first=first,
            second=second,
            importer=FileImporter(),
            scribe=Scribe(FileExporter(), NotedExports(home.state), clock),
            settings=settings,
            recorder=Recorder(
                by=actor,
                owner=parse_owner(owner or settings.owner),
                transports=settings.known_transports,
            ),
            recaller=Recaller(
                first, second, Lexicon(first, RLock()), clock, ThreadPoolExecutor(_MODELS_AT_ONCE)
            ),
            fence=Injections(StateFolder(home.state).injected, SystemIds()),
            staff=staff(settings, os.environ),
            outside=Outside(where, home, lambda path: erase_aside(path, around, reapply_erasures)),
            outbox=OutboxFolder(outbox_of(where, home.data)),
            tasks=LocalTaskLists(os.environ),
        )
    )


def staff(settings: Settings, environ: Mapping[str, str]) -> Staff:
    """Return the language models that the settings choose, and what they may spend."""
    hired = {
        strength: _worker(choice, settings, environ)
        for strength, choice in settings.model_choices.items()
    }
    cancelled, ids = Event(), SystemIds()
    return Staff(
        workers={task: hired[one] for task, one in settings.task_strengths.items() if one in hired},
        budget=settings.budget,
        patience=lambda: SystemPatience(settings.model_timeout_s, cancelled),
        cancel=cancelled.set,
        ids=ids,
        run=encode_ulid(ids.ulid(SystemClock().now())),
    )


def _worker(choice: ModelChoice, settings: Settings, environ: Mapping[str, str]) -> Worker:
    price = settings.prices.get(choice.name)
    try:
        return Worker(name=choice.name, model=model_of(choice, environ), price=price)
    except TilthError as error:
        return Worker(name=choice.name, price=price, problem=str(error))


def place(store: str | os.PathLike[str] | None, settings: Settings) -> str:
    """Return the path or URL of the store that is meant."""
    told = os.fspath(store) if store is not None else settings.store
    return told or str(folders(os.environ).data / "tilth.db")


def open_store(where: str, *, create: bool = False, settings: Settings | None = None) -> Store:
    """
    Open the store at *where*; see `connect` for what it may raise.

    Raises:
        UnsupportedError: the URL names a database that is not supported.
    """
    path, around, is_url = Path(where), surroundings(settings or Settings()), "://" in where
    if create and not is_url and not path.exists():
        create_store(path, around)
    store = _open_at_url(where, around, create=create) if is_url else open_sqlite(path, around)
    try:
        # An older copy that was put here by hand is brought to where the store was.
        reapply_erasures(store)
    except TilthError:
        store.close()
        raise
    return store


def _open_at_url(url: str, around: Surroundings, *, create: bool) -> Store:
    if not url.startswith(("postgresql://", "postgres://")):
        raise UnsupportedError(f"no store speaks {url.partition('://')[0]}://")
    try:
        from tilth.ledger.postgres import store as postgres  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise UnsupportedError(
            "a PostgreSQL store needs an extra", hint="pip install 'tilth[postgres]'"
        ) from error
    try:
        return postgres.open_store(url, around)
    except StoreMissingError:
        if not create:
            raise
    postgres.create_store(url, around)
    return postgres.open_store(url, around)


def restore(backup: str, where: str, settings: Settings) -> int:
    """
    Put a backup in the place of a missing store; see `restore_store` for what it may raise.

    Returns:
        How many events the store holds.
    """
    return restore_store(
        Path(backup), _file(where), surroundings(settings), before_served=finish_erasures
    )


def _file(where: str) -> Path:
    """
    Return the path of a store in a file.

    Raises:
        UnsupportedError: *where* is a URL, and its database has tools of its own.
    """
    if "://" in where:
        raise UnsupportedError(
            "only a store in a file is restored from a file",
            hint="restore a PostgreSQL store with: pg_restore",
        )
    return Path(where)


def replace_store(backup: str, where: str, settings: Settings) -> tuple[int, Path]:
    """
    Put a backup in the place of a store, which is moved aside and kept.

    The backup is restored and verified beside it first; changing the two over
    is then a matter of names.

    Returns:
        How many events the store holds, and where the old one is.

    Raises:
        ConflictError: another process has the old store open.
        CorruptionError: the backup is not whole.
    """
    path, around = _file(where), surroundings(settings)
    known = erasures_of(path, around)

    def erase_again(store: Store) -> None:
        reapply_erasures(store, known)
        finish_erasures(store)

    with TemporaryDirectory(dir=path.parent, prefix=f".{path.name}.restored-") as folder:
        restored = Path(folder) / path.name
        count = restore_store(Path(backup), restored, around, before_served=erase_again)
        aside = set_aside(path, around.clock.now())
        move_whole(restored, path)
    return count, aside


def check_backup(backup: str, settings: Settings) -> int:
    """
    Restore a backup beside itself, verify what comes of it, and throw that away.

    Returns:
        How many events the backup holds.

    Raises:
        StoreMissingError: there is no backup.
        CorruptionError: it is not whole.
    """
    path = Path(backup)
    if not path.exists():
        raise StoreMissingError(f"there is no backup at {backup}")
    with TemporaryDirectory(dir=path.parent, prefix=f".{path.name}.check-") as folder:
        return restore_store(path, Path(folder) / "tilth.db", surroundings(settings))


def default_sources(environ: Mapping[str, str]) -> list[Source]:
    """Return the transcripts that agents left on this machine."""
    importer = FileImporter()
    places = default_places(Path(environ.get("HOME") or Path.home()), environ)
    return [source for place in places for source in importer.find(str(place))]


def legacy_facts(path: str) -> Iterator[Row]:
    """See `tilth.transfer.formats.legacy_facts.read_legacy_facts`."""
    return read_legacy_facts(path)


def hooks(environ: Mapping[str, str]) -> Hooks:
    """Return what this user's hooks and the rest of Tilth share."""
    home = folders(environ)
    return Hooks.within(home.data, home.state, SystemIds())


def hooks_store(environ: Mapping[str, str]) -> str:
    """
    Return the store that hooks record into: that of the settings file, or the default.

    A shell's `TILTH_STORE` is unknown to the program that calls the hooks.
    """
    return _hooks_settings(environ).store or str(folders(environ).data / "tilth.db")


def is_of_hooks(environ: Mapping[str, str], where: str, owner: str | None) -> bool:
    """Say whether a worker for the store at *where* takes up what hooks wrote, as *owner*."""
    told = owner or loaded(environ).settings.owner
    return where == hooks_store(environ) and told == _hooks_settings(environ).owner


def _hooks_settings(environ: Mapping[str, str]) -> Settings:
    file = folders(environ).config
    return load({}, file if file.exists() else None).settings


def host_setup(name: str, environ: Mapping[str, str]) -> HostSetup:
    """
    Return how the host called *name* is set up for this user.

    Raises:
        InvalidInputError: there is no host of that name.
        UnsupportedError: the hook program is not installed.
    """
    beside = Path(sys.executable).parent / PROGRAM
    program = str(beside) if beside.exists() else shutil.which(PROGRAM)
    if program is None:
        raise UnsupportedError(f"{PROGRAM} is not installed", hint="install tilth again")
    return setup_of(name, Wiring(program, environ.get("TILTH_HOME", "")), environ)


def worker_lock(where: str) -> Path:
    """Return the file whose lock the one worker of the store at *where* holds."""
    if "://" not in where:
        return Path(f"{where}.worker")
    name = hashlib.sha256(where.encode()).hexdigest()[:16]
    return folders(os.environ).state / f"{name}.worker"


def stage_log(where: str) -> StageLog:
    """Return the counts of the workers that the store at *where* has had."""
    name = hashlib.sha256(where.encode()).hexdigest()[:16]
    return StageLog(folders(os.environ).state / f"{name}.stages.json")


def sqlite_state() -> tuple[str, str]:
    """Return the version of SQLite in use, and why it is refused; an empty text if it is not."""
    version = apsw.sqlite_lib_version()
    try:
        check_sqlite(version)
    except TilthError as error:
        return version, str(error)
    return version, ""


def has_heads(where: str) -> bool:
    """Say whether signed heads lie beside the store at *where*; other engines keep none there."""
    return "://" in where or heads_path(Path(where)).exists()


def surroundings(settings: Settings) -> Surroundings:
    """Return the clock, chance and folder that stores here use, which know what may happen."""
    load_events()
    return Surroundings(
        SystemClock(), SystemIds(), folders(os.environ).state, settings.busy_timeout_s
    )


def second_tier(settings: Settings) -> Embedder | None:
    """
    Return the embedder of the second tier; it loads when it is first asked.

    Raises:
        InvalidInputError: the settings do not say which model to ask where.
    """
    match settings.embedder:
        case "http":
            if not (settings.embedder_url and settings.embedder_model):
                raise InvalidInputError("embedder = http needs 'embedder_url' and 'embedder_model'")
            return OpenAiCompatibleEmbedder(
                settings.embedder_url, settings.embedder_model, api_key=settings.embedder_key
            )
        case "folder":
            return OnnxFolderEmbedder(Path(settings.embedder_folder))
        case "none":
            return None
        case _:
            return MiniLmEmbedder()
