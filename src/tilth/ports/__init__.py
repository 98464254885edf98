"""
Every seam of the system.

Use cases see the world through these protocols and through nothing else.
A new backend is a new class that satisfies one of them and passes its
contract tests under `tests/contract/`.
"""

from tilth.ports.budgets import BudgetReader
from tilth.ports.contexts import ContextReader
from tilth.ports.conversations import ConversationFilter, ConversationReader
from tilth.ports.distillation import DistillationReader, Unread, Waiting
from tilth.ports.entities import Bearer, EdgeReader, EntityFilter, EntityReader
from tilth.ports.episodes import EpisodeFilter, EpisodeReader, Passage, Place
from tilth.ports.erasure import ErasureLog, TombstoneReader
from tilth.ports.exporting import Exporter, Exporting, Exports
from tilth.ports.gaps import GapFilter, GapReader, KnownGap
from tilth.ports.importing import (
    EXPORTED_KEY,
    Described,
    Importer,
    Item,
    Row,
    Skipped,
    Source,
    Spot,
    Told,
    ToldEdge,
    ToldEntity,
)
from tilth.ports.knowledge import (
    NOW,
    FactFilter,
    FactPlace,
    FactPlaceReader,
    FactReader,
    Filed,
    Moment,
    PastLife,
    ProposalFilter,
    ProposalReader,
    UnknownWord,
    WordReader,
)
from tilth.ports.models import Embedder, Vector, WordVectors
from tilth.ports.outcomes import OutcomeReader
from tilth.ports.people import PeopleReader
from tilth.ports.search import CorpusStats, Scored, Searched, SearchReader, SpaceStats
from tilth.ports.store import Appended, Reader, Store, Transaction
from tilth.ports.surroundings import Clock, Ids
from tilth.ports.tending import TendingReader
from tilth.ports.triples import Hop, PredicateCount, TripleReader

__all__ = [
    "EXPORTED_KEY",
    "NOW",
    "Appended",
    "Bearer",
    "BudgetReader",
    "Clock",
    "ContextReader",
    "ConversationFilter",
    "ConversationReader",
    "CorpusStats",
    "Described",
    "DistillationReader",
    "EdgeReader",
    "Embedder",
    "EntityFilter",
    "EntityReader",
    "EpisodeFilter",
    "EpisodeReader",
    "ErasureLog",
    "Exporter",
    "Exporting",
    "Exports",
    "FactFilter",
    "FactPlace",
    "FactPlaceReader",
    "FactReader",
    "Filed",
    "GapFilter",
    "GapReader",
    "Hop",
    "Ids",
    "Importer",
    "Item",
    "KnownGap",
    "Moment",
    "OutcomeReader",
    "Passage",
    "PastLife",
    "PeopleReader",
    "Place",
    "PredicateCount",
    "ProposalFilter",
    "ProposalReader",
    "Reader",
    "Row",
    "Scored",
    "SearchReader",
    "Searched",
    "Skipped",
    "Source",
    "SpaceStats",
    "Spot",
    "Store",
    "TendingReader",
    "Told",
    "ToldEdge",
    "ToldEntity",
    "TombstoneReader",
    "Transaction",
    "TripleReader",
    "UnknownWord",
    "Unread",
    "Vector",
    "Waiting",
    "WordReader",
    "WordVectors",
]
