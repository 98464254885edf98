"""
Sentences that say of themselves what they are: a standing rule, a decision, something open.

Only the words decide, and whether a person typed them, so the same episode always
gives the same marks, and no model is asked. What nobody marked is found by recall.
"""

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from tilth.core.text.tokens import split_sentences
from tilth.episodes.episode import Episode, Role

# Longer ones are paragraphs that somebody forgot to end; shorter ones say nothing.
SENTENCE_CHARS_MAX = 400
SENTENCE_CHARS_MIN = 12
# What is read of one text: enough for any prompt, little enough for a pasted log.
READ_CHARS_MAX = 8_000

# What may stand between the end of a sentence and the space behind it.
_CLOSING = r"[\"')*_]*"
_BULLET = re.compile(r"^(?:[-*+>#]+|\d{1,3}[.)])\s+")


class Mark(StrEnum):
    """What a sentence says that it is."""

    RULE = "asked for"
    TESTIMONY = "said to be asked for"
    DECISION = "decided"
    PREFERENCE = "preferred"
    OPEN = "open"


class Marked(NamedTuple):
    """A sentence with its mark."""

    mark: Mark
    sentence: str


_RULE = re.compile(
    r"(?:and |also |so |please )*(?:from now on|going forward|in (?:the )?future\b|remember\s*[:,]"
    r"|remember (?:that|to)\b|(?:rule|convention)\s*:|(?:you (?:must|should) )?(?:always|never)\b"
    # "Always on the go", "never been there": how it is, not how it is to be.
    r"(?! (?:mind|a|an|the|on|in|at|so|been|had|seen|heard|knew|thought|would|could|nice|good)\b)"
    r"|(?:don'?t|do not) ever\b|whenever you\b|every time you\b)",
    re.IGNORECASE,
)
_DECISION = re.compile(
    r"\b(?:we|i)(?:'ve| have)? (?:finally |now )?(?:decided|agreed|settled|chose|chosen|opted)\b"
    r"|\b(?:decision|decided|agreed|resolved)\s*:"
    r"|\b(?:decided|agreed) (?:to|on|that|against|not)\b"
    r"|\bwe(?:'ll| will|'re going to| are going to) (?:now )?"
    r"(?:use|go with|keep|stick|switch|move|store|drop|adopt|not|stay)\b"
    r"|\blet'?s (?:go with|use|stick|keep|drop|switch)\b",
    re.IGNORECASE,
)
_PREFERENCE = re.compile(
    r"\bi(?:'d| would)? (?:much |really |strongly )?(?:prefer|rather|hate|dislike|don'?t like)\b"
    r"|\bmy preference\b",
    re.IGNORECASE,
)
_OPEN = re.compile(
    r"\bTODO\b|\b(?i:(?:open|remaining|next|follow[- ]?up)"
    r"(?: (?:question|issue|step|item|task|point)s?)?\s*:"
    r"|still (?:open|unresolved|to do|to be done|missing|failing|needs? (?:to|a)\b)"
    r"|next step|blocked (?:by|on)|unresolved|left to do)"
)


def marked(episode: Episode) -> Iterator[Marked]:
    """
    Yield the sentences of *episode* that carry a mark, in order.

    Rules and preferences are the user's to give, in words that a person typed; where others
    say that the user gave one, it is testimony. What a tool put out carries no mark.
    """
    if episode.role not in (Role.USER, Role.ASSISTANT):
        return
    is_users, typed, at = episode.role is Role.USER, episode.typed, 0
    for sentence in sentences(episode.text):
        at = episode.text.index(sentence, at)
        mark = _mark(sentence, is_users=is_users)
        if mark is Mark.RULE and not _RULE.match(typed[at : at + len(sentence)]):
            mark = Mark.TESTIMONY
        at += len(sentence)
        if mark is not None:
            yield Marked(mark, sentence)


def sentences(text: str) -> Iterator[str]:
    """Yield the sentences of *text* that are neither too short nor too long to stand alone."""
    for part in split_sentences(text[:READ_CHARS_MAX], closing=_CLOSING):
        sentence = _BULLET.sub("", part.strip()).strip()
        if SENTENCE_CHARS_MIN <= len(sentence) <= SENTENCE_CHARS_MAX:
            yield sentence


def _mark(sentence: str, *, is_users: bool) -> Mark | None:
    """Return the first mark that holds; a question decides nothing and asks for no habit."""
    if sentence.endswith("?"):
        return Mark.OPEN if _OPEN.search(sentence) else None
    if is_users and _RULE.match(sentence):
        return Mark.RULE
    if _DECISION.search(sentence):
        return Mark.DECISION
    if is_users and _PREFERENCE.search(sentence):
        return Mark.PREFERENCE
    return Mark.OPEN if _OPEN.search(sentence) else None
