"""What tools answer in structured form; their output schemas are made of these."""

from collections.abc import Mapping
from typing import NotRequired

from mcp_types import CallToolResult, TextContent

# The one of `typing` says too little about itself before Python 3.12 for schemas to be made of it.
from typing_extensions import TypedDict

from tilth.privacy.sanitize import sanitized, shortened


def answer(structured: Mapping[str, object], text: str) -> CallToolResult:
    """Return what a tool answers: *structured* for programs, *text* for the agent."""
    return CallToolResult(
        content=[TextContent(type="text", text=text)], structured_content=dict(structured)
    )


def label(text: str, chars: int) -> str:
    """Return the beginning of recorded words as a harmless line of at most *chars* characters."""
    return shortened(" ".join(sanitized(text).split()), chars)


class Shown(TypedDict):
    """What shows something recorded. *notice* says that it is data; some hosts show only this."""

    notice: NotRequired[str]


class RecalledItem(TypedDict):
    """
    One hit. *status* is its lifecycle, review and grade; *why* what each measure added.

    *evidence* are the episodes that a fact rests on.
    """

    id: str
    tier: str
    text: str
    is_cut: bool
    who: str
    at: str
    freshness: str
    status: str
    session_id: str
    scope: str
    evidence: NotRequired[list[str]]
    exchange: NotRequired[str]
    why: NotRequired[dict[str, float]]


class RecallResult(Shown):
    """Commands and hits that fit, and whether they answer."""

    answerable: bool
    confidence: float
    items: list[RecalledItem]
    left_out: int
    notes: list[str]
    commands: NotRequired[list[str]]


class FetchedItem(TypedDict):
    """One episode, or as much of it as fits. *lifecycle* is historical if an import brought it."""

    id: str
    text: str
    left_chars: int
    who: str
    kind: str
    at: str
    lifecycle: str
    session_id: str
    scope: str


class FetchResult(Shown):
    """Episodes, facts, playbooks, and the IDs under which nothing is seen."""

    items: list[FetchedItem]
    missing: list[str]


class ChangedItem(TypedDict):
    """An episode, or a session that was described."""

    id: str
    kind: str
    at: str
    text: str


class ChangesResult(Shown):
    """A page of changes, and where to go on."""

    items: list[ChangedItem]
    cursor: str
    has_more: bool


class RememberResult(TypedDict):
    """The episode that says it, whether it did before, and what no session is told of it."""

    id: str
    is_echo: bool
    notes: list[str]


class ProposeResult(TypedDict):
    """What waits for a human; none where nothing had to."""

    id: str


class FeedbackResult(TypedDict):
    """What the verdict is on."""

    id: str
