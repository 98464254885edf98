"""What every embedder promises, asked of each."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from tilth.embedding.embedder import Embedder
from tilth.embedding.minilm import MiniLmEmbedder
from tilth.embedding.static import StaticEmbedder

TEXTS = (
    "I moved to Lisbon last March and work for a bakery now.",
    "banana",
    "",
    "def parse(line: str) -> tuple[str, int]: return line.split(':')",
    "猫は窓のそばのソファで寝ています。",
    "The migration failed because the index was built before the column existed. " * 40,
    "\ud800 \x00 \u200b",
    "Le chat dort sur le canapé près de la fenêtre.",
)
EMPTY = (2, 6)


@pytest.fixture(params=["static", "minilm-numpy", "minilm-onnx"])
def embedder(request: pytest.FixtureRequest) -> Embedder:
    match request.param:
        case "static":
            return StaticEmbedder()
        case "minilm-numpy":
            return MiniLmEmbedder(use_onnx=False)
        case _:
            pytest.importorskip("onnxruntime")
            return MiniLmEmbedder()


def test_each_text_has_a_unit_vector_and_an_empty_one_zeros(embedder: Embedder):
    vectors = embedder.embed(TEXTS)

    lengths = np.linalg.norm(vectors, axis=1)
    expected = [0 if place in EMPTY else 1 for place in range(len(TEXTS))]
    assert vectors.shape == (len(TEXTS), embedder.dimensions)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(lengths, expected, atol=1e-5)


def test_no_texts_have_no_vectors(embedder: Embedder):
    assert embedder.embed([]).shape == (0, embedder.dimensions)


def test_the_vector_of_a_text_does_not_depend_on_its_company(embedder: Embedder):
    together = embedder.embed(TEXTS)

    apart = np.concatenate([embedder.embed([text]) for text in reversed(TEXTS)])[::-1]

    np.testing.assert_allclose(together, apart, atol=1e-5)


def test_threads_get_the_same_vectors(embedder: Embedder):
    # The long ones take all the time, and tell a thread no more.
    short = [text for text in TEXTS if len(text) < 300]
    expected = embedder.embed(short)

    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda _: embedder.embed(short), range(8)))

    for result in results:
        np.testing.assert_allclose(result, expected, atol=1e-5)


def test_like_texts_are_nearer_than_unlike_ones(embedder: Embedder):
    car, automobile, banana = embedder.embed(["a red car", "a red automobile", "a ripe banana"])

    assert car @ automobile > car @ banana


def test_the_space_has_a_name_that_stays(embedder: Embedder):
    before = embedder.space

    embedder.embed(TEXTS[:2])

    assert before == embedder.space
    assert before
