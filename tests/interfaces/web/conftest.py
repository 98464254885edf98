"""A served brain; its store holds what a person, an agent and an import said."""

import pytest

from tests.brains import a_brain
from tests.interfaces.http.served import serving


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    """Give the pages a machine of their own: hosts, settings and transcripts."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("TILTH_HOME", str(tmp_path))
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME", "TILTH_STORE"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.fixture
def served(tmp_path, make_place_on):
    place = make_place_on("sqlite")
    brain = a_brain(place.open(), place.clock)
    with serving(brain, tmp_path) as one:
        yield one
    brain.close()
