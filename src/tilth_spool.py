"""
The log of segments that the hook program writes: one record a line, durable, never in the way.

It belongs to `tilth_hook` and stands outside the package like it. What reads
the segments is `tilth.agents.spool`; tests hold the two together.
"""

# No pathlib: its import takes longer than all the rest takes to run.
# ruff: noqa: PTH103, PTH118, PTH120, PTH208

import os
import zlib

RECORD_BYTES_MAX = 256 << 10
SEGMENT_BYTES_MAX = 8 << 20
SEGMENTS_MAX = 256  # a worker that is gone for long costs at most 2 GiB
SEGMENT_SUFFIX = ".spool"
_TRIES = 8
# Strings of an oversized payload are cut to the first of these that makes it fit.
_STRING_CHARS_MAX = (1 << 16, 1 << 13, 1 << 10, 1 << 7)


def framed(host: str, event: str, at_ns: int, payload: bytes, *, is_agents: bool = False) -> bytes:
    r"""
    Return *payload* as one line of the spool.

    A line is `crc32 nanoseconds host event whole|cut[,agent] payload`, with `agent` where no host
    called, but an agent's command, or a host that an agent started. It begins with a
    newline too, so that what a full disk cut off never joins the next record. JSON
    needs no newline inside, so those of the payload become spaces.
    """
    whole = b"whole"
    if len(payload) > RECORD_BYTES_MAX:
        payload, whole = _shortened(payload)
    if is_agents:
        whole += b",agent"
    flat = payload.replace(b"\n", b" ").replace(b"\r", b" ")
    line = b"%d %s %s %s %s" % (at_ns, host.encode(), event.encode(), whole, flat)
    return b"\n%08x %s\n" % (zlib.crc32(line), line)


def append(spool: str, record: bytes) -> bool:
    """
    Append *record* durably to the newest segment of *spool* that takes it.

    A segment takes no more when it is full, or when the worker has it. Without
    any left the record is lost, and False is returned.
    """
    os.makedirs(spool, 0o700, exist_ok=True)
    numbers = sorted(
        int(name[: -len(SEGMENT_SUFFIX)])
        for name in os.listdir(spool)
        if name.endswith(SEGMENT_SUFFIX) and name[: -len(SEGMENT_SUFFIX)].isdecimal()
    )
    newest = numbers[-1] if numbers else 1
    if len(numbers) < SEGMENTS_MAX:
        for number in range(newest, newest + _TRIES):
            if _append_to(os.path.join(spool, f"{number:08d}{SEGMENT_SUFFIX}"), record):
                return True
    return False


def _append_to(path: str, record: bytes) -> bool:
    # Here, since the hook program has to end well on Windows too, where nothing else works.
    import fcntl  # noqa: PLC0415

    fd = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW, 0o600)
    try:
        # Shared among hooks; the worker takes it alone to remove what it has read.
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
        found = os.fstat(fd)
        if found.st_nlink == 0 or found.st_size >= SEGMENT_BYTES_MAX:
            return False
        written = os.write(fd, record)
        os.fsync(fd)
    except BlockingIOError:
        return False
    finally:
        os.close(fd)
    if found.st_size == 0:
        _sync_folder(os.path.dirname(path))
    return written == len(record)


def _sync_folder(path: str) -> None:
    """Make the names in the folder durable, as a file is not without its name."""
    fd = os.open(path, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def _shortened(payload: bytes) -> tuple[bytes, bytes]:
    """Return a payload that fits, and its flag: with its strings cut, or else its beginning."""
    import json  # noqa: PLC0415 - few payloads are that long

    try:
        value = json.loads(payload)
        for chars_max in _STRING_CHARS_MAX:
            short = json.dumps(_with_short_strings(value, chars_max)).encode()
            if len(short) <= RECORD_BYTES_MAX:
                return short, b"whole"
    except (ValueError, RecursionError):
        return payload[:RECORD_BYTES_MAX], b"cut"
    return payload[:RECORD_BYTES_MAX], b"cut"


def _with_short_strings(value: object, chars_max: int) -> object:
    if isinstance(value, str) and len(value) > chars_max:
        half = chars_max // 2
        left_out = f"[… {len(value) - 2 * half} characters left out by tilth-hook …]"
        return f"{value[:half]}\n{left_out}\n{value[-half:]}"
    if isinstance(value, dict):
        return {key: _with_short_strings(child, chars_max) for key, child in value.items()}
    if isinstance(value, list):
        return [_with_short_strings(child, chars_max) for child in value]
    return value
