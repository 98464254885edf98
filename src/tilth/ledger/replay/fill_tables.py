"""Fill empty tables and text indexes from the ledger."""

from collections.abc import Iterable, Mapping

from tilth.core.errors import ConflictError
from tilth.core.event import HasHeadline, Recorded
from tilth.ledger.chain import Row
from tilth.ledger.engine import Connection, TextIndex, Texts
from tilth.ledger.events import Gone
from tilth.ledger.log import recorded_of, remains_in, rows_in_force
from tilth.ledger.projection import Rows, project
from tilth.privacy.terminal_text import one_line

# In characters, how much is quoted of what takes a place.
_CHARS = 120


def fill(conn: Connection, texts: Texts[TextIndex]) -> None:
    """
    Make every projection and text index from the ledger, where all are empty.

    Raises:
        ConflictError: an event has no place beside those before it; the error says which.
    """
    show(Rows(conn, texts), rows_in_force(conn), remains_in(conn))


def show(rows: Rows, lines: Iterable[Row], remains: Mapping[bytes, Gone]) -> None:
    """
    Project rows of the ledger in order; of erased ones, what *remains*.

    Raises:
        ConflictError: an event cannot stand beside those before it; the error says which.
    """
    for line in lines:
        if recorded := recorded_of(line, remains):
            try:
                project(rows, recorded)
            except ConflictError as error:
                raise _no_room_error(recorded) from error


def _no_room_error(recorded: Recorded) -> ConflictError:
    """Return the error for an event that cannot stand beside what comes back."""
    id_, kind = recorded.made or recorded.event_id, recorded.event.kind.replace("_", " ")
    text = recorded.headline.text if isinstance(recorded.event, HasHeadline) else ""
    told = f": “{one_line(text, _CHARS)}”" if text else ""
    return ConflictError(
        f"{id_} ({kind}) has no room beside what would hold again{told}",
        hint=f"keep it, or undo that first: tilth undo {id_}",
    )
