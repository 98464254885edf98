"""The command line: parse, call one verb, render."""

import sys
from collections.abc import Sequence
from importlib import import_module

import tilth


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command, and return its exit code; see `tilth.interfaces.cli.program`."""
    words = sys.argv[1:] if argv is None else list(argv)
    if words == ["--version"]:
        # Answered before anything loads.
        print(f"tilth {tilth.__version__}")
        return 0
    status: int = import_module("tilth.interfaces.cli.program").main(words)
    return status
