"""Commands that are not declared as verbs yet; `scripts/write_verbs.py` reads their parsers."""

import tilth
from tilth.interfaces.cli.arguments import Parser, everywhere
from tilth.interfaces.cli.commands import (
    review,
)

FAMILIES = (review,)

# The headings of `tilth --help` under which they stand; the others are advanced.
SECTIONS = {
    "review": "decide",
}
# What a noun means alone; `walk|list` is one verb on a terminal and another elsewhere.
BARE = {
    "review": "list",
}


def build_legacy_parser() -> Parser:
    """Return a parser of them."""
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
