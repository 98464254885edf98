"""
What real hosts told, replayed: sessions that were recorded with the agents' own programs.

`recorded/HOST/calls.jsonl` holds what a host told its hooks; beside it lie the transcripts that
it wrote of the same sessions. `make prove-hosts` drives the programs themselves.
"""

import json
import re
from datetime import timedelta
from pathlib import Path

import pytest

import tilth_spool
from tests.fakes import CountingIds
from tilth.agents.hook_record import HookRecord
from tilth.agents.hooks import Hooks
from tilth.core.instant import EPOCH
from tilth.core.scope import Visibility
from tilth.episodes.capture_dedup import without_twins
from tilth.episodes.episode import EpisodeDraft
from tilth.episodes.remember import scrubbed
from tilth.interfaces.hooks.answer_hook import Answers
from tilth.runtime import connect as bootstrap

RECORDED = Path(__file__).parent / "recorded"
HOSTS = ("claude-code", "codex", "gemini-cli", "opencode")
WITH_TRANSCRIPTS = HOSTS[:3]
DECISION = (
    "We decided to use PostgreSQL for the ledger because row-level security settles tenancy."
    " Next: write the migration for the accounts table."
)
MISSING = "python3: can't open file '/home/ada/code/ledger/scripts/migrate_nosuch.py'"
QUESTION = "Which database did we choose for the ledger?"
_FENCES = re.compile(r"ctx_([0-9a-f]{32})")
# What agents say between their calls; not every host tells its hooks.
ASIDES = ("Let me look first.", "Now the migration.")


def calls(host):
    lines = (RECORDED / host / "calls.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines]


def records(host):
    """Yield what the host told, each time at its time; its transcripts are where we keep them."""
    for call in calls(host):
        told = dict(call["payload"])
        if path := told.get("transcript_path"):
            kept = path.replace("/home/ada/.", f"{RECORDED / host}/")
            told["transcript_path"] = kept
        at = EPOCH + timedelta(microseconds=call["at_ns"] // 1000)
        payload = json.dumps(told).encode()
        yield HookRecord(host=host, event=call["event"], at=at, payload=payload)


@pytest.fixture
def shared(tmp_path, monkeypatch):
    """The hooks of an installation that wrote all that the recorded hosts were shown."""
    monkeypatch.setenv("TILTH_HOME", str(tmp_path))
    hooks = Hooks.within(tmp_path, tmp_path / "state", CountingIds())
    told = "".join(path.read_text() for path in RECORDED.rglob("*.jsonl"))
    hooks.injections.fenced("begun")
    log = tmp_path / "state" / "injected.log"
    log.write_text("".join(f"{nonce} {'0' * 64}\n" for nonce in set(_FENCES.findall(told))))
    return hooks


@pytest.fixture
def brain(tmp_path, shared):
    with bootstrap.connect(tmp_path / "tilth.db", create=True) as brain:
        yield brain


def captured(brain, shared, host):
    """Record what the hooks of *host* were told, and return the episodes."""
    for record in records(host):
        at_ns = (record.at - EPOCH) // timedelta(microseconds=1) * 1000
        line = tilth_spool.framed(host, record.event, at_ns, record.payload)
        tilth_spool.append(str(shared.spool._folder), line)
    brain.ingest(shared.spool, shared.reading)
    return brain.episodes.list(limit=1000)


def imported(brain, host):
    """Import the transcripts that *host* wrote, and return the episodes that came of it."""
    before = {one.id for one in brain.episodes.list(limit=1000)}
    list(brain.import_sources(brain.find_sources(str(RECORDED / host))))
    return [one for one in brain.episodes.list(limit=1000) if one.id not in before]


def said(episodes, kind, role):
    return [one.text for one in episodes if (one.kind, one.role) == (kind, role)]


@pytest.mark.parametrize("host", HOSTS)
def test_prompts_answers_calls_and_failures_of_a_real_host_are_captured(brain, shared, host):
    episodes = captured(brain, shared, host)

    prompts = said(episodes, "message", "user")
    assert prompts[:2] == ["Set up the ledger service", "Ask your memory"]
    answers = said(episodes, "message", "assistant")
    assert any(one.endswith(DECISION) for one in answers)
    assert "The memory says PostgreSQL." in answers
    (failure,) = said(episodes, "tool_failure", "tool")
    assert MISSING in failure
    assert {one.scope for one in episodes} == {"project:code/ledger"}


@pytest.mark.parametrize("host", HOSTS)
def test_nothing_that_tilth_told_a_real_host_comes_back(brain, shared, host):
    told = [*captured(brain, shared, host)]
    told += imported(brain, host) if host in WITH_TRANSCRIPTS else []

    words = "\n".join(one.text for one in told)
    assert "tilth-context" not in words
    assert "hook_context" not in words
    assert QUESTION not in words
    assert "the user's own memory of earlier sessions" not in words
    assert '"answerable"' not in words


@pytest.mark.parametrize("host", WITH_TRANSCRIPTS)
def test_the_transcripts_of_sessions_that_hooks_captured_add_nothing_twice(brain, shared, host):
    known = {(one.session_id, one.text.strip()) for one in captured(brain, shared, host)}

    new = imported(brain, host)

    assert not [one.text for one in new if (one.session_id, one.text.strip()) in known]
    # What is new, its hooks were not told: words between calls.
    assert {one.text for one in new} <= set(ASIDES)


@pytest.mark.parametrize("host", WITH_TRANSCRIPTS)
def test_hooks_add_nothing_twice_to_transcripts_that_were_imported(brain, shared, host):
    imported(brain, host)
    before = {one.id for one in brain.episodes.list(limit=1000)}

    new = [one for one in captured(brain, shared, host) if one.id not in before]

    # A compaction is asked for by a command, which some transcripts do not hold.
    assert [one.text for one in new if not one.text.startswith("/compact")] == []


def test_a_session_that_gemini_cli_wrote_belongs_to_the_project_of_its_root(brain):
    assert {one.scope for one in imported(brain, "gemini-cli")} == {"project:code/ledger"}


def test_a_compaction_of_claude_code_makes_no_session(brain, shared):
    sessions = {one.session_id for one in captured(brain, shared, "claude-code")}

    subagents = [one for one in sessions if "/" in one]
    assert len(subagents) == 1


@pytest.mark.parametrize("host", WITH_TRANSCRIPTS)
def test_a_failure_in_any_host_is_told_how_it_was_overcome(brain, shared, host):
    answers = Answers(brain, shared.injections, shared.rollouts.completed)
    failed = next(one for one in records(host) if MISSING.encode() in one.payload)
    assert answers(failed).text == ""
    captured(brain, shared, host)
    told = json.loads(failed.payload)
    # It came through afterwards, when it was made again.
    event = failed.event.removesuffix("Failure")
    response = {"llmContent": "Output: migrated"} if host == "gemini-cli" else "migrated"
    through = told | {"tool_response": response, "tool_use_id": "call_2", "timestamp": "later"}
    again = HookRecord(host=host, event=event, at=failed.at, payload=json.dumps(through).encode())
    for item in shared.reading(again):
        if isinstance(item, EpisodeDraft):
            brain.remember(
                item.text,
                kind=item.kind,
                role=item.role,
                session_id=item.session_id,
                scope=item.scope,
                metadata=item.metadata,
            )

    pitfall = answers(failed).text

    assert "Known pitfall" in pitfall
    assert "migrate_nosuch" in pitfall
    assert answers(again).text == ""


@pytest.mark.parametrize("event", ["SessionStart", "SubagentStart"])
def test_a_session_is_not_told_about_itself(brain, shared, event):
    captured(brain, shared, "claude-code")
    answers = Answers(brain, shared.injections)
    told = {"SessionStart": b'"resume"', "SubagentStart": b'"agent_id"'}[event]
    asking = [one for one in records("claude-code") if one.event == event and told in one.payload]

    briefs = [answers(record).text for record in asking]

    assert briefs
    for brief in briefs:
        assert "row-level security" in brief  # of another session
        assert not re.search("Send a helper|two files here|three kettles|counted them", brief)


def test_the_task_of_a_subagent_is_no_word_of_the_users(brain):
    episodes = imported(brain, "claude-code")

    assert not [one for one in said(episodes, "message", "user") if one.startswith("Helper job")]
    assert [one for one in said(episodes, "tool_call", "assistant") if "Helper job" in one]


@pytest.mark.parametrize("host", HOSTS)
def test_one_answer_in_two_turns_within_two_seconds_is_there_twice(brain, shared, host):
    drafts = []
    for number in (1, 2):
        record = next(
            one
            for one in records(host)
            if one.event in ("Stop", "AfterAgent", "message.assistant")
            and b"The memory says" in one.payload
        )
        told = json.loads(record.payload)
        for name in ("prompt_id", "turn_id", "messageID", "timestamp"):
            told |= {name: f"{told[name]}-{number}"} if name in told else {}
        at = record.at + timedelta(seconds=number / 2)
        again = HookRecord(host=host, event=record.event, at=at, payload=json.dumps(told).encode())
        drafts += [one for one in shared.reading(again) if isinstance(one, EpisodeDraft)]

    with brain.parts.store.read() as view:
        assert len(without_twins(view, [*map(scrubbed, drafts)], Visibility())) == 2
