"""Long answers on a terminal."""

import io
import sys

import pytest

from tilth.core.view import Note
from tilth.interfaces.cli.pager import pager_of, show_in_pages
from tilth.interfaces.cli.screen import Screen

LONG = [f"line {number}" for number in range(200)]


def test_the_pager_is_the_users_choice_and_none_is_one(monkeypatch):
    monkeypatch.setattr("shutil.which", lambda _: "/bin/less")

    assert pager_of({"PAGER": "more -d"}) == "more -d"
    assert pager_of({"PAGER": ""}) == ""
    assert pager_of({"TERM": "dumb"}) == ""
    assert pager_of({}) == "/bin/less"


def test_what_fits_is_written_and_what_does_not_goes_to_the_pager(capfd):
    written = []
    show_in_pages(["one", "two"], "false", written.append)
    assert (written, capfd.readouterr().out) == (["one", "two"], "")

    show_in_pages(LONG, "cat", written.append)
    assert capfd.readouterr().out.splitlines() == LONG
    assert written == ["one", "two"]


@pytest.mark.parametrize("pager", ["true", "head -n 1"])
def test_a_pager_that_is_left_early_is_no_error(pager, capfd):
    show_in_pages([*LONG] * 2000, pager, print)

    assert len(capfd.readouterr().out.splitlines()) <= 1


def test_messages_come_behind_the_page(capfd):
    err = io.StringIO()
    Screen(pager="cat", out=sys.stdout, err=err).answer(None, [Note("that is all"), *LONG])

    assert capfd.readouterr().out.splitlines() == LONG
    assert err.getvalue() == "that is all\n"
