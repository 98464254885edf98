"""The features that a brain is made of, a line each: packages that declare verbs."""

from importlib.util import find_spec

FEATURES = (
    "tilth.episodes",
    "tilth.knowledge.changes",
    "tilth.context",
    "tilth.gaps",
)  # fmt: skip


def verb_modules() -> list[str]:
    """Return the modules that declare verbs."""
    named = (f"{feature}.verbs" for feature in FEATURES)
    return [module for module in named if find_spec(module) is not None]
