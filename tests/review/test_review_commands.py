"""`tilth review`: the queue at the command line, and who may decide there."""

import os
import pty
import select
import signal
import subprocess
import sys
import tempfile
import termios
import time

import pytest

from tests.program import acting
from tilth.core.actor import Actor, ActorKind
from tilth.interfaces.cli import invocation
from tilth.interfaces.cli.caller import AGENTS
from tilth_hook import agent_above

DNS = ("--system", "pi-hole", "--component", "ip")
VERBS = ("confirm", "reject", "edit", "dispute", "evidence", "restrict", "stale", "merge",
         "supersede", "snooze", "undo")  # fmt: skip


@pytest.fixture
def as_kind(monkeypatch):
    """Let somebody of a kind be at the command line."""
    return lambda kind: monkeypatch.setattr(
        invocation, "caller", lambda *_, **__: Actor("someone", ActorKind(kind))
    )


def what_waits(tilth):
    """Propose as an agent to put .110 in the place of a human's .100."""
    with acting("human"):
        old = tilth("fact", "add", "DNS answers on .100.", *DNS, "--json").answer["fact"]["id"]
    with acting("agent"):
        stated = tilth("fact", "add", "DNS answers on .110.", *DNS, "--json").answer
    return stated["proposal_id"], old, stated["fact"]["id"]


@pytest.fixture
def asked(ready, beginnings, as_kind):
    """What waits, for a human at the command line."""
    as_kind("human")
    return beginnings.go_on(ready, what_waits)


def state(tilth, *words):
    answer = tilth("state", "--json", *words).answer
    return [one["fact"]["said"]["text"] for one in answer["facts"]]


@pytest.mark.row("EM-023", "EM-027")
def test_a_card_about_two_of_one_name_tells_them_apart(ready, as_kind):
    as_kind("human")
    person = ("entity", "add", "Ana Pop", "--type", "person")
    ready(*person, "--transport", "email", "--address", "ana@example.org")
    one = ready("entity", "list", "--json").answer["entities"][0]["id"]
    chat = ("--transport", "matrix", "--address", "@ana:other.org", "--alias", "Anca")
    ready(*person, *chat, "--namesake")
    ready("entity", "profile", one, "--key", "language", "--value", "Romanian")
    ready("fact", "add", "Ana Pop fixes the pumps.", "--about", one)
    (asked,) = ready("review", "list", "--json").answer["proposals"]

    first, second = ready("review", "show", asked["id"]).out.split("Ana Pop  person")[1:]

    assert "email ana@example.org" in first
    assert "language: Romanian" in first
    assert "“Ana Pop fixes the pumps.”" in first
    assert "matrix @ana:other.org" in second
    assert "also Anca" in second


@pytest.mark.row("XR-03")
def test_a_card_shows_before_and_after_and_what_speaks_for_it(ready, asked):
    proposal, old, new = asked
    run = ready("review", "show", proposal)

    for shown in ("supersession", old, new, "DNS answers on .100.", "DNS answers on .110.",
                  "a human stands behind", f"confirming retires {old}", "digest "):  # fmt: skip
        assert shown in run.out


def test_the_list_says_how_many_are_decided_at_once(ready, asked):
    assert "tilth review batch" not in ready("review", "list").err
    ready("review", "ask", asked[1], "--reason", "is it so?")

    told = ready("review", "list").err

    assert "2 need a decision" in told
    assert "many in your editor: tilth review batch" in told


def test_the_list_counts_what_needs_a_decision_now(ready, asked):
    run = ready("review", "list")
    assert "DNS answers on .100. → DNS answers on .110." in run.out
    assert "1 needs a decision; 0 decided" in run.err
    # Long enough for a clock that is set right meanwhile.
    assert ready("review", "snooze", asked[0], "--days", "3650").code == 0
    assert "all clear; 1 later" in ready("review", "list").err
    assert ready("review", "list", "--json").answer["later"] == 1


@pytest.mark.row("OB-009")
def test_a_person_confirms_after_the_card_was_shown(ready, asked):
    proposal, old, _ = asked
    run = ready("review", "confirm", proposal, stdin="y\n")

    assert run.code == 0
    assert f"confirm, which retires {old}? [y/N]" in run.err
    assert state(ready) == ["DNS answers on .110."]
    assert ready("review", "undo", proposal).code == 0
    assert state(ready) == ["DNS answers on .100."]


@pytest.mark.row("OB-060")
@pytest.mark.parametrize("typed", ["", "\n", "n\n", "perhaps\n"])
def test_the_end_of_input_is_a_no(ready, asked, typed):
    run = ready("review", "confirm", asked[0], stdin=typed)

    assert "still waits" in run.err
    assert state(ready) == ["DNS answers on .100."]


@pytest.mark.row("OB-060")
def test_a_removal_shows_its_grounds_ends_by_a_persons_word_and_destroys_nothing(ready, as_kind):
    """An agent asks, a person approves; what was shown is looked at again as it is carried out."""
    as_kind("human")
    said = ready("remember", "We moved. DNS answers on .100.", "--json").answer["episode_id"]
    told = ready("fact", "add", "DNS answers on .100.", *DNS, "--evidence", said, "--json")
    fact = told.answer["fact"]["id"]
    why = "nobody has seen that host since March"
    as_kind("agent")
    asked = ready("fact", "retire", fact, "--reason", why, "--json").answer["proposal_id"]
    again = ready("fact", "retire", fact, "--reason", f"{why}, really", "--json").answer
    assert again["proposal_id"] == asked
    assert ready("review", "confirm", asked, stdin="y\n").code == 5
    assert ready("erase", "--fact", fact).code == 5
    assert state(ready) == ["DNS answers on .100."], "asking carries nothing out"

    card = ready("review", "show", asked).out
    assert why in card
    assert said in card or "DNS answers on .100." in card
    digest = ready("review", "show", asked, "--json").answer["digest"]
    ready("remember", "Somebody says that DNS answers on .100.", "--json")
    more = ready("remember", "Once more: DNS answers on .100.", "--json").answer["episode_id"]
    ready("fact", "add", "DNS answers on .100.", *DNS, "--evidence", more)
    as_kind("human")
    late = ready("review", "confirm", asked, "--digest", digest, "--retires", fact)
    assert (late.code, "not what was shown" in late.err) == (4, True)
    assert state(ready) == ["DNS answers on .100."]

    assert ready("review", "confirm", asked, stdin="y\n").code == 0
    assert state(ready) == []
    kept = ready("fact", "show", fact, "--json").answer["fact"]
    assert (kept["life"]["lifecycle"], len(kept["evidence"])) == ("historical", 2)
    assert ready("episode", "show", said, "--json").code == 0
    assert ready("review", "undo", asked).code == 0
    assert state(ready) == ["DNS answers on .100."]


@pytest.mark.row("OB-061")
def test_without_a_question_confirming_names_what_was_shown_and_what_ends(ready, asked):
    proposal, old, _ = asked
    digest = ready("review", "show", proposal, "--json").answer["digest"]

    run = ready("review", "confirm", proposal, "--digest", digest)
    assert (run.code, f"would retire {old}" in run.err) == (2, True)
    run = ready("review", "confirm", proposal, "--digest", "0" * 64, "--retires", old)
    assert (run.code, "is not what was shown" in run.err) == (4, True)
    assert ready("review", "confirm", proposal, "--json").code == 2
    run = ready("review", "confirm", proposal, "--digest", digest, "--retires", old, "--json")
    assert run.answer["decided"][0]["state"] == "decided"
    assert state(ready) == ["DNS answers on .110."]


@pytest.mark.row("XR-03")
@pytest.mark.parametrize(
    ("verb", "words", "told"),
    [
        ("reject", (), ["DNS answers on .100."]),
        ("edit", ("--text", "DNS answers on .120."), ["DNS answers on .120."]),
        ("dispute", (), ["DNS answers on .100."]),
        ("evidence", (), ["DNS answers on .100."]),
        ("stale", (), ["DNS answers on .100."]),
        ("restrict", ("--to", "project:lab"), ["DNS answers on .110.", "DNS answers on .100."]),
    ],
)
def test_every_answer_has_its_verb(ready, asked, verb, words, told):
    assert ready("review", verb, asked[0], *words, stdin="y\n").code == 0
    assert state(ready) == told
    assert ready("review", "undo", asked[0]).code == 0
    assert state(ready) == ["DNS answers on .100."]


@pytest.mark.row("I20", "I22")
@pytest.mark.parametrize("kind", ["agent", "job", "import", "anonymous"])
@pytest.mark.parametrize("verb", VERBS)
def test_no_verb_that_decides_is_anybody_elses(ready, asked, as_kind, kind, verb):
    as_kind(kind)
    run = ready("review", verb, asked[0], stdin="y\n")

    assert run.code == 5
    assert "at a terminal that no agent started" in run.err
    as_kind("human")
    assert state(ready) == ["DNS answers on .100."]


@pytest.mark.row("I20")
@pytest.mark.parametrize("verb", ["walk", "batch"])
def test_the_ways_to_decide_many_are_a_persons_too(ready, asked, as_kind, verb):
    as_kind("agent")
    assert ready("review", verb).code == 5


def test_anyone_may_have_a_fact_looked_at(ready, asked, as_kind):
    as_kind("agent")
    run = ready("review", "ask", asked[1], "--reason", "it was moved, they say", "--json")

    assert run.answer["draft"]["kind"] == "correction"
    assert ready("review", "list", "--kind", "correction", "--json").answer["count"] == 1


def test_what_was_restricted_since_does_not_break_the_list_elsewhere(ready, asked):
    stated = ready("fact", "add", "The NAS is full.", "--system", "NAS", "--json").answer
    words = (stated["fact"]["id"], "--reason", "is it?", "--json")
    first = ready("review", "ask", *words).answer["id"]
    assert ready("review", "restrict", first, "--to", "project:lab", stdin="y\n").code == 0

    states = ("--state", "open", "--state", "decided")
    run = ready("review", "list", *states, "--scope", "project:home")
    assert run.code == 0
    assert f"{first}  about what is not seen from here" in run.out
    assert asked[0] in run.out


class TestBatch:
    @pytest.fixture
    def editing(self, tmp_path, monkeypatch):
        """Let the editor be a program that replaces one text by another."""
        monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))

        def prepare(old, new, code=0):
            program = tmp_path / "editor.py"
            program.write_text(
                "import sys, pathlib\n"
                "path = pathlib.Path(sys.argv[1])\n"
                f"path.write_text(path.read_text().replace({old!r}, {new!r}))\n"
                f"sys.exit({code})\n"
            )
            return {"EDITOR": f"{sys.executable} {program}"}

        return prepare

    def test_many_are_decided_in_one_file(self, ready, asked, editing):
        proposal = asked[0]
        environ = editing(f"skip {proposal}", f"confirm {proposal}")
        run = ready("review", "batch", environ=environ)

        assert (run.code, run.out) == (0, f"{proposal}  confirm\n")
        assert state(ready) == ["DNS answers on .110."]
        assert "decided 1 of 1" in run.err

    def test_own_words_are_said_in_the_file(self, ready, asked, editing):
        proposal, old, _ = asked
        line = f"skip {proposal} retires {old}"
        environ = editing(line, f"edit {proposal} retires {old} say DNS answers on .120.")
        assert ready("review", "batch", environ=environ).code == 0
        assert state(ready) == ["DNS answers on .120."]

    def test_what_is_left_as_it_is_decides_nothing(self, ready, asked, editing):
        run = ready("review", "batch", environ=editing("nothing", "else"))

        assert run.code == 0
        assert "decided 0 of 1" in run.err
        assert state(ready) == ["DNS answers on .100."]

    @pytest.mark.parametrize(
        ("bad", "why"),
        [
            ("conform {0}", "'conform' is no verb"),
            ("confirm prp_nowhere", "does not wait"),
            ("confirm", "does not wait"),
            ("confirm {0} at once", "'at' was not expected"),
        ],
    )
    def test_a_bad_line_is_named_and_nothing_is_decided(
        self, ready, asked, editing, tmp_path, bad, why
    ):
        proposal, old, _ = asked
        line = f"skip {proposal} retires {old}"
        run = ready("review", "batch", environ=editing(line, bad.format(proposal)))

        assert run.code == 2
        assert "line 7:" in run.err
        assert why in run.err
        (kept,) = tmp_path.glob("tilth-review-*")
        assert f"your file is {kept}" in run.err
        assert state(ready) == ["DNS answers on .100."]

    def test_a_line_without_what_it_retires_is_refused_and_told(self, ready, asked, editing):
        proposal, old, _ = asked
        environ = editing(f"skip {proposal} retires {old}", f"confirm {proposal}")
        run = ready("review", "batch", environ=environ)

        assert (run.code, "refused: this would retire" in run.out) == (4, True)
        assert state(ready) == ["DNS answers on .100."]

    def test_an_editor_that_fails_decides_nothing(self, ready, asked, editing, tmp_path):
        proposal = asked[0]
        environ = editing(f"skip {proposal}", f"confirm {proposal}", code=1)
        assert ready("review", "batch", environ=environ).code == 7
        assert ready("review", "batch", environ={"EDITOR": "/nowhere/editor"}).code == 7
        assert list(tmp_path.glob("tilth-review-*")) == []
        assert state(ready) == ["DNS answers on .100."]

    def test_an_empty_queue_opens_no_editor(self, ready, as_kind):
        as_kind("human")
        assert ready("review", "batch", environ={"EDITOR": "/nowhere"}).out == "all clear\n"


class TestWalk:
    def test_enter_alone_decides_nothing(self, ready, asked):
        assert "decided 0" in ready("review", "walk", stdin="\n").err
        assert state(ready) == ["DNS answers on .100."]

    def test_a_key_decides_and_another_goes_back_to_the_card_that_it_undid(self, ready, asked):
        other = ready("review", "ask", asked[1], "--reason", "is it?", "--json").answer["id"]
        run = ready("review", "walk", stdin="x\na\nu\nq\n")

        assert "'x' is none of the keys" in run.err
        waits = run.err.index(f"{asked[0]} waits again")
        assert "1 of 2" in run.err[waits:]
        assert asked[0] in run.err[waits + len(asked[0]) :]
        assert state(ready) == ["DNS answers on .100."]
        assert other in ready("review", "list").out

    def test_what_a_key_ends_stands_on_the_card(self, ready, asked):
        run = ready("review", "walk", stdin="a\n")

        assert f"confirming retires {asked[1]}" in run.err
        assert "decided 1" in run.err
        assert state(ready) == ["DNS answers on .110."]

    def test_a_key_opens_what_a_side_rests_on(self, ready, as_kind):
        as_kind("human")
        said = ready("remember", "I moved DNS.\nIt answers on .100.", "--json").answer
        fact = ready("fact", "add", "DNS answers on .100.", "--evidence", said["episode_id"],
                     "--about", "DNS", "--json").answer["fact"]["id"]  # fmt: skip
        ready("review", "ask", fact, "--reason", "is it still there?")

        run = ready("review", "walk", stdin="o\nq\n")

        assert "    I moved DNS.\n    It answers on .100.\n" in run.err

    def test_own_words_and_scopes_are_asked_for(self, ready, asked):
        assert "decided 1" in ready("review", "walk", stdin="b\nproject:lab\n").err
        ready("review", "undo", asked[0])
        assert "decided 1" in ready("review", "walk", stdin="e\nDNS is off.\n").err
        assert state(ready) == ["DNS is off."]

    def test_it_is_not_for_programs(self, ready, asked):
        assert ready("review", "walk", "--json").code == 2


def skip_under_an_agent():
    if agent_above(tuple(AGENTS), dict(os.environ)):
        pytest.skip("an agent runs the tests, and passes for no person")


def at_a_terminal(program, *words, typed="", environ=None):
    """Run the program at a terminal of its own, and return its code and what it showed."""
    skip_under_an_agent()
    master, slave = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "tilth", *map(str, words)],
        stdin=slave, stdout=slave, stderr=slave, close_fds=True, cwd=program.home,
        env=program.environ(**(environ or {})),
    ) as process:  # fmt: skip
        os.close(slave)
        os.write(master, typed.encode())
        shown, deadline = b"", time.monotonic() + 60
        while time.monotonic() < deadline:
            if select.select([master], [], [], 0.2)[0]:
                try:
                    shown += os.read(master, 65536)
                except OSError:
                    break
            elif process.poll() is not None:
                break
        code = process.wait(10)
    os.close(master)
    return code, shown.decode()


@pytest.mark.row("I20", "OB-060")
def test_at_a_real_terminal_a_person_decides_and_an_agent_there_does_not(program, tilth):
    assert tilth("init").code == 0
    code, _ = at_a_terminal(program, "fact", "add", "DNS answers on .100.", *DNS)
    assert code == 0
    proposal = tilth("fact", "add", "DNS answers on .110.", *DNS, "--json").answer["proposal_id"]
    assert proposal is not None

    assert program("review", "confirm", proposal, stdin="y\n").code == 5
    for variable in AGENTS:
        assert tilth("review", "confirm", proposal, environ={variable: "1"}, stdin="y\n").code == 5
    code, shown = at_a_terminal(
        program, "review", "confirm", proposal, typed="y\n", environ={"CLAUDECODE": "1"}
    )
    assert (code, "claude-code is agent" in shown) == (5, True)
    assert state(tilth) == ["DNS answers on .100."]
    code, shown = at_a_terminal(program, "review", "confirm", proposal, typed="y\n")
    assert (code, "[y/N]" in shown) == (0, True)
    assert state(tilth) == ["DNS answers on .110."]


class Keys:
    """Presses keys at a terminal, each when it is asked for."""

    def __init__(self, program, *words, term="dumb", columns=80):
        skip_under_an_agent()
        self.master, slave = pty.openpty()
        termios.tcsetwinsize(slave, (24, columns))
        self.shown = ""
        # What a shell runs in the background ignores it, and so would a program that it starts.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tilth", *words],
            stdin=slave, stdout=slave, stderr=slave, close_fds=True, cwd=program.home,
            env=program.environ(TERM=term),
        )  # fmt: skip
        os.close(slave)

    def await_question(self):
        self._read_until("\n> ")
        # It waits for a key from when it takes each by itself; what was typed before is dropped.
        deadline = time.monotonic() + 10
        while termios.tcgetattr(self.master)[3] & termios.ICANON and time.monotonic() < deadline:
            time.sleep(0.01)

    def press(self, key):
        self.await_question()
        os.write(self.master, key.encode())

    def end(self):
        self._read_until(None)
        os.close(self.master)
        return self.process.wait(10)

    def _read_until(self, asked):
        before, deadline = len(self.shown), time.monotonic() + 60
        while time.monotonic() < deadline and (
            asked is None or asked not in self.shown[before:].replace("\r", "")
        ):
            if select.select([self.master], [], [], 0.2)[0]:
                try:
                    self.shown += os.read(self.master, 65536).decode()
                except OSError:
                    return


def test_the_keys_are_those_of_the_question_and_none_is_parted_from_its_words(program, tilth):
    tilth("init")
    for name in ("Kubernetes", "k8s"):
        tilth("entity", "add", name, "--type", "tool")
    tilth("entity", "merge", "Kubernetes", "k8s")
    keys = Keys(program, "review", "walk", columns=40)

    keys.press("e")
    keys.press("a")

    assert keys.end() == 0
    shown = keys.shown.replace("\r", "")
    assert "a they are one · r they are two\ns tomorrow · u undo · q quit\nEnter next\n> " in shown
    assert "'e' is none of the keys" in shown
    assert "decided 1" in shown


def test_whoever_interrupts_is_told_how_much_is_decided(program, tilth):
    tilth("init")
    for name in ("Kubernetes", "k8s", "Kafka", "kafka queue"):
        tilth("entity", "add", name, "--type", "tool")
    tilth("entity", "merge", "Kubernetes", "k8s")
    tilth("entity", "merge", "Kafka", "kafka queue")
    keys = Keys(program, "review", "walk")

    keys.press("a")
    keys.await_question()
    keys.process.send_signal(signal.SIGINT)

    assert keys.end() != 0
    assert "decided 1" in keys.shown


def test_at_a_real_terminal_one_key_decides_a_card(program, tilth):
    tilth("init")
    for number in (1, 2, 3):
        slot = ("--system", f"lab{number}", "--component", "DNS", "--environment", "home")
        with acting("human"):
            tilth("fact", "add", f"DNS {number} answers on .100.", *slot)
        tilth("fact", "add", f"DNS {number} answers on .110.", *slot)
    keys = Keys(program, "review", "walk")

    for key in ("a", "u", "a", "r", "e"):
        keys.press(key)
    time.sleep(0.5)  # until the words that are there stand in the line
    os.write(keys.master, b"\x7f\x7f\x7f20.\n")

    assert keys.end() == 0
    assert "decided 3" in keys.shown
    assert "slot: home · lab1 · DNS" in keys.shown
    told = {f"DNS {one} answers on {at}." for one, at in ((1, ".110"), (2, ".100"), (3, ".120"))}
    assert {*state(tilth)} == told
    listed = tilth("review", "list", "--state", "decided").out
    assert "decided: confirm, by human on " in listed


def test_at_a_real_terminal_words_that_are_pasted_decide_nothing(program, tilth):
    tilth("init")
    what_waits(tilth)
    keys = Keys(program, "review", "walk", term="xterm")

    pastes = ("accept it all", "\x1b[200~a\x1b[201~", "é", "\x1b[200~reject")
    keys.await_question()
    for number, pasted in enumerate(pastes, 1):
        os.write(keys.master, pasted.encode())
        if pasted.endswith("reject"):
            # Over a slow line the rest comes late; it is of the paste all the same.
            time.sleep(0.5)
            os.write(keys.master, b"all of it\x1b[201~")
        keys.await_question()
        assert keys.shown.count("is none of the keys") == number, pasted
    os.write(keys.master, b"q")

    assert keys.end() == 0
    assert "decided 0" in keys.shown
    assert state(tilth) == ["DNS answers on .100."]


def test_at_a_real_terminal_one_key_decides_after_the_program_was_stopped_and_went_on(
    program, tilth
):
    """A shell gives the terminal back as it keeps it for itself: a line at a time."""
    tilth("init")
    what_waits(tilth)
    keys = Keys(program, "review", "walk")
    cooked = termios.tcgetattr(keys.master)
    keys.await_question()

    keys.process.send_signal(signal.SIGSTOP)
    time.sleep(0.2)
    termios.tcsetattr(keys.master, termios.TCSANOW, cooked)
    keys.process.send_signal(signal.SIGCONT)
    keys.press("r")

    assert keys.end() == 0
    assert "decided 1" in keys.shown


class TestContradictions:
    @pytest.fixture
    def stated(self, ready):
        for text in ("The NAS backs up every night.", "The NAS does not back up every night."):
            assert ready("fact", "add", text, "--system", "NAS").code == 0

    @pytest.mark.row("OB-059")
    def test_a_scan_asks_and_the_state_shows_both_sides(self, ready, stated):
        run = ready("review", "scan")

        assert "compared 2 facts, asked 1 question\n" in run.err
        assert ready("review", "scan", "--json").answer["asked"] == []
        told = ready("state").out
        assert told.count("against it: The NAS") == 2

    @pytest.mark.row("OB-059")
    def test_the_worker_asks_by_itself_and_goes_on_where_it_was(self, ready, stated):
        assert ready("worker", "--once", "--json").answer["asked_count"] == 1
        assert ready("worker", "--once", "--json").answer["asked_count"] == 0
        assert ready("review", "list", "--json").answer["waiting"] == 1

    @pytest.mark.parametrize(
        ("key", "left"),
        [
            ("1\n", ["The NAS backs up every night."]),
            ("2\n", ["The NAS does not back up every night."]),
            ("3\n", ["The NAS does not back up every night."]),
            ("4\n", ["The NAS backs up every night."]),
            ("n\n", []),
        ],
    )
    def test_a_card_with_two_sides_has_its_own_answers(self, ready, stated, as_kind, key, left):
        as_kind("human")
        ready("review", "scan")
        assert "decided 1" in ready("review", "walk", stdin=key).err
        assert state(ready) == left

    def test_both_may_be_so(self, ready, stated, as_kind):
        as_kind("human")
        ready("review", "scan")
        assert "decided 1" in ready("review", "walk", stdin="b\nproject:lab\n").err
        home = ["The NAS does not back up every night."]
        assert state(ready, "--scope", "project:home") == home


class TestLegacy:
    @pytest.fixture
    def file(self, tmp_path):
        path = tmp_path / "legacy.jsonl"
        path.write_text(
            '{"content": "The NAS is full.", "domain": "Storage", "system": "NAS"}\n'
            '{"content": "Bees sleep."}\n'
        )
        return path

    @pytest.mark.row("OB-025")
    def test_an_import_of_facts_is_only_counted_until_it_is_executed(self, ready, file):
        before = file.read_bytes()
        assert "2 facts would be recorded" in ready("fact", "import", file).out
        assert ready("fact", "list", "--lifecycle", "historical", "--json").answer["facts"] == []
        assert ready("fact", "import", file, "--execute", "--json").answer["new_count"] == 2
        assert ready("fact", "import", file, "--execute", "--json").answer["known_count"] == 2
        assert state(ready) == []
        assert file.read_bytes() == before

    @pytest.mark.row("OB-026")
    def test_a_person_makes_them_current_in_one_command(self, ready, file, as_kind):
        ready("fact", "import", file, "--execute")
        assert ready("review", "promote", stdin="y\n").code == 5
        as_kind("human")
        none = ready("review", "promote", "--system", "zeppelin", stdin="y\n")
        assert "no imported fact of that waits" in none.err
        assert "[y/N]" not in none.err
        assert "nothing was decided" in ready("review", "promote", stdin="").err
        assert (
            "1 fact made current" in ready("review", "promote", "--system", "NAS", stdin="y\n").out
        )
        assert state(ready) == ["The NAS is full."]
        assert len(ready("review", "promote", "--yes", "--json").answer["confirmed"]) == 1
        assert ready("review", "promote", "--json").code == 2
        assert len(ready("review", "list", "--state", "decided", "--json").answer["proposals"]) == 2


@pytest.mark.row("XR-03", "OB-028")
def test_a_question_about_two_things_names_both_and_of_what_type_each_is(ready, as_kind):
    as_kind("human")
    ready("entity", "add", "Acme", "--type", "organisation")
    proposal = ready("entity", "add", "Acme", "--json").answer["proposals"][0]

    listed, card = ready("review", "list").out, ready("review", "show", proposal).out

    assert listed.startswith("merge  Acme may be Acme: the same name")
    assert "  Acme  organisation  ent_" in card
    assert "  Acme  thing  ent_" in card


@pytest.mark.row("XR-03", "OB-028")
def test_why_it_is_asked_tells_the_words_of_the_fact_that_a_human_stands_behind(ready, asked):
    proposal, old, _ = asked

    assert (
        f"why: a human stands behind “DNS answers on .100.” ({old})"
        in ready("review", "show", proposal).out
    )
