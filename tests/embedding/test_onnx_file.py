import numpy as np
import pytest

from tilth.embedding.onnx_file import Graph


def test_a_written_graph_runs():
    onnxruntime = pytest.importorskip("onnxruntime")
    graph = Graph("line", {"": 20})
    values = graph.input("values", "float32", "rows", 3)
    slope = graph.constant("slope", np.array([[1.0], [2.0], [3.0]], dtype=np.float32))
    product = graph.node("MatMul", [values, slope], "product")
    result = graph.node("LeakyRelu", [product], "result", alpha=0.5)
    flat = graph.node("Flatten", [result], "flat", axis=0)
    graph.output(flat, "float32", 1, "rows")

    session = onnxruntime.InferenceSession(graph.to_bytes())

    (answer,) = session.run(None, {"values": np.array([[1, 1, 1], [-1, 0, 0]], dtype=np.float32)})
    assert answer.tolist() == [[6.0, -0.5]]


def test_a_type_that_is_not_known_is_refused():
    with pytest.raises(KeyError, match="complex64"):
        Graph("none", {"": 20}).constant("root", np.array([1j], dtype=np.complex64))
