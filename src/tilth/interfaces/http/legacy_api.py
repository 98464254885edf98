"""
The endpoints of the first design (seed 001), under `/api`: each is verbs under other names.

`domain` is what is called an area everywhere else, since a scope can be a domain.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, TypeAlias

from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError, NotFoundError
from tilth.core.ids import FactId, ProposalId
from tilth.core.lifecycle import Lifecycle
from tilth.core.scope import Scope, parse_scope
from tilth.core.verb import Arg, Verb
from tilth.knowledge.facts import verbs as facts
from tilth.knowledge.facts.fact import Fact
from tilth.knowledge.facts.state import LIMIT_MAX, State
from tilth.knowledge.facts.write.write_fact import Stated
from tilth.knowledge.proposals.proposal import Proposal
from tilth.knowledge.vocabulary import verbs as words
from tilth.knowledge.vocabulary.registries import Registry, word_key
from tilth.pages.model import TEMPLATE, PageKind
from tilth.pages.verbs import page_verbs as pages
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
    domain: Domain = "",
    environment: Environment = "",
    *,
    system: System = "",
    component: Component = "",
    tags: Tags = (),
    valid_from: Began = None,
) -> Stated:
    """
    State what is so.

    In the slot of a system's component it supersedes what is there, or waits for a human. What
    names no system is about its domain, and stands beside all else there.

    Returns:
        What `facts.add` does.

    Raises:
        InvalidInputError: the domain is not registered, or something is empty.
    """
    area = _area(brain, domain)
    return facts.add(
        brain,
        _required("content", content),
        area=area,
        about=_about(area, system),
        environment=_environment(brain, environment),
        system=system,
        component=component,
        tags=tags,
        valid_from=valid_from,
    )


def propose_supersession(  # noqa: PLR0913 - the fields of the seed
    brain: facts.Needs,
    supersedes_id: Annotated[FactId, Arg("the fact that would end", parse=FactId.parse)],
    content: Content,
    domain: Domain = "",
    environment: Environment = "",
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
    area = _area(brain, domain)
    stated = facts.propose(
        brain,
        _required("content", content),
        reason=reason,
        supersedes=supersedes_id,
        area=area,
        about=_about(area, system),
        environment=_environment(brain, environment),
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
    status: Annotated[Lifecycle | None, Arg("only facts in this state, not current ones")] = None,
    limit: Annotated[int, Arg("the most to return", least=1, most=LIMIT_MAX)] = 10,
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


@dataclass(frozen=True, slots=True)
class WikiPage:
    """A page as the seed names its parts; `compiled_from` are exactly what `content` cites."""

    page_name: str
    page_type: PageKind
    title: str
    content: str
    compiled_from: tuple[str, ...]
    generated_at: datetime
    is_stale: bool
    is_synthesised: bool


def compile_wiki(  # noqa: PLR0913 - the fields of the seed
    brain: pages.Needs,
    page_name: Annotated[str, Arg("what it is called")],
    page_type: Annotated[PageKind, Arg("what kind of page")] = PageKind.SYSTEM_STATE,
    *,
    domain: Annotated[str | None, Arg("only of this area")] = None,
    environment: Annotated[str, Arg("only of this environment")] = "",
    system: Annotated[str, Arg("only of this system")] = "",
    title: Annotated[str, Arg("its heading")] = "",
    subject: Annotated[str, Arg("the entity or the topic, of a page about one")] = "",
    scope: Annotated[Scope | None, Arg("whose facts it states", parse=parse_scope)] = None,
) -> WikiPage:
    """
    Compile a page from what is known now.

    Returns:
        The page.

    Raises:
        InvalidInputError: the type or the domain is unknown.
        NotFoundError: nothing is known; a page that is there stays as it is.
    """
    made = pages.compile_(
        brain,
        page_type,
        subject,
        name=page_name,
        title=title,
        area="" if domain is None else _area(brain, domain),
        environment=environment,
        system=system,
        scope=scope,
    )
    return wiki(brain, made.page.name, scope=made.page.scope)


def wiki(
    brain: pages.Needs,
    page_name: Annotated[str, Arg("what it is called")],
    *,
    scope: Annotated[str | None, Arg("only of this scope and global")] = None,
) -> WikiPage:
    """
    Return a page; a stale one too, which says so.

    Returns:
        The page.

    Raises:
        NotFoundError: there is none of that name.
    """
    shown = pages.show(brain, page_name, scope=scope)
    page = shown.page
    return WikiPage(
        page_name=page.name,
        page_type=page.kind,
        title=page.title,
        content=shown.markdown,
        compiled_from=page.compiled_from,
        generated_at=page.generated_at,
        is_stale=page.is_stale,
        is_synthesised=page.form != TEMPLATE,
    )


def _area(brain: facts.Needs, domain: str) -> str:
    known = {
        word_key(name): entry.name
        for entry in words.list_(brain, Registry.AREA)
        for name in (entry.name, *entry.aliases)
    }
    if not domain.strip() or word_key(domain) not in known:
        raise InvalidInputError(
            f"unknown domain {domain[:60]!r}" if domain.strip() else "domain is empty",
            hint=f"use one of {', '.join(dict.fromkeys(known.values()))}",
        )
    return known[word_key(domain)]


def _about(area: str, system: str) -> tuple[str, ...]:
    """Return what a statement is about besides its system: its area, where it names none."""
    return () if system.strip() else (area,)


def _environment(brain: facts.Needs, environment: str) -> str:
    if not environment.strip():
        filed = facts.taxonomy(brain)
        used = [one.name for one in filed if one.axis == "environment"]
        raise InvalidInputError(
            "environment is empty",
            hint=f"say where it is so; in use: {', '.join(used)}" if used else "such as production",
        )
    return environment


def _required(name: str, value: str) -> str:
    if not value.strip():
        raise InvalidInputError(f"{name} is empty")
    return value


ENDPOINTS: Mapping[str, Verb] = {
    one.__name__: Verb(function=one, python=one.__name__)
    for one in (
        ingest_state,
        propose_supersession,
        confirm_supersession,
        query_state,
        compile_wiki,
        wiki,
    )
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
