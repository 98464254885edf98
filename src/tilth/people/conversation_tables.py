"""The tables of conversations and summaries, and reading them."""

from collections.abc import Mapping, Sequence
from dataclasses import fields

from tilth.core.errors import NotFoundError
from tilth.core.event import Recorded
from tilth.core.ids import ConversationId
from tilth.core.scope import Owner, Visibility
from tilth.core.table import Table
from tilth.episodes.episode import Episode
from tilth.episodes.tables import Episodes
from tilth.knowledge.entities.tables import Entities
from tilth.ledger.engine import Row
from tilth.ledger.projection import Rows, projects
from tilth.ledger.records import RECORD, RECORD_WIDTH, find_place, place_of, read_as
from tilth.ledger.snapshot import Snapshot, SnapshotReader
from tilth.ledger.sql_list import one_of
from tilth.ledger.tables import not_there
from tilth.people.conversation import (
    Conversation,
    ConversationDraft,
    ConversationFilter,
    ConversationStatus,
    Summary,
    SummaryId,
    Thread,
)
from tilth.people.events import ConversationBegun, ConversationMoved, SummaryWritten
from tilth.people.tables import tally_of

CONVERSATIONS = Table(
    "conversations",
    no=23,
    since=2,
    is_record=True,
    columns=f"""
    conversation_no $integer PRIMARY KEY,
    realm_no        $integer NOT NULL,
    entity_no       $integer NOT NULL,
    transport       TEXT NOT NULL,
    address         TEXT NOT NULL,
    status          TEXT NOT NULL CHECK (status IN ({one_of(ConversationStatus)}))
""",
    indexes="""
CREATE UNIQUE INDEX one_open_conversation_by_a_way
    ON conversations (realm_no, entity_no, transport, address) WHERE status <> 'closed';
""",
)
SUMMARIES = Table(
    "summaries",
    no=24,
    since=2,
    is_record=True,
    columns="""
    summary_no      $integer PRIMARY KEY,
    conversation_no $integer NOT NULL,
    -- The places of the first and the last message that it is of.
    first_no        $integer NOT NULL,
    last_no         $integer NOT NULL CHECK (last_no >= first_no),
    message_count   $integer NOT NULL CHECK (message_count > 0),
    -- The place of the summary that superseded it.
    until           $integer CHECK (until > summary_no)
""",
    indexes="""
CREATE UNIQUE INDEX one_current_summary ON summaries (conversation_no) WHERE until IS NULL;
CREATE INDEX summaries_of_a_conversation ON summaries (conversation_no);
""",
)

_BEGUN = """
INSERT INTO conversations (conversation_no, realm_no, entity_no, transport, address, status)
VALUES (?, ?, ?, ?, ?, 'active')
"""
_MOVED = "UPDATE conversations SET status = ? WHERE conversation_no = ?"
_PAST = "UPDATE summaries SET until = ? WHERE conversation_no = ? AND until IS NULL"
_SUMMARY = """
INSERT INTO summaries (summary_no, conversation_no, first_no, last_no, message_count)
VALUES (?, ?, ?, ?, ?)
"""
_CONVERSATION = f"""
SELECT {RECORD}, c.status FROM conversations c JOIN ledger l ON l.seq = c.conversation_no
WHERE l.payload IS NOT NULL AND c.realm_no IN {{integers}} AND
"""  # noqa: S608 - names of ours
_SUMMARIES = f"""
SELECT {RECORD}, s.first_no, s.last_no, s.until
FROM summaries s JOIN ledger l ON l.seq = s.summary_no
WHERE l.payload IS NOT NULL AND
"""  # noqa: S608 - names of ours
_IN_SIGHT = """
s.summary_no IN {integers} AND EXISTS (
    SELECT 1 FROM conversations c JOIN ledger b ON b.seq = c.conversation_no
    WHERE c.conversation_no = s.conversation_no AND b.payload IS NOT NULL
    AND c.realm_no IN {integers}
)
"""
_ALL = 2**62
# No ID is empty; without this condition both engines would read episodes of all origins.
_OF_ONE = "o.conversation_id = ? AND o.conversation_id <> ''"
_COUNT = "SELECT {what}, count(*) FROM conversations c WHERE c.realm_no IN {integers} GROUP BY 1"
_COUNT_SUMMARIES = """
SELECT CASE WHEN s.until IS NULL THEN 'current' ELSE 'past' END, count(*)
FROM summaries s JOIN conversations c ON c.conversation_no = s.conversation_no
WHERE c.realm_no IN {integers} GROUP BY 1
"""


@projects(ConversationBegun)
def begun(rows: Rows, recorded: Recorded, event: ConversationBegun) -> None:
    """Project a conversation."""
    draft = event.draft
    realm = rows.realm_of(recorded, draft.scope)
    way = (rows.place_of(draft.entity_id), draft.transport, draft.address)
    rows.run(_BEGUN, (recorded.seq, realm, *way))


@projects(ConversationMoved)
def moved(rows: Rows, _: Recorded, event: ConversationMoved) -> None:
    """Project a change of status."""
    rows.run(_MOVED, (event.status.value, rows.place_of(event.conversation_id)))


@projects(SummaryWritten)
def summarised(rows: Rows, recorded: Recorded, event: SummaryWritten) -> None:
    """Project a summary."""
    draft = event.draft
    conversation_no = rows.place_of(draft.conversation_id)
    rows.run(_PAST, (recorded.seq, conversation_no))
    span = (rows.place_of(draft.first), rows.place_of(draft.last), draft.count)
    rows.run(_SUMMARY, (recorded.seq, conversation_no, *span))


class Conversations(SnapshotReader):
    """The conversations of one snapshot."""

    def __init__(self, view: Snapshot) -> None:
        super().__init__(view)
        self._entities = Entities(view)
        self._episodes = Episodes(view)

    def get(self, conversation_id: ConversationId, within: Visibility) -> Conversation:
        """
        Return one conversation.

        Raises:
            NotFoundError: there is none with this ID that may be seen.
        """
        return self._counted_up(self.thread(conversation_id, within), within)

    def thread(self, conversation_id: ConversationId, within: Visibility) -> Thread:
        """
        Return one conversation without counting its messages.

        Raises:
            NotFoundError: none with this ID is visible.
        """
        place = find_place(self._conn, conversation_id)
        found = self._threads("c.conversation_no = ?", (place or 0,), within)
        if not found:
            raise not_there(self._conn, "conversation", conversation_id, within)
        return found[0]

    def open_like(self, draft: ConversationDraft, owner: Owner) -> Conversation | None:
        """Return the open conversation with the same entity over the same transport; or None."""
        within = Visibility(owner, frozenset({draft.scope}))
        place = place_of(self._conn, draft.entity_id)
        found = self._threads(
            "c.entity_no = ? AND c.transport = ? AND c.address = ? AND c.status <> 'closed'",
            (place, draft.transport, draft.address),
            within,
        )
        return self._counted_up(found[0], within) if found else None

    def select(
        self, which: ConversationFilter, *, limit: int, offset: int = 0
    ) -> list[Conversation]:
        """Return conversations, the one that began last first."""
        threads = self.threads(which, limit=limit, offset=offset)
        return [self._counted_up(one, which.within) for one in threads]

    def threads(
        self, which: ConversationFilter, *, limit: int | None = None, offset: int = 0
    ) -> list[Thread]:
        """Return conversations without counting their messages, the one that began last first."""
        clauses, params = ["c.conversation_no > 0"], list[object]()
        if which.entity_id is not None:
            place = self._entities.get(which.entity_id, which.within).seq
            clauses.append(f"c.entity_no IN {self._integers}")
            params.append([place, *self._entities.below(place)])
        if which.transport is not None:
            clauses.append("c.transport = ?")
            params.append(which.transport)
        if which.status is not None:
            clauses.append("c.status = ?")
            params.append(which.status.value)
        condition = f"{' AND '.join(clauses)} ORDER BY c.conversation_no DESC LIMIT ? OFFSET ?"
        return self._threads(condition, (*params, limit or _ALL, offset), which.within)

    def messages(
        self,
        conversation_id: ConversationId,
        within: Visibility,
        *,
        after: int = 0,
        limit: int | None = None,
    ) -> list[Episode]:
        """Return the messages after a place, in ledger order."""
        sql = f"""SELECT o.episode_no FROM origins o WHERE {_OF_ONE} AND o.episode_no > ?
            ORDER BY o.episode_no LIMIT ?"""  # noqa: S608 - a condition of ours
        rows = self._conn.rows(sql, (conversation_id, after, limit or _ALL))
        return self._episodes.at([int(no) for (no,) in rows], within)

    def recent(
        self, conversation_id: ConversationId, within: Visibility, *, limit: int
    ) -> list[Episode]:
        """Return the last messages, the newest at the end."""
        sql = f"""SELECT e.seq FROM origins o JOIN episodes e ON e.seq = o.episode_no
            WHERE {_OF_ONE} AND e.realm_no IN {self._integers}
            ORDER BY e.seq DESC LIMIT ?"""  # noqa: S608 - bound
        rows = self._rows(sql, conversation_id, within, limit)
        return self._episodes.at([int(no) for (no,) in rows], within)

    def summaries(self, conversation_id: ConversationId, within: Visibility) -> list[Summary]:
        """Return every summary, oldest first; the last one is current."""
        place = self.thread(conversation_id, within).seq
        return self._summaries("s.conversation_no = ?", place)

    def summaries_at(self, seqs: Sequence[int], within: Visibility) -> list[Summary]:
        """Return the visible summaries at these places, in ledger order."""
        return self._summaries(_IN_SIGHT, seqs, within) if seqs else []

    def counts(self, within: Visibility) -> Mapping[str, Mapping[str, int]]:
        """Return counts: conversations by status and transport, messages, summaries."""
        return {
            "conversations": self._counted(_COUNT, within, what="c.status"),
            "transports": self._counted(_COUNT, within, what="c.transport"),
            "messages": self._messages(within),
            "summaries": self._counted(_COUNT_SUMMARIES, within),
        }

    def _counted(self, sql: str, within: Visibility, **names: str) -> Mapping[str, int]:
        rows = self._rows(sql.format(integers=self._integers, **names), within)
        return {str(word): int(count) for word, count in sorted(rows)}

    def _messages(self, within: Visibility) -> Mapping[str, int]:
        sql = """SELECT o.transport, count(*) FROM origins o
            JOIN episodes e ON e.seq = o.episode_no
            JOIN ledger l ON l.seq = e.seq AND l.payload IS NOT NULL
            WHERE o.conversation_id <> '' AND e.realm_no IN {integers} GROUP BY 1"""
        return self._counted(sql, within)

    def _threads(
        self, condition: str, params: Sequence[object], within: Visibility
    ) -> list[Thread]:
        return [_thread(row) for row in self._rows(_CONVERSATION + condition, within, *params)]

    def _summaries(self, condition: str, *params: object) -> list[Summary]:
        rows = self._rows(f"{_SUMMARIES} {condition} ORDER BY s.summary_no", *params)
        return [_summary(row) for row in rows]

    def _counted_up(self, thread: Thread, within: Visibility) -> Conversation:
        sql = f"""SELECT count(*), min(e.occurred_at), max(e.occurred_at)
            FROM origins o JOIN episodes e ON e.seq = o.episode_no
            JOIN ledger l ON l.seq = e.seq AND l.payload IS NOT NULL
            WHERE {_OF_ONE} AND e.realm_no IN {self._integers}"""  # noqa: S608 - bound
        tally = tally_of(self._rows(sql, thread.id, within)[0])
        known = {one.name: getattr(thread, one.name) for one in fields(Thread)}
        return Conversation(**known, tally=tally, entity_name=self.name_in(thread, within))

    def name_in(self, thread: Thread, within: Visibility) -> str:
        """Return the other side's present name; empty if it is not visible."""
        try:
            return self._entities.canonical(thread.draft.entity_id, within).name
        except NotFoundError:
            return ""


def _thread(row: Row) -> Thread:
    recorded, event = read_as(ConversationBegun, row)
    (status,) = row[RECORD_WIDTH:]
    return Thread(
        id=ConversationId.of(recorded.event_id),
        seq=recorded.seq,
        owner=recorded.owner,
        by=recorded.by,
        recorded_at=recorded.recorded_at,
        draft=event.draft,
        status=ConversationStatus(status),
    )


def _summary(row: Row) -> Summary:
    recorded, event = read_as(SummaryWritten, row)
    first_no, last_no, until = row[RECORD_WIDTH:]
    return Summary(
        id=SummaryId.of(recorded.event_id),
        seq=recorded.seq,
        by=recorded.by,
        recorded_at=recorded.recorded_at,
        draft=event.draft,
        first_seq=first_no,
        last_seq=last_no,
        is_current=until is None,
    )
