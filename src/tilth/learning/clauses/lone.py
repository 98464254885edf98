"""
What somebody says as the whole of a short message: it was worth a message to them.

"Our linter is ruff" has few of the signs that `worth` learned from talk, and is told to be
remembered. What says no more than that an agent may go on, or what goes on at the moment, is
not; nor is what an agent advises in general.
"""

import re

from tilth.learning.clauses.clauses import Clause, asks
from tilth.learning.clauses.context import leans, points
from tilth.learning.clauses.predicates import claim_in
from tilth.learning.clauses.reading import is_agents
from tilth.learning.clauses.signs import Run
from tilth.learning.spoken.tasks import is_task

# A message that is not longer says one thing.
SHORT_CHARS = 160
_OF_THE_MOMENT = re.compile(
    r"(?:i'?m|we're|i am|we are) (?:still |only |just )*\w+ing\b.*\b(?:now|at the moment)[.!]*$",
    re.IGNORECASE,
)
_GOES_ON = re.compile(r"(?:proceed|continue|carry on|keep going)\b", re.IGNORECASE)
_ADVICE = re.compile(r"(?:never|always|don't|do not|avoid|make sure|be sure)\b", re.IGNORECASE)
# What one does, does for longer.
_LASTING = (
    r"(?:only |always |never |also |usually |mostly |still |don't )*(?:live|work|use|own|have|"
    r"drive|study|speak|teach|eat|drink|play|sing|grow|rent|ride|run)"
)
# What is guessed, wished or asked, what one did or is about to do, and how one finds it.
_LOOSE = re.compile(
    r".*\b(?:would|could|might|may|maybe|perhaps|probably|seems?|hope|wish|should)\b|"
    r".*'d\b|.*\.{2,}$|(?:can|could|let|lets|let's|dunno|everything|nothing|\w+ing)\b|"
    rf".*\b(?:fail(?:s|ed|ing)?|crash\w*|broken|stuck)\b|i(?!'?m\b| am\b| {_LASTING}\b)\b|"
    r"(?:i'?m|i am|we're|we are) (?:\w+ing|so|sure|sorry|done|back|ok|fine)\b",
    re.IGNORECASE,
)
# Typed in a hurry, without its apostrophe.
_HURRIED = re.compile(r"im\b(?= \w)", re.IGNORECASE)


def is_lone(run: Run) -> bool:
    """Say whether a run is a short message of a person that claims one thing, by itself."""
    plain = run.plain
    if is_agents(run.turn) or not is_message(run) or len(run.turn.episode.text) > SHORT_CHARS:
        return False
    if asks(plain) or leans(plain) or points(plain) or is_task(plain) or _LOOSE.match(plain):
        return False
    return claim_in(_HURRIED.sub("I'm", plain, count=1)) is not None


def is_passing(clause: Clause, run: Run) -> bool:
    """Say whether a clause is over when it is said: an agent's advice, a go-ahead, a moment."""
    is_opening = clause.start == run.sentence.start
    if is_agents(run.turn):
        return is_opening and _ADVICE.match(clause.plain) is not None
    is_go_ahead = _GOES_ON.match(clause.plain) is not None and is_message(run)
    return is_go_ahead or _OF_THE_MOMENT.match(clause.plain) is not None


def is_message(run: Run) -> bool:
    """Say whether a run is all that its message says: one clause, and no sentence beside it."""
    is_last = not run.turn.episode.text[run.sentence.end :].strip()
    return run.of == 1 and run.first.order == 0 and is_last
