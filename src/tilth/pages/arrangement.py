"""Apply to a compiled page what people set: their words, their order, and what they left out."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from datetime import datetime

from tilth.core.ids import FactId
from tilth.pages.events import SectionLocked
from tilth.pages.model import TEMPLATE, Arranged, Lock, Maintainer, Page, PageSection, Section
from tilth.privacy.exclusion import parse_exclusion

_AS_IT_IS = Arranged()


def maintainer_of(section: Section, form: str) -> Maintainer:
    """Return who maintains a compiled section: whoever stated what it cites, or who worded it."""
    if not any(one.startswith(FactId.prefix) for one in section.cites):
        return Maintainer.SCANNER
    return Maintainer.SESSION if form == TEMPLATE else Maintainer.AI


def as_people_arranged(
    page: Page,
    said: Mapping[str, Arranged],
    locks: Mapping[str, tuple[SectionLocked, datetime]],
    declined: AbstractSet[tuple[str, str]],
) -> Page:
    """
    Return a page with its sections as people arranged and locked them.

    Pinned sections come first, then each at the position that a person gave it, and the rest in
    compiled order.

    Args:
        page: The page as compiled.
        said: What people said of its sections, by slug.
        locks: The locked sections by slug, each with its time.
        declined: What they declined to have there: slugs with signatures.
    """
    if not (said or locks):
        return page
    made = {}
    for one in page.sections:
        how = said.get(one.section.slug, _AS_IT_IS)
        section = without_excluded_lines(one.section, how)
        made[one.section.slug] = replace(one, section=section, arranged=how)
    own = {slug: Section(slug, event.title, ()) for slug, (event, _) in locks.items()}
    for slug, section in own.items():
        made.setdefault(slug, PageSection(section=section, arranged=said.get(slug, _AS_IT_IS)))
    sections = [
        _locked(one, *locks[slug], declined) if slug in locks else one
        for slug, one in made.items()
        if slug in locks or one.section.sentences
    ]
    sections = _in_order(sections)
    hidden = parse_exclusion(page.subject.without)
    sections = [
        replace(one, lock=replace(one.lock, text=hidden.covered(one.lock.text)))
        if one.lock
        else one
        for one in sections
    ]
    cited = (id_ for one in sections if one.lock is None for id_ in one.section.cites)
    return replace(page, sections=tuple(sections), compiled_from=tuple(dict.fromkeys(cited)))


def _in_order(sections: Sequence[PageSection]) -> list[PageSection]:
    placed = [one for one in sections if one.arranged.position and not one.arranged.is_pinned]
    ordered = [one for one in sections if one not in placed]
    ordered.sort(key=lambda one: not one.arranged.is_pinned)
    pinned = sum(one.arranged.is_pinned for one in ordered)
    for one in sorted(placed, key=lambda section: section.arranged.position):
        ordered.insert(max(pinned, one.arranged.position - 1), one)
    return ordered


def without_excluded_lines(section: Section, how: Arranged | None) -> Section:
    """Return a section without the lines that contain a term which a person left out."""
    hidden = parse_exclusion(how.without if how else ())
    kept = tuple(line for line in section.sentences if not hidden.hides(line.text))
    return replace(section, sentences=kept)


def _locked(
    there: PageSection, event: SectionLocked, at: datetime, declined: AbstractSet[tuple[str, str]]
) -> PageSection:
    section = there.section
    signature = section.signature
    is_new = bool(section.sentences) and not section.says(event.text)
    is_new = is_new and (section.slug, signature) not in declined
    lock = Lock(
        text=event.text,
        cites=event.cites,
        locked_at=at,
        pending=section.sentences if is_new else (),
        signature=signature if is_new else "",
    )
    return replace(there, lock=lock, maintainer=Maintainer.HUMAN)
