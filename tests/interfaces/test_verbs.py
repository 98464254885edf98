"""What is derived from the declared verbs: index, stub, help, and who may call what."""

import runpy
import shlex
from importlib import import_module
from itertools import takewhile
from operator import attrgetter
from pathlib import Path

import pytest

from tests.brains import a_brain
from tilth.core.actor import Actor, ActorKind
from tilth.core.errors import ForbiddenError
from tilth.core.verb import VERBS
from tilth.interfaces.cli.parser import build_parser
from tilth.interfaces.cli.program import resolve_words
from tilth.runtime.features import verb_modules
from tilth.runtime.index import SECTIONS, index

REPOSITORY = Path(__file__).parents[2]
for module in verb_modules():
    import_module(module)
DECLARED = sorted(VERBS.values(), key=lambda one: one.python)
EXAMPLES = [line for entry in index()["commands"].values() for line in entry["examples"]]


def test_what_is_derived_is_what_is_declared():
    script = runpy.run_path(str(REPOSITORY / "scripts" / "write_verbs.py"))

    for path, text in script["pages"]().items():
        assert path.read_text(encoding="utf-8") == text, "run: python scripts/write_verbs.py"


def test_an_example_can_be_given_as_it_stands():
    parser = build_parser()
    assert len(EXAMPLES) > 300
    for line in EXAMPLES:
        given = shlex.split(line)
        given = given[given.index("tilth") :]
        program, *words = takewhile(lambda word: word not in ("|", "<", ">", ">>"), given)

        assert program == "tilth", line
        assert parser.parse_args(resolve_words(words)).command, line


def test_a_verb_says_all_that_its_callers_need():
    assert len(DECLARED) > 200
    for verb in DECLARED:
        assert verb.summary.endswith("."), verb.python
        assert len(verb.summary) <= 80, verb.python
        assert verb.roles, verb.python
        assert all(one.arg.help or one.arg.is_hidden for one in verb.options), verb.python
        assert verb.examples or not verb.command, verb.python
        assert verb.returns is type(None) or "Returns:" in verb.doc, verb.python


def test_every_command_stands_under_a_heading():
    told = [*index()["groups"].values(), *index()["commands"].values()]

    assert {one["section"] for one in told} <= set(SECTIONS)


@pytest.mark.row("I20")
@pytest.mark.parametrize("kind", ActorKind)
@pytest.mark.on_sqlite(but=2)
def test_a_verb_is_refused_to_all_kinds_that_its_roles_leave_out(place, kind):
    with a_brain(place.open(), place.clock, by=Actor("someone", kind)) as brain:
        assert [one.python for one in DECLARED if kind not in one.roles and may(brain, one)] == []


def may(brain, verb):
    """Say whether *verb* gets past the question of who asks; it has no argument to go on with."""
    try:
        attrgetter(verb.python)(brain)()
    except ForbiddenError:
        return False
    except Exception:  # noqa: BLE001 - whatever comes, it came too far
        return True
    return True
