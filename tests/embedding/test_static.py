import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from tilth.embedding.static import StaticEmbedder, importance

TEXTS = ("The cat sleeps on the sofa.", "def parse(line): return line.split(':')", "Lisbon")


def test_the_space_and_its_vectors_stay_as_they_are():
    vectors = StaticEmbedder().embed(TEXTS)

    np.testing.assert_allclose(
        vectors[:, :4],
        [
            [-0.0398, -0.0466, 0.1220, -0.0541],
            [-0.0290, -0.2569, -0.1927, -0.1113],
            [-0.1274, 0.3442, -0.1382, 0.2440],
        ],
        atol=5e-4,
    )


def test_words_of_like_meaning_are_near():
    car, automobile, banana = StaticEmbedder().word_vectors(["car", "automobile", "banana"])

    assert car @ automobile > 0.7
    assert car @ banana < 0.3


def test_a_word_of_several_pieces_has_a_vector():
    one, other, far = StaticEmbedder().word_vectors(["embeddings", "embedding", "lunch"])

    assert one @ other > one @ far
    assert np.linalg.norm(one) == pytest.approx(1, abs=1e-5)


def test_an_unknown_word_has_a_vector_of_zeros():
    vectors = StaticEmbedder().word_vectors(["猫", "known"])

    assert not vectors[0].any()
    assert vectors[1].any()


def test_what_a_text_is_about_counts_for_more_than_its_common_words():
    text, topic, filler = StaticEmbedder().embed(
        ["it was of the bakery", "bakery", "it was of the"]
    )

    assert text @ topic > 0.9
    assert text @ topic > text @ filler


def test_importance_rises_with_rarity_and_is_none_for_special_tokens():
    weight = importance(30_522)

    assert weight.shape == (30_522,)
    assert not weight[:999].any()
    assert (np.diff(weight[1996:29_612]) > 0).all()
    assert weight[1996] < 0.02  # "the"
    assert weight[29_611] > 0.99
    assert weight.max() <= 1


def test_threads_that_use_one_embedder_at_once_get_the_same_vectors():
    embedder = StaticEmbedder()
    expected = embedder.embed(TEXTS)

    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(lambda _: embedder.embed(TEXTS), range(32)))

    assert all((result == expected).all() for result in results)


def test_importing_the_static_embedder_brings_neither_http_nor_onnx():
    program = (
        "import sys, tilth.embedding.static; "
        "print(sorted({'httpx2', 'onnxruntime', 'urllib.request'} & set(sys.modules)))"
    )

    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert result.stdout.strip() == "[]"
