"""What is so, and how it is stated."""

from tilth.core.instant import parse_instant
from tilth.core.lifecycle import Lifecycle, Review
from tilth.interfaces.cli.arguments import (
    Commands,
    Parser,
    add_scope,
    command,
    count,
    count_or_zero,
    group,
)
from tilth.knowledge.changes.relation import Relation
from tilth.knowledge.facts.fact import CONFIDENCES
from tilth.knowledge.facts.life import Authority
from tilth.knowledge.outcomes.outcome import OutcomeKind
from tilth.knowledge.vocabulary.registries import Cardinality, Channel, Registry, WriteMode

_NARROWED = "only this scope and global"
_REGISTRIES = f"{', '.join(Registry)}"


def add(commands: Commands) -> None:
    """Add the commands of this family."""
    facts = group(commands, "fact", "single statements, with a time and a life")
    _add_stating(facts)
    _add_importing(facts)
    _add_reading(facts)
    _add_ending(facts)
    _add_counting(facts)
    _add_checking(facts)
    _add_testing(facts)
    _add_words(commands)
    stated = command(commands, "state", "fact.state", "what is so now, or was then")
    stated.description = "Answer from facts that hold, not from what was said about them."
    _add_places(stated)
    _add_times(stated)
    stated.add_argument("--limit", metavar="N", type=count, default=10, help="at most 100 (10)")
    stated.add_argument("--widen", action="store_true", help="where nothing holds, what did once")
    add_scope(stated, _NARROWED)


def _add_stating(facts: Commands) -> None:
    added = command(facts, "add", "fact.add", "state a fact")
    added.description = (
        "State a fact. In a slot (a system's component, or a predicate with one value) it comes"
        " in the place of what is there, or waits for a human, as the rule of the slot says."
    )
    _add_statement(added)
    proposed = command(facts, "propose", "fact.propose", "state a fact for a human to decide")
    proposed.description = (
        "State a draft that waits to come in the place of another fact, which goes on meanwhile."
    )
    _add_statement(proposed)
    proposed.add_argument("--reason", metavar="TEXT", default="", help="why it should")
    planned = command(facts, "plan", "fact.plan", "what stating a fact would do")
    planned.description = (
        "Say what stating a fact would do and which facts say something like it, and change"
        " nothing. `tilth fact apply` does it, with the token of the plan."
    )
    _add_statement(planned)
    applied = command(facts, "apply", "fact.apply", "state what was planned")
    _add_statement(applied)
    applied.add_argument("--token", metavar="TOKEN", required=True, help="as the plan gave it")
    applied.add_argument("--update", metavar="ID", help="the fact in whose place it comes")
    applied.add_argument(
        "--decline", metavar="ID", action="append", default=[], help="each fact that it is not"
    )
    applied.add_argument("--reason", metavar="TEXT", default="", help="why it is none of them")


def _add_statement(parser: Parser) -> None:
    parser.add_argument(
        "text", metavar="TEXT", nargs="?", default="", help="in words; a triple says itself"
    )
    parser.add_argument("--channel", choices=[*Channel], help="the memory of a triple (entity)")
    _add_places(parser)
    parser.add_argument(
        "--about", metavar="NAME", action="append", default=[], help="an entity; may be repeated"
    )
    parser.add_argument(
        "--evidence", metavar="ID", action="append", default=[], help="an episode it rests on"
    )
    parser.add_argument(
        "--quote",
        metavar="TEXT",
        action="append",
        default=[],
        help="what the episode says word for word, one for each --evidence",
    )
    parser.add_argument("--valid-from", metavar="INSTANT", type=parse_instant, help="if not now")
    parser.add_argument("--valid-to", metavar="INSTANT", type=parse_instant, help="if it ends")
    parser.add_argument(
        "--confidence", metavar="NUMBER", help=f"0 to 1, or {', '.join(CONFIDENCES)}"
    )
    parser.add_argument("--authority", choices=[*Authority], help="only a human makes instructions")
    parser.add_argument("--supersedes", metavar="ID", help="the fact in whose place it comes")
    add_scope(parser, "where it belongs: global (the default), project:KEY or domain:NAME")


def _add_importing(facts: Commands) -> None:
    imported = command(facts, "import", "legacy.run", "bring in facts of another store")
    imported.description = (
        "Bring in facts from JSON lines, or from the graph of the reference memory server. They"
        " are historical and unreviewed until `tilth review promote`. Without --execute they are"
        " only counted."
    )
    imported.add_argument("path", metavar="FILE", help="one JSON object a line")
    imported.add_argument("--execute", action="store_true", help="record them")


def _add_reading(facts: Commands) -> None:
    got = command(facts, "get", "fact.get", "show one fact, with what it rests on")
    got.add_argument("fact", metavar="ID", help="as listed")
    got.add_argument("--known-at", metavar="INSTANT", type=parse_instant, help="as it was known")
    add_scope(got, _NARROWED)
    why = command(facts, "why", "provenance.why", "why a fact is believed, in whose words")
    why.add_argument("fact", metavar="ID", help="as listed or recalled")
    why.add_argument("--known-at", metavar="INSTANT", type=parse_instant, help="as it was known")
    add_scope(why, _NARROWED)
    listed = command(facts, "list", "fact.list_", "list facts, the one that began last first")
    _add_places(listed)
    _add_times(listed)
    listed.add_argument("--channel", choices=[*Channel], help="only of this channel")
    listed.add_argument(
        "--lifecycle",
        dest="lifecycles",
        choices=[*Lifecycle],
        action="append",
        help="instead of those that hold; may be repeated",
    )
    listed.add_argument(
        "--review", dest="reviews", choices=[*Review], action="append", help="may be repeated"
    )
    listed.add_argument("--limit", metavar="N", type=count, default=100, help="how many (100)")
    listed.add_argument("--offset", metavar="N", type=count_or_zero, default=0, help="skip N (0)")
    add_scope(listed, _NARROWED)
    history = command(facts, "history", "fact.history", "what came before and after a fact")
    history.add_argument("fact", metavar="ID", help="any fact of the chain")
    add_scope(history, _NARROWED)


def _add_ending(facts: Commands) -> None:
    related = command(facts, "relate", "relation.run", "say how a fact relates to an earlier one")
    related.description = (
        "Say that a fact updates, extends, derives from or debunks an earlier one. What updates or"
        " debunks asks a human, who decides; the others are edges."
    )
    related.add_argument("fact", metavar="ID", help="the later one")
    related.add_argument(
        "relation", metavar="RELATION", choices=[*Relation], help=", ".join(Relation)
    )
    related.add_argument("other", metavar="ID", help="the earlier one")
    related.add_argument("--reason", metavar="TEXT", default="", help="why")
    retired = command(facts, "retire", "fact.retire", "end a fact; an agent proposes it")
    retired.add_argument("fact", metavar="ID", help="as listed")
    retired.add_argument("--reason", metavar="TEXT", default="", help="why")
    retired.add_argument("--valid-to", metavar="INSTANT", type=parse_instant, help="if not now")
    promoted = command(facts, "promote", "fact.promote", "propose that a historical fact is so")
    promoted.add_argument("fact", metavar="ID", help="as listed")
    promoted.add_argument("--reason", metavar="TEXT", default="", help="why")
    archived = command(facts, "archive", "fact.archive", "put a fact away, reversibly")
    archived.add_argument("fact", metavar="ID", help="as listed")
    archived.add_argument("--reason", metavar="TEXT", default="", help="why")
    restored = command(facts, "restore", "fact.restore", "bring back what was put away")
    restored.add_argument("fact", metavar="ID", help="as listed")
    undone = command(facts, "undo", "fact.undo", "take back what happened to a fact last")
    undone.add_argument("fact", metavar="ID", help="as listed")
    undone.add_argument("--reason", metavar="TEXT", default="", help="why")


def _add_counting(facts: Commands) -> None:
    counted = command(
        facts, "taxonomy", "fact.taxonomy", "under what facts are filed, and how many"
    )
    counted.description = (
        "List the areas, environments, systems, components and tags under which facts that hold"
        " are filed, and how many under each. Any of them narrows the rest."
    )
    _add_places(counted)
    _add_times(counted)
    add_scope(counted, _NARROWED)


def _add_checking(facts: Commands) -> None:
    checked = command(facts, "check", "checking.run", "what in a text may be wrong")
    checked.description = (
        "Check a text against what is known: names that are nearly those of something known,"
        " relations and values other than those that hold, and what held once. Nothing is"
        " recorded, and no model is asked."
    )
    checked.add_argument(
        "text", metavar="TEXT", nargs="?", default="-", help="- (the default) reads standard input"
    )
    add_scope(checked, _NARROWED)


def _add_testing(facts: Commands) -> None:
    tested = command(facts, "outcome", "outcome.add", "say that a fact held when put to the test")
    tested.description = (
        "Say that a fact was put to the test and held. It must be shown by episodes that neither"
        " its author nor you wrote: the result of a tool, a person, another agent. It makes an"
        " observation a fact, and a human is asked to confirm it."
    )
    tested.add_argument("fact", metavar="ID", help="as listed")
    tested.add_argument(
        "kind", metavar="OUTCOME", choices=[*OutcomeKind], help=", ".join(OutcomeKind)
    )
    tested.add_argument(
        "--evidence", metavar="ID", action="append", default=[], help="an episode that shows it"
    )
    tested.add_argument("--note", metavar="TEXT", default="", help="what was done")
    listed = command(facts, "outcomes", "outcome.list_", "what came of a fact")
    listed.add_argument("fact", metavar="ID", help="as listed")
    add_scope(listed, _NARROWED)
    revoked = command(facts, "revoke", "outcome.revoke", "let an outcome count no more")
    revoked.description = "Let an outcome count no more, and take back what followed from it."
    revoked.add_argument("outcome", metavar="ID", help="of the outcome, as listed")
    revoked.add_argument("--reason", metavar="TEXT", default="", help="why")


def _add_words(commands: Commands) -> None:
    words = group(commands, "word", "predicates, areas and tags that facts may use")
    listed = command(words, "list", "word.list_", "list what a registry holds")
    listed.add_argument("registry", metavar="REGISTRY", choices=[*Registry], help=_REGISTRIES)
    queue = command(
        words, "queue", "word.queue", "words that wait for a person to say what they are"
    )
    queue.add_argument("--limit", metavar="N", type=count, default=100, help="how many (100)")
    registered = command(words, "register", "word.register", "register a word; a person does")
    _add_word(registered)
    registered.add_argument(
        "--alias", metavar="WORD", action="append", default=[], help="may be repeated"
    )
    registered.add_argument(
        "--cardinality",
        choices=[*Cardinality],
        default=Cardinality.MULTI,
        help="how many current values a predicate may have (multi)",
    )
    registered.add_argument(
        "--mode",
        choices=[*WriteMode],
        default=WriteMode.AUTO,
        help="who may replace one: an agent in one call (auto), by asking, or only a person",
    )
    alias = command(words, "alias", "word.alias", "let a word be another name of a registered one")
    _add_word(alias)
    alias.add_argument("--of", metavar="NAME", required=True, help="the registered one")
    ignored = command(words, "ignore", "word.ignore", "ask nobody about a word any more")
    _add_word(ignored)


def _add_word(parser: Parser) -> None:
    parser.add_argument("registry", metavar="REGISTRY", choices=[*Registry], help=_REGISTRIES)
    parser.add_argument("word", metavar="WORD", help="as facts use it")


def _add_places(parser: Parser) -> None:
    for name, meaning in (
        ("subject", "what the triple is about"),
        ("predicate", "how subject and object are joined"),
        ("object", "the value of the triple"),
        ("area", "the field, such as Network or Study"),
        ("environment", "such as home or office"),
        ("system", "the system"),
        ("component", "the component of the system"),
    ):
        parser.add_argument(f"--{name}", metavar="NAME", help=meaning)
    parser.add_argument(
        "--tag", dest="tags", metavar="TAG", action="append", default=[], help="may be repeated"
    )


def _add_times(parser: Parser) -> None:
    parser.add_argument("--as-of", metavar="INSTANT", type=parse_instant, help="what held then")
    parser.add_argument(
        "--known-at", metavar="INSTANT", type=parse_instant, help="as it was known by then"
    )
