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


ONE, TWO = (f"todo-{number:026}.md" for number in (1, 2))
# As a file of the skill `todo` is called that somebody changed.
ASIDE = "todo-0123456789ab.md"


def test_drafts_lose_every_word_and_keep_the_tick(outbox, tmp_path):
    outbox.put(ONE, "# Zanzibar\n\n- [x] Zanzibar\n")
    outbox.put(TWO, "# Zanzibar\n\n- [ ] Zanzibar\n")
    (tmp_path / "tilth.db.outbox" / "Mine.md").write_text("Zanzibar")

    outbox.forget([b"Zanzibar"])

    assert outbox.read(ONE) == f"- [x] {BLANK}\n"
    assert outbox.read(TWO) == f"- [ ] {BLANK}\n"
    assert (tmp_path / "tilth.db.outbox" / "Mine.md").read_text() == "Zanzibar"


@pytest.mark.row("KB-108")
@pytest.mark.parametrize(
    ("forms", "skills", "is_kept"),
    [
        ([b"Zanzibar"], (), True),
        ([b"by hand"], (), False),
        ([b"Zanzibar"], {"todo"}, False),
        ([b"Zanzibar"], {"to"}, True),
        ((), (), False),
    ],
)
def test_what_was_put_aside_goes_only_if_it_holds_what_went(outbox, forms, skills, is_kept):
    outbox.put(ASIDE, "1. Changed by hand.\n")

    outbox.forget(forms, skills)

    assert outbox.read(ASIDE) == ("1. Changed by hand.\n" if is_kept else None)


def test_a_store_behind_a_url_has_its_outbox_among_the_data(tmp_path):
    there = outbox_of("postgresql://host/db", tmp_path)

    assert there.parent == tmp_path
    assert there != outbox_of("postgresql://host/other", tmp_path)
    assert outbox_of("/srv/tilth.db", tmp_path).name == "tilth.db.outbox"
