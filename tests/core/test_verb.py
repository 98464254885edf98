"""Declared verbs: what callers give is read or refused, whatever they are."""

import inspect
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone
from enum import StrEnum
from pathlib import Path
from traceback import format_exception_only
from typing import Annotated

import pytest

from tilth.core.actor import Actor, ActorKind
from tilth.core.errors import ForbiddenError, InvalidInputError
from tilth.core.methods import bind_verb
from tilth.core.verb import ANYONE, HUMANS, KNOWN, VERBS, WORKERS, Arg, verb


class Color(StrEnum):
    RED = "red"
    GREEN = "green"


HUMAN = Actor("ada", ActorKind.HUMAN)


@dataclass
class Brain:
    by: Actor = HUMAN

    def setting(self, name):
        return {"depth": 7}[name]


Times = Annotated[datetime | None, Arg("when")]


def as_(brain):
    """Return what carries verbs out for *brain*."""
    return lambda verb, args, told: verb.method(brain, args, told)


@pytest.fixture
def trial(monkeypatch):
    monkeypatch.setattr("tilth.core.verb.VERBS", kept := dict(VERBS))
    monkeypatch.setattr("tilth.core.methods.VERBS", kept)

    @verb("trial run", python="trial.run", roles=WORKERS, examples=("tilth trial run x",))
    def run(  # noqa: PLR0913
        brain: Brain,
        text: Annotated[str, Arg("what")],
        *,
        at: Annotated[Times, Arg("at which instant")] = None,
        span: Annotated[timedelta, Arg("how long")] = timedelta(hours=1),
        colors: Annotated[Sequence[Color], Arg("which")] = (),
        limit: Annotated[int, Arg("how many", least=1, most=9)] = 3,
        depth: Annotated[int, Arg("how deep", setting="depth")],
        is_loud: Annotated[bool, Arg("loudly")] = False,
    ) -> tuple[object, ...]:
        """
        Try things out.

        More on it.

        Raises:
            ForbiddenError: it is not for you.
        """
        return text, at, span, colors, limit, depth, is_loud

    return bind_verb("trial", {"trial.run": __name__}, as_(Brain())).run


def test_values_given_as_text_are_read_as_the_types_say(trial):
    _, at, span, colors, *_ = trial("x", at="2026-01-01", span="2d", colors=["red", Color.GREEN])

    assert at == datetime(2026, 1, 1, tzinfo=UTC)
    assert span == timedelta(days=2)
    assert colors == (Color.RED, Color.GREEN)


def test_a_day_means_its_first_microsecond_and_a_path_its_text(trial):
    text, at, *_ = trial(Path("/tmp/x"), at=date(2026, 1, 1))

    assert (text, at) == ("/tmp/x", datetime(2026, 1, 1, tzinfo=UTC))


def test_what_is_not_given_has_its_default_or_its_setting(trial):
    assert trial("x") == ("x", None, timedelta(hours=1), (), 3, 7, False)
    assert trial("x", depth=None)[5] == 7


@pytest.mark.parametrize(
    "told",
    [
        {"at": "yesterday"},
        {"at": datetime(2026, 1, 1)},  # noqa: DTZ001
        {"span": "soon"},
        {"colors": ["blue"]},
        {"limit": 0},
        {"limit": 10},
        {"limit": "ten"},
        {"limit": None},
        {"volume": 3},
        {"text": b"bytes"},
        {"text": {"role": "user"}},
        {"at": 1767225600},
        {"at": datetime.max.replace(tzinfo=timezone(timedelta(hours=-5)))},
        {"span": datetime(2026, 1, 1, tzinfo=UTC)},
        {"is_loud": "no"},
        {"is_loud": 1},
        {"colors": [1]},
        {"depth": 2**64},
        {"depth": 1.0},
    ],
)
def test_what_cannot_be_read_is_refused_in_words(trial, told):
    with pytest.raises(InvalidInputError):
        trial(**({"text": "x"} | told))


def test_an_option_that_is_nearly_right_is_told(trial):
    with pytest.raises(InvalidInputError) as refused:
        trial("x", limits=3)

    assert refused.value.hint == "did you mean limit?"


def test_a_traceback_shows_the_hint(trial):
    with pytest.raises(InvalidInputError) as refused:
        trial("x", limits=3)

    assert format_exception_only(refused.value)[-1] == "did you mean limit?\n"


def test_an_argument_by_place_that_has_to_be_named_is_told_its_names(trial):
    with pytest.raises(TypeError, match=r"1 argument by place \(text\); name the others: at, span"):
        trial("x", "2026-01-01")


def test_a_missing_argument_is_an_error_of_the_program(trial):
    with pytest.raises(TypeError, match="text"):
        trial()


def test_a_method_has_a_whole_docstring_and_a_signature(trial):
    assert str(inspect.signature(trial)).startswith("(text: str, *, at: datetime.datetime | None")
    assert trial.__doc__.startswith("Try things out.\n\nMore on it.\n\nArgs:\n    text: What.\n")
    assert "limit: How many (3)." in trial.__doc__
    assert "depth: How deep (the setting depth)." in trial.__doc__
    assert trial.__doc__.endswith("Raises:\n    ForbiddenError: it is not for you.")


@pytest.mark.parametrize(
    ("command", "method"),
    [
        ("gap opt-in", "gaps.opt_in"),
        ("entity show", "entities.show"),
        ("fix list", "fixes.list"),
        ("undo", "undo"),
    ],
)
def test_a_method_is_named_by_the_words_of_its_command(command, method, monkeypatch):
    monkeypatch.setattr("tilth.core.verb.VERBS", known := {})
    verb(command, roles=ANYONE)(lambda brain: brain)
    assert known[method].python == method


@pytest.mark.parametrize("kind", ActorKind)
@pytest.mark.parametrize("roles", [ANYONE, KNOWN, WORKERS, HUMANS])
def test_a_verb_is_refused_to_whoever_it_is_not_for(trial, kind, roles, monkeypatch):
    @verb("", python="other", roles=roles)
    def other(brain: Brain) -> bool:
        """Do the other thing."""
        return True

    called = bind_verb("other", {"other": __name__}, as_(Brain(Actor("someone", kind))))
    if kind in roles:
        assert called()
    else:
        with pytest.raises(ForbiddenError, match="do the other thing"):
            called()
