"""Finding what can be imported, and reading it."""

import hashlib
import os
from pathlib import Path

import pytest

from tests.fakes import HashingEmbedder
from tests.transfer.takers import a_taker
from tilth.core.actor import Actor, ActorKind
from tilth.core.errors import InvalidInputError, LimitExceededError, NotFoundError, UnavailableError
from tilth.core.scope import DEFAULT_OWNER
from tilth.episodes.remember import WriteContext
from tilth.transfer.file_importer import FORMATS, FileImporter, default_places
from tilth.transfer.import_sources import import_sources
from tilth.transfer.model import Source
from tilth.transfer.reading.find_files import files_in

NOTE = "The till stands by the door."


@pytest.fixture
def folder(tmp_path):
    return tmp_path.resolve()


def write(folder, *names, content=NOTE):
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)


def found(folder):
    """Return the names of what is found below *folder*."""
    return [
        source.uri.removeprefix(f"{folder.as_uri()}/")
        for source in FileImporter().find(str(folder))
    ]


def test_a_folder_is_found_in_the_order_of_its_names(folder):
    write(folder, "b.md", "a/z.txt", "a/B.md", "c.md", "10.md", "9.md")
    assert found(folder) == ["10.md", "9.md", "a/B.md", "a/z.txt", "b.md", "c.md"]
    assert found(folder) == found(folder)


def test_what_is_of_no_format_is_no_source(folder):
    write(folder, "a.md", "a.py", "a.json", "LICENSE", "empty.md")
    (folder / "empty.md").write_text("")
    assert found(folder) == ["a.md"]


def test_a_file_that_is_named_is_a_source(folder):
    write(folder, "a.md")
    (source,) = FileImporter().find(str(folder / "a.md"))
    assert source == Source((folder / "a.md").as_uri(), "markdown", len(NOTE))


def test_a_named_file_of_no_format_is_refused_with_those_that_are_read(folder):
    write(folder, "a.py")
    with pytest.raises(InvalidInputError, match="of no format") as refusal:
        FileImporter().find(str(folder / "a.py"))
    assert all(format_.HOST in refusal.value.hint for format_ in FORMATS)


@pytest.mark.parametrize("path", ["/nothing/here", "a\0b", "x" * 5_000])
def test_where_nothing_is_nothing_is_found(path):
    with pytest.raises(NotFoundError, match="there is nothing"):
        FileImporter().find(path)


def test_an_empty_path_is_not_the_folder_that_one_is_in():
    with pytest.raises(InvalidInputError, match="an empty path"):
        FileImporter().find("")


def test_what_is_neither_file_nor_folder_is_refused(folder):
    os.mkfifo(folder / "pipe.md")
    assert found(folder) == []
    with pytest.raises(InvalidInputError, match="neither a file nor a folder"):
        FileImporter().find(str(folder / "pipe.md"))


@pytest.mark.row("T15")
def test_no_link_leads_out_of_the_folder(folder):
    write(folder, "outside/a.md", "vault/b.md")
    (folder / "vault" / "link.md").symlink_to(folder / "outside" / "a.md")
    (folder / "vault" / "links").symlink_to(folder / "outside")
    (folder / "vault" / "loop").symlink_to(folder / "vault")
    assert found(folder / "vault") == ["b.md"]


def test_a_link_that_is_named_is_followed(folder):
    write(folder, "outside/a.md")
    (folder / "link").symlink_to(folder / "outside")
    (source,) = FileImporter().find(str(folder / "link"))
    assert source.uri == (folder / "outside" / "a.md").as_uri()


@pytest.mark.parametrize(
    "name", ["node_modules", ".git", ".venv", "venv", "__pycache__", ".hidden", ".cache"]
)
def test_folders_of_tools_and_hidden_ones_are_passed_over(folder, name):
    write(folder, "a.md", f"{name}/b.md")
    assert found(folder) == ["a.md"]


def test_a_folder_that_says_it_is_a_cache_is_passed_over(folder):
    write(folder, "a.md", "c/CACHEDIR.TAG", "c/b.md")
    assert found(folder) == ["a.md"]


def test_a_hidden_folder_that_is_named_is_read(folder):
    write(folder, ".notes/a.md", ".notes/.more/b.md", ".notes/.git/c.md")
    assert found(folder / ".notes") == [".more/b.md", "a.md"]


def test_of_agents_folders_only_their_transcripts_are_read(folder):
    write(
        folder,
        ".claude/CLAUDE.md",
        ".claude/projects/p/memory.md",
        ".claude/projects/p/s/tool-results/1.txt",
        ".specstory/history/a.md",
        ".specstory/b.md",
    )
    assert found(folder) == [".claude/projects/p/memory.md", ".specstory/history/a.md"]


@pytest.mark.row("I40")
def test_too_many_files_are_refused(folder):
    write(folder, "a.md", "b.md", "ignored.py")
    assert len(list(files_in(folder, files_max=2))) == 2
    with pytest.raises(LimitExceededError, match="more than 1 files"):
        list(files_in(folder, files_max=1))


@pytest.mark.row("I40")
def test_folders_that_are_too_deep_are_refused(folder):
    write(folder, "/".join(["d"] * 31) + "/a.md")
    assert len(found(folder)) == 1
    write(folder, "/".join(["d"] * 32) + "/a.md")
    with pytest.raises(LimitExceededError, match="deeper than 32"):
        found(folder)


def test_names_of_any_bytes_are_found_and_read(folder):
    path = Path(os.fsdecode(os.fsencode(folder) + b"/caf\xe9 %41#?.md"))
    path.write_text(NOTE)
    (source,) = FileImporter().find(str(folder))
    items = [item for item, _ in FileImporter().read(source)]
    assert len(items) == 2
    assert len(FileImporter().fingerprint(source)) == 64


def test_the_fingerprint_is_the_hash_of_the_bytes(folder):
    write(folder, "a.md")
    (source,) = FileImporter().find(str(folder))
    assert FileImporter().fingerprint(source) == hashlib.sha256(NOTE.encode()).hexdigest()


def test_a_source_that_is_gone_is_said(folder):
    source = Source((folder / "gone.md").as_uri(), "markdown", 3)
    with pytest.raises(UnavailableError, match="cannot be read"):
        FileImporter().fingerprint(source)
    with pytest.raises(UnavailableError, match="cannot be read: No such file"):
        next(FileImporter().read(source))


@pytest.mark.parametrize("uri", ["https://example.org/a.md", "file://host/a.md", "a.md"])
def test_an_address_elsewhere_is_refused(uri):
    with pytest.raises(InvalidInputError, match="not the address of a file here"):
        next(FileImporter().read(Source(uri, "markdown", 1)))


def test_an_unknown_format_is_refused(folder):
    with pytest.raises(InvalidInputError, match="unknown format 'word'"):
        next(FileImporter().read(Source((folder / "a.md").as_uri(), "word", 1)))


@pytest.mark.row("MP-03")
def test_reading_twice_gives_the_same(folder):
    write(folder, "a.md", "b/c.txt")
    for source in FileImporter().find(str(folder)):
        assert list(FileImporter().read(source)) == list(FileImporter().read(source))


@pytest.mark.row("MP-03")
def test_a_changed_document_adds_only_what_changed(folder, store):
    recorder = WriteContext(Actor("test", ActorKind.AGENT), DEFAULT_OWNER)
    parts = [f"## {name}\n\n{name} {'word ' * 50}\n\n" for name in "abc"]

    def bring_in():
        tools = FileImporter(), HashingEmbedder(), a_taker(store, recorder)
        sources = FileImporter().find(str(folder))
        (report,) = import_sources(store, tools, sources, recorder=recorder)
        return report.new_count, report.known_count, report.is_unchanged

    write(folder, "a.md", content="".join(parts))
    assert bring_in() == (3, 0, False)
    assert bring_in() == (0, 0, True)
    write(folder, "a.md", content="".join(["## new\n\n" + "word " * 50 + "\n\n", *parts]))
    os.utime(folder / "a.md", (2e9, 2e9))
    assert bring_in() == (1, 3, False)


def test_the_bytes_read_grow_to_the_size(folder):
    write(folder, "a.txt", content="word " * 10_000)
    (source,) = FileImporter().find(str(folder))
    positions = [position for _, position in FileImporter().read(source)]
    assert positions == sorted(positions)
    assert positions[-1] == source.size


def test_the_places_of_agents_are_those_that_are_there(folder):
    assert default_places(folder, {}) == []
    for name in (
        ".claude/projects",
        ".codex/sessions",
        ".gemini/tmp/p/chats",
        ".gemini/tmp/bin",
        # Of a task that Gemini did for us.
        ".gemini/tmp/tilth-model-a1/chats",
    ):
        (folder / name).mkdir(parents=True)
    names = [".claude/projects", ".codex/sessions", ".gemini/tmp/p/chats"]
    assert default_places(folder, {}) == [folder / name for name in names]


def test_agents_may_keep_their_transcripts_elsewhere(folder):
    for name in ("c/projects", "x/archived_sessions", "g/.gemini/tmp/p/chats"):
        (folder / name).mkdir(parents=True)
    environ = {"CLAUDE_CONFIG_DIR": "c", "CODEX_HOME": "x", "GEMINI_CLI_HOME": "g"}
    environ = {name: str(folder / place) for name, place in environ.items()}
    assert [place.parts[-1] for place in default_places(folder / "home", environ)] == [
        "projects",
        "archived_sessions",
        "chats",
    ]


def test_names_of_formats_are_used_once():
    assert len({format_.HOST for format_ in FORMATS}) == len(FORMATS)
