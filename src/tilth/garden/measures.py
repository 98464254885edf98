"""Measure the garden: five figures, the most productive questions, and nine signs of health."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from tilth.core.dataclass import dataclass
from tilth.core.instant import written_day
from tilth.core.lifecycle import Review
from tilth.garden.assess import PAUSED_FROM, form_of
from tilth.garden.model import Cycle, Outcomes, Source, Spent, Step, Topic, TopicId, Unit

_OLD_CLASH_DAYS = 14
_BARREN_CYCLES = 5
_APPROVED_LEAST, _DECIDED_MIN = 0.4, 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Metrics:
    """
    The five figures of the garden, and what is behind them.

    Attributes:
        coverage: Confirmed facts per topic.
        freshness: The mean days since topics were tended, over the mean `freshness_days` that they
            require; 1 or less is fresh.
        accuracy: The share of decided candidates that were confirmed, 0 to 1; None if none is.
        efficiency: Confirmed facts per search; None if none was made.
        engagement: Days per week with a human's decision, over the last four weeks.
        by_week: Confirmed facts by ISO week.
        questions: The outcomes of candidates by form of question, best first.
        sources: The same by source.
    """

    coverage: float
    freshness: float
    accuracy: float | None
    efficiency: float | None
    engagement: float
    by_week: Mapping[str, int]
    questions: Mapping[str, Outcomes]
    sources: Mapping[str, Outcomes]


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """
    What the figures are computed from.

    `topics` are those that are not archived; `decisions` the answers of humans to candidates,
    latest first; `by_search` the outcomes of candidates by topic and question.
    """

    topics: Sequence[Topic]
    decisions: Sequence[tuple[Review, datetime]]
    by_search: Sequence[tuple[TopicId, str, Outcomes]]
    sources: Sequence[Source]
    search_count: int


def metrics(record: Record, now: datetime) -> Metrics:
    """Return the figures."""
    topics = record.topics
    confirmed = [at for review, at in record.decisions if review is Review.CONFIRMED]
    days = [one.age_days(now) for one in topics]
    required = sum(one.freshness_days for one in topics)
    by_week: dict[str, int] = defaultdict(int)
    for one in confirmed:
        by_week[week_of(one)] += 1
    return Metrics(
        coverage=_ratio(sum(one.counts.confirmed for one in topics), len(topics)) or 0.0,
        freshness=_ratio(sum(days), required) or 0.0,
        accuracy=_ratio(len(confirmed), len(record.decisions)),
        efficiency=_ratio(len(confirmed), record.search_count),
        engagement=_engagement([at for _, at in record.decisions], now),
        by_week=dict(sorted(by_week.items())),
        questions=yields(record.by_search, topics),
        sources=_best_first({one.title or one.address: one.outcomes for one in record.sources}),
    )


def week_of(at: datetime) -> str:
    """Return the ISO week of an instant, such as 2026-W10."""
    year, week, _ = at.isocalendar()
    return f"{year}-W{week:02}"


def yields(
    by_search: Sequence[tuple[TopicId, str, Outcomes]], topics: Sequence[Topic]
) -> Mapping[str, Outcomes]:
    """Return the outcomes of candidates by form of question, best first."""
    names = {one.id: one.name for one in topics}
    by_form: dict[str, Outcomes] = defaultdict(Outcomes)
    for topic_id, question, outcomes in by_search:
        by_form[form_of(question, names.get(topic_id, ""))] += outcomes
    return _best_first(by_form)


def outcomes_of(decisions: Sequence[tuple[Review, datetime]]) -> Outcomes:
    """Return how many answers were yes, and how many no."""
    reviews = [review for review, _ in decisions]
    return Outcomes(
        confirmed=reviews.count(Review.CONFIRMED), rejected=reviews.count(Review.REJECTED)
    )


def _best_first(outcomes: Mapping[str, Outcomes]) -> Mapping[str, Outcomes]:
    order = sorted(outcomes.items(), key=lambda one: (-one[1].confirmed, one[1].rejected, one[0]))
    return dict(order)


def _ratio(part: float, whole: float) -> float | None:
    return round(part / whole, 4) if whole else None


def _engagement(decided: Sequence[datetime], now: datetime) -> float:
    weeks = 4
    since = now - timedelta(weeks=weeks)
    return round(len({at.date() for at in decided if at >= since}) / weeks, 4)


@dataclass(frozen=True, slots=True, kw_only=True)
class Signal:
    """One sign of health: its name, whether it is good, and a sentence."""

    name: str
    is_well: bool
    told: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Vitals:
    """The state from which the signs of health are derived."""

    now: datetime
    every: timedelta
    topics: Sequence[Topic]
    cycles: Sequence[Cycle]
    spent: Sequence[Spent]
    waiting: int
    decided: Outcomes
    clash_since: datetime | None
    takes_snapshots: bool
    has_folder: bool


def signals(vitals: Vitals) -> list[Signal]:
    """Return the nine signs of health, in a fixed order (DU-061)."""
    last = vitals.cycles[0] if vitals.cycles else None
    inbox = last.ended.get(Step.INBOX, {}) if last else {}
    aside, unknown = (_count(inbox.get(name)) for name in ("set_aside", "unknown"))
    reads = [one for one in vitals.spent if one.unit is Unit.READ]
    lost = sum(one.found is None for one in reads)
    silent = len({why for one in vitals.spent for why in one.failed})
    return [
        _schedule(vitals, last),
        _signal(
            "completion",
            last is None or last.ended_at is not None,
            "the last cycle came to its end" if last and last.ended_at else
            "no cycle has run" if last is None else f"stopped before {last.next_step}",
        ),
        _signal("inbox", not aside + unknown, f"{aside} files set aside, {unknown} unknown IDs"),
        _signal("backlog", vitals.waiting < PAUSED_FROM, f"{vitals.waiting} candidates wait"),
        _signal(
            "sources",
            not lost + silent,
            f"{lost} of {len(reads)} reads came to nothing, {silent} places could not be searched",
        ),
        _yield(vitals),
        _accuracy(vitals.decided),
        _contradictions(vitals),
        _folder(vitals, last),
    ]  # fmt: skip


def _signal(name: str, is_well: bool, told: str) -> Signal:  # noqa: FBT001 - what it says
    return Signal(name=name, is_well=is_well, told=told)


def _count(listed: object) -> int:
    return len(listed) if isinstance(listed, list) else 0


def _schedule(vitals: Vitals, last: Cycle | None) -> Signal:
    if not vitals.topics:
        return _signal("schedule", True, "there is no topic to tend")
    since = last.begun_at if last else min(one.added_at for one in vitals.topics)
    late = vitals.now - since
    return _signal(
        "schedule", late <= 2 * vitals.every, f"the last cycle began {since:%Y-%m-%d %H:%M}"
        if last else "no cycle has run"
    )  # fmt: skip


def _yield(vitals: Vitals) -> Signal:
    lately = [one for one in vitals.cycles[:_BARREN_CYCLES] if Step.TEND in one.ended]
    found = [_count(one.ended[Step.TEND].get("candidates")) for one in lately]
    is_barren = len(lately) == _BARREN_CYCLES and not any(found)
    return _signal("yield", not is_barren, f"{sum(found)} candidates in {len(lately)} cycles")


def _accuracy(decided: Outcomes) -> Signal:
    is_low = (
        decided.decided >= _DECIDED_MIN and decided.confirmed < _APPROVED_LEAST * decided.decided
    )
    return _signal("accuracy", not is_low, f"{decided.confirmed} of {decided.decided} confirmed")


def _contradictions(vitals: Vitals) -> Signal:
    since = vitals.clash_since
    is_old = since is not None and (vitals.now - since).days >= _OLD_CLASH_DAYS
    told = (
        "none is open in a topic"
        if since is None
        else f"the oldest is open since {written_day(since)}"
    )
    return _signal("contradictions", not is_old, told)


def _folder(vitals: Vitals, last: Cycle | None) -> Signal:
    if not vitals.has_folder:
        return _signal("folder", False, "it is not made: tilth garden init")
    kept = last.ended.get(Step.SNAPSHOT, {}).get("snapshot") if last else None
    is_missing = vitals.takes_snapshots and last is not None and Step.LOG in last.ended and not kept
    told = f"the last snapshot is {kept}" if kept else "no cycle has kept a snapshot in it"
    return _signal("folder", not is_missing, told)
