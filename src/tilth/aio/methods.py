"""The verbs as asynchronous methods; their types are in `methods.pyi`, which is generated."""

from tilth.core.methods import Methods

__all__ = ["Methods"]
