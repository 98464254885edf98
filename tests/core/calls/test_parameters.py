"""Parameters of functions, as `inspect` reads them."""

import inspect
from dataclasses import MISSING
from importlib import import_module

import pytest

from tilth.core.calls.parameters import Parameter, parameters_of
from tilth.core.verb import VERBS
from tilth.runtime.features import verb_modules


def all_kinds(one, two=2, *, three, four=4, **told):
    pass


def by_place_alone(one, /, two=None):
    pass


def without_any():
    for local in ():
        local()


def as_inspect_reads(function):
    empty, named = inspect.Parameter.empty, inspect.Parameter.KEYWORD_ONLY
    bundle = inspect.Parameter.VAR_KEYWORD
    return [
        Parameter(
            one.name,
            MISSING if one.default is empty else one.default,
            is_positional=one.kind not in (named, bundle),
            is_bundle=one.kind is bundle,
        )
        for one in inspect.signature(function).parameters.values()
    ]


@pytest.mark.parametrize("function", [all_kinds, by_place_alone, without_any])
def test_parameters_are_those_that_inspect_reads(function):
    assert parameters_of(function) == as_inspect_reads(function)


def test_those_of_each_verb_and_of_its_view_are_read():
    for module in verb_modules():
        import_module(module)

    for one in VERBS.values():
        for function in filter(None, (one.function, one.view)):
            assert parameters_of(function) == as_inspect_reads(function), one.python
