"""
Open a model in onnxruntime. Importing this module needs the ``onnx`` extra.

onnxruntime reports to its maker as soon as it is imported, unless it is told not to before
(1.31, github.com/microsoft/onnxruntime/pull/27379). So nothing else may import it.
"""

import os

# The second name is that of the releases in between.
os.environ["ORT_DISABLE_TELEMETRY"] = os.environ["ORT_TELEMETRY_DISABLED"] = "1"

import onnxruntime
from onnxruntime.capi import onnxruntime_pybind11_state as state

from tilth.core.errors import UnsupportedError

_ERRORS_ONLY = 3
_REFUSALS = (
    state.Fail,
    state.InvalidArgument,
    state.InvalidGraph,
    state.InvalidProtobuf,
    state.NoSuchFile,
    state.NotImplemented,
    state.RuntimeException,
)


def open_session(model: bytes | str, name: str) -> onnxruntime.InferenceSession:
    """
    Return a session that runs *model*, a file's content or its path.

    Raises:
        UnsupportedError: onnxruntime refuses the model; the error calls it *name*.
    """
    options = onnxruntime.SessionOptions()
    options.log_severity_level = _ERRORS_ONLY
    # Threads that spin while they wait starve the other work of a busy machine.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    except _REFUSALS as error:
        raise UnsupportedError(
            f"onnxruntime {onnxruntime.__version__} cannot run {name!r}",
            hint="is the file whole, and not newer than onnxruntime?",
        ) from error
