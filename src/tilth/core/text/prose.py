"""
Find the sentences that somebody wrote in a text.

Code, quotations, logs, tables and what programs add to a message are nobody's statements. They are
blanked in place, so that every offset is valid in the recorded text.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from tilth.core.dataclass import dataclass
from tilth.core.text.pattern import pattern

# In characters, how much is read at each end of a text; what lies between was pasted.
_HEAD_CHARS, _TAIL_CHARS = 10_000, 6_000
# A longer run without an end is no sentence.
SENTENCE_CHARS_MAX = 600
# How many messages are cached, since each extractor reads the same one.
_MESSAGES_KEPT = 4


@dataclass(frozen=True, slots=True)
class Sentence:
    """
    One sentence, word for word, and its start in the text.

    `plain` is a normal form of equal length: apostrophes are straight, marks of emphasis are
    spaces, and quotations and code are words of x, so that no word in them counts. An item belongs
    to a list, or is a heading.
    """

    text: str
    start: int
    plain: str
    is_item: bool = False

    @property
    def said(self) -> str:
        """The sentence with straight apostrophes, of equal length."""
        return with_straight_quotes(self.text)

    @property
    def end(self) -> int:
        """Where it ends in its text."""
        return self.start + len(self.text)


# A block of code, to its end or to that of the text.
FENCED = pattern(r"^[ \t]*(```|~~~).*?(?:^[ \t]*\1[^\n]*|\Z)", re.MULTILINE | re.DOTALL)
_TAG = pattern(r"<([A-Za-z][\w-]{0,60})(?:\s[^<>\n]{0,200})?>")
# What programs write into a message, however their tags are called: system-reminder,
# command-name, user_instructions. A person who writes such a tag quotes something as well.
_OF_A_PROGRAM = pattern(r"[a-z]+(?:[-_][a-z]+)+|INSTRUCTIONS|thinking|context|documents?")
_LINE = pattern(r"[^\n]+")
_CLOCK = r"\d{1,2}:\d\d:\d\d"
_NO_PROSE = pattern(
    r"\s*(?:>|\||\$ |\u276f|➜|✓|✗|✔|⏺|⎿"  # quoted, a table, a terminal
    rf"|\[?\d{{4}}-\d\d-\d\d[T ]{_CLOCK}|\[?{_CLOCK}"  # a log
    r"|\[?(?:ERROR|WARN(?:ING)?|INFO|DEBUG|TRACE|FATAL|CRITICAL|PASS|FAIL)\b[\]:|]?\s"
    r"|Traceback \(most recent|File \"|at [\w$.<>]{1,200} ?\(|Caused by:"
    r"|--- (?:FAIL|PASS|a/)|\+\+\+ b/|diff --git|@@ -|index [0-9a-f]{7}|(?:npm|yarn|pnpm) ERR"
    r"|(?:modified|deleted|renamed|new file|copied|insertions|deletions|number|additions):"
    r"|[\w./-]{1,200}\.\w{1,5}:\d+|(?:error|warning)\[\w{1,20}\]:"
    r"|[{}()\[\],;]+\s*$|\"[^\"\n]{1,80}\"\s*:|</?\w[^>\n]{0,300}>\s*$"  # JSON, markup
    r"|import [\w.]{1,100}\s*$|from [\w.]{1,100} import\b|(?:async )?def \w{1,100}\("  # code
    r"|class \w{1,100}[:(]|#include\b|@\w{1,100}(?:\(|\s*$)"
    # Few lines have two such signs, and to look from each letter on for the first takes longest.
    r"|[\w.\[\]\"']{1,100} ?(?::=|\+=|=>?) ?\S|\d{1,4} +\|"
    r"|(?=[^=\n]*=[^\n]*=)(?:[^=\n]{0,80}?\b\w+=\S+){2}"
    r")|[^\n]{0,400}[;{]\s*$"
)
_BULLET = r"(?:[-*+•◦]|\d{1,3}[.)]|#{1,6}|\[[ xX]\])[ \t]+"
_MARKS = pattern(rf"[ \t]*(?:{_BULLET})+")
_NUMBERED = pattern(r"^[ \t]*(\d{1,3})[.)](?=[ \t])", re.MULTILINE)
_WHOLE_LINE = pattern(r"[^\n]+\n?")
# In characters: a program wrapped a line this long, and its sentence goes on in the next.
_WRAPPED_CHARS = 50
_END = pattern(r"[.!?…]+[\"'”\u2019)\]*_]*(?=\s|$)")
_ABBREVIATED = pattern(
    r"(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|mr|mrs|ms|dr|prof|st|approx|dept|inc|ltd|fig|[A-Z])$",
    re.IGNORECASE,
)
_LOOKBACK_CHARS = 10
_CODE = pattern(r"(`{1,2})[^`\n]{1,200}\1")
_QUOTED = pattern(r"\"[^\"\n]{1,400}\"|“[^“”\n]{1,400}”|«[^«»\n]{1,400}»")
_SLIPPED = pattern(r"(?<=n);(?=t\b)")
# Each form begins with its letter, so that `re` skips to the next of these at once.
_EMPHASIS = pattern(r"\*\*?\*?|~~|_(?<!\w_)_?(?=\w)|_(?<=\w_)_?(?!\w)")


def with_straight_quotes(text: str) -> str:
    """Return *text* with straight apostrophes: also those slipped in "don;t"; the length stays."""
    return _SLIPPED.sub("'", text.replace("\u2019", "'"))


@lru_cache(maxsize=_MESSAGES_KEPT)
def sentences(text: str) -> tuple[Sentence, ...]:
    """Return what somebody wrote in *text*, sentence by sentence, in their order."""
    between = len(text) - _HEAD_CHARS - _TAIL_CHARS
    read = text
    if between > 0:
        read = text[:_HEAD_CHARS] + "\n" * between + text[-_TAIL_CHARS:]
    return tuple(_sentences(text, prose(read)))


def prose(text: str) -> str:
    """Return *text* with everything blanked that nobody says in it; the length stays."""
    said = _without_envelopes(FENCED.sub(_blank, text))
    return _LINE.sub(lambda line: _blank(line) if _NO_PROSE.match(line[0]) else line[0], said)


def plain(text: str) -> str:
    """Return *text* in the normal form of `Sentence.plain`; the length stays."""
    text = _EMPHASIS.sub(lambda found: " " * len(found[0]), _CODE.sub(_crossed, text))
    return _QUOTED.sub(_crossed, with_straight_quotes(text))


def _without_envelopes(text: str) -> str:
    kept: list[str] = []
    unclosed: set[str] = set()
    at = 0
    while match := _TAG.search(text, at):
        tag, end = match[1], -1
        # Once a tag is known to have no end any more, it is not looked for again: linear time.
        if tag not in unclosed:
            end = text.find(f"</{tag}>", match.end())
        if end < 0:
            unclosed.add(tag)
        ahead = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
        is_whole = end >= 0 and (_OF_A_PROGRAM.fullmatch(tag) or not ahead.strip())
        end = end + len(tag) + 3 if is_whole else match.end()
        kept += [text[at : match.start()], blanked(text[match.start() : end])]
        at = end
        if tag == "system-reminder" and not is_whole:
            return "".join([*kept, blanked(text[at:])])
    return "".join([*kept, text[at:]])


def _sentences(text: str, kept: str) -> Iterator[Sentence]:
    view = plain(kept)
    for begin, end in _paragraphs(view):
        marks = _marks(view, begin, end)
        for start, stop in _parts(view, begin + marks, end):
            if stop - start <= SENTENCE_CHARS_MAX:
                yield Sentence(text[start:stop], start, view[start:stop], is_item=marks > 0)


def _paragraphs(view: str) -> Iterator[tuple[int, int]]:
    """Yield blocks: a paragraph without its wrapping, or one item of a list."""
    begin: int | None = None
    for line in _WHOLE_LINE.finditer(view):
        begin = line.start() if begin is None else begin
        follows = view[line.end() : line.end() + 1]
        is_wrapped = len(line[0]) > _WRAPPED_CHARS and follows.islower()
        if not is_wrapped:
            yield begin, line.end()
            begin = None


def _marks(view: str, begin: int, end: int) -> int:
    """Return the length of the marks before a list item or heading."""
    found = _MARKS.match(view, begin, end)
    return 0 if found is None or _is_said(found, view) else found.end() - begin


def _parts(view: str, begin: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield where each sentence of a paragraph begins and ends, without space around it."""
    start = begin
    for mark in _END.finditer(view, start, end):
        if not _ABBREVIATED.search(view, max(start, mark.start() - _LOOKBACK_CHARS), mark.start()):
            yield from _part(view, start, mark.end())
            start = mark.end()
    yield from _part(view, start, end)


def _is_said(mark: re.Match[str], view: str) -> bool:
    """Say whether a number that looks like an item's belongs to a sentence ("30. Not 20.")."""
    number = _NUMBERED.search(mark[0])
    if number is None or number[1] == "1":
        return False
    others = (found[1] for found in _NUMBERED.finditer(view))
    return all(other == number[1] for other in others)


def _part(view: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    body = view[start:stop]
    start += len(body) - len(body.lstrip())
    stop -= len(body) - len(body.rstrip())
    if stop > start:
        yield start, stop


def _blank(found: re.Match[str]) -> str:
    return blanked(found[0])


def blanked(text: str) -> str:
    """Return *text* with a space for each character but its line ends."""
    return "\n".join(" " * len(line) for line in text.split("\n"))


def _crossed(found: re.Match[str]) -> str:
    return "x" * len(found[0])
