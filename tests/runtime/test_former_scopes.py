import pytest

from tests.brains import a_brain
from tilth.episodes.session import SessionInfo
from tilth.runtime import former_scopes
from tilth.runtime.former_scopes import remotes_of, successors


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
    former_scopes._former_by_scope.cache_clear()
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


HOME = "/home/ana/projects/acme/api"


def a_session(brain, session_id, scope, folder):
    brain.remember(f"The kettle of {session_id} whistles.", session_id=session_id, scope=scope)
    brain.sessions.describe(session_id, SessionInfo(folder=folder), scope=scope)


def heard_in(brain, scope):
    return {hit.session_id for hit in brain.recall("Which kettle whistles?", scope=scope).hits}


@pytest.mark.row("KB-051")
@pytest.mark.parametrize(
    ("scope", "folder"),
    [
        ("project:projects/acme/api", HOME),  # the very folder in which a remote was told
        ("project:work/Acme/api", "/home/bo/work/Acme/api"),  # owner and name of one remote
    ],
)
def test_transcripts_that_tell_no_remote_are_of_the_repository(brain, scope, folder):
    a_session(brain, "told", "project:git.example/acme/api", HOME)
    a_session(brain, "untold", scope, folder)

    assert heard_in(brain, "project:git.example/acme/api") == {"told", "untold"}


@pytest.mark.parametrize(
    "others",
    [
        # A name alone: another owner's repository has it, too.
        [("project:projects/api", "/home/bo/projects/api")],
        [("project:projects/zeta/api", "/home/bo/projects/zeta/api")],
        # Two repositories were in the folder, one after the other.
        [("project:git.example/other/api", HOME), ("project:projects/acme/api", HOME)],
        # Two hosts have that owner and name.
        [
            ("project:elsewhere.example/acme/api", "/home/bo/mirror"),
            ("project:work/acme/api", "/home/bo/work/acme/api"),
        ],
    ],
)
def test_repositories_of_one_name_stay_apart(brain, others):
    a_session(brain, "told", "project:git.example/acme/api", HOME)
    for number, (scope, folder) in enumerate(others):
        a_session(brain, f"other{number}", scope, folder)

    assert heard_in(brain, "project:git.example/acme/api") == {"told"}


def test_a_folder_that_is_called_as_an_address_tells_no_remote():
    recorded = [
        ("project:my.site/acme/api", "/home/ana/my.site/acme/api"),
        ("project:work/acme/api", "/home/ana/work/acme/api"),
    ]

    assert remotes_of(recorded) == {}
