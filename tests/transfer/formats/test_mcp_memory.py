import os
from datetime import UTC, datetime

import pytest

from tests.transfer.read_lines import lines_of
from tests.transfer.transcripts import read_known
from tilth.episodes.episode import Role
from tilth.transfer.formats import mcp_memory
from tilth.transfer.reading.source_file import SourceFile

ANA = {
    "type": "entity",
    "name": "Ana",
    "entityType": "person",
    "observations": ["bakes rye", "lives in Ghent"],
}
KNOWS = {"type": "relation", "from": "Ana", "to": "Bo", "relationType": "knows"}


def read(folder, *lines):
    return read_known(mcp_memory, folder, "memory.jsonl", lines_of(*lines))


def test_observations_and_relations_are_notes(tmp_path):
    reading = read(tmp_path, ANA, KNOWS)

    assert [draft.text for draft in reading.drafts] == [
        "Ana (person): bakes rye",
        "Ana (person): lives in Ghent",
        "Ana knows Bo",
    ]
    assert {str(draft.kind) for draft in reading.drafts} == {"note"}
    (session,) = reading.sessions
    assert session.session_id.startswith("mcp-memory:file://")
    assert session.info.title == "memory.jsonl"


def test_what_an_agent_noted_is_no_word_of_a_persons(tmp_path):
    assert {draft.role for draft in read(tmp_path, ANA, KNOWS).drafts} == {Role.ASSISTANT}


def test_a_graph_within_a_repository_is_of_its_project(tmp_path):
    (alone,) = read(tmp_path, ANA).sessions
    (tmp_path / "shop" / ".git").mkdir(parents=True)
    (tmp_path / "shop" / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    remote = '[remote "origin"]\n\turl = https://github.com/acme/shop.git\n'
    (tmp_path / "shop" / ".git" / "config").write_text(remote)
    (within,) = read(tmp_path / "shop", ANA).sessions

    assert alone.scope == "global"
    assert within.scope == "project:github.com/acme/shop"


def test_a_relation_names_both_of_its_ends(tmp_path):
    other = {"type": "relation", "from_entity": "Bo", "to_entity": "Ana", "relationType": "knows"}
    reading = read(tmp_path, other, {"type": "relation", "relationType": "knows"})

    assert [draft.text for draft in reading.drafts] == ["Bo knows Ana"]
    assert reading.reasons == {"left out: relations of nothing": 1}


def test_notes_are_of_the_time_when_the_file_was_changed_last(tmp_path):
    read(tmp_path, ANA)
    moment = datetime(2026, 1, 5, 10, tzinfo=UTC)
    os.utime(tmp_path / "memory.jsonl", (moment.timestamp(), moment.timestamp()))
    source = SourceFile(tmp_path / "memory.jsonl")

    _, *drafts = mcp_memory.read(source)

    assert {draft.occurred_at for draft in drafts} == {moment}


def test_what_says_nothing_is_counted(tmp_path):
    silent = {"type": "entity", "name": "Bo", "observations": [None, 3]}
    reading = read(tmp_path, KNOWS, silent, {"type": "index"})

    assert reading.reasons == {
        "left out: entities of which nothing was observed": 1,
        "left out: lines of type 'index'": 1,
    }


@pytest.mark.row("MP-03")
def test_a_graph_in_another_order_keeps_its_keys(tmp_path):
    before = read(tmp_path, ANA, KNOWS)
    after = read(tmp_path, KNOWS, ANA | {"observations": ["lives in Ghent", "bakes rye"]})

    assert sorted(after.keys) == sorted(before.keys)
