"""How a statement stands to what was said before it."""

import json
from pathlib import Path

import pytest

from tilth.recall.order import stance

SAID = Path(__file__).parents[2] / "bench" / "data" / "newer.jsonl"
# What must not follow, apostrophes, letters beyond ASCII, and what RE2 would read otherwise.
HARD = (
    "We are going to the harbour.", "We are going to sell it.", "It was not moved, after all.",
    "It was not moved.", "He didn't.", "Café → bistro, nowadays.", "Ünlü is now in charge of it.",
    "2019-11: it ran on Redis", "a -> b", "", "now", "TODO: move it",
)  # fmt: skip


@pytest.mark.parametrize("name", ["_TELLS_CHANGE", "_UNASSERTED", "_COMPARES"])
def test_what_is_looked_for_quickly_is_what_the_pattern_says(name):
    told = [json.loads(line) for line in SAID.read_text("utf-8").splitlines()]
    every = [one[key] for one in told for key in ("older", "newer", "question")]
    texts = [one["text"] if isinstance(one, dict) else one for one in every]
    sentences = [*HARD, *(said for text in texts for said in stance.sentences(text))]
    pattern = getattr(stance, name)

    slowly = [said for said in sentences if pattern._made.search(said)]
    assert [said for said in sentences if pattern.search(said)] == slowly
    assert 3 < len(slowly) < len(sentences)
