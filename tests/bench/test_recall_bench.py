"""What the recall bench counts: a wrong ruler would make every figure wrong."""

import json

import pytest

from bench.haystacks import Query, read
from bench.recall import Found, Setup, _results, interval, measured, over_all

TURNS = [f"t{number}" for number in range(30)]


def found(turns=(), sessions=()):
    return Found("recall", turns, sessions, 1.0)


def asked(gold=(), gold_sessions=()):
    return Query("q", "any", "what?", frozenset(gold), frozenset(gold_sessions))


@pytest.mark.row("MP-14")
def test_recall_is_the_share_of_the_gold_in_the_top():
    values = measured(found(TURNS), asked(["t0", "t7", "t12", "t29"]), 4)

    assert (values["turn rec@1"], values["turn rec@10"], values["turn rec@20"]) == (0.25, 0.5, 0.75)
    assert (values["turn hit@1"], values["turn all@20"]) == (1.0, 0.0)


@pytest.mark.row("MP-14")
@pytest.mark.parametrize(("count", "deepest"), [(2, 1), (5, 3), (10, 5), (11, 10), (21, 20)])
def test_no_depth_reaches_all_sessions(count, deepest):
    values = measured(found(sessions=["s1"]), asked(gold_sessions=["s1"]), count)

    depths = [int(name.split("@")[1]) for name in values if name.startswith("session rec")]
    assert max(depths) == deepest


def test_a_question_without_gold_turns_is_not_counted_for_turns():
    values = measured(found(TURNS, ["s1"]), asked(gold_sessions=["s1"]), 3)
    assert not any(name.startswith("turn") for name in values)


def test_a_haystack_is_measured_through_the_public_path(tmp_path):
    docs = [
        {"id": f"d{at}", "session": f"s{at % 3}", "date": "2024-03-01", "speaker": "Ada",
         "text": text}
        for at, text in enumerate(
            ["The kettle is blue.", "Tea is at five.", "The ferry left early.", "It rained."]
        )
    ]  # fmt: skip
    query = {"qid": "q1", "category": "one", "question": "What colour is the kettle?",
             "gold": ["d0"], "gold_sessions": ["s0"]}  # fmt: skip
    file = tmp_path / "hay.jsonl"
    file.write_text(json.dumps({"hid": "h", "docs": docs, "queries": [query]}) + "\n")

    (line,) = _results(list(read(file)), Setup(is_tier1=True, is_grouped=True))

    assert set(line["methods"]) == {"recall", "fts5 alone", "bm25 alone"}
    assert line["methods"]["recall"]["turns"][0] == "h|d0"
    assert line["methods"]["recall"]["measured"]["turn rec@1"] == 1.0


def test_an_interval_holds_the_mean_and_narrows_with_more_questions():
    few, many = interval([0, 1] * 10), interval([0, 1] * 1000)

    assert few[0] == many[0] == 50.0
    assert few[1] < many[1] < 50.0 < many[2] < few[2]


def test_runs_are_compared_question_by_question(tmp_path):
    def line(qid, value):
        method = {"recall": {"measured": {"turn rec@10": value}}}
        return {"qid": qid, "question": "?", "methods": method}

    then = [line(str(number), number % 2) for number in range(100)]
    (tmp_path / "hay.jsonl").write_text("".join(json.dumps(one) + "\n" for one in then))
    now = [line(str(number), (number % 2) / 2) for number in range(100)]

    row = over_all({"hay.jsonl": now}, tmp_path)["hay"]

    assert row["turn rec@10"][0] == 25.0
    assert row["turn rec@10 difference"][0] == -25.0
    assert row["turn rec@10 difference"][2] < 0


def test_dates_of_a_messenger_and_of_the_question_are_read(tmp_path):
    docs = [{"id": "d", "session": "s", "date": "29.12.2023, 00:51:12", "text": "tea"}]
    query = {"qid": "q", "category": "c", "question": "tea?", "date": "2024/01/02 (Tue) 10:00",
             "gold": ["d"]}  # fmt: skip
    file = tmp_path / "hay.jsonl"
    file.write_text(json.dumps({"hid": "h", "docs": docs, "queries": [query]}) + "\n")

    (haystack,) = read(file)

    assert haystack.docs[0].at.isoformat() == "2023-12-29T00:51:12+00:00"
    assert haystack.queries[0].at.isoformat() == "2024-01-02T10:00:00+00:00"
