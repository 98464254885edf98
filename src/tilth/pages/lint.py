"""Find what is wrong with pages: outdated citations, broken links, and missing pages."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from enum import StrEnum

from tilth.core.dataclass import dataclass
from tilth.core.errors import ConflictError, NotFoundError
from tilth.core.ids import FactId
from tilth.core.lifecycle import Lifecycle, Review
from tilth.core.scope import GLOBAL, Scope, Visibility
from tilth.knowledge.entities.resolve_name import entities_meant
from tilth.knowledge.facts.fact import Outline
from tilth.knowledge.facts.tables import Facts
from tilth.knowledge.proposals.proposal import ProposalKind
from tilth.knowledge.proposals.tables import ProposalFilter, Proposals
from tilth.ledger.snapshot import Snapshot
from tilth.pages.citations import cited_places_of_each
from tilth.pages.compile.missing_pages import MissingPage, find_missing_pages
from tilth.pages.document import page_lines
from tilth.pages.model import Page, PageKind, name_of
from tilth.pages.read_pages import families, links_of
from tilth.privacy.exclusion import Exclusion

_ASKED_READ = 1000
# A link in a person's words, as in a vault: [[pve2]], [[pve2#Disks|its disks]].
_LINK = re.compile(r"\[\[(\w[^\[\]|#\n]*)")


class Flaw(StrEnum):
    """What is wrong with a page."""

    STALE = "stale"
    STALE_CITATION = "stale citation"
    CONTRADICTION = "contradiction"
    ORPHAN = "orphan"
    BROKEN_LINK = "broken link"
    PENDING = "pending"
    MISSING = "missing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """
    A flaw of a page, in words, with its remedy.

    `line` is the number of the Markdown line with the flaw, from 1; 0 if it concerns the whole
    page.
    """

    flaw: Flaw
    page: str
    scope: Scope
    detail: str
    fix: str
    line: int = 0


def lint_pages(
    view: Snapshot, pages: Sequence[Page], within: Visibility, now: datetime, excluded: Exclusion
) -> list[Finding]:
    """Return what is wrong with *pages*, which are all visible ones in their present state."""
    cited = cited_places_of_each(view, pages)
    places = {place for _, ids in cited for place in ids.values()}
    # Texts are not read, since a page may cite hundreds of facts.
    outlines = Facts(view).outlines(sorted(places), Visibility(within.owner))
    found = [one for page, ids in cited for one in _of_page(page, ids, outlines)]
    found += _broken_links(view, pages, within)
    found += _orphans(view, cited, outlines)
    found += _contradictions(view, pages, within, now)
    found += [_missing(one) for one in find_missing_pages(view, pages, within, now, excluded)]
    return found


def _of_page(
    page: Page, cited: Mapping[str, int], outlines: Mapping[int, Outline]
) -> Iterator[Finding]:
    again = f"tilth page refresh {page.name}"
    if page.stale_since is not None:
        yield _finding(Flaw.STALE, page, f"since {page.stale_since:%Y-%m-%d %H:%M}", again)
    for id_ in (one for one in page.compiled_from if one.startswith(FactId.prefix)):
        fact = outlines.get(cited.get(id_, 0))
        if fact is None or fact.lifecycle is not Lifecycle.CURRENT:
            became = "is gone" if fact is None else f"is {fact.lifecycle} by now"
            yield from (
                _finding(Flaw.STALE_CITATION, page, f"line {line}: {id_} {became}", again, line)
                for line in _lines_with(page, id_) or [0]
            )
        elif fact.review is Review.DISPUTED:
            yield _finding(Flaw.CONTRADICTION, page, f"{id_} is disputed", f"tilth fact show {id_}")
    for one in page.sections:
        if one.lock is not None and one.lock.pending:
            yield _finding(
                Flaw.PENDING,
                page,
                f"the locked section {one.section.slug} would say something else",
                f"tilth page show {page.name}",
            )


def _lines_with(page: Page, id_: str) -> list[int]:
    """Return the numbers of a page's lines that cite an ID."""
    return [number for number, line in enumerate(page_lines(page), 1) if id_ in line]


def _broken_links(view: Snapshot, pages: Sequence[Page], within: Visibility) -> Iterator[Finding]:
    """Yield links in people's words that lead to no page and no thing."""
    named = {(one.scope, one.name) for one in pages}
    for page in pages:
        words = "\n".join(one.lock.text for one in page.sections if one.lock is not None)
        for target in dict.fromkeys(_LINK.findall(words)):
            meant = {
                (at, name) for at in (page.scope, GLOBAL) for name in (name_of(target), target)
            }
            if not named.isdisjoint(meant) or _is_thing(view, target, within):
                continue
            (line, *_) = _lines_with(page, f"[[{target}") or [0]
            found = f"line {line}: [[{target}]] leads to no page and no thing"
            yield _finding(
                Flaw.BROKEN_LINK, page, found, f"tilth page compile topic '{target}'", line
            )


def _is_thing(view: Snapshot, name: str, within: Visibility) -> bool:
    try:
        entities_meant(view, name, within)
    except (NotFoundError, ConflictError):
        return False
    return True


def _orphans(
    view: Snapshot,
    cited: Sequence[tuple[Page, Mapping[str, int]]],
    outlines: Mapping[int, Outline],
) -> Iterator[Finding]:
    """Yield pages about things to which no other page leads."""
    known = families(view, [page for page, _ in cited])
    led_to = {
        (link.scope, link.name)
        for page, ids in cited
        for link in links_of(page, [outlines[at] for at in ids.values() if at in outlines], known)
    }
    for page, _ in cited:
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


def _missing(one: MissingPage) -> Finding:
    what = f"project --scope {one.scope}"
    if one.entity is not None:
        what = f"entity '{one.name}' --scope {one.scope}"
    elif one.kind is PageKind.TOPIC:
        what = f"topic '{one.name}' --scope {one.scope}"
    return Finding(
        flaw=Flaw.MISSING,
        page="",
        scope=one.scope,
        detail=f"{one.name or one.scope}: {one.facts} facts are known, and there is no page",
        fix=f"tilth page compile {what}",
    )


def _finding(flaw: Flaw, page: Page, detail: str, fix: str, line: int = 0) -> Finding:
    return Finding(flaw=flaw, page=page.name, scope=page.scope, detail=detail, fix=fix, line=line)
