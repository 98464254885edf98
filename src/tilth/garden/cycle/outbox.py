"""Step 6 of a cycle: gather from the store what people are to read, and write it whole."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from tilth.core.json import JsonObject
from tilth.core.lifecycle import Review
from tilth.core.scope import GLOBAL, Owner, Scope
from tilth.episodes.tables import Episodes
from tilth.garden.assess import PAUSED_FROM
from tilth.garden.candidates import candidates_in, clashes_in
from tilth.garden.cycle.gardener import Gardener
from tilth.garden.measures import Metrics, Record, metrics, outcomes_of, week_of
from tilth.garden.model import CANDIDATES_MAX, SPENT_MAX, Allowance, Cycle, Spent, Step, Unit
from tilth.garden.reports import (
    OutboxContents,
    alerts_page,
    candidates_name,
    candidates_page,
    counted,
    digest_page,
    week_page,
)
from tilth.garden.tables import CandidateFilter, Cycles, Inbox, Links, Sources, Topics
from tilth.knowledge.proposals.proposal import Proposal, ProposalKind
from tilth.knowledge.proposals.tables import ProposalFilter, Proposals
from tilth.ledger.snapshot import Snapshot
from tilth.llm.budget import Limits
from tilth.llm.tables import Budgets

_SOURCES_MAX = 1000
_SUGGESTIONS_MAX = 50
# How many waiting and answered candidates are read, newest first.
_READ_MAX = 200
# How many files of candidates are kept; the store holds their content.
_FILES_KEPT = 100


def gather_contents(gardener: Gardener, cycle: Cycle, next_at: datetime) -> OutboxContents:
    """Return the content of the outbox after a cycle."""
    at, within = cycle.begun_at, gardener.within
    with gardener.store.read() as view:
        waiting = candidates_in(view, within, CandidateFilter(is_open=True), limit=_READ_MAX)
        waiting_count = Links(view).open_count(within)
        tended = {topic: one.deferred_count for topic, one in Cycles(view).tended(cycle.id)}
        since = at - timedelta(days=7)
        week = candidates_in(view, within, CandidateFilter(decided_from=since), limit=_READ_MAX)
        decided = [one for one in Links(view).decisions(within) if one[1] >= since]
        return OutboxContents(
            now=at,
            week=week_of(at),
            next_at=next_at,
            topics=Topics(view).select(within),
            tended=tended,
            sources={one.id: one for one in Sources(view).select(within, limit=_SOURCES_MAX)},
            new=candidates_in(view, within, CandidateFilter(cycle_id=cycle.id)),
            waiting=waiting,
            waiting_count=waiting_count,
            clashes=clashes_in(view, within),
            suggestions=_suggestions(view, gardener),
            requests=[one for one in Inbox(view).requests(within) if one.topic_id is None],
            answered=outcomes_of(decided),
            confirmed=[one for one in week if one.fact.life.review is Review.CONFIRMED],
            rejected=[one for one in week if one.fact.life.review is Review.REJECTED],
            spent={
                name: value
                for name, value in cycle.ended.get(Step.TEND, {}).items()
                if isinstance(value, int)
            },
            alerts=_alerts(cycle, Cycles(view).spent(cycle.id), waiting_count),
            unseen=_unseen(view, gardener),
        )


def measured(gardener: Gardener, now: datetime) -> Metrics:
    """Return the figures of a garden."""
    with gardener.store.read() as view:
        within = gardener.within
        record = Record(
            topics=Topics(view).select(within),
            decisions=Links(view).decisions(within),
            by_search=Links(view).by_search(within),
            sources=Sources(view).select(within, limit=_SOURCES_MAX),
            search_count=Cycles(view).paid_count(gardener.owner, Unit.SEARCH),
        )
    return metrics(record, now)


def allowances(view: Snapshot, cycle: Cycle, owner: Owner, run: Limits) -> list[Allowance]:
    """Return each budget of a cycle with what the ledger says was spent (C-19)."""
    paid = Counter(one.unit for one in Cycles(view).spent(cycle.id))
    asked = Budgets(view).spent(owner, run=cycle.id)
    each = (
        ("searches", paid[Unit.SEARCH], SPENT_MAX[Unit.SEARCH]),
        ("documents", paid[Unit.READ], SPENT_MAX[Unit.READ]),
        ("candidates", Cycles(view).candidate_count(cycle.id), CANDIDATES_MAX),
        ("model calls", asked.calls, run.calls),
        ("tokens", asked.tokens, run.tokens),
        ("money in millionths", asked.millionths, run.millionths),
    )
    return [Allowance(name=name, spent=spent, most=most) for name, spent, most in each]


def write(gardener: Gardener, cycle: Cycle, contents: OutboxContents, week: str) -> JsonObject:
    """
    Write the outbox.

    Args:
        gardener: Whose folder it is.
        cycle: The cycle that ends.
        contents: What is written.
        week: The ISO week that ended since the last cycle; empty if none did.
    """
    folder = gardener.folder
    names = list[str]()
    for topic in contents.topics:
        if topic.id in contents.tended:
            names.append(candidates_name(topic, contents.now, names))
            folder.write(names[-1], candidates_page(topic, contents))
    folder.write("outbox/digest.md", digest_page(contents))
    folder.write("outbox/alerts.md", alerts_page(contents))
    if week:
        names.append(f"outbox/weekly/{week}.md")
        folder.write(names[-1], week_page(week, contents, measured(gardener, cycle.begun_at)))
    for old in folder.candidates()[_FILES_KEPT:]:
        folder.remove(old)
    return {"files": len(names) + 2, "week": week, "alerts": len(contents.alerts)}


def _unseen(view: Snapshot, gardener: Gardener) -> Mapping[Scope, int]:
    """
    Return how many documents global topics do not search, by scope.

    What is said in a project stays there, whereas a fact of a global topic is shown everywhere.
    """
    seen = gardener.ground_of(GLOBAL).within.scopes
    counts = Episodes(view).document_counts(gardener.within)
    return {scope: count for scope, count in counts.items() if seen and scope not in seen}


def _suggestions(view: Snapshot, gardener: Gardener) -> list[Proposal]:
    which = ProposalFilter(
        within=gardener.within,
        kinds=frozenset({ProposalKind.SUGGESTION}),
        waiting_at=gardener.clock.now(),
    )
    return Proposals(view).select(which, limit=_SUGGESTIONS_MAX)


def _alerts(cycle: Cycle, spent: Sequence[Spent], waiting: int) -> list[str]:
    """Return what needs somebody's attention, a sentence each."""
    inbox, tended = cycle.ended.get(Step.INBOX, {}), cycle.ended.get(Step.TEND, {})
    alerts = [f"Set aside, since it cannot be read: {one}." for one in _texts(inbox, "set_aside")]
    alerts += [f"No candidate has this ID: {one}." for one in _texts(inbox, "unknown")]
    alerts += [
        f"Already answered, so left as it was: {one}."
        for one in _texts(inbox, "answered")
        if " " in one
    ]
    alerts += [
        f"Two reviewers disagree, so it is disputed: {one}." for one in _texts(inbox, "disputed")
    ]
    if suggested := len(_texts(inbox, "suggested")):
        said = "answer in the inbox is" if suggested == 1 else "answers in the inbox are"
        what = "suggestion" if suggested == 1 else "suggestions"
        alerts.append(f"{suggested} {said} not signed: {what} until `tilth garden sign`.")
    silent = dict.fromkeys(why for one in spent for why in one.failed)
    alerts += [f"Could not be searched: {one}." for one in silent]
    if isinstance(lost := tended.get("unreachable"), int) and lost:
        alerts.append(f"{counted(lost, 'source')} could not be reached.")
    if waiting >= PAUSED_FROM:
        alerts.append(
            f"{waiting} candidates are waiting, so no more are looked for. Answer some: "
            "`tilth review walk`."
        )
    elif tended.get("allowed") == 0:
        alerts.append("This cycle looked for no candidates, since too many were waiting.")
    return alerts


def _texts(told: JsonObject, name: str) -> list[str]:
    listed = told.get(name)
    return [str(one) for one in listed] if isinstance(listed, list) else []
