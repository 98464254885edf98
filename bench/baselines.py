"""What recall has to beat: the text index of SQLite alone, and BM25 alone."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Protocol

import apsw
import numpy as np
from numpy.typing import NDArray

from tilth.core.text.tokens import STOP_WORDS, index_terms, query_terms

_WORD = re.compile(r"[a-z0-9]+")
_K1, _B = 0.9, 0.3


class Baseline(Protocol):
    """Ranks texts for a question."""

    def best(self, question: str, limit: int) -> list[int]:
        """Return the numbers of the best texts, best first."""
        ...


class Fts5Alone:
    """SQLite's full text with its own Porter stemmer and BM25; any word may match."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._db = apsw.Connection(":memory:")
        self._db.execute("CREATE VIRTUAL TABLE t USING fts5(x, tokenize = 'porter unicode61')")
        rows = list(enumerate(texts))
        self._db.executemany("INSERT INTO t (rowid, x) VALUES (?, ?)", rows)

    def best(self, question: str, limit: int) -> list[int]:
        """Return the numbers of the best texts, best first."""
        words = _WORD.findall(question.lower())
        words = [word for word in words if word not in STOP_WORDS] or words
        if not words:
            return []
        match = " OR ".join(f'"{word}"' for word in dict.fromkeys(words))
        found = self._db.execute(
            "SELECT rowid FROM t WHERE t MATCH ? ORDER BY rank LIMIT ?", (match, limit)
        )
        return [int(row[0]) for row in found]


class Bm25Alone:
    """BM25 over the terms that the stores index, with the recipe's k1 and b."""

    def __init__(self, texts: Sequence[str]) -> None:
        places: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        lengths = np.zeros(len(texts))
        for number, text in enumerate(texts):
            terms = Counter(index_terms(text))
            lengths[number] = terms.total()
            for term, count in terms.items():
                places[term].append((number, count))
        self._places = {term: np.array(found) for term, found in places.items()}
        mean = max(float(lengths.mean()), 1e-9) if len(texts) else 1.0
        self._damping: NDArray[np.float64] = _K1 * (1 - _B + _B * lengths / mean)

    def best(self, question: str, limit: int) -> list[int]:
        """Return the numbers of the best texts, best first."""
        scores = np.zeros(len(self._damping))
        for term in query_terms(question):
            if (found := self._places.get(term)) is None:
                continue
            number, count = found[:, 0], found[:, 1]
            weight = math.log(1 + (len(scores) - len(found) + 0.5) / (len(found) + 0.5))
            scores[number] += weight * count * (_K1 + 1) / (count + self._damping[number])
        best = np.argsort(-scores, kind="stable")[:limit]
        return [int(number) for number in best if scores[number] > 0]
