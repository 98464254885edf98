"""Who is reached where, and how they are."""

from tilth.interfaces.cli.arguments import Commands, Parser, add_scope, command, count
from tilth.knowledge.entities.identity import LinkConfidence
from tilth.people.profile import ProfileConfidence

_NARROWED = "only this scope and global"
_NAME = "any name of it, or its ID"


def add_address(parser: Parser) -> None:
    """Add what says that a name is an address."""
    parser.add_argument(
        "--transport", metavar="T", help="NAME is an address on this transport, such as email"
    )


def add_introduction(added: Parser) -> None:
    """Add what else may be said of somebody who is recorded."""
    added.add_argument("--transport", metavar="T", help="reached by this way, at --address")
    added.add_argument("--address", metavar="ADDRESS", help="as it is written there")
    _add_link_options(added)
    added.add_argument("--note", metavar="TEXT", help="what is to be known of them: a trait, notes")


def add_people(entities: Commands) -> None:
    """Add what is done with identities and profiles to `tilth entity`."""
    _add_linking(entities)
    _add_reading(entities)
    _add_profile(entities)


def _add_linking(entities: Commands) -> None:
    linked = command(entities, "link", "people.link", "say at which address an entity is reached")
    linked.description = (
        "Link an address on a transport to an entity. An address is one entity's alone. Whose"
        " the address of a person, an agent or an account is only a human says: an agent's link"
        " waits in the review queue."
    )
    linked.add_argument("name", metavar="NAME", help=_NAME)
    _add_where(linked)
    _add_link_options(linked)
    linked.add_argument(
        "--confidence",
        choices=[*LinkConfidence],
        default=LinkConfidence.SUGGESTED.value,
        help="how sure it is (suggested)",
    )
    verified = command(entities, "verify", "people.verify", "confirm whose an address is")
    _add_where(verified)
    parted = command(entities, "unlink", "people.unlink", "take an address away from its entity")
    _add_where(parted)
    parted.add_argument("--reason", metavar="TEXT", default="", help="why")


def _add_reading(entities: Commands) -> None:
    reached = command(entities, "identities", "people.identities", "where an entity is reached")
    reached.add_argument("name", metavar="NAME", help=_NAME)
    add_scope(reached, _NARROWED)
    said = command(entities, "context", "people.context", "what passed between us lately")
    said.add_argument("name", metavar="NAME", help=_NAME)
    said.add_argument("--transport", metavar="T", help="only by this way")
    said.add_argument("--limit", metavar="N", type=count, default=20, help="how many (20)")
    said.add_argument(
        "--privacy-filter", action="store_true", help="mask mail, addresses, numbers and secrets"
    )
    add_scope(said, _NARROWED)
    counted = command(entities, "stats", "people.stats", "count entities, identities and profiles")
    add_scope(counted, _NARROWED)


def _add_profile(entities: Commands) -> None:
    told = command(entities, "profile", "people.profile", "how an entity is, or tell it")
    told.description = (
        "Show what is known of how an entity is. With --key and --value, tell it: what was told"
        " under that key before stays in the history."
    )
    told.add_argument("name", metavar="NAME", help=_NAME)
    told.add_argument("--key", metavar="KEY", help="only this trait, such as language")
    told.add_argument("--value", metavar="TEXT", help="what it is now")
    told.add_argument(
        "--confidence",
        choices=[*ProfileConfidence],
        help="how sure it is (medium)",
    )
    told.add_argument(
        "--evidence",
        metavar="ID",
        action="append",
        default=[],
        help="an episode that shows it; may be repeated",
    )
    told.add_argument("--history", action="store_true", help="every version, the oldest first")
    add_scope(told, _NARROWED)


def _add_link_options(parser: Parser) -> None:
    parser.add_argument(
        "--display-name", metavar="TEXT", default="", help="what its bearer is called there"
    )
    parser.add_argument("--verified", action="store_true", help="you know; for a human")


def _add_where(parser: Parser) -> None:
    parser.add_argument("transport", metavar="TRANSPORT", help="matrix, email, slack and so on")
    parser.add_argument("address", metavar="ADDRESS", help="as it is written there")
