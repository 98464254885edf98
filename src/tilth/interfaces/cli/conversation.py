"""`tilth conversation …`: threads with entities."""

from argparse import Namespace
from collections.abc import Iterator
from typing import cast

from tilth.core.view import Bold, Dim, Line
from tilth.episodes.episode import Saying
from tilth.interfaces.cli.opening import open_brain
from tilth.interfaces.cli.people import count_lines
from tilth.interfaces.cli.screen import Screen
from tilth.interfaces.meaning import one_meant
from tilth.interfaces.outcome import EXIT_NO
from tilth.people.conversation import Conversation, Summary
from tilth.people.reply_context import Wanted


def create(args: Namespace, screen: Screen) -> int:
    """Begin a conversation, or go on with the one that is open."""
    with open_brain(args) as brain:
        begun = brain.conversations.create(
            one_meant(brain, args.name),
            args.transport,
            address=args.address,
            topic=args.topic,
            scope=args.scope or "global",
        )
    screen.answer(begun, [_line(begun.conversation)])
    if not begun.is_new:
        screen.say("it was open already")
    return 0


def add(args: Namespace, screen: Screen) -> int:
    """Add a message."""
    told = {
        "direction": args.direction,
        "speaker": args.speaker,
        "at": args.at,
        "idempotency_key": args.key,
        "metadata": args.metadata,
    }
    saying = cast("Saying", {name: value for name, value in told.items() if value is not None})
    with open_brain(args) as brain:
        episode_id = brain.conversations.add(args.conversation, args.text, **saying)
    screen.answer({"episode_id": episode_id}, [episode_id])
    return 0


def resume(args: Namespace, screen: Screen) -> int:
    """Go on with a conversation."""
    with open_brain(args) as brain:
        return _say(brain.conversations.resume(args.conversation), screen)


def close(args: Namespace, screen: Screen) -> int:
    """End a conversation."""
    with open_brain(args) as brain:
        return _say(brain.conversations.close(args.conversation), screen)


def archive(args: Namespace, screen: Screen) -> int:
    """Put a conversation to rest, and summarise what is not summarised."""
    with open_brain(args) as brain:
        archived = brain.conversations.archive(args.conversation)
    screen.answer(archived, [_line(archived.conversation)])
    if archived.summary is not None:
        screen.say(f"summarised {archived.summary.draft.count} messages: {archived.summary.id}")
    return 0


def get(args: Namespace, screen: Screen) -> int:
    """Show one conversation."""
    with open_brain(args) as brain:
        return _say(brain.conversations.get(args.conversation, scope=args.scope), screen)


def list_(args: Namespace, screen: Screen) -> int:
    """List conversations, the one that began last first."""
    with open_brain(args) as brain:
        entity = brain.entities.get(args.entity).entity.id if args.entity else None
        found = brain.conversations.list(
            entity_id=entity,
            transport=args.transport,
            status=args.status,
            limit=args.limit,
            offset=args.skip,
            scope=args.scope,
        )
    screen.answer({"conversations": found}, map(_line, found))
    if len(found) == args.limit:
        screen.say(f"there may be more: --skip {args.skip + len(found)}")
    elif args.skip and not found:
        screen.say("that was all")
    elif not found:
        screen.say("there are none of those; begin one: tilth conversation create NAME TRANSPORT")
    return 0


def summarise(args: Namespace, screen: Screen) -> int:
    """Summarise what came since the last summary."""
    with open_brain(args) as brain:
        new = brain.conversations.summarise(args.conversation, is_forced=args.force)
    screen.answer({"summary": new}, [] if new is None else _summary_lines(new))
    if new is None:
        screen.say("there is nothing to summarise")
    return 0


def summaries(args: Namespace, screen: Screen) -> int:
    """Show every summary of a conversation, the oldest first."""
    with open_brain(args) as brain:
        found = brain.conversations.summaries(args.conversation, scope=args.scope)
    screen.answer({"summaries": found}, (line for one in found for line in _summary_lines(one)))
    if not found:
        screen.say("nothing was summarised")
    return 0


def tone(args: Namespace, screen: Screen) -> int:
    """Say how the other side speaks."""
    with open_brain(args) as brain:
        heard = brain.conversations.tone(args.conversation, scope=args.scope)
    lines = [
        f"formality {heard.formality:.1f}, technical level {heard.technical_level:.1f}",
        f"sentiment {heard.sentiment}, pace {heard.pace}",
    ]
    screen.answer({"tone": heard}, lines)
    return 0


def idle(args: Namespace, screen: Screen) -> int:
    """Say which conversations have come to rest; of one, by the exit code too."""
    with open_brain(args) as brain:
        found = brain.conversations.idle(args.conversation, scope=args.scope)
    lines = [f"{one.conversation_id}  {'idle' if one.is_idle else 'active'}" for one in found]
    screen.answer({"conversations": found}, lines)
    if not found:
        screen.say("no conversation is active")
    return EXIT_NO if args.conversation and not found[0].is_idle else 0


def stats(args: Namespace, screen: Screen) -> int:
    """Count conversations, messages and summaries."""
    with open_brain(args) as brain:
        counts = brain.conversations.stats(scope=args.scope)
    screen.answer(counts, count_lines(counts))
    return 0


def context(args: Namespace, screen: Screen) -> int:
    """Show what is to be known for the next reply."""
    wanted = Wanted(
        summary_tokens=args.summary_tokens,
        recent=args.recent,
        transport=args.transport,
        is_private=args.privacy_filter,
    )
    with open_brain(args) as brain:
        known = brain.conversations.context(args.conversation, wanted, scope=args.scope)
    screen.answer(known, known.text.splitlines())
    return 0


def _say(conversation: Conversation, screen: Screen) -> int:
    screen.answer({"conversation": conversation}, [_line(conversation)])
    return 0


def _line(one: Conversation) -> Line:
    draft = one.draft
    way = f"{draft.transport} {draft.address}".strip()
    return (
        Bold(one.id),
        f"  {one.status}  {way}  {draft.topic}",
        Dim(f"  {one.tally.count} messages  {draft.entity_id}"),
    )


def _summary_lines(one: Summary) -> Iterator[Line]:
    draft, mark = one.draft, "  CURRENT" if one.is_current else ""
    span = f"{draft.count} messages, {draft.first} to {draft.last}"
    by = f"  by {draft.model}" if draft.model else ""
    yield (Bold(one.id), Dim(f"  {span}{by}{mark}"))
    yield from draft.text.splitlines()
    yield from (f"still to do: {pending}" for pending in draft.pending)
