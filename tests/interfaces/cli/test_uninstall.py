"""What docs/howto/install.md says about removing Tilth is all that there is to remove."""

import json
import os
import shutil
from pathlib import Path

from tilth.agents.hosts.registry import HOSTS

PAGE = Path(__file__).parents[3] / "docs" / "howto" / "install.md"
# Nothing of a developer's own machine: the folders are those that the system's rules name.
DEFAULT_FOLDERS = {"TILTH_HOME": ""}


def tree(home):
    files = sorted(path for path in home.rglob("*") if path.is_file())
    return {str(path.relative_to(home)): path.read_bytes() for path in files}


def folders_to_remove(home):
    lines = PAGE.read_text(encoding="utf-8").partition("## Remove")[2].splitlines()
    removals = [line.split()[3:] for line in lines if line.strip().startswith("$ rm ")]
    return [home / word.removeprefix("~/") for words in removals for word in words]


def test_undo_and_the_named_folders_are_all_that_is_there_to_remove(tilth, home, monkeypatch):
    for name in ("XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    for own in (".codex/hooks.json", ".cursor/hooks.json"):
        (home / own).parent.mkdir()
        (home / own).write_text('{\n  "hooks": {} // mine\n}\n' if "cursor" in own else "{}\n")
    before = tree(home)

    for words in (
        ("init",),
        ("init", *HOSTS, "--yes"),
        ("remember", "The kettle listens on port 8080.", "--session", "kitchen"),
        ("backup", home / ".local/share/tilth/kept.db"),
        ("worker", "--once"),
        ("unplug",),
    ):
        assert tilth(*words, environ=DEFAULT_FOLDERS).code == 0, words
    found = tilth("recall", "kettle", "--json", environ=DEFAULT_FOLDERS)
    assert json.loads(found.out)["hits"], "unplugging and removing the program keep the memory"
    for folder in folders_to_remove(home):
        shutil.rmtree(folder, ignore_errors=not os.path.lexists(folder))

    assert tree(home) == before
