"""
Decide whether a page is fresh, by what it would say now.

A change of a fact marks the pages that state it. Tool runs and reports mark nothing, since nearly
all of them change no page. Instead, after work in a project, its page is compared with what it
would say, in the same snapshot. So such a page is never wrongly fresh, nor stale merely because
somebody worked.
"""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from tilth.ledger.snapshot import Snapshot
from tilth.pages.model import Page
from tilth.pages.tables import Pages
from tilth.privacy.exclusion import Exclusion


def with_freshness_of_each(
    view: Snapshot, pages: Iterable[Page], now: datetime, excluded: Exclusion
) -> list[Page]:
    """Return *pages*, each with whether it holds."""
    return [with_freshness(view, page, now, excluded) for page in pages]


def with_freshness(view: Snapshot, page: Page, now: datetime, excluded: Exclusion) -> Page:
    """Return a page with whether it holds."""
    at = None if page.is_stale else Pages(view).practised(page)
    if at is None:
        return page
    # This loads the reading of sentences, which a brief without such a page does not need.
    from tilth.pages.compile.material import gather  # noqa: PLC0415
    from tilth.pages.compile.templates import inputs_of, sections_of  # noqa: PLC0415

    material = gather(view, page.subject, page.owner, now, excluded)
    if inputs_of(material, sections_of(material)) == page.inputs:
        return page
    return replace(page, is_stale=True, stale_since=at)
