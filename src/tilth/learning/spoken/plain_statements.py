"""
The extractor of plain statements, clause by clause.

A clause is of the first kind whose form it has. Whether it is kept, and how far a statement
extends, is weighed (`worth`), unless its form is sure. Words are quoted as they stand.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import datetime

from tilth.core.deadlines import deadline
from tilth.core.errors import InvalidInputError, LimitExceededError
from tilth.knowledge.facts.statement import Statement
from tilth.learning.candidate import Candidate, StatementKind, Turn
from tilth.learning.spoken.answers import answer
from tilth.learning.spoken.clause_forms import Reader, Reading, is_agents
from tilth.learning.spoken.corrections import correction
from tilth.learning.spoken.decisions import decision
from tilth.learning.spoken.features import Run
from tilth.learning.spoken.kinds import kind_of
from tilth.learning.spoken.news import achievement, announced
from tilth.learning.spoken.plans import commitment, deferral, gap, goal
from tilth.learning.spoken.preferences import opinion, preference
from tilth.learning.spoken.salience import (
    LEAST,
    LEAST_OF_AGENT,
    LEAST_OF_LONE,
    SHORT_CHARS,
    Weighed,
    best_of,
    is_lone,
    is_message,
    is_passing,
    runs_of,
    worth_of,
)
from tilth.learning.text.clause_context import (
    is_pasted,
    last_asked,
    leans,
    points,
    told_with_context,
    with_question,
    without_lead,
)
from tilth.learning.text.clauses import Clause, clauses
from tilth.learning.text.third_person import in_third_person
from tilth.learning.text.triples import read_sentence
from tilth.learning.text.wholeness import is_whole

# The most informative first.
READERS: tuple[Reader, ...] = (
    correction,
    decision,
    deferral,
    commitment,
    preference,
    goal,
    gap,
    announced,
    opinion,
    answer,
    achievement,
)
# A clause in none of these forms.
_PLAIN = Reading(kind=StatementKind.FACT, confidence=0.0)
# The kinds that are read from a paste.
_EXPLICIT: tuple[Reader, ...] = (decision, commitment, preference)
# The confidence from which a form needs no weighing.
_SURE, _SURE_OF_SHORT, _SURE_OF_PROMISE = 0.8, 0.7, 0.6
# The confidence of a whole short message's claim: just enough to be kept.
_OF_LONE = LEAST + 0.01
# In characters. In longer messages people explain and set tasks, so only these kinds count by form.
_LONG_CHARS = 450
# An answer with fewer words says hardly anything without the question.
_ANSWER_WORDS_MAX = 4
_TO_BE_DONE = frozenset((StatementKind.COMMITMENT, StatementKind.DEFERRAL, StatementKind.GOAL))
_FORMAL = frozenset(
    (
        StatementKind.DECISION,
        StatementKind.COMMITMENT,
        StatementKind.DEFERRAL,
        StatementKind.PREFERENCE,
        StatementKind.GAP,
    )
)
# A sentence that begins with its own kind is one statement.
_LABELLED = re.compile(
    r"(?:(?:final |our |team )?decisions?|(?:we )?decided|agreed|resolved|approved)\s*:",
    re.IGNORECASE,
)
# A supposition says nothing of what is so.
_SUPPOSED = re.compile(
    r"\W*(?:(?:ok|so|well|but|and|now|then)[ ,]+)*(?:if|what if|suppose|supposing|imagine|assume|"
    r"assuming|let's (?:say|assume|suppose|pretend)|say,|pretend|hypothetically|unless|in case)\b",
    re.IGNORECASE,
)
# What somebody is about to look at.
_NEXT = re.compile(r"let me\b(?! know)|i(?:'ll| will) tell you (?:what|how)\b", re.IGNORECASE)


def speech(turn: Turn) -> Iterator[Candidate]:
    """Yield what the words of a turn state."""
    if not turn.is_spoken:
        return
    said = list(clauses(turn.episode.text))
    read = {one.order: reading for one in said if (reading := _read(one, turn)) is not None}
    least = LEAST_OF_AGENT if is_agents(turn) else LEAST
    for runs in runs_of(said, turn):
        weighed = (_weighed(run, read) for run in runs if _may_state(run))
        for one in best_of([one for one in weighed if one is not None], least):
            yield from _candidate(one, read)


def _weighed(run: Run, read: Mapping[int, Reading]) -> Weighed | None:
    """Return the worth of a run; None if it says several things, or none where it must."""
    readings = (read[one.order] for one in run.clauses if one.order in read)
    sure = [one for one in readings if _is_sure(one, run)]
    if len(sure) > 1 or (is_pasted(run.turn) and not sure):
        return None
    worth = worth_of(run)
    if worth >= LEAST_OF_LONE and is_lone(run):
        worth = max(worth, _OF_LONE)
    # Of several runs around the same sure form, the most worthy.
    return Weighed(run, max((one.confidence + worth / 100 for one in sure), default=worth))


def _is_sure(reading: Reading, run: Run) -> bool:
    """Say whether a reading's form is so sure that it needs no weighing."""
    if reading.kind is StatementKind.COMMITMENT and is_message(run):
        return reading.confidence >= _SURE_OF_PROMISE
    is_short = len(run.turn.episode.text) <= SHORT_CHARS
    return reading.confidence >= (_SURE_OF_SHORT if is_short else _SURE)


def _may_state(run: Run) -> bool:
    """Say whether a run neither asks nor supposes, and is no part of a labelled sentence."""
    if len(run.clauses) < run.of and _LABELLED.match(run.sentence.plain) is not None:
        return False
    return not any(
        one.is_asked or _is_void(one, run.turn) or is_passing(one, run) for one in run.clauses
    )


def _is_void(clause: Clause, turn: Turn) -> bool:
    """Say whether a clause states nothing: a thought, a next step, or a list item."""
    # The headings of an agent's report say what its items are.
    if is_agents(turn) and clause.sentence.is_item:
        return True
    # What follows a colon stands by itself.
    whole = clause.sentence.plain[clause.ahead.rfind(": ") + 1 :]
    return bool(_SUPPOSED.match(whole) or _NEXT.match(clause.plain))


def _read(clause: Clause, turn: Turn) -> Reading | None:
    if _is_void(clause, turn):
        return None
    readers, least = READERS, 0.0
    if is_pasted(turn):
        readers, least = _EXPLICIT, _SURE
    read = (reading for reader in readers if (reading := reader(clause, turn)))
    found = next(read, None)
    if found is not None and len(turn.episode.text) > _LONG_CHARS and found.kind in _FORMAL:
        least = max(least, _SURE)
    return found if found is not None and found.confidence >= least else None


def _candidate(chosen: Weighed, read: Mapping[int, Reading]) -> Iterator[Candidate]:
    run, turn, span = chosen.run, chosen.run.turn, chosen.run.span
    known = [one for one in run.clauses if one.order in read]
    clause = max(known, key=lambda one: read[one.order].confidence, default=run.first)
    reading = read.get(clause.order, _PLAIN)
    quote = turn.episode.text[slice(*span)]
    text = in_third_person(_text(turn, reading, clause, span), turn.episode)
    if not is_whole(text):
        return
    triple, channel = reading.triple, reading.channel
    try:
        if triple is None and (read_ := read_sentence(text)) is not None:
            triple, channel = read_.triple, read_.channel
        said = Statement(text=text, triple=triple, channel=channel)
    except (InvalidInputError, LimitExceededError):
        return
    yield Candidate(
        said=said,
        quote=quote,
        kind=kind_of(clause, turn) if reading.kind is StatementKind.FACT else reading.kind,
        confidence=max(reading.confidence, chosen.confidence),
        due=reading.due or _due(reading, clause, quote, turn),
        old_value=reading.old_value,
        new_value=reading.new_value,
    )


def _due(reading: Reading, clause: Clause, quote: str, turn: Turn) -> datetime | None:
    """Return the due date of a statement over several clauses."""
    if reading.kind not in _TO_BE_DONE:
        return None
    # The date for something put off may be elsewhere in the sentence.
    words = clause.sentence.text if reading.kind is StatementKind.DEFERRAL else quote
    return deadline(words, turn.episode.occurred_at)


def _text(turn: Turn, reading: Reading, clause: Clause, span: tuple[int, int]) -> str:
    """Return the words of a statement, with those before it if its own only point."""
    begin, end = span
    rest = turn.episode.text[clause.end : end]
    is_pointing = begin >= clause.start and (points(clause.plain) or leans(clause.plain))
    if not (reading.text or is_pointing):
        said = without_lead(turn.episode.text[begin:end])
        asked = last_asked(turn) if clause.order == 0 else None
        is_answer = asked is not None and len(said.split()) <= _ANSWER_WORDS_MAX
        return with_question(asked.text, said, turn) if asked and is_answer else said
    whole = reading.text or told_with_context(clause, turn)
    return f"{whole.rstrip('.')}{rest}" if rest else whole
