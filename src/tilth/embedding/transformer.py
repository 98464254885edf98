"""
The forward pass of a BERT encoder, in numpy.

Devlin et al. 2018 (arXiv:1810.04805), in the shape of all-MiniLM-L6-v2. It works in whatever
precision its weights are in: float32 at run time, float64 where the bundled files are made.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tilth.core.dataclass import dataclass

Floats = NDArray[np.floating[Any]]
Mask = NDArray[np.bool_]
Encoder = Callable[[Floats, Mask], Floats]  # from and to (texts, tokens, width)
Linear = Callable[[Floats], Floats]  # from (tokens, inputs) to (tokens, outputs), a new array

HEADS = 12
LAYERS = 6
EPSILON = 1e-12  # layer_norm_eps of the model's own configuration
_MASKED = -1e9  # added before the softmax; exp() of it is 0 in any precision


@dataclass(frozen=True, slots=True)
class Norm:
    """A layer normalisation: what it multiplies with and adds."""

    gain: Floats
    bias: Floats

    def __call__(self, values: Floats) -> Floats:
        """Return *values* with mean 0 and variance 1 along the last axis, then scaled."""
        centred: Floats = values - values.mean(axis=-1, keepdims=True)
        variance = np.einsum("...i,...i->...", centred, centred)[..., None] / centred.shape[-1]
        centred /= np.sqrt(variance + EPSILON)
        centred *= self.gain
        centred += self.bias
        return centred


@dataclass(frozen=True, slots=True)
class Dense:
    """A linear layer; *weight* is (inputs, outputs)."""

    weight: Floats
    bias: Floats

    def __call__(self, values: Floats) -> Floats:
        """Return *values*, (tokens, inputs), through the layer."""
        result: Floats = values @ self.weight
        result += self.bias
        return result


@dataclass(frozen=True, slots=True)
class Layer:
    """One encoder layer: self-attention, then a feed-forward network, each with a residual."""

    query_key_value: Linear
    attention_output: Linear
    attention_norm: Norm
    intermediate: Linear
    output: Linear
    output_norm: Norm


@dataclass(frozen=True, slots=True)
class Embeddings:
    """What a token is before the first layer. *position* holds the token type's vector too."""

    position: Floats
    norm: Norm

    def __call__(self, words: Floats) -> Floats:
        """Return (texts, tokens, width) from the word vectors of the tokens."""
        return self.norm(words + self.position[: words.shape[1]])


def gelu(values: Floats) -> Floats:
    """
    Return x · Φ(x), overwriting *values*.

    Hendrycks and Gimpel 2016 (arXiv:1606.08415), their tanh approximation written as a logistic
    function: half the passes over memory of an exact error function, within 5e-4 of it.
    """
    logit = values * values
    logit *= -2 * math.sqrt(2 / math.pi) * 0.044715
    logit -= 2 * math.sqrt(2 / math.pi)
    logit *= values
    with np.errstate(over="ignore"):  # exp() of a large logit is inf, and x / inf is the right 0
        np.exp(logit, out=logit)
    logit += 1
    values /= logit
    return values


def run_layers(
    hidden: Floats,
    mask: Mask,
    layers: tuple[Layer, ...],
    activation: Callable[[Floats], Floats] = gelu,
) -> Floats:
    """
    Run an encoder.

    Args:
        hidden: (texts, tokens, width), out of `Embeddings`.
        mask: (texts, tokens), true where there is a token.
        layers: The encoder's layers.
        activation: What the feed-forward networks use; may overwrite its argument.

    Returns:
        The last layer's output, in the shape of *hidden*.
    """
    shape = hidden.shape
    bias = np.where(mask[:, None, None, :], 0, _MASKED).astype(hidden.dtype)
    for layer in layers:
        context = layer.attention_output(_attend(hidden, bias, layer.query_key_value))
        context += hidden.reshape(-1, shape[-1])
        context = layer.attention_norm(context)
        hidden = layer.output(activation(layer.intermediate(context)))
        hidden += context
        hidden = layer.output_norm(hidden).reshape(shape)
    return hidden


def mean_of_tokens(hidden: Floats, mask: Mask) -> Floats:
    """Return the unit vector of each text: the mean of its tokens, divided by its length."""
    total: Floats = np.einsum("btw,bt->bw", hidden, mask.astype(hidden.dtype))
    return unit(total)


def unit(vectors: Floats) -> Floats:
    """Return *vectors* with length 1; a zero vector stays zero."""
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    scaled: Floats = np.divide(vectors, length, out=np.zeros_like(vectors), where=length > 0)
    return scaled


def _attend(hidden: Floats, bias: Floats, projection: Linear) -> Floats:
    """Return (texts · tokens, width): each head's mix of the values, side by side."""
    texts, tokens, width = hidden.shape
    projected = projection(hidden.reshape(-1, width))
    split = projected.reshape(texts, tokens, 3, HEADS, width // HEADS)
    query, key, value = split.transpose(2, 0, 3, 1, 4)
    weight = query @ key.swapaxes(-1, -2)
    weight *= 1 / math.sqrt(width // HEADS)
    weight += bias
    weight -= weight.max(axis=-1, keepdims=True)
    np.exp(weight, out=weight)
    weight /= weight.sum(axis=-1, keepdims=True)
    mixed: Floats = weight @ value
    return mixed.transpose(0, 2, 1, 3).reshape(-1, width)
