"""One line for each thing that happened: what kind, of what, in which words."""

from typing import NamedTuple

from tilth.core.ids import (
    CONVERSATION_PREFIX,
    EDGE_PREFIX,
    ENTITY_PREFIX,
    FACT_PREFIX,
    GAP_PREFIX,
    PROPOSAL_PREFIX,
    episode_id_of,
)
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
from tilth.knowledge.proposals.events import ProposalDecided, ProposalOpened, ProposalSnoozed
from tilth.knowledge.vocabulary.events import WordRegistered
from tilth.ledger.events import Recorded
from tilth.people.conversation_events import ConversationBegun, ConversationMoved, SummaryWritten
from tilth.people.events import IdentityLinked, IdentityUnlinked, IdentityVerified, TraitTold


class Headline(NamedTuple):
    """What happened: its kind, the ID of what it happened to, and its words."""

    kind: str
    id: str
    text: str


def headline(recorded: Recorded) -> Headline:
    """Return the line of a change; see `tilth.episodes.changes` for which there are."""
    match recorded.event:
        case EpisodeRecorded(draft=draft):
            return Headline(draft.kind, episode_id_of(recorded.event_id), draft.text)
        case SessionDescribed(session_id=session_id, info=info):
            return Headline("session", session_id, info.title or info.folder)
        case WordRegistered(entry=entry):
            kind = "ignored" if entry.is_ignored else "registered"
            return Headline(kind, entry.name, entry.registry)
        case ProposalOpened() | ProposalDecided() | ProposalSnoozed():
            return _of_a_proposal(recorded, recorded.event)
        case _:
            return _of_a_fact(recorded)


def _of_a_proposal(
    recorded: Recorded, event: ProposalOpened | ProposalDecided | ProposalSnoozed
) -> Headline:
    match event:
        case ProposalOpened(draft=draft):
            return Headline("proposed", PROPOSAL_PREFIX + recorded.event_id, draft.reason)
        case ProposalDecided(proposal_id=proposal_id, ruling=ruling):
            return Headline("decided", proposal_id, ruling.action)
        case ProposalSnoozed(proposal_id=proposal_id, until=until):
            return Headline("snoozed", proposal_id, f"until {until:%Y-%m-%d}")


def _of_a_fact(recorded: Recorded) -> Headline:
    match recorded.event:
        case FactRecorded(said=said, lifecycle=lifecycle):
            return Headline(f"fact {lifecycle}", FACT_PREFIX + recorded.event_id, said.text)
        case FactReinforced(fact_id=fact_id):
            return Headline("fact reinforced", fact_id, "said again, from another source")
        case FactRetired(fact_id=fact_id, reason=reason):
            return Headline("fact retired", fact_id, reason)
        case FactArchived(fact_id=fact_id, reason=reason):
            return Headline("fact archived", fact_id, reason)
        case ChangeUndone(event_id=event_id, reason=reason):
            return Headline("undone", event_id, reason)
        case _:
            return _of_an_outcome(recorded)


def _of_an_outcome(recorded: Recorded) -> Headline:
    match recorded.event:
        case OutcomeObserved(draft=tested):
            return Headline("outcome", tested.fact_id, tested.kind)
        case OutcomeRevoked(fact_id=fact_id, reason=reason):
            return Headline("outcome revoked", fact_id, reason)
        case _:
            return _of_an_entity(recorded)


def _of_an_entity(recorded: Recorded) -> Headline:
    match recorded.event:
        case EntityRecorded(draft=draft):
            return Headline("entity", ENTITY_PREFIX + recorded.event_id, draft.name)
        case AliasAdded(entity_id=entity_id, alias=alias):
            return Headline("alias", entity_id, alias)
        case AliasRemoved(entity_id=entity_id, alias=alias):
            return Headline("alias removed", entity_id, alias)
        case EntityTyped(entity_id=entity_id, type=type_):
            return Headline("typed", entity_id, type_)
        case _:
            return _of_the_graph(recorded)


def _of_the_graph(recorded: Recorded) -> Headline:
    match recorded.event:
        case EntitiesMerged(winner=winner, loser=loser):
            return Headline("merged", loser, f"into {winner}")
        case EntitySplit(loser=loser, reason=reason):
            return Headline("split", loser, reason)
        case EdgeRecorded(draft=edge):
            words = f"{edge.source} {edge.kind} {edge.target}"
            return Headline("edge", EDGE_PREFIX + recorded.event_id, words)
        case EdgeRetired(edge_id=edge_id, reason=reason):
            return Headline("edge retired", edge_id, reason)
        case _:
            return _of_a_person(recorded)


def _of_a_person(recorded: Recorded) -> Headline:
    match recorded.event:
        case IdentityLinked(entity_id=entity_id, draft=link):
            return Headline("linked", entity_id, f"{link.address.transport} {link.address.address}")
        case IdentityVerified(entity_id=entity_id, address=address):
            return Headline("verified", entity_id, f"{address.transport} {address.address}")
        case IdentityUnlinked(entity_id=entity_id, address=address):
            return Headline("unlinked", entity_id, f"{address.transport} {address.address}")
        case TraitTold(draft=trait):
            return Headline("profile", trait.entity_id, f"{trait.key}: {trait.value}")
        case _:
            return _of_a_conversation(recorded)


def _of_a_conversation(recorded: Recorded) -> Headline:
    match recorded.event:
        case ConversationBegun(draft=draft):
            words = draft.topic or f"{draft.transport} {draft.address}".strip()
            return Headline("conversation", CONVERSATION_PREFIX + recorded.event_id, words)
        case ConversationMoved(conversation_id=conversation_id, status=status):
            return Headline("conversation", conversation_id, status)
        case SummaryWritten(draft=digest):
            return Headline("summary", digest.conversation_id, f"of {digest.count} messages")
        case _:
            return _of_a_gap(recorded)


def _of_a_gap(recorded: Recorded) -> Headline:
    match recorded.event:
        case GapDetected(draft=draft):
            return Headline("gap", GAP_PREFIX + recorded.event_id, draft.description)
        case GapEvidenced(gap_id=gap_id):
            return Headline("gap", gap_id, "came up again")
        case GapMoved(gap_id=gap_id, status=status):
            return Headline("gap", gap_id, status)
        case GapFiled(gap_id=gap_id, todo_ref=todo_ref):
            return Headline("gap filed", gap_id, todo_ref)
        case _:
            return _of_gaps(recorded)


def _of_gaps(recorded: Recorded) -> Headline:
    match recorded.event:
        case GapsMerged(winner=winner, loser=loser):
            return Headline("gap merged", loser, f"into {winner}")
        case GapsParted(winner=winner, loser=loser):
            return Headline("gap parted", loser, f"from {winner}")
        case FilingChosen(scope=scope, repository=repository):
            return Headline("filing", scope, f"into {repository}")
        case FilingEnded(scope=scope):
            return Headline("filing", scope, "ended")
        case _:
            raise AssertionError("nothing else is a change of what is known")
