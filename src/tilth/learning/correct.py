"""
Find what a correction corrects, and end what is over.

"No, it's 5433, not 5432" names neither the thing nor the kind of value. The fact last stated with
the value 5432 tells both; if none or several fit, the words are kept as they are and nothing is
replaced. A correction in a conversation only corrects what was said in that conversation.

A rule that typed words take back stays until a person ends it, and so does a fact whose basis they
say was replaced: a person is asked, and the fact is contested until then. What a language model
finds to be over ends if a reading stated it and nobody vouches for it; for anything else a person
is asked.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from tilth.core.dataclass import dataclass
from tilth.core.errors import ForbiddenError
from tilth.core.ids import EpisodeId, FactId
from tilth.core.instant import written_day
from tilth.core.lifecycle import Lifecycle
from tilth.core.scope import Owner, Scope, Visibility
from tilth.core.text.names import name_key
from tilth.episodes.episode import Episode
from tilth.episodes.remember import WriteContext
from tilth.knowledge.changes.provenance import conversations_of
from tilth.knowledge.facts.fact import Fact, FactDraft
from tilth.knowledge.facts.fact_lifecycle import is_own_word, removal_in, retire_in
from tilth.knowledge.facts.filters import FactFilter
from tilth.knowledge.facts.life import Authority
from tilth.knowledge.facts.statement import PART_CHARS_MAX, Statement, Triple
from tilth.knowledge.facts.tables import Facts
from tilth.knowledge.likeness.parse_statement import read_statement
from tilth.knowledge.vocabulary.registries import Channel
from tilth.learning.candidate import Candidate, StatementKind, Turn
from tilth.learning.filter import Found
from tilth.learning.spoken.withdrawn import TakenBack, meant_by, taken_back
from tilth.ledger.records import find_places
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Transaction
from tilth.recall.order.replacement import read_replacements

# How many of the last statements a correction in passing may be about.
_RECENT_MAX = 50
RULES_MAX = 200
_WORDS_MORE_MAX = 3
# In characters, how much of the words that take a rule back is shown with the question.
REASON_CHARS = 300
_STOPS = ".,;:!?"
_NUMERAL = re.compile(r"[\d.:/]+[a-z%]{0,3}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Corrected:
    """The fact that a correction is about, and those of its words that change."""

    fact: Fact
    old: str


def apply_correction(view: Snapshot, draft: FactDraft, found: Found, owner: Owner) -> FactDraft:
    """Return *draft* as the corrected fact; unchanged if it corrects nothing known."""
    candidate = found.candidate
    if candidate.kind is not StatementKind.CORRECTION:
        return draft
    realm = Visibility(owner, frozenset({draft.scope}))
    before = None if found.turn.before is None else found.turn.before.id
    which = _meant(view, candidate, before, realm)
    if which is None or which.fact.said.channel is Channel.MILESTONE:
        return draft
    if not _is_of_the_same_talk(view, which.fact, found.turn.episode):
        return draft
    new = None if candidate.new_value is None else _shortest(which, candidate.new_value)
    # A clause in the place of a word would make no sentence; then the correction's own words are
    # used.
    is_clause = new is not None and len(new.split()) > len(which.old.split()) + _WORDS_MORE_MAX
    if candidate.said.triple is not None or is_clause:
        return replace(draft, supersedes=which.fact.id)
    if new is None:
        return draft
    said = _said_anew(which, new)
    about = tuple(map(str, which.fact.about))
    return replace(draft, said=said, about=about, supersedes=which.fact.id)


def _is_of_the_same_talk(view: Snapshot, fact: Fact, episode: Episode) -> bool:
    """Say whether *fact* was stated where those in the conversation know of it."""
    return episode.conversation_id is None or episode.conversation_id in conversations_of(
        view, fact
    )


def ask_for_ends(
    tx: Transaction, turns: Iterable[Turn], scope: Scope, recorder: WriteContext
) -> None:
    """Ask a human about rules and facts of *scope* that typed words take back or replace."""
    for turn in turns:
        typed = turn.episode.typed if turn.is_spoken else ""
        ended = [
            _rule_meant(tx, what, turn.episode, scope, recorder.owner) for what in taken_back(typed)
        ]
        replaced = _replaced(tx, typed, turn.episode, scope, recorder.owner)
        for fact in {one.id: one for one in [*filter(None, ended), *replaced]}.values():
            reason = f"typed on {written_day(turn.episode.occurred_at)}: {typed.strip()}"
            # A human who decided to keep it was asked already.
            with suppress(ForbiddenError):
                reason = reason[:REASON_CHARS]
                removal_in(tx, fact, reason, recorder, shown_by=(turn.episode.id,))


class End(NamedTuple):
    """Words of a turn by which, according to a language model, a fact no longer holds."""

    fact_id: FactId
    turn: Turn
    words: str


def end_overtaken(
    tx: Transaction, ends: Sequence[End], scope: Scope, recorder: WriteContext
) -> list[FactId]:
    """
    End facts of *scope* that are over, or ask a human to; return those that ended.

    A human is asked about every rule, facts that somebody stated directly, and facts that a human
    decided about.
    """
    realm = Visibility(recorder.owner, frozenset({scope}))
    done = []
    places = find_places(tx.conn, [one.fact_id for one in ends])
    known = {one.id: one for one in Facts(tx).at(sorted(places.values()), realm)}
    for fact_id, turn, words in {one.fact_id: one for one in ends}.values():
        fact = known.get(fact_id)
        # The fact may have been erased meanwhile.
        if fact is None or not _may_end(tx, fact, turn):
            continue
        episode = turn.episode
        reason = f"overtaken on {written_day(episode.occurred_at)}: {words.strip()}"[:REASON_CHARS]
        if _is_nobodys(tx, fact, recorder):
            since = episode.instant.at
            retire_in(tx, fact, recorder, reason=reason, valid_to=since, shown_by=(episode.id,))
            done.append(fact_id)
        else:
            with suppress(ForbiddenError):
                removal_in(tx, fact, reason, recorder, shown_by=(episode.id,))
    return done


def _is_nobodys(view: Snapshot, fact: Fact, recorder: WriteContext) -> bool:
    """Say whether *fact* was read from words, is no rule, and had no decision of a human."""
    if fact.life.authority is not Authority.EVIDENCE or not is_own_word(fact, recorder):
        return False
    return not any(
        past.by.is_human for past in Facts(view).lives(fact.id, Visibility(recorder.owner))
    )


def _may_end(view: Snapshot, fact: Fact, turn: Turn) -> bool:
    """
    Say whether the words of *turn* may end *fact*.

    Only a person's words end what a person said, except that an agent may report as done what a
    person put off. What a program handed over ends nothing.
    """
    episode = turn.episode
    is_open = fact.metadata.get("kind") == StatementKind.DEFERRAL.value
    return (
        fact.life.lifecycle is Lifecycle.CURRENT
        and fact.said.channel is not Channel.MILESTONE
        and _stood_before(fact, episode)
        and (episode.is_persons or is_open or fact.is_reported)
        and _is_of_the_same_talk(view, fact, episode)
    )


def _replaced(
    view: Snapshot, typed: str, episode: Episode, scope: Scope, owner: Owner
) -> Iterator[Fact]:
    """Yield the facts that rest on what *typed* says was replaced."""
    if not (gone := list(read_replacements(typed))):
        return
    which = FactFilter(within=Visibility(owner, frozenset({scope})))
    for fact in Facts(view).select(which, limit=RULES_MAX):
        is_of_the_past = fact.said.channel is Channel.MILESTONE
        if (
            _stood_before(fact, episode)
            and not is_of_the_past
            and any(one.ends(fact.said.text) for one in gone)
        ):
            yield fact


def _rule_meant(
    view: Snapshot, what: TakenBack, episode: Episode, scope: Scope, owner: Owner
) -> Fact | None:
    realm = Visibility(owner, frozenset({scope}))
    which = FactFilter(within=realm, authority=Authority.INSTRUCTION)
    rules = {
        one.said.text: one
        for one in Facts(view).select(which, limit=RULES_MAX)
        if _stood_before(one, episode)
    }
    meant = meant_by(what, rules)
    return None if meant is None else rules[meant]


def _stood_before(fact: Fact, episode: Episode) -> bool:
    """Say whether *fact* is older than *episode*, uncontested, and does not rest on it."""
    rests_on_it = any(span.episode_id == episode.id for span in fact.evidence)
    is_before = fact.life.valid_from < episode.instant.at
    return is_before and not rests_on_it and not fact.is_contested


def _meant(
    view: Snapshot, candidate: Candidate, before: EpisodeId | None, realm: Visibility
) -> _Corrected | None:
    subject = candidate.said.triple.subject if candidate.said.triple is not None else None
    if candidate.old_value is not None:
        old = candidate.old_value
        which = FactFilter(within=realm, object=old, subject=subject)
        exact = Facts(view).select(which, limit=_RECENT_MAX)
        return _only([_Corrected(one, old) for one in exact or _saying(view, old, realm)], before)
    if candidate.new_value is None or subject is not None or before is None:
        return None
    told = Facts(view).select(FactFilter(within=realm, episode_id=before), limit=_RECENT_MAX)
    return _only([_Corrected(one, _value(one)) for one in told if _fits(one, candidate)], before)


def _saying(view: Snapshot, old: str, realm: Visibility) -> list[Fact]:
    recent = Facts(view).select(FactFilter(within=realm), limit=_RECENT_MAX)
    said = _word(old)
    return [
        one
        for one in recent
        if one.said.triple is None
        if said.search(one.said.text) and not _denies(one.said.text, old)
    ]


def _denies(text: str, value: str) -> bool:
    """Say whether *text* denies *value*; then it is itself a correction."""
    terms = read_statement(value).whole.terms
    return bool(terms) and terms <= read_statement(text).whole.denied


def _only(which: Sequence[_Corrected], before: EpisodeId | None) -> _Corrected | None:
    """Return the intended one: the only one, or the only one that was just said."""
    if len(which) == 1:
        return which[0]
    just_said = [
        one for one in which if before in {evidence.episode_id for evidence in one.fact.evidence}
    ]
    return just_said[0] if len(just_said) == 1 else None


def _fits(fact: Fact, candidate: Candidate) -> bool:
    """Say whether the value of *fact* is of the kind that a correction gives."""
    assert candidate.new_value is not None
    value = _value(fact)
    is_number = _NUMERAL.fullmatch(candidate.new_value) is not None
    is_other = name_key(value) != name_key(candidate.new_value)
    return bool(value) and is_other and (_NUMERAL.fullmatch(value) is not None) is is_number


def _value(fact: Fact) -> str:
    return "" if fact.said.triple is None else fact.said.triple.object


def _said_anew(which: _Corrected, new: str) -> Statement:
    said, new = which.fact.said, new[:PART_CHARS_MAX]
    text = _word(which.old).sub(lambda _: new, said.text)
    if said.triple is None:
        return replace(said, text=text)
    triple = Triple(said.triple.subject, said.triple.predicate, new)
    return replace(said, text=triple.words if text == said.text else text, triple=triple)


def _shortest(which: _Corrected, new: str) -> str:
    """Return *new* without last words that already follow the old value."""
    words, stated = new.split(), which.fact.said.text
    old = _word(which.old).search(stated)
    behind = stated[old.end() :].casefold().split(maxsplit=len(words)) if old else []
    following = [one.strip(_STOPS) for one in behind]
    for count in range(len(words) - 1, 0, -1):
        if [one.casefold() for one in words[-count:]] == following[:count]:
            return " ".join(words[:-count])
    return new


def _word(old: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(old)}(?!\w)", re.IGNORECASE)
