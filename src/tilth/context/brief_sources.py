"""
The sources of an opening brief: one function for each block, which returns its lines.

To add a block, extend `tilth.context.model.Block` and add its source here. A feature above this
package registers its source instead; see `tilth.context.brief_registry`.

A fact is shown if its grade is known or corroborated, it belongs to this project, and the session
that asks did not state it itself. Something that a person typed in a captured session, or
confirmed, is a rule. Something that an imported transcript says a person asked for is testimony,
and shown as that, with its date.
"""

from collections import defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from datetime import datetime
from functools import cached_property
from itertools import islice

from tilth.context.brief_registry import Source, registered_sources
from tilth.context.model import BULLET_CHARS_MAX, Block, BriefItem, quoted
from tilth.context.notes import NOTES_ENOUGH, Note, notes_in, select_notes
from tilth.context.work.exchange_lines import (
    ASK_CHARS,
    ASKS_OF_A_SESSION,
    ASKS_READ,
    Work,
    exchange_lines,
)
from tilth.context.work.outdated import LaterWork
from tilth.context.work.reading_cache import Readings
from tilth.core.actor import GARDENER
from tilth.core.dataclass import dataclass
from tilth.core.ids import EntityId, EpisodeId, FactId, SessionId
from tilth.core.instant import written_day
from tilth.core.lifecycle import Freshness, freshness_of
from tilth.core.scope import Visibility
from tilth.core.text.tokens import index_terms
from tilth.core.view import number_of
from tilth.episodes.document import Document
from tilth.episodes.documents import documents_in, sections_in
from tilth.episodes.filters import EpisodeFilter
from tilth.episodes.session import FETCHED_SESSIONS
from tilth.episodes.tables import Episodes
from tilth.exchanges.approved_plans import PlanOver, plans_over
from tilth.exchanges.exchanges import Exchanges
from tilth.exchanges.model import PASSAGE_CHARS, Exchange
from tilth.exchanges.reported import reported
from tilth.knowledge.changes.provenance import hearsay
from tilth.knowledge.entities.tables import Entities
from tilth.knowledge.facts.fact import Fact
from tilth.knowledge.facts.filters import FactFilter
from tilth.knowledge.facts.life import HANDED_ON, Authority, Grade
from tilth.knowledge.facts.tables import Facts
from tilth.knowledge.likeness.bans import bans_of, drop_repeated_bans
from tilth.knowledge.likeness.drop_repeats import distinct
from tilth.knowledge.proposals.proposal import Proposal, ProposalKind
from tilth.knowledge.proposals.tables import ProposalFilter, Proposals
from tilth.knowledge.vocabulary.registries import EntityType
from tilth.ledger.records import find_places, place_of
from tilth.ledger.snapshot import Snapshot
from tilth.playbooks.gate import is_safe
from tilth.practice.model import Fix
from tilth.practice.practice import telling_fixes, working_commands
from tilth.privacy.sanitize import sanitized
from tilth.privacy.terminal_text import one_line

FIXES_TOLD = 3
COMMANDS_TOLD = 6
PROCEDURES_TOLD = 3
# How many rules are read. More than these are named only by the line for what is left out.
RULES_READ = 200
# How many facts are read: those that sessions stated, to be weighed, and the newest of the others.
FACTS_READ, TOLD_READ = 1000, 200
PROPOSALS_READ = 20
# How many documents are named, and below it, how many of the newest with how many sections.
DOCUMENTS_TOLD = 1000
DOCUMENTS_READ = 8
SECTIONS_READ = 40
# How many sentences from agents' reports on the last work are shown.
REPORTS_TOLD = 4
# The same for sentences that a language model chose: twice as many.
CHOSEN_REPORTS_TOLD = 8
# For how many statements the sentence said next is looked up. A brief has no room for more.
PASSAGES_READ = 16
# The longest quote, in characters, of either fact that a waiting proposal names.
_SIDE_CHARS = 90
# The label of a statement that a language model worded, since nobody said it in these words.
WORDED = ", in a model's words"
# Proposals about identities: an agent at work in a project does not need them.
_OF_NAMES = frozenset({ProposalKind.MERGE, ProposalKind.SPLIT})
_OF_PEOPLE = _OF_NAMES | {ProposalKind.IDENTITY_LINK}
# Proposals that only tidy up: two records that say the same mislead nobody.
_OF_ORDER = frozenset({ProposalKind.DUPLICATE, ProposalKind.GAP_MERGE})
# A width in characters that cuts nothing: rules are shown whole or named.
_WHOLE = 1_000_000
_STATED_CHARS = 240
# Two sentences say the same if they share more than this part of their terms.
_SAME = 0.5
_OPEN, _LAID_DOWN = frozenset({"deferral"}), frozenset({"rule"})
# Weights by kind of statement: a request holds longer than a decision, which outlasts the rest.
_LASTING = {"rule": 1.3, "correction": 1.3, "preference": 1.2, "decision": 1.0}
_OTHER_KINDS = 0.7
# What a statement's weight gains for each further session that repeats it, and for full overlap
# with the terms of the last work.
_AGAIN, _NEAR = 0.1, 0.5
# The weight of a statement that a language model chose: it read the whole session, while the forms
# of speech see one sentence.
_CHOSEN = 2
# The part of its weight that the oldest statement loses, compared with the newest.
_AGE_COSTS = 0.3


@dataclass(frozen=True)
class BriefInputs:
    """
    What the sources of one brief read from: one snapshot, and what was already read of it.

    Each property is read at most once in a brief.
    """

    view: Snapshot
    within: Visibility
    now: datetime
    asking: SessionId | None = None
    cards_asked: int = 0
    readings: Readings = field(default_factory=Readings)

    @cached_property
    def filled(self) -> frozenset[str]:
        """Those of three tables that hold rows; code for an empty table is never loaded."""
        return frozenset(self.view.conn.filled(("pages", "playbooks", "skills")))

    @cached_property
    def facts(self) -> list[Fact]:
        """Current facts, newest first, without testimony and what the asking session said."""
        which, reader = FactFilter(within=self.within, now=self.now), Facts(self.view)
        read = reader.select(replace(which, has_channel=True), limit=FACTS_READ)
        told = reader.select(replace(which, has_channel=False), limit=TOLD_READ)
        found = sorted((*read, *told), key=lambda one: (one.life.valid_from, one.seq), reverse=True)
        stated = [one for one in found if _is_read_from_speech(one)]
        rests = {str(one.id): [of.episode_id for of in one.evidence] for one in stated}
        own = own_statements(self.view, rests, self.asking, self.within)
        apart = own | hearsay(self.view, found)
        return [one for one in found if one.id not in apart]

    @cached_property
    def laid_down(self) -> list[Fact]:
        """Rules, newest first: laid down by a person, or typed in another session than this one."""
        which = FactFilter(within=self.within, now=self.now, authority=Authority.INSTRUCTION)
        found = Facts(self.view).select(which, limit=RULES_READ)
        rests = {str(one.id): [of.episode_id for of in one.evidence] for one in found}
        own = own_statements(self.view, rests, self.asking, self.within)
        return [one for one in found if one.by.is_human or one.id not in own]

    @cached_property
    def waiting(self) -> list[Proposal]:
        """Waiting proposals, without those on people's identities and those that only tidy up."""
        others = self._waiting(frozenset(ProposalKind) - _OF_PEOPLE - _OF_ORDER)
        merges = self._waiting(_OF_NAMES)
        ids = dict.fromkeys(EntityId(id_) for one in merges for id_ in one.draft.entities)
        persons = {
            one.id
            for one in Entities(self.view).all_of([*ids], self.within)
            if one.type is EntityType.PERSON
        }
        return [*others, *(one for one in merges if persons.isdisjoint(one.draft.entities))]

    def _waiting(self, kinds: frozenset[ProposalKind]) -> list[Proposal]:
        which = ProposalFilter(within=self.within, waiting_at=self.now, kinds=kinds)
        return Proposals(self.view).select(which, limit=PROPOSALS_READ)

    @cached_property
    def ends(self) -> dict[FactId, Proposal]:
        """Waiting proposals that would end or replace a fact, by that fact's ID."""
        return {fact: one for one in self.waiting for fact in one.draft.retires}

    @cached_property
    def work(self) -> Work:
        """Earlier asks of this project that were reported on, newest first."""
        own = self.within.own
        asks = Exchanges(self.view, own).last(
            limit=max(ASKS_READ, self.cards_asked),
            of_each=max(ASKS_OF_A_SESSION, self.cards_asked),
            without=self.asking,
        )
        return Work(self.view, own, asks, self.readings)

    @cached_property
    def cards(self) -> list[BriefItem]:
        """Lines on earlier exchanges: the ask, and how it ended."""
        stated = {_text(one) for one in (*self.laid_down, *self.stated)}
        worded = (one for one in self.stated if one.worded_by)
        read = {of.episode_id for one in worded for of in one.evidence}
        # What a language model read from an ask repeats it: the ask itself is left out.
        stated |= {one.ask.strip() for one in self.work.asks if one.id in read}
        return exchange_lines(self.work, stated, count=self.cards_asked)

    @cached_property
    def stated(self) -> list[Fact]:
        """Statements of sessions that may be relied on, each once, those of most weight first."""
        found = [
            one
            for one in self.facts
            # A triple that was read from a sentence answers questions, but nobody said it in those
            # words. Words of a model are shown, if they get no agent to run anything.
            if _is_read_from_speech(one)
            and (is_safe(_text(one)) if one.worded_by else one.said.triple is None)
            and (one.grade is not Grade.CANDIDATE or one.is_testimony)
            and not self._is_over(one)
        ]
        # Where a later fact replaced a value, the sentence from which the value was read is
        # outdated.
        beside = Facts(self.view).with_beside(found, self.within)
        holding = [one for one in beside if not one.is_overtaken]
        return distinct(_weighed(holding, self.work.last), _text, same=_SAME)

    @cached_property
    def asked(self) -> list[Fact]:
        """
        Short statements of what was asked for or decided, neither rules nor put off.

        Where enough notes exist, only statements remain that a model chose, that a person
        confirmed, or that turn something down in session after session.
        """
        found = [
            one
            for one in self.stated
            if not (_is_rule(one) or one.is_reported or _kind(one) in _OPEN)
            if len(_text(one)) <= _STATED_CHARS
            if one.worded_by or one.is_vouched or _is_banned(one) or not self.has_enough_notes
            if not self._is_outdated(one)
        ]
        persons = [one.words for one in self.notes if one.is_persons]
        once = drop_repeated_bans(found, _text, told=[*map(_text, self.laid_down), *persons])
        return distinct(once, _text, same=_SAME, told=[one.words for one in self.notes])

    @cached_property
    def notes(self) -> list[Note]:
        """Notes of persons and agents that still hold, those of most weight first."""
        told = map(_text, (*self.laid_down, *_recorded_facts(self)))
        standing = [
            one
            for one in notes_in(self.view, self.within)
            if one.words
            if not self.later_work.ends(one.words, one.episode.occurred_at, by_words=one.is_persons)
        ]
        return select_notes(standing, told, _terms_at_work(self.work.last))

    @property
    def has_enough_notes(self) -> bool:
        """Whether persons or agents noted so much that other statements add little."""
        return len(self.notes) >= NOTES_ENOUGH

    @property
    def is_curated(self) -> bool:
        """Whether a model, an agent or a person already chose what is worth telling."""
        return self.has_enough_notes or any(one.worded_by for one in self.stated)

    @cached_property
    def reported(self) -> list[Fact]:
        """Facts that a model found in agents' reports and that still hold."""
        return [
            one
            for one in self.stated
            if one.is_reported and not self.later_work.ends(_text(one), one.life.valid_from)
        ]

    @cached_property
    def later_work(self) -> LaterWork:
        """Later work and statements, by which earlier words may be outdated."""
        said = [(one.life.valid_from, _text(one)) for one in self.stated if not one.is_reported]
        return LaterWork(self.work, said, self.now)

    def _is_outdated(self, fact: Fact) -> bool:
        # A habit is stated again and again, and no commit ends it.
        at = fact.fresh_from if fact.recurs else fact.life.valid_from
        return self.later_work.ends(_text(fact), at, by_words=fact.recurs)

    def _is_over(self, fact: Fact) -> bool:
        """Say whether all plans that a fact rests on are over."""
        plans = [self._plans_over.get(one.episode_id) for one in fact.evidence]
        return bool(plans) and all(one is not None and one.ends(_text(fact)) for one in plans)

    @cached_property
    def _plans_over(self) -> Mapping[EpisodeId, PlanOver]:
        return plans_over(self.view, self.within.own)

    @cached_property
    def disputed(self) -> Mapping[FactId, Fact]:
        """Facts that waiting proposals name, by their IDs."""
        named = {id_ for one in self.waiting for id_ in _sides(one)}
        places = find_places(self.view.conn, named).values()
        return {one.id: one for one in Facts(self.view).at(sorted(places), self.within)}


def own_statements(
    view: Snapshot,
    rests: Mapping[str, Sequence[EpisodeId]],
    session_id: SessionId | None,
    within: Visibility,
) -> frozenset[str]:
    """
    Return those keys of *rests* whose first episode belongs to the session; empty without one.

    *rests* maps the ID of each fact to the episodes of its evidence.
    """
    if session_id is None or not rests:
        return frozenset()
    which = EpisodeFilter(within=within, session_id=session_id)
    by_seq = {
        place_of(view.conn, episode_id): id_ for id_, ids in rests.items() for episode_id in ids[:1]
    }
    found = Episodes(view).places(list(by_seq), which)
    return frozenset(by_seq[one.seq] for one in found)


def _rules(inputs: BriefInputs) -> list[BriefItem]:
    """Return the rules, each as a line."""
    by_hand = [one for one in inputs.laid_down if one.by.is_human]
    typed = distinct((one for one in inputs.laid_down if not one.by.is_human), _text, same=_SAME)
    confirmed = [one for one in inputs.stated if _is_rule(one)]
    rules = [(one, _fact_item(inputs, one, "laid down", _WHOLE)) for one in by_hand]
    rules += [(one, _stated_item(one)) for one in (*typed, *confirmed)]
    return [_with_proposal(inputs, *one) for one in rules]


def _with_proposal(inputs: BriefInputs, fact: Fact, item: BriefItem) -> BriefItem:
    """Return a fact's line with the proposal that would end or replace it, if one waits."""
    asked = inputs.ends.get(fact.id)
    if asked is None:
        return item
    if asked.draft.kind is ProposalKind.REMOVAL:
        told = f"taken back? {quoted(asked.draft.reason, _STATED_CHARS)}"
    else:
        instead = (inputs.disputed[one] for one in asked.draft.facts if one in inputs.disputed)
        told = " ".join(["or now", *(quoted(one.said.text, _STATED_CHARS) for one in instead)])
    return BriefItem(f"{item.text}, {told}", item.source)


def _asked_for(inputs: BriefInputs) -> list[BriefItem]:
    """
    Return what was decided, and what others say that a person asked for.

    A statement is shown whole or not at all: cut short, it loses what it asks for. It comes with
    what its speaker said next, which often says what is meant.
    """
    told: list[BriefItem] = []
    lines: list[str] = []
    passages_of = _passages_of(inputs, inputs.asked[:PASSAGES_READ])
    for one in inputs.asked:
        line = passages_of.get(one.id, _text(one))
        # Words that only join a sentence to the one before are cut, and it then begins with a
        # capital.
        if any(each in line.casefold() for each in lines):
            line = _text(one)
        if not any(_text(one).casefold() in each for each in lines):
            lines.append(line.casefold())
            told.append(_with_proposal(inputs, one, _stated_item(one, line)))
    return told


def _passages_of(inputs: BriefInputs, facts: Sequence[Fact]) -> Mapping[FactId, str]:
    """Return the words of facts, each with what its speaker said next where that still holds."""
    first = {one.id: one.evidence[0].episode_id for one in facts if one.evidence}
    places = sorted(find_places(inputs.view.conn, first.values()).values())
    episodes = Episodes(inputs.view).at(places, inputs.within)
    said = {one.id: one.text for one in episodes}
    reader = Facts(inputs.view)
    beside = reader.at(reader.resting_on(places), inputs.within)
    over = [_text(one) for one in beside if not one.life.holds_at(inputs.now)]
    told = [(one.id, _text(one), said[first[one.id]]) for one in facts if first.get(one.id) in said]
    read = inputs.readings.said_next
    passages_of = {}
    for id_, text, whole in told:
        rest = read(whole, text)
        # What is over is left out, and so is what gets an agent to fetch or run something.
        is_shown = rest and not any(each in rest for each in over) and is_safe(rest)
        passages_of[id_] = text + rest if is_shown else text
    return passages_of


def _put_off(inputs: BriefInputs) -> list[BriefItem]:
    """Return what was put off and is not done yet, newest first."""
    found = [
        one
        for one in inputs.stated
        if _kind(one) in _OPEN
        and not inputs.later_work.is_done(_text(one), one.life.valid_from)
        and not inputs.later_work.ends(_text(one), one.life.valid_from)
    ]
    found.sort(key=lambda one: one.life.valid_from, reverse=True)
    return [_stated_item(one) for one in found]


def _commands(inputs: BriefInputs) -> list[BriefItem]:
    """Return the commands that work here, each with its purpose, and procedures for whole tasks."""
    by_kind: defaultdict[str, list[str]] = defaultdict(list)
    for one in working_commands(inputs.view, inputs.within.own)[:COMMANDS_TOLD]:
        by_kind[one.kind].append(f"`{one_line(sanitized(one.shown), _SIDE_CHARS)}`")
    commands = [BriefItem(f"{kind}: {', '.join(lines)}", "") for kind, lines in by_kind.items()]
    return [*commands, *_playbooks(inputs), *_skills(inputs)]


def _playbooks(inputs: BriefInputs) -> list[BriefItem]:
    """Return confirmed playbooks, each with its commands in their order."""
    if "playbooks" not in inputs.filled:
        return []
    from tilth.playbooks.tables import Playbooks  # noqa: PLC0415 - where there are some

    found = Playbooks(inputs.view).shown(inputs.within)[:PROCEDURES_TOLD]
    items = []
    for one in found:
        title = one_line(sanitized(one.draft.title), _SIDE_CHARS)
        commands = one_line(" → ".join(map(sanitized, one.draft.uses)), BULLET_CHARS_MAX)
        items.append(BriefItem(f"{title}: {commands}", one.id))
    return items


def _skills(inputs: BriefInputs) -> list[BriefItem]:
    """Return installed skills."""
    if "skills" not in inputs.filled:
        return []
    from tilth.skills.model import SkillState  # noqa: PLC0415 - where there are some
    from tilth.skills.tables import Skills  # noqa: PLC0415 - where there are some

    found = Skills(inputs.view).select(inputs.within, states={SkillState.APPROVED})[
        :PROCEDURES_TOLD
    ]
    return [BriefItem(f"skill `{one.draft.name}` is installed", one.id) for one in found]


def _pitfalls(inputs: BriefInputs) -> list[BriefItem]:
    """Return failures that were overcome in this project, and how."""
    found = telling_fixes(inputs.view, inputs.within.own, limit=FIXES_TOLD)
    return [
        BriefItem(
            f"{written_day(one.failed_at)}, `{one_line(sanitized(one.line), _SIDE_CHARS)}` failed:"
            f" {quoted(one.symptom, _SIDE_CHARS)}; {_overcome(one)}",
            one.failed_in,
        )
        for one in found
    ]


def _overcome(fix: Fix) -> str:
    """Return what overcame a failure, or in how many sessions it was if nothing tells."""
    if fix.instead:
        return f"`{one_line(sanitized(fix.instead), _SIDE_CHARS)}` worked instead"
    told = fix.cause or ", ".join(fix.files)
    # Half a cause is of no use: it leaves out what was wrong.
    return quoted(told, _STATED_CHARS) if told else f"overcome in {fix.recurrence} sessions"


def _cards(inputs: BriefInputs) -> list[BriefItem]:
    """Return lines on earlier exchanges, unless notes already cover them."""
    return [] if inputs.has_enough_notes else inputs.cards


def _reported(inputs: BriefInputs) -> list[BriefItem]:
    """Return sentences of agents' reports that no other block shows, the weightiest first."""
    if inputs.is_curated:
        return [_stated_item(one) for one in inputs.reported[:CHOSEN_REPORTS_TOLD]]
    told = [*map(_text, (*inputs.laid_down, *inputs.stated)), *(one.text for one in inputs.cards)]
    found = reported(inputs.work.asks, told, inputs.readings.report_sentences)
    # An agent may repeat something it read. Tilth does not advise anybody to run it.
    safe = (
        one
        for one in found
        if is_safe(one.text) and not inputs.later_work.ends(one.text, one.exchange.began_at)
    )
    return [
        BriefItem(
            f"{written_day(one.exchange.began_at)}: {quoted(one.text, _WHOLE)}", one.exchange.id
        )
        for one in islice(safe, REPORTS_TOLD)
    ]


def _documents(inputs: BriefInputs) -> list[BriefItem]:
    """
    Return every readable document; those imported last come with their sections.

    Pages from the web are left out (T9): a page's title may be an instruction to the agent.
    """
    every = documents_in(inputs.view, inputs.within, limit=DOCUMENTS_TOLD)
    known = [one for one in every if not one.session.id.startswith(FETCHED_SESSIONS)]
    return [
        _document_item(inputs, document, is_whole=number < DOCUMENTS_READ)
        for number, document in enumerate(known)
    ]


def _document_item(inputs: BriefInputs, document: Document, *, is_whole: bool) -> BriefItem:
    title = quoted(document.title, _SIDE_CHARS)
    count = document.session.episode_count
    if not is_whole:
        return BriefItem(f"{title}, {number_of(count, 'section')}", document.slug)
    sections = sections_in(inputs.view, document, inputs.within, limit=SECTIONS_READ)
    names = [section.slug for section in sections]
    told = ", ".join(names)
    while len(told) > BULLET_CHARS_MAX:
        names.pop()
        told = f"{', '.join(names)} and {len(sections) - len(names)} more"
    unread = count - SECTIONS_READ
    rest = f" and {unread} pieces behind them" if unread > 0 else ""
    return BriefItem(f"{title}: {told}{rest}", document.slug)


def _attention(inputs: BriefInputs) -> list[BriefItem]:
    """Return waiting proposals, and a human's facts that nobody confirmed in a long time."""
    told = {one.id for one in (*inputs.laid_down, *inputs.asked)}
    apart = (
        one
        for one in inputs.waiting
        # A proposal that would end or replace a statement is shown on that statement's line.
        if one.by != GARDENER and not (one.draft.retires and told.issuperset(one.draft.retires))
    )
    contested = [_proposal_item(inputs, *alike) for alike in _group_by_facts(apart)]
    old = [
        _fact_item(inputs, fact, "to verify")
        for fact in _recorded_facts(inputs)
        if freshness_of(inputs.now - fact.fresh_from) in (Freshness.VERIFY, Freshness.GUESS)
    ]
    return contested + old


def _group_by_facts(waiting: Iterable[Proposal]) -> Collection[list[Proposal]]:
    """Return *waiting* by the facts that they would end; each of the others stands alone."""
    groups: defaultdict[Hashable, list[Proposal]] = defaultdict(list)
    for one in waiting:
        groups[one.draft.retires or one.id].append(one)
    return groups.values()


def _summary(inputs: BriefInputs) -> list[BriefItem]:
    """Return facts that somebody recorded as facts, newest first."""
    return [
        _fact_item(
            inputs, fact, "contested" if fact.is_contested else f"{fact.grade}, {fact.life.review}"
        )
        for fact in _recorded_facts(inputs)
        if fact.life.authority is Authority.EVIDENCE
    ]


def _notes(inputs: BriefInputs) -> list[BriefItem]:
    """Return notes of persons and agents, those of most weight first."""
    # An agent's note that repeats a person's own words is left out.
    said = [_text(one) for one in inputs.asked if not one.worded_by]
    by_agents = [one for one in inputs.notes if not one.is_persons]
    kept = {
        one.episode.id for one in drop_repeated_bans(by_agents, lambda one: one.words, told=said)
    }
    return [one.item for one in inputs.notes if one.is_persons or one.episode.id in kept]


def _recorded_facts(inputs: BriefInputs) -> Iterator[Fact]:
    """Yield facts that were recorded as facts, not read from what somebody said."""
    return (
        one
        for one in inputs.facts
        if not _is_read_from_speech(one) and one.grade is not Grade.CANDIDATE
    )


def _is_read_from_speech(fact: Fact) -> bool:
    is_read = "kind" in fact.metadata and "remembered" not in fact.metadata
    return is_read and fact.life.authority is Authority.EVIDENCE


def _is_rule(fact: Fact) -> bool:
    """Say whether a fact is a rule by testimony that a person confirmed."""
    return fact.is_vouched and _kind(fact) in _LAID_DOWN


def _text(fact: Fact) -> str:
    return fact.said.text


def _kind(fact: Fact) -> str:
    return str(fact.metadata.get("kind", ""))


def _weighed(facts: Sequence[Fact], last_work: Sequence[Exchange]) -> list[Fact]:
    """
    Return *facts*, those of most weight first.

    The weight grows with the form of speech and kind, the number of sessions that repeat it and the
    terms it shares with the last work, and falls with age.
    """
    days = sorted({one.life.valid_from.date() for one in facts}, reverse=True)
    age = {day: number / max(1, len(days) - 1) for number, day in enumerate(days)}
    at_work = _terms_at_work(last_work)

    def weight(fact: Fact) -> float:
        lasting = _LASTING.get(_kind(fact), _OTHER_KINDS)
        terms = frozenset(index_terms(fact.said.text))
        near = len(terms & at_work) / max(1, len(terms))
        often = 1 + _AGAIN * (len(fact.evidence) - 1)
        aged = 1 if fact.recurs else 1 - _AGE_COSTS * age[fact.life.valid_from.date()]
        chosen = _CHOSEN if fact.worded_by else 1
        return fact.confidence.value * lasting * often * aged * chosen * (1 + _NEAR * near)

    return sorted(facts, key=weight, reverse=True)


def _terms_at_work(last_work: Sequence[Exchange]) -> frozenset[str]:
    return frozenset(term for one in last_work for term in index_terms(one.ask[:ASK_CHARS]))


def _is_banned(fact: Fact) -> bool:
    if not fact.recurs:
        return False
    # Bans in session after session are rare, and this import loads every form of speech.
    from tilth.exchanges.worth import FORMS  # noqa: PLC0415

    return bans_of(_text(fact)) is not None or bool(FORMS["begins with no"].search(_text(fact)))


def _stated_item(fact: Fact, line: str = "") -> BriefItem:
    said = quoted(line or _text(fact), PASSAGE_CHARS)
    if fact.recurs:
        return BriefItem(f"in {len(fact.evidence)} sessions: {said}", fact.id)
    way = ", handed over by a program" if fact.is_testimony and not fact.is_vouched else ""
    way += ", pasted" if HANDED_ON in fact.metadata else ""
    way += ", contested" if fact.is_contested else ""
    way += WORDED if fact.worded_by else ""
    return BriefItem(f"{written_day(fact.life.valid_from)}{way}: {said}", fact.id)


def _fact_item(
    inputs: BriefInputs, fact: Fact, label: str, width: int = BULLET_CHARS_MAX
) -> BriefItem:
    fresh = freshness_of(inputs.now - fact.fresh_from)
    when = f"{written_day(fact.life.valid_from)} ({fresh})"
    return BriefItem(f"{when}, {label}: {quoted(fact.said.text, width)}", fact.id)


def _sides(proposal: Proposal) -> Sequence[FactId]:
    """Return the facts a proposal is about: first what it would replace, then the replacement."""
    return (*proposal.draft.retires[:1], *proposal.draft.facts[:1])


def _proposal_item(inputs: BriefInputs, proposal: Proposal, *alike: Proposal) -> BriefItem:
    """Return the line of a waiting proposal, with both of its facts; count those *alike*."""
    draft = proposal.draft
    facts = (inputs.disputed[one] for one in _sides(proposal) if one in inputs.disputed)
    texts = [quoted(fact.said.text, _SIDE_CHARS) for fact in facts]
    sides = " or ".join(dict.fromkeys(texts)) or quoted(draft.reason)
    more = f", and {len(alike)} more" if alike else ""
    return BriefItem(
        f"{written_day(proposal.recorded_at)}, {draft.kind} waits: {sides}{more}",
        proposal.id,
        quotes=frozenset(map(str, _sides(proposal))),
    )


_SOURCES: dict[Block, Source] = {
    Block.RULES: _rules,
    Block.NOTED: _notes,
    Block.ASKED: _asked_for,
    Block.COMMANDS: _commands,
    Block.OPEN: _put_off,
    Block.DOCUMENTS: _documents,
    Block.ATTENTION: _attention,
    Block.SUMMARY: _summary,
    Block.RECENT: _cards,
    Block.PITFALLS: _pitfalls,
    Block.REPORTED: _reported,
}


def sources(allowed: Collection[Block]) -> list[tuple[Block, Source]]:
    """Return the sources of the *allowed* blocks, in the order of the brief."""
    known = {**_SOURCES, **registered_sources()}
    return [(one, known[one]) for one in Block if one in allowed and one in known]
