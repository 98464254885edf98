"""
Embedding by a model in a local folder, as sentence-transformers exports it to ONNX.

The folder holds ``model.onnx``, there or in ``onnx/``, and a vocabulary in ``vocab.txt`` or
``tokenizer.json``. Only uncased BERT vocabularies are read; other models are refused rather than
embedded wrongly, and an endpoint (`tilth.embedding.openai_compatible`) can serve them.
"""

import functools
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tilth.core.dataclass import dataclass
from tilth.core.errors import UnsupportedError
from tilth.embedding.batch import batches, padded
from tilth.embedding.transformer import Floats, Mask, mean_of_tokens, unit
from tilth.embedding.wordpiece import MAX_PIECES, WordPiece

_MODELS = ("model.onnx", "onnx/model.onnx")
_MODULES = {"Transformer", "Pooling", "Normalize"}  # of sentence-transformers, that are followed
_SPECIAL = {"[UNK]", "[CLS]", "[SEP]"}
_MODE = "pooling_mode_"
_MEAN, _FIRST = f"{_MODE}mean_tokens", f"{_MODE}cls_token"
_PIECES_MIN, _PIECES_MAX = 2, 512  # the special tokens, and BERT's positions
_BATCH_TOKENS = 1_024
_DIGEST_CHARACTERS = 12
_POOLED = 2  # dimensions of an output that holds one vector for each text
_WAY_OUT = "serve the model with Ollama, llama.cpp or vLLM, and set it as an endpoint"


@dataclass(frozen=True, slots=True)
class _Folder:
    """What a folder says about its model."""

    model: Path
    tokenizer: WordPiece
    pieces_max: int
    takes_first_token: bool  # instead of the mean of all


class OnnxFolderEmbedder:
    """
    Embeds texts by the model in a folder; safe to share between threads.

    The folder is read at once, its model on first use.

    Raises:
        UnsupportedError: onnxruntime is absent, or the folder holds no model that can be run.
    """

    def __init__(self, folder: Path) -> None:
        try:
            from tilth.embedding.onnx_session import open_session  # noqa: PLC0415 -- an extra
        except ImportError as error:
            raise UnsupportedError(
                "a model in a folder needs onnxruntime",
                hint="install 'tilth[onnx]', by uv tool, pipx or pip",
            ) from error
        self._folder = _read_folder(folder)
        self._name = folder.resolve().name
        self._open = functools.cache(
            functools.partial(open_session, str(self._folder.model), self._name)
        )

    @functools.cached_property
    def space(self) -> str:
        """The folder's name and the beginning of its model's hash."""
        with self._folder.model.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        return f"onnx:{self._name}:{digest[:_DIGEST_CHARACTERS]}"

    @functools.cached_property
    def dimensions(self) -> int:
        """The length of a vector."""
        return int(self._run([self._folder.tokenizer.encode("dimensions")]).shape[1])

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one unit vector for each text; zeros for an empty one."""
        limit = self._folder.pieces_max
        encoded = [self._folder.tokenizer.encode(text, limit=limit) for text in texts]
        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for batch in batches(encoded, _BATCH_TOKENS):
            vectors[batch] = self._run([encoded[place] for place in batch])
        return vectors

    def _run(self, encoded: Sequence[Sequence[int]]) -> Floats:
        ids, mask = padded(encoded)
        known = {
            "input_ids": ids,
            "attention_mask": mask.astype(np.int64),
            "token_type_ids": np.zeros_like(ids),
        }
        session = self._open()
        wanted = {node.name for node in session.get_inputs()}
        if not wanted <= known.keys():
            raise UnsupportedError(
                f"the model {self._name!r} wants more than a text", hint=_WAY_OUT
            )
        output: Floats = session.run(None, {name: known[name] for name in wanted})[0]
        return self._pooled(output, mask)

    def _pooled(self, output: Floats, mask: Mask) -> Floats:
        """Return unit vectors from a model's first output."""
        if output.ndim == _POOLED:
            return unit(output)
        return (
            unit(output[:, 0]) if self._folder.takes_first_token else mean_of_tokens(output, mask)
        )


def _read_folder(folder: Path) -> _Folder:
    model = next((folder / name for name in _MODELS if (folder / name).is_file()), None)
    if model is None:
        raise UnsupportedError(
            f"there is no model.onnx in {str(folder)!r}",
            hint="export it with sentence-transformers: backend='onnx'",
        )
    try:
        _require_known_modules(folder)
        length = int(_settings(folder, "sentence_bert_config.json").get("max_seq_length", 0))
        pieces_max = min(length, _PIECES_MAX) if length > _PIECES_MIN else MAX_PIECES
        return _Folder(model, _tokenizer(folder), pieces_max, _takes_first_token(folder))
    except (AttributeError, KeyError, OSError, TypeError, ValueError) as error:
        raise UnsupportedError(
            f"the settings in {str(folder)!r} are not those of sentence-transformers",
            hint="export the model again, or serve it as an endpoint",
        ) from error


def _settings(folder: Path, name: str) -> dict[str, Any]:
    """Return what the JSON file *name* holds; nothing if it is absent."""
    path = folder / name
    return dict(json.loads(path.read_text(encoding="utf-8"))) if path.is_file() else {}


def _require_known_modules(folder: Path) -> None:
    path = folder / "modules.json"
    modules = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else []
    unknown = {module["type"].rpartition(".")[2] for module in modules} - _MODULES
    if unknown:
        raise UnsupportedError(f"the model has parts of kind {sorted(unknown)!r}", hint=_WAY_OUT)


def _takes_first_token(folder: Path) -> bool:
    """Tell whether a text's vector is that of its first token; otherwise it is the mean of all."""
    settings = _settings(folder, "1_Pooling/config.json")
    modes = {name for name in settings if name.startswith(_MODE) and settings[name] is True}
    if len(modes) > 1 or not modes <= {_MEAN, _FIRST}:
        raise UnsupportedError(f"the model pools by {sorted(modes)!r}", hint=_WAY_OUT)
    return _FIRST in modes


def _tokenizer(folder: Path) -> WordPiece:
    """Return the folder's tokenizer, which has to be BERT's uncased WordPiece."""
    whole = _settings(folder, "tokenizer.json") or {"model": {}, "normalizer": {}}
    model = {"type": "WordPiece", "vocab": {}} | whole["model"]
    is_lower = (whole["normalizer"] or {}).get("lowercase", True)
    is_lower &= _settings(folder, "tokenizer_config.json").get("do_lower_case", True)
    pieces = sorted(model["vocab"], key=model["vocab"].get)
    if (folder / "vocab.txt").is_file():
        pieces = (folder / "vocab.txt").read_text(encoding="utf-8").rstrip("\n").split("\n")
    if not is_lower or model["type"] != "WordPiece" or not set(pieces) >= _SPECIAL:
        raise UnsupportedError(
            f"{str(folder)!r} has no uncased BERT vocabulary in vocab.txt or tokenizer.json",
            hint=_WAY_OUT,
        )
    return WordPiece(pieces)
