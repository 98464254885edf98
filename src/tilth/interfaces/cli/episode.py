"""`tilth remember` and `tilth episode show`: single things that were said or done."""

import sys
from argparse import Namespace
from typing import cast

from tilth.core.errors import InvalidInputError, LimitExceededError
from tilth.core.view import Line
from tilth.episodes.episode import TEXT_CHARS_MAX, Saying
from tilth.interfaces.cli.opening import open_brain
from tilth.interfaces.cli.screen import Screen

_UTF8_BYTES_MAX = 4


def remember(args: Namespace, screen: Screen) -> int:
    """Record one episode, or show what was recorded in nearly the same words."""
    text = standard_input() if args.text == "-" else args.text
    if args.check:
        return _check(text, args, screen)
    told = {
        "session_id": args.session,
        "speaker": args.speaker,
        "role": args.role,
        "kind": args.kind,
        "transport": args.transport,
        "address": args.address,
        "direction": args.direction,
        "metadata": args.metadata,
        "at": args.at,
        "scope": args.scope,
    }
    saying = cast("Saying", {name: value for name, value in told.items() if value is not None})
    with open_brain(args) as brain:
        episode_id = brain.remember(text, entity=args.entity, **saying)
    screen.answer({"episode_id": episode_id}, [episode_id])
    return 0


def _check(text: str, args: Namespace, screen: Screen) -> int:
    with open_brain(args) as brain:
        found = brain.duplicates(text, scope=args.scope)
    lines: list[Line] = [(f"{one.likeness:.2f}  {one.id}  ", one.text) for one in found]
    screen.answer({"duplicates": found}, lines)
    if not found:
        screen.say("nothing here says nearly the same")
    return 0


def standard_input() -> str:
    """
    Read a text from standard input.

    Raises:
        InvalidInputError: it is not UTF-8.
        LimitExceededError: it is longer than an episode may be.
    """
    data = sys.stdin.buffer.read(TEXT_CHARS_MAX * _UTF8_BYTES_MAX + 1)
    if len(data) > TEXT_CHARS_MAX * _UTF8_BYTES_MAX:
        raise LimitExceededError("standard input is longer than an episode may be")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidInputError("standard input is not UTF-8") from error
