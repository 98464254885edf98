"""
The endpoints of the first design (seed 001), under `/api`: each is verbs under other names.

`domain` is what is called an area everywhere else, since a scope can be a domain.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, TypeAlias

from tilth.core.errors import InvalidInputError, NotFoundError
from tilth.core.ids import FactId, ProposalId
from tilth.core.lifecycle import Lifecycle
from tilth.core.verb import ANYONE, Arg, Section, Verb
from tilth.knowledge.facts import verbs as facts
from tilth.knowledge.facts.fact import Fact
from tilth.knowledge.facts.state import LIMIT_MAX, State
from tilth.knowledge.facts.write.write_fact import Stated
from tilth.knowledge.proposals.proposal import Proposal
from tilth.knowledge.vocabulary import verbs as words
from tilth.knowledge.vocabulary.registries import Registry, word_key
from tilth.review import verbs as review

Content: TypeAlias = Annotated[str, Arg("what is so, in words")]
Domain: TypeAlias = Annotated[str, Arg("its area, one of the registered ones")]
Environment: TypeAlias = Annotated[str, Arg("such as home or office")]
System: TypeAlias = Annotated[str, Arg("the system")]
Component: TypeAlias = Annotated[str, Arg("the component of the system")]
Tags: TypeAlias = Annotated[Sequence[str], Arg("component:NAME names the component")]
Began: TypeAlias = Annotated[datetime | None, Arg("when it began, if not now")]


@dataclass(frozen=True, slots=True)
class Proposed:
    """A supersession that waits: what it would say, what it would end, and what a human repeats."""

    proposal_id: ProposalId
    draft: Fact
    retires: tuple[FactId, ...]
    digest: str


def ingest_state(  # noqa: PLR0913 - the fields of the seed
    brain: facts.Needs,
    content: Content,
    domain: Domain,
    environment: Environment,
    *,
    system: System = "",
    component: Component = "",
    tags: Tags = (),
    valid_from: Began = None,
) -> Stated:
    """
    State what is so.

    In the slot of a system's component it supersedes what is there, or waits for a human.

    Returns:
        What `facts.add` does.

    Raises:
        InvalidInputError: the domain is not registered, or something is empty.
    """
    return facts.add(
        brain,
        content,
        area=_area(brain, domain),
        environment=_said("environment", environment),
        system=system,
        component=component,
        tags=tags,
        valid_from=valid_from,
    )


def propose_supersession(  # noqa: PLR0913 - the fields of the seed
    brain: facts.Needs,
    supersedes_id: Annotated[FactId, Arg("the fact that would end", parse=FactId.parse)],
    content: Content,
    domain: Domain,
    environment: Environment,
    *,
    system: System = "",
    component: Component = "",
    tags: Tags = (),
    valid_from: Began = None,
    reason: Annotated[str, Arg("why")] = "",
) -> Proposed:
    """
    Propose that one fact takes the place of another; nothing changes before a human confirms it.

    Returns:
        The proposal, and what its confirmation names.

    Raises:
        NotFoundError: there is no such fact.
        ConflictError: it does not hold.
        InvalidInputError: the domain is not registered, or something is empty.
    """
    stated = facts.propose(
        brain,
        content,
        reason=reason,
        supersedes=supersedes_id,
        area=_area(brain, domain),
        environment=_said("environment", environment),
        system=system,
        component=component,
        tags=tags,
        valid_from=valid_from,
    )
    assert stated.proposal_id is not None
    shown = review.show(brain, stated.proposal_id)
    retires = tuple(one.id for one in shown.retires)
    return Proposed(stated.proposal_id, stated.fact, retires, shown.digest)


def confirm_supersession(
    brain: facts.Needs,
    proposal_id: review.Which,
    retires_id: Annotated[FactId, Arg("the fact that ends", parse=FactId.parse)],
    *,
    digest: review.Digest,
    note: review.Note = "",
) -> Proposal:
    """
    Confirm a supersession, as a human who names what ends.

    Returns:
        The proposal with the ruling.

    Raises:
        ForbiddenError: the caller is not a human.
        NotFoundError: there is no such proposal.
        ConflictError: it is decided, is not what was shown, or would end something else.
    """
    return review.confirm(brain, proposal_id, digest=digest, retires=(retires_id,), note=note)


def query_state(
    brain: facts.Needs,
    *,
    domain: Annotated[str | None, Arg("only of this area")] = None,
    environment: Annotated[str | None, Arg("only of this environment")] = None,
    system: Annotated[str | None, Arg("only of this system")] = None,
    status: Annotated[Lifecycle | None, Arg("instead of what holds")] = None,
    limit: Annotated[int, Arg("at most so many", least=1, most=LIMIT_MAX)] = 10,
) -> State:
    """
    Tell what is so, the newest first.

    Returns:
        What `state` does.
    """
    return facts.state(
        brain,
        limit=limit,
        area=domain,
        environment=environment,
        system=system,
        lifecycles=None if status is None else frozenset({status}),
    )


def _area(brain: facts.Needs, domain: str) -> str:
    known = {
        word_key(name): entry.name
        for entry in words.list_(brain, Registry.AREA)
        for name in (entry.name, *entry.aliases)
    }
    if word_key(_said("domain", domain)) not in known:
        raise InvalidInputError(
            f"unknown domain {domain[:60]!r}",
            hint=f"use one of {', '.join(dict.fromkeys(known.values()))}",
        )
    return domain


def _said(name: str, value: str) -> str:
    if not value.strip():
        raise InvalidInputError(f"{name} is empty")
    return value


def _endpoint(function: Callable[..., object]) -> Verb:
    return Verb(
        function=function,
        command="",
        python=function.__name__,
        roles=ANYONE,
        view=None,
        key="",
        as_json=None,
        status=None,
        section=Section.ADVANCED,
        examples=(),
        old=(),
    )


ENDPOINTS: Mapping[str, Verb] = {
    one.__name__: _endpoint(one)
    for one in (ingest_state, propose_supersession, confirm_supersession, query_state)
}


def find(name: str) -> Verb:
    """
    Return the endpoint of that name.

    Raises:
        NotFoundError: there is none.
    """
    if name not in ENDPOINTS:
        raise NotFoundError(
            f"there is no endpoint /api/{name[:80]}", hint=f"there are {', '.join(ENDPOINTS)}"
        )
    return ENDPOINTS[name]
