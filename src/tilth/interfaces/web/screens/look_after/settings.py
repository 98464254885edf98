"""Settings: the hosts, the worker, the tokens, and what is in force and where it comes from."""

import hashlib
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import fields
from datetime import timedelta

from tilth.agents.hosts.registry import HOSTS, find_host
from tilth.agents.install_plan import Plan
from tilth.core.errors import ConflictError, TilthError, UnsupportedError
from tilth.core.io.file_lock import lock_holder
from tilth.interfaces.http.tokens import GIVEN, parse_role
from tilth.interfaces.plug_hosts import check_store, lacks_tools, plan_setup, plug, unplug_all
from tilth.interfaces.settings_file import set_in_file, unset_in_file
from tilth.interfaces.web.rendering import program
from tilth.interfaces.web.screen import Ask, Said, Told, act, screen
from tilth.runtime import connect as bootstrap
from tilth.runtime import places
from tilth.runtime.machine import spool_state
from tilth.runtime.settings import DOCS, SECRET, Settings
from tilth.runtime.system import SystemClock
from tilth.runtime.worker.process import end_processes, start_once

# What is changed most, by what it is about; the rest stands below.
_GROUPS: Mapping[str, Sequence[str]] = {
    "Privacy": ("excluded_terms", "mcp_scopes", "project_domains", "renamed_projects"),
    "What agents are told": (
        "injection",
        "injection_limit",
        "injection_keywords",
        "injection_asks",
    ),
    "Models": ("model_cheap", "model_strong", "model_tasks", "model_prices", "model_timeout_s"),
    "Budgets": ("spend_day", "spend_project", "spend_run", "spend_session"),
    "Learning": (
        "distil_confidence",
        "learning",
        "reflection",
        "playbook_sessions",
        "skill_sessions",
        "gap_threshold",
    ),
}
# What the address says where an agent is to have the memory's tools, too.
_ON = "on"
_LINK = re.compile(r"\[([^]]+)\]\([^)]*\)")
# Where the store lies is no page's to change while it is served.
_FIXED = frozenset({"store", "owner"})


@screen(
    "/settings",
    title="Settings",
    group="Look after",
    place=110,
    lead="The agents that are plugged in, the worker, the tokens, and every setting with "
    "where it comes from.",
)
def settings(ask: Ask) -> Told:
    """Gather hosts, the worker, tokens, and every setting with its value and origin."""
    folders = places.folders(os.environ)
    rows = {one["name"]: one for one in _rows()}
    named = {name for names in _GROUPS.values() for name in names}
    groups = {group: [rows[name] for name in names] for group, names in _GROUPS.items()}
    groups["All else"] = [one for name, one in rows.items() if name not in named]
    return {
        "groups": groups,
        "places": {
            "store": places.shown(ask.where),
            "data": folders.data,
            "state": folders.state,
            "settings file": folders.config,
        },
        "hosts": _hosts(),
        "is_paused": bootstrap.hooks(os.environ).state.is_paused(SystemClock().now()),
        "hooks": spool_state(os.environ),
        "worker": _worker(ask),
        "tokens": ask.serving.tokens.list(),
        "roles": list(GIVEN),
        "spent": ask.brain.models.spent_today(),
    }


@screen("/hosts/{host}", title="Plug in", under="/settings")
def host(ask: Ask) -> Told:
    """Gather what plugging a host in would change, byte for byte."""
    name = ask.text("host")
    plan, problem = _plan(ask, name)
    return {
        "host": name,
        "tools": ask.text("tools"),
        "heading": f"Plug in {program(name)}",
        "plan": plan,
        "diff": plan.diff() if plan else "",
        "digest": _digest(plan) if plan else "",
        "problem": problem,
    }


def _plan(ask: Ask, name: str) -> tuple[Plan | None, str]:
    find_host(name)  # Of no host nothing else is told.
    try:
        check_store(ask.where)
        return plan_setup(name, with_tools=ask.text("tools") == _ON), ""
    except (ConflictError, UnsupportedError) as error:
        return None, f"{error}: {error.hint}" if error.hint else str(error)


def _digest(plan: Plan) -> str:
    return hashlib.sha256(plan.diff().encode()).hexdigest()


def _rows() -> Sequence[Mapping[str, object]]:
    loaded = places.loaded(os.environ)
    return [
        {
            "name": one.name,
            "value": _value_text(one.name, getattr(loaded.settings, one.name)),
            "origin": loaded.origins[one.name],
            "meaning": _LINK.sub(r"\1", DOCS[one.name]),
            "is_fixed": one.name in _FIXED or loaded.origins[one.name] == "environment",
            "is_secret": one.name in SECRET,
            "is_switch": isinstance(getattr(loaded.settings, one.name), bool),
        }
        for one in fields(Settings)
    ]


def _value_text(name: str, value: object) -> str:
    if name in SECRET:
        return ""
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def _hosts() -> Sequence[Mapping[str, object]]:
    since = {one.host: one.at for one in bootstrap.hooks(os.environ).receipts.in_force()}
    return [
        {
            "name": name,
            "since": since.get(name),
            "lacks_tools": name in since and lacks_tools(name),
        }
        for name in HOSTS
    ]


def _worker(ask: Ask) -> Mapping[str, object]:
    """Say whether a worker runs: the server's own, or another process."""
    held, own = lock_holder(places.worker_lock(ask.where)), ask.serving.worker
    is_own = own is not None and own.is_on
    is_other = held is not None and held != os.getpid()
    return {"is_on": is_own or is_other, "is_own": is_own and not is_other, "process": held}


@act("hosts/plug")
def plug_in(ask: Ask) -> Said:
    """Plug a host in, as its page showed it."""
    check_store(ask.where)
    plan = plan_setup(ask.text("host"), with_tools=ask.text("tools") == _ON)
    if _digest(plan) != ask.text("digest"):
        raise ConflictError("its files changed since they were shown", hint="look again")
    plug([plan])
    rows = [("Now", note) for note in plan.notes]
    return Said(f"{program(plan.host)} is plugged in.", rows=rows, back="/settings")


@act("hosts/unplug")
def unplug(ask: Ask) -> Said:
    """Take back all that was written for a host."""
    done = unplug_all([ask.text("host")])
    rows = [
        (fate, path)
        for one in done
        for fate in ("restored", "removed", "trimmed", "moved", "left")
        for path in getattr(one, fate)
    ]
    return Said(f"{program(ask.text('host'))} is unplugged.", rows=rows)


@act("capture/pause")
def pause(ask: Ask) -> Said:
    """Let hooks keep nothing and say nothing, for an hour or until somebody resumes."""
    minutes = ask.number("minutes", 0, most=100_000)
    until = SystemClock().now() + timedelta(minutes=minutes) if minutes else None
    bootstrap.hooks(os.environ).state.pause(until)
    return Said("Nothing is captured until then." if until else "Nothing is captured for now.")


@act("capture/resume")
def resume(_: Ask) -> Said:
    """Let hooks go on."""
    bootstrap.hooks(os.environ).state.resume()
    return Said("Sessions are captured.")


@act("worker/stop")
def stop_worker(ask: Ask) -> Said:
    """End the worker, the server's own and another process."""
    own = ask.serving.worker
    if own is not None:
        own.stop()
    ask.serving.importing.stop()
    end_processes(ask.where)
    return Said("The worker has ended. What is left waits.")


@act("worker/start")
def start_worker(ask: Ask) -> Said:
    """Start the server's own worker; without one, a process that ends when nothing waits."""
    own = ask.serving.worker
    if own is not None:
        own.start()
    else:
        owner = ask.brain.parts.recorder.owner
        start_once(ask.where, owner, os.environ, places.folders(os.environ).state)
    return Said("The worker is at work.")


@act("tokens/add")
def add_token(ask: Ask) -> Said:
    """Make a token, which the next page shows this once."""
    name, role = ask.text("name"), parse_role(ask.text("role"))
    bits = ask.serving.tokens.add(name, role)
    return Said(f"The token of {name}. Nobody can read it again; copy it now.", secret=bits)


@act("tokens/revoke")
def revoke_token(ask: Ask) -> Said:
    """End a token."""
    ask.serving.tokens.revoke(ask.text("name"))
    return Said(f"{ask.text('name')} is refused from now on.")


@act("settings/set")
def set_one(ask: Ask) -> Said:
    """Set one setting in the settings file; what runs reads it when it starts again."""
    name = _changeable(ask)
    try:
        set_in_file(places.folders(os.environ), {name: ask.text("value")})
    except TilthError as error:
        raise type(error)(f"{name} stays as it was: {error}", hint=error.hint) from error
    return Said(f"{name} is set. What runs now reads it when it starts again.")


@act("settings/unset")
def unset_one(ask: Ask) -> Said:
    """Take one setting out of the settings file, so that it has its default again."""
    name = _changeable(ask)
    unset_in_file(places.folders(os.environ), name)
    return Said(f"{name} has its default again. What runs now reads it when it starts again.")


def _changeable(ask: Ask) -> str:
    """Return the setting that a form names, if a page may change it."""
    name = ask.text("name")
    if name in _FIXED or name not in DOCS:
        raise ConflictError(f"{name} is not set from a page", hint="tilth settings set")
    return name
