import io
import json

import pytest

from tilth.core.errors import NotFoundError
from tilth.core.view import Bold, Command, Dim, Exact, Paragraph, Row
from tilth.interfaces.cli import progress
from tilth.interfaces.cli.screen import Screen, columns, display_width, wants_color
from tilth.privacy.exclusion import Exclusion


def make_screen(**changes):
    return Screen(**({"out": io.StringIO(), "err": io.StringIO()} | changes))


@pytest.mark.parametrize(
    ("environ", "is_tty", "expected"),
    [
        ({}, True, True),
        ({}, False, False),
        ({"NO_COLOR": "1"}, True, False),
        ({"NO_COLOR": ""}, True, True),
        ({"TERM": "dumb"}, True, False),
        ({"FORCE_COLOR": "1"}, False, True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, True, False),
    ],
)
def test_colour_follows_the_environment(environ, is_tty, expected):
    assert wants_color(environ, is_tty=is_tty) is expected


def test_the_flag_beats_the_environment():
    assert not wants_color({"FORCE_COLOR": "1"}, is_tty=True, is_refused=True)


def test_an_answer_in_json_is_one_line_of_ascii():
    screen = make_screen(is_json=True)

    screen.answer({"text": "två\x1b[0m"}, ["for a person"])

    assert screen.out.getvalue() == '{"text": "tv\\u00e5\\u001b[0m"}\n'


@pytest.mark.row("I35")
def test_a_line_for_a_person_is_inert():
    screen = make_screen(is_color=True)

    screen.answer({}, ["\x1b]0;owned\x07", (Bold("a\x1b[5m"), Dim("b"))])

    assert screen.out.getvalue() == ("\\x1b]0;owned\\x07\n\x1b[1ma\\x1b[5m\x1b[0m\x1b[2mb\x1b[0m\n")


def test_without_colour_no_code_is_written():
    screen = make_screen()

    screen.answer({}, [(Bold("a"), Dim("b"))])

    assert screen.out.getvalue() == "ab\n"


def test_an_error_goes_to_standard_error_with_its_hint():
    screen = make_screen()

    code = screen.refuse(NotFoundError("there is no 'x\x1b'", hint="look elsewhere"))

    assert code == 3
    assert screen.out.getvalue() == ""
    assert screen.err.getvalue() == "tilth: there is no 'x\\x1b'\n  look elsewhere\n"


def test_an_error_in_json_stands_where_the_answer_would():
    screen = make_screen(is_json=True)

    screen.refuse(NotFoundError("nothing there"))

    assert json.loads(screen.out.getvalue()) == {
        "error": {"code": "not_found", "message": "nothing there", "hint": ""}
    }


@pytest.mark.parametrize("changes", [{"is_quiet": True}, {"is_json": True}])
def test_quiet_and_json_leave_messages_out(changes):
    screen = make_screen(**changes)

    screen.say("next: tilth import")

    assert screen.err.getvalue() == ""


def test_progress_is_drawn_on_a_terminal_only():
    screen = make_screen()

    with screen.progress("importing", 10) as advance:
        advance(10)

    assert screen.err.getvalue() == ""


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize(
    ("total", "shown"), [(200, ["25 %", "100 %"]), (None, ["50", "1,000"]), (0, ["50", "1,000"])]
)
def test_progress_is_one_line_that_is_gone_in_the_end(monkeypatch, total, shown):
    monkeypatch.setattr(progress, "PATIENCE_S", 0)
    monkeypatch.setattr(progress, "_REDRAWN_S", 0)
    terminal = Terminal()

    with progress.progress_line("importing", total, terminal, is_shown=True) as advance:
        advance(50)
        advance(1000)

    lines = terminal.getvalue().split("\r\x1b[K")
    assert lines == ["", *(f"importing: {one}" for one in shown), ""]


def test_a_line_to_be_judged_as_it_stands_is_never_wrapped():
    screen, line = make_screen(out=Terminal()), "  1. Run `make release`, then wait. " * 9

    screen.answer({}, [Exact(line), line])

    first, *rest = screen.out.getvalue().splitlines()
    assert first == line.rstrip()
    assert len(rest) > 1


def test_what_is_done_at_once_shows_no_progress():
    terminal = Terminal()
    with progress.progress_line("importing", 10, terminal, is_shown=True) as advance:
        advance(10)
    assert terminal.getvalue() == ""


def test_columns_stand_under_one_another():
    screen = make_screen()

    screen.answer({}, columns([["a", "1"], ["bcd", "22"]]))

    assert screen.out.getvalue() == "a    1\nbcd  22\n"


@pytest.mark.parametrize(
    ("cell", "takes"),
    [
        ("数据库使用", 10),
        ("हमेशा", 4),
        ("e\u0301te\u0301", 3),
        ("🚀", 2),
        ("für", 3),
    ],
)
def test_columns_stand_under_one_another_in_any_script(cell, takes):
    first, second = columns([[cell, "1"], ["x" * 12, "22"]])

    assert [len(first[1]), second[1]] == [14 - takes, "  "]
    assert display_width("".join(columns([["库" * 30, "1"]], 20)[0])) <= 22


def test_no_rows_are_no_lines():
    assert columns([]) == []


SAID = "Let's have enter or right arrow go to the read view, and ESC back from it"


@pytest.fixture
def on_terminal(monkeypatch):
    """Return what writes lines on a terminal of so many columns, and returns what stands there."""

    def shown(columns, *lines):
        monkeypatch.setenv("COLUMNS", str(columns))
        screen = make_screen(out=Terminal())
        screen.answer({}, lines)
        return screen.out.getvalue().splitlines()

    return shown


def test_what_is_shown_before_a_question_is_broken_between_words(monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    screen = make_screen(err=Terminal(), excluded=lambda: Exclusion(("Ada Lovelace",)))

    screen.show(f"    {SAID}")
    screen.show("  she asked what nobody had asked: Ada Lovelace did")

    lines = screen.err.getvalue().splitlines()
    assert all(len(line) <= 40 for line in lines)
    assert SAID in " ".join(" ".join(lines).split())
    assert "Ada" not in screen.err.getvalue()
    assert "Lovelace" not in screen.err.getvalue()


def test_a_command_to_be_copied_is_never_broken(on_terminal):
    forget = "tilth worker stop --store ~/demo.db; rm -rf ~/demo.db* ~/.local/state/tilth/briefs"

    assert on_terminal(40, ("   ", Command(forget))) == [f"   {forget}"]


def test_a_long_line_is_broken_between_words_on_a_terminal_alone(on_terminal):
    shown = on_terminal(40, ("  ", Bold(SAID), Dim("  by ana")))

    assert all(len(line) <= 40 for line in shown)
    assert [line[:4].rstrip() for line in shown] == ["  Le", "", ""]
    assert " ".join(" ".join(shown).split()) == f"{SAID} by ana"
    assert on_terminal(120, SAID) == [SAID]
    screen = make_screen()
    screen.answer({}, [SAID * 3])
    assert screen.out.getvalue() == f"{SAID * 3}\n"


@pytest.mark.parametrize("kind", [str, Dim, Paragraph, lambda text: Row((text, "open"))])
def test_excluded_words_are_covered_where_a_line_is_broken_or_cut_between_them(monkeypatch, kind):
    said = "They meet about Project Zeus on Monday, and Project Zeus is what they decide."
    for columns_max in range(24, 90):
        monkeypatch.setenv("COLUMNS", str(columns_max))
        screen = make_screen(out=Terminal(), excluded=lambda: Exclusion(("Project Zeus",)))

        screen.answer({}, [kind(said)])

        shown = screen.out.getvalue()
        assert "Zeus" not in shown, shown
        assert "Project" not in shown, shown


def test_a_broken_line_is_coloured_as_a_whole_and_not_word_by_word(monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    screen = make_screen(out=Terminal(), is_color=True)

    screen.answer({}, [Dim(SAID)])

    shown = screen.out.getvalue().splitlines()
    assert len(shown) > 1
    assert {line.count("\x1b[2m") for line in shown} == {1}


@pytest.mark.parametrize("kind", [str, Bold, Paragraph])
def test_words_without_spaces_between_them_are_broken_at_the_width(on_terminal, kind):
    """Between any two signs, but with none that closes at the beginning of a line."""
    said = (
        "我们决定使用数据库\uff0c因为它支持行级安全性。「部署」只在星期一进行、ウェブサーバーは東京。"
        * 3
    )

    shown = on_terminal(40, kind(said))

    assert len(shown) > 5
    assert all(30 < display_width(line) <= 40 for line in shown[:-1]), shown
    assert "".join(line.strip() for line in shown) == said
    assert not {line.strip()[0] for line in shown} & set("\uff0c。」、ー")


def test_a_paragraph_of_both_scripts_keeps_its_words(on_terminal):
    said = (
        "The office in 東京都千代田区 uses VLAN 7 for https://example.test/a-long/path/that/stays"
    )

    shown = on_terminal(40, Paragraph(said))

    assert all(display_width(line) <= 40 for line in shown[:-1])
    assert shown[-1].strip() == "https://example.test/a-long/path/that/stays"


def test_what_a_last_column_tells_stays_in_it(on_terminal):
    rows = [["ok", "store", SAID], ["warn", "disk", "full"]]

    first, *behind, last = on_terminal(60, *columns(rows))

    assert first.startswith("ok    store  Let's have")
    assert [len(line) - len(line.lstrip()) for line in behind] == [13]
    assert last == "warn  disk   full"


def test_a_word_that_is_longer_than_the_screen_stays_whole(on_terminal):
    path = "/home/ana/" + "very/" * 20
    assert path in on_terminal(40, f"the store is at {path}")[-1]


def test_an_id_that_finds_no_room_stands_whole_below_its_row_and_takes_none_from_it(on_terminal):
    one, other = "claude-code:5f1c7a52-0000-4000-8000-000000000001", "cursor:c1"
    rows = [[Bold(SAID[:40]), "2 episodes", Dim(one)], [Bold("Go."), "1 episode", Dim(other)]]

    shown = on_terminal(60, *columns(rows, 60))

    assert shown == [f"{SAID[:40]}  2 episodes", f"  {one}", f"{'Go.':42}1 episode", f"  {other}"]
    assert on_terminal(120, *columns(rows, 120))[1].endswith(f"1 episode   {other}")


def test_a_cell_is_cut_behind_a_word_where_there_is_one_near():
    (line,) = columns([["one", SAID]], 40)
    assert "".join(line).rstrip() == "one  Let's have enter or right arrow …"
    (line,) = columns([["mise run test", "8 sessions", "project:Work/entire/devenv/cli"]], 40)
    assert "".join(line).rstrip() == "mise run test  8 sessions  …e/devenv/cli"
