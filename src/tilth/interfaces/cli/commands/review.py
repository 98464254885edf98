"""
`tilth review …`: what waits, and what a person says to it.

A person alone decides, at a terminal that no agent started. What is answered
is bound to what was shown: by its digest, which the person brings along, or
because it was shown right before the question.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Annotated, TypeAlias, TypedDict, Unpack, cast

from tilth.core.actor import ActorKind
from tilth.core.errors import InvalidInputError, NotFoundError
from tilth.core.ids import ProposalId
from tilth.core.verb import Arg
from tilth.core.view import Dim, Line, number_of
from tilth.episodes.context import Narrowed
from tilth.interfaces.cli.open_brain import require_person
from tilth.interfaces.cli.review.batch import decide_in_editor
from tilth.interfaces.cli.review.card import card, summary
from tilth.interfaces.cli.review.questions import ask_agreement, ended_facts
from tilth.interfaces.cli.review.walk import walk_through
from tilth.interfaces.cli.terminal import Terminal, command
from tilth.interfaces.drafts import drafts_waiting
from tilth.knowledge.facts.verbs import FactArg
from tilth.knowledge.proposals.proposal import Action, Proposal, ProposalKind, ProposalState
from tilth.maintenance.stretches import stretches
from tilth.review.parse_answer import Answering
from tilth.review.queue import Queue
from tilth.review.verbs import Which
from tilth.runtime.brain import Brain
from tilth.runtime.system import SystemClock

_MANY = "decide one after the other: tilth review walk; many in your editor: tilth review batch"

Proposals: TypeAlias = Annotated[Sequence[Which], Arg("as listed", metavar="ID")]
Kinds: TypeAlias = Annotated[
    frozenset[ProposalKind] | None, Arg("only this kind; may be repeated", flags=("--kind",))
]
Limit: TypeAlias = Annotated[int, Arg("the most to return", metavar="N", least=1)]


class Said(TypedDict, total=False):
    """What goes with every answer."""

    digest: Annotated[str, Arg("the digest of what was shown", metavar="DIGEST")]
    note: Annotated[str, Arg("why", metavar="TEXT")]


class OfSides(Said, total=False):
    """An answer that may be of one side alone."""

    facts: Annotated[Sequence[FactArg], Arg("only this side; may be repeated", flags=("--fact",))]


class Ending(Said, total=False):
    """An answer by which facts end."""

    retires: Annotated[
        Sequence[FactArg], Arg("each fact that ends; may be repeated", flags=("--retires",))
    ]
    since: Annotated[datetime | None, Arg("since when it holds")]


class Choosing(Ending, total=False):
    """An answer by which one side stays."""

    keeps: Annotated[FactArg | None, Arg("the side that stays", flags=("--keep",))]


class Rewording(Ending, total=False):
    """An answer in other words."""

    facts: Annotated[Sequence[FactArg], Arg("only this side; may be repeated", flags=("--fact",))]
    text: Annotated[str, Arg("the whole statement", metavar="TEXT")]
    value: Annotated[str, Arg("the object of a triple", metavar="NAME")]


class Restricting(OfSides, total=False):
    """An answer that holds in one scope alone."""

    scope: Annotated[
        str | None, Arg("project:KEY or domain:NAME", metavar="SCOPE", flags=("--to",))
    ]


@command("review list", examples=("tilth review list", "tilth review list --kind contradiction"))
def list_(
    terminal: Terminal,
    *,
    states: Annotated[
        frozenset[ProposalState] | None,
        Arg("only proposals in this state, not open ones; may be repeated", flags=("--state",)),
    ] = None,
    kinds: Kinds = None,
    by: Annotated[frozenset[ActorKind] | None, Arg("who asked; may be repeated")] = None,
    about: Annotated[FactArg | None, Arg("a fact that it is about")] = None,
    limit: Limit = 100,
    offset: Annotated[int, Arg("how many to skip", metavar="N", least=0)] = 0,
    scope: Narrowed = None,
) -> int:
    """
    List what waits for a decision, the oldest first.

    What was put off, or is decided, is left out.
    """
    with terminal.open() as brain:
        queue = brain.review.list(
            limit=limit,
            offset=offset,
            scope=scope,
            states=states,
            kinds=kinds,
            by=by,
            about=about,
        )
        lines = [line for one in queue.proposals for line in _summary_lines(brain, one, scope)]
        drafts = drafts_waiting(brain, scope)
    terminal.screen.answer(queue, lines)
    terminal.screen.say("; ".join(_queue_lines(queue, drafts)))
    if queue.waiting > 1:
        terminal.screen.say(_MANY)
    _say_drafts(terminal, drafts)
    return 0


def _say_drafts(terminal: Terminal, drafts: Mapping[str, int]) -> None:
    for noun, count in drafts.items():
        waits = "waits" if count == 1 else "wait"
        told = f"{number_of(count, noun)} {waits} besides: tilth {noun} list --state candidate"
        terminal.screen.say(told)


@command("review show", examples=("tilth review show prp_01KAR",))
def show(terminal: Terminal, proposal: Which, *, scope: Narrowed = None) -> int:
    """
    Show a proposal, with all that a decision rests on.

    It ends with the digest that binds a decision to what is shown.
    """
    with terminal.open() as brain:
        seen = brain.review.show(proposal, scope=scope)
        lines = [*card(brain, seen), Dim(f"digest {seen.digest}")]
    terminal.screen.answer(seen, lines)
    return 0


_ALONE = """
Only a person at a terminal may. Without a digest the proposal is shown, and you are
asked.
"""
# Each answer: its word and what may follow in an example, what it takes besides, and what it does.
_ANSWERS: Sequence[tuple[str, str, Action, type[Said], str]] = (
    ("confirm", "", Action.CONFIRM, Choosing, "Accept a proposal."),
    ("reject", " --note 'it was a test'", Action.REJECT, OfSides,
     "Reject a proposal; an agent cannot make it again."),
    ("edit", " --text 'The API is on port 9090.'", Action.EDIT, Rewording,
     "Accept a proposal in your own words."),
    ("dispute", "", Action.DISPUTE, OfSides, "Mark all sides of a proposal as disputed."),
    ("evidence", "", Action.EVIDENCE_ONLY, OfSides,
     "Keep a statement as evidence, not as a fact that holds."),
    ("restrict", " --to project:shop", Action.RESTRICT_SCOPE, Restricting,
     "Accept a proposal in one scope alone."),
    ("stale", "", Action.MARK_STALE, OfSides, "Mark what stands as due for a check."),
    ("merge", " --keep fct_01KAR", Action.MERGE, Choosing,
     "Merge the sides of a proposal into one."),
    ("supersede", " --keep fct_01KAR", Action.SUPERSEDE, Choosing,
     "Let one side of a proposal supersede the other."),
)  # fmt: skip


def _answering(action: Action, takes: type[Said], summary: str) -> Callable[..., int]:
    """Return the command that answers proposals with *action*."""

    def answer(terminal: Terminal, proposals: Proposals, **told: object) -> int:
        return _decide(terminal, action, proposals, told)

    answer.__doc__ = f"{summary}\n{_ALONE}"
    answer.__annotations__["told"] = Unpack[takes]
    return answer


for _word, _follows, _action, _takes, _summary in _ANSWERS:
    _example = f"tilth review {_word} prp_01KAR{_follows}"
    command(f"review {_word}", examples=(_example,))(_answering(_action, _takes, _summary))


@command("review snooze", examples=("tilth review snooze prp_01KAR --days 3",))
def snooze(
    terminal: Terminal,
    proposals: Proposals,
    *,
    until: Annotated[datetime | None, Arg("until this instant", exclusive="until")] = None,
    days: Annotated[int, Arg("for this many days", metavar="N", least=1, exclusive="until")] = 1,
) -> int:
    """Put proposals off."""
    require_person()
    at = until or SystemClock().now() + timedelta(days=days)
    with terminal.open() as brain:
        snoozed = [brain.review.snooze(one, until=at) for one in proposals]
    lines = [f"{one.id} waits again on {at:%Y-%m-%d %H:%M}" for one in snoozed]
    terminal.screen.answer({"snoozed": snoozed}, lines)
    return 0


@command("review undo", examples=("tilth review undo prp_01KAR --note 'too early'",))
def undo(
    terminal: Terminal,
    proposals: Proposals,
    *,
    note: Annotated[str, Arg("why", metavar="TEXT")] = "",
) -> int:
    """Undo decisions."""
    require_person()
    with terminal.open() as brain:
        reopened = [brain.review.undo(one, reason=note) for one in proposals]
    terminal.screen.answer({"reopened": reopened}, [f"{one.id} waits again" for one in reopened])
    return 0


@command("review ask", examples=("tilth review ask fct_01KAR --reason 'is it still there?'",))
def ask(
    terminal: Terminal,
    fact: FactArg,
    *,
    reason: Annotated[str, Arg("what is doubtful about it", metavar="TEXT")],
) -> int:
    """Ask a human about a fact."""
    with terminal.open() as brain:
        proposal = brain.review.question(fact, reason=reason)
    terminal.screen.answer(proposal, [proposal.id])
    terminal.screen.say(f"it waits for a human: tilth review show {proposal.id}")
    return 0


@command("review scan", examples=("tilth review scan",))
def scan(
    terminal: Terminal,
    *,
    after: Annotated[int, Arg("begin after this place in the ledger", metavar="SEQ", least=0)] = 0,
) -> int:
    """
    Ask where facts contradict each other.

    Current facts about the same system are compared, and without a system those about the
    same entity. The worker does so by itself. What was answered once is not asked again.
    """
    screen = terminal.screen
    asked: list[ProposalId] = []
    compared, through = 0, after
    with terminal.open() as brain, screen.progress("comparing") as advance:
        for found in stretches(lambda at: brain.review.scan(after=at), after):
            compared += found.fact_count
            asked += found.asked
            through = found.through
            advance(compared)
    screen.answer({"fact_count": compared, "asked": asked, "through": through}, asked)
    told = f"compared {number_of(compared, 'fact')}"
    screen.say(f"{told}, asked {number_of(len(asked), 'question')}")
    return 0


@command("review walk", examples=("tilth review walk",))
def walk(
    terminal: Terminal, *, kinds: Kinds = None, limit: Limit = 100, scope: Narrowed = None
) -> int:
    """
    Decide what waits, one after the other.

    Each is shown, and you are asked. Enter alone decides nothing.
    """
    require_person()
    if terminal.screen.is_json:
        raise InvalidInputError("that is for a person", hint="tilth review list --json")
    with terminal.open() as brain:
        queue = brain.review.list(limit=limit, scope=scope, kinds=kinds)
        count = walk_through(brain, terminal.screen, queue)
        drafts = drafts_waiting(brain, scope)
    none = "no proposal waits" if drafts else "nothing waits to be decided"
    terminal.screen.say(f"decided {count}" if queue.proposals else none)
    _say_drafts(terminal, drafts)
    return 0


@command("review batch", examples=("tilth review batch --kind supersession",))
def batch(
    terminal: Terminal, *, kinds: Kinds = None, limit: Limit = 100, scope: Narrowed = None
) -> int:
    """
    Decide many in your editor.

    What waits is written into a file, one line each, and opened in $VISUAL or $EDITOR.
    Change the words before the proposals, and save. An empty file decides nothing.
    """
    require_person()
    with terminal.open() as brain:
        queue = brain.review.list(limit=limit, scope=scope, kinds=kinds)
        return decide_in_editor(brain, terminal.screen, queue)


def _decide(
    terminal: Terminal, action: Action, proposals: Sequence[ProposalId], told: Mapping[str, object]
) -> int:
    """Answer proposals, one after the other, each after it was shown."""
    require_person()
    screen = terminal.screen
    said = cast("Answering", told)
    if said.get("digest") and len(proposals) > 1:
        raise InvalidInputError("a digest is that of one proposal", hint="answer one at a time")
    if screen.is_json and not said.get("digest"):
        raise InvalidInputError(
            "a program's answer brings its digest", hint=f"tilth review show {proposals[0]}"
        )
    decided: list[Proposal] = []
    with terminal.open() as brain:
        for proposal_id in proposals:
            answering = said
            if not said.get("digest"):
                seen = brain.review.show(proposal_id)
                ends = said.get("retires") or ended_facts(seen, action, said.get("keeps"))
                answering = said | {"digest": seen.digest, "retires": ends}
                if not ask_agreement(brain, seen, action, answering, screen):
                    screen.say(f"{proposal_id} still waits")
                    continue
            decided.append(brain.review.decide(proposal_id, action, **answering))
    terminal.screen.answer({"decided": decided}, [_decided_line(one) for one in decided])
    return 0


def _summary_lines(brain: Brain, proposal: Proposal, scope: str | None) -> Iterator[Line]:
    try:
        yield from summary(brain.review.show(proposal.id, scope=scope))
    except NotFoundError:
        yield Dim(f"{proposal.draft.kind}  {proposal.id}  about what is not seen from here")


def _decided_line(proposal: Proposal) -> Line:
    action = "" if proposal.ruling is None else proposal.ruling.action.replace("_", " ")
    return f"{proposal.id}  {action}  (tilth review undo {proposal.id})"


def _queue_lines(queue: Queue, drafts: Mapping[str, int]) -> Iterator[str]:
    shown, needs = len(queue.proposals), "needs" if queue.waiting == 1 else "need"
    none = "no proposal waits" if drafts else "all clear"
    yield f"{queue.waiting} {needs} a decision" if queue.waiting else none
    if queue.later:
        yield f"{queue.later} later"
    yield f"{queue.decided} decided"
    if queue.count > shown:
        yield f"{shown} of {queue.count} like these shown"
