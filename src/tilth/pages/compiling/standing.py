"""
Whether pages hold, by what they would say now.

What changes a fact marks the pages that tell it. What tools do and agents report has no such mark,
for nearly all of it changes no page: a page of a project is compared with what it would say, in
the snapshot in which it is read, once something was done there. So it is never fresh without right,
nor stale because somebody worked.
"""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from tilth.ledger.snapshot import Snapshot
from tilth.pages.model import Page
from tilth.pages.tables import Pages
from tilth.privacy.exclusion import Exclusion


def as_they_stand(
    view: Snapshot, pages: Iterable[Page], now: datetime, excluded: Exclusion
) -> list[Page]:
    """Return *pages*, each saying whether it holds."""
    return [as_it_stands(view, page, now, excluded) for page in pages]


def as_it_stands(view: Snapshot, page: Page, now: datetime, excluded: Exclusion) -> Page:
    """Return a page that says whether it holds."""
    at = None if page.is_stale else Pages(view).practised(page)
    if at is None:
        return page
    # What compiles reads sentences; a brief without such a page starts without it.
    from tilth.pages.compiling.material import gather  # noqa: PLC0415
    from tilth.pages.compiling.templates import inputs_of, sections_of  # noqa: PLC0415

    material = gather(view, page.subject, page.owner, now, excluded)
    if inputs_of(material, sections_of(material)) == page.inputs:
        return page
    return replace(page, is_stale=True, stale_since=at)
