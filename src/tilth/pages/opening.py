"""
The blocks of pages in the brief that opens a session.

What tells them is loaded where there are pages: loading it takes longer than most blocks do.
"""

from tilth.context.brief_sources import BriefInputs
from tilth.context.model import Block, BriefItem
from tilth.context.opening import tells


@tells(Block.FOUNDATIONAL)
def foundational(inputs: BriefInputs) -> list[BriefItem]:
    """Return the pages that a person wants every session to read, whole."""
    if "pages" not in inputs.filled:
        return []
    from tilth.pages import opened  # noqa: PLC0415 - where there are pages

    return opened.foundational(inputs)


@tells(Block.PAGES)
def compiled(inputs: BriefInputs) -> list[BriefItem]:
    """Return the other pages, that of the project first: how each stands, and its facts."""
    if "pages" not in inputs.filled:
        return []
    from tilth.pages import opened  # noqa: PLC0415 - where there are pages

    return opened.compiled(inputs)
