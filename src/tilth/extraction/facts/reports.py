"""
What an agent reports under headings: what was done, what it found, and what is left.

A heading says of what kind the items below it are. What stands under a plan, a question or a
proposal is none of these. What has no verb, or was not done, is told with its heading.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby, islice

from tilth.domain.episode import EpisodeKind, Role
from tilth.domain.statement import Statement
from tilth.extraction.candidate import Candidate, Harvest, Malformed, Turn
from tilth.extraction.prose import plain, prose
from tilth.extraction.spoken.predicates import claim_in
from tilth.extraction.spoken.voice import told
from tilth.extraction.spoken.wholeness import is_whole

_LIKELY = 0.75
_REPORT_CHARS_MAX = 6000
_ITEM_CHARS_MAX, _ITEM_WORDS_MIN = 260, 3
# Of prose below a heading the first sentences are what it says.
_SENTENCES_MAX = 2
_HEADING = re.compile(
    r"[ \t]*(?:#{1,6}[ \t]+(?P<hash>[^\n#]{2,60}?)|\*\*(?P<bold>[^*\n]{2,50}?):?\*\*:?|"
    r"(?P<lead>[A-Z][^\n.!?:]{1,60}(?:\. Summary)?):)[ \t#]*"
)
_ITEM = re.compile(r"[ \t]*(?:[-*+\u2022]|\d{1,2}[.)])[ \t]+(?:\[x\][ \t]+)?(?P<item>\S[^\n]*)")
_SENTENCE = re.compile(r"\S[^\n]*?[.!?](?=\s|$)|\S[^\n]*")
_SAID_BEFORE = r"(?:what (?:i|we|was|is|has been|had)|all|now|the|my|here is what i) ?"
_OF_LEFT = re.compile(
    r"(?:what(?: is|'s) )?(?:still )?(?:not (?:done|changed|covered|fixed|tested)|left(?: alone)?|"
    r"remaining|open|known \w+|caveats?|limitations?|gaps?|missing|unresolved|to be done)\b",
    re.IGNORECASE,
)
_OF_DONE = re.compile(
    rf"(?:{_SAID_BEFORE})?(?:done|did|changed?|changes|fixed|fixes|finished|added|implemented|"
    r"delivered|shipped|completed|summary|outcome|done\. summary|report)\b(?! next)",
    re.IGNORECASE,
)
_OF_FOUND = re.compile(
    rf"(?:{_SAID_BEFORE})?(?:found|findings?|wrong|happened|root cause|cause|results?|learned|"
    r"lessons?|measure\w*|numbers|timings|(?:how it was )?(?:checked|verified|tested)|"
    r"about \w+)\b",
    re.IGNORECASE,
)
_KINDS = (
    (_OF_LEFT, Harvest.GAP),
    (_OF_DONE, Harvest.MILESTONE),
    (_OF_FOUND, Harvest.FACT),
)
_PROPOSED = re.compile(
    r"\?\s*$|\b(?:should|could|would|might|consider|recommend\w*|suggest\w*|i'll|i will|if you|"
    r"you can|let me|lines? \d|comprehensive\w*)\b|^\d{1,2}[.)]\s",
    re.IGNORECASE,
)
# "Logs the start", "Creates a context": what a piece of code does, not what was done.
_OF_CODE = re.compile(
    r"(?!this\b|was\b)[a-z]+s (?:the|an?|all|each|every|any|context|x{2,})\b|"
    r"x{3,} - ",
    re.IGNORECASE,
)
# More items than this are a log of changes, of which the commit tells.
_ITEMS_MAX = 6
_MARKED = re.compile(r"\d|`|[a-z)] [A-Z]")


@dataclass(frozen=True, slots=True)
class _Item:
    """Words of a report, where they begin, and the heading that they stand under."""

    text: str
    start: int
    heading: str
    kind: Harvest
    section: int


def reports(turn: Turn) -> Iterator[Candidate | Malformed]:
    """Yield what an agent reports under headings before it hands over."""
    episode = turn.episode
    is_message = episode.role is Role.ASSISTANT and episode.kind is EpisodeKind.MESSAGE
    if not (is_message and turn.is_last) or len(episode.text) > _REPORT_CHARS_MAX:
        return
    for _, section in groupby(_items(episode.text), key=lambda item: item.section):
        items = list(section)
        if len(items) <= _ITEMS_MAX:
            yield from (_candidate(item, turn) for item in items if _is_telling(item))


def _is_telling(item: _Item) -> bool:
    """Say whether an item tells what is so, and not what could be, or what a piece of code does."""
    seen = plain(item.text)
    is_told = _PROPOSED.search(seen) is None and _OF_CODE.match(seen) is None
    if not is_told or len(seen.split()) < _ITEM_WORDS_MIN or not is_whole(item.text):
        return False
    # What is left undone is seldom a sentence; of the rest a bare phrase says nothing.
    is_left = item.kind is Harvest.GAP
    return is_left or _MARKED.search(item.text) is not None or claim_in(seen) is not None


def _candidate(item: _Item, turn: Turn) -> Candidate:
    is_led = item.kind is Harvest.GAP or claim_in(plain(item.text)) is None
    words = told(item.text, turn.episode)
    return Candidate(
        said=Statement(text=f"{item.heading}: {words}" if is_led else words),
        quote=item.text,
        kind=item.kind,
        confidence=_LIKELY,
    )


def _items(text: str) -> Iterator[_Item]:
    """Yield the items below the headings that say of what kind they are, in their order."""
    heading, kind, section, at = "", None, 0, 0
    for line in prose(text).split("\n"):
        begin, at = at, at + len(line) + 1
        if found := _HEADING.fullmatch(line):
            heading = next(filter(None, found.groups())).strip().rstrip(":")
            kind, section = _kind_of(heading), begin
        elif kind is not None and (found := _ITEM.fullmatch(line)):
            yield _Item(
                _bounded(found["item"]), begin + found.start("item"), heading, kind, section
            )
        elif kind is not None:
            said = islice(_SENTENCE.finditer(line), _SENTENCES_MAX)
            for one in said:
                yield _Item(one[0].strip(), begin + one.start(), heading, kind, section)


def _kind_of(heading: str) -> Harvest | None:
    words = heading.strip("*_ ")
    return next((kind for form, kind in _KINDS if form.match(words)), None)


def _bounded(item: str) -> str:
    """Return an item, or where that is long its first sentence."""
    item = item.strip()
    if len(item) <= _ITEM_CHARS_MAX:
        return item
    found = _SENTENCE.match(item)
    return found[0] if found else item
