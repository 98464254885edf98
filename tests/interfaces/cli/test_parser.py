import subprocess
import sys
from argparse import ArgumentParser, _SubParsersAction
from datetime import UTC, datetime

import pytest

from tilth.agents.hosts.registry import HOSTS
from tilth.core.errors import InvalidInputError
from tilth.interfaces.cli.parser import OTHER_WORDS, build_parser
from tilth.interfaces.cli.program import command
from tilth.runtime.index import index

HEAVY = ("numpy", "apsw", "httpx2", "tilth.runtime.connect", "tilth.runtime.brain")


def every_parser(parser: ArgumentParser):
    yield parser
    for action in parser._actions:
        if isinstance(action, _SubParsersAction):
            for child in action.choices.values():
                yield from every_parser(child)


COMMON = ("--json", "--store", "--owner", "--quiet", "--no-color")
COMMANDS = [p for p in every_parser(build_parser()) if p.get_default("run")]


def test_the_command_line_names_every_host():
    (hosts,) = [one for one in index()["commands"]["init"]["arguments"] if "flags" not in one]

    assert hosts["choices"] == sorted(HOSTS)


def test_every_command_can_be_run():
    assert len(COMMANDS) > 200
    assert [one.prog for one in COMMANDS if not callable(command(one.get_default("run")))] == []


def test_every_command_takes_what_all_of_them_take():
    taken = {
        parser.prog: {flag for action in parser._actions for flag in action.option_strings}
        for parser in COMMANDS
    }

    assert [prog for prog, flags in taken.items() if not flags.issuperset(COMMON)] == []


def test_the_help_of_all_commands_lists_what_every_command_takes():
    told = build_parser().format_help()

    assert [option for option in COMMON if option not in told] == []


def test_a_usage_line_shows_what_must_be_said():
    usages = {parser.prog: parser.format_usage() for parser in COMMANDS}

    assert (
        usages["tilth skill approve"] == "usage: tilth skill approve ID --digest SHA256 [options]\n"
    )
    assert usages["tilth erase"].startswith("usage: tilth erase (--entity | --episode | ")


@pytest.mark.parametrize(
    "line", [["--json", "verify"], ["verify", "--json"]], ids=["before", "behind"]
)
def test_common_options_stand_before_or_behind_the_command(line):
    assert build_parser().parse_args(line).is_json


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        (["recal", "x"], "did you mean tilth recall?"),
        (["session", "lst"], "did you mean list?"),
        (["remember", "x", "--role", "asistant"], "did you mean assistant?"),
        (["search", "x"], "did you mean tilth recall?"),
        (["serch", "x"], "did you mean tilth recall?"),
        (["delete", "x"], "did you mean tilth fact retire, or erase"),
        (["list"], "did you mean tilth fact list, or session list"),
        (["status"], "did you mean tilth doctor"),
        (["inbox"], "did you mean tilth review?"),
        (["xyzzy"], "see: tilth help"),
    ],
)
def test_a_mistyped_word_is_answered_with_the_nearest(line, hint):
    with pytest.raises(InvalidInputError) as refused:
        build_parser().parse_args(line)

    assert refused.value.hint.startswith(hint)


@pytest.mark.parametrize(
    "line",
    [
        ["recall"],
        ["recall", "x", "--limit", "0"],
        ["recall", "x", "--limit", "-1"],
        ["recall", "x", "--limit", "٣"],
        ["recall", "x", "--as-of", "yesterdayish"],
        ["recall", "x", "--unknown"],
        ["recall", "x", "--lim", "3"],
        ["kg"],
        ["xyzzy"],
    ],
)
def test_a_wrong_line_is_refused_without_leaving_the_program(line):
    with pytest.raises(InvalidInputError):
        build_parser().parse_args(line)


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("people", "tilth entity?"),
        ("contacts", "tilth entity?"),
        ("tasks", "tilth review, or gap?"),
        ("version", "tilth --version?"),
        ("agents", "tilth init, or unplug?"),
        ("graph", "tilth kg?"),
        ("stop", "tilth worker stop?"),
        ("serach", "tilth recall?"),
        ("stats", "tilth growth, or metrics?"),
        ("recal", "tilth recall?"),
        ("facts", "tilth fact?"),
        ("stash", "see: tilth help"),
    ],
)
def test_a_word_that_is_no_command_leads_to_one_that_does_it_and_to_no_other(word, told):
    with pytest.raises(InvalidInputError) as refused:
        build_parser().parse_args([word])

    assert refused.value.hint.endswith(told)


def test_what_others_call_a_command_leads_to_one_that_is_there():
    known = {*index()["commands"], *index()["groups"], "--version"}

    for word, told in OTHER_WORDS.items():
        assert word not in known
        for one in told.removesuffix(" for good").split(", or "):
            assert one.removeprefix("or ") in known, one


def test_instants_are_read_as_such():
    args = build_parser().parse_args(["recall", "x", "--as-of", "2026-11-20"])

    assert args.as_of == datetime(2026, 11, 20, tzinfo=UTC)


def test_the_help_of_a_noun_shows_how_its_commands_are_called():
    told = build_parser().parse_known_args(["fact"])[0]
    fact = next(iter(build_parser()._subparsers._group_actions)).choices["fact"].format_help()

    assert told.noun == "fact"
    assert "examples:\n  tilth fact add " in fact
    assert "Without a command: tilth fact list" in fact


def test_what_a_newcomer_wants_comes_first_below_its_heading():
    told = build_parser().format_help().splitlines()

    assert told[told.index("ask:") + 1].split()[0] == "recall"
    assert told[told.index("start:") + 1].split()[0] == "init"


@pytest.mark.parametrize("line", [["--version"], ["recall", "--help"], ["recal"]])
def test_help_version_and_mistakes_load_nothing_heavy(line):
    code = f"""
import sys
from contextlib import suppress
from tilth.interfaces.cli import main
with suppress(SystemExit):
    main({line!r})
loaded = [name for name in {HEAVY!r} if name in sys.modules]
assert not loaded, loaded
"""

    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
