"""Events of gaps, to their payload and back."""

import json
from operator import attrgetter

import pytest

from tilth.core.errors import CorruptionError, InvalidInputError
from tilth.core.event import decode, encode
from tilth.core.ids import EpisodeId
from tilth.core.instant import parse_span
from tilth.core.scope import Scope
from tilth.gaps.events import (
    FilingChosen,
    FilingEnded,
    GapDetected,
    GapEvidenced,
    GapFiled,
    GapMoved,
    GapsMerged,
    GapsParted,
    GapsPulsed,
)
from tilth.gaps.model import GapDraft, GapEvidence, GapId, GapKind, GapStatus
from tilth.gaps.todos import Way

ONE, OTHER = (GapId("gap_" + letter * 26) for letter in "01")
ROOT, COPY = (EpisodeId("epi_" + letter * 26) for letter in "01")
SHOWN = (GapEvidence(ROOT, 0, 9), GapEvidence(COPY, 3, 12, ROOT))
LAB = Scope("project:lab")


@pytest.mark.parametrize(
    "event",
    [
        GapDetected(GapDraft(description="fly", kind=GapKind.UX_FRICTION, evidence=SHOWN)),
        GapDetected(
            GapDraft(
                description="fly",
                kind=GapKind.KNOWLEDGE_GAP,
                evidence=SHOWN[:1],
                scope=LAB,
                follows=OTHER,
                model="small",
            )
        ),
        GapEvidenced(gap_id=ONE, evidence=SHOWN),
        GapMoved(gap_id=ONE, status=GapStatus.RESOLVED),
        GapMoved(gap_id=ONE, status=GapStatus.TODO_CREATED, todo_ref="T1", note="why not"),
        GapFiled(gap_id=ONE, todo_ref="T2"),
        GapsMerged(winner=ONE, loser=OTHER),
        GapsParted(winner=ONE, loser=OTHER),
        GapsPulsed(17),
        FilingChosen(scope=LAB, repository="/srv/lab", way=Way.GH),
        FilingEnded(LAB),
    ],
    ids=attrgetter("kind"),
)
def test_an_event_of_a_gap_comes_back_as_it_went(event):
    payload = encode(event)

    assert decode(event.kind, payload, None) == event
    assert json.loads(payload)


@pytest.mark.parametrize(
    ("kind", "payload"),
    [
        ("gap_detected", "{}"),
        ("gap_detected", '{"description":"x","kind":"hole","evidence":[["e",0,1]]}'),
        ("gap_detected", '{"description":"x","kind":"ux_friction","evidence":[]}'),
        ("gap_evidenced", '{"gap_id":"g","evidence":[["e"]]}'),
        ("gap_moved", '{"gap_id":"g","status":"lost"}'),
        ("gaps_pulsed", '{"through":"now"}'),
        ("filing_chosen", '{"scope":"global","repository":"/x","way":"post"}'),
    ],
)
def test_a_payload_that_cannot_be_read_is_our_fault(kind, payload):
    with pytest.raises(CorruptionError):
        decode(kind, payload, None)


def test_a_span_of_time_is_read_in_its_units():
    assert parse_span("90m") * 16 == parse_span("24h") == parse_span(" 1D ")
    assert parse_span("2w") == parse_span("14d")
    for text in ("", "24", "h", "-1h", "1.5h", "1y", "999999h", "1h1h"):
        with pytest.raises(InvalidInputError, match="not a span"):
            parse_span(text)
