import json
import sys
from pathlib import Path

import numpy as np
import pytest

from tilth.core.errors import UnsupportedError
from tilth.embedding.onnx_file import Graph
from tilth.embedding.onnx_folder import OnnxFolderEmbedder

pytest.importorskip("onnxruntime")

PIECES = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "tea", "coffee", "##s"]
VECTORS = np.array(
    [[9, 9], [0, 0], [1, 0], [1, 0], [0, 4], [4, 0], [0, 0]], dtype=np.float32
)  # of each piece; a mask that is ignored shows by the first


def write_model(path: Path, *, output: str = "tokens", extra_input: str = "") -> None:
    """A model that looks its pieces up in a table, and adds the types' zeros."""
    graph = Graph("tiny", {"": 20})
    ids = graph.input("input_ids", "int64", "b", "t")
    graph.input("attention_mask", "int64", "b", "t")
    graph.input("token_type_ids", "int64", "b", "t")
    if extra_input:
        graph.input(extra_input, "int64", "b", "t")
    table = graph.constant("table", VECTORS)
    tokens = graph.node("Gather", [table, ids], "tokens", axis=0)
    if output == "pooled":
        axes = graph.constant("axes", np.array([1], dtype=np.int64))
        tokens = graph.node("ReduceSum", [tokens, axes], "pooled", keepdims=0)
        graph.output(tokens, "float32", "b", 2)
    else:
        graph.output(tokens, "float32", "b", "t", 2)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(graph.to_bytes())


def write_json(path: Path, content: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder as a model without any settings has it."""
    folder = tmp_path / "tiny-model"
    write_model(folder / "model.onnx")
    (folder / "vocab.txt").write_text("\n".join(PIECES) + "\n")
    return folder


def directions(vectors: np.ndarray) -> list[list[float]]:
    return vectors.astype(np.float64).round(3).tolist()


def test_a_text_is_the_mean_of_its_tokens_whatever_it_is_batched_with(folder: Path):
    embedder = OnnxFolderEmbedder(folder)

    vectors = embedder.embed(["Tea", "", "coffee coffees coffee"])

    assert directions(vectors) == [[0.447, 0.894], [0.0, 0.0], [1.0, 0.0]]
    assert embedder.dimensions == 2


def test_a_model_that_pools_by_itself_is_left_to(folder: Path):
    write_model(folder / "model.onnx", output="pooled")

    assert directions(OnnxFolderEmbedder(folder).embed(["tea"])) == [[0.447, 0.894]]


def test_the_first_token_is_taken_where_the_settings_say_so(folder: Path):
    write_json(folder / "1_Pooling" / "config.json", {"pooling_mode_cls_token": True})

    assert directions(OnnxFolderEmbedder(folder).embed(["tea"])) == [[1.0, 0.0]]


def test_a_model_in_the_onnx_folder_with_a_tokenizer_file_is_found(folder: Path):
    (folder / "onnx").mkdir()
    (folder / "model.onnx").rename(folder / "onnx" / "model.onnx")
    (folder / "vocab.txt").unlink()
    vocabulary = {piece: number for number, piece in reversed(list(enumerate(PIECES)))}
    write_json(
        folder / "tokenizer.json",
        {
            "model": {"type": "WordPiece", "vocab": vocabulary},
            "normalizer": {"type": "BertNormalizer", "lowercase": True},
        },
    )

    assert directions(OnnxFolderEmbedder(folder).embed(["TEA"])) == [[0.447, 0.894]]


def test_a_text_is_read_as_far_as_the_settings_say(folder: Path):
    write_json(folder / "sentence_bert_config.json", {"max_seq_length": 3})

    one, two = OnnxFolderEmbedder(folder).embed(["tea", "tea coffee"])

    assert (one == two).all()


def test_the_space_changes_with_the_model(folder: Path):
    before = OnnxFolderEmbedder(folder).space

    write_model(folder / "model.onnx", output="pooled")

    assert before.startswith("onnx:tiny-model:")
    assert OnnxFolderEmbedder(folder).space != before


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("modules.json", [{"type": "sentence_transformers.models.Dense"}], "Dense"),
        ("1_Pooling/config.json", {"pooling_mode_max_tokens": True}, "max_tokens"),
        ("tokenizer_config.json", {"do_lower_case": False}, "uncased"),
        ("tokenizer.json", {"model": {"type": "BPE"}, "normalizer": None}, "uncased"),
        (
            "tokenizer.json",
            {"model": {"type": "WordPiece"}, "normalizer": {"lowercase": False}},
            "uncased",
        ),
        ("tokenizer.json", [1], "settings"),
        ("tokenizer.json", {"model": 7}, "settings"),
        ("modules.json", {"a": 1}, "settings"),
        ("sentence_bert_config.json", {"max_seq_length": "long"}, "settings"),
    ],
)
def test_a_model_that_would_be_embedded_wrongly_is_refused(
    folder: Path, name: str, content: object, said: str
):
    write_json(folder / name, content)

    with pytest.raises(UnsupportedError, match=said) as raised:
        OnnxFolderEmbedder(folder)

    assert "endpoint" in raised.value.hint


def test_a_folder_without_a_model_is_refused(tmp_path: Path):
    with pytest.raises(UnsupportedError, match="no model"):
        OnnxFolderEmbedder(tmp_path)


def test_a_folder_without_a_vocabulary_is_refused(folder: Path):
    (folder / "vocab.txt").unlink()

    with pytest.raises(UnsupportedError, match="vocabulary"):
        OnnxFolderEmbedder(folder)


def test_a_model_that_is_damaged_is_refused_on_first_use(folder: Path):
    (folder / "model.onnx").write_bytes(b"not a model")
    embedder = OnnxFolderEmbedder(folder)

    with pytest.raises(UnsupportedError, match="tiny-model"):
        embedder.embed(["tea"])


def test_a_model_that_wants_more_than_a_text_is_refused(folder: Path):
    write_model(folder / "model.onnx", extra_input="pixels")

    with pytest.raises(UnsupportedError, match="more than a text"):
        OnnxFolderEmbedder(folder).embed(["tea"])


def test_without_onnxruntime_the_extra_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    monkeypatch.delitem(sys.modules, "tilth.embedding.onnx_session", raising=False)

    with pytest.raises(UnsupportedError, match="onnxruntime") as raised:
        OnnxFolderEmbedder(folder)

    assert "tilth[onnx]" in raised.value.hint
