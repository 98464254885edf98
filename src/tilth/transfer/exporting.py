"""Writing down what a brain knows, for others to read."""

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from typing import Protocol

from tilth.core.dataclass import dataclass
from tilth.core.ids import EventId
from tilth.core.json import JsonObject
from tilth.core.scope import Visibility


@dataclass(frozen=True, slots=True, kw_only=True)
class Exporting:
    """
    What is to be written where; *is_shared* leaves out what is nobody else's business.

    *is_whole* writes the ledger itself, whoever owns what: another store is made of it.
    A vault has *links*, by which its pages name one another, and with *is_raw* what was said.
    """

    path: str
    within: Visibility
    is_shared: bool = False
    is_whole: bool = False
    is_forced: bool = False
    links: str = ""
    is_raw: bool = False


class Exporter(Protocol):
    """Writes rows where a caller asks for them."""

    def write(self, path: str, rows: Iterable[JsonObject], *, is_forced: bool = False) -> None:
        """
        Write *rows* to *path*, one JSON object a line: all of them, or nothing is there.

        Raises:
            ConflictError: something is there, and *is_forced* is false.
            UnavailableError: it cannot be written.
        """
        ...


class Exports(Protocol):
    """The exports that were made here: whoever erases writes them again."""

    def note(self, store_id: str, told: Exporting) -> None:
        """Remember where an export of a store lies, and what was asked for."""
        ...

    def naming(self, store_id: str, event_ids: AbstractSet[EventId]) -> Sequence[Exporting]:
        """
        Return the exports of a store that are still there and name any of these events.

        A vault is brought up to date, whatever it names.
        """
        ...
