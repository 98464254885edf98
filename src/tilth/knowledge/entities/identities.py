"""Read the identities of entities, which are addresses on transports, from a snapshot."""

import re
from collections.abc import Sequence

from tilth.core.ids import EntityId
from tilth.core.instant import from_micros
from tilth.core.scope import Owner, Visibility
from tilth.knowledge.entities.events import IdentityLinked
from tilth.knowledge.entities.identity import Address, Identity, LinkConfidence
from tilth.knowledge.entities.tables import Entities, folded
from tilth.ledger.engine import Row
from tilth.ledger.projection import storable
from tilth.ledger.records import RECORD, RECORD_WIDTH, read_as
from tilth.ledger.snapshot import Snapshot, SnapshotReader

# The special characters of LIKE.
_WILD = re.compile("[%_!]")
_IDENTITY = f"""
SELECT {RECORD}, i.confidence, i.verified_at FROM identities i
JOIN ledger l ON l.seq = i.identity_no WHERE l.payload IS NOT NULL AND
"""  # noqa: S608 - names of ours
# Checked for each identity found, instead of collecting all visible entities.
_SEEN = """EXISTS (SELECT 1 FROM entities n
WHERE n.entity_no = i.entity_no AND n.realm_no IN {integers}) AND """


class Identities(SnapshotReader):
    """The identities of one snapshot; those of a merged entity count as its winner's."""

    def __init__(self, view: Snapshot) -> None:
        super().__init__(view)
        self._entities = Entities(view)

    def holder(self, owner: Owner, address: Address) -> Identity | None:
        """Return whose an address is, visible or not; None if nobody's."""
        sql = f"{_IDENTITY} i.owner = ? AND i.transport = ? AND i.address = ?"
        rows = self._conn.rows(sql, (owner, address.transport, address.address))
        return _identity(rows[0]) if rows else None

    def at(self, address: Address, within: Visibility) -> Identity | None:
        """Return whose an address is among visible entities."""
        found = self._select(
            "i.owner = ? AND i.transport = ? AND i.address = ?",
            (within.owner, address.transport, address.address),
            within,
        )
        return found[0] if found else None

    def of(self, entity_id: EntityId, within: Visibility) -> list[Identity]:
        """Return the addresses of an entity, the first linked one first."""
        places = self._entities.with_merged(entity_id, within)
        return self._select("i.entity_no IN {integers} ORDER BY i.identity_no", (places,), within)

    def sharing(self, key: str, within: Visibility) -> list[Identity]:
        """Return the identities whose address has this key, on any transport."""
        condition = "i.owner = ? AND i.address = ? ORDER BY i.identity_no"
        return self._select(condition, (within.owner, storable(key)), within)

    def like(self, words: str, within: Visibility, *, limit: int) -> list[Identity]:
        """
        Return identities with *words* in the address, or in its display name.

        Case and spaces do not count; there are no wildcards.
        """
        condition = "i.owner = ? AND i.goes_by LIKE ? ESCAPE '!' ORDER BY i.identity_no LIMIT ?"
        literal = _WILD.sub(r"!\g<0>", storable(folded(words)))
        return self._select(condition, (within.owner, f"%{literal}%", limit), within)

    def _select(
        self, condition: str, params: Sequence[object], within: Visibility
    ) -> list[Identity]:
        rows = self._rows(_IDENTITY + _SEEN + condition, within, *params)
        return [_identity(row) for row in rows]


def _identity(row: Row) -> Identity:
    recorded, event = read_as(IdentityLinked, row)
    confidence, verified_at = row[RECORD_WIDTH:]
    draft = event.draft
    return Identity(
        entity_id=event.entity_id,
        address=draft.address,
        display_name=draft.display_name,
        confidence=LinkConfidence(confidence),
        by=recorded.by,
        linked_at=recorded.recorded_at,
        verified_at=None if verified_at is None else from_micros(verified_at),
    )
