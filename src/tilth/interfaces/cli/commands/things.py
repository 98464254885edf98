"""Things, their names, and how they hang together."""

from tilth.core.instant import parse_instant
from tilth.interfaces.cli.arguments import (
    Commands,
    Parser,
    add_scope,
    command,
    count,
    count_or_zero,
    group,
)
from tilth.interfaces.cli.commands.people import add_address, add_introduction, add_people
from tilth.knowledge.vocabulary.registries import EdgeKind, EntityType

_NARROWED = "only this scope and global"
_WHERE = "where it belongs: global (the default), project:KEY or domain:NAME"


def add(commands: Commands) -> None:
    """Add the commands of this family."""
    told = command(commands, "about", "entity.about", "what is known about a thing")
    told.description = (
        "Say what is known about a thing: its names, what holds, what is around it, and where"
        " it is mentioned."
    )
    told.add_argument("name", metavar="NAME", help="any name of it, or its ID")
    told.add_argument("--limit", metavar="N", type=count, default=20, help="how many facts (20)")
    told.add_argument("--as-of", metavar="INSTANT", type=parse_instant, help="what held then")
    told.add_argument(
        "--known-at", metavar="INSTANT", type=parse_instant, help="as it was known by then"
    )
    add_scope(told, _NARROWED)
    entities = group(commands, "entity", "things, and what they are called")
    _add_recording(entities)
    _add_finding(entities)
    _add_merging(entities)
    add_people(entities)


def _add_recording(entities: Commands) -> None:
    added = command(entities, "add", "entity.add", "record an entity, or add to a known one")
    added.description = (
        "Record an entity. A name that a thing goes by already means that thing; a name that"
        " comes close is recorded, and a human is asked whether the two are one."
    )
    added.add_argument("name", metavar="NAME", help="the name that it is shown by")
    _add_type(added)
    added.add_argument(
        "--alias",
        dest="aliases",
        metavar="NAME",
        action="append",
        default=[],
        help="one more name of it; may be repeated",
    )
    added.add_argument(
        "--namesake", action="store_true", help="another one than what goes by that name"
    )
    add_introduction(added)
    add_scope(added, _WHERE)
    for name, summary in (
        ("alias", "let an entity go by one more name"),
        ("unalias", "take a name of an entity away"),
    ):
        named = command(entities, name, f"entity.{name}", summary)
        named.add_argument("entity", metavar="ENTITY", help="a name that is its alone, or its ID")
        named.add_argument("name", metavar="NAME", help="the name")
    typed = command(entities, "retype", "entity.retype", "say what kind of thing an entity is")
    typed.add_argument("entity", metavar="ENTITY", help="a name that is its alone, or its ID")
    typed.add_argument("type", choices=[*EntityType], help="the kind of thing")


def _add_finding(entities: Commands) -> None:
    got = command(entities, "get", "entity.get", "show one entity, with all its names")
    got.add_argument("name", metavar="NAME", help="any name of it, or its ID")
    add_scope(got, _NARROWED)
    listed = command(entities, "list", "entity.list_", "list entities, the oldest first")
    listed.add_argument("--type", choices=[*EntityType], help="only of this kind")
    listed.add_argument("--transport", metavar="T", help="only those reached by this way")
    listed.add_argument("--limit", metavar="N", type=count, default=100, help="how many (100)")
    listed.add_argument(
        "--after", metavar="N", type=count_or_zero, default=0, help="behind this place (0)"
    )
    add_scope(listed, _NARROWED)
    for name, summary, limit in (
        ("search", "find entities by name or address, the likeliest first", 20),
        ("suggest", "what an entity may be the same as, and why", 5),
    ):
        found = command(entities, name, f"entity.{name}", summary)
        found.add_argument("name", metavar="NAME", help="words of a name, or a misspelling")
        found.add_argument(
            "--limit", metavar="N", type=count, default=limit, help=f"how many ({limit})"
        )
        add_scope(found, _NARROWED)
        if name == "suggest":
            add_address(found)
            found.add_argument(
                "--display-name", metavar="TEXT", default="", help="what its bearer is called there"
            )
    resolved = command(entities, "resolve", "entity.resolve", "what a name means, for sure or not")
    resolved.add_argument("name", metavar="NAME", help="as it was met")
    _add_type(resolved)
    add_address(resolved)
    add_scope(resolved, _NARROWED)


def _add_type(parser: Parser) -> None:
    parser.add_argument(
        "--type", choices=[*EntityType], default=EntityType.THING.value, help="the kind of thing"
    )


def _add_merging(entities: Commands) -> None:
    merged = command(entities, "merge", "entity.merge", "make one entity a name of another")
    merged.description = (
        "Make one entity another name of a second. It is a redirect: nothing moves, and a split"
        " takes it back exactly. An agent proposes it."
    )
    merged.add_argument("winner", metavar="WINNER", help="the one that stays: a name, or its ID")
    merged.add_argument(
        "loser", metavar="LOSER", help="the one that leads there: a name, or its ID"
    )
    merged.add_argument("--reason", metavar="TEXT", default="", help="why")
    parted = command(entities, "split", "entity.split", "take a merge back; an agent proposes it")
    parted.add_argument("entity", metavar="ID", help="of what was merged away")
    parted.add_argument("--reason", metavar="TEXT", default="", help="why")
    tidied = command(entities, "tidy", "entity.tidy", "merge what is exactly one, ask about others")
    tidied.add_argument("--limit", metavar="N", type=count, default=1000, help="how many (1000)")
    tidied.add_argument(
        "--after", metavar="N", type=count_or_zero, default=0, help="go on behind this place (0)"
    )
    around = command(entities, "around", "entity.around", "what is around a node")
    around.add_argument("name", metavar="NODE", help="a name, or an ID")
    around.add_argument("--depth", metavar="N", type=count, default=1, help="hops, at most 2 (1)")
    _add_kinds(around)
    add_scope(around, _NARROWED)
    leaning = command(entities, "impact", "entity.impact", "what depends on a node")
    leaning.add_argument("name", metavar="NODE", help="a name, or an ID")
    leaning.add_argument("--depth", metavar="N", type=count, default=3, help="hops, at most 5 (3)")
    add_scope(leaning, _NARROWED)


def _add_kinds(parser: Parser) -> None:
    parser.add_argument(
        "--kind",
        dest="kinds",
        choices=[*EdgeKind],
        action="append",
        help="only edges of this kind; may be repeated",
    )
