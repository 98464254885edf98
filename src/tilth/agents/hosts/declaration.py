"""Declare a host's events, from which the hook's tables and the page on hosts are made."""

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum

from tilth.core.dataclass import dataclass


class Occasion(StrEnum):
    """What happens in a session, in the words of the page."""

    BEGIN = "a session begins"
    BEGIN_SUBAGENT = "a subagent begins"
    PROMPT = "the user speaks"
    TOOL = "a tool was used"
    FAILURE = "a tool failed"
    ANSWER = "the agent has answered"
    SUBAGENT = "a subagent has answered"
    COMPACTION = "the context was compacted"
    END = "the session ends"


@dataclass(frozen=True, slots=True, kw_only=True)
class Versions:
    """
    Which versions of a host are served, where not every one is.

    Attributes:
        command: How a shell calls it; `--version` behind it tells the version.
        last: The last major version that is served.
        said: What is to be known of the later ones, behind "version N".
    """

    command: str
    last: int
    said: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """
    One host, as `scripts/write_reference.py` writes it into `tilth_hook.py` and the page on hosts.

    Attributes:
        program: How the program calls itself.
        writes: Which files its setup makes, in words.
        edits: Which files of the user's that edits, in words.
        servers: Where the MCP server is named if its tools are wanted, in words.
        tells: At which of its events it tells of each occasion, in words.
        shows: The event at which it shows its agent what a hook says of each occasion.
        opens: The events at which a session begins.
        prompts: The events that tell what somebody typed.
        wakes: The events at which something is complete that the worker could take up, and
            nobody waits long.
        says: What it takes as an answer; EVENT and CONTEXT stand for strings of JSON.
        silence: What it takes where nothing is said.
        silences: The same at single events.
        versions: Which of its versions are served; None where every one with hooks is.
        confines: Whether commands of its agent may write in the project alone, unless its user
            allows more.
    """

    program: str
    writes: str
    edits: str
    servers: str
    tells: Mapping[Occasion, str]
    shows: Mapping[Occasion, str]
    opens: tuple[str, ...]
    prompts: tuple[str, ...]
    wakes: tuple[str, ...]
    says: str = '{"hookSpecificOutput": {"hookEventName": EVENT, "additionalContext": CONTEXT}}'
    silence: str = ""
    silences: Mapping[str, str] = field(default_factory=dict)
    versions: Versions | None = None
    confines: bool = False
