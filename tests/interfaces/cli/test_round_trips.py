"""What is told at the command line comes back, is changed, and outlives a backup."""

import json
import re
import shlex

import pytest

from tests.program import acting
from tilth.core.actor import Actor, ActorKind
from tilth.interfaces.cli import invocation
from tilth.interfaces.error_codes import EXIT_NO

NOT_FOUND, FORBIDDEN = 3, 5


@pytest.fixture
def as_kind(monkeypatch):
    """Let somebody of a kind be at the command line."""
    return lambda kind: monkeypatch.setattr(
        invocation, "caller", lambda *_, **__: Actor("someone", ActorKind(kind))
    )


def answer(tilth, words):
    run = tilth(*shlex.split(words), "--json")
    assert run.code == 0, run.err
    return run.answer


@pytest.mark.row("KB-016")
def test_a_fact_comes_back_as_it_was_told_and_out_of_a_backup_too(ready, as_kind, tmp_path):
    words = "ProxySQL needs the mirror flag, or writes go to the replica, says the runbook."
    said = answer(ready, f"remember '{words}'")["episode_id"]
    quote = "writes go to the replica"
    told = answer(
        ready,
        f"fact add 'Without the mirror flag ProxySQL writes to the replica.' --about ProxySQL"
        f" --about MySQL --evidence {said} --quote '{quote}' --scope domain:mysql --tag durable"
        " --area Storage --environment office --system proxysql --component routing"
        " --confidence 0.7 --valid-from 2026-01-02T00:00:00Z --valid-to 2036-01-02T00:00:00Z",
    )["fact"]  # fmt: skip

    fact = answer(ready, f"fact show {told['id']}")["fact"]

    assert fact == told
    named = [answer(ready, f"entity show {one} --scope domain:mysql")["names"][0]
             for one in fact["about"]]  # fmt: skip
    assert sorted(named) == ["MySQL", "ProxySQL"]
    (evidence,) = fact["evidence"]
    assert words[evidence["start"] : evidence["end"]] == quote
    assert fact["said"]["text"] == "Without the mirror flag ProxySQL writes to the replica."
    assert fact["said"]["taxonomy"] == {
        "area": "Storage", "environment": "office", "system": "proxysql",
        "component": "routing", "tags": ["durable"],
    }  # fmt: skip
    assert (fact["life"]["scope"], fact["confidence"]["value"]) == ("domain:mysql", 0.7)
    assert fact["life"]["valid_from"] == "2026-01-02T00:00:00+00:00"
    assert fact["life"]["valid_to"] == "2036-01-02T00:00:00+00:00"

    answer(ready, f"backup {tmp_path / 'copy.db'}")
    answer(ready, "fact archive " + fact["id"])
    assert answer(ready, f"fact show {fact['id']}")["fact"] != told
    as_kind("human")
    answer(ready, f"restore {tmp_path / 'copy.db'} --replace")
    assert answer(ready, f"fact show {fact['id']}")["fact"] == told


@pytest.mark.row("KB-021")
def test_nodes_are_made_read_changed_and_joined_by_the_command_line(ready, as_kind):
    as_kind("human")
    made = answer(ready, "entity add Postgres --alias pg")["entity"]
    assert answer(ready, f"entity show {made['id']}")["names"] == ["Postgres", "pg"]
    assert answer(ready, f"entity retype {made['id']} tech")["entity"]["type"] == "tech"
    answer(ready, f"entity alias {made['id']} psql")
    answer(ready, f"entity unalias {made['id']} pg")
    assert answer(ready, "entity show psql")["names"] == ["Postgres", "psql"]
    assert ready("entity", "show", "pg").code == NOT_FOUND
    other = answer(ready, "entity add Cluster --type service")["entity"]
    answer(ready, f"entity merge {other['id']} {made['id']}")
    assert answer(ready, "entity show psql")["entity"]["id"] == other["id"]
    answer(ready, f"entity split {made['id']}")
    assert answer(ready, "entity show psql")["entity"]["id"] == made["id"]
    listed = answer(ready, "entity list")["entities"]
    assert [one["id"] for one in listed] == [made["id"], other["id"]]


@pytest.mark.row("KB-021")
def test_edges_are_made_read_and_retired_by_the_command_line(ready, as_kind):
    as_kind("human")
    joined = answer(ready, "edge add Cluster uses Postgres")
    edge = joined["edge"]
    assert joined["is_new"]
    assert not answer(ready, "edge add Cluster uses Postgres")["is_new"]
    assert [one["id"] for one in answer(ready, "edge list Postgres")["edges"]] == [edge["id"]]
    for words in (["edge", "add", "Cluster", "uses", "Postgres"], ["edge", "list"]):
        assert "Cluster uses Postgres  edg_" in ready(*words).out
    assert answer(ready, "edge list --kind runs_on")["edges"] == []
    as_kind("agent")
    assert ready("edge", "retire", edge["id"]).code == FORBIDDEN

    as_kind("human")
    answer(ready, f"edge retire {edge['id']} --reason moved")

    assert answer(ready, "edge list")["edges"] == []
    assert ready("edge", "add", "Cluster", "likes", "Postgres").code != 0
    assert json.loads(ready("verify", "--json").out)["findings"] == []


def test_one_of_a_kind_is_told_in_the_singular(ready):
    note = ready.home / "note.md"
    note.write_text("# Pots\n\nThey are red.\n")
    assert ready("remember", "The kettle is on.", "--session", "s1").code == 0
    assert ready("fact", "add", "The kettle is on.", "--about", "kettle").code == 0
    # What an erase would take is shown before it is taken: that answers "no".
    would_erase = "erase --session s1"
    asked = (
        *("session list", "session show s1", "review scan", "dedup", "growth", "worker --once"),
        *("doctor", would_erase, f"{would_erase} --confirm", f"import {note} --no-background"),
    )

    with acting("human"):
        told = [ready(*words.split()) for words in asked]

    assert [one.code for one in told] == [EXIT_NO * (words == would_erase) for words in asked]
    shown = "".join(one.out + one.err for one in told)
    assert len(re.findall(r"\b1 episode\b", shown)) >= 5
    assert not re.findall(r"\b1 [a-z]+s\b.*", shown)


def test_what_an_agent_noted_is_edited_listed_and_ended_at_the_command_line(ready, as_kind):
    as_kind("agent")
    place = "--scope project:shop"
    first = answer(ready, f"remember 'API port: 4300.' --kind note --always {place}")["episode_id"]
    second = answer(ready, f"note edit {first} 'API port: 4400.'")["episode_id"]
    third = answer(ready, f"remember 'API port: 4500.' --replaces {second} {place}")["episode_id"]

    listed = answer(ready, f"note list {place} --all")["notes"]
    assert [(one["id"], one["over"], one["always"]) for one in listed] == [
        (third, "", False),
        (second, third, True),
        (first, second, True),
    ]
    found = answer(ready, f"recall 'API port' {place}")["hits"]
    told = [(one["id"], one["lifecycle"], one["successor"]) for one in found]
    assert told == [
        (third, "current", None),
        (second, "superseded", third),
        (first, "superseded", second),
    ]
    answer(ready, f"note end {third} 'The API was shut down.'")
    assert answer(ready, f"note list {place}")["notes"] == []
    assert "shut down" in ready("recall", "API port", *place.split()).out

    as_kind("human")
    own = answer(ready, f"remember 'Our office closes at six.' {place}")["episode_id"]
    as_kind("agent")
    refused = ready("note", "end", own)
    assert refused.code == FORBIDDEN
    assert "a person noted" in refused.err
    assert "--replaces" not in refused.err
