"""A schema that was found right is not checked again, and any other one is."""

import sqlite3
import subprocess
import sys

import pytest

from tilth.core.errors import CorruptionError
from tilth.ledger.sqlite.known_schema import KnownSchema
from tilth.ledger.sqlite.open_database import make_file, prepare
from tilth.runtime.features import load_features

_OPENED = """
import sys, tilth
tilth.connect(sys.argv[1]).close()
print("tilth.gaps.tables" in sys.modules)
"""


@pytest.fixture
def path(tmp_path):
    load_features()
    path = tmp_path / "tilth.db"
    make_file(path)
    return path


def known(tmp_path, code="one"):
    return KnownSchema(tmp_path / "state" / "schemas.json", code)


def test_what_was_checked_once_is_known_to_the_same_code_alone(path, tmp_path, monkeypatch):
    prepare(path, known=known(tmp_path))
    checked = []
    monkeypatch.setattr(
        "tilth.ledger.sqlite.open_database._check_schema", lambda *_: checked.append(True)
    )

    prepare(path, known=known(tmp_path))
    assert checked == []
    prepare(path, known=known(tmp_path, "other"))
    assert checked == [True]


def test_tables_that_changed_since_are_refused(path, tmp_path):
    prepare(path, known=known(tmp_path))
    with sqlite3.connect(path) as conn:
        conn.execute("DROP TABLE words")
    conn.close()

    with pytest.raises(CorruptionError):
        prepare(path, known=known(tmp_path))


@pytest.mark.parametrize("kept", ["", "not json", "[]"])
def test_a_damaged_note_costs_a_check_and_nothing_else(path, tmp_path, kept):
    note = known(tmp_path)
    note.file.parent.mkdir()
    note.file.write_text(kept)

    prepare(path, known=note)

    assert "one" in note.file.read_text()


def test_opening_a_known_store_loads_no_feature_that_is_not_asked_for(tmp_path):
    path = tmp_path / "tilth.db"
    environ = {"TILTH_HOME": str(tmp_path / "home")}
    make = "import sys, tilth; tilth.connect(sys.argv[1], create=True).close()"
    for program in (make, _OPENED):
        subprocess.run([sys.executable, "-c", program, str(path)], check=True, env=environ)

    again = subprocess.run(
        [sys.executable, "-c", _OPENED, str(path)],
        check=True,
        env=environ,
        capture_output=True,
        text=True,
    )

    assert again.stdout.strip() == "False"
