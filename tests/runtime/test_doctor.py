from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest

from tests.brains import a_model_pool
from tests.conftest import AGENT, a_draft, append
from tests.fakes import HashingEmbedder
from tilth.core.errors import UnavailableError
from tilth.core.scope import DEFAULT_OWNER, GLOBAL, Visibility
from tilth.episodes.episode import EpisodeDraft
from tilth.episodes.remember import WriteContext, remember
from tilth.episodes.session import SessionInfo
from tilth.episodes.sessions import describe
from tilth.llm.budget import Budget, Limits, Price
from tilth.llm.client import ModelSlot
from tilth.llm.task import Task
from tilth.runtime.check import Check, Status
from tilth.runtime.doctor import (
    ConnectedHost,
    Machine,
    Patient,
    Place,
    SpoolState,
    Transcript,
    examine_machine,
    examine_store,
)
from tilth.runtime.stages import BARREN_RUNS_MAX, StageCounts

NOW = datetime(2026, 11, 20, tzinfo=UTC)
GIB = 1 << 30


def make_machine(**changes):
    values = {
        "now": NOW,
        "python": "3.11.7",
        "sqlite": "3.54.1",
        "store": "/data/tilth.db",
        "disk_free_bytes": 5 * GIB,
        "has_heads": True,
        "last_backup_at": NOW - timedelta(days=1),
        "stages": {"spool": StageCounts(made_count=1)},
    }
    return Machine(**(values | changes))


def make_patient(store, **changes):
    values = {
        "store": store,
        "first": HashingEmbedder(),
        "second": None,
        "within": Visibility(),
        "ask": lambda question: [f"about {question}"],
        "model_pool": a_model_pool(),
    }
    return Patient(**(values | changes))


def by_id(checks) -> dict[str, Check]:
    return {check.id: check for check in checks}


def examined(store, machine=None, **changes):
    return by_id(examine_store(make_patient(store, **changes), machine or make_machine()))


@pytest.fixture
def place(make_place_on):
    """One engine is enough here: what a check reads is held by the contract of stores."""
    return make_place_on("sqlite")


@pytest.fixture
def remembering(brain):
    """A store in which something was said that is long enough to ask about."""
    brain.remember("The lighthouse keeper repaired the foghorn before the equinox storm")
    return brain._parts.store


def test_a_healthy_machine_passes_every_check():
    checks = examine_machine(make_machine(places=[Place("data", "/data", 0o700)]))

    assert {check.status for check in checks} == {Status.OK}


@pytest.mark.parametrize(
    ("changes", "failed"),
    [
        ({"sqlite_problem": "it loses commits"}, "runtime.sqlite"),
        ({"settings_problem": "unknown settings: x"}, "settings"),
        ({"store_problem": "there is no store"}, "store.opens"),
        ({"disk_free_bytes": 1000}, "disk"),
    ],
)
def test_a_problem_of_the_machine_fails_its_check(changes, failed):
    checks = examine_machine(make_machine(**changes))

    assert [check.id for check in checks if check.status is Status.FAIL] == [failed]


def test_a_person_reads_what_each_check_looks_at_in_words(remembering):
    places = [Place(name, f"/{name}", 0o700) for name in ("data", "state", "store")]
    machine = make_machine(places=places)
    checks = [*examine_machine(machine), *examined(remembering, machine).values()]

    named = [check.looked_at for check in checks]

    assert [one for one in named if "." in one or not one[0].isupper()] == []
    assert len(set(named)) == len(checks)


def test_a_store_that_does_not_open_names_its_fix():
    checks = examine_machine(make_machine(store_problem="no store", store_fix="tilth init"))

    assert by_id(checks)["store.opens"].fix == "tilth init"


@pytest.mark.parametrize(
    ("mode", "status"), [(0o700, Status.OK), (0o750, Status.WARN), (None, Status.SKIP)]
)
def test_a_folder_that_others_may_read_is_a_warning(mode, status):
    checks = by_id(examine_machine(make_machine(places=[Place("data", "/data", mode)])))

    assert checks["places.data"].status is status


def test_little_disk_space_is_a_warning():
    assert by_id(examine_machine(make_machine(disk_free_bytes=GIB // 2)))["disk"].status == "warn"


def test_a_whole_store_passes(remembering):
    assert {check.status for check in examined(remembering).values()} <= {Status.OK, Status.SKIP}


@pytest.mark.row("OB-073")
def test_the_canary_fails_when_a_question_brings_no_text(remembering):
    check = examined(remembering, ask=lambda _question: ["", "  "])["recall.canary"]

    assert check.status is Status.FAIL


@pytest.mark.row("OB-073")
def test_the_canary_asks_in_words_of_a_stored_episode(remembering):
    asked = []

    examined(remembering, ask=lambda question: asked.append(question) or ["text"])

    assert asked == ["lighthouse repaired equinox foghorn before keeper"]


def test_the_canary_says_that_it_has_no_words_to_ask_by(store):
    append(store, a_draft("hi"))

    check = examined(store)["recall.canary"]

    assert (check.status, check.summary) == (
        Status.SKIP,
        "what was said last has too few words to ask by",
    )


def test_the_canary_writes_nothing(remembering):
    with remembering.read() as view:
        before = view.head()

    examined(remembering)

    with remembering.read() as view:
        assert view.head() == before


def test_an_empty_store_has_no_canary(store):
    assert examined(store)["recall.canary"].status is Status.SKIP


@pytest.mark.parametrize(
    ("changes", "check"),
    [
        ({"has_heads": False}, "store.heads"),
        ({"last_backup_at": None}, "store.backup"),
        ({"last_backup_at": NOW - timedelta(days=30)}, "store.backup"),
        ({"transcripts": [Transcript("file:///a", "codex")]}, "import.transcripts"),
    ],
)
def test_what_could_get_lost_is_a_warning_with_a_fix(store, changes, check):
    found = examined(store, make_machine(**changes))[check]

    assert found.status is Status.WARN
    assert found.fix.startswith("tilth ")


def test_transcripts_that_their_agent_removes_soon_are_counted(store):
    machine = make_machine(
        transcripts=[
            Transcript("file:///old", "claude-code", NOW + timedelta(days=5)),
            Transcript("file:///new", "claude-code", NOW + timedelta(days=28)),
            Transcript("file:///kept", "codex"),
        ]
    )

    detail = examined(store, machine)["import.transcripts"].detail

    assert detail == {"waiting_count": 3, "expiring_count": 1}


@pytest.mark.parametrize(
    ("spool", "status", "says"),
    [
        (SpoolState(), Status.OK, "0 KiB wait"),
        (SpoolState(waiting_bytes=1 << 20), Status.OK, "1,024 KiB wait"),
        (SpoolState(waiting_bytes=9 << 20), Status.WARN, "9,216 KiB wait"),
        (SpoolState(lost_count=2), Status.WARN, "2 events of hooks were lost"),
        (SpoolState(lost_count=1), Status.WARN, "1 event of hooks was lost"),
        (SpoolState(aside_bytes=9), Status.WARN, "could not be read"),
    ],
)
def test_what_hooks_wrote_and_nobody_took_up_is_told(spool, status, says):
    check = by_id(examine_machine(make_machine(spool=spool)))["hooks.spool"]

    assert check.status is status
    assert says in check.summary


def test_a_spool_that_takes_nothing_is_a_failure():
    machine = make_machine(spool_problem="Not a directory: /data/spool")
    check = by_id(examine_machine(machine))["hooks.spool"]

    assert check.status is Status.FAIL
    assert "what agents tell is lost: Not a directory: /data/spool" in check.summary


def test_a_pause_that_goes_on_is_told_with_what_ends_it():
    check = by_id(examine_machine(make_machine(is_paused=True)))["hooks.paused"]

    assert (check.status, check.fix) == (Status.WARN, "tilth resume")


def test_a_store_on_a_server_wants_no_backup_of_ours(store):
    machine = make_machine(store="postgresql://localhost/brain", last_backup_at=None)
    check = by_id(examine_store(make_patient(store), machine))["store.backup"]

    assert check.status is Status.SKIP


def test_a_stage_that_makes_nothing_of_what_it_finds_is_told():
    sound, barren = StageCounts(made_count=1), StageCounts(barren_runs=BARREN_RUNS_MAX)

    def stages(**counts):
        return by_id(examine_machine(make_machine(stages=counts)))["worker.stages"]

    assert stages().status is Status.SKIP
    assert stages(vectors=sound).status is Status.OK
    assert stages(vectors=sound, spool=barren).status is Status.WARN
    assert stages(spool=barren).summary.startswith("spool found work 10 times in a row")


def test_a_host_that_was_set_up_and_never_heard_is_told(store):
    long_ago, just_now = NOW - timedelta(days=3), NOW - timedelta(minutes=5)
    draft = EpisodeDraft(text="hello", session_id="cursor:s", occurred_at=NOW)
    recorder = WriteContext(by=AGENT, owner=DEFAULT_OWNER)
    describe(store, draft.session_id, SessionInfo(host="cursor"), scope=GLOBAL, recorder=recorder)
    remember(store, HashingEmbedder(), [draft], recorder=recorder)

    def heard(**hosts):
        machine = make_machine(hosts=[ConnectedHost(host, at) for host, at in hosts.items()])
        return examined(store, machine)["hooks.heard"]

    assert heard().status is Status.SKIP
    assert heard(cursor=long_ago, codex=just_now).status is Status.OK
    assert heard(cursor=long_ago, codex=long_ago).status is Status.WARN
    assert heard(codex=long_ago).summary == "not heard since it was set up: codex"


def test_episodes_without_a_vector_of_the_second_tier_are_counted(remembering):
    second = HashingEmbedder(32)

    check = examined(remembering, second=second)["vectors.backlog"]

    assert check.status is Status.WARN
    assert check.detail == {"episode_count": 1}


def test_vectors_of_a_model_that_is_not_in_use_are_told(remembering):
    check = examined(remembering, first=HashingEmbedder(32))["vectors.spaces"]

    assert check.status is Status.WARN
    assert "hashing-64" in check.summary


@pytest.mark.row("MP-04")
def test_vectors_that_were_lost_are_told_with_what_makes_them_again(remembering, place):
    place.tamper("DELETE FROM vectors")

    check = examined(remembering)["vectors.spaces"]

    assert check.status is Status.FAIL
    assert check.summary.startswith("1 of the episodes and facts have no vector of hashing-64")
    assert check.fix == "tilth rebuild"


def test_a_model_that_does_not_answer_fails_its_check_and_no_other(remembering):
    class Silent(HashingEmbedder):
        def embed(self, texts):
            raise UnavailableError("the model does not answer", hint="start it")

    checks = examined(remembering, first=Silent())

    failed = [check.id for check in checks.values() if check.status is Status.FAIL]
    assert failed == ["vectors.first"]
    assert checks["vectors.first"].fix == "start it"


def test_a_model_with_vectors_of_another_length_fails(remembering):
    class Wrong(HashingEmbedder):
        def embed(self, texts):
            return super().embed(texts)[:, :5]

    assert examined(remembering, first=Wrong())["vectors.first"].status is Status.FAIL


def test_a_damaged_store_fails(remembering, place):
    place.tamper("UPDATE ledger SET actor = 'somebody else' WHERE seq = 2")

    assert examined(remembering)["store.whole"].status is Status.FAIL


def test_of_a_large_store_the_lines_are_proved_and_what_is_made_of_them_is_not(
    remembering, place, monkeypatch
):
    monkeypatch.setattr("tilth.runtime.doctor.VERIFIED_EVENTS_MAX", 1)
    place.tamper("DELETE FROM namings")
    check = examined(remembering)["store.whole"]
    assert (check.status, "also compares the tables" in check.summary) == (Status.OK, True)

    place.tamper("UPDATE ledger SET actor = 'somebody else' WHERE seq = 2")
    assert examined(remembering)["store.whole"].status is Status.FAIL


FREE = Price(Decimal(0), Decimal(0))
AMPLE = Budget(day=Limits(9, 9, 9))


@pytest.mark.parametrize(
    ("worker", "budget", "status", "words"),
    [
        (None, Budget(), Status.SKIP, "none is needed"),
        (ModelSlot(name="small", price=FREE), AMPLE, Status.OK, "1 task goes to small"),
        (ModelSlot(name="small", price=FREE), Budget(), Status.WARN, "spend_day"),
        (ModelSlot(name="small"), AMPLE, Status.WARN, "model_prices"),
        (
            ModelSlot(name="small", price=FREE, problem="claude is not installed"),
            AMPLE,
            Status.WARN,
            "not installed",
        ),
    ],
)
def test_it_tells_what_keeps_a_language_model_from_working(store, worker, budget, status, words):
    workers = {} if worker is None else {Task.TONE: worker}
    check = examined(store, model_pool=replace(a_model_pool(), workers=workers, budget=budget))[
        "models"
    ]

    assert check.status is status
    assert words in check.summary


def test_a_clock_that_was_ahead_once_is_told(store, place):
    place.clock.at = NOW + timedelta(days=3650)
    append(store, a_draft("written in the future"))

    found = examined(store)["store.clock"]

    assert (found.status, found.detail["ahead_days"]) == (Status.WARN, 3650)
    later = make_machine(now=NOW + timedelta(days=3650))
    assert examined(store, later)["store.clock"].status is Status.OK
