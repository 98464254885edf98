"""Open the brain that a command line means; only commands that open one load this module."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from tilth.core.errors import ForbiddenError, TilthError
from tilth.interfaces.cli.invocation import current_actor, lent_brain
from tilth.privacy.exclusion import Exclusion, parse_exclusion
from tilth.runtime import places
from tilth.runtime.settings import Settings

if TYPE_CHECKING:
    from tilth.runtime.brain import Brain

SERVER_ENDED = "the server has ended, too; start it again: tilth serve"


def open_brain(store: str | None, owner: str | None, *, create: bool = False) -> Brain:
    """Open the brain of a store, acting as whoever gives the command."""
    if (brain := lent_brain(owner)) is not None:
        return brain
    from tilth.runtime.connect import connect  # noqa: PLC0415 - it takes what a store takes

    return connect(store, create=create, actor=current_actor(), owner=owner)


def require_person() -> None:
    """
    Refuse what only a person does, before anything is asked.

    Raises:
        ForbiddenError: an agent started this, or no terminal is there to sit at.
    """
    actor = current_actor()
    if not actor.is_human:
        raise ForbiddenError(
            f"only a person decides, and {actor.name} is {actor.kind.value}",
            hint="run it yourself, at a terminal that no agent started and with nothing redirected"
            " into it; an agent proposes: tilth fact propose, tilth review ask",
        )


def excluded() -> Exclusion:
    """Return what is not told to an agent, by this way as by MCP (KB-113); a person reads all."""
    if current_actor().is_human:
        return Exclusion()
    try:
        return parse_exclusion(settings_of().excluded_terms)
    except TilthError:
        # With settings that cannot be read no store was opened.
        return Exclusion()


def settings_of() -> Settings:
    """Return the settings in force."""
    return places.loaded(os.environ).settings


def place_of(store: str | None) -> str:
    """Return the path or URL of the store that is meant; None is the one in the settings."""
    return places.place(store, settings_of())


def is_there(where: str) -> bool:
    """Say whether *where* names a file that exists; a database behind a URL is none."""
    return "://" not in where and Path(where).exists()
