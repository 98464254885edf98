"""
What an opening brief is made of: a source for each block.

A part of the brain that has something to tell at the start of a session adds its block to
`tilth.context.model.Block`, and its source here; one that lies above this registers it, see
`tilth.context.opening`.

What is told is known or corroborated, of this project, and not of the session that asks. What a
person typed in a session that was captured, or confirmed, is a rule; what a transcript from
elsewhere says that somebody asked for is told as that, with its date.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field, replace
from datetime import datetime
from functools import cached_property
from itertools import islice

from tilth.context.model import BULLET_CHARS_MAX, Block, BriefItem, quoted
from tilth.context.notes import NOTES_ENOUGH, Note, notes_in, weighed
from tilth.context.opening import Source, told_elsewhere
from tilth.context.work.cards import ASK_CHARS, ASKS_OF_A_SESSION, ASKS_READ, Work, cards
from tilth.context.work.readings import Readings
from tilth.context.work.since import Since
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
from tilth.exchanges.exchanges import Exchanges
from tilth.exchanges.model import PASSAGE_CHARS, Exchange
from tilth.exchanges.plans import PlanOver, plans_over
from tilth.exchanges.reported import reported
from tilth.knowledge.changes.provenance import hearsay
from tilth.knowledge.entities.tables import Entities
from tilth.knowledge.facts.fact import Fact
from tilth.knowledge.facts.filters import FactFilter
from tilth.knowledge.facts.life import HANDED_ON, Authority, Grade
from tilth.knowledge.facts.tables import Facts
from tilth.knowledge.likeness.bans import banned_once, bans_of
from tilth.knowledge.likeness.telling_once import distinct
from tilth.knowledge.proposals.proposal import Proposal, ProposalKind
from tilth.knowledge.proposals.tables import ProposalFilter, Proposals
from tilth.knowledge.vocabulary.registries import EntityType
from tilth.ledger.records import find_places, place_of
from tilth.ledger.snapshot import Snapshot
from tilth.playbooks.gate import is_safe
from tilth.practice.model import Fix
from tilth.practice.practice import telling_fixes, working_commands
from tilth.privacy.defusing import defused
from tilth.privacy.inert import one_line

FIXES_TOLD = 3
COMMANDS_TOLD = 6
PROCEDURES_TOLD = 3
# More rules than this are no rules; those beyond are named by the last line all the same.
RULES_READ = 200
# What was read from sessions is weighed; of what was told otherwise the newest have room.
FACTS_READ, TOLD_READ = 1000, 200
PROPOSALS_READ = 20
# Documents are named as far as there is room, and the last ones told section by section.
DOCUMENTS_TOLD = 1000
DOCUMENTS_READ = 8
SECTIONS_READ = 40
# Of what agents reported in the last work so many sentences are told, of those worth it.
REPORTS_TOLD = 4
# Of what a model chose among them, twice as many.
CHOSEN_REPORTS_TOLD = 8
# What was said next is looked up for so many of the things that were asked for; no more have room.
PASSAGES_READ = 16
# Of each side of a question.
_SIDE_CHARS = 90
# What nobody said word for word.
WORDED = ", in a model's words"
# Whose an address is, and which persons are one, no agent at work in a project has to know.
_OF_NAMES = frozenset({ProposalKind.MERGE, ProposalKind.SPLIT})
_OF_PEOPLE = _OF_NAMES | {ProposalKind.IDENTITY_LINK}
# That two things say the same is put in order by a person: nobody at work is misled by either.
_OF_ORDER = frozenset({ProposalKind.DUPLICATE, ProposalKind.GAP_MERGE})
# A rule is shown whole or named, never cut.
_WHOLE = 1_000_000
_STATED_CHARS = 240
# Two sentences that share more of their terms say the same.
_SAME = 0.5
_OPEN, _LAID_DOWN = frozenset({"deferral"}), frozenset({"rule"})
# What is asked for holds longer than what was decided, and that longer than what was told.
_LASTING = {"rule": 1.3, "correction": 1.3, "preference": 1.2, "decision": 1.0}
_OTHER_KINDS = 0.7
# How much each further session adds, and all of its words being those of the last work.
_AGAIN, _NEAR = 0.1, 0.5
# By how much a model that read the whole session knows better than the form of one sentence.
_CHOSEN = 2
# How much of its weight the oldest session's word loses to the newest's.
_AGE_COSTS = 0.3


@dataclass(frozen=True)
class Sight:
    """What the sources of a brief draw from: one snapshot, and what was read of it already."""

    view: Snapshot
    within: Visibility
    now: datetime
    asking: SessionId | None = None
    cards_asked: int = 0
    readings: Readings = field(default_factory=Readings)

    @cached_property
    def filled(self) -> frozenset[str]:
        """Those of these tables that hold a row: what tells of them is loaded for no empty one."""
        return frozenset(self.view.conn.filled(("pages", "playbooks", "skills")))

    @cached_property
    def facts(self) -> list[Fact]:
        """What holds now, the newest first; not what others told, nor what this session said."""
        which, reader = FactFilter(within=self.within, now=self.now), Facts(self.view)
        read = reader.select(replace(which, has_channel=True), limit=FACTS_READ)
        told = reader.select(replace(which, has_channel=False), limit=TOLD_READ)
        found = sorted((*read, *told), key=lambda one: (one.life.valid_from, one.seq), reverse=True)
        stated = [one for one in found if _is_stated(one)]
        rests = {str(one.id): [of.episode_id for of in one.evidence] for one in stated}
        own = stated_in(self.view, rests, self.asking, self.within)
        apart = own | hearsay(self.view, found)
        return [one for one in found if one.id not in apart]

    @cached_property
    def laid_down(self) -> list[Fact]:
        """What a person laid down, or typed in another session, the newest first."""
        which = FactFilter(within=self.within, now=self.now, authority=Authority.INSTRUCTION)
        found = Facts(self.view).select(which, limit=RULES_READ)
        rests = {str(one.id): [of.episode_id for of in one.evidence] for one in found}
        own = stated_in(self.view, rests, self.asking, self.within)
        return [one for one in found if one.by.is_human or one.id not in own]

    @cached_property
    def waiting(self) -> list[Proposal]:
        """What waits for a human, but for what concerns only people or good order."""
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
        """What waits for a human to end or replace a fact, by the fact."""
        return {fact: one for one in self.waiting for fact in one.draft.retires}

    @cached_property
    def work(self) -> Work:
        """What was asked in this project and reported on, the newest first."""
        own = self.within.own
        asks = Exchanges(self.view, own).last(
            limit=max(ASKS_READ, self.cards_asked),
            of_each=max(ASKS_OF_A_SESSION, self.cards_asked),
            without=self.asking,
        )
        return Work(self.view, own, asks, self.readings)

    @cached_property
    def cards(self) -> list[BriefItem]:
        """What was asked in earlier sessions, and how it ended."""
        stated = {_text(one) for one in (*self.laid_down, *self.stated)}
        worded = (one for one in self.stated if one.worded_by)
        read = {of.episode_id for one in worded for of in one.evidence}
        # What a model made of an ask tells it.
        stated |= {one.ask.strip() for one in self.work.asks if one.id in read}
        return cards(self.work, stated, count=self.cards_asked)

    @cached_property
    def stated(self) -> list[Fact]:
        """What sessions stated and may be relied on, what is worth most first, each once."""
        found = [
            one
            for one in self.facts
            # What was read into a triple answers questions; it is nobody's word, unless a model
            # worded it, which would have nothing run.
            if _is_stated(one)
            and (is_safe(_text(one)) if one.worded_by else one.said.triple is None)
            and (one.grade is not Grade.CANDIDATE or one.is_testimony)
            and not self._is_over(one)
        ]
        # What came in the place of a value overtook the sentence that it was read from.
        beside = Facts(self.view).with_beside(found, self.within)
        holding = [one for one in beside if not one.is_overtaken]
        return distinct(_weighed(holding, self.work.last), _text, same=_SAME)

    @cached_property
    def asked(self) -> list[Fact]:
        """
        What was asked for or decided, is neither a rule nor put off, holds and has room.

        Where enough was noted, that alone which a model chose, or a person confirmed or had to
        turn down in session after session.
        """
        found = [
            one
            for one in self.stated
            if not (_is_rule(one) or one.is_reported or _kind(one) in _OPEN)
            if len(_text(one)) <= _STATED_CHARS
            if one.worded_by or one.is_vouched or _is_banned(one) or not self.was_noted
            if not self._is_over_since(one)
        ]
        persons = [one.words for one in self.notes if one.is_persons]
        once = banned_once(found, _text, told=[*map(_text, self.laid_down), *persons])
        return distinct(once, _text, same=_SAME, told=[one.words for one in self.notes])

    @cached_property
    def notes(self) -> list[Note]:
        """What a person or an agent noted for later sessions, what is worth most first."""
        told = map(_text, (*self.laid_down, *_told(self)))
        standing = [
            one
            for one in notes_in(self.view, self.within)
            if one.words
            if not self.since.ends(one.words, one.episode.occurred_at, by_words=one.is_persons)
        ]
        return weighed(standing, told, _terms_at_work(self.work.last))

    @property
    def was_noted(self) -> bool:
        """Whether agents or persons noted enough of these sessions."""
        return len(self.notes) >= NOTES_ENOUGH

    @property
    def was_read(self) -> bool:
        """Whether a model, agents or persons chose of these sessions what is worth telling."""
        return self.was_noted or any(one.worded_by for one in self.stated)

    @cached_property
    def reported(self) -> list[Fact]:
        """What a model found in reports of agents, where it holds."""
        return [
            one
            for one in self.stated
            if one.is_reported and not self.since.ends(_text(one), one.life.valid_from)
        ]

    @cached_property
    def since(self) -> Since:
        """What became of what was told earlier."""
        said = [(one.life.valid_from, _text(one)) for one in self.stated if not one.is_reported]
        return Since(self.work, said, self.now)

    def _is_over_since(self, fact: Fact) -> bool:
        # What recurs is said again and again, and no commit ends a habit.
        at = fact.fresh_from if fact.recurs else fact.life.valid_from
        return self.since.ends(_text(fact), at, by_words=fact.recurs)

    def _is_over(self, fact: Fact) -> bool:
        """Say whether a fact rests on nothing but plans that are over."""
        plans = [self._plans_over.get(one.episode_id) for one in fact.evidence]
        return bool(plans) and all(one is not None and one.ends(_text(fact)) for one in plans)

    @cached_property
    def _plans_over(self) -> Mapping[EpisodeId, PlanOver]:
        return plans_over(self.view, self.within.own)

    @cached_property
    def in_question(self) -> Mapping[FactId, Fact]:
        """The facts that are told of what waits, by their IDs."""
        named = {id_ for one in self.waiting for id_ in _sides(one)}
        places = find_places(self.view.conn, named).values()
        return {one.id: one for one in Facts(self.view).at(sorted(places), self.within)}


def stated_in(
    view: Snapshot,
    rests: Mapping[str, Sequence[EpisodeId]],
    session_id: SessionId | None,
    within: Visibility,
) -> frozenset[str]:
    """Return which of *rests*, by what they rest on, were stated in a session."""
    if session_id is None or not rests:
        return frozenset()
    which = EpisodeFilter(within=within, session_id=session_id)
    by_seq = {
        place_of(view.conn, episode_id): id_ for id_, ids in rests.items() for episode_id in ids[:1]
    }
    found = Episodes(view).places(list(by_seq), which)
    return frozenset(by_seq[one.seq] for one in found)


def _rules(sight: Sight) -> list[BriefItem]:
    """Return what is laid down, and what a person typed to hold from then on."""
    by_hand = [one for one in sight.laid_down if one.by.is_human]
    typed = distinct((one for one in sight.laid_down if not one.by.is_human), _text, same=_SAME)
    confirmed = [one for one in sight.stated if _is_rule(one)]
    rules = [(one, _fact_item(sight, one, "laid down", _WHOLE)) for one in by_hand]
    rules += [(one, _stated_item(one)) for one in (*typed, *confirmed)]
    return [_in_question(sight, *one) for one in rules]


def _in_question(sight: Sight, fact: Fact, item: BriefItem) -> BriefItem:
    """Return a fact's line; with what takes it back or its place, until a human decides."""
    asked = sight.ends.get(fact.id)
    if asked is None:
        return item
    if _ends(asked):
        told = f"taken back? {quoted(asked.draft.reason, _STATED_CHARS)}"
    else:
        instead = (sight.in_question[one] for one in asked.draft.facts if one in sight.in_question)
        told = " ".join(["or now", *(quoted(one.said.text, _STATED_CHARS) for one in instead)])
    return BriefItem(f"{item.text}, {told}", item.source)


def _asked(sight: Sight) -> list[BriefItem]:
    """
    Return what was decided, and what others say that somebody asked for.

    It is told whole or not at all: a sentence that breaks off has lost what it asks for. With
    it is told what its speaker said next, which often says what is meant.
    """
    told: list[BriefItem] = []
    lines: list[str] = []
    passages_of = _passages_of(sight, sight.asked[:PASSAGES_READ])
    for one in sight.asked:
        line = passages_of.get(one.id, _text(one))
        # Without the words that join it to what came before, a sentence begins in capitals.
        if any(each in line.casefold() for each in lines):
            line = _text(one)
        if not any(_text(one).casefold() in each for each in lines):
            lines.append(line.casefold())
            told.append(_in_question(sight, one, _stated_item(one, line)))
    return told


def _passages_of(sight: Sight, facts: Sequence[Fact]) -> Mapping[FactId, str]:
    """Return the words of facts with what was said next, where that still holds."""
    first = {one.id: one.evidence[0].episode_id for one in facts if one.evidence}
    places = sorted(find_places(sight.view.conn, first.values()).values())
    episodes = Episodes(sight.view).at(places, sight.within)
    said = {one.id: one.text for one in episodes}
    reader = Facts(sight.view)
    beside = reader.at(reader.resting_on(places), sight.within)
    over = [_text(one) for one in beside if not one.life.holds_at(sight.now)]
    told = [(one.id, _text(one), said[first[one.id]]) for one in facts if first.get(one.id) in said]
    read = sight.readings.said_next
    return {id_: _passage(text, read(whole, text), over) for id_, text, whole in told}


def _passage(text: str, rest: str, over: Sequence[str]) -> str:
    """Return *text* with the *rest* that was said next; alone where that is *over*."""
    return text + rest if rest and _may_be_told(rest, over) else text


def _may_be_told(rest: str, over: Sequence[str]) -> bool:
    """Say whether what was said next still holds, and would have nobody fetch and run anything."""
    return not any(each in rest for each in over) and is_safe(rest)


def _open(sight: Sight) -> list[BriefItem]:
    """Return what was put off and is not done yet, the newest first."""
    found = [one for one in sight.stated if _kind(one) in _OPEN and not _is_closed(one, sight)]
    found.sort(key=lambda one: one.life.valid_from, reverse=True)
    return [_stated_item(one) for one in found]


def _is_closed(fact: Fact, sight: Sight) -> bool:
    """Say whether what was put off was done by later work, or is over otherwise."""
    text, at = _text(fact), fact.life.valid_from
    return sight.since.is_done(text, at) or sight.since.ends(text, at)


def _commands(sight: Sight) -> list[BriefItem]:
    """Return the commands that work here by what they are for, and how a whole task is done."""
    by_kind: defaultdict[str, list[str]] = defaultdict(list)
    for one in working_commands(sight.view, sight.within.own)[:COMMANDS_TOLD]:
        by_kind[one.kind].append(f"`{one_line(defused(one.shown), _SIDE_CHARS)}`")
    commands = [BriefItem(f"{kind}: {', '.join(lines)}", "") for kind, lines in by_kind.items()]
    return [*commands, *_procedures(sight)]


def _procedures(sight: Sight) -> list[BriefItem]:
    """Return the playbooks that a human confirmed, and the skills that are installed."""
    return [*_playbooks(sight), *_skills(sight)]


def _playbooks(sight: Sight) -> list[BriefItem]:
    if "playbooks" not in sight.filled:
        return []
    from tilth.playbooks.keeping import shown_playbooks  # noqa: PLC0415 - where there are some

    found = shown_playbooks(sight.view, sight.within)[:PROCEDURES_TOLD]
    told = [(one_line(defused(one.draft.title), _SIDE_CHARS), one) for one in found]
    return [BriefItem(f"{title}: {_in_order(one.draft.uses)}", one.id) for title, one in told]


def _skills(sight: Sight) -> list[BriefItem]:
    if "skills" not in sight.filled:
        return []
    from tilth.skills.keeping import shown_skills  # noqa: PLC0415 - where there are some

    found = shown_skills(sight.view, sight.within)[:PROCEDURES_TOLD]
    return [BriefItem(f"skill `{one.draft.name}` is installed", one.id) for one in found]


def _in_order(commands: Sequence[str]) -> str:
    """Return commands one after the other."""
    return one_line(" → ".join(defused(one) for one in commands), BULLET_CHARS_MAX)


def _pitfalls(sight: Sight) -> list[BriefItem]:
    """Return failures that were overcome here, and how."""
    found = telling_fixes(sight.view, sight.within.own, limit=FIXES_TOLD)
    return [
        BriefItem(
            f"{written_day(one.failed_at)}, `{one_line(defused(one.line), _SIDE_CHARS)}` failed:"
            f" {quoted(one.symptom, _SIDE_CHARS)}; {_overcome(one)}",
            one.failed_in,
        )
        for one in found
    ]


def _overcome(fix: Fix) -> str:
    """Return how a failure was overcome; how often, where nothing tells by what."""
    if fix.instead:
        return f"`{one_line(defused(fix.instead), _SIDE_CHARS)}` worked instead"
    told = fix.cause or ", ".join(fix.files)
    # A cause is of use whole; one that breaks off leaves out what was wrong.
    return quoted(told, _STATED_CHARS) if told else f"overcome in {fix.recurrence} sessions"


def _cards(sight: Sight) -> list[BriefItem]:
    """Return what was asked in earlier sessions, and how it ended, where nobody noted that."""
    return [] if sight.was_noted else sight.cards


def _reported(sight: Sight) -> list[BriefItem]:
    """Return what agents reported and nothing else tells, what is worth most first."""
    if sight.was_read:
        return [_stated_item(one) for one in sight.reported[:CHOSEN_REPORTS_TOLD]]
    told = [*map(_text, (*sight.laid_down, *sight.stated)), *(one.text for one in sight.cards)]
    found = reported(sight.work.asks, told, sight.readings.told)
    # What an agent read somewhere and repeats is no advice of ours to run it.
    safe = (
        one
        for one in found
        if is_safe(one.text) and not sight.since.ends(one.text, one.exchange.began_at)
    )
    return [
        BriefItem(
            f"{written_day(one.exchange.began_at)}: {quoted(one.text, _WHOLE)}", one.exchange.id
        )
        for one in islice(safe, REPORTS_TOLD)
    ]


def _documents(sight: Sight) -> list[BriefItem]:
    """
    Return every document that can be read; those imported last with their sections.

    A page of the web is told to those who ask alone (T9): its title may be an instruction.
    """
    every = documents_in(sight.view, sight.within, limit=DOCUMENTS_TOLD)
    known = [one for one in every if not one.session.id.startswith(FETCHED_SESSIONS)]
    return [
        _document_item(sight, document, is_whole=number < DOCUMENTS_READ)
        for number, document in enumerate(known)
    ]


def _document_item(sight: Sight, document: Document, *, is_whole: bool) -> BriefItem:
    title = quoted(document.title, _SIDE_CHARS)
    count = document.session.episode_count
    if not is_whole:
        return BriefItem(f"{title}, {number_of(count, 'section')}", document.slug)
    sections = sections_in(sight.view, document, sight.within, limit=SECTIONS_READ)
    names = [section.slug for section in sections]
    told = ", ".join(names)
    while len(told) > BULLET_CHARS_MAX:
        names.pop()
        told = f"{', '.join(names)} and {len(sections) - len(names)} more"
    unread = count - SECTIONS_READ
    rest = f" and {unread} pieces behind them" if unread > 0 else ""
    return BriefItem(f"{title}: {told}{rest}", document.slug)


def _attention(sight: Sight) -> list[BriefItem]:
    """Return what waits for a human, and what a human told that nobody looked at in long."""
    told = {one.id for one in (*sight.laid_down, *sight.asked)}
    contested = [
        _proposal_item(sight, one)
        for one in sight.waiting
        # What takes a statement back, or its place, is told with the statement.
        if one.by != GARDENER and not (one.draft.retires and told.issuperset(one.draft.retires))
    ]
    old = [
        _fact_item(sight, fact, "to verify")
        for fact in _told(sight)
        if freshness_of(sight.now - fact.fresh_from) in (Freshness.VERIFY, Freshness.GUESS)
    ]
    return contested + old


def _summary(sight: Sight) -> list[BriefItem]:
    """Return what somebody stated for it to be known, the newest first."""
    return [
        _fact_item(sight, fact, "contested" if fact.is_contested else _standing(fact))
        for fact in _told(sight)
        if fact.life.authority is Authority.EVIDENCE
    ]


def _noted(sight: Sight) -> list[BriefItem]:
    """Return what a person or an agent noted for later sessions, what is worth most first."""
    # What a person said themselves an agent need not have noted.
    said = [_text(one) for one in sight.asked if not one.worded_by]
    by_agents = [one for one in sight.notes if not one.is_persons]
    kept = {one.episode.id for one in banned_once(by_agents, lambda one: one.words, told=said)}
    return [one.item for one in sight.notes if one.is_persons or one.episode.id in kept]


def _standing(fact: Fact) -> str:
    return f"{fact.grade}, {fact.life.review}"


def _told(sight: Sight) -> Iterator[Fact]:
    """Yield what was told as a fact, and not read from what somebody said."""
    return (one for one in sight.facts if not _is_stated(one) and one.grade is not Grade.CANDIDATE)


def _is_stated(fact: Fact) -> bool:
    is_read = "kind" in fact.metadata and "remembered" not in fact.metadata
    return is_read and fact.life.authority is Authority.EVIDENCE


def _is_rule(fact: Fact) -> bool:
    """Say whether it is testimony of a rule, and a person confirmed it."""
    return fact.is_vouched and _kind(fact) in _LAID_DOWN


def _text(fact: Fact) -> str:
    return fact.said.text


def _kind(fact: Fact) -> str:
    return str(fact.metadata.get("kind", ""))


def _weighed(facts: Sequence[Fact], last_work: Sequence[Exchange]) -> list[Fact]:
    """
    Return *facts*, what is worth most first.

    By how it was said and what it is, how old it is, in how many sessions it was asked for, and
    how much it has to do with the last work.
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
    # Few are said in session after session, and it loads all forms of speech.
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


def _fact_item(sight: Sight, fact: Fact, label: str, width: int = BULLET_CHARS_MAX) -> BriefItem:
    fresh = freshness_of(sight.now - fact.fresh_from)
    when = f"{written_day(fact.life.valid_from)} ({fresh})"
    return BriefItem(f"{when}, {label}: {quoted(fact.said.text, width)}", fact.id)


def _ends(proposal: Proposal) -> bool:
    return proposal.draft.kind is ProposalKind.REMOVAL


def _sides(proposal: Proposal) -> Sequence[FactId]:
    """Return what a question would replace, and by what: the first of each."""
    return (*proposal.draft.retires[:1], *proposal.draft.facts[:1])


def _proposal_item(sight: Sight, proposal: Proposal) -> BriefItem:
    """Return one question that waits, with what it would replace and by what."""
    draft = proposal.draft
    facts = (sight.in_question[one] for one in _sides(proposal) if one in sight.in_question)
    texts = [quoted(fact.said.text, _SIDE_CHARS) for fact in facts]
    sides = " or ".join(dict.fromkeys(texts)) or quoted(draft.reason)
    return BriefItem(
        f"{written_day(proposal.recorded_at)}, {draft.kind} waits: {sides}", proposal.id
    )


_SOURCES: dict[Block, Source] = {
    Block.RULES: _rules,
    Block.NOTED: _noted,
    Block.ASKED: _asked,
    Block.COMMANDS: _commands,
    Block.OPEN: _open,
    Block.DOCUMENTS: _documents,
    Block.ATTENTION: _attention,
    Block.SUMMARY: _summary,
    Block.RECENT: _cards,
    Block.PITFALLS: _pitfalls,
    Block.REPORTED: _reported,
}


def sources(allowed: Collection[Block]) -> list[tuple[Block, Source]]:
    """Return the sources of blocks that may be told, in the order in which they stand."""
    known = {**_SOURCES, **told_elsewhere()}
    return [(one, known[one]) for one in Block if one in allowed and one in known]
