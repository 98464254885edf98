"""Read a caller's words as an answer to a proposal, or as a filter of proposals."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, TypedDict

from tilth.core.actor import ActorKind
from tilth.core.ids import FactId
from tilth.core.scope import Visibility, parse_scope
from tilth.core.verb import Arg
from tilth.knowledge.proposals.proposal import Action, Answer, ProposalKind, ProposalState
from tilth.knowledge.proposals.tables import ProposalFilter


class Answering(TypedDict, total=False):
    """The fields that a human may give with an action; see `Answer`."""

    digest: Annotated[str, Arg("the digest of what was shown")]
    retires: Annotated[Sequence[str], Arg("each fact that ends")]
    facts: Annotated[Sequence[str], Arg("only these of the facts in question")]
    keeps: Annotated[str | None, Arg("the side that stays")]
    since: Annotated[datetime | None, Arg("since when it holds")]
    scope: Annotated[str | None, Arg("the only scope in which it holds")]
    text: Annotated[str, Arg("the whole statement in other words")]
    value: Annotated[str, Arg("the object of a triple")]
    note: Annotated[str, Arg("why")]


class Sorting(TypedDict, total=False):
    """The fields by which proposals may be filtered; without states, what waits now."""

    states: Annotated[
        frozenset[ProposalState] | None,
        Arg("only proposals in this state, not open ones; may be repeated", flags=("--state",)),
    ]
    kinds: Annotated[
        frozenset[ProposalKind] | None, Arg("only this kind; may be repeated", flags=("--kind",))
    ]
    by: Annotated[frozenset[ActorKind] | None, Arg("who asked; may be repeated")]
    about: Annotated[str | None, Arg("a fact that it is about", id=FactId.prefix)]


def parse_answer(action: Action, answering: Answering) -> Answer:
    """
    Read a caller's words as an answer.

    Raises:
        InvalidInputError: a word is not one of those that its place allows.
    """
    keeps, scope = answering.get("keeps"), answering.get("scope")
    return Answer(
        action=action,
        digest=answering.get("digest", ""),
        retires=tuple(map(FactId.parse, answering.get("retires", ()))),
        facts=tuple(map(FactId.parse, answering.get("facts", ()))),
        keeps=None if keeps is None else FactId.parse(keeps),
        since=answering.get("since"),
        scope=None if scope is None else parse_scope(scope),
        text=answering.get("text", ""),
        value=answering.get("value", ""),
        note=answering.get("note", ""),
    )


def parse_sorting(sorting: Sorting, within: Visibility, now: datetime) -> ProposalFilter:
    """
    Read a caller's words as a filter.

    Raises:
        InvalidInputError: a word is not one of those that its place allows.
    """
    states, about = sorting.get("states"), sorting.get("about")
    return ProposalFilter(
        within=within,
        states=states,
        kinds=sorting.get("kinds"),
        by=sorting.get("by"),
        about=None if about is None else FactId.parse(about),
        waiting_at=now if states is None else None,
    )
