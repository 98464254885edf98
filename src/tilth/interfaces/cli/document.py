"""`tilth document list` and `tilth document read`: what was imported in sections."""

from argparse import Namespace
from collections.abc import Iterator, Sequence

from tilth.core.view import Bold, Dim, Line
from tilth.episodes.document import Document, DocumentSection
from tilth.interfaces.cli.opening import open_brain
from tilth.interfaces.cli.screen import Screen

_TEXT_IN = "  "


def list_(args: Namespace, screen: Screen) -> int:
    """List documents with their sections, the one that was imported last first."""
    with open_brain(args) as brain:
        found = brain.documents.list(limit=args.limit, offset=args.offset, scope=args.scope)
    answer = {"documents": [_told(document, sections) for document, sections in found]}
    screen.answer(answer, [line for one in found for line in _listed(*one)])
    if not found:
        screen.say("no documents; bring some in with: tilth import PATH")
    return 0


def read(args: Namespace, screen: Screen) -> int:
    """Show a document, or one section of it."""
    with open_brain(args) as brain:
        document, sections = brain.documents.read(args.slug, args.section, scope=args.scope)
    screen.answer(
        _told(document, sections) | {"texts": [section.text for section in sections]},
        _page(document, sections),
    )
    return 0


def _told(document: Document, sections: Sequence[DocumentSection]) -> dict[str, object]:
    return {
        "slug": document.slug,
        "title": document.title,
        "session_id": document.session.id,
        "scope": document.session.scope,
        "sections": [
            {
                "slug": section.slug,
                "heading": section.heading,
                "episode_ids": [piece.id for piece in section.pieces],
            }
            for section in sections
        ],
    }


def _listed(document: Document, sections: Sequence[DocumentSection]) -> Iterator[Line]:
    yield (Bold(document.slug), f"  {document.title}", Dim(f"  {document.session.scope}"))
    for section in sections:
        yield f"{_TEXT_IN}{section.slug}"


def _page(document: Document, sections: Sequence[DocumentSection]) -> Iterator[Line]:
    yield (Bold(document.title), Dim(f"  {document.slug}  {document.session.info.uri}"))
    for section in sections:
        yield ""
        last = section.pieces[-1]
        yield (Bold(section.slug), Dim(f"  {last.occurred_at:%Y-%m-%d}  {section.pieces[0].id}"))
        # Set in, so that no text can pass for a line of ours.
        for line in section.text.rstrip().split("\n"):
            yield f"{_TEXT_IN}{line}"
