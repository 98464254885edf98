"""No tool tells an agent of an excluded term, whichever way it is asked (KB-113)."""

import pytest

from tests.brains import a_brain
from tests.fakes import CountingIds
from tests.interfaces.mcp.clients import FactQuery, text_of
from tilth.agents.injections import Injections
from tilth.interfaces.mcp.server import FAMILIES, build_server
from tilth.interfaces.mcp.service import Project, Service
from tilth.runtime.settings import Settings


@pytest.fixture
def quiet(brain, tmp_path):
    parts = brain._parts
    settings = Settings(excluded_terms=("Zephyr",))
    made = a_brain(parts.store, parts.clock, settings=settings)
    service = Service(Project(made), Injections(tmp_path / "quiet.log", CountingIds()))
    return FactQuery(build_server(service, also=FAMILIES))


@pytest.mark.row("KB-113")
def test_no_tool_tells_of_an_excluded_term(quiet, brain):
    said = brain.remember("Zephyr moved to thor on Monday.")
    fact = brain.facts.add(subject="thor", predicate="hosts", object="Zephyr").fact

    answers = [
        quiet("recall", query="What moved to thor on Monday?"),
        quiet("fetch", ids=[said, fact.id]),
        quiet("changes", since="2020-01-01"),
        quiet("kg_query", entity="thor"),
    ]

    assert [one for one in answers if "zephyr" in str(one).casefold()] == []
    assert "██████ moved to thor" in text_of(answers[0])
    assert [text_of(one) for one in answers if one.is_error] == []
