"""
Read what a person chose in an agent's dialog, and what approved plans decide.

A choice counts if it lasts; how to go on is over with the session. A plan counts for what it lays
down; its steps are done when it is carried out, and its card shows them. Hosts record both as the
outcome of a tool of their own, and only outcomes of that tool are read: what a command prints, or a
program hands over, is no choice.
"""

import json
import re
from collections.abc import Iterator, Mapping

from tilth.core.actor import CameBy
from tilth.core.text.prose import sentences
from tilth.episodes.episode import EpisodeKind, Role
from tilth.exchanges.approved_plans import PLAN_TOOLS, Plan, approved_plan
from tilth.exchanges.sentences import passes, stands_alone
from tilth.exchanges.worth import FORMS, announces, tells_a_decision
from tilth.knowledge.facts.statement import Statement
from tilth.learning.candidate import Candidate, StatementKind, Turn
from tilth.learning.statements import kind_of

_CHOICE_TOOLS = ("AskUserQuestion:", "request_user_input:", "ask_user:")
_ANSWERED = re.compile(r'"((?:[^"\\]|\\.){3,300})"="((?:[^"\\]|\\.){1,300})"')
# An answer for good, and nothing else: "Yes, always", "no, never do that".
_FOR_GOOD = re.compile(
    r"\W*(?:(?:yes|yeah|yep|sure|ok|okay|no|nope|please|do|so|that|it)\W+){0,3}"
    r"(?:always|never|every time|each time|from now on|(?:in|for) (?:the )?future)"
    r"(?:\W+(?:please|do|so|this|that|it|ask)){0,3}\W*",
    re.IGNORECASE,
)
_LASTING = frozenset({StatementKind.RULE, StatementKind.PREFERENCE, StatementKind.DECISION})
_OF_CHOICE, _OF_PLAN = 0.95, 0.6
_PLAN_CHARS, _SENTENCE_CHARS_MAX = 3_000, 200


def choices(turn: Turn) -> Iterator[Candidate]:
    """Yield a person's choices, as question and answer, and the plan that they approved."""
    episode = turn.episode
    if (asked := _asked_for_good(turn)) is not None:
        answer = " ".join(episode.text.split())
        text = f"Asked “{asked}”, the user said “{answer}”"
        yield Candidate(Statement(text=text), episode.text, StatementKind.DECISION, _OF_CHOICE)
    if episode.kind is not EpisodeKind.TOOL_RESULT or episode.came_by is CameBy.PASSED:
        return
    if turn.call.startswith(_CHOICE_TOOLS):
        for question, answer, quote in _answers(episode.text):
            if not (passes(question) or announces(question)):
                text = " ".join(f"Asked “{question}”, the user chose {answer}".split())
                yield Candidate(Statement(text=text), quote, StatementKind.DECISION, _OF_CHOICE)
    is_put = turn.call.partition(":")[0] in PLAN_TOOLS
    if is_put and (plan := approved_plan(episode.text)) and (decided := _decided(plan)):
        said = f"Approved plan: {' '.join(decided.split())}"
        yield Candidate(Statement(text=said), decided, StatementKind.DECISION, _OF_PLAN)


def _asked_for_good(turn: Turn) -> str | None:
    """Return an agent's question that a person answered by "yes, always"; None otherwise."""
    episode, before = turn.episode, turn.before
    if not (turn.is_spoken and episode.is_persons and _FOR_GOOD.fullmatch(episode.text)):
        return None
    if before is None or before.role is not Role.ASSISTANT or turn.people:
        return None
    last = "".join(one.said for one in sentences(before.text)[-1:])
    return last if last.endswith("?") and len(last) <= _SENTENCE_CHARS_MAX else None


def _decided(plan: Plan) -> str:
    """Return the first sentence that lays something down; empty if a plan has only steps."""
    said = [one.text for one in sentences(plan.words[:_PLAN_CHARS]) if not one.is_item]
    fit = (
        one for one in (plan.title, *said) if len(one) <= _SENTENCE_CHARS_MAX and stands_alone(one)
    )
    # A fault is over when the plan is carried out.
    lasts = (one for one in fit if not FORMS["something is wrong"].search(one))
    return next((one for one in lasts if _lays_down(one)), "")


def _lays_down(text: str) -> bool:
    """Say whether a sentence of a plan still holds when the plan is carried out."""
    return tells_a_decision(text) or kind_of(text, is_after_stop=False) in _LASTING


def _answers(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield each question with its answer, and the words that contain both."""
    for found in _ANSWERED.finditer(text):
        yield found[1], found[2], found[0]
    for question, answer in _told(text).items():
        if isinstance(answer, str) and answer and json.dumps(question) in text:
            yield question, answer, json.dumps(question)


def _told(text: str) -> Mapping[str, object]:
    """Return the answers of an outcome in a hook's JSON; empty if it is another."""
    try:
        outcome = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    answers = outcome.get("answers") if isinstance(outcome, dict) else None
    return answers if isinstance(answers, dict) else {}
