"""The verbs on reflection."""

from collections.abc import Mapping
from typing import Annotated, Protocol, cast

from tilth.core.scope import Scope
from tilth.core.verb import ANYONE, KNOWN, Arg, Section, verb
from tilth.episodes.context import Context, Narrowed
from tilth.llm.client import ModelClient
from tilth.reflection import reflect as reflecting
from tilth.reflection import views
from tilth.reflection.growth import Growth
from tilth.reflection.growth import growth as read_growth
from tilth.reflection.reflect import Reflected, ReflectionInputs
from tilth.skills.install_files import AsideFolder


class Needs(Context, Protocol):
    """What reflection needs of a brain besides what every verb needs."""

    @property
    def thinker(self) -> ModelClient:
        """The client for language models."""

    @property
    def outbox(self) -> AsideFolder:
        """The folder for files that somebody changed by hand."""


@verb(
    "reflect",
    roles=KNOWN,
    view=views.reflected,
    is_of_sessions=True,
    section=Section.LOOK_AFTER,
    examples=("tilth reflect", "tilth reflect --json"),
)
def reflect(
    brain: Needs,
    *,
    is_asked: Annotated[
        bool, Arg("whether somebody asks for it; else it waits for a quiet moment", is_hidden=True)
    ] = True,
    after: Annotated[
        int, Arg("the place in the ledger up to which it was done", least=0, is_hidden=True)
    ] = 0,
    playbook_sessions: Annotated[
        int,
        Arg(
            "sessions that must succeed before a playbook is drafted",
            least=2,
            setting="playbook_sessions",
        ),
    ],
    skill_sessions: Annotated[
        int,
        Arg(
            "sessions of a playbook that must succeed before a skill is drafted",
            least=2,
            setting="skill_sessions",
        ),
    ],
) -> Reflected:
    """
    Draft playbooks and skills from what sessions did, and count how they do.

    The stages run in order, and one that fails stops no other. Experience is read and clustered;
    playbooks are drafted, their outcomes counted, failing ones retired, and proven ones drafted as
    skills; what several projects do is lifted; unused playbooks are archived; and the files of
    skills are made equal to what was approved. Nothing is written twice.

    Returns:
        What each stage looked at, and how much of it is new.
    """
    domains = cast("Mapping[Scope, frozenset[Scope]]", brain.setting("domains_seen"))
    asked = ReflectionInputs(
        thinker=brain.thinker,
        shelf=brain.outbox,
        sessions_min=playbook_sessions,
        skill_sessions_min=skill_sessions,
        domains=domains,
    )
    return reflecting.reflect(asked, is_asked=is_asked, after=after)


@verb(
    "growth",
    roles=ANYONE,
    view=views.growth,
    section=Section.LOOK_AFTER,
    examples=("tilth growth", "tilth growth --days 7 --json"),
)
def growth(
    brain: Context,
    *,
    days: Annotated[int, Arg("how many days on which anything was recorded", least=1)] = 30,
    scope: Narrowed = None,
) -> Growth:
    """
    Show how much was recorded and learned by day, and how much of it holds.

    Returns:
        Counts by day, what holds now, and how many episodes stand for each thing known.
    """
    with brain.store.read() as view:
        return read_growth(view, brain.within(scope), days=days)
