"""
Say which fields of what is recorded nobody fills (OB-072).

    python scripts/audit_fields.py [STORE]      a store of ours; without one, the sample of the demo

A field that is filled in fewer than 3 % of the rows that have it is a capability
which nothing uses: it goes, something fills it, or it stands below with the reason.
"""

import sys
import tempfile
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from pathlib import Path

import tilth
from tilth.core.event import Event
from tilth.runtime import connect as bootstrap
from tilth.runtime.settings import Settings

SHARE_MIN = 0.03
SAMPLE = Path(tilth.__file__).with_name("runtime") / "sample"
_PAGE = 1000
# Fields that may lie idle, and when they do not.
RARE: Mapping[str, str] = {
    "FactRecorded.lifecycle": "where facts of another store are brought in",
    "Triple.written_as": "where a predicate is written in another form than it is registered in",
    "EpisodeDraft.speaker": "chats between several people name who speaks; agents' hosts do not",
    "EpisodeDraft.transport": "whoever talks to people over several ways says by which",
    "EpisodeDraft.address": "with a transport alone",
    "EpisodeDraft.direction": "with a transport alone",
    "EpisodeDraft.entity_id": "with a transport alone",
    "EpisodeDraft.conversation_id": "with a transport alone",
    "EpisodeDraft.idempotency_key": "the header of the ledger keeps its digest, the event nothing",
    "SessionInfo.tags": "people give them; most sources have none",
    "ImportFinished.contents": "tells of documents; most sources are transcripts",
    "ImportFinished.document": "tells of documents; most sources are transcripts",
    "ImportFinished.is_gone": "where the file of a document is there no more",
    "ImportFinished.told": "tells of documents; most sources are transcripts",
    "ImportFinished.known_count": "counts what a second import finds again",
    "ImportFinished.skipped_count": "counts what is broken",
    "EntityDraft.aliases": "whoever adds an entity by hand gives them; a text shows one name",
    "EntityDraft.metadata": "notes about an entity, which people write",
    "FactRecorded.authority": "an import that somebody trusts, or a human, raises it",
    "FactRecorded.supersedes": "whoever states a fact in the place of a certain other",
    "FactRecorded.unknown": "where somebody uses words that no registry holds",
    "FactRecorded.valid_to": "where a text says when something ends",
    "Statement.taxonomy": "operators file what they state; a transcript says nothing of it",
    "Taxonomy.area": "as its statement has a taxonomy",
    "Taxonomy.component": "as its statement has a taxonomy",
    "Taxonomy.environment": "as its statement has a taxonomy",
    "Taxonomy.system": "as its statement has a taxonomy",
    "Taxonomy.tags": "as its statement has a taxonomy",
    "Window.waits_for_model": "where a language model is to read sessions as well",
}


def shares(events: Iterable[Event]) -> dict[str, float]:
    """Return in which share of its rows each field is filled, by its class and name."""
    rows: Counter[str] = Counter()
    filled: Counter[str] = Counter()
    for event in events:
        for row in _rows(event):
            for one in fields(row):  # type: ignore[arg-type] # a dataclass, says _rows
                name = f"{type(row).__name__}.{one.name}"
                rows[name] += 1
                filled[name] += _is_filled(one, getattr(row, one.name))
    return {name: filled[name] / rows[name] for name in rows}


def idle(found: Mapping[str, float]) -> list[str]:
    """Return the fields that nearly nobody fills, without those that may lie idle."""
    return sorted(name for name, share in found.items() if share < SHARE_MIN and name not in RARE)


def recorded(store: Path) -> Iterator[Event]:
    """Yield what a store has recorded, in order."""
    opened = bootstrap.open_store(str(store), create=False, settings=Settings())
    try:
        with opened.read() as view:
            after = 0
            while page := view.events(after=after, limit=_PAGE):
                yield from (one.event for one in page)
                after = page[-1].seq
    finally:
        opened.close()


def make_sample(store: Path) -> None:
    """Make a store of the sample that `tilth demo` imports, and state what it says."""
    with tilth.connect(store, create=True, settings=Settings(embedder="none")) as brain:
        for report in brain.import_sources(brain.find_sources(str(SAMPLE))):
            if report.skipped:
                raise SystemExit(f"the sample is broken: {report.skipped[0]}")
        brain.distil()


def _rows(value: object) -> Iterator[object]:
    """Yield each dataclass in *value*, the whole first."""
    if isinstance(value, tuple):
        for one in value:
            yield from _rows(one)
    elif is_dataclass(value):
        yield value
        for one in fields(value):
            yield from _rows(getattr(value, one.name))


def _is_filled(one: Field[object], value: object) -> bool:
    default = one.default_factory() if one.default_factory is not MISSING else one.default
    if default is not MISSING:
        return value != default
    return value not in (None, "", 0, ())


def main() -> int:
    """Run the audit; 1 where a field lies idle that is not known to."""
    parser = ArgumentParser(description=__doc__.strip().splitlines()[0] if __doc__ else None)
    parser.add_argument("store", nargs="?", type=Path, help="a file (the sample of the demo)")
    store = parser.parse_args().store
    with tempfile.TemporaryDirectory() as folder:
        if store is None:
            store = Path(folder) / "sample.db"
            make_sample(store)
        found = shares(recorded(store))
    for name, share in sorted(found.items()):
        print(f"{share:7.1%}  {name}" + (f"  ({RARE[name]})" if name in RARE else ""))
    unused = idle(found)
    for name in unused:
        print(f"nobody fills {name}: use it, drop it, or say in RARE when it is", file=sys.stderr)
    return 1 if unused else 0


if __name__ == "__main__":
    sys.exit(main())
