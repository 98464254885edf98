"""Facts of another store."""

from tilth.interfaces.cli.arguments import Commands, command, group


def add(commands: Commands) -> None:
    """Add the commands of this family."""
    _add_importing(group(commands, "fact", "single statements, with a time and a life"))


def _add_importing(facts: Commands) -> None:
    imported = command(facts, "import", "legacy.run", "bring in facts of another store")
    imported.description = (
        "Bring in facts from JSON lines, or from the graph of the reference memory server. They"
        " are historical and unreviewed until `tilth review promote`. Without --execute they are"
        " only counted."
    )
    imported.add_argument("path", metavar="FILE", help="one JSON object a line")
    imported.add_argument("--execute", action="store_true", help="record them")
