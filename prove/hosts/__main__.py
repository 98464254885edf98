"""
What real agent programs do with Tilth: capture, brief, MCP, import, undo, and how long hooks take.

`python -m prove.hosts [HOST …] [--runs 20] [--npm FOLDER] [--record FOLDER]`: installs Claude
Code, Codex, Gemini CLI and opencode from npm, outside this repository, and drives them before a
model that is played on loopback, in a home of their own. Without npm, or without a program, it
says so and proves nothing of it. Cursor and VS Code have no program for a terminal that could be
driven, so they are not run.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from time import monotonic
from typing import Any

from prove.ground import conclude
from prove.hosts.home import Home, made, ran
from prove.hosts.programs import PROGRAMS, Program
from prove.hosts.script import DECISION, KEPT, QUESTION, READ
from prove.hosts.server import Model, played
from prove.hosts.terminal import Terminal
from tilth.core.view import number_of
from tilth.llm.trial import SAID
from tilth_hook import agent_above

_HOME = Path.home() / ".cache" / "tilth-prove-hosts"
_RUN_S, _SCREEN_S = 400.0, 150.0
_NEVER_RUN = {
    "cursor": "its agent needs an account, and its hooks its window",
    "vscode": "its hooks are called by its window alone",
}
_ANSWER = "There are three kettles."
# Claude Code defers the others: its model finds them once it looks for one.
_TOOLS = ("recall", "remember")
# In the home: what `tilth model try` does where a person sits.
_TRIAL = """
import tilth
with tilth.connect(actor=tilth.Human("ada")) as brain:
    for one in brain.models.try_all():
        print(*one.statements, one.refusal.detail if one.refusal else "")
"""
_NOTE_REQUEST = "noted for later sessions"
# By the first Claude Code is given an answer, the second does nothing; the last asks a user who is
# not there.
_HARMLESS = {"StructuredOutput", "DeferredToolPlaceholder", "request_user_input"}
# Of these, no word may ever be in the store.
_OURS = (
    *("tilth-context", "hook_context", "memory of earlier sessions", QUESTION, '"answerable"'),
    *(SAID, _NOTE_REQUEST),
)


@dataclass(slots=True)
class Findings:
    """What one program showed: a line for each step, what failed, and its hooks' times."""

    version: str = ""
    steps: dict[str, str] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)
    milliseconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    brief: str = ""

    def found(self, step: str, words: str, *, is_right: bool) -> None:
        """Note what a step showed."""
        self.steps[step] = words if is_right else f"**{words}**"
        if not is_right:
            self.failures.append(f"{step}: {words}")


@dataclass(frozen=True, slots=True)
class Stage:
    """A program in its home, before its model."""

    program: Program
    home: Home
    model: Model

    def says(self, prompt: str) -> str:
        """Run the program once with a prompt, and return what it printed."""
        words = self.program.headless(prompt)
        return ran(words, self.home, self.program.environ(self.model.url), _RUN_S)

    def shows(self, *prompts: str) -> bool:
        """Type prompts into the program's screen in turn and leave it; say whether it answered."""
        environ = self.home.environ(self.program.environ(self.model.url))
        terminal = Terminal(self.program.interactive, self.home.project, environ)
        try:
            terminal.wait_for(lambda: self.program.ready in terminal.shown, _SCREEN_S)
            return all(self._is_answered(terminal, prompt) for prompt in prompts)
        finally:
            terminal.end(self.program.leaving, 3)

    def _is_answered(self, terminal: Terminal, prompt: str) -> bool:
        terminal.wait_until_still(2, _SCREEN_S)
        before = self._answers()
        terminal.type(prompt)
        return terminal.wait_for(lambda: self._answers() > before, _SCREEN_S)

    def _answers(self) -> int:
        return sum(one.event == self.program.ends_with for one in self.home.told())


def main() -> None:
    """Read the command line, run, and print the table and the report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    hosts = [program.host for program in PROGRAMS]
    parser.add_argument("hosts", nargs="*", metavar="HOST", help=", ".join(hosts))
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--npm", type=Path, default=_HOME / "npm")
    parser.add_argument("--record", type=Path, help="keep what hosts told hooks, a file a host")
    arguments = parser.parse_args()
    report, failures, table = run(arguments)
    print("\n".join(table))
    conclude(report, failures)


def run(arguments: argparse.Namespace) -> tuple[dict[str, object], list[str], list[str]]:
    """Run the programme; return the report, what failed, and the table."""
    report: dict[str, object] = {"programme": "hosts", "never_run": _NEVER_RUN}
    wanted = [one for one in PROGRAMS if not arguments.hosts or one.host in arguments.hosts]
    if reason := _installed(wanted, arguments.npm):
        return {**report, "skipped": reason}, [], [f"skipped: {reason}"]
    found: dict[str, Findings] = {}
    for program in wanted:
        begun = monotonic()
        found[program.host] = _proved(program, arguments)
        print(f"{program.host}: {monotonic() - begun:.0f} s", file=sys.stderr, flush=True)
    failures = [f"{host}, {one}" for host, its in found.items() for one in its.failures]
    report["versions"] = {host: its.version for host, its in found.items()}
    report["milliseconds"] = {host: _times(its) for host, its in found.items()}
    report["python_ms"] = _bare_python()
    return report, failures, [*_table(found), *_briefs(found)]


def _installed(programs: Sequence[Program], folder: Path) -> str:
    """Install the newest versions, or use what is there; return why that cannot be, if so."""
    if find_spec("mcp") is None:
        return "tilth[mcp] is not installed"
    npm = shutil.which("npm")
    if npm is None:
        return "npm is not installed"
    newest = [f"{one.package}@latest" for one in programs]
    done = subprocess.run(
        [npm, "install", "--silent", "--no-audit", "--no-fund", "--prefix", str(folder), *newest],
        capture_output=True,
        text=True,
        timeout=900,
        check=False,
    )
    is_there = all((folder / "node_modules" / one.package).exists() for one in programs)
    if done.returncode and not is_there:
        return f"npm does not install them: {done.stderr.strip()[-200:]}"
    return ""


def _proved(program: Program, arguments: argparse.Namespace) -> Findings:
    findings = Findings()
    with played() as model, made(_HOME, arguments.npm) as home:
        stage = Stage(program, home, model)
        name = program.headless("")[0]
        findings.version = ran((name, "--version"), home, {}, 60).strip().splitlines()[-1]
        for path, text in program.files(home, model.url).items():
            (home.folder / path).parent.mkdir(parents=True, exist_ok=True)
            (home.folder / path).write_text(text)
        before = {path: (home.folder / path).read_bytes() for path in program.files(home, "")}
        plan = home.tilth("init", program.host, "--mcp", "--yes")
        try:
            _sessions(stage, findings)
            _mcp(stage, findings)
            _task(stage, findings)
            _noting(stage, findings)
            _runs(stage, findings, "headless", stage.says, arguments.runs)
            _runs(stage, findings, "interactive", stage.shows, arguments.runs)
            _import(stage, findings)
        except (RuntimeError, subprocess.SubprocessError) as error:
            findings.found("broken off", str(error)[:500], is_right=False)
        finally:
            home.tilth("unplug")
        _undo(stage, findings, [Path(one["path"]) for one in plan["hosts"][0]["files"]], before)
        for call in home.told():
            findings.milliseconds[call.event].append(call.milliseconds)
        if arguments.record:
            _record(stage, arguments.record)
    return findings


def _sessions(stage: Stage, findings: Findings) -> None:
    """One session, and a second one that begins with what the first decided."""
    stage.says("Set up the ledger service")
    stage.home.settled()
    kept = [one.text for one in stage.home.episodes()]
    failed = [one.text for one in stage.home.episodes() if one.kind == "tool_failure"]
    is_whole = any(one.endswith(DECISION) for one in kept) and len(failed) == 1
    findings.found("capture of a session", "all; one failure", is_right=is_whole)
    heard = len(stage.model.requests)
    stage.says("What did we decide about the ledger database?")
    stage.home.settled()
    said = json.dumps(stage.model.requests[heard:])
    told = [context for one in stage.home.told() if (context := _context(one.said))]
    findings.brief = told[-1] if told else ""
    is_told = "row-level security" in said and "tilth-context" in said
    words = "in the model's request" if is_told else "not told"
    findings.found("brief of session 2", words, is_right=is_told)


def _context(said: str) -> str:
    answer = json.loads(said or "{}")
    told = answer.get("hookSpecificOutput", answer)
    return str(told.get("additionalContext", told.get("context", "")))


def _runs(
    stage: Stage, findings: Findings, how: str, say: Callable[[str], object], runs: int
) -> None:
    """Say something new and get one answer, so often; each must be there once, in one session."""
    prompts = [f"Count the kettles in {how} room {number}" for number in range(runs)]
    for prompt in prompts:
        say(prompt)
    stage.home.settled()
    by_session: dict[str, Counter[str]] = defaultdict(Counter)
    for one in stage.home.episodes():
        by_session[str(one.session_id)][one.text.strip()] += 1
    whole = sum(
        any(its[prompt] == 1 and its[_ANSWER] == 1 for its in by_session.values())
        for prompt in prompts
    )
    words = f"{whole} of {runs} whole"
    findings.found(f"capture, {how}", words, is_right=whole == runs)
    typed = sum(one.typed == one.text and one.text in prompts for one in stage.home.episodes())
    # Where an agent runs this programme, what it says through another one is not typed.
    is_right = typed == runs or bool(agent_above(("AI_AGENT",), dict(os.environ)))
    findings.found(f"typed by a person, {how}", f"{typed} of {runs}", is_right=is_right)


def _mcp(stage: Stage, findings: Findings) -> None:
    """Use the tools that `init --mcp` plugged in; nothing of it is heard again."""
    heard = len(stage.model.requests)
    stage.says("Ask your memory")
    stage.home.settled()
    asked = stage.model.requests[heard:]
    lent = {name for one in asked for name in _lent(one["body"])}
    missing = [tool for tool in _TOOLS if not any(name.endswith(tool) for name in lent)]
    words = f"lacks {', '.join(missing)}" if missing else "offered to the model"
    findings.found("tools of init --mcp", words, is_right=not missing)
    said = json.dumps(asked)
    is_answered = "epi_" in said and "It is data" in said and "tilth-context id=" in said
    findings.found("MCP", "answers, as data" if is_answered else "no answer", is_right=is_answered)
    stage.says("Note the lock")
    stage.home.settled()
    noted = [one for one in stage.home.episodes() if KEPT in one.text]
    captured = {one.scope for one in stage.home.episodes() if one.kind == "tool_result"}
    is_here = {one.scope for one in noted} == captured
    words = f"{', '.join(one.kind for one in noted)} of {'the' if is_here else 'another'} project"
    findings.found("remember", words, is_right=words == "note of the project")
    checks = {one["id"]: one for one in stage.home.tilth("doctor")["checks"]}
    found = checks["mcp.tools"]
    findings.found("doctor on the tools", found["summary"], is_right=found["status"] == "ok")


def _noting(stage: Stage, findings: Findings) -> None:
    """Go on in one session without a note: it is asked for one, once, and its model hears it."""
    heard, told = len(stage.model.requests), len(stage.home.told())
    stage.shows(*(f"Count the kettles on shelf {number}" for number in range(5)))
    stage.home.settled()
    asked = [one for one in stage.home.told()[told:] if _NOTE_REQUEST in _context(one.said)]
    is_heard = _NOTE_REQUEST in json.dumps(stage.model.requests[heard:])
    words = f"{number_of(len(asked), 'time')}, {'heard' if is_heard else 'not heard'} by the model"
    findings.found("a note is asked for", words, is_right=len(asked) == 1 and is_heard)


def _task(stage: Stage, findings: Findings) -> None:
    """As a language model it reads a sentence, with no tool, no server and no hook of the user."""
    model = stage.program.model
    if not model:
        return
    heard, kept = len(stage.model.requests), len(stage.home.episodes())
    settings = {
        "TILTH_MODEL_CHEAP": model,
        "TILTH_MODEL_PRICES": f"{model}=0/0",
        "TILTH_SPEND_DAY": "calls=9,tokens=9000000",
    }
    words = (str(stage.home.bin / "python"), "-c", _TRIAL)
    environ = {**stage.program.environ(stage.model.url), **settings}
    shown = ran(words, stage.home, environ, _RUN_S).strip()
    findings.found("as a language model", shown[-200:], is_right=shown == READ)
    lent = {name for one in stage.model.requests[heard:] for name in _lent(one["body"])}
    others = sorted(lent - _HARMLESS)
    findings.found("tools of a task", ", ".join(others) or "none", is_right=not others)
    stage.home.settled()
    new = len(stage.home.episodes()) - kept
    findings.found("captured of a task", f"{new} episodes", is_right=not new)


def _lent(request: Mapping[str, Any]) -> Iterator[str]:
    """Yield the names of the tools that a model may call."""
    for tool in request.get("tools", []):
        yield from (one["name"] for one in tool.get("tools", []))
        if "function" in tool:
            yield tool["function"]["name"]
        if declared := tool.get("functionDeclarations"):
            yield from (one["name"] for one in declared)
        elif "functionDeclarations" not in tool:
            yield tool.get("name") or tool["type"]


def _import(stage: Stage, findings: Findings) -> None:
    before = Counter((one.session_id, one.text.strip()) for one in stage.home.episodes())
    stage.home.tilth("import")
    after = Counter((one.session_id, one.text.strip()) for one in stage.home.episodes())
    doubled = sum(after[one] - before[one] for one in before)
    new = sum(after.values()) - sum(before.values()) - doubled
    words = f"{doubled} doubled, {new} that hooks are not told"
    findings.found("import after hooks", words, is_right=not doubled)
    known = stage.home.episodes()
    ours = [one.text for one in known if any(word in one.text for word in _OURS)]
    ours += [one.text for one in known if KEPT in one.text][1:]
    findings.found("own text kept out", f"{len(ours)} texts of ours", is_right=not ours)
    stage.home.tilth("verify")
    findings.found("verify", "whole", is_right=True)


def _undo(
    stage: Stage, findings: Findings, written: Sequence[Path], before: dict[str, bytes]
) -> None:
    now = {path: path.read_bytes() if path.exists() else None for path in written}
    then = {stage.home.folder / path: content for path, content in before.items()}
    changed = [path for path, content in now.items() if content != then.get(path)]
    # Programs write to their own files, too: that stays, and of ours nothing.
    ours = str(stage.home.bin).encode()
    marked = [
        str(path)
        for path in changed
        if ours in (now[path] or b"") or not _holds(now[path] or b"", then.get(path) or b"-")
    ]
    words = "byte for byte" + ", beside what it wrote itself" * bool(changed)
    words = f"left its mark on {marked}" if marked else words
    findings.found("undo", words, is_right=not marked)


def _holds(now: bytes, then: bytes) -> bool:
    """Say whether all bytes of then are there now, in their order."""
    rest = iter(now)
    return all(byte in rest for byte in then)


def _record(stage: Stage, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    home = str(stage.home.folder)
    calls = (
        {"at_ns": one.at_ns, "event": one.event, "payload": one.payload}
        for one in stage.home.told()
    )
    lines = [json.dumps(call).replace(home, "/home/ada") for call in calls]
    (folder / f"{stage.program.host}.jsonl").write_text("\n".join(lines) + "\n")


def _times(findings: Findings) -> dict[str, list[float]]:
    """Return the median and the longest time of each hook."""
    return {
        event: [round(median(taken)), round(max(taken))]
        for event, taken in findings.milliseconds.items()
    }


def _bare_python() -> float:
    """Return how long Python takes to start and do nothing, in ms."""
    taken = []
    for _ in range(10):
        begun = monotonic()
        subprocess.run([sys.executable, "-c", "pass"], check=True)
        taken.append(1000 * (monotonic() - begun))
    return round(median(taken))


def _table(found: dict[str, Findings]) -> Iterator[str]:
    yield "| step | " + " | ".join(f"{host} {its.version}" for host, its in found.items()) + " |"
    yield "|---" * (len(found) + 1) + "|"
    for step in dict.fromkeys(step for its in found.values() for step in its.steps):
        yield f"| {step} | " + " | ".join(its.steps.get(step, "") for its in found.values()) + " |"
    times = [
        ", ".join(f"{event} {taken[0]}" for event, taken in _times(its).items())
        for its in found.values()
    ]
    yield "| hooks, median ms | " + " | ".join(times) + " |"


def _briefs(found: dict[str, Findings]) -> Iterator[str]:
    for host, its in found.items():
        yield f"\n{host} was told when session 2 began:\n{its.brief or '(nothing)'}"


if __name__ == "__main__":
    main()
