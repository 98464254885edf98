"""
The sentences that somebody wrote, out of everything that their text holds.

Code, quotations, logs, tables and what programs put around a message are
nobody's statements. They are blanked where they stand, so that every offset
stays one into the text as it was recorded.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

# Nobody writes more by hand; what is beyond was pasted.
READ_CHARS_MAX = 60_000
# A longer run without an end is no sentence.
SENTENCE_CHARS_MAX = 600
_KEPT = 4


@dataclass(frozen=True, slots=True)
class Sentence:
    """
    One sentence, word for word, and where it begins in its text.

    `plain` has its length, and is for looking at: apostrophes are straight, marks of emphasis
    are spaces, and what is quoted or code is a word of x, so that no word in it says anything.
    """

    text: str
    start: int
    plain: str

    @property
    def end(self) -> int:
        """Where it ends in its text."""
        return self.start + len(self.text)


_FENCE = re.compile(r"^[ \t>]*(```|~~~).*?(?:^[ \t>]*\1[^\n]*|\Z)", re.MULTILINE | re.DOTALL)
_TAG = re.compile(r"<([A-Za-z][\w-]{0,60})(?:\s[^<>\n]{0,200})?>")
# What programs write into a message, whatever their tags are called (system-reminder,
# command-name, user_instructions); a person's tag of this kind quotes something as well.
_OF_A_PROGRAM = re.compile(r"[a-z]+(?:[-_][a-z]+)+|INSTRUCTIONS|thinking|context|document|example")
_LINE = re.compile(r"[^\n]+")
_TIME = r"\d{1,2}:\d\d:\d\d"
_NO_PROSE = re.compile(
    r"\s*(?:"
    r">|\||\$ |# ?!|❯|➜|✓|✗|✔|⏺|⎿|>>> |In \[\d"  # quoted, a table, a terminal
    rf"|\[?\d{{4}}-\d\d-\d\d[T ]{_TIME}|\[?{_TIME}"  # a log
    r"|\[?(?:ERROR|WARN(?:ING)?|INFO|DEBUG|TRACE|FATAL|CRITICAL|PASS|FAIL)\b[\]:|]?\s"
    r"|Traceback \(most recent|File \"|at [\w$.<>]+ ?\(|Caused by:|--- (?:FAIL|PASS|a/)|\+\+\+ b/"
    r"|diff --git|@@ -|index [0-9a-f]{7}|(?:npm|yarn|pnpm) ERR!?|(?:error|warning)\[\w+\]:"
    r"|[{}()\[\],;]+\s*$|\"[^\"\n]{1,80}\"\s*:|<[/!]?\w[^>\n]*>\s*$"  # JSON, markup
    r"|(?:import|from|export|const|var|public|private|static|return|elif|SELECT|INSERT|UPDATE"
    r"|CREATE|ALTER|#include|package|fn|func|function|def|class|async def)\b"
    r"[^\n]{0,300}[;{}():]\s*$"
    r"|[\w.\[\]\"']+ ?(?:=|:=|\+=|=>) ?[^\n]{0,300}$"  # an assignment
    r"|[^\n]{0,300}[;{]\s*$"
    r")"
)
_BULLET = r"(?:[-*+•◦]|\d{1,3}[.)]|#{1,6}|\[[ xX]\])[ \t]+"
_MARKS = re.compile(rf"(?:[ \t]*{_BULLET})*[ \t]*")
_ABBREVIATIONS = "e.g|i.e|etc|vs|cf|mr|mrs|ms|dr|st|approx|dept|inc|ltd|no|fig|sec|al|resp"
_ENDS = re.compile(
    rf"(?<!\b[A-Za-z])(?<!\b(?:{'))(?<!' + chr(92) + 'b(?:'.join(())}x))"
    if False
    else r"[.!?…]+[\"'”’)\]*_]*(?=\s|$)"
)
_BEFORE_DOT = re.compile(rf"(?:^|[\s(])(?:{_ABBREVIATIONS}|[A-Z])$", re.IGNORECASE)
_BREAK = re.compile(rf"\n[ \t]*(?=\n|{_BULLET})|\n")
_SPACE = re.compile(r"\s+")
_CODE = re.compile(r"(`{1,2})[^`\n]{1,200}\1")
_QUOTED = re.compile(r"\"[^\"\n]{1,400}\"|“[^”\n]{1,400}”|«[^»\n]{1,400}»")
_SPACED = re.compile(r"\s\S+\s")
_EMPHASIS = re.compile(r"\*{1,3}|(?<!\w)_{1,2}(?=\w)|(?<=\w)_{1,2}(?!\w)|~~")
