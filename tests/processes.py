"""Processes of their own, which need not load the program anew."""

import multiprocessing
from multiprocessing.context import ForkServerContext


def fresh_processes() -> ForkServerContext:
    """Return what starts processes that share nothing with this one but what they are given."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.conftest", "tests.loaded"])
    return context
