"""In which scope an event changed something: what decides who is told of it."""

from tilth.core.ids import CONVERSATION_PREFIX, ConversationId, EntityId
from tilth.core.scope import GLOBAL, Scope, Visibility
from tilth.episodes.events import EpisodeRecorded, SessionDescribed
from tilth.gaps.events import (
    FilingChosen,
    FilingEnded,
    GapDetected,
    GapEvidenced,
    GapFiled,
    GapMoved,
    GapsMerged,
    GapsParted,
)
from tilth.knowledge.entities.events import (
    AliasAdded,
    AliasRemoved,
    EdgeRecorded,
    EdgeRetired,
    EntitiesMerged,
    EntityRecorded,
    EntitySplit,
    EntityTyped,
)
from tilth.knowledge.facts.events import (
    ChangeUndone,
    FactArchived,
    FactRecorded,
    FactReinforced,
    FactRetired,
)
from tilth.knowledge.outcomes.events import OutcomeObserved, OutcomeRevoked
from tilth.knowledge.outcomes.outcome import OutcomeDraft
from tilth.knowledge.proposals.events import ProposalDecided, ProposalOpened, ProposalSnoozed
from tilth.knowledge.vocabulary.events import WordRegistered
from tilth.ledger.engine import Connection
from tilth.ledger.events import Event, Recorded
from tilth.ledger.places import place_of
from tilth.people.conversation_events import ConversationBegun, ConversationMoved, SummaryWritten
from tilth.people.events import IdentityLinked, IdentityUnlinked, IdentityVerified, TraitTold

# What tells nothing of what is known: they are in the ledger, and no changes.
SILENT = (
    "store_created",
    "import_finished",
    "context_given",
    "feedback_given",
    "sessions_distilled",
    "erased",
    "session_read",
    "distillation_reopened",
    "gaps_pulsed",
    "sweep_begun",
)
_SCOPE = "SELECT r.scope FROM {table} t JOIN realms r ON r.realm_no = t.realm_no WHERE {where}"
_FACT = _SCOPE.format(table="lives", where="t.fact_no = ? AND t.until IS NULL")
_UNDONE = _SCOPE.format(table="lives", where="t.since = ?")
_PROPOSAL = _SCOPE.format(table="proposals", where="t.proposal_no = ?")
_ENTITY = _SCOPE.format(table="entities", where="t.entity_no = ?")
_CONVERSATION = _SCOPE.format(table="conversations", where="t.conversation_no = ?")
_GAP = _SCOPE.format(table="gaps", where="t.gap_no = ?")
_EDGE = _SCOPE.format(table="edges", where="t.edge_no = ?")


def is_seen(conn: Connection, recorded: Recorded, within: Visibility) -> bool:
    """Say whether a change may be told to a reader."""
    scope = _told(recorded.event) or _looked_up(conn, recorded)
    return scope is not None and within.admits(recorded.owner, scope)


def _told(event: Event) -> Scope | None:
    """Return the scope that an event names itself."""
    match event:
        case (
            SessionDescribed(scope=scope)
            | FactRecorded(scope=scope)
            | FilingChosen(scope=scope)
            | FilingEnded(scope=scope)
        ):
            return scope
        case (
            EpisodeRecorded(draft=draft)
            | ProposalOpened(draft=draft)
            | EntityRecorded(draft=draft)
            | EdgeRecorded(draft=draft)
            | ConversationBegun(draft=draft)
            | GapDetected(draft=draft)
        ):
            return draft.scope
        case WordRegistered():
            # Registries belong to an owner, wherever their words are used.
            return GLOBAL
        case _:
            return None


def _looked_up(conn: Connection, recorded: Recorded) -> Scope | None:
    """Return the scope of what an event is about; None where that says nothing to anybody."""
    match recorded.event:
        case (
            FactReinforced(fact_id=about)
            | FactRetired(fact_id=about)
            | FactArchived(fact_id=about)
            | OutcomeObserved(draft=OutcomeDraft(fact_id=about))
            | OutcomeRevoked(fact_id=about)
        ):
            sql, place = _FACT, place_of(conn, about)
        case ChangeUndone():
            sql, place = _UNDONE, recorded.seq
        case ProposalDecided(proposal_id=about) | ProposalSnoozed(proposal_id=about):
            sql, place = _PROPOSAL, place_of(conn, about)
        case EntitiesMerged(loser=about) | EntitySplit(loser=about):
            sql, place = _ENTITY, place_of(conn, about)
        case (
            GapEvidenced(gap_id=about)
            | GapMoved(gap_id=about)
            | GapFiled(gap_id=about)
            | GapsMerged(loser=about)
            | GapsParted(loser=about)
        ):
            sql, place = _GAP, place_of(conn, about)
        case EdgeRetired(edge_id=about):
            sql, place = _EDGE, place_of(conn, about)
        case event:
            about_one = _entity_of(event) or _conversation_of(event)
            if about_one is None:
                return None
            sql = _CONVERSATION if about_one.startswith(CONVERSATION_PREFIX) else _ENTITY
            place = place_of(conn, about_one)
    found = conn.rows(sql, (place,))
    return Scope(found[0][0]) if found else None


def _entity_of(event: Event) -> EntityId | None:
    """Return the entity that an event names, alone."""
    match event:
        case (
            AliasAdded(entity_id=entity_id)
            | AliasRemoved(entity_id=entity_id)
            | EntityTyped(entity_id=entity_id)
            | IdentityLinked(entity_id=entity_id)
            | IdentityVerified(entity_id=entity_id)
            | IdentityUnlinked(entity_id=entity_id)
        ):
            return entity_id
        case TraitTold(draft=draft):
            return draft.entity_id
        case _:
            return None


def _conversation_of(event: Event) -> ConversationId | None:
    match event:
        case ConversationMoved(conversation_id=conversation_id):
            return conversation_id
        case SummaryWritten(draft=digest):
            return digest.conversation_id
        case _:
            return None
