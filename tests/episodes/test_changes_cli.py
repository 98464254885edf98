"""`tilth changes` as it is typed: page by page, and again later."""

import pytest

import tilth
from tests.practice.sessions import Session
from tests.program import acting
from tilth.core.actor import Human
from tilth.episodes.session import SessionInfo


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
    assert "--since today" not in run.err
    assert (
        "those of today alone: tilth changes --since today" in history("changes", "--limit", 1).err
    )


@pytest.mark.row("X-13")
def test_uses_of_tools_in_a_row_are_one_line_for_a_person_and_each_in_json(ready):
    with tilth.connect(ready.store, actor=Human("ana")) as brain:
        session = Session(brain, "s1").asks("Is it green?")
        for number in range(3):
            session.ran(f"make test{number}", "1 failed", failed=number == 2)
        session.says("It is not.")

    lines = ready("changes").out.splitlines()

    told = [line.split("  ")[:2] for line in lines if not line.startswith(" ")]
    assert [one[0] for one in told] == ["message", "tools", "message"]
    assert [told[0][1], told[2][1]] == ["user", "assistant"]
    (tools,) = [line for line in lines if line.startswith("tools")]
    assert tools.startswith("tools  3 uses, 1 failed  ")
    kinds = [item["kind"] for item in ready("changes", "--json").answer["items"]]
    assert kinds.count("tool_call") == 3
    assert len(kinds) == 8


def test_a_session_stands_once_as_it_is_called_now_and_each_time_in_json(ready):
    with tilth.connect(ready.store, actor=Human("ana")) as brain:
        for info in ({"folder": "/shop"}, {"folder": "/shop", "title": "Deploy it"}):
            brain.sessions.describe("s1", SessionInfo(**info))
            brain.sessions.describe("s2", SessionInfo(title="Another"))

    lines = ready("changes").out.splitlines()

    assert [line.split()[-4] for line in lines if line.startswith("session")] == ["s1", "s2"]
    assert "  Deploy it" in lines
    assert "  /shop" not in lines
    assert len(ready("changes", "--json").answer["items"]) == 4


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


@pytest.mark.row("OB-028", "X-13")
def test_what_a_change_names_by_an_id_is_told_in_words(ready):
    with acting("human"):
        for name in ("Marina Costa", "Marina"):
            ready("entity", "add", name, "--type", "person")
        ready("entity", "profile", "Marina Costa", "--key", "language", "--value", "Portuguese")
        ready("conversation", "create", "Marina Costa", "matrix")
        ready("entity", "merge", "Marina Costa", "Marina")
    told = ready("changes").out

    assert "“Marina Costa”: language: Portuguese\n" in told
    assert "  with “Marina Costa” (ent_" in told
    assert "“Marina”: into “Marina Costa” (ent_" in told
    assert "“Marina may be Marina Costa: 'marina' in common”: merge\n" in told


@pytest.mark.row("OB-028", "I35")
def test_the_words_of_what_may_not_be_seen_are_in_no_change(ready):
    project = "project:acme"
    with acting("human"):
        ready("fact", "add", "The vault is at vault.test.", "--about", "Vault", "--scope", project)
        (fact,) = ready("fact", "list", "--json").answer["facts"]
        ready("fact", "add", f"It differs from {fact['id']}.", "--about", "Router")

    assert "(fct_" in ready("changes").out
    assert "vault.test" not in ready("changes", "--scope", "project:other").out
