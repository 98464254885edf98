"""What the bench of newer statements counts."""

from bench.newer import _placed

PAIR = {
    "id": "u1",
    "kind": "update",
    "category": "moved_to",
    "older": {"date": "2026-01-01", "speaker": "user", "text": "The kettle stands in the hall."},
    "newer": {"date": "2026-02-01", "speaker": "Ada", "text": "The kettle moved to the kitchen."},
    "distractors": [{"date": "2026-03-01", "speaker": "user", "text": "Rain again in Bergen."}],
    "question": "Where does the kettle stand?",
}


def test_the_statement_that_holds_is_told_from_the_other():
    (newer,) = _placed([PAIR | {"answer_in": "newer"}])
    (older,) = _placed([PAIR | {"answer_in": "older"}])

    assert newer[0] == "u1"
    assert sorted([newer[1].right, newer[1].wrong]) == [1, 2]
    assert (newer[1].right, newer[1].wrong) == (older[1].wrong, older[1].right)
