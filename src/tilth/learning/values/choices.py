"""
What a person chose where the agent put a choice, and the plans that they approved.

Hosts record both as the outcome of a tool of their own, so the words are looked for in the outcome
of that tool alone: what a command prints, or a program hands over, chooses nothing.
"""

import json
import re
from collections.abc import Iterator, Mapping

from tilth.core.actor import CameBy
from tilth.core.text.prose import sentences
from tilth.core.text.tokens import index_terms
from tilth.episodes.episode import EpisodeKind
from tilth.exchanges.speech import names_something, stands_alone
from tilth.exchanges.worth import FORMS
from tilth.knowledge.facts.statement import Statement
from tilth.learning.candidate import Candidate, StatementKind, Turn

_CHOICE_TOOLS = ("AskUserQuestion:", "request_user_input:", "ask_user:")
_PLAN_TOOLS = ("ExitPlanMode:", "exit_plan_mode:")
_ANSWERED = re.compile(r'"((?:[^"\\]|\\.){3,300})"="((?:[^"\\]|\\.){1,300})"')
_APPROVED = re.compile(r"\s*(?:\W{0,4})User has approved (?:your|the) plan\b", re.IGNORECASE)
_TITLE = re.compile(r"^#[ \t]+(?:Plan:[ \t]*)?(\S[^\n]{9,160})$", re.MULTILINE)
_HEADING = re.compile(r"\W*[\w ]{1,40}\W*$")
_OF_CHOICE, _OF_PLAN = 0.95, 0.6
_PLAN_CHARS, _SENTENCE_CHARS_MAX, _TITLE_TERMS_MIN = 3_000, 200, 4


def choices(turn: Turn) -> Iterator[Candidate]:
    """Yield what a person chose, question and answer, and the plan that they approved."""
    episode = turn.episode
    if episode.kind is not EpisodeKind.TOOL_RESULT or episode.came_by is CameBy.PASSED:
        return
    if turn.call.startswith(_CHOICE_TOOLS):
        for question, answer, quote in _answers(episode.text):
            text = " ".join(f"{question} {answer}".split())
            yield Candidate(Statement(text=text), quote, StatementKind.DECISION, _OF_CHOICE)
    is_approved = turn.call.startswith(_PLAN_TOOLS) and _APPROVED.match(episode.text)
    if is_approved and (title := _TITLE.search(episode.text)):
        said = _plan(title[1].strip(), _below(episode.text[title.end() :]))
        if said:
            yield Candidate(
                Statement(text=said), title[1].strip(), StatementKind.DECISION, _OF_PLAN
            )


def _plan(title: str, first: str) -> str:
    """Return what was approved; nothing where neither the title nor the plan says what to do."""
    told = f"Approved plan: {title}"
    if first:
        return f"{told}. {first}"
    is_telling = names_something(title) or len(index_terms(title)) >= _TITLE_TERMS_MIN
    return told if is_telling else ""


def _below(text: str) -> str:
    """Return the first sentence of a plan that stands by itself; empty if there is none."""
    said = (" ".join(one.text.split()) for one in sentences(text[:_PLAN_CHARS]) if not one.is_item)
    fit = (one for one in said if len(one) <= _SENTENCE_CHARS_MAX and stands_alone(one))
    # What is wrong is over once the plan is carried out.
    lasts = (one for one in fit if not FORMS["something is wrong"].search(one))
    return next((one for one in lasts if not _HEADING.match(one)), "")


def _answers(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield each question with its answer, and the words in which both stand."""
    for found in _ANSWERED.finditer(text):
        yield found[1], found[2], found[0]
    for question, answer in _told(text).items():
        if isinstance(answer, str) and answer and json.dumps(question) in text:
            yield question, answer, json.dumps(question)


def _told(text: str) -> Mapping[str, object]:
    """Return the answers of an outcome that a hook tells as JSON; none if it is not such a one."""
    try:
        outcome = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    answers = outcome.get("answers") if isinstance(outcome, dict) else None
    return answers if isinstance(answers, dict) else {}
