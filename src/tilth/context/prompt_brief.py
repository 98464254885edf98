"""
What is laid beside a prompt: a few recorded sentences that surely answer it.

Recall finds exchanges, and their sentences are weighed together with all notes. Sentences that
somebody chose come first, then those that a person typed, then those that an agent reported, which
it can find out again. Sentences that were ended, replaced or corrected are left out; contested ones
are marked. For many prompts nothing is sure enough, and a session is never shown the same twice.
"""

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import lru_cache
from typing import Self, TypeAlias

from tilth.context.brief_sources import WORDED, own_statements
from tilth.context.model import Block, BriefItem, BriefRequest, quoted
from tilth.context.notes import NOTED_BY_AGENT, NOTES_ENOUGH, notes_in
from tilth.context.tables import Contexts
from tilth.core.dataclass import dataclass
from tilth.core.ids import EpisodeId, is_identifier, is_word_for_nothing
from tilth.core.instant import written_day
from tilth.core.lifecycle import Lifecycle
from tilth.core.scope import Visibility
from tilth.core.text.promises import is_reported, puts_off
from tilth.core.text.tokens import index_terms
from tilth.embedding.embedder import Embedder
from tilth.episodes.episode import SPOKEN, Role
from tilth.episodes.tables import Episodes
from tilth.exchanges.exchanges import Exchanges
from tilth.exchanges.model import PASSAGE_CHARS, in_order, is_scripted
from tilth.exchanges.passage import passages
from tilth.exchanges.sentences import own_terms, supposes
from tilth.exchanges.worth import announces, orders, reports_a_deed, worth
from tilth.knowledge.facts.fact import Evidence, Fact
from tilth.knowledge.facts.life import Grade
from tilth.knowledge.facts.tables import Facts
from tilth.ledger.records import find_places
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Store
from tilth.playbooks.gate import is_safe
from tilth.recall.model import Hit, RecallOptions, Tier
from tilth.recall.order.replacement import Replacement, read_replacements
from tilth.recall.question import understand
from tilth.recall.recall import recall
from tilth.recall.recaller import Recaller
from tilth.recall.text_similarity import cosines, covered_share, term_weights

# The fewest terms of a prompt that is answered: "go on" asks nothing.
QUESTION_TERMS_MIN = 2
# Thresholds of likeness to the prompt: for any sentence; for one that somebody chose; and for the
# other sentences where the prompt has fewer than the last number of terms, each of which many
# sentences have, or where the project has notes. See ADR 13.
_SURE_FROM, _CHOSEN_FROM, _SURER_FROM, _FEW_TERMS = 0.15, 0.2, 0.4, 4
# With fewer sentences, their mean is mostly one of them and does not show what all have in common.
_FEW_SENTENCES = 8
# Over how many of a session's last receipts nothing is repeated. A receipt with any of these blocks
# marks a new context, in which everything may be shown again.
_PROMPTS_BACK, _OPENING = 50, frozenset(Block) - {Block.RECALLED}
RECALLED_LIMIT = 40
# What a sentence's worth, and an agent as its speaker, add to its likeness to the prompt.
_WORTH, _BY_AGENT = 0.05, -0.125
# A sentence that breaks off before what it announces, or that is several lines in one.
_IN_PIECES = re.compile(r"[:…]\s*$|##")
# A command for the host, as in "/compact keep the schema".
_TO_A_HOST = re.compile(r"\s*/[a-z][\w:-]*(?:\s|$)")
# An agent's report of a change: it names the old state beside the new, and could be read as the old
# one.
_WAS_SO = re.compile(
    r"\b(?:(?:chang|updat|renam|mov|replac|switch|migrat|convert)ed|expected)\b"
    r".*(?:\bfrom\b.*\bto\b|→|->)",
    re.IGNORECASE | re.DOTALL,
)
# An aside: a comment of code, or a sentence in brackets.
_ASIDE = re.compile(r"\s*(?://|\(.*\)\W*$)", re.DOTALL)
# A function call outside of a code fence.
_CALL = re.compile(r"\s*[\w.]+\((?:[^()]*\)\s*//|.*\)\W*$)")
# A line of an agent's list: a name in code with what it is, or a numbered item. The code shows the
# same, and away from its list the line says little.
_LISTED = re.compile(r"\W*(?:`[^`\n]+`(?: ?\([^)\n]*\))?\s*(?:[-\u2013\u2014\u2192]|->)\s|\d+\))")
# A line of an agent's report on where its work stood then, over within days: nothing but code, or a
# branch, a commit or a pull request under its label.
_STOOD = re.compile(
    r"\W*(?:#\d+\s+)?(?:`[^`\n]+`\W*$|(?!never|don't|do\s|always)(?:[\w/-]+\s){0,2}(?:\w+/)?"
    r"(?:branch|worktree|checkout|commit|pr|pull request|working tree)\**:\s)",
    re.IGNORECASE,
)
# The lengths, in characters, of an agent's and a user's sentences; shorter ones are headings or
# nods.
_SENTENCE_CHARS = ((45, 600), (20, 2_000))
# How many terms, and which share of them, a later sentence shares with what was put off, to be
# about it.
_SHARED_MIN, _PUT_OFF_SHARE = 2, 0.5
# Two sentences say the same if they share more than this part of their terms.
_SAME = 0.6

# How many texts' readings are cached, since the same exchanges answer prompt after prompt.
_TEXTS_KEPT = 512

# The ID of the record that holds a sentence, its time, and its key for sorting.
_Source: TypeAlias = tuple[str, datetime, tuple[datetime, int]]


@dataclass(frozen=True, slots=True)
class _Reading:
    """What a sentence says by itself, whatever the prompt is."""

    text: str
    terms: frozenset[str]
    replaces: Sequence[Replacement]
    puts_off: bool
    is_useless: bool

    @classmethod
    def of(cls, text: str, *, is_useless: bool = False) -> Self:
        """Read a sentence; a fact's words were already checked when it was stated."""
        terms, replaces = frozenset(index_terms(text)), tuple(read_replacements(text))
        return cls(text, terms, replaces, puts_off(text), is_useless)


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence with its source, and the words in which it is shown."""

    reading: _Reading
    shown: str
    role: Role
    source: str
    at: datetime
    # The key for sorting by time.
    order: tuple[datetime, int]
    is_contested: bool = False
    # Whether a language model chose and worded it.
    is_worded: bool = False
    # Whether a person or an agent noted it.
    is_noted: bool = False

    @property
    def text(self) -> str:
        """Its words, without what was said next."""
        return self.reading.text

    @property
    def terms(self) -> frozenset[str]:
        """The terms of its words."""
        return self.reading.terms

    @property
    def is_chosen(self) -> bool:
        """Whether a model or an agent that read the session chose it."""
        return self.is_worded or self.is_noted


def answer_prompt(
    store: Store, recaller: Recaller, request: BriefRequest, within: Visibility
) -> list[BriefItem]:
    """Return the lines that surely answer the request's question, those of most weight first."""
    prompt = request.question
    if is_word_for_nothing(prompt) or is_identifier(prompt) or is_scripted(prompt):
        return []
    if len(understand(prompt, recaller.clock.now()).terms) < QUESTION_TERMS_MIN:
        return []
    options = RecallOptions(limit=RECALLED_LIMIT, has_cards=False)
    hits = recall(store, recaller, prompt, within, options).hits
    with store.read() as view:
        rests = {str(hit.id): hit.episode_ids for hit in hits if hit.tier is Tier.FACT}
        own = own_statements(view, rests, request.session_id, within)
    fit = [hit for hit in hits if hit.id not in own and _may_be_shown(hit, request)]
    with store.read() as view:
        asked = list(_exchange_sentences(view, fit, request, within))
        stated = _fact_sentences(view, fit, {one.text: one.shown for one in asked}, within)
        said = [*_note_sentences(view, fit, within), *stated, *asked]
        standing = _without_outdated(view, said, within, recaller.clock.now())
        known = _shown_before(view, request, within)
    answers = _sure_answers(standing, prompt, recaller.first)
    # A sentence that nobody chose only repeats one that somebody did.
    told = _distinct([one for one in answers if one.is_chosen] or answers)
    return [_item(one) for one in told if one.source not in known]


def _shown_before(view: Snapshot, request: BriefRequest, within: Visibility) -> set[str]:
    """
    Return the IDs of what was laid beside earlier prompts of this session.

    After a compaction, which begins the agent's context anew, the set begins anew too.
    """
    shown: set[str] = set()
    if request.session_id is None or request.is_asked:
        return shown
    last = Contexts(view).receipts(within, session_id=request.session_id, limit=_PROMPTS_BACK)
    for one in last:
        if any(block in _OPENING for block, _ in one.context.items):
            break
        shown.update(source for block, source in one.context.items if block == Block.RECALLED)
    return shown


def _may_be_shown(hit: Hit, request: BriefRequest) -> bool:
    """
    Say whether a hit may be shown unasked.

    The session's own words are before the agent already. Output of tools and pages from the web are
    shown only to those who ask (T9), unless they belong to an exchange, which is shown instead.
    """
    if request.session_id is not None and hit.session_id == request.session_id:
        return False
    if hit.tier is Tier.FACT:
        return hit.lifecycle is Lifecycle.CURRENT and hit.grade is not Grade.CANDIDATE
    return hit.kind in SPOKEN or hit.exchange is not None


def _fact_sentences(
    view: Snapshot, hits: Iterable[Hit], told: Mapping[str, str], within: Visibility
) -> Iterator[_Sentence]:
    """Yield the facts among *hits*, each in the words that *told* gives for its sentence."""
    stated = [hit for hit in hits if hit.tier is Tier.FACT]
    if not stated:
        return
    places = sorted(find_places(view.conn, [str(hit.id) for hit in stated]).values())
    facts = {str(one.id): one for one in Facts(view).at(places, within)}
    for hit in stated:
        if (fact := facts.get(str(hit.id))) is None:
            # The fact was erased after the recall.
            continue
        is_worded = bool(fact.worded_by)
        # Words that a model took from an agent's reading must not get anybody to run something.
        if is_worded and not is_safe(hit.text):
            continue
        role = Role.ASSISTANT if fact.is_reported else Role.USER
        reading, about = _Reading.of(hit.text), (*_source_of(hit), hit.is_contested, is_worded)
        yield _Sentence(reading, told.get(hit.text, hit.text), role, *about)


def _exchange_sentences(
    view: Snapshot, hits: Iterable[Hit], request: BriefRequest, within: Visibility
) -> Iterator[_Sentence]:
    """Yield the sentences of exchanges among *hits*, and of episodes outside of any exchange."""
    prompt = request.question.split()
    apart = [hit for hit in _episodes_without_exchange(hits).values() if hit.text.split() != prompt]
    yield from _episode_sentences(view, apart, within)
    cards = [hit.exchange for hit in hits if hit.exchange is not None]
    asked = dict.fromkeys(one.id for one in cards)
    taken_back = {one.id for one in cards if one.is_taken_back}
    exchanges = Exchanges(view, within).of(list(asked))
    order = in_order(exchanges)
    for one in exchanges:
        source = (one.id, one.began_at, order[one.id])
        # An ask like the prompt answers nothing. A report that was doubted or undone is no answer.
        if one.ask.split() != prompt:
            yield from _sentences(one.ask, Role.USER, source)
        if not one.is_doubted and one.id not in taken_back:
            yield from _sentences(one.report, Role.ASSISTANT, source)


def _episodes_without_exchange(hits: Iterable[Hit]) -> dict[EpisodeId, Hit]:
    """Return the episodes among *hits* that belong to no exchange, by ID."""
    apart = (hit for hit in hits if hit.tier is Tier.EPISODE and hit.exchange is None)
    return {hit.episode_ids[0]: hit for hit in apart}


def _episode_sentences(
    view: Snapshot, hits: Sequence[Hit], within: Visibility
) -> Iterator[_Sentence]:
    """Yield sentences of episodes outside of exchanges; how they were captured tells who speaks."""
    episodes = Episodes(view).all_of([hit.episode_ids[0] for hit in hits], within)
    by_id = {str(one.id): one for one in episodes}
    for hit in hits:
        # Episodes that were erased after the recall are left out.
        if (episode := by_id.get(str(hit.id))) is not None and not episode.is_note:
            role = Role.USER if episode.is_persons else Role.ASSISTANT
            yield from _sentences(hit.text, role, _source_of(hit))


def _note_sentences(view: Snapshot, hits: Iterable[Hit], within: Visibility) -> Iterator[_Sentence]:
    """
    Yield notes, each as one sentence.

    Notes are short and alone, so recall ranks few of them among exchanges.
    """
    for one in notes_in(view, within, _episodes_without_exchange(hits)):
        if one.words:
            at, role = one.episode.occurred_at, Role.USER if one.is_persons else Role.ASSISTANT
            source = (one.episode.id, at, (at, one.episode.seq))
            yield _Sentence(_Reading.of(one.words), one.words, role, *source, is_noted=True)


def _source_of(hit: Hit) -> _Source:
    return hit.id, hit.valid_from, (hit.valid_from, 0)


def _sentences(text: str, role: Role, source: _Source) -> Iterator[_Sentence]:
    for reading, told in _readings(text, role):
        yield _Sentence(reading, told, role, *source)


@lru_cache(maxsize=_TEXTS_KEPT)
def _readings(text: str, role: Role) -> Sequence[tuple[_Reading, str]]:
    """Return the sentences of a text, each with the words in which it is shown."""
    least, most = _SENTENCE_CHARS[role is Role.USER]
    found: list[tuple[_Reading, str]] = []
    for one in passages(text, role):
        if least <= len(one.sentence.text) <= most:
            # Beside a prompt, the sentence that an agent said next costs more room than it is
            # worth.
            said = one.alone
            told = one.whole if role is Role.USER else said
            reading = _Reading.of(said, is_useless=_is_useless(said, role))
            found.append((reading, told))
    return tuple(found)


def _is_useless(text: str, role: Role) -> bool:
    """
    Say whether a sentence is of no use beside a prompt.

    It asks, is an aside or breaks off. Of an agent's sentences also those that announce, order,
    list, or tell what was before a change or where work stood.
    """
    if supposes(text) or _IN_PIECES.search(text) or _ASIDE.match(text) or _TO_A_HOST.match(text):
        return True
    if role is Role.USER:
        return False
    is_of_code = _CALL.match(text) or (_LISTED.match(text) and not reports_a_deed(text))
    is_over = is_of_code or _WAS_SO.search(text) or _STOOD.match(text)
    return announces(text) or orders(text) or bool(is_over)


def _without_outdated(
    view: Snapshot, said: Sequence[_Sentence], within: Visibility, now: datetime
) -> list[_Sentence]:
    """Return *said* without sentences outdated by an ended fact or by a later sentence."""
    facts = _facts_resting_on(view, {one.source for one in said}, within)
    worded = (one for one in facts if one.worded_by and not _has_ended(one, now))
    anew = [span for one in worded for span in one.evidence]
    ended = _by_source(one for one in facts if _has_ended(one, now) and not _overlaps(one, anew))
    doubtful = _by_source(one for one in facts if one.is_contested)
    # If something was put off and later done, sentences like it from the same source go too.
    put_off = [one for one in said if one.reading.puts_off]
    done = [one for one in put_off if any(_takes_up(other, one) for other in said)]
    gone = [(one.order, what) for one in said for what in one.reading.replaces]
    gone += [((one.life.valid_from, 0), what) for one in facts for what in _corrected(one)]
    return [
        replace(
            one,
            shown=_shown_words(one, ended[one.source], gone),
            is_contested=one.is_contested or _is_similar_to_any(one.terms, doubtful[one.source]),
        )
        for one in said
        if not one.reading.is_useless
        and not _is_similar_to_any(one.terms, ended[one.source])
        and not any(at > one.order and what.ends(one.text) for at, what in gone)
        and not any(
            one.source == other.source and _is_similar_to_any(one.terms, [other.terms])
            for other in done
        )
    ]


def _shown_words(
    one: _Sentence,
    ended: Iterable[frozenset[str]],
    gone: Iterable[tuple[tuple[datetime, int], Replacement]],
) -> str:
    """Return a sentence with what was said next, or alone where that is outdated."""
    # Most sentences are shown alone; checking them a second time would only cost time.
    if one.shown == one.text:
        return one.text
    rest = one.shown[len(one.text) :]
    is_over = _is_similar_to_any(frozenset(index_terms(rest)), ended)
    is_over = is_over or any(at > one.order and what.ends(rest) for at, what in gone)
    return one.text if is_over else one.shown


def _takes_up(later: _Sentence, put_off: _Sentence) -> bool:
    """Say whether *later* asks for or reports what was put off, and does not put it off again."""
    if later.order <= put_off.order:
        return False
    shared = later.terms & put_off.terms
    is_it = len(shared) >= max(_SHARED_MIN, _PUT_OFF_SHARE * len(put_off.terms))
    return (is_it or is_reported(put_off.text, later.text)) and not later.reading.puts_off


def _by_source(facts: Iterable[Fact]) -> defaultdict[str, list[frozenset[str]]]:
    """Return the terms of *facts* by the episodes of their evidence."""
    terms: defaultdict[str, list[frozenset[str]]] = defaultdict(list)
    for fact in facts:
        for evidence in fact.evidence:
            terms[evidence.episode_id].append(frozenset(index_terms(fact.said.text)))
    return terms


def _facts_resting_on(view: Snapshot, sources: Iterable[str], within: Visibility) -> list[Fact]:
    """Return the facts whose evidence is among those *sources* that are episodes."""
    episodes = [one for one in sources if one.startswith(EpisodeId.prefix)]
    places = sorted(find_places(view.conn, episodes).values())
    return Facts(view).at(Facts(view).resting_on(places), within)


def _has_ended(fact: Fact, now: datetime) -> bool:
    life = fact.life
    is_over = life.valid_to is not None and life.valid_to <= now
    return is_over or life.lifecycle in (Lifecycle.SUPERSEDED, Lifecycle.ARCHIVED)


def _overlaps(fact: Fact, spans: Iterable[Evidence]) -> bool:
    """Say whether the evidence of *fact* overlaps *spans*; what a model worded anew goes on."""
    return any(
        one.episode_id == span.episode_id and one.start < span.end and span.start < one.end
        for one in fact.evidence
        for span in spans
    )


def _corrected(fact: Fact) -> Iterator[Replacement]:
    """Yield what a correction replaces."""
    if old := frozenset(index_terms(str(fact.metadata.get("old_value", "")))):
        yield Replacement(old, frozenset(), frozenset(index_terms(fact.said.text)) - old)


def _is_similar_to_any(terms: frozenset[str], others: Iterable[frozenset[str]]) -> bool:
    size = len(terms)
    for other in others:
        shared = len(terms & other)
        if shared > _SAME * (size + len(other) - shared):
            return True
    return False


def _sure_answers(said: Sequence[_Sentence], prompt: str, embedder: Embedder) -> list[_Sentence]:
    """Return those of *said* that surely answer *prompt*, those of most weight first."""
    if not said:
        return []
    asked, own = term_weights(prompt, [one.terms for one in said]), own_terms(prompt)
    is_short = len(own) < _FEW_TERMS
    is_noted = sum(one.is_noted for one in said) >= NOTES_ENOUGH
    texts = [one.text for one in said]
    likeness = cosines(texts, prompt, embedder, is_centred=len(said) > _FEW_SENTENCES)
    weights: dict[int, float] = {}
    for at, (one, cosine) in enumerate(zip(said, likeness, strict=True)):
        sure = (covered_share(one.terms, asked) + max(0.0, cosine)) / 2
        least = _CHOSEN_FROM if one.is_chosen else _SURER_FROM if is_noted else _SURE_FROM
        is_met = one.terms & asked.keys() if is_short else one.terms & own
        if is_met and sure >= (_SURER_FROM if is_short else least):
            weights[at] = sure + _bonus(one)
    return [said[at] for at in sorted(weights, key=lambda at: -weights[at])]


def _bonus(one: _Sentence) -> float:
    chance = worth(one.text, one.role)
    by_agent = _BY_AGENT if one.role is not Role.USER and not one.is_noted else 0.0
    return _WORTH * math.log(chance / (1 - chance)) + by_agent


def _distinct(said: Iterable[_Sentence]) -> Iterator[_Sentence]:
    """Yield *said* without repetitions, and one sentence only of each exchange."""
    shown: list[_Sentence] = []
    for one in said:
        is_shown = any(one.source == other.source or one.text in other.shown for other in shown)
        if not is_shown and not _is_similar_to_any(one.terms, [other.terms for other in shown]):
            shown.append(one)
            yield one


def _item(one: _Sentence) -> BriefItem:
    who = "" if one.role is Role.USER else NOTED_BY_AGENT if one.is_noted else ", reported"
    who += ", contested" if one.is_contested else ""
    who += WORDED if one.is_worded else ""
    return BriefItem(f"{written_day(one.at)}{who}: {quoted(one.shown, PASSAGE_CHARS)}", one.source)
