"""Set agent programs up to use Tilth, and take that back; for the command line and the pages."""

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace

from tilth.agents import install
from tilth.agents.install_plan import Plan, Receipt, Undone
from tilth.core.errors import ConflictError, UnsupportedError
from tilth.interfaces.mcp import check_extra
from tilth.runtime import connect as bootstrap
from tilth.runtime import places
from tilth.runtime.machine import unsupported_version
from tilth.runtime.system import SystemClock, SystemIds
from tilth.runtime.worker.process import HOOK_WORKER


def check_store(meant: str) -> None:
    """
    Check that hooks record into the store that is meant.

    A host calls them in its own environment: what a shell or a line says, they never hear.

    Raises:
        ConflictError: they record into another one.
    """
    theirs = places.hooks_store(os.environ)
    if meant != theirs:
        raise ConflictError(
            f"hooks record into {places.shown(theirs)}, not into {places.shown(meant)}",
            hint="set 'store' in the settings file, and neither --store nor TILTH_STORE",
        )


def plan_setup(host: str, *, with_tools: bool = False) -> Plan:
    """
    Return what plugging in *host* would change. It only reads.

    Tools that were plugged in like this stay, and are brought up to date; those that its user
    plugged in by hand are left alone, unless they are wanted here.

    Raises:
        InvalidInputError: there is no such host, or a file is not what the host would read.
        ConflictError: something else stands in the place of a file of ours, or the tools are
            plugged in by hand.
        UnsupportedError: the tools need an extra.
    """
    shared = bootstrap.hooks(os.environ)
    read, servers = shared.files.read, bootstrap.host_setup(host, os.environ).servers
    is_plugged = servers.entry(read) is not None
    if with_tools and not is_plugged:
        check_extra()
        servers.check_free(read)
    receipts = shared.receipts.in_force(host)
    is_ours = servers.is_own or any(
        one.path == servers.path for receipt in receipts for one in receipt.files
    )
    keeps_tools = with_tools or (is_plugged and is_ours)
    setup = bootstrap.host_setup(host, os.environ, has_tools=keeps_tools)
    plan = install.plan_init(setup, shared.files)
    has_tools = with_tools or is_plugged or bool(servers.by_hand(read))
    warning = unsupported_version(host, os.environ)
    return replace(plan, warning=warning, has_tools=has_tools, keeps_tools=keeps_tools)


def lacks_tools(host: str) -> bool:
    """Say whether *host* could be given the memory's tools."""
    try:
        servers = bootstrap.host_setup(host, os.environ).servers
    except UnsupportedError:
        return False
    read = bootstrap.hooks(os.environ).files.read
    return servers.entry(read) is None and not servers.by_hand(read)


def plug(plans: Iterable[Plan]) -> list[Receipt | None]:
    """
    Do what was planned, and let hooks wake a worker.

    Returns:
        The receipt of each; None where nothing was left to do. What is set up already, and has
        lost its receipt, gets one.

    Raises:
        ConflictError: a file changed since the plan was made.
        UnavailableError: a file cannot be written; all of its host is as before.
    """
    shared = bootstrap.hooks(os.environ)
    bootstrap.connect(places.hooks_store(os.environ), create=True).close()
    clock, ids = SystemClock(), SystemIds()
    done = []
    for plan in plans:
        receipt = install.init(plan, shared.files, shared.receipts, clock=clock, ids=ids)
        if plan.is_done:
            setup = bootstrap.host_setup(plan.host, os.environ, has_tools=plan.keeps_tools)
            receipt = install.adopt(setup, shared.files, shared.receipts, clock=clock, ids=ids)
        done.append(receipt)
    shared.state.let_hooks_wake(HOOK_WORKER)
    return done


def unplug_all(hosts: Sequence[str]) -> list[Undone]:
    """
    Take back all that was written for *hosts*, or for every one, and return what became of it.

    Raises:
        InvalidInputError: there is no such host.
        UnavailableError: a file cannot be written; doing it again goes on from there.
    """
    shared = bootstrap.hooks(os.environ)
    done: list[Undone] = []
    known = [receipt.host for receipt in shared.receipts.in_force()]
    for name in dict.fromkeys(hosts or known):
        setup = bootstrap.host_setup(name, os.environ, has_tools=True)
        done += install.undo(shared.receipts.in_force(name), setup, shared.files, shared.receipts)
    if not shared.receipts.in_force():
        shared.state.let_nobody_wake()
    return done
