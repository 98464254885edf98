"""Sessions: a run of episodes, or the sections of one document."""

from datetime import datetime

from tilth.core.dataclass import dataclass
from tilth.core.errors import LimitExceededError
from tilth.core.ids import SessionId
from tilth.core.scope import Owner, Scope
from tilth.episodes.episode import LABEL_CHARS_MAX

TAGS_MAX = 50
TITLE_CHARS_MAX = 500
FOLDER_CHARS_MAX = 4096
# How the ID of a session begins that keeps a page of the web.
FETCHED_SESSIONS = "fetched:"


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionInfo:
    """
    What is said about a session from outside; a later saying replaces an earlier one.

    `host` is the program that held it (`claude-code`, `slack`, `markdown`),
    `folder` where it ran, `uri` where its source lies.
    """

    title: str = ""
    host: str = ""
    folder: str = ""
    uri: str = ""
    tags: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        limits = {
            "title": TITLE_CHARS_MAX,
            "host": LABEL_CHARS_MAX,
            "folder": FOLDER_CHARS_MAX,
            "uri": FOLDER_CHARS_MAX,
        }
        for name, limit in limits.items():
            if len(getattr(self, name)) > limit:
                raise LimitExceededError(f"a session's {name} is longer than {limit} characters")
        if len(self.tags) > TAGS_MAX or any(len(tag) > LABEL_CHARS_MAX for tag in self.tags):
            raise LimitExceededError(
                f"a session has at most {TAGS_MAX} tags of {LABEL_CHARS_MAX} characters"
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One session as it stands: what was said about it, and what its episodes tell."""

    id: SessionId
    owner: Owner
    scope: Scope
    info: SessionInfo
    started_at: datetime
    last_at: datetime
    episode_count: int
