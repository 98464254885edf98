"""The command line: parse, call one verb, render."""

import gc
import sys
from collections.abc import Sequence
from importlib import import_module

import tilth

# After so many new objects the young ones are looked through; Python's own 700 suits small heaps.
_COLLECTED_FROM = 50_000


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command, and return its exit code; see `tilth.interfaces.cli.program`."""
    words = sys.argv[1:] if argv is None else list(argv)
    if words == ["--version"]:
        # Answered before anything loads.
        print(f"tilth {tilth.__version__}")
        return 0
    # A command keeps most of what it makes: to look through it again and again takes a twelfth.
    gc.set_threshold(_COLLECTED_FROM, 20, 10)
    status: int = import_module("tilth.interfaces.cli.program").main(words)
    return status
