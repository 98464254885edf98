"""What a server of one project reads and writes."""

from dataclasses import replace

import pytest

from tests.interfaces.mcp.clients import FactQuery, text_of
from tilth.core.scope import Scope
from tilth.interfaces.mcp.server import build_server
from tilth.interfaces.mcp.service import Project, Service
from tilth.runtime.brain import Brain

OWN, OTHER = Scope("project:work/kettle"), Scope("project:work/secret")


@pytest.fixture
def serving(brain, service):
    def serve(scope=OWN, **settings):
        parts = replace(brain.parts, settings=replace(brain.parts.settings, **settings))
        confined = Brain(parts).confined(scope)
        return FactQuery(build_server(Service(Project(confined, scope), service.injections)))

    for place in (OWN, OTHER, "unfiled", "scratch:tmp/x", "global"):
        brain.remember(f"The kettle of {place} whistles.", scope=place, session_id=f"in {place}")
    return serve


def recalled(ask, **more):
    found = ask.data("recall", query="Which kettle whistles?", **more)
    return {item["scope"] for item in found["items"]}


def test_a_project_is_told_its_own_and_what_is_global(serving):
    assert recalled(serving()) == {OWN, "global"}
    assert recalled(serving(), scope="global") == {"global"}


@pytest.mark.parametrize("scope", [OTHER, "unfiled", "scratch:tmp/x"])
def test_another_scope_is_refused_until_a_persons_setting_gives_it(serving, scope):
    code, _, hint = serving().refused("recall", query="Which kettle whistles?", scope=scope)
    assert (code, "mcp_scopes" in hint) == ("forbidden", True)

    assert scope in recalled(serving(mcp_scopes=(scope,)))
    assert scope in recalled(serving(mcp_scopes=("all",)))


def test_nothing_else_shows_what_belongs_to_another_project(serving, brain):
    (secret,) = brain.episodes.list(session_id=f"in {OTHER}")
    ask = serving()
    assert "secret" not in text_of(ask("changes"))
    assert ask.refused("fetch", ids=[secret.id])[0] == "not_found"
    for address in ("tilth://sessions", "tilth://brief/project%3Awork%2Fkettle"):
        shown = ask.run(lambda client, uri=address: client.read_resource(uri))
        assert "secret" not in shown.contents[0].text


def test_what_an_agent_tells_belongs_to_the_project_that_is_served(serving, brain):
    told = serving().data("remember", text="The lid is blue.")
    assert brain.episodes.get(told["id"]).scope == OWN
    code, _, _ = serving().refused("remember", text="Never test.", scope=OTHER)
    assert code == "forbidden"
