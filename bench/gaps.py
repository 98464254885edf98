"""
How well a want is found, and known again in other words.

    python -m bench.gaps [FILE]      JSON lines of gaps with several ways to ask for each

Each line is one gap of a family; the families are full of neighbours that are something else
("staging" and "production", "Slack" and "Discord"), so precision here is a floor of what it is in
a life. The thresholds were set on the families that are not marked `held_out`. The last line
printed is one JSON object.
"""

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import combinations
from pathlib import Path

import numpy as np

from tilth.core.actor import HOOKS
from tilth.core.ids import EpisodeId
from tilth.core.scope import DEFAULT_OWNER
from tilth.embedding.embedder import Embedder
from tilth.embedding.minilm import MiniLmEmbedder
from tilth.embedding.static import StaticEmbedder
from tilth.episodes.episode import Episode, EpisodeDraft, Role
from tilth.gaps.gap_detection import detect_gaps
from tilth.gaps.gap_matching import Likeness, compare, read_want

DATA = Path(__file__).parent / "data" / "gaps.jsonl"
DECLINED = "Sorry, I can't do that here."
DONE = "Done, it is in your folder."
# The rule that a store without readings of wants would have.
COSINES = (0.6, 0.8, 0.92)


@dataclass(frozen=True, slots=True)
class Ask:
    """One way to ask for something."""

    gap: str
    text: str
    is_held_out: bool


def read(path: Path) -> list[Ask]:
    """Return every way to ask, gap by gap."""
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    return [Ask(line["gap"], text, line["held_out"]) for line in lines for text in line["asked"]]


def found(asks: Sequence[Ask]) -> Mapping[str, float]:
    """Return in which share of turns a gap is seen: of those that were declined, and done."""
    return {
        answer: round(sum(bool(_lacks(ask.text, words)) for ask in asks) / len(asks), 3)
        for answer, words in (("declined", DECLINED), ("done", DONE))
    }


def known_again(asks: Sequence[Ask], embedder: Embedder) -> Mapping[str, float]:
    """Return how sure and how complete the pairs are that are called the same."""
    texts = [_description(ask.text) for ask in asks]
    vectors, wants = embedder.embed(texts), [read_want(text) for text in texts]
    counts: dict[tuple[str, bool], int] = {}
    for one, other in combinations(range(len(asks)), 2):
        is_same = asks[one].gap == asks[other].gap
        cosine = float(np.dot(vectors[one], vectors[other]))
        called = [compare(wants[one], wants[other], cosine).value]
        called += [f"cosine {least}" for least in COSINES if cosine >= least]
        for name in called:
            counts[name, is_same] = counts.get((name, is_same), 0) + 1
    total = sum(counts.get((likeness.value, True), 0) for likeness in Likeness)
    figures = {"asked_about_rightly": _share(counts, "near", total)}
    for name in ("same", *(f"cosine {least}" for least in COSINES)):
        right, wrong = counts.get((name, True), 0), counts.get((name, False), 0)
        figures[f"{name}: precision"] = round(right / max(right + wrong, 1), 3)
        figures[f"{name}: recall"] = _share(counts, name, total)
    return figures


def main() -> None:
    """Print the figures of the families that were tuned on, and of those that were held out."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", nargs="?", type=Path, default=DATA)
    asks = read(parser.parse_args().file)
    told: dict[str, object] = {"found": found(asks)}
    for embedder in (StaticEmbedder(), MiniLmEmbedder()):
        for is_held_out in (False, True):
            part = [ask for ask in asks if ask.is_held_out is is_held_out]
            name = f"{embedder.space}, {'held out' if is_held_out else 'tuned'}"
            told[name] = known_again(part, embedder)
            print(name, told[name])
    print(json.dumps(told))


def _share(counts: Mapping[tuple[str, bool], int], name: str, total: int) -> float:
    return round(counts.get((name, True), 0) / max(total, 1), 3)


def _lacks(text: str, answer: str) -> list[str]:
    said = [(text, Role.USER), (answer, Role.ASSISTANT)]
    at = datetime(2026, 1, 1, tzinfo=UTC)
    thread = [
        Episode.recorded(
            EpisodeDraft(text=words, role=role),
            id=EpisodeId(f"epi_{number:026}"),
            seq=number + 1,
            owner=DEFAULT_OWNER,
            recorded_at=at,
            by=HOOKS,
        )
        for number, (words, role) in enumerate(said)
    ]
    return [lack.description for lack in detect_gaps(thread)]


def _description(text: str) -> str:
    lacks = _lacks(text, DECLINED)
    return lacks[0] if lacks else text


if __name__ == "__main__":
    main()
