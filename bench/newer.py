"""
How often the statement that holds comes first, where a later one changes it or only seems to.

`python -m bench.newer FILE…`: a line of JSON for each pair of statements, `{id, kind, category,
older, newer, distractors, question, answer_in}`. In an update the newer holds; in a control the
older does, since the newer is about another thing, a plan, a question or a comparison. Each is told
in a store of its own with what else was said then, and all once more in one store. `first` is the
share where the one that holds is the first hit, `before` where it comes before the other. The last
line printed is one JSON object.
"""

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import tilth
from tilth.core.ids import SessionId
from tilth.episodes.episode import EpisodeDraft, Role

DEPTH = 20
KINDS = ("update", "control")


@dataclass(frozen=True, slots=True)
class Placed:
    """Where the one that holds and the other came, from 1; beyond `DEPTH` where neither is."""

    right: int
    wrong: int


def main() -> None:
    """Measure the files named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--wrong", action="store_true", help="name the pairs that come out wrong")
    options = parser.parse_args()
    pairs = [json.loads(line) for path in options.files for line in path.open() if line.strip()]
    report = {}
    for name, stores in (("alone", [[one] for one in pairs]), ("together", [pairs])):
        placed = {pair: at for store in stores for pair, at in _placed(store)}
        report[name] = {kind: _shares(pairs, placed, kind) for kind in KINDS}
        for kind, shares in report[name].items():
            print(
                f"{name:10}{kind:10}", "  ".join(f"{key} {value}" for key, value in shares.items())
            )
        if options.wrong:
            _print_wrong(pairs, placed)
    print(json.dumps(report))


def _placed(pairs: Sequence[Mapping[str, Any]]) -> Iterator[tuple[str, Placed]]:
    """Tell *pairs* in one store, ask each question, and yield where the two statements came."""
    with (
        TemporaryDirectory() as folder,
        tilth.connect(Path(folder) / "bench.db", create=True) as brain,
    ):
        told = [(pair["id"], key, one) for pair in pairs for key, one in _said(pair)]
        told.sort(key=lambda one: str(one[2]["date"]))
        ids = brain.remember_many([_draft(pair, one) for pair, _, one in told])
        known = {(pair, key): at for (pair, key, _), at in zip(told, ids, strict=True)}
        brain.embed_backlog()
        for pair in pairs:
            hits = [hit.id for hit in brain.recall(pair["question"], limit=DEPTH).hits]
            at = {
                key: hits.index(known[pair["id"], key]) + 1
                if known[pair["id"], key] in hits
                else DEPTH + 1
                for key in ("older", "newer")
            }
            right = pair["answer_in"]
            yield pair["id"], Placed(at.pop(right), *at.values())


def _said(pair: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, str]]]:
    yield "older", pair["older"]
    yield "newer", pair["newer"]
    for number, one in enumerate(pair["distractors"]):
        yield str(number), one


def _draft(pair: str, said: Mapping[str, str]) -> EpisodeDraft:
    """Return what was said as an episode, in a session of its own, at noon."""
    day = datetime.fromisoformat(said["date"])
    is_role = said["speaker"] in set(Role)
    return EpisodeDraft(
        text=said["text"],
        role=Role(said["speaker"]) if is_role else Role.USER,
        speaker="" if is_role else said["speaker"],
        session_id=SessionId(f"{pair} {said['date']} {said['speaker']}"),
        occurred_at=datetime.combine(day, time(12), UTC),
    )


def _shares(
    pairs: Sequence[Mapping[str, Any]], placed: Mapping[str, Placed], kind: str
) -> dict[str, float]:
    chosen = [placed[pair["id"]] for pair in pairs if pair["kind"] == kind]
    return {
        "pairs": len(chosen),
        "first": _percent([one.right == 1 for one in chosen]),
        "before": _percent([one.right < one.wrong for one in chosen]),
    }


def _percent(met: Sequence[bool]) -> float:
    return round(100 * sum(met) / max(len(met), 1), 1)


def _print_wrong(pairs: Sequence[Mapping[str, Any]], placed: Mapping[str, Placed]) -> None:
    for pair in pairs:
        at = placed[pair["id"]]
        if at.right > 1:
            print(f"  {pair['id']} {pair['category']}: {at.right}, the other {at.wrong}")


if __name__ == "__main__":
    main()
