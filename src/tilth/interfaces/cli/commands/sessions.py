"""Sessions and episodes."""

from tilth.interfaces.cli.arguments import Commands, add_scope, command, count, count_or_zero, group
from tilth.recall.model import FETCH_MAX


def add(commands: Commands) -> None:
    """Add the commands of this family."""
    sessions = group(commands, "session", "what was said together")
    listed = command(sessions, "list", "session.list_", "list sessions, the last active first")
    listed.add_argument("--limit", metavar="N", type=count, default=20, help="how many (20)")
    listed.add_argument("--offset", metavar="N", type=count_or_zero, default=0, help="skip N (0)")
    add_scope(listed, "only this scope and global")
    shown = command(sessions, "show", "session.show", "show a session and its episodes")
    shown.add_argument("session", metavar="ID", help="as listed")
    shown.add_argument("--limit", metavar="N", type=count, default=100, help="how many (100)")
    shown.add_argument(
        "--after", metavar="SEQ", type=count_or_zero, default=0, help="from behind this place on"
    )
    add_scope(shown, "only this scope and global")

    _add_receipts(sessions)
    _add_documents(commands)

    episodes = group(commands, "episode", "single things that were said or done")
    fetched = command(episodes, "show", "episode.show", "show episodes word for word")
    fetched.add_argument(
        "episodes", metavar="ID", nargs="+", help=f"as recalled; at most {FETCH_MAX}"
    )
    fetched.add_argument(
        "--mask", action="store_true", help="hide emails, addresses, numbers and keys"
    )
    add_scope(fetched, "only this scope and global")
    resting = command(
        episodes, "facts", "provenance.facts", "what rests on an episode, and what that superseded"
    )
    resting.add_argument("episode", metavar="ID", help="as recalled")
    resting.add_argument("--limit", metavar="N", type=count, default=100, help="how many (100)")
    add_scope(resting, "only this scope and global")


def _add_documents(commands: Commands) -> None:
    documents = group(commands, "document", "what was imported in sections")
    listed = command(documents, "list", "document.list_", "list documents and their sections")
    listed.add_argument("--limit", metavar="N", type=count, default=100, help="how many (100)")
    listed.add_argument("--offset", metavar="N", type=count_or_zero, default=0, help="skip N (0)")
    add_scope(listed, "only this scope and global")
    read = command(documents, "read", "document.read", "show a document, or a section of it")
    read.add_argument("slug", metavar="NAME", help="as listed, or without its digits")
    read.add_argument("section", metavar="SECTION", nargs="?", default="", help="as listed")
    add_scope(read, "only this scope and global")


def _add_receipts(sessions: Commands) -> None:
    receipts = command(
        sessions, "receipts", "receipts.run", "show what agents were shown, and what came of it"
    )
    receipts.add_argument("session", metavar="ID", nargs="?", help="only this session")
    receipts.add_argument("--trace", metavar="RECEIPT", help="everything about one receipt")
    receipts.add_argument("--limit", metavar="N", type=count, default=20, help="how many (20)")
    add_scope(receipts, "only this scope and global")
