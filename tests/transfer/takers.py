"""What states what documents are."""

from tests.fakes import HashingEmbedder
from tilth.episodes.remember import WriteContext
from tilth.knowledge.facts.write.write_fact import Writing
from tilth.ledger.store import Store
from tilth.privacy.exclusion import Exclusion
from tilth.runtime.system import SystemClock
from tilth.transfer.import_rows import RowImporter


def a_taker(store: Store, recorder: WriteContext) -> RowImporter:
    """Return one that states whatever a document says."""
    writing = Writing(HashingEmbedder(), SystemClock(), recorder)
    return RowImporter(store.store_id, writing, Exclusion())
