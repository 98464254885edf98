"""`tilth word …`: the registries of predicates, areas and tags."""

from argparse import Namespace
from collections.abc import Iterable, Iterator

from tilth.core.view import Bold, Dim, Line
from tilth.interfaces.cli.opening import open_brain
from tilth.interfaces.cli.screen import Screen
from tilth.knowledge.vocabulary.registries import Entry, Registry


def list_(args: Namespace, screen: Screen) -> int:
    """List what a registry holds."""
    with open_brain(args) as brain:
        entries = brain.words.list(args.registry)
    screen.answer({"entries": entries}, _lines(entries))
    return 0


def queue(args: Namespace, screen: Screen) -> int:
    """List the words that nobody registered, the most used first."""
    with open_brain(args) as brain:
        waiting = brain.words.queue(limit=args.limit)
    lines = [(Bold(one.word), Dim(f"  {one.registry}  used {one.count} times")) for one in waiting]
    screen.answer({"words": waiting}, lines)
    if waiting:
        screen.say("tilth word register | alias | ignore REGISTRY WORD")
    else:
        screen.say("no word waits")
    return 0


def register(args: Namespace, screen: Screen) -> int:
    """Register a word."""
    with open_brain(args) as brain:
        entry = brain.words.register(
            args.registry,
            args.word,
            aliases=args.alias,
            cardinality=args.cardinality,
            mode=args.mode,
        )
    return _say(entry, screen)


def alias(args: Namespace, screen: Screen) -> int:
    """Let a word be another name of a registered one."""
    with open_brain(args) as brain:
        entry = brain.words.alias(args.registry, args.word, of=args.of)
    return _say(entry, screen)


def ignore(args: Namespace, screen: Screen) -> int:
    """Ask nobody about a word any more."""
    with open_brain(args) as brain:
        entry = brain.words.ignore(args.registry, args.word)
    return _say(entry, screen)


def _say(entry: Entry, screen: Screen) -> int:
    screen.answer(entry, _lines([entry]))
    return 0


def _lines(entries: Iterable[Entry]) -> Iterator[Line]:
    for entry in entries:
        parts = [*entry.aliases]
        if entry.registry is Registry.PREDICATE and not entry.is_ignored:
            parts = [f"{entry.cardinality}, {entry.mode}", *parts]
        yield (Bold(entry.name), Dim("  " + " · ".join(parts)))
