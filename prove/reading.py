"""Everything that a reader can get from a store, so that two of them can be compared."""

from contextlib import closing
from pathlib import Path

import apsw
import numpy as np

from prove.ground import FIRST_TIER, SecondTier
from tilth.core.scope import DEFAULT_OWNER, Visibility
from tilth.core.text.tokens import query_terms
from tilth.episodes.filters import EpisodeFilter
from tilth.episodes.tables import Episodes
from tilth.ledger.search import Search
from tilth.ledger.store import Store
from tilth.transfer.tables import imported

_EVERYTHING = EpisodeFilter(within=Visibility())
_QUESTIONS = ("backup failed on Tuesday", "invoice café", "who moved the garden", "東京")
# Every term with its place, and what ranking counts: the whole of the text index.
_INDEX = (
    "SELECT * FROM temp.instances ORDER BY term, doc, col, offset",
    "SELECT * FROM episode_terms_docsize ORDER BY id",
    "SELECT block FROM episode_terms_data WHERE id = 1",
    "SELECT * FROM episode_terms_config ORDER BY k",
)


def everything(store: Store, path: Path) -> list[object]:
    """Return every answer of *store*, in one order."""
    answers: list[object] = [store.store_id, store.digest()]
    with store.read() as view:
        last = view.head()
        answers += [last, view.events(limit=last.seq)]
        answers += [Episodes(view).select(_EVERYTHING, limit=last.seq)]
        answers += [Episodes(view).sessions(Visibility(), limit=last.seq)]
        answers += [imported(view, DEFAULT_OWNER, f"file:///{number}") for number in range(3)]
        seqs = range(last.seq + 2)
        for tier in (FIRST_TIER, SecondTier()):
            kept = Search(view).vectors(tier.space, seqs)
            answers.append({seq: vector.tobytes() for seq, vector in kept.items()})
            for question in _QUESTIONS:
                vector = np.asarray(tier.embed([question])[0])
                answers.append(Search(view).nearest(tier.space, vector, _EVERYTHING, limit=20))
        answers += [
            (one.space, one.vector_count, one.mean.tobytes()) for one in Search(view).spaces()
        ]
        for question in _QUESTIONS:
            terms = query_terms(question)
            answers.append(Search(view).lexical(terms, _EVERYTHING, limit=50))
            answers.append(Search(view).corpus(terms, Visibility()))
    return [*answers, *_text_index(path)]


def _text_index(path: Path) -> list[object]:
    with closing(apsw.Connection(str(path))) as conn:
        conn.execute(
            "CREATE VIRTUAL TABLE temp.instances USING fts5vocab(main, episode_terms, instance)"
        )
        return [conn.execute(sql).fetchall() for sql in _INDEX]
