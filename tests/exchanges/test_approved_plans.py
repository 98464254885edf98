"""A brief tells an approved plan until it is carried out, replaced or left."""

import pytest

from tests.practice.sessions import SHOP, Session
from tilth.context.model import BriefRequest
from tilth.core.ids import SessionId
from tilth.core.scope import Scope

APPROVED = "User has approved your plan. You can now start coding.\n\n## Approved Plan:\n"
PLAN = "# Plan: Keep one  log file for each worktree\n\nChange `src/worker.go` and `log.go`.\n"
LINE = "“Approved plan: Keep one log file for each worktree”"
OPENING = BriefRequest(session_id=SessionId("claude-code:asking"), via="claude-code/SessionStart")


def planned(brain, plan=PLAN, *, name="one", day=0):
    session = Session(brain, name, day=day).asks("How should the logs of the worker be kept?")
    return session.used('ExitPlanMode: {"plan": "…"}', APPROVED + plan)


def is_told(brain, line=LINE):
    brain.distil(is_asked=True)
    brief = brain.brief(OPENING, scope=Scope(SHOP))
    found = [item.text for block in brief.blocks for item in block.items]
    return any(line in text for text in found)


def test_a_plan_that_nobody_began_is_told(brain):
    planned(brain)

    assert is_told(brain)


@pytest.mark.on_sqlite(but=1)
@pytest.mark.parametrize("proof", ["go test ./...", "git commit -m 'Keep one log file each'"])
@pytest.mark.parametrize("by", ["one", "two"])
def test_a_plan_whose_files_were_changed_and_proved_is_over(brain, proof, by):
    planned(brain)
    session = Session(brain, by, day=1).edited("/home/ada/shop/src/worker.go")

    assert is_told(brain)
    session.ran(proof, "ok  shop/worker  0.1s")

    assert not is_told(brain)


@pytest.mark.on_sqlite(but=1)
@pytest.mark.parametrize(
    ("files", "proof", "failed"),
    [
        (["/home/ada/shop/src/worker.go"], "go test ./...", True),
        (["/home/ada/shop/src/worker.go"], "ls", False),
        (["/home/ada/shop/src/queue.go"], "go test ./...", False),
    ],
)
def test_a_plan_is_open_while_its_files_are_untouched_or_unproved(brain, files, proof, failed):
    planned(brain)
    session = Session(brain, "two", day=1)
    for path in files:
        session.edited(path)
    session.ran(proof, "FAIL" if failed else "ok", failed=failed)

    assert is_told(brain)


def test_what_a_plan_lays_down_beside_its_work_holds_until_the_plan_is_left(brain):
    told = "We decided to rotate logs of `worker` by size."
    plan = f"# Log rotation\n\n{told} Change `worker.go`.\n"
    planned(brain, plan).edited("src/worker.go").ran("go test ./...", "ok")

    assert is_told(brain, f"“Approved plan: {told}”")
    for number in (1, 2, 3):
        Session(brain, f"other{number}", day=number).edited("src/worker.go").ran("go vet")

    assert not is_told(brain, f"“Approved plan: {told}”")


def test_a_plan_is_open_while_most_of_its_files_are_untouched(brain):
    planned(brain, PLAN + "\nThen `queue.go` and `spool.go`, and `lease.go` last.\n")
    Session(brain, "two", day=1).edited("src/worker.go").ran("go test ./...", "ok")

    assert is_told(brain)


def test_a_plan_that_names_no_file_is_carried_out_by_its_own_session(brain):
    session = planned(brain, "# Plan: Keep one log file for each worktree\n")
    Session(brain, "two", day=1).edited("src/queue.go").ran("go test ./...", "ok")

    assert is_told(brain)
    session.edited("src/worker.go").ran("go test ./...", "ok")

    assert not is_told(brain)


@pytest.mark.on_sqlite(but=1)
@pytest.mark.parametrize(
    ("name", "files", "over"), [("one", "", 1), ("two", PLAN, 1), ("two", "", 0)]
)
def test_a_later_plan_replaces_one_of_its_session_or_of_its_files(brain, name, files, over):
    planned(brain)
    Session(brain, "before").edited("src/queue.go")
    session = planned(brain, "# Plan: Log to one database table\n" + files, name=name, day=1)
    session.says("The plan is ready.")

    assert is_told(brain) is not bool(over)


def test_a_plan_that_several_sessions_did_not_touch_is_left(brain):
    planned(brain)
    for number in (1, 2):
        Session(brain, f"other{number}", day=number).edited("src/queue.go").ran("go vet")

    assert is_told(brain)
    Session(brain, "worker", day=3).edited("src/worker.go")
    Session(brain, "other4", day=4).edited("src/queue.go")
    assert is_told(brain)

    for number in (5, 6):
        Session(brain, f"other{number}", day=number).edited("src/queue.go")
    assert not is_told(brain)
