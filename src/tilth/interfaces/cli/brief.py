"""`tilth brief`: what an agent is shown unasked."""

from typing import Annotated, cast

from tilth.context.model import Brief, BriefRequest
from tilth.core.ids import SessionId, parse_session_id
from tilth.core.io.projects import scope_of_folder
from tilth.core.methods import load_verb
from tilth.core.scope import scope_to_read
from tilth.core.verb import Arg, Section
from tilth.interfaces.cli.invocation import current_folder
from tilth.interfaces.cli.terminal import Terminal, command


@command(
    "brief",
    section=Section.AGENTS,
    examples=("tilth brief", "tilth brief --about 'fix the flaky upload test'"),
)
def brief(
    terminal: Terminal,
    *,
    about: Annotated[str, Arg("show what is told beside this prompt", metavar="PROMPT")] = "",
    session: Annotated[
        SessionId | None, Arg("as this session would be told", metavar="ID", parse=parse_session_id)
    ] = None,
    budget: Annotated[
        int,
        Arg("at most about this many tokens; 0 gives what hosts get", metavar="TOKENS", least=0),
    ] = 0,
    scope: Annotated[
        str | None, Arg("this scope and global; else the current folder's project", metavar="SCOPE")
    ] = None,
) -> int:
    """
    Show what an agent is shown when a session begins.

    With a prompt, it shows what is laid beside that. What is shown here leaves no
    receipt.
    """
    request = BriefRequest(
        question=about, session_id=session, via="cli/brief", budget_tokens=budget
    )
    place = scope or scope_to_read(scope_of_folder(current_folder()))
    with terminal.open() as brain:
        # The method of it has a signature, which takes long to make and nobody reads here.
        make = load_verb("brief", "tilth.context.brief_verbs")
        found = cast("Brief", make.method(brain.parts, (request,), {"scope": place}))
    answer = {"text": found.text, "tokens": found.tokens, "blocks": found.blocks, "scope": place}
    terminal.screen.answer(answer, found.text.splitlines())
    if found.is_at_rest:
        terminal.screen.say(
            f"{place} is at rest, and of it agents are told nothing unasked; to take it up again:"
            f" tilth project move {place} active"
        )
    elif not found.text:
        terminal.screen.say(f"nothing to tell in {place}")
    return 0
