"""`tilth changes`: what was recorded since the last look."""

from argparse import Namespace
from collections.abc import Iterator

from tilth.core.view import Bold, Dim, Line
from tilth.episodes.headlines import headline
from tilth.interfaces.cli.opening import open_brain
from tilth.interfaces.cli.screen import Screen
from tilth.ledger.events import Recorded
from tilth.privacy.inert import one_line

_TEXT_CHARS = 100


def run(args: Namespace, screen: Screen) -> int:
    """Show a page of changes, and the cursor to go on with."""
    with open_brain(args) as brain:
        page = brain.changes(args.since, limit=args.limit, scope=args.scope)
    items = [_item(one) for one in page.items]
    answer = {"items": items, "cursor": page.cursor, "has_more": page.has_more}
    screen.answer(answer, [line for item in items for line in _lines(item)])
    screen.say(f"{'more' if page.has_more else 'later'}: tilth changes --since {page.cursor}")
    return 0


def _item(recorded: Recorded) -> dict[str, object]:
    kind, id_, text = headline(recorded)
    return {
        "recorded_at": recorded.recorded_at,
        "seq": recorded.seq,
        "kind": kind,
        "id": id_,
        "text": text,
    }


def _lines(item: dict[str, object]) -> Iterator[Line]:
    yield (
        Bold(str(item["kind"])),
        Dim(f"  {item['recorded_at']:%Y-%m-%d %H:%M}  {item['id']}"),
    )
    yield f"  {one_line(str(item['text']), _TEXT_CHARS)}"
