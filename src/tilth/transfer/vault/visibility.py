"""Read what a vault may show of a brain, and cover what it may not."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from datetime import datetime
from functools import cached_property, partial

from tilth.core.dataclass import dataclass
from tilth.core.event import HasHeadline, Headline, Recorded, events_by_kind
from tilth.core.ids import EntityId
from tilth.core.lifecycle import Lifecycle, Review
from tilth.core.scope import Scope, Visibility
from tilth.knowledge.entities.entity import Entity
from tilth.knowledge.entities.tables import Entities, EntityFilter
from tilth.knowledge.facts.fact import Fact
from tilth.knowledge.facts.filters import FactFilter
from tilth.knowledge.facts.tables import Facts
from tilth.ledger.realms import is_visible
from tilth.ledger.snapshot import Snapshot, every
from tilth.pages.compile.freshness import with_freshness_of_each
from tilth.pages.model import Page as Compiled
from tilth.pages.tables import Pages
from tilth.privacy.exclusion import COVER, Exclusion
from tilth.transfer.vault.page_text import inert_line

_PAGE = 1000
_LABEL_CHARS = 100
_LIFECYCLES = frozenset(
    {Lifecycle.CURRENT, Lifecycle.DRAFT, Lifecycle.HISTORICAL, Lifecycle.SUPERSEDED}
)


@dataclass
class VisibleBrain:
    """The visible part of a brain; `cover` covers secrets and excluded terms in a text."""

    view: Snapshot
    within: Visibility
    cover: Callable[[str], str]
    now: datetime
    excluded: Exclusion
    _taken: dict[str, str] = field(default_factory=dict)

    def cover_name(self, name: str) -> str:
        """Return a name without excluded terms, which may be written with hyphens in it."""
        spaced = self.excluded.covered(name.replace("-", " ").replace("_", " "))
        covered = self.excluded.covered(name)
        both = zip(covered, spaced, strict=True)
        return "".join(COVER if COVER in either else either[0] for either in both)

    def page_id(self, home: str) -> str:
        """Return the ID of the page of an entity or a scope."""
        return home if home.startswith(EntityId.prefix) else self.named_id(f"scope:{home}")

    def named_id(self, id_: str) -> str:
        """Return the covered ID of a page; no two covered IDs are equal."""
        told, count = self.cover_name(id_), 1
        while self._taken.setdefault(told, id_) != id_:
            count += 1
            told = f"{self.cover_name(id_)} {count}"
        return told

    def scope_tag(self, scope: Scope) -> str:
        """Return the tag of a scope."""
        name = self.cover_name(scope)
        return "scope/" + "".join(one if one.isalnum() else "-" for one in name).strip("-")

    def compiled(self) -> Sequence[Compiled]:
        """Return the visible compiled pages."""
        pages = Pages(self.view).select(self.within, self.now)
        return with_freshness_of_each(self.view, pages, self.now, self.excluded)

    def entities(self) -> Iterator[Entity]:
        """Yield the entities that are not merged into another, in ledger order."""
        after, which = 0, EntityFilter(within=self.within)
        while page := Entities(self.view).select(which, limit=_PAGE, after=after):
            yield from (one for one in page if one.merged_into is None)
            after = page[-1].seq

    def facts(self) -> list[Fact]:
        """Return the facts that hold, wait or have ended, but no rejected ones, in ledger order."""
        which = FactFilter(within=self.within, lifecycles=_LIFECYCLES)
        found = every(partial(Facts(self.view).select, which))
        kept = [one for one in found if one.life.review is not Review.REJECTED]
        return sorted(kept, key=lambda one: one.seq)

    @cached_property
    def changes(self) -> list[tuple[Recorded, Headline]]:
        """The changes that `tilth changes` tells, without undone ones, in ledger order."""
        quiet = [kind for kind, one in events_by_kind().items() if one.aspects.stays]
        aside = self.view.asides(self.view.head().seq)
        return [
            (one, one.headline)
            for one in self.view.later(0, but=quiet)
            if one.owner == self.within.owner
            and isinstance(one.event, HasHeadline)
            and one.event_id not in aside
            and is_visible(self.view.conn, one, self.within)
        ]


def short_line(text: str) -> str:
    """Return the beginning of a text, as a label."""
    line = inert_line(text)
    return line if len(line) <= _LABEL_CHARS else f"{line[:_LABEL_CHARS]}…"
