"""The command line: parse, call one use case, render."""

from tilth.interfaces.cli.program import main as main
