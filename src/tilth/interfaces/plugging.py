"""Plugging agent programs in and out: what the command line and the pages share."""

import os
from collections.abc import Iterable, Sequence

from tilth.agents import install
from tilth.agents.installation import Plan, Receipt, Undone
from tilth.core.errors import ConflictError
from tilth.privacy.redaction import scrub
from tilth.runtime import connect as bootstrap
from tilth.runtime import places
from tilth.runtime.system import SystemClock, SystemIds
from tilth.runtime.worker import FOR_HOOKS


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
            f"hooks record into {_shown(theirs)}, not into {_shown(meant)}",
            hint="set 'store' in the settings file, and neither --store nor TILTH_STORE",
        )


def planned(host: str) -> Plan:
    """
    Return what plugging in *host* would change. It only reads.

    Raises:
        InvalidInputError: there is no such host, or a file is not what the host would read.
        ConflictError: something else stands in the place of a file of ours.
    """
    files = bootstrap.hooks(os.environ).files
    return install.plan_init(bootstrap.host_setup(host, os.environ), files)


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
            setup = bootstrap.host_setup(plan.host, os.environ)
            receipt = install.adopt(setup, shared.files, shared.receipts, clock=clock, ids=ids)
        done.append(receipt)
    shared.state.let_hooks_wake(FOR_HOOKS)
    return done


def unplugged(hosts: Sequence[str]) -> list[Undone]:
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
        setup = bootstrap.host_setup(name, os.environ)
        done += install.undo(shared.receipts.in_force(name), setup, shared.files, shared.receipts)
    if not shared.receipts.in_force():
        shared.state.let_nobody_wake()
    return done


def _shown(where: str) -> str:
    return scrub(where).text if "://" in where else where
