"""What was brought in."""

from dataclasses import dataclass

from tilth.core.ids import SessionId
from tilth.ledger.codec import Codec, Payload


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportFinished:
    """A source was read to its end."""

    uri: str
    format: str
    sha256: str
    new_count: int
    known_count: int
    skipped_count: int


_IMPORT_FIELDS = ("uri", "format", "sha256", "new_count", "known_count", "skipped_count")


def _write_import(event: ImportFinished) -> Payload:
    return {name: getattr(event, name) for name in _IMPORT_FIELDS}


def _read_import(payload: Payload, _: SessionId | None) -> ImportFinished:
    return ImportFinished(**{name: payload[name] for name in _IMPORT_FIELDS})


CODECS = (Codec("import_finished", ImportFinished, _write_import, _read_import),)
