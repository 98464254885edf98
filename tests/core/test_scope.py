import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilth.core.errors import InvalidInputError
from tilth.core.scope import (
    GLOBAL,
    Owner,
    Scope,
    Visibility,
    parse_domains,
    parse_owner,
    parse_scope,
    scope_of_path,
    seen_from,
)


@pytest.mark.row("EM-068")
@pytest.mark.parametrize("name", ["local", "a", "A_b-9", "a" * 40])
def test_an_owner_is_a_letter_and_then_letters_digits_or_joiners(name):
    assert parse_owner(name) == name


@pytest.mark.row("EM-068")
@pytest.mark.parametrize(
    "name", ["", "9a", "-a", "_a", "a" * 41, "../etc", "a/b", "a\\b", "a b", "é", "a\0", "a\n"]
)
def test_what_could_be_read_as_a_path_is_no_owner(name):
    with pytest.raises(InvalidInputError):
        parse_owner(name)


@pytest.mark.parametrize(
    "text",
    ["global", "unfiled", "project:me/api", "project:api", "domain:home-lab", "scratch:tmp/x",
     "project:git.example/me/api"],
)  # fmt: skip
def test_a_scope_is_global_a_project_or_a_domain(text):
    assert parse_scope(text) == text


@pytest.mark.parametrize(
    "text",
    ["", "Global", "project:", "project:../x", "project:a//c", "team:x", "unfiled:x", "domain:a b"],
)
def test_anything_else_is_no_scope(text):
    with pytest.raises(InvalidInputError):
        parse_scope(text)


@given(st.text())
def test_any_path_gives_a_scope(path):
    scope = scope_of_path(path)

    assert parse_scope(scope) == scope


@given(st.lists(st.text("abc", min_size=1, max_size=30), min_size=1, max_size=20, unique=True))
def test_two_paths_have_two_scopes(parts):
    assert scope_of_path("/".join(parts)) != scope_of_path("/".join([*parts, "d"]))


def test_a_scope_sees_itself_and_what_is_global():
    seen = seen_from(Owner("ana"), Scope("project:a/b"))

    assert seen.admits(Owner("ana"), Scope("project:a/b"))
    assert seen.admits(Owner("ana"), GLOBAL)
    assert not seen.admits(Owner("ana"), Scope("project:a/c"))
    assert not seen.admits(Owner("bob"), GLOBAL)


def test_without_scopes_an_owner_sees_all_that_is_theirs():
    assert Visibility(Owner("ana")).admits(Owner("ana"), Scope("domain:x"))
    assert not Visibility(Owner("ana")).admits(Owner("bob"), Scope("domain:x"))


@pytest.mark.row("KB-051")
def test_a_project_sees_each_domain_that_it_is_given():
    given = parse_domains(["project:a=domain:go", "project:a=domain:go+proxmox"])

    assert given == {"project:a": {"domain:go", "domain:go+proxmox"}}


@pytest.mark.row("KB-051")
@pytest.mark.parametrize(
    "word",
    ["project:a", "domain:go=project:a", "project:a=project:b", "project:a=domain:",
     "global=domain:go", "project:a=domain:go=domain:x", "=", ""],
)  # fmt: skip
def test_anything_else_lets_no_project_see_a_domain(word):
    with pytest.raises(InvalidInputError):
        parse_domains([word])
