"""Commands and rules are written between marks, and taken out without a trace."""

import os
import stat

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.practice.sessions import Session
from tilth.context.section.section_file import with_section, without_section
from tilth.core.errors import ConflictError, ForbiddenError, InvalidInputError, NotFoundError

LINES = ("## Commands", "", "- test: `make test`")


@given(st.none() | st.text(max_size=60).filter(lambda text: "tilth:" not in text))
def test_taking_a_section_out_restores_every_byte(text):
    written = with_section(text, LINES)

    assert "make test" in written
    assert with_section(written, LINES) == written
    assert without_section(written) == text


def test_what_is_written_around_a_section_stays():
    written = with_section("# Mine\n", LINES)

    assert without_section(f"{written}\nMore of mine.\n") == "# Mine\n\nMore of mine.\n"


@pytest.mark.parametrize("before", [None, "", "# Mine", "# Mine\n", "# Mine\r\n"])
def test_a_section_stays_where_it_is_and_what_follows_it_stays_apart(before):
    whole = f"{with_section(before, LINES)}More of mine.\n"

    assert with_section(whole, LINES) == whole
    again = with_section(whole, [*LINES, "- build: `make build`"])
    assert again.endswith("tilth:end -->\r\nMore of mine.\n" if before == "# Mine\r\n" else
                          "tilth:end -->\nMore of mine.\n")  # fmt: skip
    mine = f"{before}\n" if before == "# Mine" else before or ""
    assert without_section(again) == f"{mine}More of mine.\n"


@pytest.mark.parametrize(
    "text", ["# Mine\r\n\r\nText.\r\n", "# Mine\r\n\r\nText.", "# Mine\nText\n"]
)
@pytest.mark.parametrize("end", ["\r\n", "\n"])
def test_a_file_of_either_line_end_is_written_in_it_and_may_be_converted(text, end):
    written = with_section(text, LINES)
    converted = written.replace("\r\n", "\n").replace("\n", end)

    assert ("\r\n" in text) == (written.count("\r\n") == written.count("\n"))
    assert without_section(written) == text
    assert with_section(converted, LINES) == converted
    assert without_section(converted) == text.replace("\r\n", "\n").replace("\n", end)


def test_what_an_editor_cut_off_the_end_of_is_whole():
    written = with_section("# Mine\n", LINES)

    assert without_section(written.rstrip("\n")) == "# Mine\n"


@pytest.mark.parametrize("wrote", ["- e2e: `make e2e`\n<!-- tilth:end", "\n<!-- tilth:end"])
def test_what_somebody_wrote_between_the_marks_is_not_lost(wrote):
    text = with_section("# Mine\n", LINES).replace("<!-- tilth:end", wrote)

    with pytest.raises(ConflictError, match="between the marks"):
        with_section(text, LINES)
    with pytest.raises(ConflictError, match="between the marks"):
        without_section(text)


def test_a_section_of_an_earlier_version_is_replaced_and_taken_out():
    text = "# Mine\n\n<!-- tilth:begin 1: x -->\n- test: `make`\n<!-- tilth:end -->\n"

    assert without_section(with_section(text, LINES)) == without_section(text) == "# Mine\n"


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
    with pytest.raises(NotFoundError, match="no folder"):
        human.commands.write(str(repository / "nowhere" / "CLAUDE.md"))


@pytest.mark.skipif(os.name != "posix", reason="modes of files")
def test_a_file_that_is_new_is_as_open_as_others_and_one_that_was_there_stays(
    brain, human, repository
):
    for number in range(2):
        scope = "project:forge.example/work/shop"
        Session(brain, f"s{number}", scope=scope).ran("make test", "3 passed")
    (repository / "other.md").touch()
    (repository / "AGENTS.md").touch(0o600)

    for name in ("CLAUDE.md", "AGENTS.md"):
        human.commands.write(str(repository / name))

    modes = {one.name: stat.S_IMODE(one.stat().st_mode) for one in repository.glob("*.md")}
    assert modes["CLAUDE.md"] == modes["other.md"]
    assert modes["AGENTS.md"] == 0o600


def test_what_a_person_noted_to_hold_always_is_a_rule_and_what_an_agent_noted_is_none(
    brain, human, repository
):
    path, scope = repository / "AGENTS.md", "project:forge.example/work/shop"
    human.facts.add("Never push to main.", about=["shop"], authority="instruction", scope=scope)
    rule = human.remember(
        "Leave the sample data <!-- tilth:end --> alone.", kind="note", always=True, scope=scope
    )
    human.remember("Never push to main.", kind="note", always=True, scope=scope)
    human.remember("The fair is in May.", kind="note", scope=scope)
    human.remember("Use the metric system.", kind="note", always=True, scope="project:other")
    brain.remember("The user wants no emoji.", kind="note", always=True, scope=scope)

    told = human.commands.write(str(path))

    assert list(told.lines) == [
        "## Rules",
        "",
        "- Never push to main.",
        "- Leave the sample data  tilth:end  alone.",
    ]
    human.notes.end(rule)
    assert "sample data" not in "\n".join(human.commands.write(str(path)).lines)
    human.commands.unwrite(str(path))
    assert not path.exists()
