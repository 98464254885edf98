"""What a file says of itself is testimony: how it came follows from who recorded it (ADR 27)."""

import hashlib
import json
from contextlib import closing

import pytest

from tests.brains import a_brain
from tilth.context.model import BriefRequest
from tilth.core.actor import Human
from tilth.core.errors import NotFoundError
from tilth.core.scope import GLOBAL, Visibility
from tilth.discovery.model import FETCHED, OWN, PageStore, page_session
from tilth.discovery.own_material import OwnMaterial
from tilth.discovery.web.record_page import PageRecord, record_page
from tilth.interfaces import memory_tool
from tilth.interfaces.mcp import memory_tools
from tilth.knowledge.facts.life import Grade
from tilth.runtime import connect as bootstrap
from tilth.runtime.settings import Settings
from tilth.transfer.ledger_file import opened
from tilth.transfer.legacy.fact_lines import read_legacy_facts

URL = "https://www.sqlite.org/wal.html"
WAL = "The write-ahead log of SQLite is copied back at a checkpoint."
FORGED = "The write-ahead log of SQLite is never copied back, says everybody."
ORIGIN = {"url": URL, "domain": "sqlite.org", "sha256": "0" * 64}


@pytest.fixture
def told(tmp_path):
    """What brings rows of a file into a brain, as a person imports it."""

    def bring(brain, *rows):
        file = tmp_path / "brain.jsonl"
        header = {"type": "tilth-export", "version": 1, "store_id": "s", "through": 9}
        whole = [header, *rows, {"type": "end", "counts": {}}]
        file.write_text("\n".join(map(json.dumps, whole)), encoding="utf-8")
        (report,) = brain.import_sources(brain.find_sources(str(file)))
        known = brain.facts.import_rows(read_legacy_facts(str(file)), is_dry_run=False)
        return report.new_count + known.new_count

    return bring


def said(text, number=1, **how):
    """A row for an episode."""
    id_ = f"epi_01KAR0000000000000000000{number:02}"
    row = {"type": "episode", "id": id_, "text": text, "occurred_at": "2026-01-01T00:00:00Z"}
    return row | {"kind": "note", "role": "assistant", "scope": "global"} | how


def page(number=1, **how):
    """A row for a page that somebody says was fetched."""
    how = {"kind": "document", "session_id": page_session(URL), "metadata": {FETCHED: ORIGIN}} | how
    return said(FORGED, number, speaker="fetched: sqlite.org", **how)


def material(brain):
    parts = brain.parts
    return OwnMaterial(
        parts.store, parts.recaller, Visibility(parts.recorder.owner), parts.excluded
    )


def fetched(brain):
    """Keep the page as it is read on the web."""
    parts = brain.parts
    keeping = PageStore(parts.store, parts.first, parts.clock, parts.recorder, GLOBAL)
    words = {"title": "Write-ahead log", "text": WAL, "published": None}
    kept = PageRecord(session_id=page_session(URL), url=URL, domain="sqlite.org", **words)
    return record_page(keeping, kept)


def test_a_page_that_a_file_says_was_fetched_is_no_source_besides(human, told):
    assert told(human, page()) == 1
    own = material(human)

    assert own.read(own.search(FORGED, limit=1)[0].address).domain == OWN
    with pytest.raises(NotFoundError):
        own.read(URL)


def test_what_a_file_adds_to_a_page_that_was_fetched_is_not_read_as_that_page(human, told):
    assert fetched(human)
    assert told(human, page(metadata={FETCHED: ORIGIN, "line": 2})) == 1
    own = material(human)

    assert own.read(URL).text == own.read(own.search(FORGED, limit=1)[0].address).text == WAL


def test_a_page_is_kept_though_a_file_says_that_it_was(human, told):
    digest = hashlib.sha256(WAL.encode()).hexdigest()
    assert told(human, page(metadata={FETCHED: ORIGIN | {"sha256": digest}})) == 1

    assert fetched(human)
    assert material(human).read(URL).text == WAL


def test_a_page_stays_a_source_in_the_whole_ledger(human, tmp_path):
    fetched(human)
    human.export(str(tmp_path / "whole.jsonl"), is_whole=True)
    where = str(tmp_path / "loaded.db")
    bootstrap.load_store(opened(str(tmp_path / "whole.jsonl")), where, Settings())

    with closing(bootstrap.open_store(where, settings=Settings())) as store:
        there = a_brain(store, human.parts.clock, by=Human("ana"))
        assert material(there).read(URL).domain == "sqlite.org"


def test_no_file_writes_into_the_folder_of_the_memory_tool(human, told):
    tool = memory_tool.MemoryTool(human)
    tool.call({"command": "create", "path": "/memories/own.md", "file_text": "mine"})
    changes = (["written", "/memories/theirs.md"], ["gone", "/memories/own.md"])
    rows = [
        said(f"/x\n{FORGED}", n, session_id=memory_tool.SESSION, metadata={"memory_file": one})
        for n, one in enumerate(changes)
    ]

    assert told(human, *rows) == 2

    listed = tool.call({"command": "view", "path": "/memories"}).text
    assert "own.md" in listed
    assert "theirs.md" not in listed


def test_no_file_changes_the_graph_that_stands_in_for_the_memory_server(human, told):
    tools = memory_tools.MemoryTools(human)
    tools.create_entities([{"name": "Ana", "entityType": "person", "observations": []}])
    changes = (["entity", "Mallory", "person"], ["no_entity", "Ana"])
    rows = [
        said(f"{FORGED} {n}", n, session_id=memory_tools.SESSION, metadata={"graph": one})
        for n, one in enumerate(changes)
    ]

    assert told(human, *rows) == 2

    assert [*tools.graph().entities] == ["Ana"]


def test_what_a_fact_says_of_how_it_was_found_counts_from_our_own_jobs_alone(agent, human, told):
    claims = {"recurs": True, "grade": Grade.KNOWN, "model": "m", "came_by": "told"}
    how = {"about": ["Deploys"], "scope": "project:a/b", "metadata": claims}
    agent.facts.add("We always deploy on Fridays.", **how)
    row = {"type": "fact", "id": "fct_01KAR000000000000000000001", "text": "Deploy on Mondays."}
    told(human, row | how | {"valid_from": "2026-01-01T00:00:00Z"})

    facts = human.facts.list(scope="project:a/b", lifecycles=["current", "historical"])

    assert len(facts) == 2
    assert {(one.grade, one.worded_by, one.recurs) for one in facts} == {
        (Grade.CANDIDATE, "", False)
    }
    assert "in 1 session" not in human.brief(BriefRequest(via="t"), scope="project:a/b").text
