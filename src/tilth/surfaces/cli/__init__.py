"""The command line: parse, call one use case, render."""

from tilth.surfaces.cli.program import main as main
