"""Listing and tagging documents, and reading them section by section (KB-116, OB-066)."""

from collections.abc import Sequence
from dataclasses import replace

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
from tilth.episodes.events import SessionDescribed
from tilth.episodes.filters import EpisodeFilter
from tilth.episodes.remember import WriteContext
from tilth.episodes.sessions import scrubbed_info
from tilth.episodes.tables import Episodes
from tilth.ledger.snapshot import Snapshot
from tilth.ledger.store import Store

# Every document that can be named; whoever has more reads them by the IDs of their sessions.
DOCUMENTS_MAX = 10_000
SECTIONS_MAX = 1000
_NAMED_MAX = 3


def read_document(
    store: Store, slug: str, within: Visibility, *, section: str = ""
) -> tuple[Document, Sequence[DocumentSection]]:
    """
    Return a document with all its sections, or with the one that is called *section*.

    Raises:
        NotFoundError: there is no such document or section that may be seen.
        ConflictError: more than one document goes by this name.
    """
    with store.read() as view:
        document = _found(view, slug, within)
        sections = sections_in(view, document, within)
    if not section:
        return document, sections
    chosen = [one for one in sections if section in {one.slug, one.heading}]
    if not chosen:
        known = [one.slug for one in sections]
        raise NotFoundError(
            f"{document.slug} has no section {section!r}", hint=_hint(section, known)
        )
    return document, chosen


def tag_document(
    store: Store,
    slug: str,
    tags: Sequence[str],
    within: Visibility,
    *,
    is_removed: bool,
    recorder: WriteContext,
) -> Document:
    """
    Add *tags* to a document, or remove them, and return it.

    Every hit in the document shows them at once: a section has no tags of its own.

    Raises:
        NotFoundError: there is no such document that may be seen.
        ConflictError: more than one document goes by this name.
        LimitExceededError: there are too many tags then, or one is too long.
    """
    with store.begin() as tx:
        session = _found(tx, slug, within).session
        kept = [tag for tag in session.info.tags if tag not in tags]
        info = scrubbed_info(
            replace(session.info, tags=(*kept, *(() if is_removed else dict.fromkeys(tags))))
        )
        if info != session.info:
            event = SessionDescribed(session_id=session.id, info=info, scope=session.scope)
            tx.append(event, by=recorder.by, owner=recorder.owner)
    return document_of(replace(session, info=info))


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


def _found(view: Snapshot, slug: str, within: Visibility) -> Document:
    known = documents_in(view, within, limit=DOCUMENTS_MAX)
    found = [document for document in known if is_named(document, slug)]
    if not found:
        names = [document.slug for document in known]
        raise NotFoundError(f"there is no document {slug!r}", hint=_hint(slug, names))
    if len(found) > 1:
        names = [document.slug for document in found]
        raise ConflictError(
            f"{len(found)} documents are called {slug!r}",
            hint=f"name one of {', '.join(names[:_NAMED_MAX])}",
        )
    return found[0]


def _hint(word: str, known: Sequence[str]) -> str:
    from difflib import get_close_matches  # noqa: PLC0415 - for who mistyped

    close = get_close_matches(word, known, n=_NAMED_MAX, cutoff=0.4)
    return f"did you mean {', '.join(close)}?" if close else "see: tilth document list"
