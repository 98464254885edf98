"""The verbs that search for material and fetch it."""

import logging
from typing import Annotated, Protocol

from tilth.core.errors import TilthError
from tilth.core.scope import GLOBAL
from tilth.core.verb import HUMANS, Arg, verb
from tilth.discovery import views
from tilth.discovery.model import FetchedPage, Finds, page_session
from tilth.discovery.places import Places
from tilth.episodes.context import Context, Narrowed, Place
from tilth.episodes.document import document_slug

logger = logging.getLogger(__name__)


class Needs(Context, Protocol):
    """What looking for material needs of a brain besides what every verb needs."""

    def places(self, scope: str | None) -> Places:
        """Return where material of a scope is found; of everywhere, if None."""


@verb(
    "document find",
    roles=HUMANS,
    view=views.finds,
    examples=("tilth document find write-ahead log checkpoints",),
)
def find(
    brain: Needs,
    question: Annotated[str, Arg("what to look for", is_words=True)],
    *,
    limit: Annotated[
        int, Arg("the most results of each provider", metavar="N", least=1, most=50)
    ] = 5,
    scope: Narrowed = None,
) -> Finds:
    """
    Find addresses to read, in the brain and by the configured search providers.

    Only a person may ask, since the question goes to every provider. Excluded terms and secrets are
    removed from it first.

    Returns:
        What each place found, the best first, and what went wrong.

    Raises:
        InvalidInputError: the question is empty.
    """
    places, notes = brain.places(scope), list[str]()
    found = [*places.own.search(question, limit=limit)]
    for search in places.searches:
        try:
            found += search.search(question, limit=limit)
        except TilthError as error:
            logger.warning("search failed: provider=%s code=%s", search.name, error.code)
            notes.append(f"{search.name}: {error}" + (f" ({error.hint})" if error.hint else ""))
    return Finds(tuple(found), tuple(notes))


@verb(
    "document fetch",
    roles=HUMANS,
    view=views.fetched,
    key="address",
    examples=("tilth document fetch https://www.sqlite.org/wal.html",),
)
def fetch(
    brain: Needs,
    address: Annotated[str, Arg("the URL of a public page", metavar="URL")],
    *,
    scope: Place = GLOBAL,
) -> FetchedPage:
    """
    Fetch a public page of the web, and keep its text as a document.

    The text is somebody else's: recall finds it with that label, no brief tells it, and no fact is
    made of it.

    Returns:
        The page, and the name by which `documents.read` gives its text.

    Raises:
        UnsupportedError: fetching is off, or its extra is not installed.
        RefusedError: the page is not public, is of a kind that is not read, or its robots.txt
            forbids it.
        NotFoundError: the page does not exist.
        UnreachableError: no complete answer came.
    """
    document = brain.places(scope).read(address)
    logger.info("page fetched: chars=%d", len(document.text))
    return FetchedPage(
        address=document.address,
        title=document.title,
        domain=document.domain,
        slug=document_slug(page_session(document.address)),
        word_count=len(document.text.split()),
        published=document.published,
    )
