"""Plain text."""

import pytest

from tests.transfer.read_lines import read_whole
from tilth.transfer.formats.documents import plain_text
from tilth.transfer.reading.documents import CHARS_MAX
from tilth.transfer.reading.limits import DOCUMENT_BYTES_MAX
from tilth.transfer.reading.sample import Sample


@pytest.mark.row("MP-01")
def test_the_paragraphs_together_are_the_file(tmp_path):
    text = "".join(f"Paragraph {n} {'word ' * 100}\n\n" for n in range(50))
    reading = read_whole(plain_text, tmp_path, "notes.txt", text)
    assert "".join(draft.text for draft in reading.drafts) == text
    assert all(len(draft.text) <= CHARS_MAX for draft in reading.drafts)
    assert all(draft.text.startswith("Paragraph") for draft in reading.drafts)
    assert [session.info.title for session in reading.sessions] == ["notes"]


@pytest.mark.row("MP-03")
def test_what_was_added_at_the_end_is_all_that_is_new(tmp_path):
    text = ("word " * 100 + "\n\n") * 40
    before = read_whole(plain_text, tmp_path, "notes.txt", text).keys
    after = read_whole(plain_text, tmp_path, "notes.txt", f"{text}more").keys
    assert after[: len(before) - 1] == before[:-1]


def test_a_hash_in_plain_text_is_no_heading(tmp_path):
    (draft,) = read_whole(plain_text, tmp_path, "notes.txt", "# a\n\nb\n").drafts
    assert draft.metadata == {"line": 1}


@pytest.mark.row("I40")
def test_a_file_that_is_too_long_is_refused_whole(tmp_path):
    reading = read_whole(
        plain_text, tmp_path, "notes.txt", b"word\n" * (DOCUMENT_BYTES_MAX // 5 + 1)
    )
    assert reading.drafts == []
    assert [note.reason for note in reading.skipped] == ["longer than 8 MiB"]


@pytest.mark.parametrize(
    ("name", "head", "is_plain"),
    [
        ("a.txt", b"By the door.", True),
        ("a.TEXT", b"By the door.", True),
        ("a.txt", b"GIF\x00", False),
        ("a.log", b"By the door.", False),
    ],
)
def test_plain_text_is_text_in_a_file_that_is_named_so(name, head, is_plain):
    assert plain_text.sniff(Sample(name, head)) is is_plain
