"""A store with something of everything, as a year of work leaves it, in any size."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random  # noqa: TID251 - always seeded
from typing import Any, TypeAlias

from bench import sessions
from bench.texts import evaluation_data
from tilth.context.model import BriefRequest
from tilth.core.actor import HOOKS, IMPORTER, Actor, ActorKind, Human
from tilth.core.errors import NotFoundError
from tilth.core.ids import SessionId
from tilth.core.scope import Scope
from tilth.episodes.episode import EpisodeDraft, EpisodeKind, Role
from tilth.episodes.session import SessionInfo
from tilth.interfaces.http import call_verb
from tilth.runtime.brain import Brain

_AT_ONCE = 500
_KINDS = ("api", "cache", "queue", "index", "relay", "store")
_AREAS = ("Network", "Storage", "Build", "Office")
_PAGE_KINDS = ("system-state", "pending-tasks", "topology", "summary", "event-log")
_DEPLOYMENTS = 4
_DEPLOY = "./scripts/deploy.sh production"
_TEXTS = {
    "backup-policy": (
        "# Backup policy\n\n"
        "Backups of the database must run at four in the morning on every host.\n"
        "Backups are kept for thirty days and then removed by the rotation job.\n"
    ),
    "release-steps": (
        "# Release steps\n\n"
        "A release must be tagged by two people, and the tag must be signed.\n"
        "A release is never made on a Friday, because nobody is there on the day after.\n"
    ),
    "monitoring": (
        "# Monitoring\n\n"
        "Monitoring sends alerts to the pager only between eight and twenty o'clock.\n"
        "Monitoring of disks warns at eighty percent and pages at ninety-five percent.\n"
    ),
}
_BEGAN = datetime(2026, 6, 1, 12, tzinfo=UTC)
_AGENT = Actor("agent", ActorKind.AGENT)


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """
    How many of each there are.

    Every fact is about a system of its own and one of `things`, so there are about twice as many
    entities as facts. `cycles` of the garden find at most ten candidates each.
    """

    episodes: int = 0
    things: int = 30
    facts: int = 30
    hub_edges: int = 8
    persons: int = 3
    messages: int = 3
    gaps: int = 3
    projects: int = 2
    topics: int = 2
    cycles: int = 1
    pages: int = 6
    receipts: int = 3
    waiting: int = 5


FULL = Size(
    episodes=100_000,
    things=5000,
    facts=5000,
    hub_edges=400,
    persons=300,
    messages=5,
    gaps=100,
    projects=60,
    topics=30,
    cycles=15,
    pages=100,
    receipts=300,
    waiting=200,
)
_Step: TypeAlias = Callable[[Any, Size], None]  # a brain's methods are typed by its stub


def fill(brain: Brain, size: Size, told: Callable[[str], None] = lambda _: None) -> None:
    """Fill an empty store through the verbs; *told* hears of each step when it is done."""
    for actor, step in _STEPS:
        step(call_verb.acting(brain, actor), size)
        told(step.__name__.lstrip("_").replace("_", " "))


def _sessions(importing: Any, size: Size) -> None:  # noqa: ANN401
    if size.episodes:
        sessions.fill(importing, evaluation_data(), size.episodes)
    for name, text in _TEXTS.items():
        title = text.partition("\n")[0].removeprefix("# ")
        told = {"heading": title, "line": 1}
        importing.remember(text, session_id=f"docs:{name}.md", kind="document", metadata=told)
        importing.sessions.describe(f"docs:{name}.md", SessionInfo(title=title))


def _deployments(captured: Any, size: Size) -> None:  # noqa: ANN401
    """Do the same work in many projects, so that there are playbooks and pitfalls."""
    for project in range(size.projects):
        drafts = [one for day in range(_DEPLOYMENTS) for one in _deployment(project, day)]
        captured.remember_many(drafts)


def _deployment(project: int, day: int) -> Iterator[EpisodeDraft]:
    """Yield what is said and done in a session that deploys; on the last day it fails first."""
    steps = [("make test", "14 passed in 3.1s", True), ("make build", "Built shop:1.4.", True)]
    if day == _DEPLOYMENTS - 1:
        steps += [(_DEPLOY, "Exit code 1\nerror: denied: access is denied", False),
                  ("make login", "Login succeeded", True)]  # fmt: skip
    steps.append((_DEPLOY, f"Deployed the shop of day {day} to production.", True))
    said = [("Please deploy the shop to production now.", EpisodeKind.MESSAGE, Role.USER, "")]
    for number, (line, outcome, is_well) in enumerate(steps):
        came = EpisodeKind.TOOL_RESULT if is_well else EpisodeKind.TOOL_FAILURE
        call = f"Bash: {json.dumps({'command': line})}"
        said += [(call, EpisodeKind.TOOL_CALL, Role.ASSISTANT, f"t{number}"),
                 (outcome, came, Role.TOOL, "")]  # fmt: skip
    said.append(("That is how it went.", EpisodeKind.MESSAGE, Role.ASSISTANT, ""))
    for number, (text, kind, role, use) in enumerate(said):
        yield EpisodeDraft(
            text=text,
            kind=kind,
            role=role,
            session_id=SessionId(f"claude-code:deploy-{project}-{day}"),
            scope=Scope(f"project:work/shop-{project}"),
            occurred_at=_BEGAN + timedelta(days=day, minutes=number),
            metadata={"tool_use_id": use} if use else {},
        )


def _distilled(person: Any, _: Size) -> None:  # noqa: ANN401
    person.distil(is_asked=True)


def _things(person: Any, size: Size) -> None:  # noqa: ANN401
    rng = Random(1)
    names = _names(size)
    hub, *near = names[: size.hub_edges + 1]
    # The rest come with what is said of them, many in one transaction.
    for name in (hub, *near):
        person.entities.add(name, type="service")
    for at in range(0, size.facts, _AT_ONCE):
        some = range(at, min(at + _AT_ONCE, size.facts))
        person.facts.add_many([_fact(names, number) for number in some])
    for name in near:
        person.edges.add(hub, "depends_on", name)
        person.edges.add(name, "depends_on", rng.choice(names[size.hub_edges + 2 : size.facts]))


def _fact(names: list[str], number: int) -> dict[str, object]:
    return {
        "text": f"The {names[number % len(names)]} listens on {2000 + number}.",
        "about": [names[number % len(names) if number % 10 else 0]],
        "area": _AREAS[number % len(_AREAS)],
        "system": f"s{number}",
        "component": "port",
    }


def _people(person: Any, size: Size) -> None:  # noqa: ANN401
    for number in range(size.persons):
        who = f"Person Number{number}"
        person.people.introduce(who, transport="email", address=f"p{number}@example.org")
        thread = person.conversations.create(who, "email", topic=f"Order {number}").conversation
        for turn in range(size.messages):
            person.conversations.add(thread.id, f"About order {number}: part {turn} is on its way.")


def _gaps(person: Any, size: Size) -> None:  # noqa: ANN401
    rng = Random(2)
    for number in range(size.gaps):
        person.gaps.add(f"{rng.choice(_KINDS)} exports {number} rows to a sheet")


def _playbooks_and_skills(person: Any, _: Size) -> None:  # noqa: ANN401
    person.reflect()
    for one in person.playbooks.list(limit=1000)[::2]:
        person.playbooks.confirm(one.id, digest=one.digest)


def _pages(person: Any, size: Size) -> None:  # noqa: ANN401
    names = _names(size)
    for number in range(size.pages):
        if number < len(_PAGE_KINDS) * len(_AREAS):
            kind, area = _PAGE_KINDS[number % len(_PAGE_KINDS)], _AREAS[number % len(_AREAS)]
            name = f"{kind}-{area}".casefold()
            _compiled(person, kind, name=name, area=area)
        else:
            _compiled(person, "entity", names[number])


def _compiled(person: Any, *what: str, **told: str) -> None:  # noqa: ANN401
    """Compile a page, if something is known that belongs on it."""
    try:
        person.pages.compile(*what, **told)
    except NotFoundError:
        return


def _garden(person: Any, size: Size) -> None:  # noqa: ANN401
    themes = ("backups", "release", "monitoring", *(f"{one} settings" for one in _KINDS))
    for number in range(size.topics):
        name = themes[number] if number < len(themes) else f"practice {number}"
        person.topics.add(name, priority=1 + number % 5)
    for _ in range(size.cycles):
        person.garden.run(is_applied=True, is_forced=True)


def _erased(person: Any, _: Size) -> None:  # noqa: ANN401
    said = person.remember("Forget that I said this.")
    person.erase.confirm(person.erase.plan(episodes=[said]).digest, episodes=[said])


def _briefs(agent: Any, size: Size) -> None:  # noqa: ANN401
    for session in agent.sessions.list(limit=size.receipts):
        asked = BriefRequest(session_id=session.id, via="hook")
        agent.receipts.keep(agent.brief(asked, scope=session.scope).context)


def _proposals(agent: Any, size: Size) -> None:  # noqa: ANN401
    for number in range(size.waiting):
        text = f"The s{number} listens on {9000 + number}."
        agent.facts.add(text, system=f"s{number}", component="port")


def _names(size: Size) -> list[str]:
    rng = Random(1)
    return [f"{rng.choice(_KINDS)}-{number}" for number in range(size.things)]


_ANA = Human("ana")
_STEPS: tuple[tuple[Actor, _Step], ...] = (
    (IMPORTER, _sessions),
    (HOOKS, _deployments),
    (_ANA, _distilled),
    (_ANA, _things),
    (_ANA, _people),
    (_ANA, _gaps),
    (_ANA, _playbooks_and_skills),
    (_ANA, _pages),
    (_ANA, _garden),
    (_ANA, _erased),
    (_AGENT, _briefs),
    (_AGENT, _proposals),
)
