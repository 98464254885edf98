"""A pattern that is compiled when something is first looked for."""

import re
from importlib import import_module
from pathlib import Path

import pytest
import re2

import tilth
from tilth.core.text.pattern import linear, pattern

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
    for one in vars(import_module(module)).values():
        if type(one) is type(pattern("")):
            assert one.groups >= 0
