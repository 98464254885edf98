from pathlib import Path

import pytest

from tilth.core.errors import CorruptionError
from tilth.embedding import bundled

ALL = {
    bundled.VOCABULARY,
    bundled.STATIC_TABLE,
    bundled.STATIC_SCALE,
    bundled.MINILM_WORDS,
    bundled.MINILM_ENCODER,
}


def test_the_package_holds_just_the_bundled_files_within_their_budget():
    sizes = {path.name: path.stat().st_size for path in bundled.FOLDER.iterdir()}

    assert set(sizes) == ALL
    assert sizes[bundled.STATIC_TABLE] + sizes[bundled.STATIC_SCALE] <= 10_000_000
    assert sum(sizes.values()) <= 35_000_000


@pytest.mark.parametrize("content", [None, b"", b"\x93NUMPY", b"PK\x03\x04 and no more"])
def test_a_missing_or_damaged_file_is_named(tmp_path: Path, content: bytes | None):
    if content is not None:
        (tmp_path / bundled.STATIC_TABLE).write_bytes(content)
        (tmp_path / bundled.MINILM_ENCODER).write_bytes(content)

    with pytest.raises(CorruptionError, match="static-256") as raised:
        bundled.mapped(bundled.STATIC_TABLE, tmp_path)
    with pytest.raises(CorruptionError, match="minilm-encoder"):
        bundled.arrays(bundled.MINILM_ENCODER, tmp_path)

    assert "again" in raised.value.hint


def test_a_missing_vocabulary_is_named(tmp_path: Path):
    with pytest.raises(CorruptionError, match=r"vocab\.txt"):
        bundled.tokenizer(tmp_path)
