"""Keeping a store whole."""

from tilth.interfaces.cli.arguments import Commands, add_scope, command, count

WORKER = "worker.run"


def add(commands: Commands) -> None:
    """Add the commands of this family."""
    command(commands, "verify", "store.verify", "prove that the store is as it was written")
    command(commands, "rebuild", "store.rebuild", "make tables and indexes again from the ledger")
    backup = command(commands, "backup", "store.backup", "copy the store, and verify the copy")
    backup.add_argument("target", metavar="TARGET", help="the file to make")
    export = command(commands, "export", "export.run", "write down everything that you may see")
    export.description = (
        "Write one file of JSON lines: episodes, facts with all that they were, entities, edges,"
        " people, conversations, summaries, in the order in which they were recorded. It is there"
        " whole or not at all, and only you may read it."
    )
    export.add_argument("path", metavar="FILE", help="the file to make")
    export.add_argument(
        "--share",
        action="store_true",
        help="for others: mask mail, numbers, addresses, secrets and home folders",
    )
    export.add_argument("--force", action="store_true", help="in the place of what is there")
    add_scope(export, "only this scope and global")
    restore = command(commands, "restore", "store.restore", "put a backup in place")
    restore.add_argument("backup", metavar="BACKUP", help="what `tilth backup` made")
    restore.add_argument(
        "--replace", action="store_true", help="move the store that is there aside first"
    )
    _add_erase(commands)
    command(commands, "settings", "settings.run", "show each setting, and where it came from")
    doctor = command(commands, "doctor", "doctor.run", "check everything, and name the fixes")
    doctor.add_argument("--strict", action="store_true", help="warnings count as failures")
    worker = command(commands, "worker", WORKER, "do what waits in the background")
    worker.description = (
        "Record what hooks wrote, fill in vectors, write briefs, and answer hooks meanwhile. One"
        " worker has a store; another leaves at once."
    )
    worker.add_argument("--once", action="store_true", help="end when nothing waits")
    worker.add_argument(
        "--idle-minutes", metavar="N", type=count, help="end after so long without anything to do"
    )
    distil = command(commands, "distil", "distil.run", "state what sessions say is to be kept")
    distil.description = (
        "Look through what was said since the last time for what it states: decisions, values,"
        " promises, corrections, a person's /remember, and the MEMORY: lines of agents. The worker"
        " does so by itself: after six messages or 4,000 characters, and once a session is quiet."
    )
    distil.add_argument(
        "--again",
        action="store_true",
        help="look through everything, for what an earlier version did not find; only a person may",
    )
    command(
        commands, "metrics", "metrics.run", "show what workers and hooks came to, and models spent"
    )
    demo = command(commands, "demo", "demo.run", "import what is here, and ask it questions")
    demo.add_argument(
        "--from", dest="source", metavar="PATH", help="import this, instead of what is found here"
    )


def _add_erase(commands: Commands) -> None:
    erase = command(commands, "erase", "erase.run", "destroy for privacy what was said")
    erase.description = (
        "Show what would go with an entity, episodes, a session or facts; with --confirm, destroy"
        " it for good and certify that. Only a person may. See docs/reference/erase.md."
    )
    named = erase.add_mutually_exclusive_group(required=True)
    named.add_argument(
        "--entity", metavar="ENTITY", help="a person or a thing, by ID or name, and all of theirs"
    )
    named.add_argument("--episode", dest="episodes", metavar="ID", nargs="+", help="episodes")
    named.add_argument("--session", metavar="ID", help="a session, and all that was said in it")
    named.add_argument("--fact", dest="facts", metavar="ID", nargs="+", help="facts")
    erase.add_argument(
        "--mentions", action="store_true", help="take what else holds a name or an address of it"
    )
    erase.add_argument(
        "--confirm", dest="is_confirmed", action="store_true", help="erase, for good"
    )
    erase.add_argument(
        "--digest", default="", metavar="DIGEST", help="erase only what was shown with this digest"
    )
    erase.add_argument(
        "--scan",
        action="append",
        default=[],
        metavar="TERM",
        help="look for this too in every file afterwards",
    )
