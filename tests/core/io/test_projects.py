import os
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilth.core.io import projects
from tilth.core.io.projects import scope_of_document, scope_of_folder
from tilth.core.scope import parse_scope


@pytest.fixture(autouse=True)
def _read_at_once(monkeypatch):
    projects._cached_scope.cache_clear()
    # Nothing of the machine's own git is meant.
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")


@pytest.fixture
def home(tmp_path, monkeypatch):
    """A home that lies in no temporary folder."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(projects, "_TEMPORARY", (str(tmp_path / "scratch"),))
    return tmp_path


def git(folder, *arguments):
    who = ("-c", "user.name=a", "-c", "user.email=a@example.com")
    subprocess.run(["git", "-C", str(folder), *who, *arguments], check=True, capture_output=True)


def repository(folder, remote=""):
    folder.mkdir(parents=True)
    git(folder, "init", "-q")
    git(folder, "commit", "-q", "--allow-empty", "-m", "first")
    if remote:
        git(folder, "remote", "add", "origin", remote)
    return folder


@pytest.mark.parametrize(
    ("folder", "scope"),
    [
        ("/home/nobody/work/api", "project:work/api"),
        ("/home/nobody/dev/work/api", "project:dev/work/api"),
        ("/home/nobody/api", "project:nobody/api"),
        ("/home/nobody", "project:nobody"),
        ("C:\\Users\\ana\\src\\web app", "project:src/web-app"),
        ("/srv/Über..app", "project:srv/Über.app"),
        ("", "unfiled"),
        ("/", "unfiled"),
    ],
)
def test_a_path_that_is_not_here_is_named_by_its_words(folder, scope):
    assert scope_of_folder(folder) == scope


@pytest.mark.parametrize("tree", [".worktrees/3", ".claude/worktrees/fix-it", ".worktrees/3/cmd"])
def test_a_worktree_that_is_gone_belongs_to_the_repository_that_kept_it(tree):
    assert scope_of_folder(f"/home/nobody/work/cli/{tree}") == "project:work/cli"


@pytest.mark.row("KB-126")
@pytest.mark.parametrize(
    "folder",
    ["/tmp/gone", "/private/tmp/x", "/var/folders/ab/cd/T", "/home/nobody/.cache/uv/x"],
)  # fmt: skip
def test_a_temporary_folder_is_no_project_and_no_two_share_a_scope(folder):
    assert scope_of_folder(folder).startswith("scratch:")
    assert scope_of_folder(folder) != scope_of_folder(f"{folder}/other")


@given(st.text(), st.text())
def test_any_folder_and_remote_give_a_scope(folder, remote):
    scope = scope_of_folder(folder, remote)

    assert parse_scope(scope) == scope


def test_a_repository_with_its_folders_worktrees_and_clones_is_one_project(home):
    main = repository(home / "work/api")
    (main / "src").mkdir()
    git(main, "worktree", "add", "-q", str(home / "trees/api-fix"))
    git(home, "clone", "-q", str(main), str(home / "copies/api"))
    git(home / "copies/api", "worktree", "add", "-q", str(home / "scratch/tree"))

    places = ("work/api", "work/api/src", "work/api/gone/sub", "trees/api-fix", "copies/api")
    scopes = {scope_of_folder(str(home / place)) for place in (*places, "scratch/tree")}

    assert scopes == {"project:work/api"}


@pytest.mark.parametrize(
    "remote",
    [
        "git@git.example:Acme/api.git",
        "ssh://git@git.example:2222/acme/api.git/",
        "https://ana:token@git.example/acme/api",
        "https://git.example/acme/api.git",
    ],
)
def test_clones_of_one_remote_are_one_project_however_its_address_is_written(home, remote):
    repository(home / "anywhere", remote)

    assert scope_of_folder(str(home / "anywhere")) == "project:git.example/acme/api"
    assert scope_of_folder("/home/nobody/gone", remote) == "project:git.example/acme/api"


@pytest.mark.parametrize("remote", ["https://git.example/..git", "https://git.example/"])
def test_an_address_without_a_repository_names_no_project(remote):
    assert scope_of_folder("/home/nobody/work/api", remote) == "project:work/api"


def test_projects_of_one_name_in_two_places_are_two(home):
    repository(home / "a/work/api")
    repository(home / "b/work/api")

    assert scope_of_folder(str(home / "a/work/api")) == "project:a/work/api"
    assert scope_of_folder(str(home / "b/work/api")) == "project:b/work/api"


def test_a_repository_of_dotfiles_is_not_what_the_folders_of_a_home_belong_to(home):
    git(home, "init", "-q")
    (home / "work/notes").mkdir(parents=True)

    assert scope_of_folder(str(home / "work/notes")) == "project:work/notes"


def test_a_git_file_that_nothing_points_back_to_joins_no_project(home):
    secret = repository(home / "work/secret", "https://git.example/acme/secret")
    for number, points_to in enumerate([secret / ".git", secret / ".git/worktrees/x"]):
        planted = home / f"planted{number}"
        planted.mkdir()
        (planted / ".git").write_text(f"gitdir: {points_to}\n")

        assert "secret" not in scope_of_folder(str(planted))


def test_a_submodule_is_a_project_of_its_own(home):
    inner = repository(home / "work/inner")
    outer = repository(home / "work/outer")
    git(outer, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner), "lib")

    assert scope_of_folder(str(outer / "lib")) == "project:work/inner"
    assert scope_of_folder(str(outer)) == "project:work/outer"


def test_a_document_belongs_to_the_repository_that_holds_it(home):
    main = repository(home / "work/api")
    (home / "notes").mkdir()

    assert scope_of_document(main / "docs/use.md") == "project:work/api"
    assert scope_of_document(home / "notes/a.md") == "global"


def test_what_links_in_a_circle_or_is_no_path_is_named_by_its_words(home):
    (home / "loop").symlink_to(home / "loop")

    assert scope_of_folder(str(home / "loop" / "x")).endswith("/x")
    assert scope_of_folder("/srv/a\0b") == "project:srv/a-b"
    assert scope_of_folder("/srv/" + "x" * 5000).startswith("project:")
