"""
Exchanges: the unit in which work is remembered.

An exchange is one ask with the report that ended it: what was asked, what was done, how it ended.
It is a span of a session and holds no words of its own, so it is never out of step with the
episodes that it is read from, and what is erased there is gone here.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from tilth.core.dataclass import dataclass
from tilth.core.ids import EpisodeId, SessionId
from tilth.core.scope import Scope
from tilth.core.text.pattern import Worded, pattern
from tilth.core.text.prose import straight
from tilth.episodes.episode import Role

# What is longer is a text to be read with its ID.
PASSAGE_CHARS = 300
_ENDS = pattern(r"[.!?](?:\s|$)")
_SENTENCE = pattern(r"[^.!?\s][^.!?]*(?:[.!?](?!\s|$)[^.!?]*)*[.!?]*")
_ASKS = pattern(
    r"(?:what|why|how|where|when|who|which|whose|is|are|was|were|do|does|did|can|could|would"
    r"|should|have|has|will)\b",
    re.IGNORECASE,
)
_QUESTION_CHARS_MAX = 200
_DOUBTS = pattern(
    r"\bare you (?:sure|certain)\b|\bdouble[- ]?check\b|\bnot true\b"
    r"|\b(?:that|this|it)(?:'s| is)? (?:simply |just )?(?:not|isn'?t|wasn'?t)"
    r" (?:right|true|correct|what|how)\b|\b(?:that|this)(?:'s| is) wrong\b"
    r"|\bstill (?:fail|broken|not|get|see|the same|happen|does)"
    r"|\b(?:doesn'?t|does not|didn'?t|isn'?t) work|\bnot working\b"
    r"|\b(?:did(?:n'?t| not)|does(?:n'?t| not)) (?:\w+ )?(?:fix|help|solve|resolve)\b"
    r"|^\W*(?:the )?same (?:\w+ )?(?:error|issue|problem)\b"
    r"|(?<!\bif the )\b(?:error|issue|problem) persists\b|\b(?:revert|undo|roll(?:ed)? back)\b"
    r"|\byou (?:broke|deleted|missed|forgot|misread|misunderst)|^\W*(?:no|nope|nah)\b",
    re.IGNORECASE,
)
# It fails all the same: somebody says so, or pastes what it puts out.
_FAILS = Worded(
    r"\b(?:there (?:is|are)|there's|(?:i|we)(?: am| are|'m|'re)?(?: still| now)? (?:have"
    r"|get(?:ting)?|got|see(?:ing)?))(?: \w+){0,3} (?:errors?|failures?)\b"
    r"|Traceback \(most recent call last\)|(?:^|\n)\s*(?-i:FAIL(?:ED)?\b|\w*Error: )",
    "error fail traceback",
)
_DOUBT_CHARS = 400
# "[[ ## field ## ]]", "### Instruction:", "<|im_start|>": where a program puts what it fills in.
_TEMPLATE = pattern(
    r"^\s*(?:\[\[ ?## ?\w+ ?## ?\]\]|<\|\w+\|>|\{\{ ?\w+ ?\}\}"
    r"|###+ (?:Instruction|Input|Response):)",
    re.IGNORECASE | re.MULTILINE,
)
_SET_ANSWER = Worded(
    r"\b(?:respond|reply|answer|output|return|say) (?:with |back )?"
    r"(?:exactly|only|just|nothing but)(?: (?:the|this|one)(?: \w+)?)?:? "
    r"(?:[\"'`“][^\"'`”\n]{1,40}[\"'`”]|"
    # What is to come in a format, or a kind of value, is no set word.
    r"(?-i:(?!(?:CSV|HTML|IDS?|JSON|SQL|URLS?|XML|YAML)\b)[A-Z][A-Z_]+\b))",
    "respond reply answer output return say",
    "exactly only just nothing",
)
# "Respond with only the JSON object": what comes is read by a program.
_FOR_A_PROGRAM = Worded(
    r"\b(?:respond|reply|answer) (?:with (?:only|just|nothing but)|only with)"
    r"(?: (?:an?|the|valid|raw|strict|single))* JSON\b",
    "json",
)
_SCRIPT_CHARS = 600
# The template of a command of a host: its name at most, then a heading above what programs put out.
_FILLED_IN = pattern(r"(?:\s*/[a-z][\w:-]*[^\n]*\n)*\s*#{1,6}[ \t]+\S")
_INTERRUPTION = "[Request interrupted by user"


def is_interruption(text: str) -> bool:
    """Say whether *text* is the note that the user stopped the agent."""
    return text.startswith(_INTERRUPTION)


def is_scripted(text: str) -> bool:
    """
    Say whether an ask is a program's: a template, filled in or not, or a call for set words alone.

    A probe of a harness ("Respond with exactly PASS") is nobody's work.
    """
    if len(text) > _SCRIPT_CHARS and _FILLED_IN.match(text):
        return True
    begun = text[:_SCRIPT_CHARS]
    if _TEMPLATE.search(begun) is not None or _FOR_A_PROGRAM.search(begun) is not None:
        return True
    return len(text) <= _SCRIPT_CHARS and _SET_ANSWER.search(text) is not None


def doubts(text: str) -> bool:
    """Say whether an ask doubts what was reported before it: until it is settled, that is void."""
    begun = straight(text[:_DOUBT_CHARS])
    return _DOUBTS.search(begun) is not None or tells_of_failure(begun)


def tells_of_failure(text: str) -> bool:
    """Say whether somebody tells that something fails, or shows what it puts out."""
    return _FAILS.search(text) is not None


def is_question(text: str) -> bool:
    """
    Say whether *text* only asks.

    Each sentence of it ends with a question mark, or it is one line that begins as questions do.
    """
    said = text.strip()
    if _ENDS.search(said) is None:
        return (
            _ASKS.match(said) is not None and "\n" not in said and len(said) <= _QUESTION_CHARS_MAX
        )
    return all(one.rstrip().endswith("?") for one in _SENTENCE.findall(said))


class Turn(NamedTuple):
    """A message of a session: its place in the ledger, its position, who spoke, and when (µs)."""

    seq: int
    position: int
    role: Role
    at: int = 0


@dataclass(frozen=True, slots=True)
class Span:
    """
    Where an exchange stands, by places in the ledger.

    `asks` are the messages that ask: several where somebody added to what they asked before
    anything was answered. `report` is the last thing that was answered; None if nothing was.
    It goes from position `first` to `last` of its session; `last` is None where the session
    goes on. `before` is what the agent had said last, `stopped` what the machinery said last,
    `after` what was asked next.
    """

    session_no: int
    asks: tuple[int, ...]
    report: int | None
    first: int
    last: int | None
    before: int | None = None
    stopped: int | None = None
    after: int | None = None

    def holds(self, position: int) -> bool:
        """Say whether what stands at *position* of the session belongs to it."""
        return self.first <= position and (self.last is None or position <= self.last)


class Ending(StrEnum):
    """How an exchange ended."""

    REPORTED = "reported"
    INTERRUPTED = "interrupted"
    UNANSWERED = "unanswered"


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """
    One ask with the report that ended it.

    `id` is that of the message that asks; it began at `instant`, whatever its clock said (ADR 42),
    and by `began_at` on that clock. `ask` is what was asked, `report` what was answered
    last, both word for word; `is_doubted` says that the next ask doubts it. `question` is what
    the agent had said before an ask that is only an answer to it ("yes", "the second"). `files`
    were changed; `commands` were run, each with how it ended; `commits` were made. `is_persons`
    says that a person asked, and no agent or program; `is_taken_back` that the session put the
    files back later, or took the commit back.
    """

    id: EpisodeId
    ask_seq: int
    report_seq: int | None
    session_id: SessionId
    scope: Scope
    began_at: datetime
    ended_at: datetime
    instant: datetime
    ask: str
    report: str
    ending: Ending
    question: str = ""
    report_id: EpisodeId | None = None
    files: tuple[str, ...] = ()
    commands: tuple[str, ...] = ()
    commits: tuple[str, ...] = ()
    is_imported: bool = False
    is_persons: bool = True
    is_doubted: bool = False
    is_taken_back: bool = False

    @property
    def is_question(self) -> bool:
        """Whether the ask only asks: it tells nothing that its answer does not."""
        return is_question(self.ask)

    @property
    def is_standing(self) -> bool:
        """Whether a person asked for it, and it was not undone."""
        return self.is_persons and not self.is_taken_back


@dataclass(slots=True)
class _Begun:
    """An exchange that is being read."""

    first: int
    before: int | None
    asks: list[int]
    report: int | None = None
    stopped: int | None = None
    said_at: int = 0
    asked_at: int = 0
    # From when to when others went on that ended later than this began: a clock was set back.
    past: Sequence[tuple[int, int]] = ()

    def past_at(self, at: int) -> list[tuple[int, int]]:
        """Return when this and those before it went on, of those that end after *at*."""
        every = (*self.past, (self.asked_at, self.said_at))
        return [one for one in every if one[1] > at]

    def is_asked_by(self, turn: Turn) -> bool:
        """Take what a user adds before anything is answered, and say so; what comes then, not."""
        if self.report is not None or self.stopped is not None:
            return False
        self.asks.append(turn.seq)
        self.said_at = turn.at
        return True

    def is_reported_by(self, turn: Turn) -> bool:
        """Take what an agent said as the report, and say so; what it had said before, do not."""
        if turn.at < self.said_at or any(one <= turn.at <= end for one, end in self.past):
            return False
        self.report, self.stopped, self.said_at = turn.seq, None, turn.at
        return True

    def span(self, session_no: int, *, last: int | None = None, after: int | None = None) -> Span:
        """Return it as it ended."""
        asks, before = tuple(self.asks), self.before
        return Span(session_no, asks, self.report, self.first, last, before, self.stopped, after)


def in_order(exchanges: Iterable[Exchange]) -> Mapping[EpisodeId, tuple[datetime, int]]:
    """
    Return for each what it is put in order by: when it began, then where in the ledger.

    Within a session nothing begins before what began there already. What was imported has its own
    time.
    """
    latest: dict[SessionId, datetime] = {}
    order: dict[EpisodeId, tuple[datetime, int]] = {}
    for one in sorted(exchanges, key=lambda one: one.ask_seq):
        at = one.instant
        if not one.is_imported:
            at = latest[one.session_id] = max(at, latest.get(one.session_id, at))
        order[one.id] = (at, one.ask_seq)
    return order


def spans_of(session_no: int, turns: Iterable[Turn], said: int | None = None) -> Iterator[Span]:
    """
    Yield the exchanges of a session, given its messages in their order.

    *said* is what an agent said last before them.

    A message of a user begins one, unless the one before it waits for its first answer: then it
    adds to what was asked. What is said before anybody asked belongs to none. What an agent said
    before what stands here already, and an import brought later, is no report: hooks are not told
    what agents say between their calls, and transcripts hold it.
    """
    begun: _Begun | None = None
    for turn in turns:
        if turn.role is Role.USER:
            if begun is not None and begun.is_asked_by(turn):
                continue
            past: Sequence[tuple[int, int]] = ()
            if begun is not None:
                yield begun.span(session_no, last=turn.position - 1, after=turn.seq)
                past = begun.past_at(turn.at)
            begun = _Begun(
                turn.position, said, [turn.seq], said_at=turn.at, asked_at=turn.at, past=past
            )
        elif turn.role is Role.ASSISTANT:
            if begun is None or begun.is_reported_by(turn):
                said = turn.seq
        elif begun is not None:
            begun.stopped = turn.seq
    yield from () if begun is None else (begun.span(session_no),)


def span_at(spans: Sequence[Span], position: int) -> Span | None:
    """Return the exchange that what stands at *position* belongs to; None if to none."""
    return next((one for one in reversed(spans) if one.holds(position)), None)
