"""The verbs on facts: state, propose, read, end, archive and restore them."""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Annotated, Protocol, TypeAlias, Unpack, cast

from tilth.core.calls.paging import PAGE_MAX, check_page
from tilth.core.dataclass import dataclass
from tilth.core.errors import ConflictError
from tilth.core.ids import FactId
from tilth.core.instant import parse_end
from tilth.core.lifecycle import Lifecycle
from tilth.core.scope import Visibility
from tilth.core.verb import ANYONE, Arg, Section, noun, verb
from tilth.episodes.context import Context, Narrowed
from tilth.knowledge.facts import fact_lifecycle, facts, views
from tilth.knowledge.facts import state as states
from tilth.knowledge.facts.fact import Fact, FactFields, parse_stated
from tilth.knowledge.facts.fact_lifecycle import Ended, archive_in, restore_in, undo_change_in
from tilth.knowledge.facts.facts import TaxonomyCount
from tilth.knowledge.facts.filters import Moment, not_holding
from tilth.knowledge.facts.life import PastLife, ended_by
from tilth.knowledge.facts.query import FactQuery, parse_asking
from tilth.knowledge.facts.state import State
from tilth.knowledge.facts.tables import Facts
from tilth.knowledge.facts.write.write_fact import Stated, Writing

logger = logging.getLogger(__name__)

_UNDOING = "change_undone"

noun(
    "fact",
    "statements with a source, and the time in which they hold",
    section=Section.TELL,
    bare="list",
)

FactArg: TypeAlias = Annotated[
    FactId, Arg("the fact's ID, as listed", metavar="ID", id=FactId.prefix, parse=FactId.parse)
]
Text: TypeAlias = Annotated[
    str, Arg("in words; a triple needs none", metavar="TEXT", is_words=True)
]
Reason: TypeAlias = Annotated[str, Arg("why", metavar="TEXT")]
KnownAt: TypeAlias = Annotated[datetime | None, Arg("as it was known at this instant")]


class Needs(Context, Protocol):
    """What stating facts needs of a brain besides what every verb needs."""

    @property
    def writing(self) -> Writing:
        """What every statement needs besides itself."""


@dataclass(frozen=True, slots=True)
class FactPage:
    """A fact with all its lives, oldest first."""

    fact: Fact
    lives: Sequence[PastLife]


@verb(
    "fact add",
    roles=ANYONE,
    view=views.stated,
    examples=(
        "tilth fact add --system lab --component router 'The router is at 192.0.2.1.'",
        "tilth fact add --subject api --predicate port --object 9090 --channel entity",
    ),
)
def add(brain: Needs, text: Text = "", **telling: Unpack[FactFields]) -> Stated:
    """
    State a fact.

    In a slot (a system's component, or a predicate with one value) it supersedes the current fact
    or waits for a human, as the rule of the slot says.

    Returns:
        The fact, what was done with it, the fact that it ended, and the waiting proposal, if any.

    Raises:
        InvalidInputError: nothing is stated, or a word is unknown.
        ConflictError: the fact to supersede does not hold, or is in another slot.
    """
    draft = parse_stated(text, telling)
    facts.check_stated([draft], brain.excluded)
    return facts.state_fact(brain.store, draft, brain.writing)


@verb("", python="facts.add_many", roles=ANYONE)
def add_many(
    brain: Needs,
    tellings: Annotated[
        Sequence[Mapping[str, object]],
        Arg("mappings with the arguments of `add`", rows="facts.add"),
    ],
) -> Sequence[Stated]:
    """
    State facts in one transaction: all of them, or none.

    Returns:
        What became of each, in the order given.

    Raises:
        InvalidInputError: one of them is not a fact.
    """
    drafts = [
        parse_stated(
            str(told.get("text", "")),
            cast("FactFields", {name: value for name, value in told.items() if name != "text"}),
        )
        for told in tellings
    ]
    facts.check_stated(drafts, brain.excluded)
    return facts.state_facts(brain.store, drafts, brain.writing)


@verb(
    "fact propose",
    roles=ANYONE,
    view=views.stated,
    examples=("tilth fact propose --system lab --component router 'It is at 192.0.2.9.'",),
)
def propose(
    brain: Needs, text: Text = "", *, reason: Reason = "", **telling: Unpack[FactFields]
) -> Stated:
    """
    State a fact for a human to decide.

    Until then it is a draft, and the fact that it would supersede stays current.

    Returns:
        The draft, and the proposal that waits.

    Raises:
        InvalidInputError: nothing is stated, or a word is unknown.
    """
    draft = parse_stated(text, telling)
    facts.check_stated([draft], brain.excluded)
    return facts.propose_fact(brain.store, draft, brain.writing, reason=reason)


@verb("", python="facts.reword", roles=ANYONE)
def reword(
    brain: Needs,
    fact_id: FactArg,
    text: Annotated[str, Arg("its new words")] = "",
    *,
    value: Annotated[str, Arg("the new object of its triple")] = "",
    reason: Reason = "",
) -> Stated:
    """
    Propose other words for a fact, or another value of its triple.

    Returns:
        The draft, and the proposal that waits.

    Raises:
        NotFoundError: there is no such fact.
        InvalidInputError: neither words nor a value are given.
    """
    within = Visibility(brain.writing.recorder.owner)
    draft = facts.reworded_draft(brain.store, fact_id, text, value, within)
    facts.check_stated([draft], brain.excluded)
    return facts.propose_fact(brain.store, draft, brain.writing, reason=reason)


@verb("", python="facts.get", roles=ANYONE)
def get(
    brain: Context, fact_id: FactArg, *, known_at: KnownAt = None, scope: Narrowed = None
) -> Fact:
    """
    Return a fact.

    Returns:
        The fact as it is, or as it was known at an instant.

    Raises:
        NotFoundError: there is no such fact, or it cannot be seen from the scope.
    """
    moment, within = Moment(known_at=known_at), brain.within(scope)
    with brain.store.read() as view:
        facts = Facts(view)
        return facts.with_beside([facts.get(fact_id, within, moment)], within, moment)[0]


@verb(
    "fact show",
    roles=ANYONE,
    view=views.fact_page,
    examples=("tilth fact show fct_01KAR",),
    old=("fact get",),
)
def show(
    brain: Context, fact_id: FactArg, *, known_at: KnownAt = None, scope: Narrowed = None
) -> FactPage:
    """
    Show a fact with its evidence and all its lives.

    Returns:
        The fact, and each of its lives with its author.

    Raises:
        NotFoundError: there is no such fact, or it cannot be seen from the scope.
    """
    fact = get(brain, fact_id, known_at=known_at, scope=scope)
    return FactPage(fact, lives(brain, fact_id, scope=scope))


@verb(
    "fact list",
    roles=ANYONE,
    view=views.fact_list,
    key="facts",
    examples=("tilth fact list --system lab", "tilth fact list --lifecycle superseded"),
)
def list_(
    brain: Context,
    *,
    limit: Annotated[int, Arg("the most to return", least=1)] = 100,
    offset: Annotated[int, Arg("how many to skip", least=0)] = 0,
    scope: Narrowed = None,
    **asking: Unpack[FactQuery],
) -> Sequence[Fact]:
    """
    List facts, the one that began last first.

    Returns:
        The facts that hold, or those of the lifecycles asked for. If none holds, those that are
        imported, ended or proposed.

    Raises:
        InvalidInputError: a word is not one of those that its place allows.
    """
    which = parse_asking(brain.store, asking, brain.within(scope))
    check_page(limit, PAGE_MAX)
    is_open = which.lifecycles is None and which.moment.as_of is None
    which = replace(which, is_once=True)
    with brain.store.read() as view:
        reader = Facts(view)
        found = reader.select(which, limit=limit, offset=offset)
        if not found and is_open and not (offset and reader.places(which, limit=1)):
            found = reader.select(not_holding(which), limit=limit, offset=offset)
        return reader.with_beside(found, which.within, which.moment)


@verb(
    "fact history",
    roles=ANYONE,
    view=views.fact_chain,
    key="facts",
    examples=("tilth fact history fct_01KAR",),
)
def history(brain: Context, fact_id: FactArg, *, scope: Narrowed = None) -> Sequence[Fact]:
    """
    List the chain of supersession through a fact, oldest first.

    Returns:
        The facts before it, the fact itself, and those that came after it.

    Raises:
        NotFoundError: there is no such fact, or it cannot be seen from the scope.
    """
    with brain.store.read() as view:
        return Facts(view).history(fact_id, brain.within(scope))


@verb("", python="facts.lives", roles=ANYONE)
def lives(brain: Context, fact_id: FactArg, *, scope: Narrowed = None) -> Sequence[PastLife]:
    """
    List all lives of a fact, oldest first.

    Returns:
        Each life with its beginning, its author and the reason.

    Raises:
        NotFoundError: there is no such fact, or it cannot be seen from the scope.
    """
    within = brain.within(scope)
    with brain.store.read() as view:
        Facts(view).get(fact_id, within)
        return Facts(view).told_lives(fact_id, within)


@verb(
    "fact retire",
    roles=ANYONE,
    view=views.ended,
    examples=("tilth fact retire fct_01KAR --reason 'the router is gone'",),
)
def retire(
    brain: Context,
    fact_id: FactArg,
    *,
    reason: Reason = "",
    valid_to: Annotated[
        datetime | None, Arg("when it ended, if not now; a day ends with it", parse=parse_end)
    ] = None,
) -> Ended:
    """
    End a fact without a successor.

    A human ends it at once; an agent only proposes that.

    Returns:
        The fact, and the waiting proposal, if any.

    Raises:
        NotFoundError: there is no such fact.
        ConflictError: it does not hold.
        InvalidInputError: the end is in the future, and the fact holds until then.
    """
    ends = ended_by(brain.clock.now(), valid_to)
    return fact_lifecycle.retire_fact(
        brain.store, fact_id, brain.recorder, reason=reason, valid_to=ends
    )


@verb(
    "fact promote",
    roles=ANYONE,
    view=views.ended,
    examples=("tilth fact promote fct_01KAR",),
)
def promote(brain: Context, fact_id: FactArg, *, reason: Reason = "") -> Ended:
    """
    Propose to make a historical fact current.

    Returns:
        The fact, and the proposal that waits for a human.

    Raises:
        NotFoundError: there is no such fact.
        ConflictError: it is not historical.
    """
    return fact_lifecycle.promote_fact(brain.store, fact_id, brain.recorder, reason=reason)


@verb(
    "fact archive",
    roles=ANYONE,
    view=views.one_fact,
    key="fact",
    examples=("tilth fact archive fct_01KAR",),
)
def archive(brain: Context, fact_id: FactArg, *, reason: Reason = "") -> Fact:
    """
    Archive a fact, reversibly.

    Returns:
        The fact as it is now.

    Raises:
        NotFoundError: there is no such fact.
        ConflictError: it is archived already.
    """
    within = Visibility(brain.recorder.owner)
    with brain.store.begin() as tx:
        fact = Facts(tx).get(fact_id, within)
        if fact.life.lifecycle is Lifecycle.ARCHIVED:
            raise ConflictError(
                f"{fact_id} is archived already",
                hint=f"to bring it back: tilth fact restore {fact_id}",
            )
        archive_in(tx, fact, brain.recorder, reason=reason)
        put_away = Facts(tx).get(fact_id, within)
    logger.info("fact archived: fact=%s", fact_id)
    return put_away


@verb(
    "fact restore",
    roles=ANYONE,
    view=views.one_fact,
    key="fact",
    examples=("tilth fact restore fct_01KAR",),
)
def restore(brain: Context, fact_id: FactArg) -> Fact:
    """
    Restore an archived fact.

    Whoever archived it restores it, or a human. What the rule archived is for a human alone; `tilth
    unarchive` restores all of it.

    Returns:
        The fact as it is now.

    Raises:
        NotFoundError: there is no such fact.
        ConflictError: it is not archived, or its slot is taken.
        ForbiddenError: somebody else archived it, and the caller is not a human.
    """
    with brain.store.begin() as tx:
        restored = restore_in(tx, fact_id, brain.recorder)
    logger.info("fact brought back: fact=%s", fact_id)
    return restored


@verb(
    "fact undo",
    roles=ANYONE,
    view=views.one_fact,
    key="fact",
    examples=("tilth fact undo fct_01KAR --reason 'a mistake'",),
)
def undo(brain: Context, fact_id: FactArg, *, reason: Reason = "") -> Fact:
    """
    Undo the last change of a fact's life.

    Whoever made the change undoes it, or a human.

    Returns:
        The fact as it is now.

    Raises:
        NotFoundError: there is no such fact.
        ConflictError: nothing can be undone, or something rests on it.
        ForbiddenError: somebody else made the change, and the caller is not a human.
    """
    within = Visibility(brain.recorder.owner)
    with brain.store.begin() as tx:
        fact = Facts(tx).get(fact_id, within)
        last = Facts(tx).lives(fact_id, within)[-1]
        if last.event_kind == _UNDOING:
            holds = fact.life.lifecycle is Lifecycle.CURRENT
            raise ConflictError(
                f"the last change of {fact_id} was taken back already",
                hint=f"it holds; to end it: tilth fact retire {fact_id}"
                if holds
                else "to have it hold, state it again",
            )
        undone = undo_change_in(tx, last, brain.recorder, reason)
    logger.info("change taken back: fact=%s", fact_id)
    return undone


@verb(
    "state",
    roles=ANYONE,
    section=Section.ASK,
    view=views.state_page,
    examples=(
        "tilth state --system lab --component router",
        "tilth state --area Network --as-of 2026-01-01",
    ),
)
def state(
    brain: Context,
    *,
    limit: Annotated[int, Arg("the most to return", least=1, most=states.LIMIT_MAX)] = 10,
    is_widening: Annotated[
        bool, Arg("if nothing holds now, show what held before", flags=("--widen",))
    ] = False,
    scope: Narrowed = None,
    **asking: Unpack[FactQuery],
) -> State:
    """
    Show the facts that hold now, or that held at a date.

    The answer comes from facts, not from what was said about them.

    Returns:
        The facts, the newest first, each with its freshness and what contradicts it.

    Raises:
        InvalidInputError: a word is not one of those that its place allows.
    """
    which = parse_asking(brain.store, asking, brain.within(scope))
    known = states.state(brain.store, brain.clock, which, limit=limit, is_widening=is_widening)
    return brain.excluded.shown(known)


@verb(
    "fact taxonomy",
    roles=ANYONE,
    view=views.shelves,
    key="shelves",
    examples=("tilth fact taxonomy", "tilth fact taxonomy --system lab"),
)
def taxonomy(
    brain: Context, *, scope: Narrowed = None, **asking: Unpack[FactQuery]
) -> Sequence[TaxonomyCount]:
    """
    Count facts by area, environment, system, component and tag.

    Each of them that is given narrows the others.

    Returns:
        The words under which facts that hold are filed, for each field the most used first.

    Raises:
        InvalidInputError: a word is not one of those that its place allows.
    """
    return facts.taxonomy(brain.store, parse_asking(brain.store, asking, brain.within(scope)))
