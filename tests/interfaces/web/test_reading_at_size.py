"""What pages count and choose in SQL says the same as reading everything, on both engines."""

from datetime import UTC, date, datetime, timedelta

from tilth.core.lifecycle import Lifecycle
from tilth.core.scope import Visibility
from tilth.episodes.tables import Episodes
from tilth.knowledge.facts.filters import FactFilter
from tilth.knowledge.facts.tables import Facts

ALL = Visibility()
EVER = frozenset({Lifecycle.CURRENT, Lifecycle.SUPERSEDED})
DAYS = ("1969-12-31", "2025-01-01", "2025-06-01")


def test_the_days_on_which_something_began_are_each_told_once(human, store):
    for number, day in enumerate(DAYS):
        human.facts.add(f"The router runs {number}.0.", valid_from=day, system="lab", component="x")
    human.facts.add("The switch runs 7.", about=["switch"], valid_from="2025-06-01T23:59:59Z")
    with store.read() as view:
        days = Facts(view).days(FactFilter(within=ALL, lifecycles=EVER), limit=10)
        last = Facts(view).days(FactFilter(within=ALL, lifecycles=EVER), limit=1)
    assert [day.isoformat() for day in days] == [*DAYS]
    assert last == [date(2025, 6, 1)]


def test_ages_count_from_where_each_fact_says(human, agent, store, place):
    human.facts.add("The cellar is damp.", about=["cellar"], valid_from="2024-01-01")
    human.facts.add("The router is at 192.0.2.1.", system="lab", component="router")
    agent.facts.add("The router is at 192.0.2.9.", system="lab", component="router")
    place.clock.at += timedelta(days=30)
    (asked,) = human.review.list().proposals
    shown = human.review.show(asked.id)
    gone = [one.id for one in shown.retires]
    human.review.confirm(asked.id, digest=shown.digest, retires=gone)
    with store.read() as view:
        ages = Facts(view).fresh_from(FactFilter(within=ALL), limit=10)
        newest = Facts(view).fresh_from(FactFilter(within=ALL), limit=1)
    told = [one.fresh_from for one in human.facts.list()]
    assert len(told) == 2
    assert ages == told
    assert newest == told[:1]


def test_what_has_a_channel_is_told_from_what_has_none(human, store):
    human.facts.add("The cellar is damp.", about=["cellar"])
    human.facts.add(subject="api", predicate="port", object="9090", channel="entity")
    with store.read() as view:
        with_one = Facts(view).select(FactFilter(within=ALL, has_channel=True), limit=9)
        without = Facts(view).select(FactFilter(within=ALL, has_channel=False), limit=9)
    assert [one.said.triple is None for one in with_one] == [False]
    assert [one.said.text for one in without] == ["The cellar is damp."]


def test_projects_are_listed_by_their_last_session(human, store):
    for number, scope in enumerate(("project:a", "project:b", "project:a")):
        at = datetime(2025, 1, 1, number, tzinfo=UTC)
        human.remember("Hello.", session_id=f"s{number}", scope=scope, at=at)
    with store.read() as view:
        assert Episodes(view).scopes(ALL, limit=9) == [("project:a", 2), ("project:b", 1)]
        assert Episodes(view).scopes(ALL, limit=1, offset=1) == [("project:b", 1)]


def test_growth_is_told_by_day_without_days_of_nothing(human, place):
    human.remember("One.")
    human.facts.add("The cellar is damp.", about=["cellar"])
    place.clock.at += timedelta(days=40)
    human.remember("Two.")
    told = human.growth(days=2)
    first, last = told.days
    assert (first.facts, first.episodes, last.facts, last.episodes) == (1, 2, 0, 1)
    assert date.fromisoformat(last.date) - date.fromisoformat(first.date) == timedelta(days=40)
    assert [one.date for one in human.growth(days=1).days] == [last.date]
