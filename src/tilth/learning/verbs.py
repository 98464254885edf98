"""What can be asked about what sessions and texts state."""

from collections.abc import Sequence
from typing import Annotated

from tilth.core.verb import ANYONE, Arg, verb
from tilth.episodes.context import Narrowed
from tilth.episodes.verbs import Embedding
from tilth.learning import views
from tilth.learning.check import Issue, check_text


@verb(
    "fact check",
    python="facts.check",
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

    It finds names that are nearly those of something known, relations and values other
    than those that hold, and what held once. Nothing is recorded, and no model is asked.

    Returns:
        What may be wrong, in which words, and what speaks against them.

    Raises:
        InvalidInputError: there is no text, or too much of it.
    """
    return check_text(brain.store, brain.clock, brain.first, text, brain.within(scope))
