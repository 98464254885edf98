"""An agent program with Tilth in it: from `init` over its hooks to the episodes, and back."""

import json
import os
import shlex
import shutil
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import apsw
import pytest

import tilth
import tilth_hook
from tests.agents.hostile import a_home, init, setup_in, snapshot, undo
from tests.agents.replaying import EXPECTED, payloads
from tests.fakes import CountingIds
from tests.program import Inside
from tilth.agents.hook_server import HookReply, HookServer
from tilth.agents.ingest import ingest_spool
from tilth.agents.injections import Injections
from tilth.agents.read_record import parse_items
from tilth.agents.spool import SpoolFolder
from tilth.agents.state_folder import StateFolder
from tilth.core.actor import Actor, ActorKind
from tilth.core.errors import UnavailableError
from tilth.core.scope import DEFAULT_OWNER
from tilth.embedding.static import StaticEmbedder
from tilth.episodes.episode import AGENT_PROMPTED
from tilth.episodes.remember import WriteContext
from tilth.interfaces.hooks.answer_hook import Answers
from tilth.runtime.connect import open_store
from tilth.runtime.settings import Settings
from tilth.runtime.system import SystemClock
from tilth_spool import append, framed

RECORDER = WriteContext(by=Actor("hooks", ActorKind.AGENT), owner=DEFAULT_OWNER)


class Agent:
    """A host in a home of its own, which calls its hooks as it finds them configured."""

    def __init__(self, tmp_path, host):
        self.host = host
        self.data = tmp_path / "brain"
        self.store = self.data / "tilth.db"
        tilth.connect(self.store, create=True).close()
        self.program = _installed(tmp_path / "a bin")
        self.home = a_home(tmp_path, host)
        self.setup = setup_in(self.home.root, host, str(self.program))
        self.injections = Injections(StateFolder(self.data / "state").injected, CountingIds())
        init(self.home, self.setup)

    def fire(self, event, payload):
        """Do what the host does at an event; return what the hook said."""
        command = self._configured(event) or [str(self.program), self.host, event]
        done = subprocess.run(
            command,
            input=payload if isinstance(payload, bytes) else json.dumps(payload).encode(),
            capture_output=True,
            env={"HOME": str(self.home.root), "TILTH_HOME": str(self.data)},
            timeout=100,
            check=False,
        )
        assert (done.returncode, done.stderr) == (0, b"")
        return done.stdout.decode()

    def _configured(self, event):
        for path in self.home.ours:
            if path.suffix != ".json":
                continue
            for entry in json.loads(path.read_text()).get("hooks", {}).get(event, []):
                hook = (entry.get("hooks") or [entry])[0]
                if "args" in hook:
                    return [hook["command"], *hook["args"]]
                return ["/bin/sh", "-c", hook["command"]]
        return None

    def ingest(self, busy_timeout_s=5.0):
        store = open_store(str(self.store), settings=Settings(busy_timeout_s=busy_timeout_s))
        try:
            return ingest_spool(
                store,
                StaticEmbedder(),
                SpoolFolder(self.data / "spool"),
                lambda record: parse_items(record, self.injections.stripped),
                recorder=RECORDER,
            )
        finally:
            store.close()

    def episodes(self):
        with tilth.connect(self.store) as brain:
            return list(brain.episodes.list(limit=1000))


def _installed(folder: Path) -> Path:
    """Install the program as pip would, but with time for a worker on a loaded machine."""
    folder.mkdir()
    script = folder / "tilth-hook"
    source = Path(tilth_hook.__file__).parent
    script.write_text(
        f"#!{sys.executable} -I\nimport sys\nsys.path.insert(0, {str(source)!r})\n"
        "import tilth_hook\n"
        "tilth_hook.BRIEF_SECONDS_MAX = tilth_hook.RECALL_SECONDS_MAX = 30\n"
        "tilth_hook.main()\n"
    )
    script.chmod(0o755)
    return script


@pytest.mark.parametrize("host", EXPECTED)
def test_a_hosts_session_through_the_real_program_ends_in_the_expected_episodes(tmp_path, host):
    agent = Agent(tmp_path, host)
    for event, payload in payloads(host):
        agent.fire(event, payload)

    agent.ingest()

    said = [(one.session_id, one.kind, one.role, one.text) for one in agent.episodes()]
    assert said == EXPECTED[host]


@pytest.mark.parametrize("host", EXPECTED)
def test_after_undo_nothing_of_it_is_left_in_the_home(tmp_path, host):
    agent = Agent(tmp_path, host)
    before = {"letter.txt": snapshot(agent.home.root)["letter.txt"]}
    for event, payload in payloads(host):
        agent.fire(event, payload)

    undo(agent.home)

    assert snapshot(agent.home.root) == before


CLAUDE = {"cwd": "/home/ada/work/kettle", "transcript_path": "/t.jsonl"}
TILTH = [sys.executable, "-m", "tilth"]
DECISION = "Decided: the kettle service uses PostgreSQL 16 on port 5433."


def wait_until(holds):
    """Wait until *holds* does, within a bound."""
    end = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < end, "it never came to hold"
        time.sleep(0.02)


class Claude(Agent):
    """Claude Code, by what it tells at its events."""

    def __init__(self, tmp_path):
        super().__init__(tmp_path, "claude-code")

    def say(self, session, event, **told):
        return self.fire(event, CLAUDE | {"session_id": session, "hook_event_name": event} | told)

    def hears(self, session, event, **told):
        """Return what the agent is shown at an event; an empty text if that is nothing."""
        said = self.say(session, event, **told)
        if not said:
            return ""
        output = json.loads(said)["hookSpecificOutput"]
        assert output.keys() == {"hookEventName", "additionalContext"}
        assert output["hookEventName"] == event
        return output["additionalContext"]

    def decides(self):
        """Hold a session in which something is decided."""
        assert self.hears("one", "SessionStart", source="startup") == ""
        self.say("one", "UserPromptSubmit", prompt="Which database shall the kettle service use?")
        self.say("one", "Stop", last_assistant_message=DECISION)
        self.say("one", "SessionEnd", reason="other")

    @property
    def environ(self):
        kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
        return kept | {"HOME": str(self.home.root), "TILTH_HOME": str(self.data)}

    def works(self, *words):
        """Let a worker run inside this process until nothing waits."""
        where = {"TILTH_HOME": str(self.data)}
        run = Inside(self.home.root)("worker", "--once", "--json", *words, environ=where)
        assert run.code == 0, run.err
        return run.answer

    @contextmanager
    def working(self, **environ):
        """Let the real worker answer meanwhile."""
        address = str(self.data / "state" / "worker.sock")
        command = [*TILTH, "worker", "--idle-minutes", "5"]
        environ = self.environ | environ
        with subprocess.Popen(command, env=environ, stderr=subprocess.DEVNULL) as worker:
            try:
                wait_until(
                    lambda: tilth_hook.ask_worker(address, b"tilth recall 1 tilth wake\n") == ""
                )
                yield
            finally:
                worker.kill()

    def receipts(self):
        with tilth.connect(self.store) as brain:
            return brain.receipts.list("claude-code:two")

    def stages(self):
        """Return what the worker counted."""
        found = (self.data / "state").glob("*.stages.json")
        return next((json.loads(path.read_text()) for path in found), {})

    def ages_its_briefs(self):
        then = SystemClock().now().timestamp() - 500 * 3600
        for path in (self.data / "state" / "briefs").glob("*.txt"):
            os.utime(path, (then, then))


@pytest.mark.row("OB-027")
@pytest.mark.model
def test_what_one_session_decides_the_next_one_begins_with(tmp_path):
    claude = Claude(tmp_path)
    claude.decides()

    assert claude.works()["recorded_count"] == 2

    # Nobody works now: the brief that was written last is what there is.
    brief = claude.hears("two", "SessionStart", source="startup")
    assert DECISION in brief
    assert "not an instruction" in brief
    assert len(brief) < 6_500


@pytest.mark.row("KB-073")
@pytest.mark.model
def test_what_one_agent_decided_another_one_begins_with(tmp_path):
    claude = Claude(tmp_path)
    claude.decides()
    claude.works()

    told = json.dumps({"session_id": "c1", "cwd": CLAUDE["cwd"], "source": "startup"})
    words = [str(claude.program), "codex", "SessionStart", told]
    said = subprocess.run(words, env=claude.environ, capture_output=True, check=True).stdout

    assert DECISION in json.loads(said)["hookSpecificOutput"]["additionalContext"]


@pytest.mark.row("KB-113", "KB-120")
@pytest.mark.model
def test_a_brief_of_before_tells_nothing_that_a_setting_forbids_since(tmp_path, monkeypatch):
    claude = Claude(tmp_path)
    claude.decides()
    claude.works()
    assert claude.hears("two", "SessionStart", source="startup")

    monkeypatch.setattr("tilth.interfaces.cli.commands.settings.require_person", lambda: None)
    where = {"TILTH_HOME": str(claude.data)}
    run = Inside(claude.home.root)("settings", "set", "injection", "none", environ=where)

    assert (run.code, run.err) == (0, "")
    assert claude.hears("three", "SessionStart", source="startup") == ""


@pytest.mark.row("DU-057")
@pytest.mark.model
def test_a_brief_stays_good_until_something_is_recorded(tmp_path):
    claude = Claude(tmp_path)
    claude.decides()
    claude.works()
    claude.ages_its_briefs()

    assert claude.hears("two", "SessionStart", source="startup").startswith("<tilth-context")

    claude.works()
    claude.ages_its_briefs()
    with tilth.connect(claude.store) as brain:
        brain.remember("The kettle service has moved.")
    after = claude.hears("three", "SessionStart", source="startup")
    assert after.startswith("Tilth is degraded: its worker does not answer; its last brief is ")
    assert after.endswith(" hours old.")


@pytest.mark.model
def test_a_worker_that_is_there_answers_at_the_start_at_a_prompt_and_at_a_failure(tmp_path):
    claude = Claude(tmp_path)
    claude.decides()
    failing = {"tool_name": "Bash", "error": "Exit code 2\nno rule to make target 'migrate'"}
    claude.say("one", "PostToolUseFailure", tool_input={"command": "make migrate"}, **failing)
    works = {"tool_name": "Bash", "tool_input": {"command": "make db-migrate"}}
    claude.say("one", "PostToolUse", tool_response={"stdout": "done", "stderr": ""}, **works)
    claude.works()

    with claude.working():
        begun = claude.hears("two", "SessionStart", source="startup")
        asked = claude.hears(
            "two", "UserPromptSubmit", prompt="Which database does the kettle service use?"
        )
        small = claude.hears("two", "UserPromptSubmit", prompt="go on")
        failed = claude.hears(
            "two", "PostToolUseFailure", tool_input={"command": "make migrate"}, **failing
        )
        wait_until(lambda: len(claude.receipts()) == 3)

    assert DECISION in begun
    assert DECISION in asked
    assert small == ""
    assert {one.context.via for one in claude.receipts()} == {
        "claude-code SessionStart",
        "claude-code UserPromptSubmit",
        "claude-code PostToolUseFailure",
    }
    assert "make db-migrate" in failed
    assert "no rule" not in failed


@pytest.mark.model
@pytest.mark.row("OB-027")
def test_an_agent_whose_session_goes_on_is_asked_for_a_note_and_its_note_opens_the_next(tmp_path):
    claude = Claude(tmp_path)
    where = {"TILTH_HOME": str(claude.data), "CLAUDECODE": "1"}
    with claude.working():
        for number, prompt in enumerate(["Sort the shelf.", "Label the jars."]):
            assert claude.hears("two", "UserPromptSubmit", prompt=prompt) == ""
            claude.say("two", "Stop", last_assistant_message=f"Done with {number}.")
        wait_until(lambda: len(claude.episodes()) == 4)

        asked = claude.hears("two", "UserPromptSubmit", prompt="And the lids?")
        wait_until(lambda: [one.context.via for one in claude.receipts()])
        again = claude.hears("two", "UserPromptSubmit", prompt="And the spoons?")
        claude.say("two", "Stop", last_assistant_message=asked)
        noted = "Lids are counted by hand, since the scale is broken until May."
        told = ("remember", "--scope", "project:work/kettle", "--kind", "note", noted)
        assert Inside(claude.home.root)(*told, environ=where).code == 0
        begun = claude.hears("three", "SessionStart", source="startup")

    (receipt,) = claude.receipts()
    assert receipt.context.via == "claude-code UserPromptSubmit, a note was asked for"
    assert "remember --scope . --kind note" in asked
    assert again == ""
    assert f"noted by an agent: “{noted}”" in begun
    assert not any("is noted for later" in one.text for one in claude.episodes())


@pytest.mark.row("I24", "I25")
def test_fifty_rounds_of_recall_and_capture_add_no_evidence(tmp_path, monkeypatch):
    claude = Claude(tmp_path)
    monkeypatch.setenv("TILTH_HOME", str(claude.data))
    claude.decides()
    claude.ingest()

    def evidence():
        return [one.text for one in claude.episodes() if "PostgreSQL" in one.text]

    state = StateFolder(claude.data / "state")
    with tilth.connect(claude.store) as brain:
        answers = Answers(brain, claude.injections)
        with HookServer(state.worker_address, answers, SystemClock()):
            for number in range(50):
                context = claude.hears(f"s{number}", "SessionStart", source="startup")
                quoted = f"{context}\nRound {number}: go on."
                claude.say(f"s{number}", "UserPromptSubmit", prompt=quoted, prompt_id="p")
                claude.say(f"s{number}", "Stop", last_assistant_message=f"{context} noted")
    claude.ingest()

    assert evidence() == [DECISION]
    assert len(claude.episodes()) == 2 + 100


def test_nothing_is_lost_while_the_store_is_locked(tmp_path):
    agent = Agent(tmp_path, "claude-code")
    writer = apsw.Connection(str(agent.store))
    writer.execute("BEGIN IMMEDIATE")
    for number in range(20):
        agent.fire("UserPromptSubmit", CLAUDE | {"session_id": "s", "prompt": f"prompt {number}"})
    with pytest.raises(UnavailableError):
        agent.ingest(busy_timeout_s=0.1)
    writer.execute("ROLLBACK")
    writer.close()

    agent.ingest()

    assert [one.text for one in agent.episodes()] == [f"prompt {number}" for number in range(20)]


@pytest.mark.model
def test_a_worker_that_meets_a_locked_store_goes_on_and_loses_nothing(tmp_path):
    claude = Claude(tmp_path)
    with claude.working(TILTH_BUSY_TIMEOUT_S="0.1"):
        writer = apsw.Connection(str(claude.store))
        writer.execute("BEGIN IMMEDIATE")
        for number in range(20):
            claude.say("s", "UserPromptSubmit", prompt=f"prompt {number}", prompt_id=str(number))
        wait_until(lambda: claude.stages().get("spool", {}).get("failed_runs", 0) > 0)
        assert claude.hears("s", "SessionStart") == ""
        writer.execute("ROLLBACK")
        writer.close()

    assert claude.works()["recorded_count"] == 20
    assert claude.stages()["spool"]["failed_runs"] == 0


@pytest.mark.model
def test_a_worker_that_is_killed_while_it_records_loses_and_doubles_nothing(tmp_path):
    claude = Claude(tmp_path)
    for number in range(600):
        told = {"session_id": "s", "prompt": f"prompt {number}", "prompt_id": str(number)}
        record = framed("claude-code", "UserPromptSubmit", number, json.dumps(told).encode())
        assert append(str(claude.data / "spool"), record)
    for _ in range(3):
        worker = subprocess.Popen([*TILTH, "worker"], env=claude.environ, stderr=subprocess.DEVNULL)
        known = len(claude.episodes())
        wait_until(lambda known=known: len(claude.episodes()) > known or known == 600)
        worker.kill()
        worker.wait()

    claude.works()

    texts = [one.text for one in claude.episodes()]
    assert texts == [f"prompt {number}" for number in range(600)]


def test_hooks_and_worker_at_the_same_time_lose_and_double_nothing(tmp_path):
    agent = Agent(tmp_path, "codex")
    done = threading.Event()

    def work():
        while not done.is_set():
            agent.ingest()
            time.sleep(0.01)

    worker = threading.Thread(target=work)
    worker.start()
    running = []
    for number in range(40):
        payload = json.dumps({"session_id": "s", "turn_id": str(number), "prompt": f"p{number}"})
        words = [str(agent.program), "codex", "UserPromptSubmit", payload]
        running.append(subprocess.Popen(words, env={"TILTH_HOME": str(agent.data)}))
    codes = {process.wait(30) for process in running}
    done.set()
    worker.join(30)
    agent.ingest()

    assert codes == {0}
    assert sorted(one.text for one in agent.episodes()) == sorted(f"p{n}" for n in range(40))
    assert not list((agent.data / "spool").glob("*.spool"))


DRIVER = """
import { Tilth } from "PLUGIN"
const sessions = { ses_2: { parentID: "ses_1" } }
const client = { session: { get: async ({ path }) => ({ data: sessions[path.id] }) } }
const plugin = await Tilth({ client, directory: "/home/ada/work/kettle" })
const event = (type, properties) => plugin.event({ event: { type, properties } })
const part = (id, messageID, text, time) =>
  event("message.part.updated", {
    part: { id, messageID, sessionID: "ses_1", type: "text", text, time },
  })
const types = async (sessionID, messageID, text) => {
  const parts = [{ id: `${messageID}-1`, type: "text", text }]
  const message = { id: messageID, sessionID, role: "user" }
  await plugin["chat.message"]({ sessionID }, { message, parts })
  await part(`${messageID}-1`, messageID, text)
  await event("message.updated", { info: message })
  return parts
}
await event("session.created", { info: { id: "ses_1", title: "Kettle lid" } })
const prompt = await types("ses_1", "msg_1", "Paint the lid green.")
const next = await types("ses_1", "msg_3", "And the handle.")
await event("session.created", { info: { id: "ses_2", title: "A part", parentID: "ses_1" } })
const part_of = await types("ses_2", "msg_4", "Mix the green.")
const answer = { id: "msg_2", sessionID: "ses_1", role: "assistant" }
await event("message.updated", { info: answer })
await part("p2", "msg_2", "I look")
await part("p2", "msg_2", "I look first.", { start: 1, end: 2 })
await part("p2", "msg_2", "I look first.", { start: 1, end: 2 })
const use = (callID, tool, state) =>
  event("message.part.updated", { part: { sessionID: "ses_1", type: "tool", callID, tool, state } })
const edit = { input: { filePath: "lid.py" } }
await use("c1", "edit", { ...edit, status: "running" })
await use("c1", "edit", { ...edit, status: "completed", output: "edited" })
await use("c1", "edit", { ...edit, status: "completed", output: "edited" })
const make = { input: { command: "make" }, output: "no", metadata: { exit: 2 } }
await use("c2", "bash", { ...make, status: "completed" })
await use("c3", "read", { status: "error", input: {}, error: "no such file" })
await event("message.updated", { info: { ...answer, id: "msg_5", summary: true } })
await part("p5", "msg_5", "So far: the lid.", { start: 3, end: 4 })
await part("p6", "msg_2", "The lid is")
await event("session.idle", { sessionID: "ses_1" })
const output = { context: [] }
await plugin["experimental.session.compacting"]({ sessionID: "ses_1" }, output)
console.log(JSON.stringify([prompt, next, part_of, output.context]))
"""


@pytest.mark.skipif(shutil.which("node") is None, reason="there is no JavaScript to run it with")
def test_the_plugin_for_opencode_tells_every_message_once_and_passes_on_the_answer(tmp_path):
    agent = Agent(tmp_path, "opencode")
    module = tmp_path / "tilth.mjs"
    module.write_bytes(agent.home.ours[0].read_bytes())
    driver = tmp_path / "driver.mjs"
    driver.write_text(DRIVER.replace("PLUGIN", module.as_uri()))
    state = StateFolder(agent.data / "state")

    def answer(record):
        return HookReply("" if b"handle" in record.payload else f"Port 5433, at {record.event}.")

    with HookServer(state.worker_address, answer, SystemClock()):
        done = subprocess.run(
            ["node", str(driver)],
            env={"PATH": os.environ["PATH"], "TILTH_HOME": str(agent.data)},
            capture_output=True,
            timeout=60,
            check=False,
        )

    assert (done.returncode, done.stderr) == (0, b"")
    prompt, again, subagents, compacted = json.loads(done.stdout)
    # The brief once, what answers with each prompt; beside what was typed, and shown to no person.
    assert [one["text"] for one in prompt] == [
        "Paint the lid green.",
        "Port 5433, at session.created.",
        "Port 5433, at message.user.",
    ]
    assert all(
        (one["messageID"], one["sessionID"], one["synthetic"]) == ("msg_1", "ses_1", True)
        for one in prompt[1:]
    )
    assert [one["text"] for one in again] == ["And the handle."]
    assert [one["text"] for one in subagents] == ["Mix the green.", "Port 5433, at message.user."]
    assert compacted == ["Port 5433, at session.compacting."]
    agent.ingest()
    assert [(one.role, one.text) for one in agent.episodes()] == [
        ("user", "Paint the lid green."),
        ("user", "And the handle."),
        ("user", "Mix the green."),
        ("assistant", "I look first."),
        ("assistant", 'edit: {"filePath": "lid.py"}'),
        ("tool", "edited"),
        ("assistant", 'bash: {"command": "make"}'),
        ("tool", "no"),
        ("assistant", "read: {}"),
        ("tool", "no such file"),
        ("system", "So far: the lid."),
        ("assistant", "The lid is"),
    ]
    # What a subagent was asked is no person's word.
    asked = {one.text: one.metadata.get(AGENT_PROMPTED) for one in agent.episodes()}
    assert (asked["Mix the green."], asked["Paint the lid green."]) == (True, None)
    outcomes = [one.kind for one in agent.episodes() if one.role == "tool"]
    assert outcomes == ["tool_result", "tool_failure", "tool_failure"]


def test_a_command_with_spaces_in_its_path_reaches_the_program(tmp_path):
    agent = Agent(tmp_path, "codex")

    command = agent._configured("Stop")[-1]

    assert shlex.split(command) == [str(agent.program), "codex", "Stop"]
    assert " " in str(agent.program)
    assert os.access(agent.program, os.X_OK)
