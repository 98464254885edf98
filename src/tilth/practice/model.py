"""Uses of tools, the commands in them, and failures that were overcome."""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum

from tilth.core.dataclass import dataclass
from tilth.core.ids import EpisodeId, Id, SessionId
from tilth.core.scope import Scope

ABOUT_CHARS_MAX = 1_000


class FixId(Id, prefix="fix_", noun="a fix", plural="fixes"):
    """The identifier of a failure that was overcome: that of the episode in which it failed."""


class RunResult(StrEnum):
    """How a use of a tool ended."""

    OK = "ok"
    FAILED = "failed"
    UNKNOWN = "unknown"


class CommandKind(StrEnum):
    """What a command is for."""

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


# What a project's documentation would list. The others are parts of longer procedures.
LISTED = frozenset(CommandKind) - {CommandKind.SHIP, CommandKind.TASK}


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandStats:
    """
    A command as it was run here, counted once a session.

    `line` is the wording that was used in most sessions, without what only one run
    needs; `wordings` counts them all, and `common` is what they share, with … for the rest.
    `ok_count` and `failed_count` are runs.
    `instead` is what was run in its place where it never worked. `is_imported` says that no
    hook saw any of it: a file told it. `called_at` is the place in the ledger of the last call in
    the wording of `line`.
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
        The command as it is told to others.

        That is what runs all there is, where it was seen; else one wording where most sessions used
        it, and else what all have in common.
        """
        most = self.wordings[0][1] if self.wordings else 0
        is_usual = most * 2 > self.session_count and dict(self.wordings).get(self.line) == most
        return self.all_of_it or (self.line if is_usual else self.common)

    @property
    def works(self) -> bool:
        """Whether it came through more often than not, and at least once."""
        return self.ok_count > 0 and self.ok_count >= self.failed_count


# A longer symptom is kept to here.
SYMPTOM_CHARS = 180
# What an edit is of that names no file.
SOME_FILE = "a file"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fix:
    """
    A command failed, something was changed, and the same command came through.

    Attributes:
        line: The command.
        symptom: The line of its output that tells what was wrong.
        cause: What the agent gave as the reason, in its words; empty if it gave none.
        changed: The files that were edited between.
        ran: The commands that were run between and may have changed something.
        instead: The command that came through in its place, if another did.
        recurrence: In how many sessions the same symptom was overcome.
        failed_in: Where it failed.
        passed_in: Where it came through: the proof.
        told_in: Where the cause is told.
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
        """The files that were edited between, as far as the edits name them."""
        return [one for one in self.changed if one != SOME_FILE]

    @property
    def says_what_helped(self) -> bool:
        """Whether it says why it failed, or what worked instead."""
        return bool(self.instead or self.cause)

    @property
    def is_telling(self) -> bool:
        """Whether it says more than that something was edited: why, what instead, or how often."""
        is_explained = bool(self.symptom and self.cause)
        return is_explained or bool(self.instead) or self.recurrence > 1
