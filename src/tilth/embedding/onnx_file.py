"""
Just enough of ONNX's file format to write a graph.

The format is protocol buffers (onnx.proto of the ONNX project, version 3): every field is a key,
``number << 3 | wire type``, and a value. The ``onnx`` package is 20 MB for what takes a page here.
"""

import struct
from collections.abc import Iterable, Mapping
from dataclasses import field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tilth.core.dataclass import dataclass

_IR_VERSION = 9
_VARINT, _BYTES, _FIXED32 = 0, 2, 5
_FLOAT_ATTRIBUTE, _INT_ATTRIBUTE = 1, 2  # AttributeProto.AttributeType
# TensorProto.DataType
_TYPES = {"float32": 1, "uint8": 2, "int8": 3, "int32": 6, "int64": 7}

Dimension = int | str


@dataclass(slots=True)
class Graph:
    """A graph under construction: values have names, and each node gives one."""

    name: str
    opsets: Mapping[str, int]  # the version of each operator domain in use
    _parts: list[bytes] = field(default_factory=list)

    def node(
        self,
        operator: str,
        inputs: Iterable[str],
        output: str,
        /,
        domain: str = "",
        **settings: float,
    ) -> str:
        """Add an operator with one output, and return the output's name."""
        body = b"".join(_text(1, name) for name in inputs)
        body += _text(2, output) + _text(3, output) + _text(4, operator)
        body += b"".join(_message(5, _attribute(*setting)) for setting in settings.items())
        self._parts.append(_message(1, body + _text(7, domain)))
        return output

    def constant(self, name: str, array: NDArray[Any]) -> str:
        """Add an array that the file holds, and return its name."""
        body = b"".join(_number(1, size) for size in array.shape)
        body += _number(2, _TYPES[array.dtype.name]) + _text(8, name)
        self._parts.append(_message(5, body + _message(9, np.ascontiguousarray(array).tobytes())))
        return name

    def input(self, name: str, dtype: str, *shape: Dimension) -> str:
        """Declare what the graph is given, and return its name."""
        self._parts.append(_message(11, _value(name, dtype, shape)))
        return name

    def output(self, name: str, dtype: str, *shape: Dimension) -> str:
        """Declare what the graph gives, and return its name."""
        self._parts.append(_message(12, _value(name, dtype, shape)))
        return name

    def to_bytes(self) -> bytes:
        """Return the whole file."""
        opsets = (_text(1, domain) + _number(2, to) for domain, to in self.opsets.items())
        header = _number(1, _IR_VERSION) + b"".join(_message(8, opset) for opset in opsets)
        return header + _message(7, b"".join(self._parts) + _text(2, self.name))


def _attribute(name: str, setting: float) -> bytes:
    if isinstance(setting, int):
        return _text(1, name) + _number(3, setting) + _number(20, _INT_ATTRIBUTE)
    exact = _key(2, _FIXED32) + struct.pack("<f", setting)
    return _text(1, name) + exact + _number(20, _FLOAT_ATTRIBUTE)


def _value(name: str, dtype: str, shape: tuple[Dimension, ...]) -> bytes:
    sizes = (_number(1, at) if isinstance(at, int) else _text(2, at) for at in shape)
    tensor = _number(1, _TYPES[dtype]) + _message(2, b"".join(_message(1, size) for size in sizes))
    return _text(1, name) + _message(2, _message(1, tensor))


def _text(number: int, value: str) -> bytes:
    return _message(number, value.encode())


def _message(number: int, body: bytes) -> bytes:
    return _key(number, _BYTES) + _varint(len(body)) + body


def _number(number: int, value: int) -> bytes:
    return _key(number, _VARINT) + _varint(value)


def _key(number: int, wire_type: int) -> bytes:
    return _varint(number << 3 | wire_type)


def _varint(value: int) -> bytes:
    """Write a whole number, seven bits a byte, the lowest first; the high bit says more follow."""
    written = bytearray()
    while rest := value >> 7:
        written.append(value & 0x7F | 0x80)
        value = rest
    written.append(value)
    return bytes(written)
