"""The command line's side: ask the worker of the store, if there is one and it is quick."""

import logging
import os
import sys
import time
from argparse import Namespace
from collections.abc import Sequence

from tilth.interfaces.cli.invocation import current_actor, terminal_width
from tilth.interfaces.cli.reads import COMMANDS
from tilth.interfaces.cli.reads.protocol import (
    Answer,
    Question,
    build,
    settings_digest,
    socket_path,
)
from tilth.interfaces.cli.screen import Screen
from tilth.runtime import places

logger = logging.getLogger(__name__)

# After that a fresh process is hardly slower.
SECONDS_MAX = 1.0
_CHUNK_BYTES = 1 << 16


def answer_by_worker(words: Sequence[str], args: Namespace, screen: Screen) -> int | None:
    """
    Show what the worker answers to a command, and return the exit code.

    Returns:
        None if there is no worker, or it does not answer this; then nothing was shown.
    """
    if args.command not in COMMANDS:
        return None
    settings = places.loaded(os.environ).settings
    where = places.place(args.store, settings)
    at = socket_path(where)
    if not at.exists():
        return None
    by = current_actor()
    question = Question(
        words=[*words],
        build=build(),
        settings=settings_digest(settings, where),
        actor=(by.name, by.kind.value),
        folder=os.getcwd(),  # noqa: PTH109 - a path as text
        columns=terminal_width(),
        is_tty=sys.stdout.isatty(),
        is_color=screen.is_color,
    )
    told = ask(str(at), question)
    if told is None:
        return None
    logger.debug("answered by the worker")
    screen.repeat(told.out, told.err)
    return told.status


def ask(at: str, question: Question) -> Answer | None:
    """Return what the worker at *at* answers; None if it does not in time."""
    import socket  # noqa: PLC0415 - for who finds somebody to ask

    deadline = time.monotonic() + SECONDS_MAX
    heard = bytearray()
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
            line.settimeout(SECONDS_MAX)
            line.connect(at)
            line.sendall(question.to_bytes())
            line.shutdown(socket.SHUT_WR)
            while True:
                line.settimeout(max(deadline - time.monotonic(), 0.001))
                more = line.recv(_CHUNK_BYTES)
                if not more:
                    break
                heard += more
    except OSError:
        return None
    return Answer.from_bytes(bytes(heard))
