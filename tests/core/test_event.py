"""Every event states its aspects, and states them rightly."""

from dataclasses import fields, is_dataclass
from operator import attrgetter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import tilth
from tests.event_strategies import strategy_of
from tilth.core.codec import codec_of
from tilth.core.errors import CorruptionError
from tilth.core.event import (
    Event,
    HasHeadline,
    Headline,
    Recorded,
    decode,
    encode,
    event,
    events_by_kind,
    kinds_without_headline,
)
from tilth.core.ids import ULID_CHARS, Id
from tilth.gaps.model import GapId
from tilth.runtime.features import FEATURES

SRC = Path(tilth.__file__).parent
KINDS = events_by_kind()
# What tells nothing of what is known: it is in the ledger, and no change.
UNTOLD = {
    "store_created",
    "notes_ended",
    "import_finished",
    "budget_reserved",
    "budget_settled",
    "context_given",
    "feedback_given",
    "sessions_distilled",
    "session_read",
    "distillation_reopened",
    "gaps_pulsed",
    "sweep_begun",
    "facts_judged",
    "draft_declined",
    "page_checked",
    "candidate_found",
    "cycle_begun",
    "cycle_step_ended",
    "garden_answered",
    "garden_spent",
    "inbox_file_taken",
    "request_asked",
    "source_found",
    "source_read",
    "topic_tended",
}


def test_every_module_of_events_is_one_of_a_feature():
    modules = {path.parent.relative_to(SRC) for path in SRC.rglob("events.py")}

    assert {".".join(("tilth", *one.parts)) for one in modules} <= set(FEATURES)


@pytest.mark.row("OB-028")
def test_nobody_is_told_of_these_kinds_alone():
    assert set(kinds_without_headline()) == UNTOLD


@pytest.mark.parametrize("kind", KINDS)
def test_every_class_of_events_has_a_form_in_json_and_slots(kind):
    codec_of(KINDS[kind])

    assert is_dataclass(KINDS[kind])
    assert "__dict__" not in dir(KINDS[kind])


@pytest.mark.parametrize("kind", KINDS)
@settings(
    max_examples=10, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck)
)
@given(data=st.data())
def test_aspects_are_those_of_fields_that_are_there(kind, data):
    one = data.draw(strategy_of(KINDS[kind]))
    aspects = one.aspects

    for name in filter(None, (*aspects.goes_with, *aspects.says, aspects.subject)):
        attrgetter(name)(one)
    assert all(isinstance(id_, str) for id_ in (*one.goes_with, *one.says, *one.rests_on))
    assert not aspects.drops or aspects.drops in {each.name for each in fields(one)}


@pytest.mark.row("OB-028")
@pytest.mark.parametrize("kind", sorted(KINDS.keys() - UNTOLD))
@settings(
    max_examples=10, deadline=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck)
)
@given(data=st.data())
def test_every_change_has_a_line_and_is_seen_somewhere(kind, data):
    one = data.draw(strategy_of(KINDS[kind]))

    assert isinstance(one, HasHeadline)
    assert one.headline().kind
    # Of what was erased nothing is left that an ID could show.
    is_of_something = one.headline().id or one.subject or isinstance(one.aspects.makes, type)
    assert is_of_something or kind == "erased"
    ways = [one.named_scope, one.aspects.subject, one.aspects.seen_in]
    assert len(list(filter(None, ways))) == 1
    assert not one.subject.startswith(tuple(Id.by_prefix)) or Id.by_prefix[one.subject[:4]].place


def test_a_line_is_of_the_subject_or_else_of_what_was_made(human):
    human.gaps.add("no way to export")
    gap = next(one for one in human.changes().items if one.event.kind == "gap_detected")

    assert gap.headline == Headline("gap", "no way to export", gap.made)
    assert gap.made == GapId.of(gap.event_id)
    assert len(gap.made) == len(GapId.prefix) + ULID_CHARS


def test_nobody_is_told_of_what_has_no_line(human):
    (first,) = human_events(human, limit=1)

    with pytest.raises(TypeError, match="nobody is told of 'store_created'"):
        assert first.headline


def human_events(human, limit: int) -> list[Recorded]:
    """Return the first events of a brain's store."""
    with human._parts.store.read() as view:
        return view.events(limit=limit)


def test_a_kind_has_one_class():
    with pytest.raises(TypeError, match="GapMoved is 'gap_moved' already"):

        @event("gap_moved", goes_with=())
        class Other(Event):
            """Not that one."""


def test_an_older_form_is_read_by_what_the_event_says(monkeypatch):
    monkeypatch.setattr("tilth.core.event._BY_KIND", {})
    monkeypatch.setattr("tilth.core.event._READERS", {})

    @event("kettle_boiled", goes_with=())
    class KettleBoiled(Event):
        """A kettle boiled."""

        minutes: int

        @classmethod
        def upcast(cls, payload):
            if "seconds" in payload:
                payload["minutes"] = payload.pop("seconds") // 60
            return payload

    assert decode("kettle_boiled", '{"seconds":120}', None) == KettleBoiled(2)
    assert decode("kettle_boiled", encode(KettleBoiled(3)), None) == KettleBoiled(3)
    with pytest.raises(CorruptionError):
        decode("kettle_boiled", "[]", None)
