"""
What a session states that is worth telling in another one: whole sentences that a person typed.

Two things decide: how a sentence is said (`tilth.exchanges.worth`, learned from real sessions),
and where it stands: right after the agent was stopped, a sentence corrects. What asks, what orders
one step, and what cannot be read without its neighbours is no statement; the card of its exchange
tells it with them. What an agent reports is told by cards alone.
"""

import re
from collections.abc import Iterator

from tilth.core.text.prose import Sentence
from tilth.core.text.typed import typed_in
from tilth.episodes.episode import AGENT_PROMPTED, Role
from tilth.exchanges.speech import own_sentences, stands_alone, supposes
from tilth.exchanges.worth import worth
from tilth.knowledge.facts.statement import Statement
from tilth.learning.candidate import Candidate, StatementKind, Turn

CHARS_MIN, CHARS_MAX = 20, 320
RULE_CHARS_MIN = 12
# What is longer is a plan or a review that somebody handed over, and no word of theirs.
TYPED_CHARS_MAX = 700
# How likely it must be that a reader keeps it; below stands what only ever is a step of a task.
LEAST = 0.12
# A correction says by its place that it matters, and a plain preference or decision by its words.
_LEAST_CORRECTION = 0.02
# How reviewers, and programs that hand something over, begin.
_HANDED_OVER = re.compile(
    r"\W*(?:let'?s address\b|consider \w+ing\b|document\b|full transcript\b)|.*/tmp/",
    re.IGNORECASE,
)
# What asks for a habit in so many words needs no weighing.
_STANDING = re.compile(
    r"(?:and |also |so |please )*(?:from now on|going forward|in (?:the )?future\b|remember\s*[:,]"
    r"|remember (?:that|to)\b|(?:rule|convention)\s*:|(?:you (?:must|should) )?(?:always|never)\b"
    # "Always on the go", "never been there": how it is, not how it is to be.
    r"(?! (?:mind|a|an|the|on|in|at|so|been|had|seen|heard|knew|thought|would|could|nice|good)\b)"
    r"|(?:don'?t|do not) ever\b|whenever you\b|every time you\b)",
    re.IGNORECASE,
)
_OF_RULE = 0.9
_RULE = re.compile(
    r"\b(?:from now on|going forward|in (?:the )?future|always|never|every time|whenever"
    r"|(?:rule|convention)\s*:|remember (?:that|to)|make sure|be sure|(?:must|should) (?:not )?"
    r"(?:be|use|have|go|live|only|always|never|keep)|(?:don'?t|do not) ever"
    r"|we (?:don'?t|do not|never|always|only|no longer|use|want|need)|(?:should|must)n'?t"
    r"|instead of|rather than|by default|no longer|not allowed)\b"
    r"|^\W*(?:don'?t|do not|never|always|use|prefer|keep|avoid|only|no)\b",
    re.IGNORECASE,
)
_PREFERS = re.compile(
    r"\bi(?:'d| would)? (?:much |really |strongly )?(?:prefer|rather|hate|dislike|don'?t like"
    r"|want|like)\b|\bmy preference\b",
    re.IGNORECASE,
)
_PLAINLY = re.compile(
    r"\W*(?:i (?:much |really |strongly )?(?:prefer|hate|dislike|love|don'?t like)\b"
    r"|(?:we|i)(?:'ve| have)? (?:finally |now )?(?:decided|agreed|settled)\b"
    r"|(?:decision|decided|agreed|resolved)\s*:)",
    re.IGNORECASE,
)
_DECIDES = re.compile(
    r"\b(?:we|i)(?:'ve| have)? (?:finally |now )?(?:decided|agreed|settled|chose|chosen|opted)\b"
    r"|\bdeci(?:sion|ded)\b|\blet'?s (?:go with|use|stick|keep|drop|switch|not|call|have|make)\b"
    r"|\b(?:go|going|went) with\b|\bdeprecat|\bsupersede",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"\bTODO\b|\b(?i:still (?:open|unresolved|to do|missing|failing|needs?)|follow[- ]?up"
    r"|at some point|later on|look into|investigate|(?:will|need|have) to fix|not (?:yet )?solved"
    r"|intermittent|left to do|for another (?:day|pr)|open (?:item|question|issue))\b"
)
_REFUSES = re.compile(
    r"^\W*(?:no|nope|wait|stop|hold on|don'?t|do not|why (?:are|did) you|you (?:are|were|should|did"
    r"|deleted|forgot|missed)|that'?s (?:not|wrong)|not what|i (?:said|told|asked|meant))\b",
    re.IGNORECASE,
)
_ORDERS = re.compile(
    r"^\W*(?:(?:ok|okay|now|and|also|so|then|please|yes|let'?s)\W+)*"
    r"(?:(?:can|could|would|will) (?:you|we)|commit|push|run|check|look|show|read|find|explain"
    r"|continue|proceed|try|start|open|give"
    r"|tell|get|go|do|see|review|create|add|update|implement|fix|merge|rebase|pull|write)\b",
    re.IGNORECASE,
)


def statements(turn: Turn) -> Iterator[Candidate]:
    """Yield what a person states in a turn, each with how likely it is worth keeping."""
    episode = turn.episode
    is_users = episode.role is Role.USER and AGENT_PROMPTED not in episode.metadata
    if not turn.is_spoken or not is_users:
        return
    said = own_sentences(episode.text, Role.USER)
    is_page = sum(len(one.text) for one in said) > TYPED_CHARS_MAX
    typed = typed_in(episode.text)
    for sentence in said:
        text = " ".join(sentence.text.split())
        if is_standing(sentence, typed):
            yield Candidate(Statement(text=text), sentence.text, StatementKind.RULE, _OF_RULE)
            continue
        kind = kind_of(text, is_after_stop=turn.is_after_stop)
        if is_page or kind is None or not CHARS_MIN <= len(text) <= CHARS_MAX:
            continue
        likely = worth(text, Role.USER)
        is_plain = _PLAINLY.match(text) is not None
        least = _LEAST_CORRECTION if kind is StatementKind.CORRECTION or is_plain else LEAST
        if likely >= least:
            yield Candidate(Statement(text=text), sentence.text, kind, round(likely, 3))


def is_standing(sentence: Sentence, typed: str) -> bool:
    """Say whether a sentence asks for a habit, in words that a person typed: so it is a rule."""
    is_fit = RULE_CHARS_MIN <= len(sentence.text) <= CHARS_MAX
    is_asking = sentence.text.endswith("?")
    return is_fit and not is_asking and _STANDING.match(typed, sentence.start) is not None


def kind_of(text: str, *, is_after_stop: bool) -> StatementKind | None:
    """Say what a sentence of a person is; None where it states nothing that stands alone."""
    if supposes(text) or not stands_alone(text) or _HANDED_OVER.match(text):
        return None
    if is_after_stop or _REFUSES.search(text):
        return StatementKind.CORRECTION
    for kind, form in _FORMS:
        if form.search(text):
            return kind
    return None if _ORDERS.match(text) else StatementKind.FACT


_FORMS = (
    (StatementKind.DEFERRAL, _OPEN),
    (StatementKind.DECISION, _DECIDES),
    (StatementKind.PREFERENCE, _RULE),
    (StatementKind.PREFERENCE, _PREFERS),
)
