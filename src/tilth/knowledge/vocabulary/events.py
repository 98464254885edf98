"""What a human added to the words that the brain knows."""

from collections.abc import Mapping
from dataclasses import dataclass

from tilth.core.ids import SessionId
from tilth.knowledge.vocabulary.registries import Cardinality, Entry, Registry, WriteMode
from tilth.ledger.codec import Codec, Payload, without_defaults


@dataclass(frozen=True, slots=True)
class WordRegistered:
    """A predicate, an area or a tag was registered, changed, or is asked about no more."""

    entry: Entry


_DEFAULTS: Mapping[str, object] = {
    "aliases": [],
    "cardinality": Cardinality.MULTI,
    "mode": WriteMode.AUTO,
    "is_ignored": False,
}


def _write_word(event: WordRegistered) -> Payload:
    entry = event.entry
    payload = {
        "registry": entry.registry,
        "name": entry.name,
        "aliases": list(entry.aliases),
        "cardinality": entry.cardinality,
        "mode": entry.mode,
        "is_ignored": entry.is_ignored,
    }
    return without_defaults(payload, _DEFAULTS)


def _read_word(payload: Payload, _: SessionId | None) -> WordRegistered:
    entry = Entry(
        registry=Registry(payload["registry"]),
        name=payload["name"],
        aliases=tuple(payload.get("aliases", ())),
        cardinality=Cardinality(payload.get("cardinality", Cardinality.MULTI)),
        mode=WriteMode(payload.get("mode", WriteMode.AUTO)),
        is_ignored=payload.get("is_ignored", False),
    )
    return WordRegistered(entry)


CODECS = (Codec("word_registered", WordRegistered, _write_word, _read_word),)
