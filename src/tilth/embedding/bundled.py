"""
The files that ride in the package: a vocabulary, a table of static vectors, MiniLM's weights.

`scripts/build_embedders.py` makes them; NOTICE says from what.
"""

import functools
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tilth.core.errors import CorruptionError
from tilth.embedding.wordpiece import WordPiece

FOLDER = Path(__file__).with_name("data")
VOCABULARY = "vocab.txt"
STATIC_TABLE = "static-256.npy"
STATIC_SCALE = "static-256-scale.npy"
MINILM_WORDS = "minilm-words.npy"
MINILM_ENCODER = "minilm-encoder.npz"

Array = NDArray[Any]


@functools.cache
def tokenizer(folder: Path = FOLDER) -> WordPiece:
    """Return the WordPiece of both bundled embedders."""
    try:
        text = (folder / VOCABULARY).read_text(encoding="utf-8")
    except OSError as error:
        raise _incomplete(VOCABULARY) from error
    return WordPiece(text.removesuffix("\n").split("\n"))


def mapped(name: str, folder: Path = FOLDER) -> Array:
    """Return the array in *name*, read from disk only where it is looked at."""
    try:
        return np.asarray(np.lib.format.open_memmap(folder / name, mode="r"))
    except (OSError, ValueError) as error:
        raise _incomplete(name) from error


def arrays(name: str, folder: Path = FOLDER) -> dict[str, Array]:
    """Return all arrays in the archive *name*, in memory."""
    try:
        with (folder / name).open("rb") as file, np.load(file) as archive:
            return dict(archive)
    except (OSError, EOFError, ValueError, zipfile.BadZipFile) as error:
        raise _incomplete(name) from error


def _incomplete(name: str) -> CorruptionError:
    return CorruptionError(
        f"the bundled file {name!r} is missing or damaged", hint="install tilth again"
    )
