"""Architecture decision records."""

import pytest

from tests.transfer.read_lines import read_whole
from tilth.core.io.projects import scope_of_folder
from tilth.core.scope import GLOBAL
from tilth.transfer.formats.documents import adr
from tilth.transfer.reading.sample import Sample

WHY = " ".join(["because"] * 50)
RECORD = f"""# 7. Keep the till by the door

Date: 2026-01-05

## Status

Superseded by [8. Move it](0008-move-it.md)

## Context

{WHY}

## Decision

We keep it by the door, {WHY}.
"""
MADR = f"""---
status: accepted
date: 2026-02-03
---
# Keep the till

## Context and Problem Statement

{WHY}

## Decision Outcome

By the door, {WHY}.
"""


def test_a_record_is_a_session_with_its_title_state_and_time(tmp_path):
    reading = read_whole(adr, tmp_path, "0007-till.md", RECORD)
    (session,) = reading.sessions
    assert session.info.title == "Keep the till by the door"
    assert session.info.tags == ("adr", "superseded")
    assert set(reading.times) == {"01-05 00:00:00"}
    assert "".join(draft.text for draft in reading.drafts) == RECORD


def test_what_a_record_says_of_its_state_stands_with_the_section_that_says_it(tmp_path):
    first, second = read_whole(adr, tmp_path, "0007-till.md", RECORD).drafts
    assert first.metadata["status"] == "Superseded by [8. Move it](0008-move-it.md)"
    assert first.metadata["supersedes"] == "Superseded by [8. Move it](0008-move-it.md)"
    assert first.metadata["date"] == "2026-01-05"
    assert second.metadata.keys() == {"heading", "line"}


@pytest.mark.row("MP-03")
def test_a_changed_state_is_one_new_section(tmp_path):
    before = read_whole(adr, tmp_path, "0007-till.md", RECORD).drafts
    changed = RECORD.replace("Superseded by [8. Move it](0008-move-it.md)", "Accepted")
    after = read_whole(adr, tmp_path, "0007-till.md", changed).drafts
    assert after[0].idempotency_key != before[0].idempotency_key
    assert after[1].idempotency_key == before[1].idempotency_key


def test_front_matter_may_say_the_state(tmp_path):
    reading = read_whole(adr, tmp_path, "0007-till.md", MADR)
    assert reading.sessions[0].info.tags == ("adr", "accepted")
    assert reading.drafts[0].metadata["status"] == "accepted"
    assert "status" not in reading.drafts[1].metadata
    assert set(reading.times) == {"02-03 00:00:00"}


def test_a_date_that_is_none_is_said(tmp_path):
    reading = read_whole(adr, tmp_path, "0007-till.md", RECORD.replace("2026-01-05", "soon"))
    assert ["bad timestamp" in note.reason for note in reading.skipped] == [True]
    assert len(reading.drafts) == 2


@pytest.mark.parametrize(
    ("status", "tag"),
    [
        ("Accepted", "accepted"),
        ("Accepted, 2026-01-05.", "accepted"),
        ("Partly superseded", "partly superseded"),
        ("Proposed (by Ann)", "proposed"),
    ],
)
def test_the_state_is_a_tag(tmp_path, status, tag):
    text = f"# 1. A\n\nStatus: {status}\n\n## Context\n\nBy the door.\n"
    assert read_whole(adr, tmp_path, "0001-a.md", text).sessions[0].info.tags == ("adr", tag)


def test_a_record_in_a_checkout_belongs_to_its_project(tmp_path):
    (tmp_path / ".git").mkdir()
    (tmp_path / "docs").mkdir()
    (session,) = read_whole(adr, tmp_path / "docs", "0007-till.md", RECORD).sessions
    assert session.scope == scope_of_folder(str(tmp_path))


def test_a_record_in_no_checkout_belongs_to_no_project(tmp_path):
    (session,) = read_whole(adr, tmp_path, "0007-till.md", RECORD).sessions
    assert session.scope == GLOBAL


@pytest.mark.parametrize(
    ("name", "text", "is_record"),
    [
        ("0007-till.md", RECORD, True),
        ("7_till.md", MADR, True),
        ("adr-007-till.md", RECORD, True),
        ("till.md", RECORD, False),
        ("2026-01-05-till.md", RECORD, False),
        ("0007-till.md", "# Till\n\n## Context\n\nBy the door.\n", False),
        ("0007-till.txt", RECORD, False),
    ],
)
def test_a_record_is_a_numbered_document_with_the_parts_of_one(name, text, is_record):
    assert adr.sniff(Sample(name, text.encode())) is is_record
