"""An adapter whose package is not there says which extra brings it."""

import importlib
import sys

import pytest

from tilth.core.errors import UnavailableError


@pytest.mark.parametrize(
    ("module", "package", "extra"),
    [
        ("langgraph", "langgraph", "langgraph"),
        ("openai_agents", "agents", "openai-agents"),
        ("pydantic_ai", "pydantic_ai", "pydantic-ai"),
        ("llama_index", "llama_index", "llama-index"),
    ],
)
def test_a_package_that_is_missing_is_named_with_its_extra(monkeypatch, module, package, extra):
    for name in [one for one in sys.modules if one.partition(".")[0] == package]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.delitem(sys.modules, f"tilth.adapters.{module}", raising=False)

    with pytest.raises(UnavailableError) as raised:
        importlib.import_module(f"tilth.adapters.{module}")

    assert f"tilth[{extra}]" in raised.value.hint


def test_adapters_load_nothing_until_one_is_asked_for():
    importlib.import_module("tilth.adapters")
    importlib.import_module("tilth.adapters.clients")
