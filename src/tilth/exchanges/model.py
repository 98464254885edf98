"""
The exchange: the unit in which work is remembered.

An exchange is one ask with the report that ended it: what was asked, what was done, how it ended.
It is a span of a session and holds no words of its own. So it always agrees with the episodes that
it is read from, and what is erased there is gone here.
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
from tilth.core.text.prose import with_straight_quotes
from tilth.episodes.episode import Role

# In characters. A longer text is read by its ID.
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
# Reports of a failure: somebody says that it fails, or pastes its output.
_FAILS = Worded(
    r"\b(?:there (?:is|are)|there's|(?:i|we)(?: am| are|'m|'re)?(?: still| now)? (?:have"
    r"|get(?:ting)?|got|see(?:ing)?))(?: \w+){0,3} (?:errors?|failures?)\b"
    r"|Traceback \(most recent call last\)|(?:^|\n)\s*(?-i:FAIL(?:ED)?\b|\w*Error: )",
    "error fail traceback",
)
_DOUBT_CHARS = 400
# Where a program fills in a template: "[[ ## field ## ]]", "### Instruction:", "<|im_start|>".
_TEMPLATE = pattern(
    r"^\s*(?:\[\[ ?## ?\w+ ?## ?\]\]|<\|\w+\|>|\{\{ ?\w+ ?\}\}"
    r"|###+ (?:Instruction|Input|Response):)",
    re.IGNORECASE | re.MULTILINE,
)
_SET_ANSWER = Worded(
    r"\b(?:respond|reply|answer|output|return|say) (?:with |back )?"
    r"(?:exactly|only|just|nothing but)(?: (?:the|this|one)(?: \w+)?)?:? "
    r"(?:[\"'`“][^\"'`”\n]{1,40}[\"'`”]|"
    # The name of a format or kind of value is no set word.
    r"(?-i:(?!(?:CSV|HTML|IDS?|JSON|SQL|URLS?|XML|YAML)\b)[A-Z][A-Z_]+\b))",
    "respond reply answer output return say",
    "exactly only just nothing",
)
# Calls for output that a program reads, as in "Respond with only the JSON object".
_FOR_A_PROGRAM = Worded(
    r"\b(?:respond|reply|answer) (?:with (?:only|just|nothing but)|only with)"
    r"(?: (?:an?|the|valid|raw|strict|single))* JSON\b",
    "json",
)
_SCRIPT_CHARS = 600
# A host's command template: at most the command's name, then a heading above filled-in output.
_FILLED_IN = pattern(r"(?:\s*/[a-z][\w:-]*[^\n]*\n)*\s*#{1,6}[ \t]+\S")
_INTERRUPTION = "[Request interrupted by user"


def is_interruption(text: str) -> bool:
    """Say whether *text* is the note that the user stopped the agent."""
    return text.startswith(_INTERRUPTION)


def is_scripted(text: str) -> bool:
    """
    Say whether a program made an ask: a template, or a call for set words alone.

    A probe of a harness ("Respond with exactly PASS") is nobody's work.
    """
    if len(text) > _SCRIPT_CHARS and _FILLED_IN.match(text):
        return True
    begun = text[:_SCRIPT_CHARS]
    if _TEMPLATE.search(begun) is not None or _FOR_A_PROGRAM.search(begun) is not None:
        return True
    return len(text) <= _SCRIPT_CHARS and _SET_ANSWER.search(text) is not None


def doubts(text: str) -> bool:
    """Say whether an ask doubts the report before it, which is void until that is settled."""
    begun = with_straight_quotes(text[:_DOUBT_CHARS])
    return _DOUBTS.search(begun) is not None or tells_of_failure(begun)


def tells_of_failure(text: str) -> bool:
    """Say whether somebody says that something fails, or shows its output."""
    return _FAILS.search(text) is not None


def is_question(text: str) -> bool:
    """
    Say whether *text* only asks.

    Either each of its sentences ends with a question mark, or it is one line that begins as a
    question.
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
    The span of an exchange, by places in the ledger.

    `asks` are the messages that ask; several where the user added to an ask before anything was
    answered. `report` is the last answer; None if there is none. The span covers the positions
    `first` to `last` of its session; `last` is None while the session goes on. `before` is the
    agent's last message before the span, `stopped` the machinery's last message, `after` the next
    ask.
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
        """Say whether *position* of the session belongs to the exchange."""
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

    `id` is that of the asking message. The exchange began at `instant` in true order, whatever its
    clock said (ADR 42), and at `began_at` by that clock. `ask` and `report` are word for word;
    `is_doubted` says that the next ask doubts the report. `question` is what the agent said before
    an ask that only answers it ("yes", "the second"). `files` were changed; `commands` were run,
    each with its outcome; `commits` were made. `is_persons` says that a person asked, and no agent
    or program; `is_taken_back` that the session later restored the files or undid the commit.
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
        """Whether the ask is only a question, which says nothing that its answer does not."""
        return is_question(self.ask)

    @property
    def is_standing(self) -> bool:
        """Whether a person asked for it, and it was not undone."""
        return self.is_persons and not self.is_taken_back


@dataclass(slots=True)
class _Begun:
    """An exchange while its messages are read."""

    first: int
    before: int | None
    asks: list[int]
    report: int | None = None
    stopped: int | None = None
    said_at: int = 0
    asked_at: int = 0
    # Ranges of time, of earlier exchanges, that end after this one began: a clock was set back.
    past: Sequence[tuple[int, int]] = ()

    def past_at(self, at: int) -> list[tuple[int, int]]:
        """Return the ranges of time of this exchange and earlier ones that end after *at*."""
        every = (*self.past, (self.asked_at, self.said_at))
        return [one for one in every if one[1] > at]

    def is_asked_by(self, turn: Turn) -> bool:
        """Add a user's turn to the asks and return True, unless something was already answered."""
        if self.report is not None or self.stopped is not None:
            return False
        self.asks.append(turn.seq)
        self.said_at = turn.at
        return True

    def is_reported_by(self, turn: Turn) -> bool:
        """Take an agent's turn as the report and return True, unless it was said before the ask."""
        if turn.at < self.said_at or any(one <= turn.at <= end for one, end in self.past):
            return False
        self.report, self.stopped, self.said_at = turn.seq, None, turn.at
        return True

    def span(self, session_no: int, *, last: int | None = None, after: int | None = None) -> Span:
        """Return the span, now that the exchange has ended."""
        asks, before = tuple(self.asks), self.before
        return Span(session_no, asks, self.report, self.first, last, before, self.stopped, after)


def in_order(exchanges: Iterable[Exchange]) -> Mapping[EpisodeId, tuple[datetime, int]]:
    """
    Return the sort key of each exchange: when it began, then its place in the ledger.

    Within a session no exchange sorts before an earlier one of that session. Imported ones keep
    their own time.
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
    Yield the spans of a session, given its messages in order.

    *said* is the agent's last message before them.

    A user's message begins an exchange, unless the one before has no answer yet; then it adds to
    that ask. Messages before the first ask belong to no exchange. An agent's message that an import
    added later, dated before what is already there, is no report: transcripts hold what agents say
    between their calls, and hooks do not.
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
    """Return the span that covers *position*; None if none does."""
    return next((one for one in reversed(spans) if one.holds(position)), None)
