"""The events of pages."""

from datetime import datetime
from typing import Annotated

from tilth.core.codec import Inline, Row
from tilth.core.event import Event, Headline, event
from tilth.core.ids import EntityId
from tilth.core.scope import Scope
from tilth.llm.spending import NOTHING_SPENT, Spending
from tilth.pages.model import Arranged, PageDraft, Subject

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
    """A page was compiled. An erase of anything that it cites erases it too."""

    draft: Inline[PageDraft]

    def headline(self) -> Headline:
        """Return the headline: its title."""
        return Headline("page compiled", self.draft.subject.title, self.draft.subject.name)


@event("page_checked", kw_only=True, goes_with=(), named=_PAGE)
class PageChecked(Event):
    """
    A page was compiled again without a change: it holds up to a later place in the ledger.

    `cost` is the total of language models, if one was asked again for its words.
    """

    scope: Scope
    name: str
    read_to: int
    inputs: str
    holds_until: datetime | None = None
    cost: Annotated[Spending, Row()] = NOTHING_SPENT


@event("page_removed", kw_only=True, goes_with=("thing",), named=_PAGE)
class PageRemoved(Event):
    """
    A person removed a page with its locked sections. Its facts stay.

    `about` is the bare subject, which has no page until a person makes it again; None on events
    from before this field existed.
    """

    scope: Scope
    name: str
    about: Subject | None = None

    @property
    def thing(self) -> EntityId | None:
        """The entity that it was about, if any."""
        return None if self.about is None else self.about.entity

    def headline(self) -> Headline:
        """Return the headline: its name."""
        return Headline("page removed", self.name, self.name)


@event("section_locked", kw_only=True, goes_with=("cites",), says=("words",), named=_SECTION)
class SectionLocked(Event):
    """A person locked a section with own words. An erase of what it cited erases it too."""

    scope: Scope
    name: str
    section: str
    title: str
    text: str
    cites: tuple[str, ...] = ()

    @property
    def words(self) -> tuple[str, ...]:
        """The person's words."""
        return (self.text,)

    def headline(self) -> Headline:
        """Return the headline: the section."""
        return Headline("section locked", f"{self.name}: {self.title}", self.name)


@event("section_arranged", kw_only=True, goes_with=(), says=("words",), named=_SECTION)
class SectionArranged(Event):
    """A person set where a section stands, what it is for, and what is left out."""

    scope: Scope
    name: str
    section: str
    how: Inline[Arranged]

    @property
    def words(self) -> tuple[str, ...]:
        """The person's words."""
        return (self.how.description, *self.how.without)

    def headline(self) -> Headline:
        """Return the headline: the section."""
        return Headline("section arranged", f"{self.name}: {self.section}", self.name)


@event("lines_removed", kw_only=True, goes_with=("cites",), named=_PAGE)
class LinesRemoved(Event):
    """A person removed lines from a page; a digest of its words identifies each."""

    scope: Scope
    name: str
    lines: tuple[str, ...]
    cites: tuple[str, ...] = ()

    def headline(self) -> Headline:
        """Return the headline: the page."""
        return Headline("lines removed", self.name, self.name)


@event("section_unlocked", kw_only=True, goes_with=(), named=_SECTION)
class SectionUnlocked(Event):
    """A section was unlocked."""

    scope: Scope
    name: str
    section: str

    def headline(self) -> Headline:
        """Return the headline: the section."""
        return Headline("section unlocked", f"{self.name}: {self.section}", self.name)


@event("section_declined", kw_only=True, goes_with=(), named=_SECTION)
class SectionDeclined(Event):
    """A person declined the compiler's text for a locked section."""

    scope: Scope
    name: str
    section: str
    signature: str

    def headline(self) -> Headline:
        """Return the headline: the section."""
        return Headline("section declined", f"{self.name}: {self.section}", self.name)
