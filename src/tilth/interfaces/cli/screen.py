"""
Where the command line writes.

Standard output carries data: with `--json` one JSON value, whatever happens,
otherwise lines for a person. Messages and progress go to standard error.
Every line passes `inert`, so nothing that was recorded reaches the terminal
as a command. What is excluded for whoever reads it is covered.
"""

import json
import sys
import textwrap
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import field
from importlib import import_module
from itertools import dropwhile, groupby
from typing import TextIO

from tilth.core.dataclass import dataclass
from tilth.core.errors import TilthError
from tilth.core.text.pattern import pattern
from tilth.core.view import Aside, Bold, Command, Dim, Exact, Line, Note, Paragraph, Row
from tilth.interfaces.cli import invocation
from tilth.interfaces.cli.progress import Advance, progress_line
from tilth.interfaces.error_codes import error_body, outcome_of
from tilth.privacy.exclusion import Exclusion
from tilth.privacy.terminal_text import cut, inert

# Select Graphic Rendition (ECMA-48, 8.3.117): 1 bold, 2 faint, 0 back to normal.
_CODES = {Bold: "\x1b[1m", Command: "\x1b[1m", Dim: "\x1b[2m"}
_NORMAL = "\x1b[0m"
_GAP = 2
# Longer lines are hard to read, however wide the screen is.
_WIDTH_MAX = 100
_INDENT = "   "
_CELL_LEAST = 8
# Chinese and Japanese, whose words no space parts, with the marks that close and open.
_SIGNS = (
    r"\u2e80-\u2fdf\u3003-\u3007\u3021-\u30ff\u3105-\u312f\u31a0-\u9fff\uf900-\ufaff"
    r"\U00020000-\U0003fffd"
)
_CLOSING = (
    r"\u3001\u3002\u3009\u300b\u300d\u300f\u3011\u3015\u3099-\u309c\u30fb\u30fc"
    r"\uff01\uff09\uff0c\uff0e\uff1a\uff1b\uff1f\uff3d\uff5d"
)
_OPENING = r"\u3008\u300a\u300c\u300e\u3010\u3014\uff08\uff3b\uff5b"
_A_SIGN = f"[{_OPENING}]*[{_SIGNS}][{_CLOSING}]*"
_SIGN = pattern(_A_SIGN)
_WORD = pattern(rf"\s+|{_A_SIGN}|(?:(?![{_OPENING}{_SIGNS}])\S)+|\S")
# Marks that stand on the character before them, and what is not seen at all.
_WITHOUT_WIDTH = frozenset({"Mn", "Me", "Cf"})
_WIDE = frozenset("WF")


def wants_color(environ: Mapping[str, str], *, is_tty: bool, is_refused: bool = False) -> bool:
    """Say whether to colour, by the flag, `NO_COLOR`, `FORCE_COLOR` and `TERM`, in that order."""
    if is_refused or environ.get("NO_COLOR"):
        return False
    if environ.get("FORCE_COLOR"):
        return True
    return is_tty and environ.get("TERM") != "dumb"


@dataclass(frozen=True, slots=True, kw_only=True)
class Screen:
    """How this run shows what it has to say."""

    is_json: bool = False
    is_quiet: bool = False
    is_color: bool = False
    pager: str = ""
    out: TextIO = field(default_factory=lambda: sys.stdout)
    err: TextIO = field(default_factory=lambda: sys.stderr)
    # Asked for when there is something to say, for it may take reading the settings.
    excluded: Callable[[], Exclusion] = Exclusion

    def answer(self, value: object, lines: Iterable[Line]) -> None:
        """Write the answer: *value* as JSON, or *lines* for a person."""
        if self.is_json:
            to_json = import_module("tilth.interfaces.to_json").to_json
            # ASCII, so that it arrives whole in any locale and holds nothing active.
            print(json.dumps(self.excluded().shown(to_json(value))), file=self.out)
            return
        if self.pager:
            notes: list[Note] = []
            page = self._page(lines, notes.append)
            import_module("tilth.interfaces.cli.pager").show_in_pages(page, self.pager, self._print)
            for note in notes:
                self.say(note)
            return
        for line in self._page(lines, self.say):
            self._print(line)

    def repeat(self, out: str, err: str) -> None:
        """Write what another process wrote to its screen, in place of this one."""
        if self.pager and not self.is_json:
            page = iter(out.splitlines())
            import_module("tilth.interfaces.cli.pager").show_in_pages(page, self.pager, self._print)
        else:
            self.out.write(out)
        self.err.write(err)

    def _page(self, lines: Iterable[Line], note: Callable[[Note], None]) -> Iterator[str]:
        # Before a line is broken or cut: half an excluded term would not be known as one.
        for line in self._aligned(map(self._without_excluded, lines)):
            if isinstance(line, Note):
                note(line)
            elif isinstance(line, Paragraph):
                width = min(invocation.terminal_width(), _WIDTH_MAX)
                style = Dim if isinstance(line, Aside) else str
                for text in line.splitlines():
                    yield from (self._part(style(one)) for one in _wrapped(text, width))
            elif self.out.isatty():
                yield from map(self._rendered, folded(line, invocation.terminal_width()))
            else:
                yield self._rendered(line)

    def _without_excluded(self, line: Line) -> Line:
        covered = self.excluded().covered
        if isinstance(line, str):
            return type(line)(covered(line))
        parts = [type(part)(covered(part)) for part in line]
        return Row(parts) if isinstance(line, Row) else parts

    def _print(self, line: str) -> None:
        print(line, file=self.out)

    def say(self, message: str) -> None:
        """Write a message beside the answer, unless quiet."""
        if not self.is_quiet and not self.is_json:
            print(self._safe(message), file=self.err)

    def show(self, line: Line) -> None:
        """Write a line that a person needs to see before a question."""
        shown = self._without_excluded(line)
        lines = folded(shown, invocation.terminal_width()) if self.err.isatty() else [shown]
        for one in lines:
            print(self._rendered(one), file=self.err)

    def prompt(self, question: str) -> None:
        """Put a question; the answer is typed behind it."""
        print(self._safe(question), end="", file=self.err, flush=True)

    def ask(self, question: str) -> str:
        """Put a question, and return what a person types; nothing at the end of input."""
        self.prompt(question)
        return sys.stdin.readline().strip()

    def agrees(self, question: str) -> bool:
        """Say whether a person agrees; the end of input is a no."""
        return self.ask(question).casefold() in {"y", "yes"}

    def refuse(self, error: TilthError) -> int:
        """Report *error*, and return the exit code for it."""
        self.fail(error.code, str(error), error.hint)
        return outcome_of(error).exit_code

    def fail(self, code: str, message: str, hint: str = "") -> None:
        """Report why there is no answer: as JSON in its place, or as a message."""
        if self.is_json:
            body = error_body(code, message, hint)
            print(json.dumps(self.excluded().shown(body)), file=self.out)
            return
        print(f"tilth: {self._safe(message)}", file=self.err)
        if hint:
            print(f"  {self._safe(hint)}", file=self.err)

    def progress(self, label: str, total: int | None = None) -> AbstractContextManager[Advance]:
        """Show how far the work has come, on a terminal, when it takes more than a second."""
        is_shown = self.err.isatty() and not (self.is_quiet or self.is_json)
        return progress_line(label, total, self.err, is_shown=is_shown)

    def _aligned(self, lines: Iterable[Line]) -> Iterator[Line]:
        """Yield *lines*, with the cells of neighbouring rows under one another."""
        columns_max = invocation.terminal_width() if self.out.isatty() else None
        for is_table, group in groupby(lines, lambda line: isinstance(line, Row)):
            yield from columns([*group], columns_max) if is_table else group  # noqa: B031 - one of the two

    def _rendered(self, line: Line) -> str:
        parts = (line,) if isinstance(line, str) else line
        alike = [kind("".join(group)) for kind, group in groupby(parts, type)]
        return "".join(map(self._part, alike)).rstrip()

    def _part(self, part: str) -> str:
        code = _CODES.get(type(part), "") if self.is_color else ""
        shown = self._safe(part)
        return f"{code}{shown}{_NORMAL}" if code else shown

    def _safe(self, text: str) -> str:
        return inert(self.excluded().covered(text))


def folded(line: Line, width: int) -> list[Line]:
    """Return *line* in lines of *width*, broken between words; a last column stays below itself."""
    parts = [line] if isinstance(line, str) else [*line]
    text = "".join(parts).rstrip()
    is_whole = "\n" in text or any(isinstance(part, Command | Exact) for part in parts)
    if is_whole or display_width(text) <= width:
        return [line]
    words = [type(part)(word) for part in parts for word in _WORD.findall(part)]
    begin = len(text) - len(text.lstrip()) + _GAP
    return [*_broken(words, width, _last_column(parts) or begin, begin)]


def _wrapped(text: str, width: int) -> list[str]:
    """Return a paragraph in lines of *width*, set in."""
    if text.isascii():
        return textwrap.wrap(text, width, initial_indent=_INDENT, subsequent_indent=_INDENT)
    words = [_INDENT, *_WORD.findall(" ".join(text.split()))]
    return ["".join(one).rstrip() for one in _broken(words, width, len(_INDENT), len(_INDENT))]


def _broken(words: Iterable[str], width: int, indent: int, begin: int) -> list[list[str]]:
    """
    Return *words* and the spaces between them in lines of *width*.

    Further lines are set in by *indent*, or by *begin* where a word finds no room there.
    """
    lines: list[list[str]] = [[]]
    filled = 0
    for word in words:
        size = display_width(word)
        if filled + size > width and _may_break(lines[-1], word):
            if lines[-1][-1].isspace():
                lines[-1].pop()
            lines.append([" " * (indent if indent + size <= width else begin)])
            filled = display_width(lines[-1][0])
        lines[-1].append(word)
        filled += size
    return lines


def _may_break(line: Sequence[str], word: str) -> bool:
    """Tell whether *word* may begin a line: behind a space, or where signs stand for words."""
    if not "".join(line).strip() or word.isspace():
        return False
    return line[-1].isspace() or bool(_SIGN.match(word) or _SIGN.match(line[-1]))


def _last_column(parts: Sequence[str]) -> int:
    """Return where the last of *parts* begins if a gap stands before it and little before that."""
    told = [*dropwhile(str.isspace, reversed(parts))]
    begin = display_width("".join(told[1:]))
    is_column = len(told) > _GAP and told[1].isspace() and len(told[1]) >= _GAP
    return begin if is_column and begin <= _WIDTH_MAX // 3 else 0


def columns(rows: Sequence[Sequence[str]], width: int | None = None) -> list[Line]:
    """
    Return *rows* with their cells under one another; the widest is cut to fit a *width*.

    An ID behind them is not: what is cut of it is of no use, so it stands below its row.
    """
    lines = _columns(rows, sys.maxsize)
    if width is None or max(map(_line_width, lines), default=0) <= width:
        return lines
    if all(len(row) > 1 and isinstance(row[-1], Dim) for row in rows):
        above = _columns([row[:-1] for row in rows], width)
        below = [(" " * _GAP, row[-1]) for row in rows]
        return [line for pair in zip(above, below, strict=True) for line in pair]
    return _columns(rows, width)


def _line_width(line: Line) -> int:
    return display_width(inert("".join(line)).rstrip())


def _columns(rows: Sequence[Sequence[str]], width: int) -> list[Line]:
    count = max(map(len, rows), default=0)
    cells = [[*row, *[""] * (count - len(row))] for row in rows]
    widths = [
        max(display_width(inert(cell)) for cell in column) for column in zip(*cells, strict=True)
    ]
    excess = sum(widths) + _GAP * (count - 1) - width
    if excess > 0:
        widest = max(range(count), key=widths.__getitem__)
        widths[widest] = max(widths[widest] - excess, _CELL_LEAST)
    return [_padded(row, widths) for row in cells]


def _padded(row: Sequence[str], widths: Sequence[int]) -> Line:
    parts: list[str] = []
    for cell, width in zip(row, widths, strict=True):
        shown = cell if display_width(inert(cell)) <= width else type(cell)(_fitted(cell, width))
        parts += [shown, " " * (width - display_width(inert(shown)) + _GAP)]
    return parts


def _fitted(cell: str, width: int) -> str:
    """Return *cell* cut to *width*; of one word, as a path is, the end tells more."""
    if " " not in cell.strip() and cell.isascii():
        return f"…{cell.strip()[1 - width :]}"
    # What is wide has fewer characters than columns.
    shorter = (cut(cell, count) for count in range(width, 0, -1))
    return next((one for one in shorter if display_width(one) <= width), "…")


def display_width(text: str) -> int:
    """Return the columns of *text*: two of a wide character, none of what joins or stands above."""
    return len(text) if text.isascii() else sum(map(_width_of, text))


def _width_of(char: str) -> int:
    if unicodedata.category(char) in _WITHOUT_WIDTH:
        return 0
    return 2 if unicodedata.east_asian_width(char) in _WIDE else 1
