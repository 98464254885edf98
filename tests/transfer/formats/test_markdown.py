"""Notes in markdown."""

import os

import pytest

from tests.transfer.read_lines import read_whole
from tilth.episodes.episode import EpisodeKind
from tilth.transfer.formats.documents import markdown
from tilth.transfer.reading.documents import CHARS_MAX, WORDS_MIN, markdown_sections, properties
from tilth.transfer.reading.sample import Sample

LONG = " ".join(["word"] * WORDS_MIN)


def sections(text):
    return [section.text for section in markdown_sections(text)]


def headings(text):
    return [section.heading for section in markdown_sections(text)]


@pytest.mark.row("MP-01")
@pytest.mark.parametrize(
    "text",
    [
        f"before\n\n# A\n\n{LONG}\n\n## B\n\n{LONG}\n",
        f"# A\r\n\r\n{LONG}\r\n\r\n## B\r\n\r\n{LONG}",
        f"A\n=\n{LONG}\nB\n-\n{LONG}\u2028\x0c\x0b# no heading\n# C\n{LONG}",
        f"# A\r{LONG}\r# B\r{LONG}",
        ("p" * 700 + "\n\n") * 40,
        "x" * 30_000,
        "\n\n\n",
    ],
)
def test_the_sections_together_are_the_document(text):
    assert "".join(sections(text)) == text


def test_a_heading_begins_a_section_that_knows_the_headings_above():
    text = f"# A\n{LONG}\n## B\n{LONG}\n### C\n{LONG}\n## D\n{LONG}\n# E\n{LONG}\n"
    assert headings(text) == ["A", "A > B", "A > B > C", "A > D", "E"]
    assert [section.line for section in markdown_sections(text)] == [1, 3, 5, 7, 9]


def test_a_hash_in_a_fence_a_list_or_a_quote_is_no_section():
    text = f"# A\n{LONG}\n```sh\n# B\n{LONG}\n```\n> # C\n> {LONG}\n\n- # D\n\n      # E\n"
    assert headings(text) == ["A"]


@pytest.mark.row("OB-066")
def test_a_few_words_are_joined_to_the_section_after_them():
    text = f"# Title\n\n## Why\n\n{LONG}\n\n## Note\n\nshort\n\n## How\n\n{LONG} {LONG}\n"
    assert headings(text) == ["Title > Why", "Title > How"]


@pytest.mark.row("OB-066")
def test_a_few_words_at_the_end_are_joined_to_the_section_before_them():
    assert headings(f"# A\n{LONG}\n# B\nshort\n") == ["A"]


def test_a_long_section_is_cut_between_paragraphs():
    paragraph = "w " * 1_000 + "\n\n"
    pieces = sections(f"# A\n{paragraph * 10}")
    assert all(len(piece) <= CHARS_MAX for piece in pieces)
    assert all(piece.endswith("\n\n") for piece in pieces)
    assert len(pieces) == 4


NOTE = f"""---
title: The till
date: 2026-01-05
tags: [shop, "#till"]
version: 1.10
open: no
at: 12:30:45
---
# Elsewhere

It stands by the [[door|blue door]]. {LONG}
"""


def test_front_matter_gives_title_tags_and_time(tmp_path):
    reading = read_whole(markdown, tmp_path, "note.md", NOTE)
    (session,) = reading.sessions
    assert session.info.title == "The till"
    assert session.info.tags == ("shop", "till")
    assert reading.times == ["01-05 00:00:00"]
    assert reading.skipped == []


def test_the_words_of_front_matter_stay_the_words_that_they_are(tmp_path):
    (draft,) = read_whole(markdown, tmp_path, "note.md", NOTE).drafts
    said = draft.metadata["properties"]
    assert (said["version"], said["open"], said["at"]) == ("1.10", "no", "12:30:45")


@pytest.mark.row("MP-01")
def test_the_body_is_kept_to_the_last_character(tmp_path):
    (draft,) = read_whole(markdown, tmp_path, "note.md", NOTE).drafts
    assert draft.text == NOTE[NOTE.index("# Elsewhere") :]
    assert draft.kind is EpisodeKind.DOCUMENT
    assert draft.metadata["heading"] == "Elsewhere"
    assert draft.metadata["line"] == 9


def test_without_front_matter_title_and_time_are_those_of_the_file(tmp_path):
    (tmp_path / "till.md").write_text("It stands by the door.")
    os.utime(tmp_path / "till.md", (1_767_600_000, 1_767_600_000))
    content = (tmp_path / "till.md").read_bytes()
    reading = read_whole(markdown, tmp_path, "till.md", content)
    assert reading.sessions[0].info.title == "till"
    assert reading.drafts[0].occurred_at is not None


@pytest.mark.parametrize(
    ("written", "tags"),
    [
        ("tags: shop, till", ("shop", "till")),
        ("tags: shop till", ("shop", "till")),
        ("tag: '#shop'", ("shop",)),
        ("tags:\n  - shop\n  - [till]", ("shop",)),
        ("tags:", ()),
        ("other: 1", ()),
    ],
)
def test_tags_are_read_as_people_write_them(tmp_path, written, tags):
    reading = read_whole(markdown, tmp_path, "a.md", f"---\n{written}\n---\nBy the door.\n")
    assert reading.sessions[0].info.tags == tags


@pytest.mark.row("T16")
@pytest.mark.parametrize(
    ("front", "reason"),
    [
        ("a: &b [1]\nc: *b", "aliases"),
        ("a: [", "no YAML"),
        ("- a\n- b", "no mapping"),
        (r'a: "\UFFFFFFFF"', "no YAML"),
        ("a: " + "[" * 40 + "]" * 40, "nested deeper"),
        ("? [a]\n: b", "no YAML"),
        ("date: soon", "bad timestamp"),
    ],
)
def test_bad_front_matter_is_said_and_hides_nothing(tmp_path, front, reason):
    reading = read_whole(markdown, tmp_path, "a.md", f"---\n{front}\n---\nBy the door.\n")
    assert [draft.text for draft in reading.drafts] == ["By the door.\n"]
    assert [reason in note.reason for note in reading.skipped] == [True]


def test_a_rule_at_the_top_is_no_front_matter(tmp_path):
    text = "---\n\nBy the door.\n"
    assert [d.text for d in read_whole(markdown, tmp_path, "a.md", text).drafts] == [text]
    assert properties(text) == {}


def test_a_note_of_nothing_but_front_matter_is_said(tmp_path):
    reading = read_whole(markdown, tmp_path, "a.md", "---\ntitle: a\n---\n")
    assert reading.drafts == []
    assert ["front matter" in note.reason for note in reading.skipped] == [True]


def test_what_is_not_utf_8_is_said(tmp_path):
    reading = read_whole(markdown, tmp_path, "a.md", b"caf\xe9 by the door")
    assert [draft.text for draft in reading.drafts] == ["caf\N{REPLACEMENT CHARACTER} by the door"]
    assert ["not UTF-8 at byte 3" in note.reason for note in reading.skipped] == [True]


@pytest.mark.row("MP-03")
def test_a_section_more_changes_no_key_of_the_others(tmp_path):
    parts = [f"## {name}\n\n{name} {LONG}\n\n" for name in "abc"]
    before = read_whole(markdown, tmp_path, "a.md", "".join(parts)).keys
    again = read_whole(markdown, tmp_path, "a.md", "".join(parts)).keys
    parts.insert(1, f"## new\n\nnew {LONG}\n\n")
    after = read_whole(markdown, tmp_path, "a.md", "".join(parts)).keys
    assert again == before
    assert [key for key in after if key in before] == before
    assert len(after) == len(before) + 1


def test_a_file_that_was_moved_is_another_session(tmp_path):
    first = read_whole(markdown, tmp_path, "a.md", "By the door.").sessions[0]
    second = read_whole(markdown, tmp_path, "b.md", "By the door.").sessions[0]
    assert first.session_id != second.session_id


@pytest.mark.parametrize(
    ("name", "head", "is_markdown"),
    [
        ("a.md", b"By the door.", True),
        ("A.MD", b"- [ ] by the door", True),
        ("a.markdown", b"[ ] by the door", True),
        ("a.md", b"{{< note >}}", True),
        ("a.md", b"", False),
        ("a.md", b"\x00\x01", False),
        ("a.py", b"# By the door.", False),
    ],
)
def test_markdown_is_text_in_a_file_that_is_named_so(name, head, is_markdown):
    assert markdown.sniff(Sample(name, head)) is is_markdown
