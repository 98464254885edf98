"""Search every place of material, and read the addresses that any of them found."""

from collections.abc import Sequence
from dataclasses import replace

from tilth.core.dataclass import dataclass
from tilth.core.errors import UnsupportedError
from tilth.core.scope import Visibility
from tilth.discovery.model import Found, Read, Search, SourceText
from tilth.discovery.own_material import OwnMaterial
from tilth.episodes.episode import Episode, Quote
from tilth.privacy.exclusion import COVER, Exclusion
from tilth.privacy.redaction import scrub

_WEB = ("http://", "https://")
NO_FETCHING = "a person turns it on: tilth settings set web_fetch true"


@dataclass(frozen=True, slots=True)
class GuardedSearch:
    """A search that is asked nothing that is excluded or secret, and tells nothing excluded."""

    inner: Search
    excluded: Exclusion

    @property
    def name(self) -> str:
        """See `tilth.discovery.model.Search`."""
        return self.inner.name

    def search(self, question: str, *, limit: int) -> tuple[Found, ...]:
        """See `tilth.discovery.model.Search`."""
        asked = self.excluded.covered(scrub(question).text).replace(COVER, "")
        cover = self.excluded.covered
        return tuple(
            replace(one, title=cover(one.title), snippet=cover(one.snippet))
            for one in self.inner.search(asked, limit=limit)
        )


@dataclass(frozen=True, slots=True)
class Places:
    """
    Where one scope's material is: *own*, which needs no network, and what is set up besides.

    Args:
        own: What the brain holds.
        searches: The providers that are set up; none by default.
        web: What reads pages and keeps them; None where fetching is off.
    """

    own: OwnMaterial
    searches: tuple[Search, ...] = ()
    web: Read | None = None

    @property
    def within(self) -> Visibility:
        """Whose material is found, and of which scopes."""
        return self.own.within

    @property
    def all(self) -> tuple[Search, ...]:
        """Everything that can be searched, own material first."""
        return (self.own, *self.searches)

    def read(self, address: str) -> SourceText:
        """
        Return what *address* holds; a page of the web is kept as a document.

        Raises:
            UnsupportedError: it is a URL, and fetching is off.
            RefusedError: it may not be read.
            NotFoundError: nothing is there, or nothing that may be seen.
            UnreachableError: nothing whole came.
        """
        if not address.startswith(_WEB):
            return self.own.read(address)
        if self.web is None:
            raise UnsupportedError("fetching is off", hint=NO_FETCHING)
        document, cover = self.web.read(address), self.own.excluded.covered
        return replace(document, title=cover(document.title), text=cover(document.text))

    def pieces(self, address: str) -> Sequence[Episode]:
        """Return the episodes that keep what *address* holds; see `OwnMaterial.pieces`."""
        return self.own.pieces(address)

    def located(self, address: str, words: str) -> Quote | None:
        """See `OwnMaterial.located`; a page is looked up as it was kept."""
        return self.own.located(address, words)
