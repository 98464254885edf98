"""`tilth brief`: what an agent is told unasked."""

from argparse import Namespace
from pathlib import Path

from tilth.context.model import BriefRequest
from tilth.core.ids import parse_session_id
from tilth.core.scope import scope_of_folder
from tilth.interfaces.cli.opening import open_brain
from tilth.interfaces.cli.screen import Screen


def run(args: Namespace, screen: Screen) -> int:
    """Show a brief as an agent would see it."""
    request = BriefRequest(
        question=args.about,
        session_id=None if args.session is None else parse_session_id(args.session),
        via="cli/brief",
        budget_tokens=args.budget,
    )
    scope = args.scope or scope_of_folder(str(Path.cwd()))
    with open_brain(args) as brain:
        found = brain.brief(request, scope=scope)
    answer = {"text": found.text, "tokens": found.tokens, "blocks": found.blocks, "scope": scope}
    screen.answer(answer, found.text.splitlines())
    if not found.text:
        screen.say(f"nothing to tell in {scope}")
    return 0
