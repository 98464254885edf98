"""
Find habits: what a person asks for in session after session.

A single order is spent when it is carried out; the same order in three sessions, on two or more
days, is a habit. The habit has the words of one session and rests on all of them. Repetitions
within a session, or in a fork of it, count once. A long sentence that is the same word for word is
a copy, of a template or a resumed session.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from tilth.core.dataclass import dataclass
from tilth.core.ids import SessionId
from tilth.core.lifecycle import Lifecycle
from tilth.core.scope import Scope, Visibility
from tilth.core.text.tokens import index_terms
from tilth.episodes.episode import SPOKEN, Episode, Quote, Role
from tilth.episodes.filters import EpisodeFilter
from tilth.episodes.lineage import root_of
from tilth.episodes.tables import Episodes
from tilth.exchanges.sentences import (
    EVERYDAY,
    breaks_off,
    names_something,
    own_sentences,
    passes,
    supposes,
)
from tilth.knowledge.facts.fact import EVIDENCE_MAX, Fact, FactDraft
from tilth.knowledge.facts.filters import FactFilter
from tilth.knowledge.facts.life import GRADED, RECURS, Grade
from tilth.knowledge.facts.statement import Statement
from tilth.knowledge.facts.tables import Facts
from tilth.knowledge.facts.write.normalise_fact import scrubbed_fact
from tilth.knowledge.facts.write.write_fact import Stated, Writing, state_in
from tilth.knowledge.likeness.bans import BANNING, left_alone
from tilth.knowledge.vocabulary.registries import Channel
from tilth.knowledge.vocabulary.tables import KnownWords
from tilth.learning.candidate import StatementKind
from tilth.learning.extract import subject_in
from tilth.learning.statements import describes, is_handed_over, reports
from tilth.learning.text.polarity import Polarity, polarity_of
from tilth.learning.text.social_talk import people_in
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Store
from tilth.privacy.exclusion import Exclusion
from tilth.privacy.finding import has_placeholder
from tilth.privacy.remainder import hides_private

# How many sessions back are read, and how many episodes of each.
SESSIONS_READ, EPISODES_READ = 80, 400
# The most habits of a project; with more of them, none is one.
HABITS_MAX = 12
_PROJECT = "project:"
# Sentences that ask for nothing: guesses, fragments, reports and descriptions.
_NO_ASK = (supposes, passes, breaks_off, reports, describes)
_CHUNK = re.compile(r"[^\s,:;()\"]+")
_OF_CODE = "`"
# A standard that somebody applies again and again: "That is not so DRY", "still not DRY".
_MEASURES = re.compile(
    r"\b(?:(?:so|very|too|more|less|still|not|quite|pretty|really|enough) )+(?:much |many )?"
    r"((?!\w+ing\b)[a-z][\w-]{2,})",
    re.IGNORECASE,
)
_OF_MEASURE = "~"
# What somebody wants left alone, in whatever words: "do not edit seeds", "skip seeding".
_REFUSALS = re.compile(
    r"\b(?:do not|don'?t|never|no need to|stop|skip|leave|stay away from|keep away from) "
    r"(?!(?:forget|hesitate|worry|mind|know|think|see|want|like|need|have|care|understand)\b)"
    r"([^.,;:?!]{3,60})",
    re.IGNORECASE,
)
_OF_REFUSAL = "!"
# Stems that are part of the refusal: "leave the docs alone" is about the docs.
_OF_ANY = frozenset(index_terms("leave alone"))
# A request whose object is in its session: "Commit this, then push"; but "these changes" are any.
_POINTS = re.compile(
    r"\b(?:it|them|(?:this|that|these|those)"
    r"(?! (?!(?:and|or|then|to|with|for|in|on|at|as|so|now|please)\b)[a-z]))\b",
    re.IGNORECASE,
)
# About one task, and over with it: "Continue work on task 11".
_OF_ONE_MATTER = re.compile(
    r"#\d|\b[A-Z]{2,}-\d|\b(?:task|issue|ticket|bug|story|phase|step|part|milestone|pr) \W?\d",
    re.IGNORECASE,
)
_OF_ONE_FILE = re.compile(r"\w[./_]\w")
_CONFIDENCE = 0.9
_CHARS_MAX, _COPY_CHARS = 200, 60
_TERMS_MAX = 16
_FACTS_READ = 1000
# The least likeness, and number of shared content words, of two sentences of one habit; then the
# sessions and days that make one, since two consecutive sessions merely share a topic.
_ALIKE, _WORDS_SHARED = 0.3, 2
# A habit is known already if a fact shares two content words, or this part of the shorter one.
_OF_SHORTER = 0.5
_SESSIONS_MIN, _DAYS_MIN = 3, 2


@dataclass(frozen=True, slots=True)
class Request:
    """A sentence with which a person asked for something, and its words."""

    session_id: SessionId
    quote: Quote
    text: str
    terms: frozenset[str]
    at: datetime


@dataclass(frozen=True, slots=True)
class Habit:
    """A repeated request: in the words of one session, and its places in all."""

    asked: Request
    others: tuple[Request, ...]
    weight: float

    @property
    def all(self) -> tuple[Request, ...]:
        """Its sentences, one of each session, beginning with the one that words it."""
        return (self.asked, *self.others)


def requests_in(view: Snapshot, within: Visibility) -> list[Request]:
    """Return what people asked for in the last sessions, newest session first."""
    last = Episodes(view).sessions(within, limit=SESSIONS_READ)
    asked = [one for session in last for one in _asked_of(view, within, session.id)]
    roots = {one: root_of(view, one, within) for one in {each.session_id for each in asked}}
    return [replace(one, session_id=roots[one.session_id]) for one in asked]


def _asked_of(view: Snapshot, within: Visibility, session_id: SessionId) -> Iterator[Request]:
    which = EpisodeFilter(within=within, session_id=session_id, kinds=SPOKEN)
    said = Episodes(view).select(which, limit=EPISODES_READ)
    if people_in(said):
        # Friends thank and cheer each other again and again, which asks for nothing.
        return
    for episode in said:
        if episode.is_persons:
            yield from _asks(session_id, episode)


def habits(asked: Sequence[Request]) -> list[Habit]:
    """Return repeated requests, each once, the most frequent first."""
    said = list(_uncopied(asked))
    near = _by_word(said)
    found = [one for one in (_habit(one, near(one)) for one in said) if one is not None]
    # If a wording names a file of one session, another's wording is preferred.
    found.sort(key=_sort_key)
    kept: list[Habit] = []
    for one in found:
        terms = one.asked.terms
        if not any(_shares(terms, other.asked.terms) for other in kept):
            kept.append(one)
    return kept[:HABITS_MAX]


def _sort_key(one: Habit) -> tuple[bool, bool, float, int, str]:
    text = one.asked.text
    is_pointing = _POINTS.search(text) is not None
    return _OF_ONE_FILE.search(text) is not None, is_pointing, -one.weight, len(text), text


def state_habits(
    store: Store,
    writing: Writing,
    scope: Scope,
    excluded: Exclusion,
    looked_at: Iterable[SessionId],
) -> list[Stated]:
    """
    State new habits of a project.

    Earlier sessions are only read if somebody asked for something in one of those *looked_at* just
    now, since otherwise there can be no new habit.
    """
    if not scope.startswith(_PROJECT):
        return []
    within = Visibility(writing.recorder.owner, frozenset({scope}))
    with store.read() as view:
        if not any(one for id_ in looked_at for one in _asked_of(view, within, id_)):
            return []
        found = habits(requests_in(view, within))
        # Also those that ended.
        which = FactFilter(within=within, lifecycles=frozenset(Lifecycle))
        facts = Facts(view).select(which, limit=_FACTS_READ)
    known = [one for one in facts if one.recurs]
    drafts = [_draft_of(one, known, scope) for one in found]
    fit = [one for one in drafts if one and _is_fit(one, excluded)]
    if not fit:
        return []
    vectors = writing.embedder.embed([one.said.words for one in fit])
    with store.begin() as tx:
        words = KnownWords(tx).known(writing.recorder.owner)
        return [
            state_in(tx, one, writing, words=words, vectors=vectors[at : at + 1], reason=None)
            for at, one in enumerate(fit)
        ]


def _is_fit(draft: FactDraft, excluded: Exclusion) -> bool:
    """Say whether a habit may be stated; called late, since reading polarity is slow."""
    is_meta = polarity_of(draft.said.text) is Polarity.META
    return not is_meta and excluded.shown(draft) == draft


def _draft_of(habit: Habit, known: Iterable[Fact], scope: Scope) -> FactDraft | None:
    """Return the draft of a habit; None if it is known already, or was taken back."""
    terms = habit.asked.terms
    told = next((one for one in known if _shares(terms, _terms(one.said.text))), None)
    if told is not None and told.life.lifecycle is not Lifecycle.CURRENT:
        return None
    text = habit.asked.text if told is None else told.said.text
    rests = set() if told is None else {one.episode_id for one in told.evidence}
    quotes = tuple(one.quote for one in habit.all if one.quote.episode_id not in rests)
    if not quotes:
        return None
    return scrubbed_fact(
        FactDraft(
            said=Statement(text=text, channel=Channel.RELATIONSHIP),
            scope=scope,
            valid_from=min(one.at for one in habit.all),
            confidence=_CONFIDENCE,
            about=(subject_in(scope),),
            quotes=quotes[:EVIDENCE_MAX],
            metadata={
                "kind": StatementKind.PREFERENCE.value,
                GRADED: Grade.KNOWN.value,
                RECURS: True,
            },
        )
    )


def _asks(session_id: SessionId, episode: Episode) -> Iterator[Request]:
    said = own_sentences(episode.text, Role.USER)
    if is_handed_over(said):
        return
    for one in said:
        text = " ".join(one.said.split())
        if has_placeholder(text) or hides_private(text):
            continue
        for terms in _marked(text):
            yield Request(session_id, Quote(episode.id, one.text), text, terms, episode.occurred_at)
        is_told = len(text) <= _CHARS_MAX and not text.endswith(":") and text[0] not in "/@[<"
        terms = _terms(text) if is_told else frozenset()
        is_fit = _telling(terms) >= _WORDS_SHARED and len(terms) <= _TERMS_MAX
        is_fit = is_fit and not _OF_ONE_MATTER.search(text)
        if is_fit and not any(refuses(text) for refuses in _NO_ASK):
            yield Request(session_id, Quote(episode.id, one.text), text, terms, episode.occurred_at)


def _marked(text: str) -> Iterator[frozenset[str]]:
    """Yield the standards ("DRY") and refused things in a sentence, each with its mark."""
    if len(text) > _CHARS_MAX:
        return
    measures = {word for found in _MEASURES.finditer(text) for word in index_terms(found[1])}
    refused = {word for found in _REFUSALS.finditer(text) for word in index_terms(found[1])}
    refused = (refused - BANNING) | left_alone(text)
    for words, mark in ((measures, _OF_MEASURE), (refused, _OF_REFUSAL)):
        yield from (frozenset({word, mark + word}) for word in words - EVERYDAY)


def _terms(text: str) -> frozenset[str]:
    """Return the words of a sentence; a path or a name in code is one word, and marked."""
    found: set[str] = set()
    for chunk in _CHUNK.findall(text):
        terms = [one for one in index_terms(chunk) if not one.isdigit()]
        is_name = len(terms) > 1 or names_something(chunk)
        found.update([_OF_CODE + "".join(terms)] if is_name and terms else terms)
    return frozenset(found)


def _telling(terms: frozenset[str]) -> int:
    """Count the words that say what is asked for."""
    return sum(not one.startswith(_OF_CODE) for one in terms - EVERYDAY - _OF_ANY)


def _uncopied(asked: Sequence[Request]) -> Iterator[Request]:
    seen: set[str] = set()
    for one in asked:
        words = one.text.casefold()
        if len(words) <= _COPY_CHARS or words not in seen:
            seen.add(words)
            yield one


def _by_word(said: Sequence[Request]) -> Callable[[Request], Iterable[Request]]:
    """Return a function that finds sentences with shared content words, in their order."""
    places: defaultdict[str, list[int]] = defaultdict(list)
    for place, one in enumerate(said):
        for term in one.terms - EVERYDAY:
            places[term].append(place)

    def near(one: Request) -> Iterator[Request]:
        shared = Counter(place for term in one.terms for place in places.get(term, ()))
        return (said[at] for at in sorted(shared) if shared[at] >= _WORDS_SHARED)

    return near


def _habit(one: Request, said: Iterable[Request]) -> Habit | None:
    """Return the habit that *one* words; None if it was asked for too seldom."""
    nearest: dict[SessionId, tuple[float, Request]] = {}
    for other in said:
        near = 0.0 if other.session_id == one.session_id else _likeness(one.terms, other.terms)
        if near > nearest.get(other.session_id, (0.0,))[0]:
            nearest[other.session_id] = near, other
    others = tuple(other for _, other in nearest.values())
    days = {asked.at.date() for asked in (one, *others)}
    is_often = len(others) + 1 >= _SESSIONS_MIN and len(days) >= _DAYS_MIN
    return Habit(one, others, sum(near for near, _ in nearest.values())) if is_often else None


def _likeness(one: frozenset[str], other: frozenset[str]) -> float:
    """Return the likeness of two sentences, from 0 to 1; 0 if they may mean two things."""
    shared = one & other
    if _telling(shared) < _WORDS_SHARED:
        return 0.0
    likeness = len(shared) / len(one | other)
    return likeness if likeness >= _ALIKE else 0.0


def _shares(one: frozenset[str], other: frozenset[str]) -> bool:
    """Say whether two sentences belong to one habit."""
    shared = one & other
    is_part = len(shared) >= _OF_SHORTER * min(len(one), len(other))
    return bool(shared) and (is_part or _telling(shared) >= _WORDS_SHARED)
