"""The brief: what is put before an agent unasked, so that it begins with what is known."""

from enum import StrEnum

from tilth.context.context import Context
from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError
from tilth.core.ids import SessionId
from tilth.core.scope import Scope
from tilth.privacy.defusing import defused
from tilth.privacy.inert import one_line

# Hosts cut what hooks say at 10,000 characters or 2,500 tokens; this stays clear of both.
BRIEF_TOKENS_MAX = 1500
BRIEF_TOKENS_MIN = 200
# So much opens a session unasked: about what a reader takes in before the work begins.
OPENING_TOKENS = 600
# What comes unasked beside a prompt shares the reader's attention with it.
PROMPT_TOKENS = 600
# A line that is longer is a text to be read with its ID (KB-120).
BULLET_CHARS_MAX = 200


class ProjectState(StrEnum):
    """Whether a project is worked on; of one that is not, agents are told nothing unasked."""

    ACTIVE = "active"
    PAUSED = "paused"
    ARCHIVED = "archived"


@dataclass(frozen=True, slots=True, kw_only=True)
class Project:
    """A project, how many episodes were recorded in it, and whether it is worked on."""

    scope: Scope
    state: ProjectState
    episode_count: int

    @property
    def is_at_rest(self) -> bool:
        """Whether nothing of it is told unasked."""
        return self.state is not ProjectState.ACTIVE


class Block(StrEnum):
    """A part of a brief, in the order in which they stand (C-18)."""

    RULES = "rules"
    FOUNDATIONAL = "foundational"
    NOTED = "noted"
    ASKED = "asked"
    COMMANDS = "commands"
    OPEN = "open"
    DOCUMENTS = "documents"
    ATTENTION = "attention"
    PAGES = "pages"
    SUMMARY = "summary"
    RECENT = "recent"
    PITFALLS = "pitfalls"
    REPORTED = "reported"
    RECALLED = "recalled"


@dataclass(frozen=True, slots=True)
class BriefItem:
    """
    One line of a brief, fit to be shown, and the ID of what it tells of.

    Of a line that only says where more stands, `heads` are the IDs of what stands there.
    """

    text: str
    source: str
    heads: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class BriefBlock:
    """A block with the items that fit, and those that were left out for want of room."""

    kind: Block
    items: tuple[BriefItem, ...]
    left_out: tuple[BriefItem, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BriefRequest:
    """
    For whom a brief is made.

    Without a *question* it opens a session; with one, such as a user's prompt,
    it holds what answers that, or nothing. *via* says which hook, tool or
    command asks, *session_id* in which session. A *budget_tokens* of 0 means
    as much as such a brief may have. *is_asked* says whether somebody asked for
    it, or it comes by itself, as `tilth.context.injection` allows.
    """

    question: str = ""
    session_id: SessionId | None = None
    via: str = ""
    budget_tokens: int = 0
    is_asked: bool = True

    def __post_init__(self) -> None:
        if self.budget_tokens and not BRIEF_TOKENS_MIN <= self.budget_tokens <= BRIEF_TOKENS_MAX:
            raise InvalidInputError(
                f"a brief has {BRIEF_TOKENS_MIN} to {BRIEF_TOKENS_MAX} tokens,"
                f" not {self.budget_tokens}"
            )

    @property
    def tokens_max(self) -> int:
        """The budget: what was asked for, or what such a brief may have."""
        return self.budget_tokens or (PROMPT_TOKENS if self.question else OPENING_TOKENS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Brief:
    """
    A brief: the *text* to show, between markers of ours, and what it was made of.

    An empty text means that there is nothing to tell. *context* is what its
    receipt records once it has been given.
    """

    text: str
    tokens: int
    blocks: tuple[BriefBlock, ...]
    context: Context


def quoted(text: str, width: int = BULLET_CHARS_MAX) -> str:
    """Return the beginning of *text* on one line, in quotation marks, with nothing in force."""
    return f"“{one_line(defused(text[: width * 8]), width)}”"
