"""The verbs on sessions and texts."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Annotated, Protocol

from tilth.core.actor import DISTILLER
from tilth.core.verb import ANYONE, HUMANS, Arg, verb
from tilth.episodes.context import Context, Narrowed
from tilth.episodes.verbs import Embedding
from tilth.knowledge.facts.write.write_fact import Writing
from tilth.knowledge.graph.record_sightings import Acquainted, record_next_sightings
from tilth.learning import distil as distilling
from tilth.learning import read_by_model as reading
from tilth.learning import views
from tilth.learning.check import Issue, check_text
from tilth.learning.distil import Distilled
from tilth.learning.extract import Rules
from tilth.learning.read_by_model import ModelRead
from tilth.llm.client import ModelClient


class Needs(Context, Protocol):
    """What reading sessions needs of a brain besides what every verb needs."""

    @property
    def writing(self) -> Writing:
        """What recording a statement needs besides the statement."""

    @property
    def rules(self) -> Rules:
        """The rules for what is kept of what sessions say."""

    @property
    def thinker(self) -> ModelClient:
        """The client for language models."""


@verb(
    "fact check",
    roles=ANYONE,
    view=views.issues,
    key="issues",
    examples=("tilth fact check 'The router is at 192.0.2.7.'", "tilth fact check -"),
)
def check(
    brain: Embedding,
    text: Annotated[str, Arg("- reads standard input", metavar="TEXT", is_stdin=True)] = "-",
    *,
    scope: Narrowed = None,
) -> Sequence[Issue]:
    """
    Check a text against what is known.

    It finds names that nearly match a known one, relations and values that differ from current
    facts, and facts that no longer hold. Nothing is recorded, and no model is asked.

    Returns:
        What may be wrong, in which words, and what speaks against them.

    Raises:
        InvalidInputError: the text is empty or too long.
    """
    return check_text(brain.store, brain.clock, brain.first, text, brain.within(scope))


@verb("", python="distil", roles=ANYONE)
def distil(
    brain: Needs,
    *,
    is_asked: Annotated[
        bool, Arg("whether somebody asks for it; else sessions that are going on wait")
    ] = True,
    at_most: Annotated[int | None, Arg("the most sessions to read", least=1)] = None,
    progress: Annotated[
        Callable[[int], None], Arg("told how many sessions are done")
    ] = lambda _done: None,
) -> Distilled:
    """
    Draw facts from what was said since the last run, without a language model.

    Returns:
        What was read and stated, and why the rest was left out.
    """
    return distilling.distil(
        brain.store,
        brain.writing,
        brain.rules,
        is_asked=is_asked,
        at_most=at_most,
        progress=progress,
    )


@verb("", python="acquaint", roles=ANYONE)
def acquaint(
    brain: Needs,
    *,
    after: Annotated[int, Arg("the cursor of the last time")] = 0,
    limit: Annotated[int, Arg("the most scopes to look at", least=1)] = 20,
) -> Acquainted:
    """
    Record the things that sessions of the next scopes name by identifiers.

    Distillation does so for the scopes of sessions that it reads; this is for sessions that an
    older version recorded.

    Returns:
        What is new, how many scopes were read, and the cursor for the next call.
    """
    by = replace(brain.writing.recorder, by=DISTILLER)
    return record_next_sightings(brain.store, by, brain.rules.excluded, after=after, limit=limit)


@verb("", python="read_by_model", roles=ANYONE)
def read_by_model(brain: Needs) -> ModelRead:
    """
    Let a language model read sessions, within its budget.

    It states what the rules did not find.

    Returns:
        What the model was asked and what was stated, or why it was not asked yet.
    """
    return reading.read_by_model(brain.thinker, brain.writing, brain.rules)


@verb("", python="reopen_sessions", roles=HUMANS)
def reopen_sessions(brain: Needs) -> None:
    """Have every session read once more, for what an earlier version missed."""
    distilling.reopen(brain.store, brain.recorder)
