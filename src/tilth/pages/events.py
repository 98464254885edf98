"""What became of pages."""

from datetime import datetime
from typing import Annotated

from tilth.core.codec import Inline, Row
from tilth.core.event import Event, Headline, event
from tilth.core.scope import Scope
from tilth.llm.spending import NOTHING_SPENT, Spending
from tilth.pages.model import Arranged, PageDraft

_PAGE = ("page", "scope", "name")
_SECTION = (*_PAGE, "section")


@event(
    "page_compiled",
    makes="pages",
    goes_with=("draft.names",),
    says=("draft.says",),
    named=("page", "draft.subject.scope", "draft.subject.name"),
)
class PageCompiled(Event):
    """A page was compiled. Whatever it cites takes it along when it is erased."""

    draft: Inline[PageDraft]

    def headline(self) -> Headline:
        """Return what it is called."""
        return Headline("page compiled", self.draft.subject.title, self.draft.subject.name)


@event("page_checked", kw_only=True, goes_with=(), named=_PAGE)
class PageChecked(Event):
    """
    A page was compiled again, from the same: it holds, as of a later place in the ledger.

    `cost` is what language models took for it in all, where one was asked again for its words.
    """

    scope: Scope
    name: str
    read_to: int
    inputs: str
    holds_until: datetime | None = None
    cost: Annotated[Spending, Row()] = NOTHING_SPENT


@event("page_removed", kw_only=True, goes_with=(), named=_PAGE)
class PageRemoved(Event):
    """A person took a page away, with the sections that were locked. Its facts stay."""

    scope: Scope
    name: str

    def headline(self) -> Headline:
        """Return which."""
        return Headline("page removed", self.name, self.name)


@event("section_locked", kw_only=True, goes_with=("cites",), says=("words",), named=_SECTION)
class SectionLocked(Event):
    """A person put a section into own words; what it cited takes it along when it is erased."""

    scope: Scope
    name: str
    section: str
    title: str
    text: str
    cites: tuple[str, ...] = ()

    @property
    def words(self) -> tuple[str, ...]:
        """What the person says."""
        return (self.text,)

    def headline(self) -> Headline:
        """Return which."""
        return Headline("section locked", f"{self.name}: {self.title}", self.name)


@event("section_arranged", kw_only=True, goes_with=(), says=("words",), named=_SECTION)
class SectionArranged(Event):
    """A person said where a section stands, what it is for, and what is left out of it."""

    scope: Scope
    name: str
    section: str
    how: Inline[Arranged]

    @property
    def words(self) -> tuple[str, ...]:
        """What the person says."""
        return (self.how.description, *self.how.without)

    def headline(self) -> Headline:
        """Return which."""
        return Headline("section arranged", f"{self.name}: {self.section}", self.name)


@event("lines_removed", kw_only=True, goes_with=("cites",), named=_PAGE)
class LinesRemoved(Event):
    """A person took lines off a page; each is known again by its words, not kept in them."""

    scope: Scope
    name: str
    lines: tuple[str, ...]
    cites: tuple[str, ...] = ()

    def headline(self) -> Headline:
        """Return of which page."""
        return Headline("lines removed", self.name, self.name)


@event("section_unlocked", kw_only=True, goes_with=(), named=_SECTION)
class SectionUnlocked(Event):
    """A section is compiled again."""

    scope: Scope
    name: str
    section: str

    def headline(self) -> Headline:
        """Return which."""
        return Headline("section unlocked", f"{self.name}: {self.section}", self.name)


@event("section_declined", kw_only=True, goes_with=(), named=_SECTION)
class SectionDeclined(Event):
    """A person wants no more to be asked about what would stand in a locked section."""

    scope: Scope
    name: str
    section: str
    signature: str

    def headline(self) -> Headline:
        """Return which."""
        return Headline("section declined", f"{self.name}: {self.section}", self.name)
