"""What was recorded, as a page shows it."""

import pytest

from tilth.agents.hosts.registry import HOSTS, find_host
from tilth.core.actor import Actor, ActorKind, Human
from tilth.interfaces.web.rendering import line, markdown, of_count, program, who
from tilth.transfer.file_importer import FORMATS


@pytest.mark.parametrize(
    "address",
    ["/home/ada/x.ts:1", "./docs/a.md", "settings", "#top", "?q=1", "javascript:alert(1)",
     "file:///etc/passwd", "data:text/html,x", "//host/x"],
)  # fmt: skip
def test_a_link_of_a_transcript_leads_to_none_of_our_own_pages(address):
    assert "<a " not in markdown(f"See [the file]({address}).")


@pytest.mark.parametrize("address", ["https://example.org/a", "HTTP://x.org", "mailto:a@b.org"])
def test_a_link_to_elsewhere_is_one(address):
    assert "<a href=" in markdown(f"See [the file]({address}).")


@pytest.mark.parametrize(
    ("several", "one"),
    [("changes", "change"), ("entities", "entity"), ("aliases", "alias"), ("pages", "page"),
     ("summaries", "summary"), ("new episodes", "new episode"), ("searches", "search")],
)  # fmt: skip
def test_a_noun_takes_the_number_of_its_count(several, one):
    assert of_count(several, 1) == one
    assert of_count(several, 0) == of_count(several, 2) == several


def test_a_link_to_a_path_is_code_and_what_runs_something_is_plain_text():
    told = markdown("See [a](/home/ada/x.ts), [b](x.md:3) and [c](javascript:alert(1)).")
    assert "<code>a</code>, <code>b</code> and [c](javascript:alert(1))." in told


@pytest.mark.parametrize(
    ("told", "shown"),
    [("Do it: # Plan: Use `x` ## Why", "Do it: Plan: Use <code>x</code> Why"),
     ("**Both** pass, see [the docs](/a/b.md) ...", "Both pass, see the docs ..."),
     ("`a` and `b", "<code>a</code> and b"), ("it says `ok th…", "it says <code>ok th…</code>"),
     ("C# <b>", "C# &lt;b&gt;")],
)  # fmt: skip
def test_a_line_is_shown_without_the_marks_of_its_markdown(told, shown):
    assert line(told) == shown


def test_a_host_is_written_as_its_module_says_that_it_calls_itself():
    assert program("claude-code") == "Claude Code"
    assert program("copilot-cli") == "Copilot CLI"
    assert program("a-host-of-tomorrow") == "a-host-of-tomorrow"
    for one in FORMATS:
        assert program(one.HOST) == one.PROGRAM
    for name in HOSTS:
        assert program(name) == find_host(name).DECLARATION.program


def test_what_tilth_does_by_itself_goes_by_its_own_name():
    assert who(Actor("distil", ActorKind.JOB)) == "Tilth"
    assert who(Human("ana")) == "ana"
