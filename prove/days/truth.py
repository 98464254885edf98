"""
What is true on each of the days, and what is wrong with a brief by that.

It knows what was said where and when, and what ended what: nothing of how Tilth reads it.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from prove.days.playing import DELEGATED, Session
from prove.days.story import BY_HAND_UNTIL, ENDED_BY_HAND, ENDS, MUST_TELL, PROJECT, SAID_ANEW

_QUOTED = re.compile("“([^”]*)”")
_SOURCE = re.compile(r"\[(?:epi|fct|prp)_[0-9A-Z]{26}\]")
_TYPED_ON = re.compile(r"typed on (\d{4}-\d\d-\d\d): ")
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_COMMAND = re.compile(r"`([^`]+)`")
_OURS = re.compile("tilth-context|hook_context|memory of earlier sessions")
# By these words a line says that what it quotes may not hold.
_IN_DOUBT = ("contested", "waits", "taken back?")


@dataclass(frozen=True, slots=True)
class Told:
    """A brief: which session was told it, at which event and when; what was known then."""

    session: Session
    event: str
    at: datetime
    text: str
    known: frozenset[int]

    @property
    def place(self) -> str:
        """Where the session works."""
        return self.session.act.place

    @property
    def lines(self) -> list[str]:
        """The lines that tell something."""
        return [line for line in self.text.splitlines() if line.startswith("- ")]


@dataclass(frozen=True, slots=True)
class Said:
    """Words, and who said them where and when."""

    words: str
    project: str
    session: int
    day: str


@dataclass(slots=True)
class Truth:
    """All that was said."""

    start: datetime
    said: list[Said] = field(default_factory=list)
    ran: set[tuple[str, str]] = field(default_factory=set)

    def add(self, session: Session) -> None:
        """Take in what a session says."""
        act, said = session.act, list[tuple[int, str]]()
        for number, turn in enumerate(act.turns):
            said += [(number, turn.prompt), (number, turn.report)]
        last, ran = len(act.turns) - 1, [act.ran, act.failed]
        missing = f"'{session.folder}/{act.failed.split()[1]}': [Errno 2] No such file or directory"
        said.append((last, f"python3: can't open file {missing}"))
        if act.beside == "subagent":
            ran.append(DELEGATED[0])
            said.append((last, DELEGATED[1]))
        project = PROJECT[act.place]
        for number, words in said:
            day = f"{session.begins + session.after(number):%Y-%m-%d}"
            self.said.append(Said(_plain(words), project, session.number, day))
        self.ran |= {(project, line) for line in ran}

    def faults(self, told: Told) -> Iterator[str]:
        """Yield what is wrong with a brief: a kind, and the line."""
        inside = told.text.partition("\n")[2].partition("\n")[2].rpartition("\n")[0]
        if _OURS.search(inside):
            yield f"ours: {inside}"
        yield from _doubled(told)
        for line in told.lines:
            yield from (f"{fault}: {line}" for fault in self._of_line(told, line))
        yield from self._missing(told)

    def _of_line(self, told: Told, line: str) -> Iterator[str]:
        project, quotes = PROJECT[told.place], _QUOTED.findall(line)
        for command in _COMMAND.findall(_QUOTED.sub("", line)):
            if (project, command) not in self.ran:
                yield "foreign command"
        for quote in quotes:
            yield from self._of_quote(told, quote, project)
            yield from self._over(told, quote, line)
        if quotes:
            days = {one.day for one in self._who_said(_plain(quotes[0]), told)}
            given = set(_DATE.findall(_QUOTED.sub("", _SOURCE.sub("", line))))
            if days and not given & days:
                yield "older or newer than it says"

    def _of_quote(self, told: Told, quote: str, project: str) -> Iterator[str]:
        found = self._who_said(_plain(_TYPED_ON.sub("", quote)), told)
        if not found and _plain(quote) not in SAID_ANEW:
            yield "wrong, nobody said it"
        elif found and not any(one.project == project for one in found):
            yield "foreign"
        elif any(day not in {one.day for one in found} for day in _TYPED_ON.findall(quote)):
            yield "older or newer than it says"

    def _who_said(self, words: str, told: Told) -> list[Said]:
        """Return who said *words* in a session that was recorded, and is not the one that asks."""
        return [
            one
            for one in self.said
            if words in one.words
            and one.session in told.known
            and one.session != told.session.number
        ]

    def _over(self, told: Told, quote: str, line: str) -> Iterator[str]:
        """Yield that what is quoted held no longer, where the line does not say so."""
        words, day = _plain(quote), (told.at - self.start).days
        for since, by_hand in ENDED_BY_HAND.items():
            if words.startswith(by_hand) and told.at >= self.start + timedelta(
                days=since, hours=BY_HAND_UNTIL
            ):
                yield f"wrong, a person ended it on day {since} (it is day {day})"
        if any(word in line for word in _IN_DOUBT):
            return
        for by, ended in ENDS.items():
            is_said = any(
                by in one.words and one.session in told.known and one.session != told.session.number
                for one in self.said
            )
            if is_said and any(one in words for one in ended) and by not in words:
                yield f"wrong since “{by}”"

    def _missing(self, told: Told) -> Iterator[str]:
        day = (told.at - self.start).days
        for when, place, words, event in MUST_TELL:
            is_it = (day, told.place, told.event) == (when, place, event)
            if is_it and words not in _plain(told.text):
                yield f"not told: “{words}” in {told.text}"


def _doubled(told: Told) -> Iterator[str]:
    quotes = Counter(_plain(one) for line in told.lines for one in _QUOTED.findall(line))
    yield from (f"doubled: “{one}” in {told.text}" for one, count in quotes.items() if count > 1)


def _plain(words: str) -> str:
    return " ".join(words.removesuffix("…").casefold().split())


def more_often(before: Iterable[object], after: Iterable[object]) -> list[str]:
    """Return what is there more often after than before, of what was there before."""
    known, now = Counter(before), Counter(after)
    return [str(one) for one, count in known.items() if now[one] > count]
