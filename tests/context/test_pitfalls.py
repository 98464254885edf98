"""A failure that was overcome before is known again; nothing else is taken for one."""

from datetime import timedelta

import pytest

from tests.fakes import START
from tilth.context.pitfalls import ToolFailure, aim_of
from tilth.episodes.episode import EpisodeDraft, EpisodeKind, Role

NO_RULE = "Exit code 2\nmake: *** no rule to make target 'migrate'. Stop."
KETTLE = "project:work/kettle"


def bash(command):
    return f'Bash: {{"command": "{command}"}}'


MIGRATE = bash("make migrate")


class Session:
    """What an agent did in one session, one thing after the other."""

    def __init__(self, brain, name, scope=KETTLE):
        self.brain, self.name, self.scope, self.count = brain, name, scope, 0

    def used(self, call, outcome, *, has_failed=False):
        kind = EpisodeKind.TOOL_FAILURE if has_failed else EpisodeKind.TOOL_RESULT
        self.count += 1
        said = ((call, EpisodeKind.TOOL_CALL, Role.ASSISTANT), (outcome, kind, Role.TOOL))
        self.brain.remember_many(
            [
                EpisodeDraft(
                    text=text,
                    kind=which,
                    role=role,
                    session_id=f"claude-code:{self.name}",
                    scope=self.scope,
                    occurred_at=START + timedelta(minutes=self.count),
                    metadata={"tool_use_id": f"{self.name}-{self.count}"},
                )
                for text, which, role in said
            ]
        )
        return self

    def failed(self, call, outcome=NO_RULE):
        return self.used(call, outcome, has_failed=True)


@pytest.fixture
def ask(brain):
    def asked(call=MIGRATE, error=NO_RULE, scope=KETTLE):
        failure = ToolFailure(tool=call.partition(":")[0], call=call, error=error)
        return brain.pitfall(failure, scope=scope)

    return asked


@pytest.fixture
def session(brain):
    return Session(brain, "s1")


def test_what_came_through_in_its_place_is_told(session, ask):
    session.failed(bash("make migrate")).used(bash("make db-migrate"), "done")

    pitfall = ask()

    assert pitfall.steps == (bash("make db-migrate"),)
    assert pitfall.is_instead
    assert pitfall.call == bash("make migrate")


def test_what_was_done_before_the_same_call_came_through_is_told(session, ask):
    session.failed(bash("make migrate"))
    session.used('Edit: {"file_path": "Makefile"}', "ok").used(bash("make migrate"), "done")

    pitfall = ask()

    assert pitfall.steps == ('Edit: {"file_path": "Makefile"}',)
    assert not pitfall.is_instead


def test_a_call_that_came_through_by_itself_has_no_steps(session, ask):
    session.failed(bash("make migrate")).used(bash("make migrate"), "done")

    assert ask().steps == ()


def test_a_pull_before_the_push_is_the_step_and_not_what_came_in_its_place(session, ask):
    rejected = "error: failed to push some refs, updates were rejected, fetch first"
    session.failed(bash("git push origin main"), rejected)
    session.used(bash("git pull origin main"), "ok").used(bash("git push origin main"), "ok")

    pitfall = ask(bash("git push origin main"), rejected)

    assert pitfall.steps == (bash("git pull origin main"),)
    assert not pitfall.is_instead


def test_the_last_time_counts(session, brain, ask):
    session.failed(bash("make migrate")).used(bash("make old-migrate"), "done")
    Session(brain, "s2").failed(bash("make migrate")).used(bash("make new-migrate"), "done")

    assert ask().steps == (bash("make new-migrate"),)


def test_a_failure_without_a_happy_end_is_no_pitfall(session, ask):
    session.failed(bash("make migrate")).used(bash("ls"), "Makefile")

    assert ask() is None


def test_a_call_that_only_shares_the_program_is_no_way_out(session, ask):
    session.failed(bash("git push origin main"), "rejected by the remote, fetch first")
    session.used(bash("git status"), "clean")

    assert ask(bash("git push origin main"), "rejected by the remote, fetch first") is None


def test_a_way_out_in_another_session_is_none(session, brain, ask):
    session.failed(bash("make migrate"))
    Session(brain, "s2").used(bash("make db-migrate"), "done")

    assert ask() is None


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (bash("pytest -q"), "Exit code 1\nFAILED tests/test_lid.py::test_lid - AssertionError"),
        (bash("make migrate"), "Exit code 2\npermission denied while connecting to the socket"),
        ('Read: {"file_path": "migrate"}', NO_RULE),
        (bash("ls /nowhere"), ""),
    ],
)
def test_another_failure_is_not_taken_for_the_known_one(session, ask, call, error):
    session.failed(bash("make migrate")).used(bash("make db-migrate"), "done")

    assert ask(call, error) is None


@pytest.mark.row("KB-126")
def test_what_happened_in_another_project_stays_there(session, ask):
    session.failed(bash("make migrate")).used(bash("make db-migrate"), "done")

    assert ask(scope="project:work/toaster") is None


def test_where_nothing_was_recorded_nothing_is_told(ask):
    assert ask() is None
    assert ask(error="") is None


@pytest.mark.parametrize(
    ("call", "aim"),
    [
        (bash("make"), "make"),
        ('Edit: {"file_path": "/a/b.py", "old": "x"}', "/a/b.py"),
        ("apply_patch: *** Begin", "*** Begin"),
        ('Odd: {"x": 1}', '{"x": 1}'),
        ("Odd: [1]", "[1]"),
        ("nothing", "nothing"),
    ],
)
def test_a_call_is_about_its_command_or_its_file(call, aim):
    assert aim_of(call) == aim
