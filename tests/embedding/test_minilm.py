import logging
import sys
from math import erf, sqrt

import numpy as np
import pytest

from tilth.embedding import bundled, minilm
from tilth.embedding.minilm import MiniLmEmbedder
from tilth.embedding.transformer import gelu, unit

pytestmark = pytest.mark.model

SENTENCES = (
    "I moved to Lisbon last March and work for a bakery now.",
    "She lives in Portugal's capital and bakes bread for a living.",
    "The migration failed: the index was built before the column.",
    "TypeError: unsupported operand type(s) for +: 'int' and 'NoneType'",
)
# What the published float32 weights give for them.
FLOAT32_COSINES = [
    [1.0, 0.6040, 0.1566, -0.0039],
    [0.6040, 1.0, 0.0712, 0.0204],
    [0.1566, 0.0712, 1.0, 0.1454],
    [-0.0039, 0.0204, 0.1454, 1.0],
]
FLOAT32_COMPONENTS = [
    [0.0870, -0.0225, 0.0669, 0.0534],
    [0.0744, 0.0276, 0.0235, 0.0464],
    [0.0531, -0.0542, -0.0141, 0.0341],
    [-0.0247, 0.0552, 0.0363, 0.0158],
]


@pytest.fixture
def no_models_read():
    """Reads of the model are remembered; begin and end without any."""
    minilm.read_with_onnx.cache_clear()
    yield
    minilm.read_with_onnx.cache_clear()


@pytest.mark.parametrize("use_onnx", [False, True])
def test_int8_weights_keep_what_the_float32_model_says(*, use_onnx: bool):
    vectors = MiniLmEmbedder(use_onnx=use_onnx).embed(SENTENCES)

    np.testing.assert_allclose(vectors @ vectors.T, FLOAT32_COSINES, atol=0.015)
    np.testing.assert_allclose(vectors[:, :4], FLOAT32_COMPONENTS, atol=0.006)


def test_the_space_and_its_vectors_stay_as_they_are():
    vectors = MiniLmEmbedder(use_onnx=False).embed(["The cat sleeps on the sofa.", "Lisbon"])

    np.testing.assert_allclose(
        vectors[:, :4],
        [[0.1598, -0.0745, -0.0286, 0.0375], [0.0600, 0.0483, 0.0034, 0.0406]],
        atol=5e-4,
    )


def test_onnxruntime_gives_the_vectors_that_numpy_gives():
    pytest.importorskip("onnxruntime")
    texts = [*SENTENCES, "Thanks!", "??? !!!", "猫は窓のそばで寝ています。", "x = 1; " * 200]

    plain = MiniLmEmbedder(use_onnx=False).embed(texts)
    fast = MiniLmEmbedder(use_onnx=True).embed(texts)

    assert ((plain * fast).sum(axis=1) >= 0.999).all()


def test_without_onnxruntime_minilm_runs_on_numpy_and_says_so(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, no_models_read: None
):
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    for name in ("minilm_onnx", "onnx_session"):
        monkeypatch.delitem(sys.modules, f"tilth.embedding.{name}", raising=False)
    caplog.set_level(logging.INFO)

    vectors = MiniLmEmbedder().embed(SENTENCES)

    assert (vectors == MiniLmEmbedder(use_onnx=False).embed(SENTENCES)).all()
    assert "minilm runs on numpy" in caplog.text


def test_only_the_first_256_pieces_count():
    embedder = MiniLmEmbedder(use_onnx=False)

    long, longer = embedder.embed(["word " * 254, "word " * 254 + "something else"])

    np.testing.assert_allclose(long, longer, atol=1e-5)


def test_paraphrases_are_nearer_in_minilm_than_texts_that_share_words():
    question, answer, decoy = MiniLmEmbedder().embed(
        ["How old is my dog?", "Rex, our puppy, turned three years.", "How old is my car?"]
    )

    assert question @ answer > 0.4
    assert question @ decoy < 0.6


def test_the_weights_of_each_output_use_the_whole_range_of_int8():
    arrays = bundled.arrays(bundled.MINILM_ENCODER)

    weights = [array for name, array in arrays.items() if name.endswith(".weight")]

    assert len(weights) == 24
    for weight in weights:
        assert weight.dtype == np.int8
        assert (np.abs(weight.astype(np.int16)).max(axis=0) == 127).all()


def test_the_activation_is_within_a_thousandth_of_the_exact_one():
    values = np.linspace(-30, 30, 2_001, dtype=np.float32)
    exact = [x * (1 + erf(x / sqrt(2))) / 2 for x in values.tolist()]

    np.testing.assert_allclose(gelu(values.copy()), exact, atol=1e-3)


def test_a_vector_without_direction_stays_zero():
    assert unit(np.array([[0.0, 0.0], [3.0, 4.0]])).tolist() == [[0.0, 0.0], [0.6, 0.8]]
