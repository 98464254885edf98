"""
Connect the parts of the system: the one module that knows every concrete class.

Loading all of them takes longer than most commands run, so each function imports what it needs.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from tilth.agents.injections import Injections
from tilth.agents.state_folder import StateFolder
from tilth.core.actor import Actor, ActorKind
from tilth.core.errors import InvalidInputError, StoreMissingError, TilthError, UnsupportedError
from tilth.core.io.paths import users_home
from tilth.core.scope import parse_owner
from tilth.episodes.remember import WriteContext
from tilth.gaps.task_lists import OutboxFolder, outbox_of
from tilth.ledger.heads import store_named_in
from tilth.ledger.sqlite.store import commands_to_put_back, create_store, far_heads_path, heads_path
from tilth.ledger.sqlite.store import open_store as open_sqlite
from tilth.ledger.store import Store, StoreEnvironment
from tilth.ledger.tables import Tombstones
from tilth.recall.recaller import Recaller
from tilth.runtime import features  # noqa: F401 - what a brain is made of
from tilth.runtime.brain import Brain
from tilth.runtime.dependencies import Dependencies
from tilth.runtime.features import tables_version
from tilth.runtime.lazy import lazy
from tilth.runtime.places import Folders, folders, hooks_store, loaded, place, state_file
from tilth.runtime.settings import Settings
from tilth.runtime.system import SystemClock, SystemIds

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from tilth.agents.hooks import Hooks
    from tilth.agents.hosts.servers import Server
    from tilth.agents.hosts.setup import HostSetup
    from tilth.context.work.reading_cache import KeptReadings
    from tilth.discovery.model import WebAccess
    from tilth.embedding.embedder import Embedder, FirstTier
    from tilth.erasure.surrounding_files import LocalFiles
    from tilth.gaps.task_lists import LocalTaskLists
    from tilth.llm.client import ModelPool, ModelSlot
    from tilth.llm.task import ModelChoice
    from tilth.recall.lexicon import Lexicon
    from tilth.runtime.worker.stage_log import StageLog
    from tilth.snapshots.folder import SnapshotFolder
    from tilth.transfer.export import ExportContext
    from tilth.transfer.file_importer import FileImporter
    from tilth.transfer.ledger_file import LedgerFile
    from tilth.transfer.model import Source

# The actor of a program that did not say who it is: the least that may write.
ANYONE = Actor("python", ActorKind.AGENT)
# How many models run at once: both tiers for two questions.
_MODELS_AT_ONCE = 4


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
        create: Whether to make a missing store. Otherwise a missing store is an error, so that a
            mistyped path never looks like a lost memory.
        actor: Who acts through this brain.
        owner: Whose items are read and written; None for the owner in the settings.
        settings: The settings; None reads the environment and the settings file.

    Raises:
        StoreMissingError: there is no store, and *create* is false.
        ForeignStoreError: the file or database is not a store of Tilth.
        NewerSchemaError: a newer version of this program wrote it.
        UnsafeSqliteError: this SQLite can lose commits.
        InvalidInputError: a setting is wrong, or *actor* is not valid.
    """
    if not isinstance(actor, Actor):
        raise InvalidInputError(
            f"an actor is an object, not {str(actor)[:100]!r}",
            hint="a person is named so: actor=tilth.Human('ana')",
        )
    settings = settings or loaded(os.environ).settings
    home, where = folders(os.environ), place(store, settings)
    first, second, clock = lazy(_first_tier), second_tier(settings), SystemClock()
    ours = Injections(StateFolder(home.state).injected, SystemIds())
    told = parse_owner(settings.owner if owner is None else owner)
    opened = open_store(where, create=create, settings=settings)
    return Brain(
        Dependencies(
            store=opened,
            clock=clock,
            first=first,
            second=second,
            importer=lazy(lambda: _importer(ours.stripped)),
            export_context=lazy(lambda: _export_context(home.state)),
            settings=settings,
            recorder=WriteContext(by=actor, owner=told, transports=settings.known_transports),
            recaller=Recaller(
                first,
                second_tier(settings, use_onnx=False),
                lazy(lambda: _lexicon(first)),
                clock,
                lazy(_executor),
            ),
            fence=ours,
            model_pool=lazy(lambda: model_pool_of(settings, os.environ)),
            surrounding_files=lazy(lambda: _surrounding_files(where, home, settings)),
            outbox=OutboxFolder(outbox_of(where, home.data)),
            task_lists=lazy(_task_lists),
            snapshots=lazy(lambda: _snapshots(home.data, opened.store_id, told)),
            web_access=lazy(lambda: web_access_of(settings, os.environ)),
            garden=garden_of(where, home.data, settings),
            readings=lazy(lambda: _readings(home.state, where)),
        )
    )


def web_access_of(settings: Settings, environ: Mapping[str, str]) -> WebAccess:
    """Return the web search and the page reader that are set up."""
    if not (settings.search_providers or settings.web_fetch):
        from tilth.discovery.model import WebAccess

        return WebAccess()
    from tilth.discovery.web.web_access import web_access

    return web_access(
        settings.providers,
        environ,
        is_fetching=settings.web_fetch,
        ports=settings.ports_fetched,
    )


def garden_of(where: str, data: Path, settings: Settings) -> Path:
    """Return the garden's folder: as set, or beside the store; see `outbox_of`."""
    if settings.garden_folder:
        return Path(settings.garden_folder).expanduser()
    return outbox_of(where, data).with_suffix(".garden")


def _first_tier() -> FirstTier:
    from tilth.embedding.static import StaticEmbedder

    return StaticEmbedder()


def _importer(strip: Callable[[str], str] = str) -> FileImporter:
    from tilth.transfer.file_importer import FileImporter

    return FileImporter(strip)


def _export_context(state: Path) -> ExportContext:
    from tilth.transfer.export import ExportContext
    from tilth.transfer.export_file import NotedExports

    return ExportContext(NotedExports(state), SystemClock())


def _snapshots(data: Path, store_id: str, owner: str) -> SnapshotFolder:
    from tilth.snapshots.folder import SnapshotFolder, snapshots_of

    return SnapshotFolder(snapshots_of(data, store_id) / owner)


def _readings(state: Path, where: str) -> KeptReadings:
    from tilth.context.work.reading_cache import KeptReadings
    from tilth.core.io.text_cache import TextCache
    from tilth.runtime.features import readers_version

    return KeptReadings(TextCache(state / "readings"), where, readers_version)


def _lexicon(first: FirstTier) -> Lexicon:
    from threading import RLock

    from tilth.recall.lexicon import Lexicon

    return Lexicon(first, RLock())


def _executor() -> Executor:
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(_MODELS_AT_ONCE)


def _surrounding_files(where: str, home: Folders, settings: Settings) -> LocalFiles:
    from tilth.erasure.erase import reapply_erasures
    from tilth.erasure.surrounding_files import LocalFiles
    from tilth.ledger.sqlite.move_aside import repeat_erasures_in

    around, garden = store_environment(settings), garden_of(where, home.data, settings)
    return LocalFiles(
        where,
        home.data,
        home.state,
        garden,
        lambda path: repeat_erasures_in(path, around, reapply_erasures),
    )


def _task_lists() -> LocalTaskLists:
    from tilth.gaps.task_lists import LocalTaskLists

    return LocalTaskLists(os.environ)


def model_pool_of(settings: Settings, environ: Mapping[str, str]) -> ModelPool:
    """Return the language models that the settings choose, with their budgets."""
    from threading import Event

    from tilth.core.ids import encode_ulid
    from tilth.llm.client import ModelPool
    from tilth.runtime.system import SystemPatience

    hired = {
        strength: _worker(choice, settings, environ)
        for strength, choice in settings.model_choices.items()
    }
    cancelled, ids = Event(), SystemIds()
    return ModelPool(
        workers={task: hired[one] for task, one in settings.task_strengths.items() if one in hired},
        budget=settings.budget,
        patience=lambda: SystemPatience(settings.model_timeout_s, cancelled),
        cancel=cancelled.set,
        ids=ids,
        run=encode_ulid(ids.ulid(SystemClock().now())),
    )


def _worker(choice: ModelChoice, settings: Settings, environ: Mapping[str, str]) -> ModelSlot:
    from tilth.llm.client import ModelSlot
    from tilth.llm.providers.create_model import model_of

    price = settings.prices.get(choice.name)
    try:
        return ModelSlot(name=choice.name, model=model_of(choice, environ), price=price)
    except TilthError as error:
        return ModelSlot(name=choice.name, price=price, problem=str(error))


_MAKE = "make one with: tilth init"


def open_store(where: str, *, create: bool = False, settings: Settings | None = None) -> Store:
    """
    Open the store at *where*; see `connect` for further errors.

    Raises:
        UnsupportedError: the URL names a database that is not supported.
    """
    path, around, is_url = Path(where), store_environment(settings or Settings()), "://" in where
    if create and not is_url and not path.exists():
        create_store(path, around)
    try:
        store = _open_at_url(where, around, create=create) if is_url else open_sqlite(path, around)
    except StoreMissingError as error:
        if not error.hint.startswith(_MAKE) or where != place(None, settings or Settings()):
            raise
        # The error names no path: the missing store is the default one.
        raise StoreMissingError(str(error), hint=_MAKE) from None
    try:
        _erase_again(store)
    except TilthError:
        store.close()
        raise
    return store


def load_store(file: LedgerFile, where: str, settings: Settings) -> tuple[int, bool]:
    """
    Make a store at *where*, a path or a URL, from the file of a whole ledger.

    Returns:
        How many events it holds, and whether its tables are exactly what they were.

    Raises:
        ConflictError: there is a store already.
        CorruptionError: the file is not as it was written.
    """
    around = store_environment(settings)
    if "://" in where:
        from tilth.ledger.postgres.store import create_store as create_postgres

        create_postgres(where, around, rows=file.rows(), store_id=file.store_id)
    else:
        create_store(Path(where), around, rows=file.rows(), store_id=file.store_id)
    store = open_store(where, settings=settings)
    try:
        return file.through, store.digest() == file.digest
    finally:
        store.close()


def repair_store(where: str, settings: Settings) -> Path | None:
    """
    Rebuild the store at *where* from its ledger; the store need not open.

    Returns:
        Where the damaged file is now; None for a database behind a URL.

    Raises:
        ConflictError: another process has it open.
        CorruptionError: the ledger itself is damaged; nothing was changed.
    """
    around = store_environment(settings)
    if "://" in where:
        from tilth.ledger.postgres.repair import repair_store as mend_postgres

        mend_postgres(where, around)
        return None
    from tilth.ledger.sqlite.repair import repair_store as mend_sqlite

    return mend_sqlite(Path(where), around)


def is_mendable(where: str, settings: Settings) -> bool:
    """Say whether the ledger of the store at *where* is whole, whatever happened to the rest."""
    around = store_environment(settings)
    try:
        if "://" in where:
            from tilth.ledger.postgres.repair import prove_ledger as prove_postgres

            prove_postgres(where, around)
        else:
            from tilth.ledger.sqlite.repair import prove_ledger as prove_sqlite

            prove_sqlite(Path(where), around)
    except TilthError:
        return False
    return True


def _erase_again(store: Store) -> None:
    """Repeat known erasures in a store, in case somebody put an older copy in its place."""
    with store.read() as view:
        there = Tombstones(view)
        if not any(there.present(one.event_ids[:1]) for one in store.erasures.known()):
            return
    from tilth.erasure.erase import reapply_erasures

    reapply_erasures(store)


def _open_at_url(url: str, around: StoreEnvironment, *, create: bool) -> Store:
    if not url.startswith(("postgresql://", "postgres://")):
        raise UnsupportedError(
            f"no store speaks {url.partition('://')[0]}://",
            hint="name a file, or postgresql://HOST/DATABASE",
        )
    try:
        from tilth.ledger.postgres import store as postgres
    except ImportError as error:
        raise UnsupportedError(
            "a PostgreSQL store needs an extra",
            hint="install 'tilth[postgres]', by uv tool, pipx or pip",
        ) from error
    try:
        return postgres.open_store(url, around)
    except StoreMissingError:
        if not create:
            raise
    postgres.create_store(url, around)
    return postgres.open_store(url, around)


def default_sources(environ: Mapping[str, str]) -> list[Source]:
    """Return the transcripts that agents left on this machine."""
    from tilth.transfer.file_importer import default_places

    importer = _importer()
    places = default_places(Path(users_home(environ)), environ)
    return [source for place in places for source in importer.find(str(place))]


def hooks(environ: Mapping[str, str]) -> Hooks:
    """Return what this user's hooks share with the rest of Tilth."""
    from tilth.agents.hooks import Hooks

    home = folders(environ)
    return Hooks.within(home.data, home.state, SystemIds())


def host_setup(name: str, environ: Mapping[str, str], *, has_tools: bool = False) -> HostSetup:
    """
    Return how the host *name* is set up for this user, with or without the memory's tools.

    Raises:
        InvalidInputError: there is no such host.
        UnsupportedError: a program of Tilth is not installed.
    """
    from tilth.agents.hosts.hook_entries import PROGRAM
    from tilth.agents.hosts.registry import find_host
    from tilth.agents.hosts.setup import Programs

    server = _mcp_server(environ) if has_tools else None
    programs = Programs(_installed(PROGRAM), environ.get("TILTH_HOME", ""), server)
    return find_host(name).setup(programs, environ)


def _mcp_server(environ: Mapping[str, str]) -> Server:
    """Return how hosts start the MCP server, for the store that hooks record into."""
    from tilth.agents.hosts.servers import NAME, VARIABLES, Server

    store = hooks_store(environ)
    # A URL may hold a password, which must not go into a host's file; the settings have it.
    named = () if "://" in store else ("--store", str(Path(store).absolute()))
    told = {name: environ[name] for name in VARIABLES if environ.get(name)}
    return Server(_installed(NAME), ("mcp", *named), told)


def shell_command() -> str:
    """
    Return how a shell starts `tilth`: by name, or by path if the name is not found.

    Raises:
        UnsupportedError: it is not installed.
    """
    import shutil

    from tilth.agents.hosts.servers import NAME

    return NAME if shutil.which(NAME) else _installed(NAME)


def _installed(name: str) -> str:
    import shutil

    beside = Path(sys.executable).parent / name
    program = str(beside) if beside.exists() else shutil.which(name)
    if program is None:
        raise UnsupportedError(f"{name} is not installed", hint="install tilth again")
    return program


def stage_log(where: str) -> StageLog:
    """Return the log with the counts of the worker's stages for the store at *where*."""
    from tilth.runtime.worker.stage_log import StageLog

    return StageLog(state_file(where, "stages.json"))


def sqlite_state() -> tuple[str, str]:
    """Return the version of SQLite in use, and why it is refused; empty if it is not."""
    import apsw

    from tilth.ledger.sqlite.open_database import check_sqlite

    version = apsw.sqlite_lib_version()
    try:
        check_sqlite(version)
    except TilthError as error:
        return version, str(error)
    return version, ""


def has_heads(where: str) -> bool:
    """Say whether signed heads lie beside the store at *where*; true for a URL, without any."""
    return "://" in where or heads_path(Path(where)).exists()


def store_id_at(where: str) -> str | None:
    """Return the ID of the store that was last in the file *where*; None if unknown."""
    path = Path(where)
    far = far_heads_path(path, store_environment(Settings()))
    return store_named_in(far) or store_named_in(heads_path(path))


def put_back_command(where: str) -> str:
    """Return the command that puts back a store that a killed process moved aside; or empty."""
    return "" if "://" in where else commands_to_put_back(Path(where))


def store_environment(settings: Settings) -> StoreEnvironment:
    """Return the clock, source of chance and state folder of stores here."""
    return StoreEnvironment(
        SystemClock(),
        SystemIds(),
        folders(os.environ).state,
        settings.busy_timeout_s,
        tables_version(),
    )


def second_tier(settings: Settings, *, use_onnx: bool = True) -> Embedder | None:
    """
    Return the embedder of the second tier, which loads on first use.

    For one question at a time, the bundled model is as fast on numpy as on onnxruntime, which takes
    ten times as long to load.

    Raises:
        InvalidInputError: the settings lack the model or address to ask.
    """
    match settings.embedder:
        case "http":
            if not (settings.embedder_url and settings.embedder_model):
                raise InvalidInputError("embedder = http needs 'embedder_url' and 'embedder_model'")
            from tilth.embedding.openai_compatible import OpenAiCompatibleEmbedder

            return OpenAiCompatibleEmbedder(
                settings.embedder_url, settings.embedder_model, api_key=settings.embedder_key
            )
        case "folder":
            from tilth.embedding.onnx_folder import OnnxFolderEmbedder

            return OnnxFolderEmbedder(Path(settings.embedder_folder))
        case "none":
            return None
        case _:
            return lazy(lambda: _minilm(use_onnx=use_onnx))


def _minilm(*, use_onnx: bool) -> Embedder:
    from tilth.embedding.minilm import MiniLmEmbedder

    return MiniLmEmbedder(use_onnx=use_onnx)
