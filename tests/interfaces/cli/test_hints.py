"""What the command line says where a user would wonder: nothing found, or something wrong."""

import os
from errno import EACCES
from pathlib import Path

import pytest

_ANOTHERS = PermissionError(EACCES, os.strerror(EACCES), "/home/ana/tilth/config.toml")
_INVALID, _NOT_FOUND, _FORBIDDEN, _UNAVAILABLE = 2, 3, 5, 7
_ULID = "01M7YPDAJSD1EZH60A4MNZ4CDQ"


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["entity", "list"], "there are none of those"),
        (["entity", "list", "--after", "4096"], "that was all"),
        (["entity", "search", "zeppelin"], "nothing goes by that name"),
        (["conversation", "list"], "tilth conversation create"),
        (["conversation", "idle"], "no conversation is active"),
        (["edge", "list"], "tilth edge add"),
        (["edge", "list", "--after", "4096"], "that was all"),
        (["fact", "list"], "tilth fact add"),
        (["kg", "query", "zeppelin"], "tilth kg add"),
        (["kg", "explore", "zeppelin"], "tilth kg add"),
        (["kg", "timeline", "zeppelin"], "tilth kg add"),
        (["kg", "stats"], "tilth kg add"),
        (["gap", "list"], "tilth gap scan"),
        (["gap", "run"], "no TODO is due"),
        (["metrics"], "tilth worker --once"),
    ],
    ids=" ".join,
)
def test_an_empty_answer_says_what_it_means(ready, words, told):
    run = ready(*words)

    assert run.code == 0
    assert told in run.err
    assert ready(*words, "--quiet").err == ""


@pytest.mark.parametrize(
    "words", [["export", "-"], ["backup", "-"], ["import", "-"], ["vault", "export", "-"]]
)
def test_a_dash_makes_no_file_of_that_name(ready, monkeypatch, tmp_path, words):
    monkeypatch.chdir(tmp_path)

    run = ready(*words)

    assert (run.code, [*tmp_path.glob("-")]) == (_INVALID, [])
    assert "standard input or output" in run.err
    assert "./-" in run.err


@pytest.fixture
def two_of_each(ready, tmp_path):
    """Have two sessions with an exchange each, two gaps, and two documents."""
    missing = {"1": "Export the notes as a PDF", "2": "Order filters by post"}
    for number in "12":
        for role, text in (("user", "Which port is free?"), ("assistant", "Port 9090 is free.")):
            ready("remember", text, "--session", f"s{number}", "--role", role)
        ready("gap", "add", missing[number])
        (tmp_path / f"{number}.md").write_text(f"# Pump {number}\n\nIt is on the roof {number}.\n")
        ready("import", str(tmp_path / f"{number}.md"))
    return ready


@pytest.mark.parametrize("noun", ["session", "gap", "document"])
def test_a_list_that_is_cut_says_how_it_goes_on(two_of_each, noun):
    run = two_of_each(noun, "list", "--limit", "1")

    assert (run.code, run.err) == (0, "there may be more: --offset 1\n")
    assert "there may be more" not in two_of_each(noun, "list").err
    assert two_of_each(noun, "list", "--offset", "99").err == "that was all\n"
    assert two_of_each(noun, "list", "--limit", "1", "--json").err == ""


def test_a_list_without_pages_says_that_it_is_cut(two_of_each):
    run = two_of_each("exchange", "list", "--limit", "1")

    assert (run.code, run.err) == (0, "there may be more: --limit N shows them\n")
    assert two_of_each("exchange", "list").err == ""


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["entity", "around", "Ana"], "tilth edge add"),
        (["entity", "identities", "Ana"], "tilth entity link"),
        (["entity", "profile", "Ana"], "--key KEY --value TEXT"),
    ],
    ids=" ".join,
)
def test_somebody_of_whom_nothing_is_known_is_said_to_be_so(ready, words, told):
    ready("entity", "add", "Ana", "--type", "person")

    run = ready(*words)

    assert (run.code, run.out) == (0, "")
    assert told in run.err


def test_a_fact_that_was_not_put_to_the_test_is_said_to_be_so(ready):
    ready("fact", "add", "The router is at 192.0.2.1.", "--system", "lab")
    (fact,) = ready("fact", "list", "--json").answer["facts"]

    assert "tilth fact outcome" in ready("fact", "outcomes", fact["id"]).err


def test_a_list_goes_on_behind_the_place_that_it_names(ready):
    for name in ("alpha", "beta", "gamma"):
        ready("entity", "add", name)

    first = ready("entity", "list", "--limit", "2")
    after = first.err.rpartition(" ")[2].strip()
    second = ready("entity", "list", "--limit", "2", "--after", after)

    assert [line.split()[0] for line in first.out.splitlines()] == ["alpha", "beta"]
    assert [line.split()[0] for line in second.out.splitlines()] == ["gamma"]
    assert "more" not in second.err


@pytest.mark.parametrize(
    ("words", "code", "hint"),
    [
        (["gap", "update", f"gap_{_ULID}", "nonsense"], _INVALID, "see: tilth gap update --help"),
        (["--nonsense"], _INVALID, "see: tilth --help"),
        (["gap", "show", "gap_1"], _INVALID, "they begin with 'gap_', and 26 characters follow"),
        (["conversation", "show", f"cnv_{_ULID}"], _NOT_FOUND, "see: tilth conversation list"),
        (["episode", "facts", f"epi_{_ULID}"], _NOT_FOUND, "see: tilth changes"),
        (["session", "show", "nowhere"], _NOT_FOUND, "see: tilth session list"),
        (["fact", "revoke", f"out_{_ULID}"], _NOT_FOUND, "see: tilth fact outcomes"),
        (["fact", "check", ""], _INVALID, "tilth fact check TEXT"),
        (["entity", "list", "--transport", "pigeon"], _INVALID, "the setting 'transports'"),
        (["conversation", "list", "--transport", "pigeon"], _INVALID, "the setting 'transports'"),
        (["entity", "merge", "nobody", "no one"], _NOT_FOUND, "tilth entity list"),
        (["distil", "--again"], _FORBIDDEN, "let a person do it"),
        (["unarchive"], _FORBIDDEN, "let a person do it"),
        (["export", "nowhere/all.jsonl"], _UNAVAILABLE, "name a file in a folder that is there"),
    ],
    ids=lambda part: " ".join(part) if isinstance(part, list) else None,
)
def test_what_is_refused_says_what_to_do(ready, words, code, hint):
    run = ready(*words)

    assert run.code == code
    assert hint in run.err
    assert hint in ready(*words, "--json").answer["error"]["hint"]


@pytest.mark.parametrize("words", [["remember", "tea"], ["recall", "tea"], ["init"]])
def test_settings_of_another_user_are_refused_with_a_way_out(ready, monkeypatch, words):
    def refuse(_, **__):
        raise _ANOTHERS

    monkeypatch.setattr(Path, "read_text", refuse)

    run = ready(*words)

    assert (run.code, run.out) == (_FORBIDDEN, "")
    assert "may not read the settings in" in run.err
    assert "TILTH_HOME=FOLDER" in run.err


def test_a_name_that_no_disk_takes_is_told_in_a_line(ready):
    run = ready("remember", "tea", environ={"TILTH_HOME": "/tmp/" + "x" * 300})

    assert run.code == _INVALID
    assert "File name too long" in run.err


def test_a_store_of_another_user_is_refused_with_a_way_out(ready, monkeypatch):
    def refuse(*_):
        raise _ANOTHERS

    monkeypatch.setattr("tilth.interfaces.cli.program.command", refuse)

    run = ready("remember", "tea")

    assert run.code == _UNAVAILABLE
    assert "TILTH_HOME=FOLDER, --store PATH" in run.err


def test_a_refusal_says_what_to_do_instead(ready):
    (ready.home / "empty").mkdir()
    assert "docs/reference/imports.md" in ready("import", "empty").err
    assert "let a person do it" in ready("snapshot", "show", "2026-01-01").err

    gap = ready("gap", "add", "Send a fax", "--json").answer["gap"]["id"]
    drafted = ready("gap", "todo", gap).out
    again = ready("gap", "todo", gap).err

    path = drafted.split()[-1]
    assert "Send a fax" in Path(path).read_text()
    assert f"its TODO is {path}" in again


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("erase", "--entity", "Ana", "--yes"), "did you mean --confirm?"),
        (("erase", "--entity", "Ana", "--dry-run"), "without --confirm nothing is done"),
        (("fact", "import", "x.jsonl", "--yes"), "did you mean --execute?"),
        (("erase", "--entity", "Ana", "--mentoins"), "did you mean --mentions?"),
    ],
)
def test_a_word_of_consent_of_another_program_is_answered_with_the_one_here(ready, words, hint):
    assert hint in ready(*words).err


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        (("erase", "Ana Li"), "tilth erase --entity 'Ana Li'; or, if it is one, --episode"),
        (("erase", "fct_01KAR", "--confirm"), "tilth erase --fact fct_01KAR"),
        (("erase",), "tilth erase --entity 'Ada Lovelace' --mentions"),
        (("entity", "add", "Ana", "--kind", "person"), "it takes --type, --alias, "),
        (("undo",), "such as: tilth undo fct_01KAR --reason 'a mistake'; see: tilth undo --help"),
        (("entity", "show", "Ana", "Li"), "put words that belong together in quotes"),
    ],
)
def test_a_line_that_lacks_a_word_is_answered_with_it(ready, words, hint):
    assert hint in ready(*words).err


@pytest.mark.parametrize("noun", ["skill", "playbook"])
def test_where_a_state_is_asked_for_nothing_says_that_there_are_none_at_all(ready, noun):
    assert "there are none" in ready(noun, "list").err
    told = ready(noun, "list", "--state", "candidate").err
    assert told == f"there is no candidate {noun}; for those of any state: tilth {noun} list\n"


@pytest.mark.row("KB-127")
def test_a_fact_that_is_put_away_or_back_twice_is_told_with_what_to_do(ready):
    fact = ready("fact", "add", "The rack is full.", "--about", "rack", "--json").answer
    known = fact["fact"]["id"]

    assert f"how it stands: tilth fact show {known}" in ready("fact", "restore", known).err
    ready("fact", "archive", known)
    assert f"to bring it back: tilth fact restore {known}" in ready("fact", "archive", known).err
