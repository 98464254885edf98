"""The verbs as methods of `Brain`; their types are in `methods.pyi`, which is generated."""

from tilth.core.methods import Methods

__all__ = ["Methods"]
