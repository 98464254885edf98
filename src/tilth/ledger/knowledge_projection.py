"""How each event of the structured tier shows in the tables."""

from functools import partial
from typing import TypeAlias

from tilth.core.event import Recorded
from tilth.knowledge.entities import rows as entity_rows
from tilth.knowledge.entities.events import (
    AliasAdded,
    AliasRemoved,
    EntitiesMerged,
    EntityRecorded,
    EntitySplit,
    EntityTyped,
)
from tilth.knowledge.facts import lives
from tilth.knowledge.facts import rows as fact_rows
from tilth.knowledge.facts.events import (
    ChangeUndone,
    FactArchived,
    FactRecorded,
    FactReinforced,
    FactRetired,
)
from tilth.knowledge.facts.life import archived, retired
from tilth.knowledge.graph.events import EdgeRecorded, EdgeRetired
from tilth.knowledge.outcomes import tables as outcomes
from tilth.knowledge.outcomes.events import OutcomeObserved, OutcomeRevoked
from tilth.knowledge.proposals.events import ProposalDecided, ProposalOpened, ProposalSnoozed
from tilth.knowledge.vocabulary import rows as word_rows
from tilth.knowledge.vocabulary.events import WordRegistered
from tilth.ledger.engine import Connection
from tilth.maintenance import tables as sweeps

FactEvent: TypeAlias = FactRecorded | FactReinforced | FactRetired | FactArchived | ChangeUndone
ProposalEvent: TypeAlias = ProposalOpened | ProposalDecided | ProposalSnoozed
EntityEvent: TypeAlias = (
    EntityRecorded
    | AliasAdded
    | AliasRemoved
    | EntityTyped
    | EntitiesMerged
    | EntitySplit
    | EdgeRecorded
    | EdgeRetired
)
OutcomeEvent: TypeAlias = OutcomeObserved | OutcomeRevoked
KnowledgeEvent: TypeAlias = FactEvent | ProposalEvent | EntityEvent | OutcomeEvent | WordRegistered


def project_knowledge(conn: Connection, recorded: Recorded, event: KnowledgeEvent) -> None:
    """Show *event* in the tables of the structured tier."""
    match event:
        case FactRecorded() | FactReinforced() | FactRetired() | FactArchived() | ChangeUndone():
            _project_fact(conn, recorded, event)
        case ProposalOpened():
            fact_rows.project_proposal(conn, recorded, event)
        case ProposalDecided():
            fact_rows.project_decision(conn, recorded, event)
        case ProposalSnoozed():
            fact_rows.project_snoozing(conn, event)
        case OutcomeObserved() | OutcomeRevoked():
            outcomes.project_outcome(conn, recorded, event)
        case WordRegistered():
            word_rows.project_word(conn, recorded, event)
        case _:
            _project_entity(conn, recorded, event)


def _project_fact(conn: Connection, recorded: Recorded, event: FactEvent) -> None:
    match event:
        case FactRecorded():
            fact_rows.project_fact(conn, recorded, event)
        case FactReinforced():
            fact_rows.project_reinforcement(conn, recorded, event)
        case FactRetired(fact_id=fact_id, valid_to=valid_to):
            at = valid_to or recorded.recorded_at
            lives.change(conn, recorded, fact_id, partial(retired, at=at))
        case FactArchived(fact_id=fact_id, sweep=sweep):
            lives.change(conn, recorded, fact_id, archived)
            if sweep is not None:
                sweeps.project_swept(conn, recorded, sweep)
        case ChangeUndone():
            fact_rows.project_undoing(conn, recorded, event)


def _project_entity(conn: Connection, recorded: Recorded, event: EntityEvent) -> None:
    match event:
        case EntityRecorded():
            entity_rows.project_entity(conn, recorded, event)
        case AliasAdded():
            entity_rows.project_alias(conn, event)
        case AliasRemoved():
            entity_rows.project_alias_removal(conn, event)
        case EntityTyped():
            entity_rows.project_type(conn, event)
        case _:
            _project_graph(conn, recorded, event)


def _project_graph(
    conn: Connection,
    recorded: Recorded,
    event: EntitiesMerged | EntitySplit | EdgeRecorded | EdgeRetired,
) -> None:
    match event:
        case EntitiesMerged():
            entity_rows.project_merge(conn, recorded, event)
        case EntitySplit():
            entity_rows.project_split(conn, event)
        case EdgeRecorded():
            entity_rows.project_edge(conn, recorded, event)
        case EdgeRetired():
            entity_rows.project_parting(conn, recorded, event)
