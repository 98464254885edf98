"""What is wrong with the pages: what holds no more, what leads nowhere, and what lacks one."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from tilth.core.clock import Clock
from tilth.core.ids import FactId
from tilth.core.lifecycle import Lifecycle, Review
from tilth.core.scope import Scope, Visibility
from tilth.knowledge.facts.tables import Facts
from tilth.knowledge.proposals.proposal import ProposalKind
from tilth.knowledge.proposals.tables import ProposalFilter, Proposals
from tilth.ledger.records import find_place
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Store
from tilth.pages.model import Page, PageKind
from tilth.pages.reading import linked
from tilth.pages.tables import Pages
from tilth.pages.worthy import Worthy, worthy
from tilth.privacy.exclusion import Exclusion

_ASKED_READ = 1000


class Flaw(StrEnum):
    """What is wrong with a page."""

    STALE = "stale"
    STALE_CITATION = "stale citation"
    CONTRADICTION = "contradiction"
    ORPHAN = "orphan"
    PENDING = "pending"
    MISSING = "missing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A flaw: of which page, in words, and what puts it right."""

    flaw: Flaw
    page: str
    scope: Scope
    detail: str
    fix: str


def lint_pages(
    store: Store, clock: Clock, within: Visibility, excluded: Exclusion
) -> list[Finding]:
    """Return what is wrong with the pages that may be seen."""
    now = clock.now()
    with store.read() as view:
        pages = Pages(view).select(within, now)
        found = [one for page in pages for one in _of_page(view, page)]
        found += _orphans(view, pages)
        found += _contradictions(view, pages, within, now)
        found += [_missing(one) for one in worthy(view, within, now, excluded)]
    return found


def _of_page(view: Snapshot, page: Page) -> Iterator[Finding]:
    again = f"tilth page refresh {page.name}"
    if page.stale_since is not None:
        yield _finding(Flaw.STALE, page, f"since {page.stale_since:%Y-%m-%d %H:%M}", again)
    ids = [one for one in page.compiled_from if one.startswith(FactId.prefix)]
    places = [place for one in ids if (place := find_place(view.conn, one)) is not None]
    facts = {str(one.id): one for one in Facts(view).at(sorted(places), Visibility(page.owner))}
    for id_ in ids:
        fact = facts.get(id_)
        if fact is None or fact.life.lifecycle is not Lifecycle.CURRENT:
            became = "is gone" if fact is None else f"is {fact.life.lifecycle} by now"
            yield _finding(Flaw.STALE_CITATION, page, f"{id_} {became}", again)
        elif fact.life.review is Review.DISPUTED:
            yield _finding(Flaw.CONTRADICTION, page, f"{id_} is disputed", f"tilth fact show {id_}")
    for one in page.sections:
        if one.lock is not None and one.lock.pending:
            yield _finding(
                Flaw.PENDING,
                page,
                f"the locked section {one.section.slug} would say something else",
                f"tilth page show {page.name}",
            )


def _orphans(view: Snapshot, pages: Sequence[Page]) -> Iterator[Finding]:
    """Yield the pages about things to which no other page leads."""
    led_to = {(one.scope, one.name) for links in linked(view, pages).values() for one in links}
    for page in pages:
        if page.kind is PageKind.ENTITY and (page.scope, page.name) not in led_to:
            yield _finding(
                Flaw.ORPHAN, page, "no other page leads to it", f"tilth page remove {page.name}"
            )


def _contradictions(
    view: Snapshot, pages: Sequence[Page], within: Visibility, now: datetime
) -> Iterator[Finding]:
    which = ProposalFilter(
        within=within, waiting_at=now, kinds=frozenset({ProposalKind.CONTRADICTION})
    )
    for asked in Proposals(view).select(which, limit=_ASKED_READ):
        sides = {*asked.draft.facts, *asked.draft.retires}
        for page in pages:
            if not sides.isdisjoint(page.compiled_from):
                yield _finding(
                    Flaw.CONTRADICTION,
                    page,
                    f"{asked.id}: {asked.draft.reason}",
                    f"tilth review show {asked.id}",
                )


def _missing(one: Worthy) -> Finding:
    what = f"project --scope {one.scope}"
    if one.entity is not None:
        what = f"entity '{one.name}' --scope {one.scope}"
    return Finding(
        flaw=Flaw.MISSING,
        page="",
        scope=one.scope,
        detail=f"{one.name or one.scope}: {one.facts} facts are known, and there is no page",
        fix=f"tilth page compile {what}",
    )


def _finding(flaw: Flaw, page: Page, detail: str, fix: str) -> Finding:
    return Finding(flaw=flaw, page=page.name, scope=page.scope, detail=detail, fix=fix)
