"""Record what people change on pages."""

from datetime import datetime

from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError, LimitExceededError, NotFoundError
from tilth.core.scope import Visibility
from tilth.episodes.remember import WriteContext
from tilth.knowledge.facts.write.write_fact import Writing
from tilth.ledger.store import Store
from tilth.pages.compile.freshness import with_freshness
from tilth.pages.events import SectionArranged, SectionDeclined, SectionLocked, SectionUnlocked
from tilth.pages.model import Page, PageSection, name_of
from tilth.pages.tables import Pages
from tilth.privacy.exclusion import Exclusion, parse_exclusion
from tilth.privacy.redaction import scrub

TEXT_CHARS_MAX = 20_000


@dataclass(frozen=True, slots=True)
class Editor:
    """Who edits pages, in which store, what they see of it, and the excluded terms."""

    store: Store
    writing: Writing
    excluded: Exclusion
    within: Visibility

    @property
    def now(self) -> datetime:
        """The present time."""
        return self.writing.clock.now()

    @property
    def recorder(self) -> WriteContext:
        """Who records the edit, and for whom."""
        return self.writing.recorder

    def page(self, name: str) -> Page:
        """
        Return a page as it is.

        Raises:
            NotFoundError: there is no such page.
        """
        with self.store.read() as view:
            return Pages(view).get(name, self.within, self.now)

    def section(self, name: str, section: str) -> tuple[Page, PageSection]:
        """
        Return a page and one of its sections.

        Raises:
            NotFoundError: there is no such page or section.
        """
        page = self.page(name)
        there = find_section(page, section)
        if there is None:
            slugs = ", ".join(one.section.slug for one in page.sections)
            raise NotFoundError(
                f"{page.name} has no section {section[:60]!r}", hint=f"it has {slugs}"
            )
        return page, there

    def lock(self, page: Page, title: str, words: str, *, slug: str = "") -> Page:
        """
        Put a person's words in the place of a section, or in a new one; return the page.

        Raises:
            InvalidInputError: the words have a term that the page leaves out.
        """
        if parse_exclusion(page.subject.without).hides(words):
            raise InvalidInputError(
                f"a term in it is left out of the page {page.name}",
                hint=f"it leaves out {', '.join(page.subject.without)}: say it without",
            )
        there = find_section(page, slug or title)
        event = SectionLocked(
            scope=page.scope,
            name=page.name,
            section=slug or name_of(title),
            title=title,
            text=scrub(words).text,
            cites=there.section.cites if there else (),
        )
        return self.record(page, event)

    def record(
        self,
        page: Page,
        event: SectionLocked | SectionUnlocked | SectionDeclined | SectionArranged,
    ) -> Page:
        """Record what became of a section; return the page as it is then."""
        with self.store.begin() as tx:
            tx.append(event, by=self.recorder.by, owner=self.recorder.owner)
        with self.store.read() as view:
            found = Pages(view).find(page.name, page.owner, page.scope, self.now)
            return with_freshness(view, found or page, self.now, self.excluded)


def find_section(page: Page, section: str) -> PageSection | None:
    """Return the section of *page* with this name or title, if there is one."""
    wanted = {section, name_of(section)}
    return next((one for one in page.sections if one.section.slug in wanted), None)


def check_length(text: str) -> None:
    """
    Refuse what is longer than a page may be.

    Raises:
        LimitExceededError: *text* is too long.
    """
    if len(text) > TEXT_CHARS_MAX:
        raise LimitExceededError(f"a page has at most {TEXT_CHARS_MAX:,} characters")
