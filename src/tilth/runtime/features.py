"""List the features of a brain, one line each, and find their modules by name."""

import hashlib
import os
import sys
from collections.abc import Iterable, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path

from tilth.context.brief_registry import find_sources_with
from tilth.core.table import set_loader
from tilth.knowledge.about.traits import traits_live_in
from tilth.knowledge.proposals.decisions import deciders_live_in

FEATURES = (
    "tilth.ledger",
    "tilth.episodes",
    "tilth.llm",
    "tilth.knowledge.vocabulary",
    "tilth.knowledge.entities",
    "tilth.knowledge.facts",
    "tilth.knowledge.graph",
    "tilth.knowledge.outcomes",
    "tilth.knowledge.merging",
    "tilth.knowledge.proposals",
    "tilth.knowledge.changes",
    "tilth.knowledge.about",
    "tilth.practice",
    "tilth.exchanges",
    "tilth.recall",
    "tilth.playbooks",
    "tilth.skills",
    "tilth.reflection",
    "tilth.learning",
    "tilth.context",
    "tilth.context.section",
    "tilth.people",
    "tilth.maintenance",
    "tilth.gaps",
    "tilth.discovery",
    "tilth.pages",
    "tilth.garden",
    "tilth.snapshots",
    "tilth.transfer",
    "tilth.transfer.vault",
    "tilth.erasure",
)

# The folders whose modules decide what is read from a sentence.
_READERS = ("core/text", "context/work", "exchanges", "recall/order", "episodes")
_PACKAGE = Path(__file__).parent.parent


@cache
def load_features() -> None:
    """Load every event and table that a store may hold, before a store is opened."""
    for name in ("events", "tables", "conversation_tables"):
        for module in _modules_named(name):
            import_module(module)


@cache
def tables_version() -> str:
    """Return a version that changes with any module that may declare a table."""
    folders = [_PACKAGE / "core", _PACKAGE / "ledger" / "sqlite", *map(_folder, FEATURES)]
    return hashlib.sha256(repr(_files_in(folders, ".py")).encode()).hexdigest()


@cache
def readers_version() -> str:
    """Return a version that changes with any module that reads sentences."""
    files = _files_in([_PACKAGE / one for one in _READERS], (".py", ".json"))
    return hashlib.sha256(repr([sys.version, files]).encode()).hexdigest()


def _files_in(
    folders: Iterable[Path], endings: str | tuple[str, ...]
) -> Sequence[tuple[str, int, int]]:
    """Return the path, time of change and size of each file with one of these *endings*."""
    entries = (one for folder in folders for one in os.scandir(folder))
    files = ((one, one.stat()) for one in entries if one.name.endswith(endings))
    return sorted((one.path, stat.st_mtime_ns, stat.st_size) for one, stat in files)


def verb_modules() -> list[str]:
    """Return the names of the modules that declare verbs."""
    return _modules_named("verbs")


def decision_modules() -> list[str]:
    """Return the names of the modules that carry out answers to proposals."""
    return _modules_named("decisions")


def brief_source_modules() -> list[str]:
    """Return the names of the modules that register blocks of an opening brief."""
    return _modules_named("brief_source")


def _modules_named(name: str) -> list[str]:
    """Return the features' modules of this name, without importing features that have none."""
    return [
        f"{one}.{name}"
        for one in FEATURES
        if (_folder(one) / f"{name}.py").exists() or (_folder(one) / name / "__init__.py").exists()
    ]


def _folder(feature: str) -> Path:
    return _PACKAGE.joinpath(*feature.split(".")[1:])


deciders_live_in(decision_modules)
find_sources_with(brief_source_modules)
traits_live_in(lambda: ("tilth.people.tables",))
set_loader(load_features)
