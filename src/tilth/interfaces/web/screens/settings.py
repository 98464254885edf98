"""Settings: what is in force and where it comes from, the hosts, and the tokens."""

import os
from dataclasses import fields

from tilth.interfaces.http.tokens import Tokens
from tilth.interfaces.web.screen import Ask, Told, screen
from tilth.privacy.redaction import scrub
from tilth.runtime import connect as bootstrap
from tilth.runtime import places
from tilth.runtime.settings import DOCS, SECRET, Settings

_HIDDEN = "(hidden)"


@screen("/settings", title="Settings", group="Look after", place=110)
def settings(ask: Ask) -> Told:
    """Gather the settings in force, hosts that are plugged in, and tokens that stand."""
    loaded, folders = places.loaded(os.environ), places.folders(os.environ)
    tokens = Tokens(places.state_file(ask.where, "tokens.json"), ask.brain.parts.clock)
    rows = [
        {
            "name": one.name,
            "value": _shown(one.name, getattr(loaded.settings, one.name)),
            "origin": loaded.origins[one.name],
            "meaning": DOCS[one.name],
        }
        for one in fields(Settings)
    ]
    return {
        "settings": rows,
        "places": {
            "store": scrub(ask.where).text if "://" in ask.where else ask.where,
            "data": folders.data,
            "state": folders.state,
            "settings file": folders.config,
        },
        "hosts": {one.host: one.at for one in bootstrap.hooks(os.environ).receipts.in_force()},
        "tokens": tokens.list(),
    }


def _shown(name: str, value: object) -> object:
    if name in SECRET:
        return _HIDDEN if value else ""
    return ", ".join(map(str, value)) if isinstance(value, tuple) else value
