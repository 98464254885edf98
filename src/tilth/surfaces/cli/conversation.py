"""`tilth conversation …`: threads with entities."""

from argparse import Namespace
from collections.abc import Iterator
from typing import cast

from tilth.domain.conversation import Conversation, Summary
from tilth.domain.episode import Saying
from tilth.surfaces.cli.opening import open_brain
from tilth.surfaces.cli.screen import Bold, Dim, Line, Screen
from tilth.usecases.continuity import Wanted


def create(args: Namespace, screen: Screen) -> int:
    """Begin a conversation, or go on with the one that is open."""
    with open_brain(args) as brain:
        entity = brain.entities.get(args.name).entity
        begun = brain.conversations.create(
            entity.id,
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


def list_(args: Namespace, screen: Screen) -> int:
    """List conversations, the one that began last first."""
    with open_brain(args) as brain:
        entity = brain.entities.get(args.entity).entity.id if args.entity else None
        found = brain.conversations.list(
            entity_id=entity,
            transport=args.transport,
            status=args.status,
            limit=args.limit,
            scope=args.scope,
        )
    screen.answer({"conversations": found}, map(_line, found))
    return 0


def summarise(args: Namespace, screen: Screen) -> int:
    """Summarise what came since the last summary, or show every summary."""
    with open_brain(args) as brain:
        if args.list:
            found = brain.conversations.summaries(args.conversation)
        else:
            new = brain.conversations.summarise(args.conversation, is_forced=args.force)
            found = [] if new is None else [new]
    screen.answer({"summaries": found}, (line for one in found for line in _summary_lines(one)))
    if not found:
        screen.say("there is nothing to summarise")
    return 0


def idle(args: Namespace, screen: Screen) -> int:
    """Say which conversations have come to rest."""
    with open_brain(args) as brain:
        found = brain.conversations.idle(args.conversation)
    lines = [f"{one.conversation_id}  {'idle' if one.is_idle else 'active'}" for one in found]
    screen.answer({"conversations": found}, lines)
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
    yield (Bold(one.id), Dim(f"  {span}{mark}"))
    yield from draft.text.splitlines()
    yield from (f"still to do: {pending}" for pending in draft.pending)
