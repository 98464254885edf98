"""What an import could not read, it says; and what it can, it reads, whatever stands before."""

import codecs
import json

import pytest

SAID = "The ferry leaves at nine."
MIB = 1 << 20


def claude(text, number):
    said = {"role": "user", "content": text}
    about = {"sessionId": "s1", "cwd": "/home/ada/work/kettle", "timestamp": "2026-01-01T10:00:00Z"}
    return json.dumps({"type": "user", "uuid": f"u{number}", "message": said, **about})


def codex(text, number):
    content = [{"type": "input_text", "text": text}]
    payload = {"type": "message", "role": "user", "content": content, "id": f"c{number}"}
    at = f"2026-01-01T10:00:0{number}Z"
    return json.dumps({"timestamp": at, "type": "response_item", "payload": payload})


def imported(program, folder):
    done = program("import", folder, "--no-background", "--json")
    assert done.code == 0, done.out
    total = done.answer["summary"]["total"]
    hits = program("recall", "ferry nine", "--json").answer["hits"]
    return total, [hit["text"] for hit in hits]


@pytest.mark.row("I40")
@pytest.mark.parametrize("line", [claude, codex])
@pytest.mark.parametrize("bytes_before", [300 << 10, 70 * MIB])
def test_a_session_whose_first_line_is_long_is_imported(ready, line, bytes_before):
    folder = ready.home / "sessions"
    folder.mkdir()
    # As a pasted screenshot does.
    lines = [line("x" * bytes_before, 1), line(SAID, 2), line("And back at six.", 3)]
    (folder / "rollout-1.jsonl").write_text("\n".join(lines) + "\n")

    total, found = imported(ready, folder)

    assert SAID in found
    # What is too long for an episode, or to be read at all, is told.
    assert total["new_count"] + total["skipped_count"] == 3


@pytest.mark.row("I40")
@pytest.mark.parametrize(
    "content",
    [
        f"# Harbour\n\n{SAID}\x07\n".encode(),
        codecs.BOM_UTF16_LE + f"# Harbour\n\n{SAID}\n".encode("utf-16-le"),
        codecs.BOM_UTF16_BE + f"# Harbour\n\n{SAID}\n".encode("utf-16-be"),
    ],
)
@pytest.mark.parametrize("name", ["harbour.md", "harbour.txt"])
def test_words_with_a_bell_or_in_utf_16_are_imported(ready, content, name):
    folder = ready.home / "notes"
    folder.mkdir()
    (folder / name).write_bytes(content)

    total, found = imported(ready, folder)

    assert any("ferry leaves at nine" in text for text in found)
    assert total["skipped_count"] == 0


@pytest.mark.row("I40")
@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("broken.md", b"\x00\x01\x02" * 99, "no text"),
        ("other.jsonl", b'{"a": 1}\n{"b": 2}\n', "of no format that is read"),
    ],
)
def test_a_file_in_a_folder_that_is_not_read_is_told(ready, name, content, reason):
    folder = ready.home / "notes"
    folder.mkdir()
    (folder / "harbour.md").write_text(f"# Harbour\n\n{SAID}\n")
    (folder / name).write_bytes(content)

    done = ready("import", folder, "--no-background", "--json")

    assert done.answer["summary"]["total"]["skipped_count"] == 1
    assert reason in done.out


def test_a_time_that_is_none_is_mended_and_nothing_of_it_skipped(ready):
    folder = ready.home / "notes"
    folder.mkdir()
    (folder / "harbour.md").write_text(f"---\ndate: soon\n---\n# Harbour\n\n{SAID}\n")

    done = ready("import", folder, "--no-background", "--json")
    total = done.answer["summary"]["total"]

    assert (total["skipped_count"], total["mended_count"]) == (0, 1)
    (reason,) = total["mended"]
    assert "bad timestamp" in reason
    assert "the file's own time is taken instead" in reason
