"""
Register the blocks of pages in an opening brief.

The code that writes them is loaded only if there are pages: that takes longer than most blocks.
"""

from tilth.context.brief_registry import writes_block
from tilth.context.brief_sources import BriefInputs
from tilth.context.model import Block, BriefItem


@writes_block(Block.FOUNDATIONAL)
def foundational(inputs: BriefInputs) -> list[BriefItem]:
    """Return the pages that every session reads by a person's word, whole."""
    if "pages" not in inputs.filled:
        return []
    from tilth.pages import brief_pages  # noqa: PLC0415 - where there are pages

    return brief_pages.foundational(inputs)


@writes_block(Block.PAGES)
def compiled(inputs: BriefInputs) -> list[BriefItem]:
    """Return the other pages, the project's first: the state of each, and its facts."""
    if "pages" not in inputs.filled:
        return []
    from tilth.pages import brief_pages  # noqa: PLC0415 - where there are pages

    return brief_pages.compiled(inputs)
