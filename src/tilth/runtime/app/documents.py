"""Documents."""

from collections.abc import Sequence

from tilth.episodes import documents
from tilth.episodes.document import Document, DocumentSection
from tilth.runtime.parts import Parts, within


class Documents:
    """The documents of a brain."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def list(
        self, *, limit: int = 100, offset: int = 0, scope: str | None = None
    ) -> Sequence[tuple[Document, Sequence[DocumentSection]]]:
        """See `tilth.episodes.documents.list_documents`."""
        seen = within(self._parts, scope)
        return documents.list_documents(self._parts.store, seen, limit=limit, offset=offset)

    def read(
        self, slug: str, section: str = "", *, scope: str | None = None
    ) -> tuple[Document, Sequence[DocumentSection]]:
        """See `tilth.episodes.documents.read_document`."""
        seen = within(self._parts, scope)
        return documents.read_document(self._parts.store, slug, seen, section=section)
