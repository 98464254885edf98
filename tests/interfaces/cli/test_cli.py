"""Whatever is written behind a flag stays its argument, and a word stays a word (EM-062)."""

import argparse
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.brains import a_brain
from tests.program import acting
from tilth.core.errors import InvalidInputError
from tilth.interfaces.cli.parser import build_parser

PARSER = build_parser()
HOSTILE = st.text(
    st.sampled_from("-'\"`$\\ \n;|&<>*?[]{}()!#~%=ab0é—\u202e"), min_size=1, max_size=12
)
words = HOSTILE | st.text(st.characters(codec="utf-8"), min_size=1, max_size=20)


def _commands(parser, path=()):
    """Yield every command that runs something, with the words that lead to it."""
    if parser.get_default("run") is not None and path:
        yield path, parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, child in action.choices.items():
                yield from _commands(child, (*path, name))


COMMANDS = dict(_commands(PARSER))
# Flags that take any text: those with a type or a list refuse what is none of theirs.
FREE = [
    (path, flag.option_strings[-1], flag.dest)
    for path, command in COMMANDS.items()
    for flag in command._actions
    if flag.option_strings
    and flag.nargs is None
    and flag.type is None
    and flag.choices is None
    and isinstance(flag, argparse._StoreAction)
]


# What stands for itself where not any word is taken.
_WORDS = {"DAY": "2026-11-20"}


def _needed(command, *, but):
    """Return words for the arguments without which a command is refused, *but* one flag."""
    positionals = [
        next(iter(action.choices)) if action.choices else _WORDS.get(action.metavar, "1")
        for action in command._actions
        if not action.option_strings and action.nargs in (None, "+")
    ]
    flags = [
        word
        for action in command._actions
        if action.option_strings and action.required and action.dest != but
        for word in (action.option_strings[-1], "1")
    ]
    ways = [group._group_actions for group in command._mutually_exclusive_groups if group.required]
    # One of them is enough, and two are refused.
    chosen = [group[0] for group in ways if but not in {action.dest for action in group}]
    return [*flags, *(f"{one.option_strings[-1]}=1" for one in chosen), *positionals]


def test_there_are_commands_and_flags_to_try():
    assert len(COMMANDS) > 40
    assert len(FREE) > 100


@pytest.mark.row("EM-062")
@given(st.sampled_from(FREE), words)
def test_a_flag_keeps_its_argument_whatever_it_is(flag, word):
    path, name, dest = flag

    args = PARSER.parse_args([*path, f"{name}={word}", *_needed(COMMANDS[path], but=dest)])

    assert getattr(args, dest) == word


@pytest.mark.row("EM-062")
@given(st.sampled_from(FREE), words.filter(lambda word: not word.startswith("-")))
def test_a_flag_takes_the_word_behind_it_and_no_more(flag, word):
    path, name, dest = flag
    needed = _needed(COMMANDS[path], but=dest)

    args = PARSER.parse_args([*path, *needed, name, word, "--json"])

    assert getattr(args, dest) == word
    assert args.is_json


@pytest.mark.row("EM-062")
def test_a_flag_never_eats_the_next_one():
    eaten = []
    for path, name, dest in FREE:
        try:
            PARSER.parse_args([*path, *_needed(COMMANDS[path], but=dest), name, "--json"])
        except InvalidInputError as refused:
            if "expected one argument" in str(refused):
                continue
        eaten.append((*path, name))
    assert eaten == []


@pytest.mark.row("EM-062")
@given(words)
def test_behind_two_hyphens_everything_is_a_word(word):
    assert PARSER.parse_args(["remember", "--json", "--", word]).text == [word]
    assert PARSER.parse_args(["recall", "--limit", "5", "--", word]).question == [word]


@pytest.mark.row("EM-062")
@given(words.filter(lambda word: not word.startswith("-")))
def test_quotes_and_apostrophes_are_parts_of_a_word(word):
    assert PARSER.parse_args(["remember", word]).text == [word]


@pytest.mark.row("EM-062")
@pytest.mark.parametrize(
    "text",
    [
        "it's the kettle's",
        "\"quoted\" 'single'",
        "--recent is a flag",
        "-1",
        "a-b--c",
        "100%",
        "\\",
    ],
)
def test_what_is_remembered_comes_back_word_for_word(make_place_on, text):
    place = make_place_on("sqlite")
    with a_brain(place.open(), place.clock) as brain:
        kept = brain.remember(f"{text} kettle")
        (hit,) = brain.recall(f"{text} kettle").hits
        assert (hit.id, hit.text) == (kept, f"{text} kettle")


@pytest.mark.parametrize("words", [("init",), ("state",), ("doctor",)])
def test_a_path_that_is_not_utf_8_is_refused_in_words(tilth, words):
    run = tilth(*words, environ={"TILTH_HOME": "/tmp/caf\udce9"})

    assert run.code == 2
    assert "the path of the store is not UTF-8: b'/tmp/caf\\xe9/tilth.db'" in run.err
    assert "--store PATH" in run.err


def test_what_the_encoding_of_a_terminal_lacks_is_shown_escaped(ready):
    ready("remember", "naïve 日本 plan", "--session", "s1")
    for encoding, shown in (("latin-1", b"na\xefve"), ("ascii", b"na\\xefve")):
        environ = ready.environ(PYTHONIOENCODING=encoding)
        done = subprocess.run(
            [sys.executable, "-m", "tilth", "session", "show", "s1"],
            capture_output=True, check=True, env=environ,
        )  # fmt: skip

        assert shown + b" \\u65e5\\u672c plan" in done.stdout


def test_the_beginning_of_no_id_is_told_to_be_that(ready):
    for words in (("playbook", "show"), ("skill", "revoke"), ("fact", "history")):
        prefix = {"playbook": "plb_", "skill": "skl_", "fact": "fct_"}[words[0]]
        done = ready(*words, f"{prefix}01KAR")
        assert done.code == 3
        assert f"no ID of a {words[0]} begins with '{prefix}01KAR'" in done.err


def test_each_change_has_the_operation_by_which_it_is_undone(ready):
    with acting("human"):
        fact = ready("fact", "add", "DNS answers on .100.", "--about", "dns", "--json").answer
        ready("fact", "retire", fact["fact"]["id"], "--reason", "by hand")
        (last,) = ready("changes", "--json").answer["items"][-1:]
        assert ready("undo", last["operation"]).code == 0
        assert "DNS answers" in ready("fact", "list").out
