"""`tilth session receipts`: what agents were shown, when, by what, and what came of it."""

from argparse import Namespace
from collections.abc import Iterator

from tilth.context.context import ContextReceipt
from tilth.context.receipts import Shown, Trace
from tilth.core.view import Bold, Dim, Line
from tilth.interfaces.cli.opening import open_brain
from tilth.interfaces.cli.screen import Screen, columns
from tilth.privacy.inert import one_line

_TEXT_CHARS = 100


def run(args: Namespace, screen: Screen) -> int:
    """List receipts, or trace one."""
    with open_brain(args) as brain:
        if args.trace:
            trace = brain.receipts.trace(args.trace, scope=args.scope)
            screen.answer(_told(trace), _traced(trace))
            return 0
        receipts = brain.receipts.list(args.session, limit=args.limit, scope=args.scope)
    screen.answer({"receipts": receipts}, columns([_row(receipt) for receipt in receipts]))
    if not receipts:
        screen.say("nobody was shown anything")
    return 0


def _row(receipt: ContextReceipt) -> list[str]:
    context = receipt.context
    return [
        f"{receipt.at:%Y-%m-%d %H:%M:%S}",
        Bold(context.via or "-"),
        f"{len(context.items)} items",
        f"{context.tokens} tokens",
        context.session_id or "-",
        Dim(receipt.id),
    ]


def _told(trace: Trace) -> dict[str, object]:
    shown = [
        {
            "block": one.block,
            "source": one.source,
            "text": one.text,
            "votes": one.votes,
            "named_by": one.named_by,
            "is_ignored": one.is_ignored,
        }
        for one in trace.shown
    ]
    return {"receipt": trace.receipt, "asked": trace.asked, "shown": shown}


def _traced(trace: Trace) -> Iterator[Line]:
    receipt, context = trace.receipt, trace.receipt.context
    yield (Bold(context.via or "-"), Dim(f"  {receipt.at:%Y-%m-%d %H:%M:%S}  {receipt.id}"))
    yield Dim(f"{context.scope} · {context.session_id or 'no session'} · {context.tokens} tokens")
    if trace.asked is not None:
        yield (f"asked: {one_line(trace.asked.text, _TEXT_CHARS)}", Dim(f"  {trace.asked.id}"))
    for one in trace.shown:
        yield ""
        yield (Bold(one.block), Dim(f"  {one.source}  {_came_of(one)}"))
        yield f"  {one_line(one.text, _TEXT_CHARS) or 'no words that are there'}"


def _came_of(one: Shown) -> str:
    named = [f"named in {episode_id}" for episode_id in one.named_by]
    return ", ".join([vote.verdict for vote in one.votes] + named) or "ignored"
