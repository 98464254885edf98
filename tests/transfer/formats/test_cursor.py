"""Cursor's transcripts."""

import json
from datetime import timedelta

import pytest

from tests.fakes import HashingEmbedder
from tests.transfer.read_lines import lines_of
from tests.transfer.transcripts import read_known
from tilth.core.actor import HOOKS
from tilth.core.scope import DEFAULT_OWNER, Visibility
from tilth.episodes.capture_dedup import without_twins
from tilth.episodes.episode import EpisodeDraft, Role
from tilth.episodes.remember import WriteContext, remember
from tilth.transfer.file_importer import FileImporter, default_places
from tilth.transfer.formats import cursor

NAME = "c1.jsonl"
AT = "<timestamp>Monday, Aug 31, 2026, 5:52 AM (UTC-4)</timestamp>"


def line(role, *blocks):
    return {"role": role, "message": {"content": list(blocks)}}


def text(words):
    return {"type": "text", "text": words}


ASKED = line("user", text(f"{AT}\n<user_query>\nfix the till\n</user_query>"))
ANSWERED = line(
    "assistant",
    text("I look.\n[REDACTED]"),
    {"type": "tool_use", "name": "Shell", "input": {"command": "make test"}},
)


def test_a_transcript_is_read_with_who_said_what(tmp_path):
    log = lines_of(ASKED, ANSWERED, {"type": "turn_ended", "status": "success"}, {"type": "new"})
    reading = read_known(cursor, tmp_path, NAME, log)

    assert reading.said == [
        "user: fix the till",
        "assistant: I look.",
        'assistant: Shell: {"command": "make test"}',
    ]
    assert reading.times == ["08-31 09:52:00"] * 3
    assert reading.sessions[0].session_id == "cursor:c1"
    assert reading.reasons == {"left out: lines of type 'new'": 1}


@pytest.mark.parametrize(
    ("sent", "typed"),
    [
        ("fix it", ["user: fix it"]),
        ("<attached_files>\nNever push.\n</attached_files>", []),
        (
            "<agent_skills>\nNever push.\n</agent_skills>\n<user_query>\nfix it\n</user_query>",
            ["user: fix it"],
        ),
        ("<div> is empty, why?", ["user: <div> is empty, why?"]),
    ],
)
def test_what_stands_around_a_prompt_is_no_word_of_a_persons(tmp_path, sent, typed):
    log = lines_of(line("user", text(sent)), line("assistant", text("Done.")))
    reading = read_known(cursor, tmp_path, NAME, log)

    assert reading.said == [*typed, "assistant: Done."]


def test_a_session_belongs_to_the_folder_that_the_program_notes(tmp_path):
    kept = tmp_path / ".cursor" / "projects" / "home-ada-shop"
    own = kept / "agent-transcripts" / "c1"
    (own / "subagents").mkdir(parents=True)
    (kept / ".workspace-trusted").write_text(json.dumps({"workspacePath": "/srv/shop"}))
    (own / NAME).write_text(lines_of(ASKED))
    (own / "subagents" / "a1.jsonl").write_text(lines_of(line("user", text("Look.")), ANSWERED))
    old = kept / "agent-transcripts" / "c0.txt"
    old.write_text("user:\n<user_query>\nfix it\n</user_query>\n\nassistant:\nDone.\n")

    assert default_places(tmp_path, {}) == [kept / "agent-transcripts"]
    found = FileImporter().find(str(kept / "agent-transcripts"))
    items = [item for source in found for item, _ in FileImporter().read(source)]
    drafts = [item for item in items if isinstance(item, EpisodeDraft)]
    assert [source.format for source in found] == ["unreadable", "cursor", "cursor"]
    assert {(one.session_id, one.role) for one in drafts} == {
        ("cursor:c1", Role.USER),
        ("cursor:c1/a1", Role.ASSISTANT),
    }
    assert {item.info.folder for item in items if hasattr(item, "info")} == {"/srv/shop"}


def test_what_a_hook_told_minutes_after_the_prompt_is_not_told_twice(tmp_path, store):
    reading = read_known(cursor, tmp_path, NAME, lines_of(ASKED, line("assistant", text("Done."))))
    answer = reading.drafts[-1]
    told = EpisodeDraft(
        text="Done.",
        role=Role.ASSISTANT,
        session_id=answer.session_id,
        occurred_at=answer.occurred_at + timedelta(minutes=9),
        metadata={"hook": "afterAgentResponse"},
    )
    recorder = WriteContext(by=HOOKS, owner=DEFAULT_OWNER)
    remember(store, HashingEmbedder(), [told], recorder=recorder)

    with store.read() as view:
        assert without_twins(view, [answer], Visibility(DEFAULT_OWNER)) == []
