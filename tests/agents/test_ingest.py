"""From the spool into the store."""

import json
from datetime import timedelta

import pytest

import tilth_spool
from tests.agents.replaying import EXPECTED, payloads
from tests.conftest import AGENT
from tests.fakes import START, CountingIds, HashingEmbedder
from tilth.agents.ingest import ingest_spool
from tilth.agents.injections import Injections
from tilth.agents.read_record import parse_items
from tilth.agents.spool import SpoolFolder
from tilth.core.actor import HOOKS, IMPORTER
from tilth.core.errors import UnavailableError
from tilth.core.instant import to_micros
from tilth.core.scope import DEFAULT_OWNER, Visibility
from tilth.episodes.capture_dedup import without_twins
from tilth.episodes.episode import EpisodeDraft, Role
from tilth.episodes.filters import EpisodeFilter
from tilth.episodes.remember import WriteContext, remember
from tilth.episodes.tables import Episodes
from tilth.ledger.search import Search

RECORDER = WriteContext(by=HOOKS, owner=DEFAULT_OWNER)
PASSING = WriteContext(by=AGENT, owner=DEFAULT_OWNER)
BRINGING = WriteContext(by=IMPORTER, owner=DEFAULT_OWNER)
SEEN = Visibility(DEFAULT_OWNER)


class Hooks:
    """A spool, and what writes and reads it."""

    def __init__(self, folder, store):
        self.folder = folder
        self.store = store
        self.embedder = HashingEmbedder()

    def call(self, host, event, payload, seconds=0.0):
        told = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        at_ns = to_micros(START) * 1000 + int(seconds * 10**9)
        assert tilth_spool.append(str(self.folder), tilth_spool.framed(host, event, at_ns, told))

    def prompt(self, text, seconds=0.0, **payload):
        told = {"session_id": "s1", "cwd": "/home/ada/work/kettle", "prompt": text, **payload}
        self.call("claude-code", "UserPromptSubmit", told, seconds)

    def ingest(self, reading=parse_items):
        spool = SpoolFolder(self.folder)
        return ingest_spool(self.store, self.embedder, spool, reading, recorder=RECORDER)

    def episodes(self):
        with self.store.read() as view:
            return Episodes(view).select(EpisodeFilter(within=SEEN), limit=1000)

    def texts(self):
        return [episode.text for episode in self.episodes()]


@pytest.fixture
def hooks(tmp_path, store):
    return Hooks(tmp_path / "spool", store)


@pytest.mark.row("C-07")
@pytest.mark.parametrize("host", EXPECTED)
@pytest.mark.on_sqlite(but=2)
def test_a_hosts_session_ends_in_the_expected_episodes(hooks, host):
    for seconds, (event, payload) in enumerate(payloads(host)):
        hooks.call(host, event, payload, 10 * seconds)

    hooks.ingest()

    found = [(one.session_id, one.kind, one.role, one.text) for one in hooks.episodes()]
    assert found == EXPECTED[host]


@pytest.mark.row("I6")
@pytest.mark.parametrize("host", EXPECTED)
@pytest.mark.on_sqlite(but=2)
def test_a_host_that_is_wired_twice_is_heard_once(hooks, host):
    for seconds, (event, payload) in enumerate(payloads(host)):
        hooks.call(host, event, payload, 10 * seconds)
        hooks.call(host, event, payload, 10 * seconds + 0.02)

    hooks.ingest()

    assert hooks.texts() == [text for *_, text in EXPECTED[host]]


def test_wired_twice_is_heard_once_in_two_runs_too(hooks):
    hooks.prompt("yes")
    hooks.ingest()
    hooks.prompt("yes", seconds=0.3)
    done = hooks.ingest()

    assert hooks.texts() == ["yes"]
    assert (done.new_count, done.known_count) == (0, 1)


def test_what_a_user_says_twice_is_there_twice(hooks):
    hooks.prompt("yes")
    hooks.prompt("yes", seconds=9)
    hooks.ingest()

    assert hooks.texts() == ["yes", "yes"]


def test_a_replay_changes_nothing(hooks):
    class Forgetful(SpoolFolder):
        def settle(self, batch):
            pass

    for seconds, text in enumerate(["one", "two", "two"]):
        hooks.prompt(text, seconds=9 * seconds)
    spool = Forgetful(hooks.folder)
    ingest_spool(hooks.store, hooks.embedder, spool, parse_items, recorder=RECORDER)

    done = hooks.ingest()

    assert hooks.texts() == ["one", "two", "two"]
    assert (done.new_count, done.known_count) == (0, 3)


def test_a_poisoned_record_is_set_aside_and_blocks_no_other(hooks):
    hooks.prompt("before")
    hooks.call("claude-code", "Stop", b"{not json")
    hooks.call("emacs", "Stop", b"{}")
    hooks.prompt("after", seconds=9)

    done = hooks.ingest()

    assert hooks.texts() == ["before", "after"]
    assert (done.record_count, done.aside_count) == (4, 2)
    aside = [json.loads(line) for line in (hooks.folder / "aside.jsonl").read_text().splitlines()]
    assert [entry["payload"] for entry in aside] == ["{not json", "{}"]
    assert "no JSON" in aside[0]["reason"]
    assert "no host is called 'emacs'" in aside[1]["reason"]


def test_what_a_store_does_not_take_waits_for_the_next_time(hooks):
    class Locked:
        def read(self):
            raise UnavailableError("the store is locked")

        begin = read

    hooks.prompt("kept")
    with pytest.raises(UnavailableError):
        ingest_spool(
            Locked(), hooks.embedder, SpoolFolder(hooks.folder), parse_items, recorder=RECORDER
        )

    assert hooks.ingest().new_count == 1
    assert hooks.texts() == ["kept"]


def test_nothing_is_settled_before_it_is_committed(hooks):
    class Full:
        """A store that can be read and takes nothing."""

        read = hooks.store.read

        def begin(self):
            raise UnavailableError("the disk is full")

    hooks.call("claude-code", "Stop", {"session_id": "s1", "last_assistant_message": "kept"})
    spool = SpoolFolder(hooks.folder)
    with pytest.raises(UnavailableError):
        ingest_spool(Full(), hooks.embedder, spool, parse_items, recorder=RECORDER)

    assert hooks.ingest().new_count == 1
    assert hooks.texts() == ["kept"]


def test_private_spans_and_secrets_never_reach_the_store(hooks):
    hooks.prompt("the pin is <private>4711</private> today")
    hooks.prompt("<private>all of it</private>", seconds=9)
    hooks.ingest()

    assert "4711" not in str(hooks.episodes())
    assert "all of it" not in str(hooks.episodes())


def test_a_session_is_described_once_and_keeps_what_is_known(hooks):
    hooks.prompt("Boil water.")
    hooks.prompt("And then?", seconds=9)
    hooks.ingest()

    with hooks.store.read() as view:
        (session,) = Episodes(view).sessions(SEEN, limit=10)
        head = view.head().seq
    assert session.info.title == "Boil water."
    assert session.info.folder == "/home/ada/work/kettle"
    assert session.scope == "project:work/kettle"

    hooks.prompt("Tea.", seconds=18)
    hooks.ingest()

    with hooks.store.read() as view:
        assert view.head().seq == head + 1


@pytest.mark.row("I25")
def test_fifty_rounds_of_quoting_what_was_injected_add_no_evidence(hooks, tmp_path, place):
    rounds = 50 // place.size_share
    injections = Injections(tmp_path / "injected.log", CountingIds())
    hooks.prompt("The kettle listens on 5433.")
    hooks.ingest(lambda record: parse_items(record, injections.stripped))

    for number in range(rounds):
        brief = injections.fenced(hooks.texts()[0])
        hooks.prompt(f"{brief}\nround {number}", seconds=60 * number + 60)
        quoted = {"session_id": "s1", "last_assistant_message": f"{brief} noted {number}"}
        hooks.call("claude-code", "Stop", quoted, 60 * number + 70)
        hooks.ingest(lambda record: parse_items(record, injections.stripped))

    about = [text for text in hooks.texts() if "5433" in text]
    assert about == ["The kettle listens on 5433."]
    assert len(hooks.texts()) == 1 + 2 * rounds


# --- the same session, heard by hooks and read from its transcript ---


def a_line(text, seconds, role=Role.USER, **metadata):
    return EpisodeDraft(
        text=text,
        role=role,
        session_id="claude-code:s1",
        occurred_at=START + timedelta(seconds=seconds),
        metadata=metadata,
        idempotency_key=f"import:{text}:{seconds}",
    )


def imported(hooks, *drafts):
    with hooks.store.read() as view:
        new = without_twins(view, drafts, SEEN)
    remember(hooks.store, hooks.embedder, new, recorder=BRINGING)
    return len(new)


def test_a_transcript_that_was_imported_is_not_captured_again(hooks):
    imported(hooks, a_line("Boil water.", 0.4), a_line("yes", 20))
    hooks.prompt("Boil water.")
    hooks.prompt("yes", seconds=20.5)
    hooks.prompt("thanks", seconds=40)

    hooks.ingest()

    assert hooks.texts() == ["Boil water.", "yes", "thanks"]


def test_a_session_that_was_captured_is_not_doubled_by_its_transcript(hooks):
    hooks.prompt("Boil water.")
    hooks.prompt("yes", seconds=9)
    hooks.ingest()

    lines = [a_line("Boil water.", 0.4), a_line("thinking aloud", 3), a_line("yes", 9.2)]

    assert imported(hooks, *lines) == 1
    assert hooks.texts() == ["Boil water.", "yes", "thinking aloud"]


@pytest.mark.row("I22")
def test_an_agent_that_hands_over_a_prompt_first_takes_it_from_nobody(hooks):
    rule = "From now on, deploy on Fridays alone."
    said = [a_line(rule, 0.2), a_line(rule, 0.3, hook="UserPromptSubmit")]
    remember(hooks.store, hooks.embedder, said, recorder=PASSING)
    hooks.prompt(rule)

    hooks.ingest()

    assert [one.text for one in hooks.episodes() if one.typed.strip()] == [rule]
    assert imported(hooks, a_line(rule, 0.4)) == 0


def test_one_hook_answers_for_one_line_only(hooks):
    hooks.prompt("yes")
    hooks.ingest()

    assert imported(hooks, a_line("yes", 1), a_line("yes", 8)) == 1


def test_the_same_words_of_another_session_role_or_hour_are_no_twins(hooks):
    hooks.prompt("yes")
    hooks.ingest()

    assert imported(hooks, a_line("yes", 1, role=Role.ASSISTANT)) == 1
    assert imported(hooks, a_line("yes", 3600)) == 1


def test_what_a_tool_painted_on_a_terminal_is_found_by_its_words(hooks):
    told = {"session_id": "s1", "tool_name": "Bash", "tool_input": {"command": "make"}}
    painted = {"stdout": "\x1b[31mred kettle\x1b[0m in \x1b[1mlid.py\x1b[0m", "stderr": ""}
    hooks.call("claude-code", "PostToolUse", told | {"tool_response": painted})
    hooks.call("claude-code", "PostToolUse", told | {"tool_response": painted})
    hooks.prompt("what paints \x1b[31m red?", seconds=3)

    hooks.ingest()

    assert hooks.texts()[1:] == ["red kettle in lid.py", "what paints \x1b[31m red?"]
    with hooks.store.read() as view:
        found = Search(view).lexical(["kettl"], EpisodeFilter(within=SEEN), limit=5)
    assert len(found) == 1


def test_a_tools_outcome_is_known_by_its_id_whatever_its_words(hooks):
    told = {
        "session_id": "s1",
        "tool_name": "Read",
        "tool_input": {"file_path": "/a"},
        "tool_response": {"type": "text", "file": {"content": "water\n"}},
        "tool_use_id": "toolu_1",
    }
    hooks.call("claude-code", "PostToolUse", told)
    hooks.ingest()

    line = EpisodeDraft(
        text="1\twater",
        kind="tool_result",
        role=Role.TOOL,
        session_id="claude-code:s1",
        occurred_at=START,
        metadata={"tool_use_id": "toolu_1"},
        idempotency_key="import:r",
    )

    assert imported(hooks, line) == 0


def transcript(tmp_path, *lines):
    path = tmp_path / "projects" / "-home-ada-work-kettle" / "s1.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    about = {"sessionId": "s1", "cwd": "/home/ada/work/kettle", "version": "2.1.240"}
    with path.open("w") as file:
        for number, line in enumerate(lines):
            at = f"2026-01-01T00:00:{number:02d}.000Z"
            told = {"uuid": f"u{number}", "parentUuid": None, "timestamp": at, **about, **line}
            file.write(json.dumps(told) + "\n")
    return path


def a_message(role, content):
    return {"type": role, "message": {"role": role, "content": content}}


def test_a_captured_session_and_its_transcript_are_one(hooks, brain, tmp_path):
    call = {"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {"command": "ls"}}
    result = {"type": "tool_result", "tool_use_id": "toolu_1", "content": "a  b (shortened)"}
    path = transcript(
        tmp_path,
        a_message("user", "Boil water."),
        a_message("assistant", [{"type": "text", "text": "I shall look first."}]),
        a_message("assistant", [call]),
        a_message("user", [result]),
        a_message("assistant", [{"type": "text", "text": "It boils."}]),
    )
    tool = {"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_use_id": "toolu_1"}
    session = {"session_id": "s1", "cwd": "/home/ada/work/kettle"}
    hooks.prompt("Boil water.", seconds=0.2)
    hooks.call("claude-code", "PostToolUse", session | tool | {"tool_response": "a b"}, 3)
    hooks.call("claude-code", "Stop", session | {"last_assistant_message": "It boils."}, 5)
    hooks.ingest()

    sources = brain.find_sources(str(path))
    (dry,) = brain.import_sources(sources, is_dry_run=True)
    (report,) = brain.import_sources(sources)

    assert sorted(hooks.texts()) == sorted(
        ["Boil water.", 'Bash: {"command": "ls"}', "a b", "It boils.", "I shall look first."]
    )
    assert (report.new_count, report.known_count) == (1, 4)
    assert (dry.new_count, dry.known_count) == (1, 4)


def test_an_imported_session_that_goes_on_is_captured_from_there(hooks, brain, tmp_path):
    path = transcript(tmp_path, a_message("user", "Boil water."), a_message("user", "Now."))
    list(brain.import_sources(brain.find_sources(str(path))))
    hooks.prompt("Boil water.", seconds=0.2)
    hooks.prompt("Now.", seconds=1.3)
    hooks.prompt("Tea, please.", seconds=60)

    hooks.ingest()

    assert hooks.texts() == ["Boil water.", "Now.", "Tea, please."]
    with hooks.store.read() as view:
        assert len(Episodes(view).sessions(SEEN, limit=10)) == 1


def test_what_is_said_without_a_folder_or_in_a_temporary_one_is_in_no_projects_sight(hooks):
    hooks.prompt("From now on never run the tests.", 0, cwd="/tmp/gone/x", session_id="s1")
    hooks.prompt("From now on never lint.", 1, cwd="", session_id="s2")
    hooks.prompt("From now on always lint.", 2, session_id="s3")

    hooks.ingest()

    scopes = {one.text: one.scope for one in hooks.episodes()}
    assert scopes == {
        "From now on never run the tests.": "scratch:tmp/gone/x",
        "From now on never lint.": "unfiled",
        "From now on always lint.": "project:work/kettle",
    }


@pytest.mark.parametrize("is_recorded_at_once", [True, False])
def test_a_session_stays_in_its_project_wherever_its_agent_goes(hooks, is_recorded_at_once):
    hooks.prompt("Begin.", 0)
    if is_recorded_at_once:
        hooks.ingest()
    hooks.prompt("Go on.", 1, cwd="/tmp/gone/build")
    hooks.ingest()

    assert {one.scope for one in hooks.episodes()} == {"project:work/kettle"}
