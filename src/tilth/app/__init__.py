"""The object a program holds, one module for each family of its verbs."""

from tilth.app.brain import Brain
from tilth.app.parts import Parts

__all__ = ["Brain", "Parts"]
