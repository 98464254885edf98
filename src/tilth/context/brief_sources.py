"""
What an opening brief is made of: a source for each block.

A part of the brain that has something to tell at the start of a session adds
its block to `tilth.context.model.Block`, and its source to `SOURCES`.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import TypeAlias

from tilth.context.marks import SENTENCE_CHARS_MAX, Mark, Marked, marked
from tilth.context.model import BULLET_CHARS_MAX, Block, BriefItem
from tilth.core.errors import NotFoundError
from tilth.core.ids import FactId, SessionId
from tilth.core.lifecycle import Freshness, freshness_of
from tilth.core.scope import Visibility
from tilth.episodes.document import Document
from tilth.episodes.documents import documents_in, sections_in
from tilth.episodes.episode import SPOKEN, Episode, Role
from tilth.episodes.filters import EpisodeFilter
from tilth.episodes.session import Session
from tilth.episodes.tables import Episodes
from tilth.knowledge.changes.provenance import is_hearsay
from tilth.knowledge.facts.fact import Fact
from tilth.knowledge.facts.filters import FactFilter
from tilth.knowledge.facts.life import Authority
from tilth.knowledge.facts.tables import Facts
from tilth.knowledge.proposals.proposal import Proposal
from tilth.knowledge.proposals.tables import ProposalFilter, Proposals
from tilth.ledger.snapshot import Snapshot
from tilth.privacy.defusing import defused
from tilth.privacy.inert import one_line

SESSIONS_READ = 5
SESSIONS_SEEN = 40
MESSAGES_READ = 120
RECENT_MAX = 30
# More rules than this are no rules; those beyond are named by the last line all the same.
RULES_READ = 200
FACTS_READ = 200
FACTS_TOLD = 12
PROPOSALS_READ = 20
# Documents are named as far as there is room, and the last ones told section by section.
DOCUMENTS_TOLD = 1000
DOCUMENTS_READ = 8
SECTIONS_READ = 40
# Of each side of a question.
_SIDE_CHARS = 90
# A rule is shown whole or named, never cut.
_WHOLE = 1_000_000


@dataclass(frozen=True, slots=True)
class Told:
    """A session, and what was spoken in it last, the newest first."""

    session: Session
    episodes: Sequence[Episode]


@dataclass(frozen=True, slots=True)
class Sight:
    """What the sources of a brief draw from: one snapshot, and what was read of it already."""

    view: Snapshot
    within: Visibility
    now: datetime
    told: Sequence[Told]

    def facts(self, limit: int, *, authority: Authority | None = None) -> list[Fact]:
        """Return what holds now, the newest first."""
        which = FactFilter(within=self.within, now=self.now, authority=authority)
        return Facts(self.view).select(which, limit=limit)

    def own_facts(self) -> Iterator[Fact]:
        """Yield what holds now, the newest first, without what others told in conversations."""
        return (one for one in self.facts(FACTS_READ) if not is_hearsay(self.view, one))

    def find_fact(self, fact_id: FactId) -> Fact | None:
        """Return one fact, if it may be seen."""
        try:
            return Facts(self.view).get(fact_id, self.within)
        except NotFoundError:
            return None

    def marks(self) -> Iterator[tuple[Episode, Marked]]:
        """Yield every marked sentence, the newest episode first."""
        for told in self.told:
            for episode in told.episodes:
                for one in marked(episode):
                    yield episode, one


Source: TypeAlias = Callable[[Sight], list[BriefItem]]


def _rules(sight: Sight) -> list[BriefItem]:
    """Return what is laid down, and what the user asked for; the newest of each first."""
    laid_down = sight.facts(RULES_READ, authority=Authority.INSTRUCTION)
    rules = [_fact_item(sight, fact, "laid down", _WHOLE) for fact in laid_down]
    said = ((episode, one.sentence) for episode, one in sight.marks() if one.mark is Mark.RULE)
    return rules + [
        BriefItem(
            f"{_when(sight, episode)}, asked for: {quoted(text, SENTENCE_CHARS_MAX)}", episode.id
        )
        for episode, text in _distinct(said)
    ]


def _objective(sight: Sight) -> list[BriefItem]:
    """Return how the last session with a user in it began and ended."""
    for told in sight.told:
        asked = [one for one in told.episodes if one.role is Role.USER]
        answered = [one for one in told.episodes if one.role is Role.ASSISTANT]
        if not asked:
            continue
        aim = told.session.info.title or asked[-1].text
        items = [BriefItem(f"{_when(sight, asked[-1])}, begun with: {quoted(aim)}", asked[-1].id)]
        if answered:
            end = quoted(answered[0].text)
            items.append(
                BriefItem(f"{_when(sight, answered[0])}, ended with: {end}", answered[0].id)
            )
        return items
    return []


def _documents(sight: Sight) -> list[BriefItem]:
    """Return every document that can be read; those imported last with their sections."""
    known = documents_in(sight.view, sight.within, limit=DOCUMENTS_TOLD)
    return [
        _document_item(sight, document, is_whole=number < DOCUMENTS_READ)
        for number, document in enumerate(known)
    ]


def _document_item(sight: Sight, document: Document, *, is_whole: bool) -> BriefItem:
    title = quoted(document.title, _SIDE_CHARS)
    count = document.session.episode_count
    if not is_whole:
        return BriefItem(f"{title}, {count} sections", document.slug)
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
    """Return what waits for a human, and what nobody has vouched for in a long while."""
    which = ProposalFilter(within=sight.within, waiting_at=sight.now)
    waiting = Proposals(sight.view).select(which, limit=PROPOSALS_READ)
    contested = [_proposal_item(sight, one) for one in waiting]
    old = [
        _fact_item(sight, fact, "to verify")
        for fact in sight.own_facts()
        if freshness_of(sight.now - fact.fresh_from) in (Freshness.VERIFY, Freshness.GUESS)
    ]
    return contested + old


def _summary(sight: Sight) -> list[BriefItem]:
    """Return the newest facts, and what was decided, preferred and left open."""
    facts = [
        _fact_item(sight, fact, "contested" if fact.is_contested else fact.life.review)
        for fact in islice(sight.own_facts(), FACTS_TOLD)
        if fact.life.authority is Authority.EVIDENCE
    ]
    said = [(episode, one) for episode, one in sight.marks() if one.mark is not Mark.RULE]
    marks = {(episode.id, one.sentence): one.mark for episode, one in said}
    return facts + [
        BriefItem(f"{_when(sight, episode)}, {marks[episode.id, text]}: {quoted(text)}", episode.id)
        for episode, text in _distinct((episode, one.sentence) for episode, one in said)
    ]


def _recent(sight: Sight) -> list[BriefItem]:
    """Return what was spoken last."""
    spoken = [episode for told in sight.told for episode in told.episodes]
    return [
        BriefItem(f"{_when(sight, episode)}, {_who(episode)}: {quoted(text)}", episode.id)
        for episode, text in _distinct((one, one.text) for one in spoken[:RECENT_MAX])
    ]


def _fact_item(sight: Sight, fact: Fact, label: str, width: int = BULLET_CHARS_MAX) -> BriefItem:
    fresh = freshness_of(sight.now - fact.fresh_from)
    when = f"{fact.life.valid_from:%Y-%m-%d} ({fresh})"
    return BriefItem(f"{when}, {label}: {quoted(fact.said.text, width)}", fact.id)


def _proposal_item(sight: Sight, proposal: Proposal) -> BriefItem:
    """Return one question that waits, with what it would replace and by what."""
    draft = proposal.draft
    facts = (sight.find_fact(one) for one in (*draft.retires[:1], *draft.facts[:1]))
    texts = [quoted(fact.said.text, _SIDE_CHARS) for fact in facts if fact is not None]
    sides = " or ".join(dict.fromkeys(texts)) or quoted(draft.reason)
    return BriefItem(f"{proposal.recorded_at:%Y-%m-%d}, {draft.kind} waits: {sides}", proposal.id)


def last_sessions(view: Snapshot, within: Visibility, but: SessionId | None = None) -> list[Told]:
    """
    Return what was spoken in the sessions that were active last.

    *but* is the one that asks: what it and its subagents said is before it already, when it is
    resumed, or sends another one.
    """
    others = [
        one
        for one in Episodes(view).sessions(within, limit=SESSIONS_SEEN)
        if but is None or not (one.id == but or one.id.startswith(f"{but}/"))
    ]
    return [Told(session, _spoken(view, session, within)) for session in others[:SESSIONS_READ]]


def _spoken(view: Snapshot, session: Session, within: Visibility) -> list[Episode]:
    which = EpisodeFilter(within=within, session_id=session.id, kinds=SPOKEN)
    return Episodes(view).select(which, limit=MESSAGES_READ, newest_first=True)


def _distinct(said: Iterable[tuple[Episode, str]]) -> Iterator[tuple[Episode, str]]:
    """Yield each thing once, as it was said last."""
    known: set[str] = set()
    for episode, text in said:
        key = " ".join(text.casefold().split())
        if key not in known:
            known.add(key)
            yield episode, text


def _when(sight: Sight, episode: Episode) -> str:
    fresh = freshness_of(sight.now - episode.occurred_at)
    return f"{episode.occurred_at:%Y-%m-%d} ({fresh})"


def _who(episode: Episode) -> str:
    return one_line(defused(episode.speaker or episode.role), 40)


def quoted(text: str, width: int = BULLET_CHARS_MAX) -> str:
    """Return the beginning of *text* on one line, in quotation marks, with nothing in force."""
    return f"“{one_line(defused(text[: width * 8]), width)}”"


SOURCES: tuple[tuple[Block, Source], ...] = (
    (Block.RULES, _rules),
    (Block.OBJECTIVE, _objective),
    (Block.DOCUMENTS, _documents),
    (Block.ATTENTION, _attention),
    (Block.SUMMARY, _summary),
    (Block.RECENT, _recent),
)
