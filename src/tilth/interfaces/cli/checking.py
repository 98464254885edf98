"""`tilth fact check`: what in a text may be wrong."""

from argparse import Namespace
from collections.abc import Iterator

from tilth.core.view import Bold, Dim, Line
from tilth.interfaces.cli.episode import standard_input
from tilth.interfaces.cli.opening import open_brain
from tilth.interfaces.cli.screen import Screen
from tilth.learning.check import Issue
from tilth.privacy.inert import one_line

_CHARS = 160


def run(args: Namespace, screen: Screen) -> int:
    """Check a text, and say what may be wrong in it."""
    text = standard_input() if args.text == "-" else args.text
    with open_brain(args) as brain:
        issues = brain.facts.check(text, scope=args.scope)
    screen.answer({"issues": issues}, [line for issue in issues for line in _lines(issue)])
    if not issues:
        screen.say("nothing that is known speaks against it")
    return 0


def _lines(issue: Issue) -> Iterator[Line]:
    yield (Bold(issue.kind.replace("_", " ")), f"  {one_line(issue.quote, _CHARS)}")
    yield f"  {one_line(issue.reason, _CHARS)}"
    named = " ".join([*([issue.entity_id] if issue.entity_id else []), *issue.facts])
    yield Dim(f"  {named}")
