"""
What is laid beside a prompt: the sentences that answer it, and may come unasked.

What was said and then ended, replaced or put right is left out; what is in question says so.

Recall finds the exchanges, and their sentences are weighed with all notes. A few are told that
surely have to do with the prompt: what somebody chose, or else what a person typed before what an
agent reported, since that it can find out again. Beside many prompts nothing is told, and beside
two prompts of one session nothing is told twice.
"""

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import lru_cache
from typing import Self, TypeAlias

from tilth.context.brief_sources import WORDED, stated_in
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
from tilth.exchanges.speech import own_terms, supposes
from tilth.exchanges.worth import announces, orders, reports_a_deed, worth
from tilth.knowledge.facts.fact import Evidence, Fact
from tilth.knowledge.facts.life import Grade
from tilth.knowledge.facts.tables import Facts
from tilth.ledger.records import find_places
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Store
from tilth.playbooks.gate import is_safe
from tilth.recall.model import Hit, RecallOptions, Tier
from tilth.recall.nearness import cosines, covered, weights_of
from tilth.recall.order.replaced import Replaced, replaced_in
from tilth.recall.question import understand
from tilth.recall.recall import recall
from tilth.recall.recaller import Recaller

# A prompt of a word or two ("go on") asks nothing that a memory could answer.
QUESTION_TERMS_MIN = 2
# How surely a sentence, and what somebody chose, must answer a prompt to be told unasked; and more
# surely where the prompt has so few words of its own ("run the tests again"), each of which is soon
# met, or where a project has its notes and nobody chose the sentence; see ADR 13.
_SURE_FROM, _CHOSEN_FROM, _SURER_FROM, _FEW_TERMS = 0.15, 0.2, 0.4, 4
# Of so few sentences their mean is mostly each of them: nothing tells what they have in common.
_FEW_SENTENCES = 8
# Of what a session was told beside so many of its last prompts none is told again, until its
# context begins anew with any of the rest.
_PROMPTS_BACK, _OPENING = 50, frozenset(Block) - {Block.RECALLED}
RECALLED_LIMIT = 40
# How the parts of a sentence's weight count beside how surely it answers.
_WORTH, _BY_AGENT = 0.05, -0.125
# What breaks off before what it announces, or is several lines in one.
_IN_PIECES = re.compile(r"[:…]\s*$|##")
# "/compact keep the schema" is said to the host.
_TO_A_HOST = re.compile(r"\s*/[a-z][\w:-]*(?:\s|$)")
# How an agent tells what it changed: what was so stands beside what is so, and is taken for it.
_WAS_SO = re.compile(
    r"\b(?:(?:chang|updat|renam|mov|replac|switch|migrat|convert)ed|expected)\b"
    r".*(?:\bfrom\b.*\bto\b|→|->)",
    re.IGNORECASE | re.DOTALL,
)
# What is beside what is said: a comment of code, or a sentence in brackets.
_ASIDE = re.compile(r"\s*(?://|\(.*\)\W*$)", re.DOTALL)
# A call of a function that stands outside of any fence.
_CALL = re.compile(r"\s*[\w.]+\((?:[^()]*\)\s*//|.*\)\W*$)")
# A line of a list that an agent made: what a piece of code is called and is, or its number. Who
# looks at the code sees it, and without its list it says little.
_LISTED = re.compile(r"\W*(?:`[^`\n]+`(?: ?\([^)\n]*\))?\s*(?:[-\u2013\u2014\u2192]|->)\s|\d+\))")
# Of an agent's and of a user's sentence: what is shorter is a heading or a nod.
_SENTENCE_CHARS = ((45, 600), (20, 2_000))
# What was put off is spoken of again with so many, and this share, of its terms.
_SHARED_MIN, _PUT_OFF_SHARE = 2, 0.5
# Two sentences that share more of their terms say the same.
_SAME = 0.6

# Exchanges answer one prompt after the other; what was read of so many texts is kept.
_TEXTS_KEPT = 512

# The ID of what holds a sentence, when that was said, and what it is put in order by.
_Source: TypeAlias = tuple[str, datetime, tuple[datetime, int]]


@dataclass(frozen=True, slots=True)
class _Reading:
    """What can be told of a sentence by itself, whatever is asked and wherever it stands."""

    text: str
    terms: frozenset[str]
    replaces: Sequence[Replaced]
    puts_off: bool
    is_of_no_use: bool

    @classmethod
    def of(cls, text: str, *, is_of_no_use: bool = False) -> Self:
        """Read a sentence; what a fact states was looked at when it was stated."""
        terms, replaces = frozenset(index_terms(text)), tuple(replaced_in(text))
        return cls(text, terms, replaces, puts_off(text), is_of_no_use)


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence of an exchange, and how it is told."""

    reading: _Reading
    told: str
    role: Role
    source: str
    at: datetime
    # What it is put in order by.
    order: tuple[datetime, int]
    is_contested: bool = False
    # A language model chose and worded it.
    is_worded: bool = False
    # A person or an agent noted it.
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
        """Whether somebody who read the session chose it, a model or an agent."""
        return self.is_worded or self.is_noted


def recalled(
    store: Store, recaller: Recaller, request: BriefRequest, within: Visibility
) -> list[BriefItem]:
    """Return what surely answers the question, what is worth most first."""
    prompt = request.question
    if is_word_for_nothing(prompt) or is_identifier(prompt) or is_scripted(prompt):
        return []
    if len(understand(prompt, recaller.clock.now()).terms) < QUESTION_TERMS_MIN:
        return []
    options = RecallOptions(limit=RECALLED_LIMIT, has_cards=False)
    hits = recall(store, recaller, prompt, within, options).hits
    with store.read() as view:
        rests = {str(hit.id): hit.episode_ids for hit in hits if hit.tier is Tier.FACT}
        own = stated_in(view, rests, request.session_id, within)
    fit = [hit for hit in hits if hit.id not in own and _is_worth_telling(hit, request)]
    with store.read() as view:
        asked = list(_said(view, fit, request, within))
        stated = _stated(view, fit, {one.text: one.told for one in asked}, within)
        said = [*_noted(view, fit, within), *stated, *asked]
        standing = _standing(view, said, within, recaller.clock.now())
        known = _told_already(view, request, within)
    answers = _answering(standing, prompt, recaller.first)
    # Who read the whole session knows what is worth telling: what nobody chose only echoes it.
    told = _distinct([one for one in answers if one.is_chosen] or answers)
    return [_item(one) for one in told if one.source not in known]


def _told_already(view: Snapshot, request: BriefRequest, within: Visibility) -> set[str]:
    """
    Return the IDs of what this session was told beside its prompts.

    Where its context begins anew, as after a compaction, so does this.
    """
    told: set[str] = set()
    if request.session_id is None or request.is_asked:
        return told
    last = Contexts(view).receipts(within, session_id=request.session_id, limit=_PROMPTS_BACK)
    for one in last:
        if any(block in _OPENING for block, _ in one.context.items):
            break
        told.update(source for block, source in one.context.items if block == Block.RECALLED)
    return told


def _is_worth_telling(hit: Hit, request: BriefRequest) -> bool:
    """
    Say whether a hit may come unasked.

    What this session said is before the agent already. What a tool put out or a page said is
    shown to those who ask for it alone (T9), unless it is of an exchange: then that is told.
    """
    if request.session_id is not None and hit.session_id == request.session_id:
        return False
    if hit.tier is Tier.FACT:
        return hit.lifecycle is Lifecycle.CURRENT and hit.grade is not Grade.CANDIDATE
    return hit.kind in SPOKEN or hit.exchange is not None


def _stated(
    view: Snapshot, hits: Iterable[Hit], told: Mapping[str, str], within: Visibility
) -> Iterator[_Sentence]:
    """Yield the facts among *hits*, each as its sentence is *told* where it was said."""
    stated = [hit for hit in hits if hit.tier is Tier.FACT]
    if not stated:
        return
    places = sorted(find_places(view.conn, [str(hit.id) for hit in stated]).values())
    facts = {str(one.id): one for one in Facts(view).at(places, within)}
    for hit in stated:
        if (fact := facts.get(str(hit.id))) is None:
            # It was erased since.
            continue
        is_worded = bool(fact.worded_by)
        # What an agent read somewhere is no advice of ours to run it, in a model's words either.
        if is_worded and not is_safe(hit.text):
            continue
        role = Role.ASSISTANT if fact.is_reported else Role.USER
        reading, about = _Reading.of(hit.text), (*_by_itself(hit), hit.is_contested, is_worded)
        yield _Sentence(reading, told.get(hit.text, hit.text), role, *about)


def _said(
    view: Snapshot, hits: Iterable[Hit], request: BriefRequest, within: Visibility
) -> Iterator[_Sentence]:
    """Yield the sentences of the exchanges of *hits*, and of what was said outside of any."""
    prompt = request.question.split()
    apart = [hit for hit in _apart(hits).values() if hit.text.split() != prompt]
    yield from _said_apart(view, apart, within)
    cards = [hit.exchange for hit in hits if hit.exchange is not None]
    asked = dict.fromkeys(one.id for one in cards)
    taken_back = {one.id for one in cards if one.is_taken_back}
    exchanges = Exchanges(view, within).of(list(asked))
    order = in_order(exchanges)
    for one in exchanges:
        source = (one.id, one.began_at, order[one.id])
        # Asking the same once more answers nothing, and what was doubted or undone is no answer.
        if one.ask.split() != prompt:
            yield from _sentences(one.ask, Role.USER, source)
        if not one.is_doubted and one.id not in taken_back:
            yield from _sentences(one.report, Role.ASSISTANT, source)


def _apart(hits: Iterable[Hit]) -> dict[EpisodeId, Hit]:
    """Return the episodes among *hits* that are of no exchange, by their IDs."""
    apart = (hit for hit in hits if hit.tier is Tier.EPISODE and hit.exchange is None)
    return {hit.episode_ids[0]: hit for hit in apart}


def _said_apart(view: Snapshot, hits: Sequence[Hit], within: Visibility) -> Iterator[_Sentence]:
    """Yield the sentences of what is of no exchange; who says it is decided by how it came."""
    episodes = Episodes(view).all_of([hit.episode_ids[0] for hit in hits], within)
    by_id = {str(one.id): one for one in episodes}
    for hit in hits:
        # What was erased since is told no more.
        if (episode := by_id.get(str(hit.id))) is not None and not episode.is_note:
            role = Role.USER if episode.is_persons else Role.ASSISTANT
            yield from _sentences(hit.text, role, _by_itself(hit))


def _noted(view: Snapshot, hits: Iterable[Hit], within: Visibility) -> Iterator[_Sentence]:
    """
    Yield the notes, each in one piece.

    A note stands alone and is short, so that among exchanges recall finds few of them.
    """
    for one in notes_in(view, within, _apart(hits)):
        if one.words:
            at, role = one.episode.occurred_at, Role.USER if one.is_persons else Role.ASSISTANT
            source = (one.episode.id, at, (at, one.episode.seq))
            yield _Sentence(_Reading.of(one.words), one.words, role, *source, is_noted=True)


def _by_itself(hit: Hit) -> _Source:
    return hit.id, hit.valid_from, (hit.valid_from, 0)


def _sentences(text: str, role: Role, source: _Source) -> Iterator[_Sentence]:
    for reading, told in _readings(text, role):
        yield _Sentence(reading, told, role, *source)


@lru_cache(maxsize=_TEXTS_KEPT)
def _readings(text: str, role: Role) -> Sequence[tuple[_Reading, str]]:
    """Return the sentences of a text, each with how it is told."""
    least, most = _SENTENCE_CHARS[role is Role.USER]
    found: list[tuple[_Reading, str]] = []
    for one in passages(text, role):
        if least <= len(one.sentence.text) <= most:
            # Beside a prompt an agent's next sentence costs more room than it is worth.
            said = one.alone
            told = one.whole if role is Role.USER else said
            reading = _Reading.of(said, is_of_no_use=_is_of_no_use(said, role))
            found.append((reading, told))
    return tuple(found)


def _is_of_no_use(text: str, role: Role) -> bool:
    """
    Say whether a sentence tells nothing.

    It asks, stands aside or breaks off; an agent's announces, orders, lists, or tells what was.
    """
    if supposes(text) or _IN_PIECES.search(text) or _ASIDE.match(text) or _TO_A_HOST.match(text):
        return True
    if role is Role.USER:
        return False
    is_of_code = _CALL.match(text) or (_LISTED.match(text) and not reports_a_deed(text))
    return announces(text) or orders(text) or bool(is_of_code or _WAS_SO.search(text))


def _standing(
    view: Snapshot, said: Sequence[_Sentence], within: Visibility, now: datetime
) -> list[_Sentence]:
    """Return *said* without what no longer holds by the facts made of it, or by what came later."""
    facts = _made_of(view, {one.source for one in said}, within)
    worded = (one for one in facts if one.worded_by and not _has_ended(one, now))
    anew = [span for one in worded for span in one.evidence]
    ended = _by_source(one for one in facts if _has_ended(one, now) and not _is_of(one, anew))
    doubtful = _by_source(one for one in facts if one.is_contested)
    # With what was put off and came to pass goes its echo.
    put_off = [one for one in said if one.reading.puts_off]
    done = [one for one in put_off if any(_comes_to(other, one) for other in said)]
    gone = [(one.order, what) for one in said for what in one.reading.replaces]
    gone += [((one.life.valid_from, 0), what) for one in facts for what in _put_right(one)]
    return [
        replace(
            one,
            told=_still_so(one, ended[one.source], gone),
            is_contested=one.is_contested or _is_like(one.terms, doubtful[one.source]),
        )
        for one in said
        if not one.reading.is_of_no_use
        and not _is_like(one.terms, ended[one.source])
        and not any(at > one.order and what.ends(one.text) for at, what in gone)
        and not any(
            one.source == other.source and _is_like(one.terms, [other.terms]) for other in done
        )
    ]


def _still_so(
    one: _Sentence,
    ended: Iterable[frozenset[str]],
    gone: Iterable[tuple[tuple[datetime, int], Replaced]],
) -> str:
    """Return a sentence with what was said next, or alone where that is over."""
    # Most are told alone, and what replaced anything is asked of none of them twice.
    if one.told == one.text:
        return one.text
    rest = one.told[len(one.text) :]
    is_over = _is_like(frozenset(index_terms(rest)), ended)
    is_over = is_over or any(at > one.order and what.ends(rest) for at, what in gone)
    return one.text if is_over else one.told


def _comes_to(later: _Sentence, put_off: _Sentence) -> bool:
    """Say whether what was put off was asked for or told of later, and not put off again."""
    if later.order <= put_off.order:
        return False
    shared = later.terms & put_off.terms
    is_it = len(shared) >= max(_SHARED_MIN, _PUT_OFF_SHARE * len(put_off.terms))
    return (is_it or is_reported(put_off.text, later.text)) and not later.reading.puts_off


def _by_source(facts: Iterable[Fact]) -> defaultdict[str, list[frozenset[str]]]:
    """Return the terms of *facts* by the episodes on which they rest."""
    terms: defaultdict[str, list[frozenset[str]]] = defaultdict(list)
    for fact in facts:
        for evidence in fact.evidence:
            terms[evidence.episode_id].append(frozenset(index_terms(fact.said.text)))
    return terms


def _made_of(view: Snapshot, sources: Iterable[str], within: Visibility) -> list[Fact]:
    """Return the facts that rest on those of *sources* that are episodes."""
    episodes = [one for one in sources if one.startswith(EpisodeId.prefix)]
    places = sorted(find_places(view.conn, episodes).values())
    return Facts(view).at(Facts(view).resting_on(places), within)


def _has_ended(fact: Fact, now: datetime) -> bool:
    life = fact.life
    is_over = life.valid_to is not None and life.valid_to <= now
    return is_over or life.lifecycle in (Lifecycle.SUPERSEDED, Lifecycle.ARCHIVED)


def _is_of(fact: Fact, spans: Iterable[Evidence]) -> bool:
    """Say whether *fact* was read from words among *spans*: what a model words anew goes on."""
    return any(
        one.episode_id == span.episode_id and one.start < span.end and span.start < one.end
        for one in fact.evidence
        for span in spans
    )


def _put_right(fact: Fact) -> Iterator[Replaced]:
    """Yield what a correction names as wrong."""
    if old := frozenset(index_terms(str(fact.metadata.get("old_value", "")))):
        yield Replaced(old, frozenset(), frozenset(index_terms(fact.said.text)) - old)


def _is_like(terms: frozenset[str], others: Iterable[frozenset[str]]) -> bool:
    size = len(terms)
    for other in others:
        shared = len(terms & other)
        if shared > _SAME * (size + len(other) - shared):
            return True
    return False


def _answering(said: Sequence[_Sentence], prompt: str, embedder: Embedder) -> list[_Sentence]:
    """Return those of *said* that surely answer *prompt*, what is worth most first."""
    if not said:
        return []
    asked, own = weights_of(prompt, [one.terms for one in said]), own_terms(prompt)
    is_short = len(own) < _FEW_TERMS
    is_noted = sum(one.is_noted for one in said) >= NOTES_ENOUGH
    texts = [one.text for one in said]
    likeness = cosines(texts, prompt, embedder, is_centred=len(said) > _FEW_SENTENCES)
    weights: dict[int, float] = {}
    for at, (one, cosine) in enumerate(zip(said, likeness, strict=True)):
        sure = (covered(one.terms, asked) + max(0.0, cosine)) / 2
        least = _CHOSEN_FROM if one.is_chosen else _SURER_FROM if is_noted else _SURE_FROM
        is_met = one.terms & asked.keys() if is_short else one.terms & own
        if is_met and sure >= (_SURER_FROM if is_short else least):
            weights[at] = sure + _worth_of(one)
    return [said[at] for at in sorted(weights, key=lambda at: -weights[at])]


def _worth_of(one: _Sentence) -> float:
    chance = worth(one.text, one.role)
    by_agent = _BY_AGENT if one.role is not Role.USER and not one.is_noted else 0.0
    return _WORTH * math.log(chance / (1 - chance)) + by_agent


def _distinct(said: Iterable[_Sentence]) -> Iterator[_Sentence]:
    """Yield *said*, each thing once, and one of each exchange: its card has the rest."""
    told: list[_Sentence] = []
    for one in said:
        is_told = any(one.source == other.source or one.text in other.told for other in told)
        if not is_told and not _is_like(one.terms, [other.terms for other in told]):
            told.append(one)
            yield one


def _item(one: _Sentence) -> BriefItem:
    who = "" if one.role is Role.USER else NOTED_BY_AGENT if one.is_noted else ", reported"
    who += ", contested" if one.is_contested else ""
    who += WORDED if one.is_worded else ""
    return BriefItem(f"{written_day(one.at)}{who}: {quoted(one.told, PASSAGE_CHARS)}", one.source)
