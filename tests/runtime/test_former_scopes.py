import pytest

from tests.brains import a_brain
from tilth.episodes.session import SessionInfo
from tilth.runtime import former_scopes
from tilth.runtime.former_scopes import successors


def test_a_scope_goes_on_as_what_all_its_folders_belong_to_today():
    pairs = [
        ("project:work/api", "project:git.example/acme/api"),
        ("project:trees/fix", "project:git.example/acme/api"),
        ("project:shared", "project:git.example/acme/api"),
        ("project:shared", "project:git.example/other"),
        ("project:kept", "project:kept"),
        ("project:borne", "project:git.example/acme/api"),
        ("project:borne", "project:borne"),
    ]

    assert successors(pairs) == {
        "project:git.example/acme/api": {"project:work/api", "project:trees/fix"}
    }


@pytest.fixture
def brain(place):
    former_scopes._read.cache_clear()
    made = a_brain(place.open(), place.clock)
    yield made
    made.close()


def test_what_was_recorded_under_an_earlier_key_is_seen_from_the_project(brain, tmp_path):
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git/config").write_text(
        '[remote "origin"]\n\turl = https://git.example/acme/api.git\n'
    )
    brain.remember("The kettle whistles.", session_id="s1", scope="project:work/api")
    info = SessionInfo(folder=str(tmp_path))
    brain.sessions.describe("s1", info, scope="project:work/api")

    found = brain.recall("Which kettle whistles?", scope="project:git.example/acme/api")

    assert [hit.scope for hit in found.hits] == ["project:work/api"]
    assert not brain.recall("Which kettle whistles?", scope="project:other").hits
