"""`tilth session receipts`: what agents were shown, when, by what, and what came of it."""

from argparse import Namespace
from collections.abc import Iterator, Sequence

from tilth.domain.context import ContextReceipt
from tilth.privacy.inert import one_line
from tilth.surfaces.cli.opening import open_brain
from tilth.surfaces.cli.screen import Bold, Dim, Line, Screen, columns
from tilth.usecases.receipts import Shown

_TEXT_CHARS = 100


def run(args: Namespace, screen: Screen) -> int:
    """List receipts, or trace one."""
    with open_brain(args) as brain:
        if args.trace:
            receipt, shown = brain.receipts.trace(args.trace, scope=args.scope)
            screen.answer({"receipt": receipt, "shown": shown}, _traced(receipt, shown))
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


def _traced(receipt: ContextReceipt, shown: Sequence[Shown]) -> Iterator[Line]:
    context = receipt.context
    yield (Bold(context.via or "-"), Dim(f"  {receipt.at:%Y-%m-%d %H:%M:%S}  {receipt.id}"))
    yield Dim(f"{context.scope} · {context.session_id or 'no session'} · {context.tokens} tokens")
    for one in shown:
        came = ", ".join(vote.verdict for vote in one.votes) or "nothing came of it"
        text = one.episode.text if one.episode is not None else "not an episode that is there"
        yield ""
        yield (Bold(one.block), Dim(f"  {one.source}  {came}"))
        yield f"  {one_line(text, _TEXT_CHARS)}"
