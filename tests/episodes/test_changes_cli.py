"""`tilth changes` as it is typed: page by page, and again later."""

import pytest


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
