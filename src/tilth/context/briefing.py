"""
From what is known to a brief that fits: blocks in their order, within a hard budget.

Each block has a share, so that none crowds out those behind it; what it leaves
goes to the next. Rules come first and are shown whole. Those beyond their own
share are not cut away silently: a line names them.
"""

from collections.abc import Callable, Iterable, Sequence

from tilth.context.model import Block, BriefBlock, BriefItem
from tilth.recall.packing import packed, token_estimate

HEADINGS: dict[Block, str] = {
    Block.RULES: "Laid down, or asked for by the user to hold from then on:",
    Block.OBJECTIVE: "The last session:",
    Block.DOCUMENTS: "Documents and their sections; read them with"
    " `tilth document show NAME [SECTION]` or as tilth://document/NAME/SECTION:",
    Block.ATTENTION: "Contested, or not looked at in a long while; check before relying on it:",
    Block.SUMMARY: "Known, decided, preferred and open in the last sessions, the newest first:",
    Block.RECENT: "Said last, the newest first:",
    Block.RECALLED: "Recorded earlier, and close to what is asked now:",
}
# In tokens; the blocks at the end take what is left.
_SHARES: dict[Block, int] = {
    Block.RULES: 500,
    Block.OBJECTIVE: 150,
    Block.DOCUMENTS: 250,
    Block.ATTENTION: 200,
    Block.SUMMARY: 400,
}
_NAMED_MAX = 5


def fitted(
    found: Iterable[tuple[Block, Sequence[BriefItem]]], budget_tokens: int
) -> list[BriefBlock]:
    """Return the blocks that hold something, each with as many of its items as there is room."""
    room, blocks = budget_tokens, []
    for kind, items in found:
        share = min(room, _SHARES.get(kind, room))
        block = _fitted(kind, items, share)
        if block.items or block.left_out:
            blocks.append(block)
            room -= sum(map(_line_cost, _lines(block)))
    return [block for block in blocks if _lines(block)]


def rendered(blocks: Iterable[BriefBlock]) -> str:
    """Return the words of a brief."""
    return "\n".join(line for block in blocks for line in _lines(block))


def _fitted(kind: Block, items: Sequence[BriefItem], share: int) -> BriefBlock:
    costs = [_line_cost(_bullet(item)) for item in items]
    share -= _line_cost(HEADINGS[kind])
    if sum(costs) > share and kind in _OVERFLOWS:
        share -= _line_cost(_OVERFLOWS[kind](items))
    if share < 0:
        # Not even the line has room that says what is left out.
        return BriefBlock(kind, (), ())
    kept = packed(items, costs, share) if share else []
    return BriefBlock(kind, tuple(kept), tuple(items[len(kept) :]))


def _lines(block: BriefBlock) -> list[str]:
    lines = [_bullet(item) for item in block.items]
    if block.kind in _OVERFLOWS and block.left_out:
        lines.append(_OVERFLOWS[block.kind](block.left_out))
    return [HEADINGS[block.kind], *lines] if lines else []


def _bullet(item: BriefItem) -> str:
    return f"- {item.text} [{item.source}]"


def _rules_left(items: Sequence[BriefItem]) -> str:
    """Return the line that names the rules for which there is no room."""
    named = list(dict.fromkeys(item.source for item in items))
    more = f" and {len(named) - _NAMED_MAX} more" if len(named) > _NAMED_MAX else ""
    return f"- Not all fit; read these too: {', '.join(named[:_NAMED_MAX])}{more}"


# What is never cut away in silence: the line that stands for what is left out.
_OVERFLOWS: dict[Block, Callable[[Sequence[BriefItem]], str]] = {
    Block.RULES: _rules_left,
    Block.DOCUMENTS: lambda items: f"- and {len(items)} more: tilth document list",
}


def _line_cost(line: str) -> int:
    return token_estimate(line + "\n")
