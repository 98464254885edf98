"""
Whether a real history of supersession comes back whole from statements of one side.

`python -m bench.lifecycle PEPS.jsonl.gz [ADR_FOLDER]`: each document is an entity, its status a
fact in a slot, and each line of a header that says "replaces" or "superseded by" a statement of an
edge, often said by one side alone. Then both sides of every document are read back, and its
status, and compared with what all headers say together. The last line printed is one JSON object.
"""

import argparse
import gzip
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from tilth.core.actor import Actor, ActorKind
from tilth.knowledge.vocabulary.registries import EdgeKind
from tilth.runtime import connect as bootstrap
from tilth.runtime.brain import Brain

# Whoever brings the headers in stands behind them: an import would be the past until promoted.
EDITOR = Actor("editor", ActorKind.HUMAN)
_BATCH = 200
_SUPERSEDED_BY = re.compile(r"superseded by \[[^]]*\]\((\d{4})-", re.IGNORECASE)
_SUPERSEDES = re.compile(r"supersedes \[[^]]*\]\((\d{4})-", re.IGNORECASE)
_STATUS = re.compile(r"^## Status\s+(\S[^\n]*)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Document:
    """One header: what it says of itself, of those before it and of those after it."""

    name: str
    status: str
    created: datetime | None = None
    replaces: tuple[str, ...] = ()
    superseded_by: tuple[str, ...] = ()


@dataclass(slots=True)
class Sides:
    """What a document supersedes, and by what it is superseded."""

    before: set[str] = field(default_factory=set)
    after: set[str] = field(default_factory=set)


def main() -> None:
    """Measure the data named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[1])
    parser.add_argument("peps", type=Path)
    parser.add_argument("adrs", type=Path, nargs="?", help="a folder of decision records")
    arguments = parser.parse_args()
    report = {"peps": measured(list(_peps(arguments.peps)))}
    if arguments.adrs is not None:
        report["adrs"] = measured(list(_adrs(arguments.adrs)))
    print(json.dumps({"bench": "lifecycle", **report}))


def measured(documents: Sequence[Document]) -> dict[str, int]:
    """Return how much of the history comes back."""
    with (
        TemporaryDirectory() as folder,
        bootstrap.connect(Path(folder) / "bench.db", create=True, actor=EDITOR) as brain,
    ):
        stated, kept = _tell(brain, documents)
        held = {one.name: _sides(brain, one.name) for one in documents}
        statuses = {one.name: _status(brain, one.name) for one in documents}
        findings = len(brain.verify().findings)
    said = _said(documents)
    return {
        "documents": len(documents),
        "statuses_equal": sum(statuses[one.name] == one.status for one in documents),
        "statements": stated,
        "stated_by_one_side": _one_sided(documents),
        "edges": kept,
        "edges_of_the_headers": sum(len(one.before) for one in said.values()),
        "documents_with_both_sides_equal": sum(held[name] == said[name] for name in said),
        "superseded": sum(bool(one.after) for one in held.values()),
        "findings": findings,
    }


def _tell(brain: Brain, documents: Sequence[Document]) -> tuple[int, int]:
    """State all headers; return how many statements of edges there were, and edges they made."""
    for one in documents:
        brain.entities.add(one.name, type="decision")
    for start in range(0, len(documents), _BATCH):
        brain.facts.add_many([_status_fact(one) for one in documents[start : start + _BATCH]])
    pairs = [(one.name, other) for one in documents for other in one.replaces]
    pairs += [(other, one.name) for one in documents for other in one.superseded_by]
    joined = [brain.edges.add(new, EdgeKind.SUPERSEDES, old) for new, old in pairs]
    return len(pairs), len({one.edge.id for one in joined})


def _status_fact(one: Document) -> dict[str, object]:
    return {
        "subject": one.name,
        "predicate": "status",
        "object": one.status,
        "valid_from": one.created,
    }


def _sides(brain: Brain, name: str) -> Sides:
    known = brain.entities.get(name).entity
    sides = Sides()
    for edge in brain.edges.list(name, kinds=[EdgeKind.SUPERSEDES], limit=1000):
        other = edge.target if edge.source == known.id else edge.source
        side = sides.before if edge.source == known.id else sides.after
        side.add(brain.entities.get(other).entity.name)
    return sides


def _status(brain: Brain, name: str) -> str:
    found = brain.state(subject=name, predicate="status")
    triples = [one.fact.said.triple for one in found.facts]
    return " ".join(triple.object for triple in triples if triple is not None)


def _said(documents: Sequence[Document]) -> dict[str, Sides]:
    """Return both sides as all headers together say them."""
    said = {one.name: Sides() for one in documents}
    for one in documents:
        for other in one.replaces:
            said[one.name].before.add(other)
            said[other].after.add(one.name)
        for other in one.superseded_by:
            said[one.name].after.add(other)
            said[other].before.add(one.name)
    return said


def _one_sided(documents: Sequence[Document]) -> int:
    new = {(one.name, other) for one in documents for other in one.replaces}
    old = {(other, one.name) for one in documents for other in one.superseded_by}
    return len(new ^ old)


def _peps(path: Path) -> Iterator[Document]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            header = json.loads(line)
            created = datetime.strptime(header["created"], "%d-%b-%Y").replace(tzinfo=UTC)
            yield Document(
                name=f"PEP {header['pep']}",
                status=header["status"],
                created=created,
                replaces=tuple(f"PEP {number}" for number in header["replaces"]),
                superseded_by=tuple(f"PEP {number}" for number in header["superseded_by"]),
            )


def _adrs(folder: Path) -> Iterator[Document]:
    for path in sorted(folder.glob("[0-9]*.md")):
        text = path.read_text(encoding="utf-8")
        status = _STATUS.search(text)
        yield Document(
            name=f"ADR {path.name[:4]}",
            status=status[1].strip().rstrip(".") if status else "unknown",
            replaces=tuple(f"ADR {number}" for number in _SUPERSEDES.findall(text)),
            superseded_by=tuple(f"ADR {number}" for number in _SUPERSEDED_BY.findall(text)),
        )


if __name__ == "__main__":
    main()
