"""Gather what a page is compiled from: what is known of its subject, not what was merely said."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from tilth.core.dataclass import dataclass
from tilth.core.ids import EpisodeId
from tilth.core.instant import to_micros
from tilth.core.lifecycle import Lifecycle, Review
from tilth.core.scope import Owner, Visibility
from tilth.core.text.names import index_key
from tilth.core.text.tokens import index_terms
from tilth.exchanges.actions import committed, drafted, reason
from tilth.exchanges.exchanges import Exchanges
from tilth.exchanges.model import Ending, Exchange
from tilth.exchanges.sentences import passes
from tilth.knowledge.changes.provenance import hearsay
from tilth.knowledge.entities.tables import Entities
from tilth.knowledge.facts.fact import Fact
from tilth.knowledge.facts.filters import FactFilter
from tilth.knowledge.facts.life import Grade
from tilth.knowledge.facts.tables import Facts
from tilth.knowledge.vocabulary.registries import Registry
from tilth.knowledge.vocabulary.tables import spellings
from tilth.ledger.records import records_at
from tilth.ledger.search import Search
from tilth.ledger.snapshot import Snapshot
from tilth.pages import watches
from tilth.pages.compile.mentioned_commands import MentionedCommand, mentioned_commands
from tilth.pages.model import FILED, Arranged, PageKind, Removals, Subject
from tilth.pages.tables import Pages
from tilth.playbooks.model import Playbook
from tilth.playbooks.tables import Playbooks
from tilth.practice.model import CommandStats, Fix
from tilth.practice.outputs import cause_in, is_about, raised_in, symptom_key
from tilth.practice.practice import telling_fixes, working_commands
from tilth.practice.tables import ToolUses
from tilth.practice.tool_uses import Use, uses_of
from tilth.privacy.exclusion import Exclusion, parse_exclusion

# How many of the newest facts are read.
FACTS_READ = 2000
FIXES_READ = 6
COMMITS_READ = 24
# How many of the last asks are read for explanations and drafted commits, how many of one session,
# and how many of them for what was done, which is shown as recent work.
REPORTS_READ, REPORTS_OF_ONE, REPORTS_TOLD = 120, 6, 40
_IN_DOUBT = frozenset({Review.REJECTED, Review.DISPUTED})


@dataclass(frozen=True, slots=True)
class Explained:
    """An error that somebody asked about, the agent's explanation, and the episodes."""

    symptom: str
    cause: str
    shown_in: tuple[EpisodeId, ...]


@dataclass(frozen=True, slots=True)
class Commit:
    """The title of a commit, its reason, its time, and the episodes that show it or draft it."""

    title: str
    why: str
    at: datetime
    shown_in: tuple[EpisodeId, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """
    What one page can say.

    `facts` are current and known or corroborated, newest first; `waiting` counts current
    candidates, `heard` those that only somebody in a conversation stated. `commands` come with the
    places of their runs; `told` are commands of other kinds that nobody saw run. The ledger was
    read up to `read_to`; the material changes by time alone at `holds_until`. No line may contain a
    `hidden` term, nor repeat what people removed; `arranged` is what they said of the sections.
    """

    subject: Subject
    hidden: Exclusion
    removals: Removals
    arranged: Mapping[str, Arranged]
    facts: Sequence[Fact]
    waiting: int
    heard: int
    commands: Sequence[tuple[CommandStats, EpisodeId]] = ()
    told: Sequence[MentionedCommand] = ()
    playbooks: Sequence[Playbook] = ()
    fixes: Sequence[Fix] = ()
    explained: Sequence[Explained] = ()
    commits: Sequence[Commit] = ()
    reports: Sequence[Exchange] = ()
    watches: tuple[str, ...]
    read_to: int
    holds_until: datetime | None


def gather(
    view: Snapshot, subject: Subject, owner: Owner, now: datetime, excluded: Exclusion
) -> Material:
    """Return what a page on *subject* can say, from one snapshot."""
    within = Visibility(owner, frozenset({subject.scope}))
    hidden = parse_exclusion((*excluded.terms, *subject.without))
    found = [
        one
        for one in _selected(view, subject, within)
        if one.life.review not in _IN_DOUBT and not hidden.hides(one.said.words)
    ]
    graded = [one for one in found if one.grade is not Grade.CANDIDATE]
    holding = [one for one in graded if one.life.holds_at(now)]
    told = hearsay(view, holding)
    material = Material(
        subject=subject,
        hidden=hidden,
        removals=Pages(view).removals(subject, owner, now),
        arranged=Pages(view).arranged(subject.name, owner, subject.scope),
        facts=tuple(one for one in holding if one.id not in told),
        waiting=sum(one.life.holds_at(now) for one in found) - len(holding),
        heard=len(told),
        watches=tuple(dict.fromkeys(_watches(view, subject, within))),
        read_to=view.head().seq,
        holds_until=_next_change(graded, now),
    )
    return _with_practice(view, material, within) if subject.kind is PageKind.PROJECT else material


def _selected(view: Snapshot, subject: Subject, within: Visibility) -> list[Fact]:
    """Return the current facts of a subject, newest first."""
    if subject.kind is PageKind.TOPIC:
        return _facts_on_topic(view, subject, within)
    which = FactFilter(
        within=within,
        area=subject.area or None,
        environment=subject.environment or None,
        system=subject.system or None,
        about=subject.entity,
    )
    return Facts(view).select(which, limit=FACTS_READ)


def _facts_on_topic(view: Snapshot, subject: Subject, within: Visibility) -> list[Fact]:
    terms = set(index_terms(subject.topic))
    scored = Search(view).lexical(sorted(terms), FactFilter(within=within), limit=FACTS_READ)
    facts = Facts(view).at(sorted(one.seq for one in scored), within)
    found = [
        one
        for one in facts
        if one.life.lifecycle is Lifecycle.CURRENT and terms <= set(index_terms(one.said.words))
    ]
    return sorted(found, key=lambda one: (one.life.valid_from, one.seq), reverse=True)


def _next_change(facts: Iterable[Fact], now: datetime) -> datetime | None:
    """Return when one of *facts* next begins or ends to hold."""
    turns = (at for one in facts for at in (one.life.valid_from, one.life.valid_to) if at)
    return min((at for at in turns if to_micros(at) > to_micros(now)), default=None)


def _watches(view: Snapshot, subject: Subject, within: Visibility) -> Iterator[str]:
    if subject.kind in FILED:
        names = spellings(view.conn, within.owner, Registry.AREA, subject.area)
        others = index_key(subject.environment), index_key(subject.system)
        yield from (watches.filed(index_key(area), *others) for area in names)
        if subject.area:
            yield watches.REGISTRY
    elif subject.entity is not None:
        every = Visibility(within.owner)
        yield watches.about(subject.entity)
        for one in Entities(view).merged(subject.entity, every):
            yield watches.about(one.id)
    elif subject.topic:
        yield watches.holding(index_terms(subject.topic))
    else:
        yield watches.ALL


def _with_practice(view: Snapshot, material: Material, within: Visibility) -> Material:
    """Add the commands that work in a project, and failures that were overcome there."""
    commands = working_commands(view, within)
    calls = records_at(view.conn, [one.called_at for one in commands], view.integers)
    ids = {one.seq: EpisodeId.of(one.event_id) for one in calls}
    reports = list(_reports(view, within))
    return replace(
        material,
        commands=tuple((one, ids[one.called_at]) for one in commands if one.called_at in ids),
        told=tuple(
            mentioned_commands(view, within, without=frozenset(one.kind for one in commands))
        ),
        playbooks=tuple(Playbooks(view).shown(within)),
        fixes=tuple(telling_fixes(view, within, limit=FIXES_READ)),
        explained=tuple(_explained(reports)),
        commits=tuple(last_commits([*_drafts(reports), *_commits(view, within)])),
        reports=tuple(reports[:REPORTS_TOLD]),
    )


def _reports(view: Snapshot, within: Visibility) -> Iterator[Exchange]:
    """Yield the last asks with reports that still stand, newest first."""
    for one in Exchanges(view, within).last(limit=REPORTS_READ, of_each=REPORTS_OF_ONE):
        if one.ending is Ending.REPORTED and not (one.is_doubted or one.is_taken_back):
            yield one


def _explained(reports: Iterable[Exchange]) -> list[Explained]:
    """Return errors that were asked about and explained, each once, the surest first."""
    found: dict[str, tuple[bool, Explained]] = {}
    for one in reports:
        symptom = raised_in(one.ask)
        cause = cause_in(one.report) if symptom else ""
        if cause and not passes(cause):
            said = Explained(symptom, cause, _ends(one))
            found.setdefault(symptom_key(symptom), (is_about(cause, symptom), said))
    return [said for _, said in sorted(found.values(), key=lambda keyed: not keyed[0])]


def _ends(one: Exchange) -> tuple[EpisodeId, ...]:
    return (one.id,) if one.report_id is None else (one.id, one.report_id)


def _drafts(reports: Iterable[Exchange]) -> Iterator[Commit]:
    """Yield commits whose messages were asked for, to be made by hand."""
    for one in reports:
        title, why = drafted(one.ask, one.report)
        if title:
            yield Commit(title, why, one.ended_at, _ends(one))


def last_commits(commits: Iterable[Commit]) -> list[Commit]:
    """Return the last of *commits*, newest first, each title once."""
    found: dict[str, Commit] = {}
    for one in sorted(commits, key=lambda one: one.at, reverse=True):
        found.setdefault(one.title, one)
    return [*found.values()][:COMMITS_READ]


def _commits(view: Snapshot, within: Visibility) -> list[Commit]:
    """Return the last commits, newest first, each title once."""
    found: dict[str, Use] = {}
    for use in reversed(uses_of(ToolUses(view).halves(within))):
        title = "" if use.call.is_edit else committed(use)
        if title and title not in found:
            found[title] = use
        if len(found) == COMMITS_READ:
            break
    numbers = {title: _places(use) for title, use in found.items()}
    shown = records_at(view.conn, [no for nos in numbers.values() for no in nos], view.integers)
    ids = {one.seq: EpisodeId.of(one.event_id) for one in shown}
    return [
        Commit(
            title, reason(use), use.call.at, tuple(ids[no] for no in numbers[title] if no in ids)
        )
        for title, use in found.items()
    ]


def _places(use: Use) -> list[int]:
    return [half.episode_no for half in use if half is not None]
