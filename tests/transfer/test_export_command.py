"""`tilth export`."""

import json
import stat

import pytest

from tilth.core.actor import Actor, ActorKind
from tilth.interfaces.cli import invocation
from tilth.runtime.backups import last_backup

_CONFLICT = 4


@pytest.fixture
def told(ready, monkeypatch):
    """A store with an episode and a fact in it, and a person at the terminal."""
    human = Actor("human", ActorKind.HUMAN)
    monkeypatch.setattr(invocation, "caller", lambda *_, **__: human)
    ready("remember", "Write to bob@example.org from /home/ada/x.", "--session", "s1")
    ready("fact", "add", "The pump is blue.", "--about", "pump")
    return ready


def rows_of(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


@pytest.mark.row("KB-016")
def test_an_export_is_one_private_file_of_json_lines(told, tmp_path):
    file = tmp_path / "brain.jsonl"
    run = told("export", file, "--json")

    assert run.answer["counts"] == {"entity": 1, "episode": 2, "fact": 1, "session": 1}
    assert run.answer["path"] == str(file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    first, *_, last = rows_of(file)
    assert (first["version"], first["through"]) == (1, run.answer["through"])
    assert last["counts"] == run.answer["counts"]
    before = file.read_bytes()
    refused = told("export", file)
    assert refused.code == _CONFLICT
    assert "--force" in refused.err
    assert file.read_bytes() == before
    shown = told("export", file, "--force")
    assert "5 rows" in shown.out
    assert "fact 1" in shown.out


@pytest.mark.row("EM-065")
def test_what_is_shared_is_masked(told, tmp_path):
    file = tmp_path / "brain.jsonl"
    told("export", file, "--share")

    text = file.read_text(encoding="utf-8")
    assert "Write to [email] from ~/x." in text
    assert "bob" not in text
    assert "/home" not in text


def erased(told):
    """Erase what names Bob, and return the certificate."""
    (hit,) = [
        one for one in told("recall", "bob", "--tier", "episode", "--json").answer["hits"]
        if "bob" in one["text"]
    ]  # fmt: skip
    erase = ("erase", "--episode", hit["id"])
    digest = told(*erase, "--json").answer["digest"]
    done = told(*erase, "--confirm", "--digest", digest, "--json")
    assert done.code == 0, done.err
    return done.answer


@pytest.mark.row("C-04")
def test_an_export_is_no_backup_but_an_erasure_writes_it_again(told, tmp_path):
    state = told.home / "tilth" / "state"
    file, elsewhere = tmp_path / "brain.jsonl", tmp_path / "elsewhere.jsonl"
    told("backup", tmp_path / "copy.db")
    store_id = told("init", "--json").answer["store_id"]
    told("export", file)
    told("--owner", "eve", "export", elsewhere)
    assert last_backup(state, store_id).path == str(tmp_path / "copy.db")
    before = elsewhere.read_bytes()

    certificate = erased(told)

    assert str(file) in certificate["cleaned"]
    assert certificate["copies"] == [str(tmp_path / "copy.db")]
    first, *rows, last = rows_of(file)
    assert (first["scopes"], first["is_shared"]) == (None, False)
    assert "The pump is blue." in [row["text"] for row in rows if row["type"] == "fact"]
    assert last["counts"] == {"entity": 1, "episode": 1, "fact": 1}
    assert "bob" not in file.read_text()
    assert elsewhere.read_bytes() == before


@pytest.mark.row("C-04")
def test_what_lies_in_the_place_of_an_export_is_left_alone_and_named(told, tmp_path):
    file = tmp_path / "brain.jsonl"
    told("export", file)
    file.write_text(f"Mine: {file.read_text()}")
    before = file.read_bytes()

    assert erased(told)["copies"] == [str(file)]
    assert file.read_bytes() == before


@pytest.mark.row("C-04")
def test_what_an_export_says_of_itself_widens_nothing(told, tmp_path):
    told("remember", "The door of the lab is green.", "--scope", "project:lab")
    file = tmp_path / "brain.jsonl"
    told("export", file, "--share", "--scope", "project:shop")
    assert "door" not in file.read_text()
    file.write_text(file.read_text().replace('"is_shared": true', '"is_shared": false'))
    file.write_text(
        file.read_text().replace('"scopes": ["global", "project:shop"]', '"scopes": null')
    )

    assert str(file) in erased(told)["cleaned"]
    first, *_ = rows_of(file)
    assert (first["scopes"], first["is_shared"]) == (["global", "project:shop"], True)
    assert "door" not in file.read_text()
