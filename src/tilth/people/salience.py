"""How much what was said weighs for whoever goes on with a conversation: by what it states."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from tilth.episodes.episode import Episode, Role
from tilth.learning.candidate import Candidate, StatementKind, Turn
from tilth.learning.extractors import EXTRACTORS
from tilth.people.summary import Line, Sentence, sentences_in, weight_of

# What the next reply goes by, before what a search finds as well; chosen by `bench.continuity`.
_BINDING, _TELLING, _SEEN = 20.0, 12.0, 4.0
_WEIGHTS: Mapping[StatementKind, float] = {
    StatementKind.CORRECTION: _BINDING,
    StatementKind.DECISION: _BINDING,
    StatementKind.COMMITMENT: _BINDING,
    StatementKind.DEFERRAL: _BINDING,
    StatementKind.GOAL: _BINDING,
    StatementKind.GAP: _BINDING,
    StatementKind.PREFERENCE: _BINDING,
    StatementKind.RELATIONSHIP: _BINDING,
    StatementKind.FACT: _TELLING,
    StatementKind.MILESTONE: _SEEN,
    StatementKind.OPINION: _SEEN,
}
_ASKED = "? "
_OTHER = {Role.USER: Role.ASSISTANT, Role.ASSISTANT: Role.USER}


def weighed(said: Sequence[Episode]) -> Iterator[Sentence]:
    """Yield the sentences of messages, each with its weight; a short answer with its question."""
    before: dict[Role, Episode] = {}
    for episode in said:
        speaker = episode.speaker or episode.role.value
        turn = Turn(episode, before.get(_OTHER.get(episode.role, episode.role)))
        found = _stated(turn)
        for text in sentences_in(episode.text):
            yield _weighed(Line(speaker, text), found)
        before[episode.role] = episode


def weighed_again(lines: Iterable[Line], like: Episode) -> Iterator[Sentence]:
    """Yield sentences that a summary kept, weighed as if they were said anew."""
    roles = {role.value: role for role in Role}
    for line in lines:
        role = roles.get(line.speaker, Role.USER)
        question, asked, answer = line.text.rpartition(_ASKED)
        said = replace(like, role=role, text=answer)
        before = replace(like, role=_OTHER.get(role, role), text=f"{question}?") if asked else None
        yield _weighed(line, _stated(Turn(said, before)))


def _stated(turn: Turn) -> list[Candidate]:
    found = (one for extract in EXTRACTORS for one in extract(turn))
    return [one for one in found if isinstance(one, Candidate)]


def _weighed(line: Line, found: Sequence[Candidate]) -> Sentence:
    here = [one for one in found if _holds(line.text, " ".join(one.quote.split()))]
    whole = [one.said.text for one in here if line.text.rstrip(".") in one.said.text]
    text = max([line.text, *whole], key=len)
    stated = max((_WEIGHTS[one.kind] for one in here), default=0.0)
    return Sentence(Line(line.speaker, text), stated + weight_of(text))


def _holds(sentence: str, quote: str) -> bool:
    is_most = len(sentence) > len(quote) / 2
    return quote in sentence or (is_most and sentence in quote)
