"""Gather what the doctor needs to know of this machine."""

import json
import platform
import re
import shlex
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from stat import S_IMODE
from threading import Timer
from typing import NamedTuple, TypeAlias
from urllib.parse import unquote, urlsplit

from tilth.agents.hosts.registry import find_host
from tilth.agents.hosts.servers import store_of, variables_of, words_of
from tilth.core.errors import CorruptionError, UnsupportedError
from tilth.core.io.paths import users_home
from tilth.core.json import JsonObject
from tilth.gaps.task_lists import OutboxFolder, outbox_of
from tilth.privacy.redaction import scrub
from tilth.runtime import connect as bootstrap
from tilth.runtime import places
from tilth.runtime.backups import last_backup
from tilth.runtime.doctor import ConnectedHost, HostTools, Machine, Place, SpoolState, Transcript
from tilth.runtime.settings import PREFIX
from tilth.runtime.system import SystemClock
from tilth.transfer.model import Source

# In days: after this, Claude Code removes transcripts, unless its settings say otherwise.
_CLEANUP_DAYS = 30
_CLEANUP_SETTING = "cleanupPeriodDays"


class ToolOffer(NamedTuple):
    """How many tools an MCP server offers; if none, why, and what mends that."""

    tool_count: int = 0
    problem: str = ""
    fix: str = ""


# Takes a server's command and its environment; see `_offered_tools`.
_ListTools: TypeAlias = Callable[[tuple[str, ...], tuple[tuple[str, str], ...]], ToolOffer]
# In seconds. Hosts wait for less, but on a busy machine a slow server is not broken.
_SERVER_S = 60.0
_VERSION_S = 10.0
_VERSION = re.compile(r"(\d{1,4})\.\d")
_CLIENT: JsonObject = {"name": "tilth-doctor", "version": "1"}
_INITIALIZE: JsonObject = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": _CLIENT,
}
_REQUESTS = b"".join(
    json.dumps({"jsonrpc": "2.0", **one}).encode() + b"\n"
    for one in (
        {"id": 1, "method": "initialize", "params": _INITIALIZE},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/list"},
    )
)


def machine_of(environ: Mapping[str, str], where: str, settings_problem: str = "") -> Machine:
    """Gather what can be known before the store at *where* is open."""
    home = places.folders(environ)
    store = None if "://" in where else Path(where)
    sqlite, sqlite_problem = bootstrap.sqlite_state()
    hosts, receipts_problem = _connected_hosts(environ)
    shared, now = bootstrap.hooks(environ), SystemClock().now()
    return Machine(
        now=now,
        python=platform.python_version(),
        sqlite=sqlite,
        sqlite_problem=sqlite_problem,
        settings_problem=settings_problem,
        store=where if store else scrub(where).text,
        places=[
            _place("data", home.data),
            _place("state", home.state),
            *([_place("store", store)] if store else []),
        ],
        conflicts=_conflicts(store) if store else [],
        skills_aside=OutboxFolder(outbox_of(where, home.data)).of_skills(),
        disk_free_bytes=shutil.disk_usage(_nearest_folder(store or home.data)).free,
        has_heads=bootstrap.has_heads(where),
        restore_command=restore_command(environ, where),
        hosts=hosts,
        receipts_problem=receipts_problem,
        spool=spool_state(environ),
        spool_problem=shared.spool.refusal(),
        is_paused=shared.state.is_paused(now),
        stages=bootstrap.stage_log(where).read(),
    )


def _conflicts(store: Path) -> list[str]:
    """Return copies of the store that a sync program left beside it after a conflict."""
    beside = store.parent.glob(f"*{store.suffix}")
    alike = [one for one in beside if one != store and one.name.startswith(store.stem)]
    return sorted(str(one) for one in alike if "conflict" in one.name.casefold())


def last_backup_at(environ: Mapping[str, str], store_id: str) -> datetime | None:
    """Return when the store was last backed up on this machine; None if never."""
    backup = last_backup(places.folders(environ).state, store_id)
    return None if backup is None else backup.made_at


def restore_command(environ: Mapping[str, str], where: str) -> str:
    """Return the command that restores the store last at *where*; empty without a backup."""
    try:
        store_id = None if "://" in where else bootstrap.store_id_at(where)
    except OSError:
        # Another check reports this error, since the store does not open for it either.
        return ""
    backup = None if store_id is None else last_backup(places.folders(environ).state, store_id)
    if backup is None or not Path(backup.path).exists():
        return ""
    replacing = " --replace" * Path(where).exists()
    return f"tilth restore {shlex.quote(backup.path)}{replacing}"


def spool_state(environ: Mapping[str, str]) -> SpoolState:
    """Return what hooks wrote and the store lacks."""
    shared = bootstrap.hooks(environ)
    lost, aside = shared.state.lost_count(), shared.spool.aside_bytes()
    return SpoolState(shared.spool.waiting_bytes(), lost, aside)


def transcripts_of(sources: Sequence[Source], environ: Mapping[str, str]) -> list[Transcript]:
    """Return when its agent removes each source; sources that are gone are left out."""
    kept = timedelta(days=_cleanup_days(environ))
    found = ((source, Path(unquote(urlsplit(source.uri).path))) for source in sources)
    return [
        Transcript(
            source.uri,
            source.format,
            # The others keep what they wrote.
            datetime.fromtimestamp(path.stat().st_mtime, UTC) + kept
            if source.format == "claude-code"
            else None,
        )
        for source, path in found
        if path.exists()
    ]


def _connected_hosts(environ: Mapping[str, str]) -> tuple[Sequence[ConnectedHost], str]:
    """Return the hosts that are set up, each since its first receipt, and an error of reading."""
    try:
        receipts = bootstrap.hooks(environ).receipts.in_force()
    except CorruptionError as error:
        return (), str(error)
    first = {one.host: one.at for one in receipts}
    return [
        ConnectedHost(host, at, unsupported_version(host, environ)) for host, at in first.items()
    ], ""


def unsupported_version(host: str, environ: Mapping[str, str]) -> str:
    """Say why the installed version of a host is not supported; empty if it is, or none is here."""
    versions = find_host(host).DECLARATION.versions
    program = versions and shutil.which(versions.command, path=environ.get("PATH"))
    if versions is None or not program:
        return ""
    try:
        told = subprocess.run(  # noqa: S603 - what the user starts, too
            [program, "--version"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=dict(environ),
            timeout=_VERSION_S,
            check=False,
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return ""
    found = _VERSION.search(told.decode("utf-8", "replace"))
    if found is None or int(found[1]) <= versions.last:
        return ""
    return f"version {found[1]}, which is installed, {versions.said}"


def host_tools_of(environ: Mapping[str, str]) -> Sequence[HostTools]:
    """Return which set-up hosts have the memory's tools, after starting each server once."""
    own = {name: value for name, value in environ.items() if not name.startswith(PREFIX)}
    offered = cache(lambda words, told: _offered_tools(words, {**own, **dict(told)}))
    return [_tools_of(one.host, environ, offered) for one in _connected_hosts(environ)[0]]


def _tools_of(host: str, environ: Mapping[str, str], offered: _ListTools) -> HostTools:
    try:
        setup = bootstrap.host_setup(host, environ)
    except UnsupportedError as error:
        return HostTools(host, is_plugged=True, problem=str(error))
    read = bootstrap.hooks(environ).files.read
    own, by_hand = setup.servers.entry(read), setup.servers.by_hand(read)
    folders = tuple(dict.fromkeys(one.folder for one in by_hand if one.folder))
    entry = own or next((one.entry for one in by_hand if not one.folder), None)
    if entry is None:
        # A server that a project brought along is not started: its user has to allow it in the
        # host.
        return HostTools(host, is_plugged=bool(folders), only_in=folders)
    store, meant = store_of(entry), places.hooks_store(environ)
    if store and store != str(Path(meant).absolute()):
        return HostTools(host, is_plugged=True, problem=f"its server is for another store, {store}")
    offer = offered(tuple(words_of(entry)), tuple(variables_of(entry).items()))
    told = HostTools(host, is_plugged=True, **offer._asdict())
    if own is None or not by_hand or told.problem:
        return told
    fix = setup.servers.how_to_remove(by_hand[0].folder)
    return replace(told, twice_in=folders or (by_hand[0].path,), fix=fix)


def _offered_tools(words: Sequence[str], environ: Mapping[str, str]) -> ToolOffer:
    """Start an MCP server, and return the tools that it offers."""
    pipe = subprocess.PIPE
    try:
        server = subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=pipe, env=environ)  # noqa: S603 - what the host starts, too
    except OSError as error:
        return ToolOffer(problem=f"{words[0]} cannot be started: {error.strerror}")
    asked, said, errors = server.stdin, server.stdout, server.stderr
    assert asked is not None, "it is a pipe"
    assert said is not None, "likewise"
    assert errors is not None, "likewise"
    # The server ends when its input closes; a hanging one is killed.
    watch = Timer(_SERVER_S, server.kill)
    watch.start()
    try:
        with suppress(BrokenPipeError):
            asked.write(_REQUESTS)
            asked.flush()
        for line in said:
            if (tools := _tools_in(line)) is not None:
                return ToolOffer(len(tools))
        told = errors.read().decode("utf-8", "replace").split("\n")
    finally:
        watch.cancel()
        server.kill()
        server.communicate()
    # The last line of its output says why it ended, with an indented line on what mends it.
    said_last = [one.rstrip() for one in told if one.strip()][-2:]
    fix = said_last.pop().strip() if said_last and said_last[-1].startswith(" ") else ""
    why = said_last[-1].removeprefix("tilth: ") if said_last else "its server does not answer"
    return ToolOffer(problem=why, fix=fix)


def _tools_in(line: bytes) -> Sequence[object] | None:
    """Return the tools in a line of an MCP server's output; None if it is another message."""
    try:
        tools = json.loads(line)["result"]["tools"]
    except (ValueError, LookupError, TypeError):
        return None
    return tools if isinstance(tools, list) else None


def _place(name: str, path: Path) -> Place:
    return Place(name, str(path), S_IMODE(path.stat().st_mode) if path.exists() else None)


def _nearest_folder(path: Path) -> Path:
    return next(folder for folder in (path, *path.absolute().parents) if folder.is_dir())


def _cleanup_days(environ: Mapping[str, str]) -> int:
    folder = environ.get("CLAUDE_CONFIG_DIR") or Path(users_home(environ)) / ".claude"
    try:
        settings = json.loads((Path(folder) / "settings.json").read_text(encoding="utf-8"))
        days = settings.get(_CLEANUP_SETTING)
    except (OSError, ValueError, AttributeError):
        return _CLEANUP_DAYS
    return days if isinstance(days, int) and days > 0 else _CLEANUP_DAYS
