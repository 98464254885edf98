"""
MiniLM's layers as a graph for onnxruntime, written when it is first needed.

The int8 weights go into the graph as they are. The operators are onnxruntime's own fused ones
(its docs/ContribOperators.md); of these, MatMulNBits can also round what it multiplies the weights
with to int8. It does so in blocks, and not before the attention, which keeps the cosine to the
numpy forward above .999; rounding whole tensors, the usual way, is faster but gives .993.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tilth.embedding.onnx_file import Graph
from tilth.embedding.onnx_session import open_session
from tilth.embedding.transformer import EPSILON, HEADS, LAYERS, Encoder, Floats, Mask

_FUSED = "com.microsoft"
_OPSETS = {"": 20, _FUSED: 1}
_BLOCK = 32  # values that share a scale: the smallest that costs no speed
_IN_FLOAT32, _IN_INT8 = 1, 4  # MatMulNBits' accuracy_level: what it computes in
_ZERO = 128  # what stands for 0 in the unsigned weights that MatMulNBits takes

Arrays = Mapping[str, NDArray[Any]]


def onnx_encoder(arrays: Arrays) -> Encoder:
    """Return MiniLM's layers, with the weights in *arrays*, running on onnxruntime."""
    session = open_session(graph_of(arrays), "minilm")

    def encode(hidden: Floats, mask: Mask) -> Floats:
        inputs = {"hidden": hidden, "mask": mask.astype(np.int32)}
        result: Floats = session.run(None, inputs)[0]
        return result

    return encode


def graph_of(arrays: Arrays) -> bytes:
    """Return an ONNX file with MiniLM's layers: from *hidden* and *mask* to the last *hidden*."""
    width = len(arrays["norm.gain"])
    writer = _Writer(arrays, width)
    hidden = writer.graph.input("hidden", "float32", "texts", "tokens", width)
    mask = writer.graph.input("mask", "int32", "texts", "tokens")
    for number in range(LAYERS):
        hidden = writer.layer(number, hidden, mask)
    writer.graph.output(hidden, "float32", "texts", "tokens", width)
    return writer.graph.to_bytes()


class _Writer:
    """Writes a `transformer.Layer` as operators; every name begins with the layer's number."""

    def __init__(self, arrays: Arrays, width: int) -> None:
        self.graph = Graph("minilm", _OPSETS)
        self._arrays = arrays
        self._width = width

    def layer(self, number: int, hidden: str, mask: str) -> str:
        """Write one layer, and return the name of its output."""
        at = f"{number}."
        mixed = self._attend(f"{at}query_key_value", hidden, mask)
        attended = self._product(f"{at}attention_output", mixed)
        attended = self._add_and_norm(
            attended, hidden, f"{at}attention_output", f"{at}attention_norm"
        )
        inner = self._product(f"{at}intermediate", attended)
        inner = self._node(
            "FastGelu", [inner, self._constant(f"{at}intermediate.bias")], f"{at}gelu"
        )
        outer = self._product(f"{at}output", inner)
        return self._add_and_norm(outer, attended, f"{at}output", f"{at}output_norm")

    def _attend(self, dense: str, hidden: str, mask: str) -> str:
        """Write the attention; *dense* holds the weights of queries, keys and values in a row."""
        inputs = []
        for part in range(3):
            columns = slice(part * self._width, (part + 1) * self._width)
            weight = self._arrays[f"{dense}.weight"][:, columns]
            scale = self._arrays[f"{dense}.scale"][columns]
            name = f"{dense}.{part}"
            inputs.append(self._multiply(name, hidden, weight, scale, _IN_FLOAT32))
        inputs += [self._constant(f"{dense}.bias"), mask]
        return self._node("MultiHeadAttention", inputs, f"{dense}.mixed", num_heads=HEADS)

    def _product(self, dense: str, values: str) -> str:
        """Multiply *values* with the weights of *dense*, without its bias."""
        weight, scale = self._arrays[f"{dense}.weight"], self._arrays[f"{dense}.scale"]
        return self._multiply(dense, values, weight, scale, _IN_INT8)

    def _multiply(
        self,
        name: str,
        values: str,
        weight: NDArray[np.int8],
        scale: NDArray[np.float32],
        accuracy: int,
    ) -> str:
        inputs, outputs = weight.shape
        unsigned = (weight.T.astype(np.int16) + _ZERO).astype(np.uint8)
        blocks = unsigned.reshape(outputs, inputs // _BLOCK, _BLOCK)
        scales = np.repeat(scale, inputs // _BLOCK)
        constants = [
            self.graph.constant(f"{name}.blocks", blocks),
            self.graph.constant(f"{name}.scales", scales),
        ]
        sizes = {"K": inputs, "N": outputs, "bits": 8, "block_size": _BLOCK}
        return self._node(
            "MatMulNBits", [values, *constants], f"{name}.product", accuracy_level=accuracy, **sizes
        )

    def _add_and_norm(self, values: str, residual: str, dense: str, norm: str) -> str:
        """Add the bias of *dense* and the *residual*, then normalise."""
        constants = [f"{norm}.gain", f"{norm}.bias", f"{dense}.bias"]
        inputs = [values, residual, *map(self._constant, constants)]
        return self._node("SkipLayerNormalization", inputs, f"{norm}.normed", epsilon=EPSILON)

    def _node(self, operator: str, inputs: list[str], output: str, **settings: float) -> str:
        return self.graph.node(operator, inputs, output, domain=_FUSED, **settings)

    def _constant(self, name: str) -> str:
        return self.graph.constant(name, self._arrays[name])
