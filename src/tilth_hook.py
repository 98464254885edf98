"""
The program that agent hosts run at every event: it keeps the event and gets out of the way.

    tilth-hook HOST EVENT [PAYLOAD] [--home FOLDER]

It appends what the host tells (on stdin, or as PAYLOAD) to the spool, durably,
and where a host shows its agent an answer it asks the worker for one. Whatever
happens the exit code is 0, and nothing is printed but what the host takes.

It stands outside the package, since its start is waited for at every turn.
What it shares with the package is held together by tests.
"""

# No pathlib: its import takes longer than all the rest takes to run.
# ruff: noqa: PTH103, PTH110, PTH111, PTH116, PTH118, PTH123, PTH208

import os
import select
import sys
import time

from tilth_spool import RECORD_BYTES_MAX, SEGMENT_SUFFIX, append, framed

_STDIN_BYTES_MAX = 16 << 20
_STDIN_SECONDS_MAX = 3.0
_CHUNK_BYTES = 1 << 16

RECALL_SECONDS_MAX = 0.2
# A session begins once, and without its brief if a worker that is busy is not waited for.
BRIEF_SECONDS_MAX = 1.0
RECALL_GREETING = b"tilth recall 1\n"
CONTEXT_CHARS_MAX = 9_500  # Claude Code puts more than 10,000 characters into a file
# A brief speaks for the present this long, and with a warning that long (DU-057).
_BRIEF_FRESH_SECONDS = 2 * 3600
_BRIEF_KEPT_SECONDS = 6 * 3600

# What hosts do, written by scripts/write_reference.py from what each module of
# `tilth.agents.hosts` declares; a test compares the two.
CONTEXT_EVENTS = {
    "claude-code": ("SessionStart", "SubagentStart", "UserPromptSubmit", "PostToolUseFailure"),
    "codex": ("SessionStart", "UserPromptSubmit", "PostToolUse"),
    "cursor": ("sessionStart",),
    "gemini-cli": ("SessionStart", "BeforeAgent", "AfterTool"),
    "opencode": ("session.created", "message.user", "session.compacting"),
    "vscode": ("SessionStart",),
}
_OPENING_EVENTS = {
    "SessionStart",
    "sessionStart",
    "session.created",
}
_PROMPT_EVENTS = {
    "UserPromptSubmit",
    "PreCompact",
    "beforeSubmitPrompt",
    "BeforeAgent",
    "message.user",
    "userPromptSubmitted",
    "sessionStart",
}
_WAKING_EVENTS = {
    "SessionStart",
    "Stop",
    "SessionEnd",
    "notify",
    "sessionStart",
    "stop",
    "AfterAgent",
    "session.created",
    "message.assistant",
}
_SAYS = {
    "claude-code": '{"hookSpecificOutput": {"hookEventName": EVENT, "additionalContext": CONTEXT}}',
    "codex": '{"hookSpecificOutput": {"hookEventName": EVENT, "additionalContext": CONTEXT}}',
    "cursor": '{"additional_context": CONTEXT}',
    "gemini-cli": '{"hookSpecificOutput": {"additionalContext": CONTEXT}}',
    "opencode": '{"context": CONTEXT}',
    "vscode": '{"hookSpecificOutput": {"hookEventName": EVENT, "additionalContext": CONTEXT}}',
}
_SILENCE = {
    "claude-code": "",
    "codex": "",
    "cursor": "{}",
    "gemini-cli": "{}",
    "opencode": "",
    "vscode": "{}",
}
_SILENCES = {
    ("cursor", "beforeSubmitPrompt"): '{"continue":true}',
}
# End of what is written.
_LOSS_TOLD_SECONDS = 24 * 3600
# What is set for the commands of an agent, and not for the hooks of its host (Claude Code gives
# CLAUDECODE to both, and tells its hooks that it is their harness, and no agent).
_AGENTS_COMMANDS = ("AI_AGENT",)
_HARNESS = "_harness"
_ANCESTORS_MAX = 32
_ENVIRON_BYTES_MAX = 1 << 18
_WAKE_AGAIN_NS = 60 * 10**9
_WAKE_DEAD_AGAIN_NS = 5 * 10**9  # one that was killed
_LOG_BYTES_MAX = 1 << 20
_SHELLS_OWN = ("TILTH_STORE", "TILTH_OWNER")


def main() -> None:
    """Serve one event, and exit with 0 whatever happens."""
    try:
        serve(sys.argv[1:], dict(os.environ))
    finally:
        # Skips what would be printed of an error, and the interpreter's slow end.
        os._exit(0)


def serve(arguments: list[str], environ: dict[str, str]) -> None:
    """Keep the event that *arguments* and stdin tell of, and print the answer to it."""
    os.umask(0o077)
    words, home = _parse_arguments(arguments)
    host, event = _safe_word(words, 0), _safe_word(words, 1)
    context, is_answered = "", False
    try:
        data, state = folders(environ, home)
        if _is_switched_off(environ, state):
            return
        payload = words[2].encode("utf-8", "replace") if words[2:] else _read_stdin()
        spool = os.path.join(data, "spool")
        was_empty = _is_empty(spool)
        is_agents = event in _PROMPT_EVENTS and bool(agent_above(_AGENTS_COMMANDS, environ))
        record = framed(host, event, time.time_ns(), payload, is_agents=is_agents)
        is_kept = _keep(spool, state, record)
        if event in CONTEXT_EVENTS.get(host, ()) and _is_worth_asking(event, payload):
            seconds = BRIEF_SECONDS_MAX if event in _OPENING_EVENTS else RECALL_SECONDS_MAX
            said = ask_worker(worker_address(state), _question(host, event, payload), seconds)
            is_answered = said is not None
            context = said or ""
            if not is_answered and event in _OPENING_EVENTS:
                context = _last_brief(state, payload, may_be_current=was_empty)
            if event in _OPENING_EVENTS:
                context = _with_losses(state, context, is_kept=is_kept)
        if event in _WAKING_EVENTS and not is_answered:
            _wake_worker(state, _worker_environ(environ, home))
    finally:
        _write_stdout(answer(host, event, context))


def agent_above(names: tuple[str, ...], environ: dict[str, str]) -> str:
    """
    Return which of *names* is set here, or was for a process that this one comes from.

    Whoever takes a name out of its environment still comes from somebody who had it. Only
    Linux shows that; elsewhere it is asked of this process alone.
    """
    for name in names:
        if environ.get(name) and not environ[name].endswith(_HARNESS):
            return name
    marks = [f"{name}=".encode() for name in names]
    process = os.getpid()
    for _ in range(_ANCESTORS_MAX):
        try:
            with open(f"/proc/{process}/stat", "rb") as file:
                # The name of a program stands in parentheses, and may hold any itself.
                process = int(file.read().rpartition(b")")[2].split()[1])
            with open(f"/proc/{process}/environ", "rb") as file:
                told = file.read(_ENVIRON_BYTES_MAX).split(b"\0")
        except (OSError, ValueError, IndexError):
            break
        for mark, name in zip(marks, names):  # noqa: B905 - of one length, and Python is starting
            if any(_is_set(one, mark) for one in told):
                return name
    return ""


def _is_set(one: bytes, mark: bytes) -> bool:
    return one.startswith(mark) and one != mark and not one.endswith(_HARNESS.encode())


def folders(environ: dict[str, str], home: str = "") -> tuple[str, str]:
    """Return the data and the state folder; the same ones as `tilth.runtime.connect.folders`."""
    if root := home or environ.get("TILTH_HOME", ""):
        return root, os.path.join(root, "state")
    data, state = ".local/share", ".local/state"
    if sys.platform == "darwin":
        data = state = "Library/Application Support"
    return _xdg_folder(environ, "XDG_DATA_HOME", data), _xdg_folder(
        environ, "XDG_STATE_HOME", state
    )


def answer(host: str, event: str, context: str) -> str:
    """Return what *host* takes at *event*: JSON around *context*, or its form of nothing."""
    if not context or event not in CONTEXT_EVENTS.get(host, ()):
        return _SILENCES.get((host, event), _SILENCE.get(host, ""))
    import json  # noqa: PLC0415 - most events have no answer

    # Codex refuses any key that it does not know, so there are no others.
    said = _SAYS[host].replace("EVENT", json.dumps(event))
    return said.replace("CONTEXT", json.dumps(context))


def ask_worker(address: str, question: bytes, seconds: float = RECALL_SECONDS_MAX) -> str | None:
    """Return what the worker at the Unix socket *address* answers; None if it does not in time."""
    import _socket  # noqa: PLC0415 - most events ask nobody

    deadline = time.monotonic() + seconds
    heard = b""
    try:
        line = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
        try:
            line.settimeout(seconds)
            line.connect(address)
            line.settimeout(max(deadline - time.monotonic(), 0.001))
            line.sendall(question)
            line.shutdown(_socket.SHUT_WR)
            while len(heard) < _CHUNK_BYTES:
                line.settimeout(max(deadline - time.monotonic(), 0.001))
                more = line.recv(_CHUNK_BYTES)
                if not more:
                    break
                heard += more
        finally:
            line.close()
    except (OSError, AttributeError):  # AttributeError: no Unix sockets here
        return None
    if not heard.startswith(RECALL_GREETING):
        return None
    said = heard[len(RECALL_GREETING) :].decode("utf-8", "replace")
    # Half of it would lack the mark at its end, by which it is known when it comes back.
    return said if len(said) <= CONTEXT_CHARS_MAX else ""


def worker_address(state: str) -> str:
    """Return where the worker listens."""
    return os.path.join(state, "worker.sock")


def brief_path(state: str, folder: str) -> str:
    """Return where the brief for sessions in *folder* was written last."""
    import hashlib  # noqa: PLC0415 - only a fallback needs it

    digest = hashlib.sha256(folder.encode("utf-8", "surrogatepass")).hexdigest()
    return os.path.join(state, "briefs", f"{digest[:32]}.txt")


def current_path(state: str) -> str:
    """Return the file that says of which state of the store the briefs were written."""
    return os.path.join(state, "briefs", "current")


def store_stamp(store: str) -> str:
    """Return what is another text as soon as the store in this file has changed; empty if open."""
    found = os.stat(store)
    is_open = os.path.exists(f"{store}-wal")
    return "" if is_open else f"{found.st_size} {found.st_mtime_ns}"


def pause_path(state: str) -> str:
    """Return the file whose presence pauses; it may hold the second of its end."""
    return os.path.join(state, "paused")


def lost_path(state: str) -> str:
    """Return the file that has a byte for each event that found no room."""
    return os.path.join(state, "lost")


def wake_path(state: str) -> str:
    """Return the file that holds the command by which a worker is started, a word a line."""
    return os.path.join(state, "wake")


def _parse_arguments(arguments: list[str]) -> tuple[list[str], str]:
    words, home, rest = [], "", iter(arguments)
    for word in rest:
        if word == "--home":
            home = next(rest, "")
        else:
            words.append(word)
    return words, home


def _safe_word(words: list[str], place: int) -> str:
    """Return a word that may stand in a record: no spaces, no surprises."""
    text = words[place] if len(words) > place else ""
    kept = "".join(char for char in text if char.isascii() and (char.isalnum() or char in "-_."))
    return kept[:64] or "unknown"


def _xdg_folder(environ: dict[str, str], name: str, otherwise: str) -> str:
    root = environ.get(name, "").strip()
    if not root.startswith("/"):
        root = os.path.join(os.path.expanduser("~"), otherwise)
    return os.path.join(root, "tilth")


def _is_switched_off(environ: dict[str, str], state: str) -> bool:
    """Say whether nothing is to be kept: switched off, Tilth's own agent, or paused."""
    for name in ("TILTH_DISABLE", "TILTH_INTERNAL"):
        if environ.get(name, "").strip().lower() not in ("", "0", "false", "no", "off"):
            return True
    try:
        with open(pause_path(state), "rb") as file:
            until = file.read(32).strip()
    except OSError:
        return False
    return not until.isdigit() or time.time_ns() < int(until) * 10**9


def _read_stdin() -> bytes:
    """Return what the host says, as far as it comes in time; nothing if there is no input."""
    deadline = time.monotonic() + _STDIN_SECONDS_MAX
    chunks: list[bytes] = []
    size = 0
    try:
        while size < _STDIN_BYTES_MAX and not os.isatty(0):
            left = max(deadline - time.monotonic(), 0)
            if not select.select([0], [], [], left)[0]:
                break
            chunk = os.read(0, _CHUNK_BYTES)
            if not chunk:
                break
            chunks.append(chunk)
            size += len(chunk)
    except (OSError, ValueError):  # stdin is closed
        return b"".join(chunks)
    return b"".join(chunks)


def _is_empty(spool: str) -> bool:
    """Say whether all that was kept is in the store already."""
    try:
        return not any(name.endswith(SEGMENT_SUFFIX) for name in os.listdir(spool))
    except OSError:
        return True


def _keep(spool: str, state: str, record: bytes) -> bool:
    try:
        is_kept = append(spool, record)
    except OSError:
        is_kept = False
    if not is_kept:
        _count_lost(state)
    return is_kept


def _count_lost(state: str) -> None:
    """Let `lost` grow by a byte; beside the state, since the spool is what takes nothing."""
    try:
        os.makedirs(state, 0o700, exist_ok=True)
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT
        lost = os.open(lost_path(state), flags, 0o600)
        try:
            os.write(lost, b".")
        finally:
            os.close(lost)
    except OSError:
        return  # Nowhere to note it either: the next session's agent is told, and doctor tries.


def _with_losses(state: str, context: str, *, is_kept: bool) -> str:
    """Say before a brief what was lost lately, so that no session is lost in silence."""
    told = ""
    try:
        found = os.stat(lost_path(state))
        if abs(time.time_ns() // 10**9 - found.st_mtime) < _LOSS_TOLD_SECONDS:
            told = f"Tilth lost {max(found.st_size, 1)} events of hooks; `tilth doctor` says why."
    except OSError:
        pass
    if not is_kept:
        told = (
            "Tilth cannot keep what is said in this session, for its spool takes nothing."
            " Tell the user: `tilth doctor` says why."
        )
    return f"{told}\n{context}".strip()[:CONTEXT_CHARS_MAX] if told else context


def _is_worth_asking(event: str, payload: bytes) -> bool:
    """Say whether it is worth to ask: after a tool of Gemini CLI, only if it may have failed."""
    return event != "AfterTool" or b"Exit Code: " in payload or b'"error"' in payload


def _question(host: str, event: str, payload: bytes) -> bytes:
    head = b"%s %s %s\n" % (RECALL_GREETING.strip(), host.encode(), event.encode())
    return head + payload[:RECORD_BYTES_MAX]


def _worker_environ(environ: dict[str, str], home: str) -> dict[str, str]:
    """Return *environ* as `tilth init` knew it: what one shell says of the store is its own."""
    told = {name: environ[name] for name in environ if name not in _SHELLS_OWN}
    return told | ({"TILTH_HOME": home} if home else {})


def _wake_worker(state: str, environ: dict[str, str]) -> None:
    """Start a worker as `tilth init` said, unless one is there or was started just now."""
    woken = os.path.join(state, "woken")
    try:
        with open(wake_path(state), encoding="utf-8") as file:
            command = file.read().splitlines()
        if os.path.exists(woken) and _was_just_started(woken):
            return
        note = os.open(woken, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        try:
            os.utime(woken)
            if ask_worker(worker_address(state), _question("tilth", "wake", b"")) is None:
                files = _worker_files(os.path.join(state, "worker.log"))
                pid = os.posix_spawn(command[0], command, environ, file_actions=files, setsid=True)
                os.write(note, b"%d" % pid)
        finally:
            os.close(note)
    except (OSError, IndexError, AttributeError, NotImplementedError, ValueError):
        return  # Nobody to wake, or not here: what was kept waits for the next worker.


def _was_just_started(woken: str) -> bool:
    """Say whether a worker was started so lately that it is starting still, and has not died."""
    # The clock may have been set back since: that must not keep a worker asleep.
    age = abs(time.time_ns() - os.stat(woken).st_mtime_ns)
    if age >= _WAKE_AGAIN_NS:
        return False
    if age >= _WAKE_DEAD_AGAIN_NS:
        try:
            with open(woken, encoding="ascii") as file:
                os.kill(int(file.read()), 0)
        except ProcessLookupError:
            return False
        except (OSError, ValueError):
            return True
    return True


def _last_brief(state: str, payload: bytes, *, may_be_current: bool) -> str:
    """Return the brief that was written last for the session's folder, as old as it is."""
    import json  # noqa: PLC0415 - only when the worker does not answer

    try:
        said = json.loads(payload)
        folder = said.get("cwd") or said["workspace_roots"][0]
        with open(brief_path(state, folder), encoding="utf-8", errors="replace") as file:
            age = time.time_ns() // 10**9 - os.fstat(file.fileno()).st_mtime
            brief = file.read(CONTEXT_CHARS_MAX - 200)
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return ""
    if abs(age) <= _BRIEF_FRESH_SECONDS or (may_be_current and _is_unchanged(state)):
        return brief
    if age < 0:
        return "Tilth is degraded: its worker does not answer; its last brief is of unknown age."
    hours = int(age // 3600)
    if age <= _BRIEF_KEPT_SECONDS:
        return f"Tilth is degraded: its worker does not answer. From {hours} hours ago:\n{brief}"
    return f"Tilth is degraded: its worker does not answer; its last brief is {hours} hours old."


def _is_unchanged(state: str) -> bool:
    """Say whether the store is as it was when the last worker wrote its briefs and went."""
    try:
        with open(current_path(state), encoding="utf-8") as file:
            stamp, _, store = file.read().partition("\n")
        return bool(stamp) and stamp == store_stamp(store)
    except (OSError, ValueError):
        return False


def _worker_files(log: str) -> list[tuple[int, int, str, int, int]]:
    """Return what a worker reads and writes: nothing, and a log that begins anew when long."""
    is_long = os.path.exists(log) and os.stat(log).st_size > _LOG_BYTES_MAX
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
    return [
        (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        (os.POSIX_SPAWN_OPEN, 1, log, flags | (os.O_TRUNC if is_long else 0), 0o600),
        (os.POSIX_SPAWN_OPEN, 2, log, flags, 0o600),
    ]


def _write_stdout(text: str) -> None:
    """Write to stdout past Python's buffers, whose late flush could still fail."""
    rest = text.encode()
    try:
        while rest and sys.stdout is not None:
            rest = rest[os.write(1, rest) :]
    except OSError:
        return


if __name__ == "__main__":
    main()
