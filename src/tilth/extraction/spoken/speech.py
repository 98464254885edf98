"""
What is said in so many words, clause by clause: the extractor of this package.

Of the kinds of statement that a clause may be, the first that knows its form has it. What
it says goes on to the next clause that says something else, so that a reason stays with
what it is the reason of. Its words are quoted as they stand.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime

from tilth.domain.episode import EpisodeKind, Role
from tilth.domain.statement import Statement
from tilth.errors import InvalidInputError, LimitExceededError
from tilth.extraction.candidate import Candidate, Harvest, Turn
from tilth.extraction.sentences import read_sentence
from tilth.extraction.spoken.achievements import achievement
from tilth.extraction.spoken.announcements import announced
from tilth.extraction.spoken.answers import answer
from tilth.extraction.spoken.assertions import assertion, companion
from tilth.extraction.spoken.clauses import Clause, clauses
from tilth.extraction.spoken.commitments import commitment
from tilth.extraction.spoken.context import (
    is_at_work,
    is_pasted,
    last_asked,
    leans,
    points,
    told_with_context,
    with_question,
    without_lead,
)
from tilth.extraction.spoken.corrections import correction
from tilth.extraction.spoken.deadlines import deadline
from tilth.extraction.spoken.decisions import decision
from tilth.extraction.spoken.deferrals import deferral
from tilth.extraction.spoken.kinds import kind_of
from tilth.extraction.spoken.opinions import opinion
from tilth.extraction.spoken.preferences import preference
from tilth.extraction.spoken.reading import Reader, Reading, is_agents
from tilth.extraction.spoken.voice import told
from tilth.extraction.spoken.wants import gap, goal
from tilth.extraction.spoken.wholeness import is_whole

_SPOKEN = frozenset({EpisodeKind.MESSAGE, EpisodeKind.NOTE})
_SPEAKERS = frozenset({Role.USER, Role.ASSISTANT})
# The most telling first.
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
    assertion,
)


# What counts of a paste.
_EXPLICIT: tuple[Reader, ...] = (decision, commitment, preference)
# What an agent says between its tools is its running commentary, unless it says otherwise.
_OF_WORK: tuple[Reader, ...] = (decision, deferral, commitment, announced)
# How sure it must be then: a form that has no other use.
_EXPLICIT_WORTH = 0.8
# At length people explain, and set tasks; there these kinds are what they are by such a form.
_LONG_CHARS = 450
# So few words say hardly anything without what was asked.
_ANSWER_WORDS_MAX = 4
_TO_BE_DONE = frozenset((Harvest.COMMITMENT, Harvest.DEFERRAL, Harvest.GOAL))
_FORMAL = frozenset(
    (Harvest.DECISION, Harvest.COMMITMENT, Harvest.DEFERRAL, Harvest.PREFERENCE, Harvest.GAP)
)


def speech(turn: Turn) -> Iterator[Candidate]:
    """Yield what the words of a turn state."""
    episode = turn.episode
    if episode.kind not in _SPOKEN or episode.role not in _SPEAKERS:
        return
    read = _with_companions(
        [(clause, _read(clause, turn)) for clause in clauses(episode.text)], turn
    )
    for number, (clause, reading) in enumerate(read):
        if reading is not None:
            begin = _begin(clause, read[:number])
            end = _end(clause, read[number + 1 :])
            yield from _candidate(turn, reading, clause, (begin, end))


def _with_companions(
    read: Sequence[tuple[Clause, Reading | None]], turn: Turn
) -> list[tuple[Clause, Reading | None]]:
    """Read also what stands beside a clause that states something, in the same sentence."""
    if is_at_work(turn) or is_pasted(turn):
        return [*read]
    read = _wholes(read)
    telling = {clause.sentence.start for clause, reading in read if reading is not None}
    return [
        (clause, companion(clause, turn))
        if reading is None and clause.sentence.start in telling and not _is_labelled(clause)
        else (clause, reading)
        for clause, reading in read
    ]


# A sentence of which somebody says first what it is, is one statement.
_LABELLED = re.compile(
    r"(?:(?:final |our |team )?decisions?|(?:we )?decided|agreed|resolved|approved)\s*:",
    re.IGNORECASE,
)


def _is_labelled(clause: Clause) -> bool:
    return _LABELLED.match(clause.sentence.plain) is not None


def _wholes(
    read: Sequence[tuple[Clause, Reading | None]],
) -> list[tuple[Clause, Reading | None]]:
    """Leave one reading to a sentence that is one statement as a whole."""
    seen: set[int] = set()
    wholes = []
    for clause, reading in read:
        is_rest = _is_labelled(clause) and clause.sentence.start in seen
        wholes.append((clause, None if is_rest else reading))
        if reading is not None:
            seen.add(clause.sentence.start)
    return wholes


# What is only thought through says nothing of what is so.
_SUPPOSED = re.compile(
    r"\W*(?:(?:ok|so|well|but|and|now|then)[ ,]+)*(?:if|what if|suppose|supposing|imagine|"
    r"assume|assuming|let's (?:say|assume|"
    r"suppose|pretend)|say,|pretend|hypothetically|unless|in case)\b",
    re.IGNORECASE,
)


# What somebody is about to look at.
_NEXT = re.compile(r"let me\b(?! know)|i(?:'ll| will) tell you (?:what|how)\b", re.IGNORECASE)


_GUESSED = re.compile(r"\b(?:might|maybe|perhaps|presumably|confusing)\b", re.IGNORECASE)


def _told_from(clause: Clause) -> int:
    """Return where in its sentence begins what is told after a colon, or the sentence itself."""
    colon = clause.ahead.rfind(": ")
    return colon + 1 if colon >= 0 else 0


def _read(clause: Clause, turn: Turn) -> Reading | None:
    if _SUPPOSED.match(clause.sentence.plain[_told_from(clause) :]) or _NEXT.match(clause.plain):
        return None
    # What the items of an agent's report are is said by its headings.
    if is_agents(turn) and clause.sentence.is_item:
        return None
    readers, least = READERS, 0.0
    if is_at_work(turn):
        readers, least = _OF_WORK, _EXPLICIT_WORTH
    elif is_pasted(turn):
        readers, least = _EXPLICIT, _EXPLICIT_WORTH
    read = (reading for reader in readers if (reading := reader(clause, turn)))
    found = next(read, None)
    if found is not None and len(turn.episode.text) > _LONG_CHARS and found.kind in _FORMAL:
        least = max(least, _EXPLICIT_WORTH)
    return found if found is not None and found.confidence >= least else None


def _begin(clause: Clause, before: Sequence[tuple[Clause, Reading | None]]) -> int:
    """Return where a statement begins: after what the sentence says before that is another."""
    begin = clause.start
    for leader, reading in reversed(before):
        is_other = reading is not None or leader.sentence is not clause.sentence
        if is_other or leader.is_asked or _GUESSED.search(leader.plain):
            break
        begin = leader.start
    return begin


def _end(clause: Clause, after: Sequence[tuple[Clause, Reading | None]]) -> int:
    """Return where a statement ends: where its sentence does, or where it says something else."""
    end = clause.end
    for follower, reading in after:
        is_other = reading is not None or follower.sentence is not clause.sentence
        if is_other or follower.is_asked:
            break
        end = follower.end
    return end


def _candidate(
    turn: Turn, reading: Reading, clause: Clause, span: tuple[int, int]
) -> Iterator[Candidate]:
    quote = turn.episode.text[slice(*span)]
    text = told(_text(turn, reading, clause, span), turn.episode)
    if not is_whole(text):
        return
    triple, channel = reading.triple, reading.channel
    try:
        if triple is None and (read := read_sentence(text)) is not None:
            triple, channel = read.triple, read.channel
        said = Statement(text=text, triple=triple, channel=channel)
    except (InvalidInputError, LimitExceededError):
        return
    yield Candidate(
        said=said,
        quote=quote,
        kind=kind_of(clause, turn) if reading.kind is Harvest.FACT else reading.kind,
        confidence=reading.confidence,
        due=reading.due or _due(reading, quote, turn),
        old_value=reading.old_value,
        new_value=reading.new_value,
    )


def _due(reading: Reading, quote: str, turn: Turn) -> datetime | None:
    """Return when something is due that was said over more than one clause."""
    return deadline(quote, turn.episode.occurred_at) if reading.kind in _TO_BE_DONE else None


def _text(turn: Turn, reading: Reading, clause: Clause, span: tuple[int, int]) -> str:
    """Return the words of a statement: its own, and those before it where its own only point."""
    begin, end = span
    rest = turn.episode.text[clause.end : end]
    if not reading.text and (
        begin < clause.start or not (points(clause.plain) or leans(clause.plain))
    ):
        said = without_lead(turn.episode.text[begin:end])
        asked = last_asked(turn) if clause.order == 0 else None
        is_answer = asked is not None and len(said.split()) <= _ANSWER_WORDS_MAX
        return with_question(asked.text, said, turn) if asked and is_answer else said
    whole = reading.text or told_with_context(clause, turn)
    return f"{whole.rstrip('.')}{rest}" if rest else whole
