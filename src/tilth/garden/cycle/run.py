"""
Run a cycle: wake, inbox, assess, tend, synthesise, outbox, snapshot, log.

Each step ends with an event, and does nothing a second time. So the next run finishes a cycle that
was killed, within its budget. An index in the database allows one open cycle at a time, and a lock
on the folder keeps a second program out. Two programs with folders of their own share a cycle and
its budget, until one of them ends a step before the other.
"""

import logging
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from datetime import datetime, timedelta

from tilth.core.clock import is_early
from tilth.core.dataclass import dataclass
from tilth.core.ids import clock_time_of
from tilth.core.json import JsonObject
from tilth.garden.assess import (
    FORMS,
    Assessed,
    Question,
    assess,
    candidates_allowed,
    chosen,
    form_of,
    questions,
)
from tilth.garden.candidates import clashes_in
from tilth.garden.cycle.gardener import Gardener
from tilth.garden.cycle.inbox import process
from tilth.garden.cycle.outbox import gather_contents, write
from tilth.garden.cycle.suggest import suggest
from tilth.garden.cycle.tend import tend
from tilth.garden.events import CycleBegun, CycleStepEnded, RequestAsked
from tilth.garden.measures import Signal, Vitals, outcomes_of, signals, week_of, yields
from tilth.garden.model import (
    Cycle,
    Request,
    RequestId,
    RequestState,
    Spent,
    Step,
    Topic,
    TopicId,
    Unit,
)
from tilth.garden.tables import Cycles, Inbox, Links, Topics
from tilth.ledger.snapshot import Snapshot

logger = logging.getLogger(__name__)

# How many of the last decided candidates measure how many the human approves.
_LATELY = 20
_CYCLES_SEEN = 10
_ACTIVITY_CHARS_MAX = 400_000
EXIT_BUSY = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class CycleReport:
    """
    What a run did, or would do.

    `cycle` is the one that it ran; None if none was due, it was a dry run, or another one runs
    (`is_busy`). `needy` are the topics that it would tend, `asked` the questions.
    """

    signals: Sequence[Signal]
    next_at: datetime
    cycle: Cycle | None = None
    is_busy: bool = False
    is_dry_run: bool = False
    has_topics: bool = True
    needy: Sequence[Assessed] = ()
    asked: Sequence[Question] = ()
    waiting: int = 0
    allowed: int = 0

    @property
    def is_healthy(self) -> bool:
        """Whether all signs of health are good."""
        return all(one.is_well for one in self.signals)

    @property
    def exit_code(self) -> int:
        """0 if healthy, 1 if degraded, 3 if another run is going on."""
        return EXIT_BUSY if self.is_busy else int(not self.is_healthy)


@dataclass(frozen=True, slots=True)
class _Plan:
    needy: Sequence[Assessed]
    asked: Sequence[Question]
    waiting: int
    allowed: int
    requests: Mapping[TopicId, Sequence[Request]] = field(default_factory=dict)


def look(gardener: Gardener, every: timedelta) -> CycleReport:
    """Return the state of the garden, and what the next cycle would do. Nothing changes."""
    last = _last(gardener)
    with gardener.store.read() as view:
        plan = _make_plan(view, gardener)
    report = _report(gardener, every, plan)
    return replace(report, cycle=last, is_dry_run=True)


def run(gardener: Gardener, every: timedelta, *, is_forced: bool = False) -> CycleReport:
    """
    Run the cycle that is due, or finish one that was interrupted.

    Args:
        gardener: What the cycle works with.
        every: The time between the beginnings of two cycles; however many were missed, one is run.
        is_forced: Run one though none is due.

    Raises:
        UnavailableError: the store or the folder does not answer; the next run goes on.
    """
    gardener.folder.init()
    with gardener.folder.alone() as is_free:
        if not is_free:
            return replace(look(gardener, every), cycle=None, is_busy=True)
        cycle = _claim(gardener, every, is_forced=is_forced)
        if cycle is None:
            return replace(look(gardener, every), cycle=None, is_dry_run=False)
        while (step := cycle.next_step) is not None:
            told = _STEPS[step](gardener, cycle, every)
            ended = _end_step(gardener, cycle, step, told)
            if ended is None:
                return replace(look(gardener, every), cycle=None, is_busy=True)
            cycle = ended
        with gardener.store.read() as view:
            plan = _make_plan(view, gardener)
    logger.info("cycle ended: cycle=%s", cycle.id)
    return replace(_report(gardener, every, plan), cycle=cycle)


def next_wake(last: Cycle | None, every: timedelta, now: datetime) -> datetime:
    """Return when the next cycle is due: now, if one was missed or interrupted."""
    if last is None or last.ended_at is None:
        return now
    return max(now, clock_time_of(last.id) + every)


def _last(gardener: Gardener) -> Cycle | None:
    with gardener.store.read() as view:
        return next(iter(Cycles(view).last(gardener.owner)), None)


def _claim(gardener: Gardener, every: timedelta, *, is_forced: bool) -> Cycle | None:
    """Return the cycle to run: an interrupted one, a new one if it is due, or None."""
    now = gardener.clock.now()
    with gardener.store.begin() as tx:
        last = next(iter(Cycles(tx).last(gardener.owner)), None)
        if last is not None and last.ended_at is None:
            return last
        is_again = last is not None and is_early(clock_time_of(last.id), now, every)
        if (is_again and not is_forced) or not Topics(tx).select(gardener.within):
            return None
        turn = last.turn + 1 if last is not None and is_again else 0
        tx.append(CycleBegun(turn), by=gardener.by, owner=gardener.owner)
        return Cycles(tx).last(gardener.owner)[0]


def _end_step(gardener: Gardener, cycle: Cycle, step: Step, told: JsonObject) -> Cycle | None:
    """Record that a step is done; None if another program with its own folder did it meanwhile."""
    with gardener.store.begin() as tx:
        now = Cycles(tx).last(gardener.owner)[0]
        if now.id != cycle.id or step in now.ended:
            return None
        event = CycleStepEnded(cycle_id=cycle.id, step=step, told=told)
        tx.append(event, by=gardener.by, owner=gardener.owner)
        return Cycles(tx).last(gardener.owner)[0]


def _make_plan(view: Snapshot, gardener: Gardener) -> _Plan:
    """Return which topics need attention, the questions, and how many candidates may be added."""
    within = gardener.within
    waiting = Links(view).open_count(within)
    topics = Topics(view).select(within)
    needy = assess(topics, _disputed(view, gardener), gardener.clock.now())
    tended = chosen(needy)
    requests: dict[TopicId, list[Request]] = defaultdict(list)
    for one in Inbox(view).requests(within):
        if one.topic_id is not None:
            requests[one.topic_id].append(one)
    lately = outcomes_of(Links(view).decisions(within)[:_LATELY])
    allowed = candidates_allowed(waiting, lately)
    asked = questions(
        tended,
        {topic: [one.text for one in ones] for topic, ones in requests.items()},
        yields(Links(view).by_search(within), topics),
        {one.id: _forms(view, one) for one in tended},
    )
    return _Plan(needy, asked if allowed else (), waiting, allowed, requests)


def _forms(view: Snapshot, topic: Topic) -> list[str]:
    """Return the forms of earlier questions about a topic, latest first."""
    asked = Cycles(view).spent_on(topic.id, unit=Unit.SEARCH, before=view.head().seq + 1)
    return list(dict.fromkeys(form_of(one.what, topic.name) for one in reversed(asked)))


def _disputed(view: Snapshot, gardener: Gardener) -> Counter[TopicId]:
    counts: Counter[TopicId] = Counter()
    for clash in clashes_in(view, gardener.within):
        for side in (clash.older.id, clash.newer.id):
            counts.update({one.id for one in Topics(view).of_fact(side, gardener.within)})
    return counts


def _wake(gardener: Gardener, cycle: Cycle, every: timedelta) -> JsonObject:
    """Step 1: record when it began, and load the state."""
    del every
    _note(gardener, cycle.id, f"\n## {cycle.begun_at:%Y-%m-%d %H:%M} UTC, cycle {cycle.id}\n")
    with gardener.store.read() as view:
        head = view.head().seq
        return {"head": head, "topics": len(Topics(view).select(gardener.within))}


def _inbox(gardener: Gardener, cycle: Cycle, every: timedelta) -> JsonObject:
    """Step 2: take the inboxes, and count all answers of humans, however they came."""
    del every
    done = process(gardener).told()
    with gardener.store.read() as view:
        new = Links(view).answers(gardener.within, after=_answers_told(view, gardener, cycle))
        told = {f"new {review}": count for review, count in new.items()}
        return {**done, **told, "through": view.head().seq}


def _answers_told(view: Snapshot, gardener: Gardener, cycle: Cycle) -> int:
    """Return the place in the ledger up to which the cycle before counted answers."""
    before = next(
        (one for one in Cycles(view).last(gardener.owner, limit=2) if one.id != cycle.id), None
    )
    told = before.ended.get(Step.INBOX, {}).get("through") if before else 0
    return told if isinstance(told, int) else 0


def _assess(gardener: Gardener, cycle: Cycle, every: timedelta) -> JsonObject:
    """Step 3: choose topics and questions; a resumed cycle keeps its choice."""
    del cycle, every
    with gardener.store.read() as view:
        plan = _make_plan(view, gardener)
    by_text = {one.text: one.id for ones in plan.requests.values() for one in ones}
    names = {one.topic.id: one.topic.name for one in plan.needy}
    return {
        "needy": [[one.topic.id, one.weight, [*one.needs]] for one in plan.needy],
        "allowed": plan.allowed,
        "asked": [
            [one.topic_id, by_text.get(one.text) or form_of(one.text, names[one.topic_id])]
            for one in plan.asked
        ],
    }


def _tend(gardener: Gardener, cycle: Cycle, every: timedelta) -> JsonObject:
    """Step 4: search, read and keep candidates."""
    del every
    told = cycle.ended[Step.ASSESS]
    asked = _asked_of(gardener, told)
    allowed = told.get("allowed")
    done = tend(gardener, cycle, asked, allowed if isinstance(allowed, int) else 0)
    with gardener.store.begin() as tx:
        waiting = {one.text: one for one in Inbox(tx).requests(gardener.within)}
        for one in asked:
            if one.form == "request" and (request := waiting.pop(one.text, None)):
                event = RequestAsked(
                    request_id=request.id, topic_id=one.topic_id, cycle_id=cycle.id
                )
                tx.append(event, by=gardener.by, owner=gardener.owner)
    return {**done, "allowed": allowed}


def _asked_of(gardener: Gardener, told: JsonObject) -> list[Question]:
    """Return the questions that step 3 chose, of topics that are still tended."""
    listed = told.get("asked")
    found: list[Question] = []
    with gardener.store.read() as view:
        requests = {
            one.id: one.text
            for state in RequestState
            for one in Inbox(view).requests(gardener.within, state=state)
        }
        topics = {one.id: one for one in Topics(view).select(gardener.within)}
        for pair in listed if isinstance(listed, list) else []:
            topic_id, form = (str(one) for one in pair)
            topic = topics.get(TopicId(topic_id))
            if topic is None:
                # The topic was archived, undone or rolled back since.
                continue
            if form in FORMS:
                found.append(Question(topic.id, form, FORMS[form].format(topic=topic.name)))
            elif RequestId(form) in requests:
                found.append(Question(topic.id, "request", requests[RequestId(form)]))
    return found


def _synthesise(gardener: Gardener, cycle: Cycle, every: timedelta) -> JsonObject:
    """Step 5: suggest what topics have in common, and what to change."""
    del every
    return {"suggested": suggest(gardener, _week_over(gardener, cycle))}


def _outbox(gardener: Gardener, cycle: Cycle, every: timedelta) -> JsonObject:
    """Step 6: write the outbox."""
    told = gather_contents(gardener, cycle, cycle.begun_at + every)
    return write(gardener, cycle, told, _week_over(gardener, cycle))


def _snapshot(gardener: Gardener, cycle: Cycle, every: timedelta) -> JsonObject:
    """Step 7: take a snapshot."""
    del cycle, every
    return {} if gardener.keep is None else {"snapshot": gardener.keep()}


def _log(gardener: Gardener, cycle: Cycle, every: timedelta) -> JsonObject:
    """Step 8: log counts of what was done, and when the next cycle is due."""
    lines = [f"- {step}: {_counted(told)}" for step, told in cycle.ended.items()]
    next_at = cycle.begun_at + every
    lines += [f"- {cycle.id} ended; next wake {next_at:%Y-%m-%d %H:%M} UTC"]
    _note(gardener, f"{cycle.id} ended", "\n".join([*lines, ""]))
    return {"next_at": next_at.isoformat()}


_STEPS: Mapping[Step, Callable[[Gardener, Cycle, timedelta], JsonObject]] = {
    Step.WAKE: _wake,
    Step.INBOX: _inbox,
    Step.ASSESS: _assess,
    Step.TEND: _tend,
    Step.SYNTHESISE: _synthesise,
    Step.OUTBOX: _outbox,
    Step.SNAPSHOT: _snapshot,
    Step.LOG: _log,
}


def _counted(told: JsonObject) -> str:
    """Return a step's report with lists as their lengths, since no content is logged."""
    counts = {
        name.replace("_", " "): len(value) if isinstance(value, list) else value
        for name, value in told.items()
    }
    said = [f"{name} {value}" for name, value in counts.items() if value not in {"", None}]
    return ", ".join(said) or "nothing"


def _note(gardener: Gardener, mark: str, text: str) -> None:
    """Append to the log unless it contains *mark*; a long log loses its oldest lines."""
    log = gardener.folder.read("logs/activity.md")
    if mark in log:
        return
    log += text
    if len(log) > _ACTIVITY_CHARS_MAX:
        kept = log[-_ACTIVITY_CHARS_MAX // 2 :]
        log = "# Activity\n\n" + kept[kept.find("## ") :]
    gardener.folder.write("logs/activity.md", log)


def _week_over(gardener: Gardener, cycle: Cycle) -> str:
    """Return the ISO week that ended between the last cycle and this one; empty if none did."""
    with gardener.store.read() as view:
        cycles = Cycles(view).last(gardener.owner, limit=_CYCLES_SEEN)
    before = next((one for one in cycles if one.seq < cycle.seq), None)
    if before is None or week_of(before.begun_at) == week_of(cycle.begun_at):
        return ""
    return week_of(before.begun_at)


def _report(gardener: Gardener, every: timedelta, plan: _Plan) -> CycleReport:
    now = gardener.clock.now()
    with gardener.store.read() as view:
        clashes = clashes_in(view, gardener.within)
        cycles = Cycles(view).last(gardener.owner, limit=_CYCLES_SEEN)
        spent: Sequence[Spent] = Cycles(view).spent(cycles[0].id) if cycles else ()
        decided = outcomes_of(Links(view).decisions(gardener.within))
        topics = Topics(view).select(gardener.within)
    last = cycles[0] if cycles else None
    vitals = Vitals(
        now=now,
        every=every,
        topics=topics,
        cycles=cycles,
        spent=spent,
        waiting=plan.waiting,
        decided=decided,
        clash_since=min((one.proposal.recorded_at for one in clashes), default=None),
        takes_snapshots=gardener.keep is not None,
        has_folder=gardener.folder.is_there,
    )
    return CycleReport(
        signals=signals(vitals),
        next_at=next_wake(last, every, now),
        has_topics=bool(topics),
        needy=plan.needy,
        asked=plan.asked,
        waiting=plan.waiting,
        allowed=plan.allowed,
    )
