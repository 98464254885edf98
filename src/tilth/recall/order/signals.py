"""
Measure how well each candidate fits a question.

All measures are arrays with one value for each candidate, in ledger order, so that neighbours in a
session are adjacent. One recipe of weights serves every store; `make bench-recall` measures it. The
weights apply to signals scaled to at most 1 over the candidates of a question; cosines are about
the store's mean and unscaled.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field

import numpy as np
from numpy.typing import NDArray

from tilth.core.dataclass import dataclass
from tilth.core.instant import DAY_US, to_micros
from tilth.embedding.embedder import Vector
from tilth.episodes.episode import LaterNote, Place, Role
from tilth.knowledge.facts.ranking_inputs import FactPlace
from tilth.ledger.search import CorpusStats
from tilth.recall.lexicon import Lexicon, Reading
from tilth.recall.order.statement import Comparison
from tilth.recall.order.unknown_words import UnknownKind, UnknownWords, unknown_words
from tilth.recall.question import Question
from tilth.recall.recaller import Recipe
from tilth.recall.times import Precision, TimeRange

# Bits for a position within a session: 4 billion episodes.
_POSITION_BITS = 32
# Times named loosely, or without an end, narrow a search little.
_VAGUE = frozenset({Precision.OPEN, Precision.WEEK})
_ROLE_NUMBERS = {role: number for number, role in enumerate(Role)}
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class KnownFact:
    """
    A fact among the candidates: its place, and the places of related records.

    `evidence` is what it rests on, `proposed` the evidence of a proposal to replace it, `rivals`
    the facts that dispute it or that a waiting proposal says it contradicts. `values` are the facts
    read from its words.
    """

    place: FactPlace
    evidence: frozenset[int] = frozenset()
    proposed: frozenset[int] = frozenset()
    rivals: frozenset[int] = frozenset()
    values: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Candidates:
    """
    The candidates: episodes and facts with their readings, and cosines by tier (NaN: none).

    `feedback` is the total of the votes, from -1 to 1, where there are any. `facts` are the
    candidates that are facts, by place. `former_sections` are the places of former document
    sections, `later_notes` the notes that replaced others, by the replaced one's place. `compare`
    reads candidates whole, by their numbers.
    """

    places: Sequence[Place]
    readings: Sequence[Reading]
    first: Vector
    second: Vector
    feedback: Mapping[int, float] = field(default_factory=dict)
    facts: Mapping[int, KnownFact] = field(default_factory=dict)
    former_sections: frozenset[int] = frozenset()
    later_notes: Mapping[int, LaterNote] = field(default_factory=dict)
    compare: Callable[[Sequence[int]], Comparison] | None = None


@dataclass(frozen=True, slots=True)
class _WordRow:
    """The words of all readings in one row, with their terms, their lengths, and their ends."""

    words: NDArray[np.int32]
    terms: NDArray[np.int32]
    sizes: NDArray[np.int64]
    ends: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Signals:
    """
    The raw measures; `covered` is the share of the question's weight that is covered.

    `growth` is the logarithm of how much longer than a plain turn the store's texts are, 0 if they
    are not. `date_weight` is the weight of a named time. `met` is how well each candidate alone
    contains each word of the question (row).
    """

    coverage: Floats
    covered: Floats
    lexical: Floats
    session: Floats
    date: Floats
    speaker: Floats
    feedback: Floats
    first: Floats
    second: Floats
    growth: float
    date_weight: float
    met: Floats
    is_unknown: NDArray[np.bool_]
    weights: Floats


def measure(
    question: Question,
    candidates: Candidates,
    corpus: CorpusStats,
    lexicon: Lexicon,
    recipe: Recipe,
) -> Signals:
    """Return the signals of all *candidates*. The caller holds the lexicon's lock."""
    terms = list(dict.fromkeys(question.terms))
    weights = np.array([_idf(term, corpus, recipe) for term in terms])
    lexicon.numbers(question.words)  # numbers must exist before terms are looked up
    texts = _word_row(candidates.readings, lexicon)
    counts = _counts(terms, texts, lexicon)
    lengths = texts.sizes.astype(float)
    sessions = _session_numbers(candidates.places)
    word_weights = np.array([weights[terms.index(term)] for term in question.terms])
    unknown = unknown_words(question, corpus, lexicon)
    own = _similarities(question, texts, lexicon, recipe, unknown)
    coverage = _windowed(own, lengths, candidates.places, recipe)
    total = word_weights.sum() or 1.0
    date_weight, after = _date_weight(question, word_weights, recipe)
    return Signals(
        coverage=word_weights @ coverage,
        covered=(word_weights @ own) / total,
        lexical=_bm25(counts, weights, lengths, corpus.mean_terms, recipe),
        session=_session_bm25(counts, weights, lengths, sessions, recipe),
        date=_date(question.ranges, candidates.places, recipe, after),
        speaker=_speaker(question, candidates.readings),
        feedback=_feedback(candidates),
        first=candidates.first.astype(np.float64),
        second=candidates.second.astype(np.float64),
        growth=max(0.0, float(np.log(max(corpus.mean_terms, 1.0) / recipe.terms_plain))),
        date_weight=date_weight,
        met=own,
        weights=word_weights / total,
        is_unknown=np.array([word in unknown.kinds for word in question.words], np.bool_),
    )


def _feedback(candidates: Candidates) -> Floats:
    if not candidates.feedback:
        return np.zeros(len(candidates.places))
    return np.array([candidates.feedback.get(one.seq, 0.0) for one in candidates.places])


def _word_row(readings: Sequence[Reading], lexicon: Lexicon) -> _WordRow:
    sizes = np.array([len(reading.words) for reading in readings], np.int64)
    said = np.concatenate([np.empty(0, np.int32), *(reading.words for reading in readings)])
    return _WordRow(said, lexicon.stems()[said], sizes, np.cumsum(sizes))


def _idf(term: str, corpus: CorpusStats, recipe: Recipe) -> float:
    """Return the weight of Robertson and Spärck Jones, in its form that is never negative."""
    known = corpus.frequencies.get(term, 0)
    count = corpus.episode_count + recipe.unseen_texts
    return float(np.log(1 + (count - known + 0.5) / (known + 0.5)))


def _counts(terms: Sequence[str], texts: _WordRow, lexicon: Lexicon) -> Floats:
    """Return how often each term occurs in each reading, of shape (terms, readings)."""
    counts = np.zeros((len(terms), len(texts.sizes)))
    for row, term in zip(counts, terms, strict=True):
        here = np.flatnonzero(texts.terms == lexicon.term_number(term))
        owners = np.searchsorted(texts.ends, here, side="right")
        row[:] = np.bincount(owners, minlength=len(row))
    return counts


def _bm25(counts: Floats, weights: Floats, lengths: Floats, mean: float, recipe: Recipe) -> Floats:
    """Return BM25 (Robertson et al. 1994) with the recipe's k1 and b."""
    k1, b = recipe.bm25_k1, recipe.bm25_b
    damping = k1 * (1 - b + b * lengths / max(mean, 1e-9))
    return np.asarray(weights @ (counts * (k1 + 1) / (counts + damping)))


def _session_bm25(
    counts: Floats, weights: Floats, lengths: Floats, sessions: NDArray[np.int64], recipe: Recipe
) -> Floats:
    """Return for each candidate the BM25 of its session's candidates as one document."""
    number = int(sessions.max(initial=-1)) + 1
    joined = np.zeros((len(counts), number))
    for row, count in zip(joined, counts, strict=True):
        row[:] = np.bincount(sessions, count, number)
    length = np.bincount(sessions, lengths, number).astype(np.float64)
    mean = float(length.mean()) if number else 1.0
    return _bm25(joined, weights, length, mean, recipe)[sessions]


def _session_numbers(places: Sequence[Place]) -> NDArray[np.int64]:
    """Return numbers of the sessions, from 0; an episode without one is a session by itself."""
    named = [place.session_no or -place.seq for place in places]
    return np.unique(named, return_inverse=True)[1].astype(np.int64)


def _similarities(
    question: Question,
    texts: _WordRow,
    lexicon: Lexicon,
    recipe: Recipe,
    unknown: UnknownWords,
) -> Floats:
    """
    Return how well each reading contains each word of the question, from 0 to 1.

    The best cosine between that word and a word of the reading counts, above a floor; an equal stem
    counts as nearly the same word.
    """
    best = np.zeros((len(question.words), len(texts.sizes)))
    if not best.size:
        return best
    asked = lexicon.numbers(unknown.corrections.get(word, word) for word in question.words)
    heard, cosines, column = lexicon.cosines(asked, texts.words)
    stems = lexicon.stems()
    for row, word, number in zip(cosines, question.words, asked, strict=True):
        kind = unknown.kinds.get(word)
        if kind is UnknownKind.NAME:
            row[row < recipe.name_floor] = 0.0
        elif kind is UnknownKind.WORD:
            row[:] = 0.0
        if kind is UnknownKind.WORD or word in unknown.corrections:
            row[lexicon.spelt_like(word, heard)] = recipe.nearly_spelt
        same = stems[heard] == stems[number]
        row[same] = np.maximum(row[same], recipe.same_stem)
    has_words = texts.sizes > 0
    if has_words.any():
        similar = cosines.take(column, axis=1)
        begins = (texts.ends - texts.sizes)[has_words]
        best[:, has_words] = np.maximum.reduceat(similar, begins, axis=1)
    growth = np.maximum(0.0, np.log(np.maximum(texts.sizes, 1) / recipe.terms_plain))
    floor = np.minimum(recipe.similarity_floor + recipe.floor_growth * growth, 0.8)
    return np.clip((best - floor) / (1 - recipe.similarity_floor), 0.0, 1.0)


def _windowed(own: Floats, lengths: Floats, places: Sequence[Place], recipe: Recipe) -> Floats:
    """Return *own* coverage, raised where a neighbour in the session covers a word better."""
    shorter = np.minimum(1.0, recipe.terms_plain / np.maximum(lengths, 1.0))
    if not places:
        return own
    # One row for each place, since whole places are taken.
    lent = np.ascontiguousarray((own * shorter**recipe.neighbour_power).T)
    covered = np.ascontiguousarray((own * shorter**recipe.long_power).T)
    sessions = np.array([place.session_no for place in places], np.int64)
    key = sessions << _POSITION_BITS | np.array([place.position for place in places], np.int64)
    # A turn with another role answers this one, and its words are its own.
    roles = np.array([_ROLE_NUMBERS[place.role] for place in places])
    order = np.argsort(key)
    sought = key + np.array([*recipe.window])[:, None]
    near = order[np.minimum(np.searchsorted(key[order], sought), len(key) - 1)]
    is_near = (sessions > 0) & (key[near] == sought) & (roles[near] == roles)
    for share, neighbours, has_one in zip(recipe.window.values(), near, is_near, strict=True):
        here = np.flatnonzero(has_one)
        covered[here] = np.maximum(covered[here], share * lent[neighbours[here]])
    return covered.T


def _date_weight(question: Question, weights: Floats, recipe: Recipe) -> tuple[float, float]:
    """Return the weight of the times in a question, and the part of it right after them."""
    is_timed = np.array([word in question.timed for word in question.words], np.bool_)
    if not is_timed.any():
        return recipe.date, 1.0
    if (~is_timed).sum() <= 1:
        return recipe.date_alone, recipe.date_alone_after
    if any(asked.precision in _VAGUE for asked in question.ranges):
        return recipe.date, 1.0
    share = float(weights[is_timed].sum() / (weights.sum() or 1.0))
    return recipe.date + (1 - recipe.date) * share, 1.0


def _date(
    ranges: Sequence[TimeRange], places: Sequence[Place], recipe: Recipe, after: float
) -> Floats:
    """Return 1 within a range in question; after its end *after*, fading."""
    if not ranges:
        return np.zeros(len(places))
    at = np.array([place.occurred_at for place in places], float)
    pull = np.zeros(len(places))
    for asked in ranges:
        start, end = float(to_micros(asked.start)), float(to_micros(asked.end))
        days = np.maximum(0.0, at - end) / DAY_US
        left = np.where(at < end, 1.0, after * np.exp(-days / recipe.date_days))
        pull = np.maximum(pull, np.where(at < start, 0.0, left))
    return pull


def _speaker(question: Question, readings: Sequence[Reading]) -> Floats:
    """Return 1 where the question names the speaker."""
    asked = set(question.text.casefold().replace("'s", " ").split())
    asked = {word.strip("?.,!:;\"'()") for word in asked}
    named = {
        speaker: float(not asked.isdisjoint(speaker.casefold().split()))
        for speaker in {reading.speaker for reading in readings}
    }
    return np.array([named[reading.speaker] for reading in readings])
