"""How a check of the machine, the store or what it holds went."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from tilth.core.json import Json


class Status(StrEnum):
    """How a check went, from good to bad; `skip` means that it could not be made."""

    OK = "ok"
    SKIP = "skip"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True, slots=True)
class Check:
    """One check: what it looked at, how that is, and what to do about it."""

    id: str
    status: Status
    summary: str
    fix: str = ""
    detail: Mapping[str, Json] = field(default_factory=dict)
