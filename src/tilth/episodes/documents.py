"""Listing and tagging documents, and reading them section by section (KB-116, OB-066)."""

from collections.abc import Sequence

from tilth.core.errors import ConflictError, NotFoundError
from tilth.core.scope import Visibility
from tilth.episodes.document import (
    Document,
    DocumentSection,
    document_of,
    is_named,
    sections_of,
    sections_read,
)
from tilth.episodes.episode import EpisodeKind
from tilth.episodes.filters import EpisodeFilter
from tilth.episodes.tables import Episodes
from tilth.ledger.snapshot import Snapshot

# Every document that can be named; whoever has more reads them by the IDs of their sessions.
DOCUMENTS_MAX = 10_000
SECTIONS_MAX = 1000
_NAMED_MAX = 3


def documents_in(
    view: Snapshot, within: Visibility, *, limit: int, offset: int = 0
) -> list[Document]:
    """Return documents, the one that was imported last first."""
    return [
        document_of(one) for one in Episodes(view).documents(within, limit=limit, offset=offset)
    ]


def sections_in(
    view: Snapshot, document: Document, within: Visibility, *, limit: int = SECTIONS_MAX
) -> list[DocumentSection]:
    """Return the sections of which a document is made now, of the first *limit* pieces."""
    contents = Episodes(view).contents(document.session.id, within, limit=limit)
    if contents is not None:
        return sections_read(contents)
    which = EpisodeFilter(
        within=within, session_id=document.session.id, kinds=frozenset({EpisodeKind.DOCUMENT})
    )
    return sections_of(Episodes(view).select(which, limit=limit))


def document_called(view: Snapshot, slug: str, within: Visibility) -> Document:
    """
    Return the document of a name.

    Raises:
        NotFoundError: there is no such document that may be seen.
        ConflictError: more than one document goes by this name.
    """
    known = documents_in(view, within, limit=DOCUMENTS_MAX)
    found = [document for document in known if is_named(document, slug)]
    if not found:
        names = [document.slug for document in known]
        raise NotFoundError(f"there is no document {slug!r}", hint=names_near(slug, names))
    if len(found) > 1:
        names = [document.slug for document in found]
        raise ConflictError(
            f"{len(found)} documents are called {slug!r}",
            hint=f"name one of {', '.join(names[:_NAMED_MAX])}",
        )
    return found[0]


def names_near(word: str, known: Sequence[str]) -> str:
    """Return a hint that tells which of the *known* names a word may stand for."""
    from difflib import get_close_matches  # noqa: PLC0415 - for who mistyped

    close = get_close_matches(word, known, n=_NAMED_MAX, cutoff=0.4)
    return f"did you mean {', '.join(close)}?" if close else "see: tilth document list"
