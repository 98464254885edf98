"""Commands and rules are written between marks, and taken out without a trace."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.practice.sessions import Session
from tilth.core.errors import ConflictError, ForbiddenError, InvalidInputError, NotFoundError
from tilth.practice.writing import with_section, without_section

LINES = ("## Commands", "", "- test: `make test`")


@given(st.none() | st.text(max_size=60).filter(lambda text: "tilth:" not in text))
def test_taking_a_section_out_restores_every_byte(text):
    written = with_section(text, LINES)

    assert "make test" in written
    assert with_section(written, LINES) == written
    assert without_section(written) == text


def test_what_is_written_around_a_section_stays(tmp_path):
    written = with_section("# Mine\n", LINES)

    assert without_section(f"{written}\nMore of mine.\n") == "# Mine\n\nMore of mine.\n"


@pytest.mark.parametrize("mark", ["<!-- tilth:end -->", "<!-- tilth:begin new: x -->"])
def test_a_section_with_one_mark_is_left_alone(mark):
    with pytest.raises(ConflictError):
        without_section(f"# Mine\n{mark}\n")


@pytest.fixture
def repository(tmp_path):
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    url = "git@forge.example:work/shop"
    (tmp_path / ".git" / "config").write_text(f'[remote "origin"]\n\turl = {url}\n')
    return tmp_path


def test_a_person_has_the_commands_of_a_project_written_and_taken_out(brain, human, repository):
    path = repository / "AGENTS.md"
    path.write_text("# Ours")
    for number in range(2):
        scope = "project:forge.example/work/shop"
        Session(brain, f"s{number}", scope=scope).ran("make test", "3 passed")
        Session(brain, f"o{number}", scope="project:other").ran("npm test", "3 passed")

    with pytest.raises(ForbiddenError):
        brain.commands.write(str(path))
    human.commands.write(str(path), is_dry_run=True)
    assert path.read_text() == "# Ours"

    human.commands.write(str(path))
    human.commands.write(str(path))
    assert path.read_text().count("- test: `make test`") == 1
    assert "npm" not in path.read_text()

    human.commands.unwrite(str(path))
    assert path.read_text() == "# Ours"
    with pytest.raises(NotFoundError):
        human.commands.unwrite(str(path))


def test_a_file_that_was_not_there_is_gone_again(brain, human, repository):
    path = repository / "CLAUDE.md"
    for number in range(2):
        scope = "project:forge.example/work/shop"
        Session(brain, f"s{number}", scope=scope).ran("make test", "3 passed")

    human.commands.write(str(path))
    human.commands.unwrite(str(path))

    assert not path.exists()
    with pytest.raises(InvalidInputError):
        human.commands.write(str(repository / "Makefile"))
