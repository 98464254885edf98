import importlib.util
import json
import struct
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "build_embedders.py"


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("build_embedders", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_file_with_another_hash_is_refused(script: ModuleType):
    with pytest.raises(SystemExit, match="the wheel is not what"):
        script.require("the wheel", b"something else", script.WHEEL_SHA256)


def test_tensors_are_read_from_safetensors(script: ModuleType):
    values = np.arange(6, dtype="<f4")
    header = json.dumps(
        {
            "__metadata__": {"format": "pt"},
            "places": {"dtype": "I64", "shape": [1], "data_offsets": [0, 8]},
            "weight": {"dtype": "F32", "shape": [2, 3], "data_offsets": [8, 32]},
        }
    ).encode()
    content = struct.pack("<Q", len(header)) + header + bytes(8) + values.tobytes()

    tensors = script.read_safetensors(content)

    assert list(tensors) == ["weight"]
    assert tensors["weight"].tolist() == [[0, 1, 2], [3, 4, 5]]


@pytest.mark.parametrize("axis", [0, 1])
def test_rounding_to_int8_is_off_by_half_a_step_at_most(script: ModuleType, axis: int):
    values = np.random.default_rng(7).normal(size=(40, 30))
    values[3] = 0

    rounded, scale = script.quantise(values, axis=axis)

    steps = np.expand_dims(scale, axis)
    assert rounded.dtype == np.int8
    assert (np.abs(rounded * steps - values) <= steps * 0.5001).all()


def test_the_main_axes_keep_distances(script: ModuleType):
    wide = np.random.default_rng(7).normal(size=(200, 3)) @ np.eye(3, 8)

    narrow = script.principal(wide, 3)

    assert np.linalg.norm(narrow[0] - narrow[1]) == pytest.approx(np.linalg.norm(wide[0] - wide[1]))


@pytest.mark.parametrize("seed", range(4))
def test_the_signs_of_the_main_axes_do_not_depend_on_the_machine(script: ModuleType, seed: int):
    wide = np.random.default_rng(seed).normal(size=(50, 6))
    centred = wide - wide.mean(axis=0)

    axes = np.linalg.lstsq(centred, script.principal(wide, 4))[0]

    assert (axes.max(axis=0) == np.abs(axes).max(axis=0)).all()
