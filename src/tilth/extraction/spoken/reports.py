"""
Reports: what an agent says at the end of its work, item by item under headings.

A heading says what its items are. What was done is a milestone, what was left is a gap, what was
found is a fact; what is suggested, asked or planned there is nothing yet.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from tilth.domain.episode import EpisodeKind
from tilth.domain.statement import Statement
from tilth.errors import InvalidInputError, LimitExceededError
from tilth.extraction.candidate import Candidate, Harvest, Turn
from tilth.extraction.prose import prose
from tilth.extraction.spoken.context import is_at_work
from tilth.extraction.spoken.reading import is_agents
from tilth.extraction.spoken.voice import told
from tilth.extraction.spoken.wholeness import is_whole

_HEADING = re.compile(
    r"[ \t]*(?:#{1,6}[ \t]+(?P<marked>[^\n]{2,80})|\*\*(?P<bold>[^*\n]{2,60})\*\*:?[ \t]*$)"
)
_ITEM = re.compile(r"[ \t]*(?:[-*+•◦]|\d{1,2}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?")
_IT = r"(?:i|we|it|was|has been|have been|were)"
_DONE = (
    rf"done|what {_IT} (?:did|done|changed|built|fixed)|completed|finished|fixed|verified|tested|"
    r"results?|how (?:it was|i) (?:checked|tested|verified)"
)
_LEFT = (
    r"not (?:yet )?(?:done|tested|covered|touched|checked)|what(?:'s| is| was) (?:left|missing)|"
    r"left (?:alone|open|out|undone)|remaining|still (?:open|missing)|open(?: points| issues)?|"
    r"caveats?|known (?:issues|limits|limitations|gaps|problems)|limitations|gaps"
)
_FOUND = (
    r"what (?:i|we) (?:found|learned|learnt|saw)|what (?:was|is|went) wrong|findings?|"
    r"(?:root )?causes?|lessons?(?: .{1,40})?|worth knowing|notes?|about .{1,40}|observations?"
)
_KINDS = tuple(
    (kind, re.compile(rf"\W*(?:{words})\W*", re.IGNORECASE))
    for kind, words in (
        (Harvest.MILESTONE, _DONE),
        (Harvest.GAP, _LEFT),
        (Harvest.FACT, _FOUND),
    )
)
# A list of files, or of what is to be done to the code, says itself what it is.
_OF_CODE = re.compile(
    r"`[^`]+`(?:\(\))? ?(?:[-\u2013\u2014:]|$)|"
    r"(?:add|use|import|change|create|update|remove|rename|move|replace|log|call|run|push|fix)s?\b",
    re.IGNORECASE,
)
_ITEM_CHARS_MAX, _WORDS_MIN = 300, 3
# An item that has no more to it than a name, or tells of the report itself.
_SPECIFIC = re.compile(r"\d|`|[a-z)] [A-Z]|[A-Z]{2,}")
_WORTH = 0.75


@dataclass(frozen=True, slots=True)
class _Item:
    """What stands under a heading, word for word, and where it begins."""

    text: str
    start: int
    kind: Harvest


def reports(turn: Turn) -> Iterator[Candidate]:
    """Yield what an agent's report says under its headings."""
    episode = turn.episode
    if episode.kind is not EpisodeKind.MESSAGE or not is_agents(turn) or is_at_work(turn):
        return
    for item in _items(episode.text, prose(episode.text)):
        text = told(item.text, episode)
        if not is_whole(text):
            continue
        try:
            said = Statement(text=text)
        except (InvalidInputError, LimitExceededError):
            continue
        yield Candidate(said=said, quote=item.text, kind=item.kind, confidence=_WORTH)


def _items(text: str, kept: str) -> Iterator[_Item]:
    kind: Harvest | None = None
    for line in re.finditer(r"[^\n]+", kept):
        if heading := _HEADING.match(line[0]):
            kind = _kind_of(heading["marked"] or heading["bold"])
            continue
        if kind is None or not line[0].strip():
            continue
        mark = _ITEM.match(line[0])
        start = line.start() + (mark.end() if mark else 0)
        body = text[start : line.end()].rstrip()
        if _is_telling(body):
            yield _Item(body.lstrip(), start + len(body) - len(body.lstrip()), kind)


def _kind_of(heading: str) -> Harvest | None:
    """Return what the items under *heading* are; None where it does not say so."""
    return next((kind for kind, words in _KINDS if words.fullmatch(heading)), None)


def _is_telling(body: str) -> bool:
    is_short = len(body.split()) < _WORDS_MIN or len(body) > _ITEM_CHARS_MAX
    is_named = _SPECIFIC.search(body) is not None and _OF_CODE.match(body) is None
    return is_named and not is_short and not body.endswith((":", "?"))
