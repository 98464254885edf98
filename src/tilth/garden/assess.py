"""Decide which topics need attention, in which order, and what to ask about them. All is pure."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum

from tilth.core.dataclass import dataclass
from tilth.garden.model import (
    CANDIDATES_MAX,
    SEARCHES_MAX,
    SPARSE_BELOW,
    TENDED_MAX,
    Outcomes,
    Topic,
    TopicId,
)

# From how many waiting candidates they are summarised, and from how many no more are added.
SUMMARISED_FROM, PAUSED_FROM = 15, 30
# If less than this share of the last decided candidates (of at least so many) was approved, a cycle
# adds fewer.
_DECIDED_MIN, _APPROVED_LEAST = 8, 0.4
_FEWER = 4
# A topic is stagnant after so many cycles in a row, over so many days, without a candidate.
STAGNANT_CYCLES, STAGNANT_DAYS = 3, 7
# The forms of question about a topic, by name.
FORMS: Mapping[str, str] = {
    "name": "{topic}",
    "decision": "what was decided about {topic}",
    "rule": "rules and requirements of {topic}",
    "reason": "reasons for {topic}, and alternatives",
    "change": "what changed, replaced or deprecated {topic}",
    "limit": "problems and limits of {topic}",
    "request": "{request}",
}
_TRIED = tuple(form for form in FORMS if form != "request")


class Need(StrEnum):
    """Why a topic needs attention."""

    STALE = "stale"
    SPARSE = "sparse"
    DISPUTED = "disputed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Assessed:
    """A topic that needs attention: why, and how much (priority times staleness)."""

    topic: Topic
    needs: tuple[Need, ...]
    weight: float


@dataclass(frozen=True, slots=True)
class Question:
    """A question about a topic, and its form."""

    topic_id: TopicId
    form: str
    text: str


def assess(
    topics: Sequence[Topic], disputed: Mapping[TopicId, int], now: datetime
) -> list[Assessed]:
    """
    Return the topics that need attention, most urgent first; ties by priority, age, then order.

    A topic is stale after more than `freshness_days` days, sparse with fewer than five confirmed
    facts, and disputed while a contradiction about its facts is open. The urgency is the priority
    times the days since the topic was tended, as a multiple of its `freshness_days`.

    Args:
        topics: Topics that are not archived.
        disputed: The number of open contradictions of each.
        now: The present time.
    """
    found = [one for topic in topics if (one := _assessed(topic, disputed, now)).needs]
    return sorted(
        found, key=lambda one: (-one.weight, -one.topic.priority, one.topic.added_at, one.topic.seq)
    )


def _assessed(topic: Topic, disputed: Mapping[TopicId, int], now: datetime) -> Assessed:
    age = topic.age_days(now)
    # A topic that was never tended is stale from the start.
    is_stale = topic.last_tended is None or age > topic.freshness_days
    needs = [
        need
        for need, holds in (
            (Need.STALE, is_stale),
            (Need.SPARSE, topic.counts.confirmed < SPARSE_BELOW),
            (Need.DISPUTED, bool(disputed.get(topic.id))),
        )
        if holds
    ]
    never = 1.0 if topic.last_tended is None else 0.0
    weight = topic.priority * max(age / topic.freshness_days, never)
    return Assessed(topic=topic, needs=tuple(needs), weight=round(weight, 6))


def chosen(assessed: Sequence[Assessed]) -> list[Topic]:
    """Return the topics that a cycle tends (GA-014)."""
    return [one.topic for one in assessed[:TENDED_MAX]]


def questions(
    topics: Sequence[Topic],
    requests: Mapping[TopicId, Sequence[str]],
    yields: Mapping[str, Outcomes],
    asked: Mapping[TopicId, Sequence[str]],
) -> list[Question]:
    """
    Return the questions of a cycle, at most five: topics take turns while searches are left.

    A human's question comes first. Among the forms, the one that led to most confirmed facts comes
    first, and one that a topic was not asked lately comes before one that it was.

    Args:
        topics: The topics to tend, in order.
        requests: The questions of humans about each.
        yields: The outcomes of candidates by form.
        asked: The forms that were used for each topic, the latest first.
    """
    waiting = [_of_topic(topic, requests, yields, asked) for topic in topics]
    found: list[Question] = []
    while any(waiting) and len(found) < SEARCHES_MAX:
        for queue in waiting:
            if queue and len(found) < SEARCHES_MAX:
                found.append(queue.pop(0))
    return found


def _of_topic(
    topic: Topic,
    requests: Mapping[TopicId, Sequence[str]],
    yields: Mapping[str, Outcomes],
    asked: Mapping[TopicId, Sequence[str]],
) -> list[Question]:
    told = [Question(topic.id, "request", text) for text in requests.get(topic.id, ())]
    lately = list(asked.get(topic.id, ()))
    forms = sorted(
        _TRIED,
        key=lambda form: (
            -(len(lately) if form not in lately else lately.index(form)),
            -yield_of(yields.get(form, Outcomes())),
            _TRIED.index(form),
        ),
    )
    return told + [Question(topic.id, form, FORMS[form].format(topic=topic.name)) for form in forms]


def yield_of(found: Outcomes) -> float:
    """Return the estimated probability that the next candidate is confirmed."""
    return (found.confirmed + 1) / (found.decided + 2)


def form_of(question: str, topic: str) -> str:
    """Return the name of the form of a question about a topic."""
    return next((one for one in _TRIED if FORMS[one].format(topic=topic) == question), "request")


def candidates_allowed(waiting: int, lately: Outcomes) -> int:
    """
    Return how many candidates a cycle may add (GA-017, GA-028).

    Args:
        waiting: How many wait for a human; from 30 on none is added.
        lately: The last answers of humans; if most were rejections, four are enough.
    """
    if waiting >= PAUSED_FROM:
        return 0
    is_disliked = (
        lately.decided >= _DECIDED_MIN and lately.confirmed < _APPROVED_LEAST * lately.decided
    )
    return min(PAUSED_FROM - waiting, _FEWER if is_disliked else CANDIDATES_MAX)


def is_stagnant(topic: Topic, now: datetime) -> bool:
    """Say whether a topic was tended repeatedly without finding anything."""
    if topic.barren < STAGNANT_CYCLES or topic.barren_since is None:
        return False
    return (now - topic.barren_since).days >= STAGNANT_DAYS
