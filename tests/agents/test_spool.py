"""The spool, as the hook program writes it and the worker reads it."""

import fcntl
import json
import os
from datetime import UTC, datetime

import pytest

import tilth_spool
from tilth.agents.spool import BATCH_RECORDS, SpoolFolder

AT_NS = 1_767_225_600_123_456_789


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "spool"
    made.mkdir()
    return made


def write(folder, *payloads):
    for payload in payloads:
        record = tilth_spool.framed("codex", "Stop", AT_NS, payload)
        assert tilth_spool.append(str(folder), record)


def read_all(folder):
    spool = SpoolFolder(folder)
    found = []
    for batch in spool.batches():
        found += batch.records
        spool.settle(batch)
    return found


def aside(folder):
    path = folder / "aside.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def test_what_a_hook_wrote_is_read_as_it_was(folder):
    write(folder, b'{"a": "b c"}')

    (record,) = read_all(folder)

    assert (record.host, record.event) == ("codex", "Stop")
    assert record.payload == b'{"a": "b c"}'
    assert record.at == datetime(2026, 1, 1, 0, 0, 0, 123456, tzinfo=UTC)
    assert not record.is_cut


def test_records_come_in_the_order_in_which_they_were_written(folder):
    payloads = [b"%d" % number for number in range(BATCH_RECORDS + 9)]
    write(folder, *payloads)

    assert [record.payload for record in read_all(folder)] == payloads


def test_what_was_settled_is_gone_and_leaves_no_file(folder):
    write(folder, b"1")
    read_all(folder)

    assert read_all(folder) == []
    assert list(folder.iterdir()) == []


def test_what_was_not_settled_comes_again(folder):
    write(folder, b"1", b"2")
    spool = SpoolFolder(folder)
    (batch,) = spool.batches()

    assert [record.payload for record in batch.records] == [b"1", b"2"]
    assert [record.payload for record in read_all(folder)] == [b"1", b"2"]


def test_a_reader_that_dies_between_batches_goes_on_where_it_stopped(folder):
    payloads = [b"%d" % number for number in range(BATCH_RECORDS + 1)]
    write(folder, *payloads)
    spool = SpoolFolder(folder)
    batches = spool.batches()
    spool.settle(next(batches))
    batches.close()

    assert [record.payload for record in read_all(folder)] == payloads[-1:]


def test_a_torn_line_spoils_neither_the_one_before_nor_the_one_after(folder):
    write(folder, b"1")
    with (folder / "00000001.spool").open("ab") as file:
        file.write(tilth_spool.framed("codex", "Stop", AT_NS, b"torn by a full disk")[:-9])
    write(folder, b"3")

    assert [record.payload for record in read_all(folder)] == [b"1", b"3"]
    assert "torn by a" in aside(folder)[0]["line"]


def test_a_torn_end_is_set_aside_with_its_segment(folder):
    (folder / "00000001.spool").write_bytes(b"\nabcd 12 half a rec")

    assert read_all(folder) == []
    assert [entry["line"] for entry in aside(folder)] == ["abcd 12 half a rec"]
    assert not (folder / "00000001.spool").exists()


@pytest.mark.parametrize("place", range(0, 60, 7))
def test_a_flipped_bit_is_noticed(folder, place):
    write(folder, b"a payload of some length")
    segment = folder / "00000001.spool"
    content = bytearray(segment.read_bytes())
    content[1 + place] ^= 0x04
    segment.write_bytes(content)

    assert read_all(folder) == []
    assert len(aside(folder)) == 1


def test_rubbish_of_any_length_is_set_aside(folder):
    (folder / "00000001.spool").write_bytes(b"\x00\xff" * (5 << 17) + b"\n")
    write(folder, b"after")

    assert [record.payload for record in read_all(folder)] == [b"after"]
    assert aside(folder)


def test_a_payload_of_several_lines_stays_one_record(folder):
    write(folder, b'{"a":\r\n 1}', b"2")

    assert [record.payload for record in read_all(folder)] == [b'{"a":   1}', b"2"]


def test_a_full_segment_is_followed_by_the_next(folder):
    size = tilth_spool.RECORD_BYTES_MAX
    long = [b"x" * size] * (tilth_spool.SEGMENT_BYTES_MAX // size)
    write(folder, *long, b"next")

    assert sorted(path.name for path in folder.iterdir()) == ["00000001.spool", "00000002.spool"]
    assert [record.payload for record in read_all(folder)] == [*long, b"next"]


def test_a_segment_that_the_worker_holds_is_not_waited_for(folder):
    write(folder, b"1")
    fd = os.open(folder / "00000001.spool", os.O_RDONLY)
    fcntl.flock(fd, fcntl.LOCK_EX)
    try:
        write(folder, b"2")
    finally:
        os.close(fd)

    assert (folder / "00000002.spool").exists()
    assert [record.payload for record in read_all(folder)] == [b"1", b"2"]


def test_a_segment_that_a_hook_holds_is_not_removed(folder):
    write(folder, b"1")
    fd = os.open(folder / "00000001.spool", os.O_RDONLY)
    fcntl.flock(fd, fcntl.LOCK_SH)
    try:
        assert len(read_all(folder)) == 1
        assert (folder / "00000001.spool").exists()
    finally:
        os.close(fd)

    assert read_all(folder) == []
    assert not (folder / "00000001.spool").exists()


def test_a_spool_without_room_says_so(folder):
    for number in range(1, tilth_spool.SEGMENTS_MAX + 1):
        (folder / f"{number:08d}.spool").touch()

    record = tilth_spool.framed("codex", "Stop", AT_NS, b"1")
    assert not tilth_spool.append(str(folder), record)


def test_whether_a_spool_takes_anything_is_tried(folder):
    assert SpoolFolder(folder).refusal() == ""
    assert list(folder.glob("probe*")) == []

    (folder / "a file").write_text("no folder")
    assert SpoolFolder(folder / "a file").refusal() == f"it is no folder: {folder / 'a file'}"


def test_a_spool_says_how_much_waits(folder):
    assert SpoolFolder(folder).waiting_bytes() == 0
    write(folder, b"1")

    assert SpoolFolder(folder).waiting_bytes() > 0


def test_a_missing_spool_is_an_empty_one(tmp_path):
    assert read_all(tmp_path / "nowhere") == []
