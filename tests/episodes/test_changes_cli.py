"""`tilth changes` as it is typed: page by page, and again later."""

import pytest

from tests.program import acting


@pytest.fixture
def history(ready):
    for text in ("one", "two", "three"):
        ready("remember", text)
    return ready


def test_pages_follow_each_other_to_the_end(history):
    first = history("changes", "--limit", 2, "--json").answer
    rest = history("changes", "--since", first["cursor"], "--json").answer
    history("remember", "four")
    later = history("changes", "--since", rest["cursor"], "--json").answer

    pages = [[item["text"] for item in page["items"]] for page in (first, rest, later)]
    assert pages == [["one", "two"], ["three"], ["four"]]
    assert [page["has_more"] for page in (first, rest, later)] == [True, False, False]


def test_a_person_sees_lines_and_how_to_go_on(history):
    run = history("changes")

    assert "  one\n" in run.out
    assert "later: tilth changes --since chg_" in run.err


def test_since_a_date(history):
    assert len(history("changes", "--since", "2020-01-01", "--json").answer["items"]) == 3
    assert history("changes", "--since", "2999-01-01", "--json").answer["items"] == []


def test_what_is_no_cursor_is_refused(history):
    run = history("changes", "--since", "lately", "--json")

    assert run.code == 2
    assert run.answer["error"]["code"] == "invalid_input"


@pytest.mark.row("OB-028", "X-13")
def test_what_ceased_to_hold_is_told_with_what_came_in_its_place_and_by_whom(ready):
    dns = ("--system", "pi-hole", "--component", "ip")
    with acting("human"):
        ready("fact", "add", "DNS answers on .100.", *dns)
        new = ready("fact", "add", "DNS answers on .110.", *dns, "--json").answer["fact"]["id"]
        cursor = ready("changes", "--json").answer["cursor"]
        ready("fact", "undo", new, "--reason", "a mistake")
        told = ready("changes").out
        undone = ready("changes", "--since", cursor).out
        items = ready("changes", "--since", cursor, "--json").answer["items"]
        ready("fact", "retire", items[0]["effects"][0]["id"], "--reason", "it is gone")
        gone = ready("changes", "--since", cursor).out

    assert "ceased to hold: “DNS answers on .100.” fct_" in told
    assert f"in its place: “DNS answers on .110.” {new}" in told
    assert "by someone (human)" in told
    assert "  a mistake\n" in undone
    assert "holds from now on: “DNS answers on .100.”" in undone
    assert f"ceased to hold: “DNS answers on .110.” {new} (archived)" in undone
    assert items[0]["by"] == {"name": "someone", "kind": "human"}
    assert [(one["text"], one["holds"]) for one in items[0]["effects"]] == [
        ("DNS answers on .100.", True),
        ("DNS answers on .110.", False),
    ]
    assert "ceased to hold: “DNS answers on .100.”" in gone
    assert "(historical)" in gone


@pytest.mark.row("OB-028")
def test_a_decision_tells_what_it_ended(ready):
    dns = ("--system", "pi-hole", "--component", "ip")
    with acting("human"):
        ready("fact", "add", "DNS answers on .100.", *dns)
    asked = ready("fact", "add", "DNS answers on .110.", *dns, "--json").answer["proposal_id"]
    with acting("human"):
        seen = ready("review", "show", asked, "--json").answer
        retires = [one["id"] for one in seen["retires"]]
        ready("review", "confirm", asked, "--digest", seen["digest"], "--retires", *retires)

    effects = ready("changes", "--json").answer["items"][-1]["effects"]
    assert {(one["text"], one["holds"], one["successor_text"]) for one in effects} == {
        ("DNS answers on .100.", False, "DNS answers on .110."),
        ("DNS answers on .110.", True, ""),
    }
