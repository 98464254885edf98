"""
The command line on one page: what can be asked, and how.

Only light modules are loaded here, so that `--help`, `--version` and a
mistyped command answer at once. Each command names the function that runs it,
by module and name; `program` loads it when the command is chosen.
"""

import tilth
from tilth.interfaces.cli.arguments import Parser, everywhere
from tilth.interfaces.cli.commands import (
    agents,
    conversations,
    daily,
    gaps,
    kg,
    knowledge,
    review,
    sessions,
    tending,
    things,
    upkeep,
)

# In the order in which `tilth --help` lists them.
FAMILIES = (
    agents,
    daily,
    knowledge,
    kg,
    things,
    conversations,
    gaps,
    review,
    sessions,
    tending,
    upkeep,
)


def build_parser() -> Parser:
    """Return the parser of the whole command line."""
    parser = Parser(
        prog="tilth",
        description="A local-first memory and knowledge brain for AI agents.",
        epilog="Start with: tilth init, tilth import, tilth recall QUESTION",
        parents=[everywhere()],
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"tilth {tilth.__version__}")
    parser.set_defaults(
        run=None,
        prog=parser.prog,
        is_json=False,
        is_quiet=False,
        is_debug=False,
        store=None,
        owner=None,
    )
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    for family in FAMILIES:
        family.add(commands)
    return parser
