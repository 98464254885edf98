"""The outbox takes names of ours, and leads nowhere else."""

import stat

import pytest

from tilth.core.errors import InvalidInputError, UnavailableError
from tilth.gaps.task_lists import OutboxFolder, outbox_of
from tilth.gaps.todos import BLANK


@pytest.fixture
def outbox(tmp_path):
    return OutboxFolder(tmp_path / "tilth.db.outbox")


def test_a_file_is_put_read_replaced_and_removed(outbox, tmp_path):
    assert outbox.read("todo-1.md") is None
    outbox.put("todo-1.md", "one")
    outbox.put("todo-1.md", "two")

    assert outbox.read("todo-1.md") == "two"
    (path,) = (tmp_path / "tilth.db.outbox").iterdir()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    outbox.remove("todo-1.md")
    outbox.remove("todo-1.md")
    assert outbox.read("todo-1.md") is None


@pytest.mark.row("I37")
@pytest.mark.parametrize(
    "name", ["", "../x.md", "a/b.md", ".md", "x.txt", "X.md", "a" * 90 + ".md"]
)
def test_only_names_of_ours_are_taken(outbox, name):
    with pytest.raises(InvalidInputError):
        outbox.put(name, "x")


@pytest.mark.row("I37")
def test_a_link_is_not_followed(outbox, tmp_path):
    (tmp_path / "mine").write_text("mine")
    outbox.put("todo-1.md", "x")
    (tmp_path / "tilth.db.outbox" / "todo-2.md").symlink_to(tmp_path / "mine")

    with pytest.raises(UnavailableError):
        outbox.put("todo-2.md", "x")
    assert (tmp_path / "mine").read_text() == "mine"


def test_blanking_takes_every_word_and_keeps_the_tick(outbox, tmp_path):
    outbox.put("todo-1.md", "# Zanzibar\n\n- [x] Zanzibar\n")
    outbox.put("todo-2.md", "# Zanzibar\n\n- [ ] Zanzibar\n")
    (tmp_path / "tilth.db.outbox" / "Mine.md").write_text("Zanzibar")

    outbox.blank()

    assert outbox.read("todo-1.md") == f"- [x] {BLANK}\n"
    assert outbox.read("todo-2.md") == f"- [ ] {BLANK}\n"
    assert (tmp_path / "tilth.db.outbox" / "Mine.md").read_text() == "Zanzibar"


def test_a_store_behind_a_url_has_its_outbox_among_the_data(tmp_path):
    there = outbox_of("postgresql://host/db", tmp_path)

    assert there.parent == tmp_path
    assert there != outbox_of("postgresql://host/other", tmp_path)
    assert outbox_of("/srv/tilth.db", tmp_path).name == "tilth.db.outbox"
