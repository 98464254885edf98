"""`tilth remember` and `tilth episode show`: single things that were said or done."""

import sys
from argparse import Namespace
from collections.abc import Iterator
from typing import cast

from tilth.core.errors import InvalidInputError, LimitExceededError
from tilth.core.view import Bold, Dim, Line
from tilth.episodes.episode import TEXT_CHARS_MAX, Episode, Saying
from tilth.interfaces.cli.opening import open_brain
from tilth.interfaces.cli.screen import Screen
from tilth.recall.model import FETCH_MAX

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


def show(args: Namespace, screen: Screen) -> int:
    """Show episodes word for word."""
    if len(args.episodes) > FETCH_MAX:
        raise LimitExceededError(f"at most {FETCH_MAX} episodes are shown at once")
    with open_brain(args) as brain:
        episodes = [
            brain.episodes.get(episode_id, is_masked=args.mask, scope=args.scope)
            for episode_id in args.episodes
        ]
    screen.answer({"episodes": episodes}, _pages(episodes))
    return 0


def headed(episode: Episode) -> Iterator[Line]:
    """Yield one episode for a person: who and when, then its text, set in."""
    who = episode.speaker or episode.role
    what = "" if episode.kind == "message" else f" {episode.kind}"
    yield (
        Bold(who),
        what,
        Dim(f"  {episode.occurred_at:%Y-%m-%d %H:%M}  {episode.id}"),
    )
    # Set in, so that no text can pass for a line of ours.
    for line in episode.text.split("\n"):
        yield f"  {line}"


def _pages(episodes: list[Episode]) -> Iterator[Line]:
    for number, episode in enumerate(episodes):
        if number:
            yield ""
        yield from headed(episode)
        place = episode.session_id or "no session"
        origin = f"{episode.scope} · {episode.transport} · {episode.lifecycle}"
        yield Dim(f"  {place} · {origin} · seq {episode.seq}")


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
