"""
The blocks of pages in the brief that opens a session.

What tells them is loaded where there are pages: loading it takes longer than most blocks do.
"""

from tilth.context.brief_sources import Sight
from tilth.context.model import Block, BriefItem
from tilth.context.opening import tells


@tells(Block.FOUNDATIONAL)
def foundational(sight: Sight) -> list[BriefItem]:
    """Return the pages that a person wants every session to read, whole."""
    if "pages" not in sight.filled:
        return []
    from tilth.pages import opened  # noqa: PLC0415 - where there are pages

    return opened.foundational(sight)


@tells(Block.PAGES)
def compiled(sight: Sight) -> list[BriefItem]:
    """Return the other pages, that of the project first: how each stands, and its facts."""
    if "pages" not in sight.filled:
        return []
    from tilth.pages import opened  # noqa: PLC0415 - where there are pages

    return opened.compiled(sight)
