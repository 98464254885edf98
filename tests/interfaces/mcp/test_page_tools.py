"""The tools for pages, which a server offers when it is asked to."""

from dataclasses import replace

import pytest

from tests.interfaces.mcp.clients import FactQuery, lasting, text_of
from tilth.core.actor import Human
from tilth.core.errors import NotFoundError
from tilth.interfaces.mcp.server import FAMILIES, build_server
from tilth.interfaces.to_json import to_json
from tilth.runtime.index import index


@pytest.fixture
def wiki(service):
    with lasting(build_server(service, also=["pages"])) as asked:
        yield asked


@pytest.fixture
def known(service):
    parts = service.brain.parts
    person = type(service.brain)(replace(parts, recorder=replace(parts.recorder, by=Human("ana"))))
    return person.facts.add("The router is at 192.0.2.1.", system="lab").fact


def test_each_family_of_tools_is_offered_by_the_command():
    (told,) = (one for one in index()["commands"]["mcp"]["arguments"] if one["dest"] == "tools")

    assert {*told["choices"]} == {*FAMILIES}


@pytest.mark.row("OB-022", "OB-018", "OB-020")
def test_an_agent_compiles_a_page_and_reads_it_with_what_it_cites(wiki, known):
    made = wiki.data("compile_wiki", page_type="system-state", page_name="lab")
    shown = wiki.data("wiki", page_name="lab")

    assert made == shown
    assert shown["compiled_from"] == [known.id]
    assert not shown["is_stale"]


def test_where_there_are_no_pages_an_agent_is_told_so(wiki):
    for name in ("wiki_start", "wiki_manifest"):
        assert "no pages" in text_of(wiki(name))


def test_a_refusal_names_the_tools_and_leaves_the_user_what_only_they_can_run(wiki, service):
    hint = wiki.refused("wiki", page_name="lab")[2]
    assert hint == "see: wiki_manifest; make one: compile_wiki"

    service.brain.remember("We decided on tabs for the router.", session_id="s")
    service.brain.distil()
    service.brain.facts.add("The router is old.", system="lab", confidence="low")
    hint = wiki.refused("compile_wiki", page_type="system-state", page_name="lab")[2]
    assert "tilth fact list --review unreviewed, then tilth review ask ID" in hint


@pytest.mark.row("OB-027")
def test_an_agent_reads_what_a_session_begins_with(wiki, known):
    wiki.data("compile_wiki", page_type="system-state", page_name="lab")

    told = wiki.data("wiki_start", budget=400)

    assert (told["pages"], told["stale"], told["left_out"]) == (["lab"], [], [])
    assert told["tokens"] <= 400


@pytest.mark.row("XR-06")
def test_an_agent_sees_of_what_each_page_was_made(wiki, known, service):
    wiki.data("compile_wiki", page_type="system-state", page_name="lab")

    (told,) = wiki.data("wiki_manifest")["pages"]

    assert told == to_json(service.brain.pages.manifest())[0]
    assert (told["name"], told["cites"], told["form"]) == ("lab", [known.id], "template")
    assert told["inputs"]
    assert told["version"] > told["read_to"] > 0
    assert told["cost"] == {"calls": 0, "tokens": 0, "millionths": 0}


def test_a_page_of_nothing_known_is_refused_in_words(wiki):
    code, message, _ = wiki.refused("compile_wiki", page_type="summary")

    assert code == NotFoundError.code
    assert "nothing is known" in message


def test_a_server_that_only_reads_compiles_nothing(service):
    asking = FactQuery(build_server(service, is_read_only=True, also=["pages"]))

    assert "wiki" in {one.name for one in asking.tools()}
    assert "compile_wiki" not in {one.name for one in asking.tools()}
