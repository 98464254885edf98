"""Find documents whose file is gone: deleted, or renamed and recognised by its bytes."""

from dataclasses import replace
from functools import cached_property
from pathlib import Path

from tilth.core.scope import Owner
from tilth.ledger.store import Store
from tilth.transfer.model import Source
from tilth.transfer.reading.source_file import path_of
from tilth.transfer.tables import documents_imported, documents_read, uris_by_digest

DOCUMENTS = ("adr", "markdown", "plain-text")


def gone_at(store: Store, owner: Owner, path: str) -> list[Source]:
    """
    Return the documents at *path*, a file or a folder, whose files no longer exist.

    If the folder itself does not exist, none is returned: it may be unmounted for now.
    """
    try:
        there = Path(path).resolve()
    except (OSError, ValueError, RuntimeError):
        return []
    if not path or not (there.exists() or there.parent.exists()):
        return []
    with store.read() as view:
        read = documents_read(view, owner)
    return [
        Source(uri, session_id.partition(":")[0], 0, is_gone=True)
        for uri, session_id in read.items()
        if session_id.partition(":")[0] in DOCUMENTS
        and (file := path_of(uri)).is_relative_to(there)
        and (there.is_dir() or file == there)
        and not file.exists()
    ]


class Renames:
    """
    The URI under which each document was imported first, read once for an import.

    Its session is named after that URI, so a document that was moved continues its session.
    """

    def __init__(self, store: Store, owner: Owner) -> None:
        self._store = store
        self._owner = owner

    def followed(self, source: Source, sha256: str) -> Source:
        """Return *source* with the key under which it was imported first, if it was."""
        if source.format not in DOCUMENTS:
            return source
        uri = source.uri
        if uri not in self._sessions:
            gone = [
                one
                for one in self._uris.get(sha256, ())
                if one in self._sessions and not path_of(one).exists()
            ]
            if len(gone) != 1:
                # It is new, or several files that are gone had these bytes.
                return source
            uri = gone[0]
        key = self._sessions[uri].removeprefix(f"{source.format}:")
        return replace(source, key=key) if key.startswith("file:") else source

    @cached_property
    def _sessions(self) -> dict[str, str]:
        with self._store.read() as view:
            return documents_imported(view, self._owner, DOCUMENTS)

    @cached_property
    def _uris(self) -> dict[str, list[str]]:
        with self._store.read() as view:
            return uris_by_digest(view, self._owner)
