"""
MiniLM: all-MiniLM-L6-v2 with its weights rounded to int8, in numpy.

It knows paraphrases that the static vectors miss, at two hundred times their price, so it runs in
the background. Where onnxruntime is installed it runs the same layers, only faster: both give the
same vectors but for rounding (cosine above .999), and belong to one space.
"""

import functools
import logging
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tilth.core.dataclass import dataclass
from tilth.embedding import bundled
from tilth.embedding.batch import batches, padded
from tilth.embedding.quantized import QuantizedLinear
from tilth.embedding.transformer import (
    LAYERS,
    Embeddings,
    Encoder,
    Layer,
    Linear,
    Norm,
    mean_of_tokens,
    run_layers,
)

logger = logging.getLogger(__name__)

_BATCH_TOKENS = 512  # Measured: the activations of more fall out of a core's cache.


@dataclass(frozen=True, slots=True)
class MiniLm:
    """The model, ready to run: int8 word vectors with a scale for each, and what follows them."""

    words: NDArray[np.int8]
    word_scale: NDArray[np.float32]
    embeddings: Embeddings
    encoder: Encoder

    def embed(self, encoded: Sequence[list[int]]) -> NDArray[np.float32]:
        """Return the unit vectors of texts given as pieces, batching those of like length."""
        vectors = np.zeros((len(encoded), MiniLmEmbedder.dimensions), dtype=np.float32)
        for batch in batches(encoded, _BATCH_TOKENS):
            ids, mask = padded([encoded[place] for place in batch])
            words = self.words[ids] * self.word_scale[ids][..., None]
            vectors[batch] = mean_of_tokens(self.encoder(self.embeddings(words), mask), mask)
        return vectors


class MiniLmEmbedder:
    """
    Embeds texts by the MiniLM in the package; safe to share between threads.

    The weights are read on first use.

    Args:
        use_onnx: Run on onnxruntime where it is installed; else on numpy, as without it.
    """

    space = "minilm-384-v1"
    dimensions = 384

    def __init__(self, *, use_onnx: bool = True) -> None:
        self._use_onnx = use_onnx

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one unit vector for each text, of its first 256 pieces; zeros for an empty one."""
        model = read_with_onnx() if self._use_onnx else read()
        tokenizer = bundled.tokenizer()
        return model.embed([tokenizer.encode(text) for text in texts])


@functools.cache
def read(folder: Path = bundled.FOLDER) -> MiniLm:
    """Return the model in *folder*, running on numpy."""
    arrays = bundled.arrays(bundled.MINILM_ENCODER, folder)
    layers = tuple(_layer(arrays, number) for number in range(LAYERS))
    return _assemble(arrays, functools.partial(run_layers, layers=layers), folder)


@functools.cache
def read_with_onnx() -> MiniLm:
    """Return the bundled model, running on onnxruntime where it is installed."""
    try:
        from tilth.embedding.minilm_onnx import onnx_encoder  # noqa: PLC0415 -- an extra
    except ImportError as error:
        logger.info("minilm runs on numpy: onnxruntime=%s", error.name)
        return read()
    arrays = bundled.arrays(bundled.MINILM_ENCODER)
    return _assemble(arrays, onnx_encoder(arrays), bundled.FOLDER)


def _assemble(arrays: Mapping[str, bundled.Array], encoder: Encoder, folder: Path) -> MiniLm:
    return MiniLm(
        bundled.mapped(bundled.MINILM_WORDS, folder),
        arrays["words.scale"],
        Embeddings(arrays["position"], _norm(arrays, "norm")),
        encoder,
    )


def _layer(arrays: Mapping[str, bundled.Array], number: int) -> Layer:
    return Layer(
        _linear(arrays, f"{number}.query_key_value"),
        _linear(arrays, f"{number}.attention_output"),
        _norm(arrays, f"{number}.attention_norm"),
        _linear(arrays, f"{number}.intermediate"),
        _linear(arrays, f"{number}.output"),
        _norm(arrays, f"{number}.output_norm"),
    )


def _linear(arrays: Mapping[str, bundled.Array], name: str) -> Linear:
    return QuantizedLinear(*(arrays[f"{name}.{part}"] for part in ("weight", "scale", "bias")))


def _norm(arrays: Mapping[str, bundled.Array], name: str) -> Norm:
    return Norm(arrays[f"{name}.gain"], arrays[f"{name}.bias"])
