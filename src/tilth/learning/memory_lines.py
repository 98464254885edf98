"""
Read explicit requests to remember something, word for word.

A person types `/remember "Marina is CTO at Acme"`. An agent that is told to report its additions
writes a line such as `MEMORY: wrote=(Marina | role_at | CTO at Acme) (decision | api | keeps |
Postgres)`. Each triple may begin with its channel, and a sentence in quotation marks is possible
too. A line that only says that nothing was written does not count.

Nor do quotations: a command must be typed by a person, not reported by an agent; a line must be the
agent's own, not one that it quotes, and not a subagent's, which tells what others wrote to an agent
alone. What an import contains remains the word of an import.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from tilth.core.actor import CameBy
from tilth.core.deadlines import deadline
from tilth.core.errors import TilthError
from tilth.core.text.prose import FENCED
from tilth.episodes.episode import AGENT_PROMPTED, EpisodeKind, Role
from tilth.knowledge.facts.fact import parse_channel
from tilth.knowledge.facts.statement import Statement, Triple
from tilth.knowledge.vocabulary.registries import Channel
from tilth.learning.candidate import Candidate, Malformed, StatementKind, Turn
from tilth.learning.text.polarity import Polarity, polarity_of
from tilth.learning.text.triples import read_sentence
from tilth.privacy.private_tags import is_all_private, strip_private
from tilth.privacy.remainder import hides_private, without_private

# The confidence of an explicit request.
_CERTAIN = 1.0
_KINDS = {
    Channel.INTENT: StatementKind.GOAL,
    Channel.DECISION: StatementKind.DECISION,
    Channel.MILESTONE: StatementKind.MILESTONE,
    Channel.RELATIONSHIP: StatementKind.RELATIONSHIP,
}
_COMMAND = re.compile(r"\s*/(?:tilth:)?remember\b[ \t]*(?P<rest>.*)", re.DOTALL | re.IGNORECASE)
_QUOTED = re.compile(r"\"(?P<plain>[^\"]*)\"|“(?P<curly>[^”]*)”")
_OPENS_QUOTE = ('"', "“")
_LINE = re.compile(r"^[ \t]*(?:[-*] )?\**MEMORY:\**[ \t]*wrote\b(?P<rest>.*)$", re.MULTILINE)
_ANY_LINE = re.compile(
    r"^(?:[ \t]*(?:[-*>] )?\**MEMORY:|[^\n]*\bMEMORY:[ \t]*wrote\b)[^\n]*", re.MULTILINE
)
_NOTHING = frozenset({"", "none", "nothing", "-", "[]", "()"})
_ITEM = re.compile(rf"[ \t,;]*(?:\((?P<parts>[^()]*)\)|{_QUOTED.pattern})[ \t,;]*")
_TRIPLE = 3
# What is to be done, and not what merely falls on a day.
_TO_DO = re.compile(
    r"(?:\b(?:will|must|ha(?:s|ve) to|needs? to|owes?|due|by|promised?)\b|['\u2019]ll\b)",
    re.IGNORECASE,
)


def read_command(text: str) -> Candidate | Malformed | None:
    """Return what a `/remember` states; None if *text* is none."""
    found = _COMMAND.match(text)
    if found is None:
        return None
    rest = found["rest"].strip()
    if rest.startswith(_OPENS_QUOTE):
        quoted = _QUOTED.match(rest)
        if quoted is None:
            return Malformed("the quotation marks are not closed")
        rest = _inner(quoted).strip()
    return _sentence(rest, rest)


def read_lines(text: str) -> Iterator[Candidate | Malformed]:
    """Yield what the `MEMORY:` lines of *text* state; those in blocks of code are examples."""
    for line in _LINE.finditer(FENCED.sub("", text)):
        yield from _written(line[0].strip(), line["rest"].strip())


def without_commands(text: str) -> str:
    """Return *text*, at the same length, with `/remember` and `MEMORY:` lines blanked."""
    if _COMMAND.match(text):
        return " " * len(text)
    return _ANY_LINE.sub(lambda line: " " * len(line[0]), text) if "MEMORY:" in text else text


def commands(turn: Turn) -> Iterator[Candidate | Malformed]:
    """Yield what a person asks to have remembered."""
    episode = turn.episode
    is_own = episode.came_by is CameBy.IMPORTED or _COMMAND.match(episode.typed)
    if episode.role is Role.USER and is_own:
        candidate = read_command(episode.text)
        if candidate is not None:
            yield _due(candidate, turn)


def _due(candidate: Candidate | Malformed, turn: Turn) -> Candidate | Malformed:
    """Return what is to be remembered with its deadline, if it tells what is to be done."""
    if isinstance(candidate, Malformed) or not _TO_DO.search(candidate.said.text):
        return candidate
    return replace(candidate, due=deadline(candidate.said.text, turn.episode.occurred_at))


def lines(turn: Turn) -> Iterator[Candidate | Malformed]:
    """Yield what an agent says that it adds."""
    episode = turn.episode
    is_own = AGENT_PROMPTED not in episode.metadata
    if episode.role is Role.ASSISTANT and episode.kind is EpisodeKind.MESSAGE and is_own:
        yield from read_lines(episode.text)


def _written(line: str, rest: str) -> Iterator[Candidate | Malformed]:
    """Yield everything that a line states, or else why it cannot be read; never a part of it."""
    body = rest.removeprefix("=").strip().strip("*").strip()
    if not rest.startswith("="):
        yield Malformed("no '=' after 'wrote'")
    elif body.casefold() not in _NOTHING:
        read = list(_items(line, body))
        broken = [one for one in read if isinstance(one, Malformed)]
        yield from broken[:1] or read


def _items(line: str, body: str) -> Iterator[Candidate | Malformed]:
    at = 0
    while at < len(body):
        found = _ITEM.match(body, at)
        if found is None:
            yield Malformed("neither triples in parentheses nor sentences in quotation marks")
            return
        at = found.end()
        parts = found["parts"]
        yield _triple(line, parts) if parts is not None else _told(line, _inner(found))


def _triple(line: str, text: str) -> Candidate | Malformed:
    parts = [part.strip() for part in text.split("|")]
    word = parts.pop(0) if len(parts) == _TRIPLE + 1 else Channel.ENTITY
    if len(parts) != _TRIPLE:
        return Malformed("a triple has three parts, or four with its channel")
    try:
        triple = Triple(*parts)
        said = Statement(text=triple.words, triple=triple, channel=parse_channel(word))
    except TilthError as error:
        return Malformed(error.code)
    return _certain(said, line)


def _told(line: str, sentence: str) -> Candidate | Malformed:
    """Return what an agent's sentence states; an agent may write only triples as facts."""
    candidate = _sentence(sentence, line)
    if isinstance(candidate, Candidate) and candidate.said.triple is None:
        return Malformed("no triple can be read from the sentence")
    return candidate


def _sentence(text: str, quote: str) -> Candidate | Malformed:
    if polarity_of(text) is Polarity.META:
        return Malformed("it speaks to the memory, and states nothing")
    # A hook reads the typed text, distillation the recorded one without private spans.
    kept = strip_private(text).text
    if is_all_private(kept):
        return Malformed("it is private as a whole")
    if hides_private(kept):
        return Malformed("a part of what it says is private")
    text = without_private(kept)
    try:
        triple, channel, about = read_sentence(text) or (None, None, ())
        said = Statement(text=text, triple=triple, channel=channel)
    except TilthError as error:
        return Malformed(error.code)
    return _certain(said, quote, about)


def _certain(said: Statement, quote: str, about: tuple[str, ...] = ()) -> Candidate:
    kind = _KINDS.get(said.channel or Channel.ENTITY, StatementKind.FACT)
    return Candidate(said, quote, kind, _CERTAIN, about)


def _inner(quoted: re.Match[str]) -> str:
    return quoted["plain"] if quoted["plain"] is not None else quoted["curly"] or ""
