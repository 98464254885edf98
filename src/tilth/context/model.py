"""The brief: what an agent is shown unasked, so that it begins with what is known."""

from enum import StrEnum

from tilth.context.context import Context
from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError
from tilth.core.ids import SessionId
from tilth.core.scope import Scope
from tilth.privacy.sanitize import sanitized
from tilth.privacy.terminal_text import one_line

# In tokens. Hosts cut a hook's output at 10,000 characters or 2,500 tokens; this stays below both.
BRIEF_TOKENS_MAX = 1500
BRIEF_TOKENS_MIN = 200
# In tokens: the budget of an opening brief, about what is read before work begins.
OPENING_TOKENS = 600
# In tokens: the budget beside a prompt, which competes for the same attention.
PROMPT_TOKENS = 600
# In characters. Longer texts are read by their ID (KB-120).
BULLET_CHARS_MAX = 200


class ProjectState(StrEnum):
    """Whether a project is worked on; agents are shown nothing unasked of one that is not."""

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
        """Whether agents are shown nothing of it unasked."""
        return self.state is not ProjectState.ACTIVE


class Block(StrEnum):
    """A block of a brief. The members are in the order in which blocks appear (C-18)."""

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
    PITFALLS = "pitfalls"
    RECENT = "recent"
    REPORTED = "reported"
    RECALLED = "recalled"


@dataclass(frozen=True, slots=True)
class BriefItem:
    """
    One line of a brief, ready to be shown, with the ID of the record that it shows.

    `heads` is filled for a line that only points elsewhere: the IDs of what stands there. `quotes`
    are the IDs of what it quotes besides.
    """

    text: str
    source: str
    heads: frozenset[str] | None = None
    quotes: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class BriefBlock:
    """A block: the items that fit, and those that were left out for want of room."""

    kind: Block
    items: tuple[BriefItem, ...]
    left_out: tuple[BriefItem, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BriefRequest:
    """
    For whom a brief is made, and how long it may be.

    Without a *question* the brief opens a session. With one, such as a user's prompt, it holds what
    answers the question, or nothing. *via* names the hook, tool or command that asks, *session_id*
    the session. A *budget_tokens* of 0 stands for the default budget. *is_asked* says whether
    somebody asked for the brief; otherwise `tilth.context.injection` decides what it may hold.
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
        """The budget in tokens: as requested, or the default for such a brief."""
        return self.budget_tokens or (PROMPT_TOKENS if self.question else OPENING_TOKENS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Brief:
    """
    A brief: the *text* to show, between markers, and the blocks that it was made of.

    The text is empty if there is nothing to show. *context* is what the receipt records once an
    agent has been shown the brief. Of a project *at rest* (paused or archived) it tells nothing.
    """

    text: str
    tokens: int
    blocks: tuple[BriefBlock, ...]
    context: Context
    is_at_rest: bool = False


def quoted(text: str, width: int = BULLET_CHARS_MAX) -> str:
    """Return the beginning of *text* on one line, in quotation marks, with all markup inert."""
    return f"“{one_line(sanitized(text[: width * 8]), width)}”"
