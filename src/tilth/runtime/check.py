"""The results of checks: of the machine, the store, and what it holds."""

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum

from tilth.core.dataclass import dataclass
from tilth.core.json import Json


class Status(StrEnum):
    """The result of a check, from good to bad; `skip` if it could not be made."""

    OK = "ok"
    SKIP = "skip"
    WARN = "warn"
    FAIL = "fail"


# The name of each check for a person. Programs use its ID.
_LOOKED_AT = {
    "disk": "Disk space",
    "hooks.heard": "Agents that were set up",
    "hooks.paused": "Capturing of sessions",
    "hooks.receipts": "What setting up agents changed",
    "hooks.spool": "What hooks wrote",
    "import.transcripts": "Transcripts on this machine",
    "knowledge.metadata": "Free fields of facts",
    "knowledge.orphans": "Facts without a source",
    "knowledge.unused": "Parts in use",
    "mcp.tools": "Tools of the memory in agents",
    "models": "Language models",
    "places.data": "Data folder",
    "places.state": "State folder",
    "places.store": "Store file",
    "recall.canary": "A question with a known answer",
    "runtime.python": "Version of Python",
    "runtime.sqlite": "Version of SQLite",
    "settings": "Settings",
    "skills.aside": "Files of skills that somebody changed",
    "store.backup": "Last backup",
    "store.clock": "Clock",
    "store.erased": "What was forgotten",
    "store.heads": "Signed state beside the store",
    "store.opens": "Opening the store",
    "store.same": "Same store as before",
    "store.whole": "Store unchanged since written",
    "vectors.backlog": "Search vectors to be made",
    "vectors.first": "First search model",
    "vectors.second": "Second search model",
    "vectors.spaces": "Search models of stored vectors",
    "web": "The web",
    "worker.stages": "Background work",
}


@dataclass(frozen=True, slots=True)
class Check:
    """One check: what was examined, the result, and what mends it."""

    id: str
    status: Status
    summary: str
    fix: str = ""
    detail: Mapping[str, Json] = field(default_factory=dict)

    @property
    def looked_at(self) -> str:
        """What was examined, in words for a person."""
        return _LOOKED_AT.get(self.id, self.id)
