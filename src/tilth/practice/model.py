"""The model of practice: uses of tools, commands, and failures that were overcome."""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum

from tilth.core.dataclass import dataclass
from tilth.core.ids import EpisodeId, Id, SessionId
from tilth.core.scope import Scope

ABOUT_CHARS_MAX = 1_000


class FixId(Id, prefix="fix_", noun="a fix", plural="fixes"):
    """The identifier of an overcome failure, made from that of the episode of the failure."""


class RunResult(StrEnum):
    """How a use of a tool ended."""

    OK = "ok"
    FAILED = "failed"
    UNKNOWN = "unknown"


class CommandKind(StrEnum):
    """The purpose of a command."""

    TEST = "test"
    LINT = "lint"
    TYPES = "types"
    FORMAT = "format"
    BUILD = "build"
    RUN = "run"
    DEPLOY = "deploy"
    SETUP = "setup"
    SHIP = "ship"
    TASK = "task"


# Purposes that a project's documentation would list; the others are parts of procedures.
LISTED = frozenset(CommandKind) - {CommandKind.SHIP, CommandKind.TASK}


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandStats:
    """
    A command as it was run in a project, counted once in each session.

    `line` is the wording of most sessions, without what only one run needs; `wordings` counts all
    of them, and `common` is what they share, with … for the rest. `ok_count` and `failed_count`
    count runs. `instead` was run in its place where it never worked. `is_imported` says that only a
    file tells of it, and no hook saw a run. `called_at` is the place in the ledger of the last call
    with the wording `line`.
    """

    line: str
    common: str
    kind: CommandKind
    scope: Scope
    session_count: int
    ok_count: int
    failed_count: int
    unknown_count: int
    first_at: datetime
    last_at: datetime
    wordings: Sequence[tuple[str, int]] = ()
    instead: str = ""
    is_imported: bool = False
    session_ids: Sequence[SessionId] = ()
    called_at: int = 0
    all_of_it: str = ""

    @property
    def shown(self) -> str:
        """
        The command as it is shown.

        That is the wording that runs everything, if there is one; else the wording of most
        sessions, or what all have in common.
        """
        most = self.wordings[0][1] if self.wordings else 0
        is_usual = most * 2 > self.session_count and dict(self.wordings).get(self.line) == most
        return self.all_of_it or (self.line if is_usual else self.common)

    @property
    def works(self) -> bool:
        """Whether it succeeded at least once, and more often than not."""
        return self.ok_count > 0 and self.ok_count >= self.failed_count


# In characters, the length to which a symptom is cut.
SYMPTOM_CHARS = 180
# The object of an edit that names no file.
SOME_FILE = "a file"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fix:
    """
    A command that failed and, after a change, succeeded.

    Attributes:
        line: The command.
        symptom: The line of its output that says what was wrong.
        cause: The reason in the agent's words; empty if it gave none.
        changed: The files edited between failure and success.
        ran: Other commands run between them that may have changed something.
        instead: Another command that succeeded in its place, if any.
        recurrence: In how many sessions the same symptom was overcome.
        failed_in: The episode of the failure.
        passed_in: The episode of the success, which is the proof.
        told_in: The episode with the cause.
    """

    id: FixId
    scope: Scope
    session_id: SessionId
    line: str
    kind: CommandKind
    symptom: str
    cause: str
    changed: Sequence[str]
    ran: Sequence[str]
    instead: str
    recurrence: int
    failed_at: datetime
    passed_at: datetime
    failed_in: EpisodeId
    passed_in: EpisodeId
    told_in: EpisodeId | None = None

    @property
    def files(self) -> Sequence[str]:
        """The files edited in between, where the edits name them."""
        return [one for one in self.changed if one != SOME_FILE]

    @property
    def says_what_helped(self) -> bool:
        """Whether it gives the reason, or what worked instead."""
        return bool(self.instead or self.cause)

    @property
    def is_telling(self) -> bool:
        """Whether it tells more than an edit: a reason, a replacement, or a recurrence."""
        is_explained = bool(self.symptom and self.cause)
        return is_explained or bool(self.instead) or self.recurrence > 1
