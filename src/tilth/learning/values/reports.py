"""
What an agent reports under headings: what was done, what it found, and what is left.

A heading says of what kind the items below it are. What stands under a plan, a question or a
proposal is none of these. What has no verb, or was not done, is told with its heading.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import groupby, islice

from tilth.episodes.episode import EpisodeKind, Role
from tilth.knowledge.facts.statement import Statement
from tilth.learning.candidate import Candidate, Harvest, Malformed, Turn
from tilth.learning.clauses.predicates import claim_in
from tilth.learning.clauses.voice import told
from tilth.learning.clauses.wholeness import is_whole
from tilth.learning.prose import plain, prose

_LIKELY = 0.75
_REPORT_CHARS_MAX = 6000
_ITEM_CHARS_MAX, _ITEM_WORDS_MIN = 260, 3
# Of prose below a heading the first sentences are what it says.
_SENTENCES_MAX = 2
_HEADING = re.compile(
    r"[ \t]*(?:#{1,6}[ \t]+(?P<hash>[^\n#]{2,60}?)[ \t#]*$|(?P<stars>\*{1,2})"
    r"(?P<bold>[^*\n]{2,50}?):?(?P=stars):?(?:[ \t]*$|(?<=:)[ \t]+|(?<=:\*)[ \t]+|"
    r"(?<=:\*\*)[ \t]+)|(?P<lead>[A-Z][^\n.!?:*]{1,60}(?:\. Summary)?):(?:[ \t]*$|[ \t]+))"
)
_ITEM = re.compile(
    r"[ \t]*(?:[-*+\u2022]|\d{1,2}[.)]|(?P<tick>[\u2705\u2714\u2611]\ufe0f?))[ \t]+(?:\[x\][ \t]+)?"
    r"(?P<item>\S[^\n]*)"
)
_SENTENCE = re.compile(r"\S[^\n]*?[.!?](?=\s|$)|\S[^\n]*")
_WHAT = r"(?:what (?:i|we|was|is|has been|had)|all|now|the|my|here is what i) ?"
_OF_LEFT = re.compile(
    r"(?:what(?: is|'s) )?(?:still |half )?(?:not (?:yet )?(?:done|started|changed|covered|fixed|"
    r"tested|checked)|left(?: alone| open| out| undone)?|remaining|open|known \w+|caveats?|"
    r"limitations?|gaps?|missing|unresolved|to be done|half done)\b|"
    r"what (?:i|we) (?:could(?:n't| not)|did(?:n't| not)) ",
    re.IGNORECASE,
)
_OF_DONE = re.compile(
    rf"(?:{_WHAT})?(?:done|did|changed?|changes|fixed|fixes|finished|added|implemented|renewed|"
    r"delivered|shipped|completed|migrated|moved|summary|outcome|done\. summary|report)\b"
    r"(?! next)|.{2,40} (?:done|finished|complete)$",
    re.IGNORECASE,
)
_OF_FOUND = re.compile(
    rf"(?:{_WHAT})?(?:found|find(?:ings?)?|wrong|happened|root cause|causes?|results?|learned|"
    r"lessons?|measure\w*|numbers|timings|(?:how it was )?(?:checked|verified|tested|tests)|"
    r"about \w+|diagnosis|extent|affected|traps?|gotchas?|noticed|remarks?|notes?|"
    r"where (?:it|we) stands?|worth knowing|observations?|stat(?:e|us)|caution|rejection reason)\b",
    re.IGNORECASE,
)
_KINDS = ((_OF_LEFT, Harvest.GAP), (_OF_DONE, Harvest.MILESTONE), (_OF_FOUND, Harvest.FACT))
# What nobody could try or find is open, wherever it stands.
_COULD_NOT = re.compile(
    r"\b(?:i|we) (?:can't|cannot|could not|couldn't|was unable to|were unable to|did not|didn't) "
    r"(?:run|test|try|check|find|verify|reproduce|reach|measure)\b|\bi could not \w+ at all\b",
    re.IGNORECASE,
)
_PROPOSED = re.compile(
    r"\?\s*$|\b(?:should|could(?! not)|would|might|consider|recommend\w*|suggest\w*|i'll|i will|"
    r"if you|you can|let me|lines? \d|comprehensive\w*|successfully|probably)\b|^\d{1,2}[.)]\s|"
    r"^(?:so|its?|it's|this|that|these|those|they|there|he|she|then|also)\b|^[^\w\s`\"'(~/$+-]",
    re.IGNORECASE,
)
# "Logs the start", "Creates a context": what a piece of code does, not what was done.
# Nor which line of which file, what follows a dash after a name of code, or a drawing.
_OF_CODE = re.compile(
    r"(?!this\b|was\b)[a-z]+s (?:the|an?|all|each|every|any|context|x{2,})\b|"
    r"(?:[\w ]{0,30} )?x{3,} ?(?:\([^)]{0,80}\) ?)?[-\u2013\u2014(]|[\w ]{2,40} \u2014 x{3,}|"
    r"[A-Z]\. |(?:when|if|with|likely|for example)\b|.*\u2192",
    re.IGNORECASE,
)
_AT_LINE = re.compile(r"[\w/]\.[a-z]{1,4}:\d")
# A longer heading is no name for what stands below it.
_HEADING_WORDS_MAX = 5
# More items than this are a log of changes, of which the commit tells.
_ITEMS_MAX = 6
# Who reports more than this writes minutes, of which the next reader needs the document.
_REPORT_MAX = 9
_MARKED = re.compile(r"\d|`|[a-z)] [A-Z]")


@dataclass(frozen=True, slots=True)
class _Above:
    """A heading, of what kind what stands under it is, and where the section begins."""

    heading: str = ""
    kind: Harvest | None = None
    section: int = 0


@dataclass(frozen=True, slots=True)
class _Item:
    """Words of a report, and what stands above them."""

    text: str
    above: _Above


def reports(turn: Turn) -> Iterator[Candidate | Malformed]:
    """Yield what an agent reports under headings before it hands over."""
    episode = turn.episode
    is_message = episode.role is Role.ASSISTANT and episode.kind is EpisodeKind.MESSAGE
    if not (is_message and turn.is_last) or len(episode.text) > _REPORT_CHARS_MAX:
        return
    told_items: list[_Item] = []
    for _, section in groupby(_items(episode.text), key=lambda item: item.above.section):
        items = list(section)
        if len(items) <= _ITEMS_MAX:
            told_items += filter(_is_telling, items)
    if len(told_items) <= _REPORT_MAX:
        yield from (_candidate(item, turn) for item in told_items)


def _is_telling(item: _Item) -> bool:
    """Say whether an item tells what is so, and not what could be, or what a piece of code does."""
    seen = plain(item.text).strip()
    is_told = _PROPOSED.search(seen) is None and _OF_CODE.match(seen) is None
    is_told = is_told and _AT_LINE.search(item.text) is None
    is_left = item.above.kind is Harvest.GAP
    if not is_told or len(seen.split()) < _ITEM_WORDS_MIN - is_left or not is_whole(item.text):
        return False
    if claim_in(seen) is None:
        # What was found is a sentence; what was done may be told with its heading, if that is one.
        is_headed = len(item.above.heading.split()) <= _HEADING_WORDS_MAX
        if item.above.kind is Harvest.FACT or not is_headed:
            return False
    # What is left undone is seldom a sentence; of the rest a bare phrase says nothing.
    return is_left or _MARKED.search(item.text) is not None or claim_in(seen) is not None


def _candidate(item: _Item, turn: Turn) -> Candidate:
    seen, kind = plain(item.text), item.above.kind
    assert kind is not None
    is_own = _COULD_NOT.search(seen) is not None
    is_led = not is_own and (kind is Harvest.GAP or claim_in(seen) is None)
    words = told(item.text, turn.episode)
    return Candidate(
        said=Statement(text=f"{item.above.heading}: {words}" if is_led else words),
        quote=item.text,
        kind=Harvest.GAP if is_own else kind,
        confidence=_LIKELY,
    )


def _items(text: str) -> Iterator[_Item]:
    """Yield the items below the headings that say of what kind they are, in their order."""
    above, at, is_listed = _Above(), 0, False
    for line in prose(text).split("\n"):
        begin, at = at, at + len(line) + 1
        if found := _HEADING.match(line):
            heading = (found["hash"] or found["bold"] or found["lead"]).strip()
            above, is_listed = _Above(heading, _kind_of(heading), begin), False
            yield from _said(line, found.end(), above)
        elif found := _ITEM.fullmatch(line):
            # A tick says what no heading needs to.
            kind = Harvest.MILESTONE if found["tick"] else above.kind
            if kind is not None:
                yield _Item(_bounded(found["item"]), replace(above, kind=kind))
            is_listed = True
        elif line.strip():
            # What follows a list sums it up, or leads on.
            above = _Above() if is_listed else above
            yield from _said(line, 0, above)


def _said(line: str, at: int, above: _Above) -> Iterator[_Item]:
    """Yield the first sentences of a line of prose that stands under a heading, or in its line."""
    if above.kind is not None:
        # In the line of its heading the first sentence is what it says.
        most = 1 if at and above.kind is Harvest.GAP else _SENTENCES_MAX
        for one in islice(_SENTENCE.finditer(line, at), most):
            yield _Item(one[0].strip(), above)


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
