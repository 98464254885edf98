"""A pattern that is compiled when something is first looked for."""

import re
from importlib import import_module
from itertools import chain
from pathlib import Path

import pytest
import re2

import tilth
from tilth.core.text.pattern import AnyOf, AnyPart, Worded, linear, pattern

SRC = Path(tilth.__file__).parent
MADE_LATE = sorted(
    ".".join(("tilth", *path.relative_to(SRC).with_suffix("").parts))
    for path in SRC.rglob("*.py")
    if "core.text.pattern import" in path.read_text()
)


def test_it_finds_what_the_compiled_one_finds():
    late, made = pattern(r"(\w+) \d+", re.IGNORECASE), re.compile(r"(\w+) \d+", re.IGNORECASE)
    for text in ("Port 80", "none"):
        for _ in range(2):
            assert bool(late.search(text)) == bool(made.search(text))
            assert late.findall(text) == made.findall(text)
            assert late.sub(r"<\1>", text) == made.sub(r"<\1>", text)
    assert (late.pattern, late.flags, late.groups) == (made.pattern, made.flags, made.groups)


def test_it_is_compiled_once_and_when_it_is_asked_for(monkeypatch):
    compiled = []
    whole = re.compile
    monkeypatch.setattr(re, "compile", lambda *told: (compiled.append(told), whole(*told))[1])
    late = pattern("a+")
    assert not compiled
    assert late.search("caat")
    assert late.search("caat")
    assert compiled == [("a+", 0)]


def test_one_of_re2_finds_what_the_compiled_one_finds():
    late, made = linear(rb"(?m)^ok\s+\S"), re2.compile(rb"(?m)^ok\s+\S")
    for text in (b"so\nok  4", b"okay"):
        assert bool(late.search(text)) == bool(made.search(text))


@pytest.mark.parametrize("module", MADE_LATE)
def test_every_pattern_that_is_made_late_can_be_made(module):
    declared = vars(import_module(module)).values()
    for one in chain(declared, *(each for each in declared if isinstance(each, tuple))):
        if isinstance(one, type(pattern(""))):
            assert one.groups >= 0
        if isinstance(one, Worded):
            # It may be an i, so it is looked for.
            assert one.search("\u0131") is None


def test_a_form_is_found_where_the_words_are_that_it_needs_and_not_compiled_elsewhere(monkeypatch):
    made = []
    compiled = re.compile
    monkeypatch.setattr(re, "compile", lambda *told: made.append(told) or compiled(*told))
    form = Worded(r"\bmov(?:ed|ing) to (\w+)", "moved moving", "to")
    for text in ("It stays where it is.", "Moved.", "She talks to him."):
        assert form.search(text) is None
    assert not made
    assert form.search("We MOVED to Oslo.")[1] == "Oslo"
    assert form.match("We moved to Oslo.") is None
    assert form.match("moving to Oslo")[1] == "Oslo"
    assert form.search("We moved to Oslo.", 0, 8) is None
    assert {told[0] for told in made} == {r"\bmov(?:ed|ing) to (\w+)"}


def test_a_form_is_looked_for_in_what_has_letters_of_more_than_two_cases():
    # A long s and a sign for kelvin are an s and a k to whoever passes over case.
    assert Worded(r"\bask\b", "ask").search("a\u017f\u212a")
    assert Worded(r"\bwait\b", "wait").search("WA\u0130T, wa\u0131t")


SAID = AnyOf("not, don't, at some point, decid…")
IS_SAID = re.compile(r"\b(?:not|don't|at some point|decid\w*)\b", re.IGNORECASE)


@pytest.mark.parametrize(
    "text",
    [
        "Not here.",
        "knot, nothing, not_so, not4",
        "why (not)?",
        "über-not",
        "I DON'T, at Some Point",
        "don't_ and don't4",
        "at some  point",
        "at some pointer, that some point",
        "that some point, and then at some point",
        "we decided",
        "undecided",
        "",
    ],
)
def test_words_and_phrases_are_found_as_a_pattern_of_them_finds_them(text):
    assert SAID.search(text) is (IS_SAID.search(text) is not None)


def test_words_are_looked_for_and_nothing_is_compiled(monkeypatch):
    assert AnyOf("red").search("a red one")
    monkeypatch.setattr(re, "compile", lambda *_: pytest.fail("something is compiled"))
    assert AnyOf("blue, green, as green as, bluish…").search("a Green one")
    assert AnyPart("not found").search("File Not Found.")
    assert not AnyPart("not found").search("It was found.")


def test_a_form_may_need_whole_words(monkeypatch):
    form = Worded(r"\blogs? says?\b", AnyOf("log, logs"), "say")
    monkeypatch.setattr(re, "compile", lambda *_: pytest.fail("something is compiled"))
    assert form.search("the blog says") is None
    monkeypatch.undo()
    assert form.search("The logs say so.")
