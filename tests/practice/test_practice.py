"""What agents ran in captured sessions is counted, and failures that were overcome are kept."""

import pytest

from tests.practice.sessions import SHOP, Session
from tilth.context.model import BriefRequest
from tilth.core.actor import Actor, ActorKind
from tilth.core.errors import NotFoundError

UNDEFINED = "Exit code 1\ncart.go:12:3: undefined: total"
REASON = "The build failed because `total` was moved to the package `money` last week."


def shown(brain, **told):
    return {one.shown: one for one in brain.commands.list(scope=SHOP, **told)}


def test_commands_are_counted_once_a_session_with_their_outcomes(brain):
    for number in range(3):
        Session(brain, f"s{number}").ran("cd api && make test 2>&1 | tail", "3 passed").ran(
            "make test", "Tests: 1 failed", failed=number == 0
        )

    (one,) = brain.commands.list(scope=SHOP)

    assert (one.line, one.kind, one.session_count) == ("make test", "test", 3)
    assert (one.ok_count, one.failed_count) == (5, 1)


@pytest.mark.parametrize(
    ("ran", "told"),
    [
        (["go test ./cart", "go test ./cart", "go test ./..."], "go test ./..."),
        (["go test ./cart -run Total", "go test ./cart -run Total"], "go test ./cart"),
        (["go test ./cart", "go test ./cart"], "go test ./cart"),
        (["go test ./cart", "go test ./user", "go test ./mail"], "go test …"),
        (["python tests.py", "python tests.py"], "python tests.py"),
    ],
)
@pytest.mark.on_sqlite(but=2)
def test_a_command_is_told_as_it_runs_all_there_is_where_that_was_seen(brain, ran, told):
    for number, line in enumerate(ran):
        Session(brain, f"s{number}").ran(line, "ok  shop  0.2s")

    assert shown(brain).keys() == {told}


def test_a_command_is_found_as_the_list_shows_it(brain):
    for number, line in enumerate(["go test ./cart", "go test ./user", "go test ./mail"]):
        Session(brain, f"s{number}").ran(line, "ok  shop  0.2s")

    listed = brain.commands.list(scope=SHOP)

    for asked in ("go test …", "go test", "go  test ./user"):
        assert [brain.commands.get(asked, scope=SHOP)] == listed
    with pytest.raises(NotFoundError):
        brain.commands.get("go", scope=SHOP)


def test_a_command_of_one_session_or_that_never_came_through_is_told_when_asked_for(brain):
    Session(brain, "s1").ran("make test", "3 passed")
    for number in range(2):
        Session(brain, f"n{number}").ran("npm test", "npm ERR! missing script: test", failed=True)

    assert shown(brain) == {}
    assert shown(brain, is_all=True).keys() == {"make test", "npm test"}


def test_what_one_session_ran_again_and_again_is_told_where_no_habit_has_its_end(brain):
    session = Session(brain, "s1")
    for _ in range(3):
        session.ran("make test", "3 passed").ran("go vet ./cart", "ok").ran("make build", "done")
    session.ran("make lint", "0 issues")

    alone = shown(brain).keys()
    for number in range(2):
        Session(brain, f"n{number}").ran("make check-build", "done")

    # What was run but once, and what picks a file, may have been for the task of that session.
    assert alone == {"make test", "make build"}
    assert shown(brain).keys() == {"make test", "make check-build"}


def test_what_came_through_in_place_of_a_wrong_command_is_told_with_it(brain):
    wrong = "npm error Missing script: test"
    for number in range(2):
        Session(brain, f"s{number}").ran("npm test", wrong, failed=True).ran("bun test", "3 pass")

    known = shown(brain, is_all=True)

    assert known["npm test"].instead == "bun test"
    assert known["bun test"].instead == ""


def test_commands_of_another_project_are_not_told(brain):
    for number in range(2):
        Session(brain, f"s{number}", scope="project:work/other").ran("make test", "3 passed")

    assert brain.commands.list(scope=SHOP) == []


def test_what_an_agent_hands_over_is_no_run_that_anybody_saw(brain):
    for number in range(3):
        Session(brain, f"s{number}", by=Actor("agent", ActorKind.AGENT)).ran("make test", "ok")

    assert shown(brain, is_all=True) == {}


def test_silence_is_success_unless_nothing_came_after_it(brain):
    for number in range(2):
        Session(brain, f"s{number}").ran("go build ./...", "").says("It builds.")
    Session(brain, "s3").ran("go build ./...", "")

    (one,) = brain.commands.list(scope=SHOP)

    assert (one.ok_count, one.unknown_count) == (2, 1)


def test_a_run_in_the_background_ends_with_what_was_asked_after_it(brain):
    for number in range(2):
        session = Session(brain, f"s{number}")
        session.ran("bun run build", "Process running with session ID 7")
        session.used('write_stdin: {"session_id": 7, "chars": ""}', "exit 1", failed=True)

    (one,) = brain.commands.list(is_all=True, scope=SHOP)

    assert (one.ok_count, one.failed_count, one.unknown_count) == (0, 2, 0)


def test_a_failure_an_edit_and_a_pass_are_one_fix_with_its_proof(brain):
    session = Session(brain, "s1").ran("go build ./...", UNDEFINED, failed=True)
    session.edited("/w/cart.go").says(REASON).ran("go build ./...", "").says("Done.")

    (fix,) = brain.fixes.list(scope=SHOP)

    assert fix.symptom == "cart.go:12:3: undefined: total"
    assert fix.cause == REASON
    assert fix.changed == ("/w/cart.go",)
    assert brain.fixes.get(fix.id, scope=SHOP) == fix
    assert brain.episodes.get(fix.failed_in).text == UNDEFINED
    assert brain.episodes.get(fix.told_in).text == REASON


def test_a_pass_without_a_change_and_a_failure_that_was_meant_are_no_fix(brain):
    Session(brain, "s1").ran("make test", "1 failed", failed=True).ran("make test", "1 passed")
    session = Session(brain, "s2").ran("make test", "1 failed", failed=True, why="It should fail")
    session.edited("cart.py").ran("make test", "1 passed")

    assert brain.fixes.list(is_all=True, scope=SHOP) == []


def test_a_pass_of_another_case_ends_no_failure(brain):
    session = Session(brain, "s1").ran("pytest a.py -k one", "1 failed", failed=True)
    session.edited("a.py").ran("pytest b.py -k two", "1 passed")

    assert brain.fixes.list(is_all=True, scope=SHOP) == []


def test_a_symptom_that_came_again_tells_even_without_a_reason(brain):
    for number in range(2):
        session = Session(brain, f"s{number}").ran(
            "make test", "error: port 80 denied", failed=True
        )
        session.edited("compose.yml").ran("make test", "1 passed")

    # Once, by the last, though it says no more than the first.
    (fix,) = brain.fixes.list(scope=SHOP)
    assert (fix.recurrence, fix.session_id) == (2, "claude-code:s1")


def test_what_failed_again_is_told_once_by_the_last_that_says_why(brain):
    for number in range(3):
        session = Session(brain, f"s{number}").ran("go build ./...", UNDEFINED, failed=True)
        session.edited("/w/cart.go").says(REASON if number == 1 else "Let me see.")
        session.ran("go build ./...", "").says("Done.")

    (fix,) = brain.fixes.list(scope=SHOP)
    assert (fix.recurrence, fix.session_id, fix.cause) == (3, "claude-code:s1", REASON)
    assert brain.fixes.list(is_all=True, scope=SHOP) == [fix]


@pytest.mark.parametrize(
    ("one", "other", "recurrence"),
    [
        (
            "shelf.go:7:2: missing cases in switch of type jar.Kind: jar.Sweet (exhaustive)",
            "api/lid.go:90:12: missing cases in switch of type lid.Form: lid.Flat, lid.Round",
            2,
        ),
        (
            "a.go:1:1: error returned from another package is unwrapped: sig: func a.Get(n int)",
            "b.go:2:2: error returned from another package is unwrapped: sig: func b.Put() error",
            2,
        ),
        ("--- FAIL: TestShelf", "--- FAIL: TestJar", 1),
        ("a.go:1:1: field jar is unused (unused)", "b.go:2:2: lid.Flat is deprecated: old", 1),
    ],
)
@pytest.mark.on_sqlite(but=2)
def test_a_symptom_comes_again_with_what_is_wrong_and_not_with_where(brain, one, other, recurrence):
    for number, symptom in enumerate((one, other)):
        session = Session(brain, f"s{number}").ran("make lint", symptom, failed=True)
        session.edited(f"/w/{number}.go").ran("make lint", "0 issues")

    told = brain.brief(BriefRequest(via="test"), scope=SHOP).text

    fixes = brain.fixes.list(is_all=True, scope=SHOP)
    assert {fix.recurrence for fix in fixes} == {recurrence}
    lines = [line for line in told.splitlines() if "`make lint` failed" in line]
    assert len(lines) == recurrence - 1
    assert all(".go:" not in line and "overcome in 2 sessions" in line for line in lines)


def test_a_brief_tells_a_failure_once_and_never_by_words_that_say_nothing(brain):
    for number in range(2):
        session = Session(brain, f"s{number}").ran("make test", "error: no port", failed=True)
        session.used("Edit: a change", "ok").ran("make test", "1 passed")

    told = brain.brief(BriefRequest(via="test"), scope=SHOP).text

    (line,) = [one for one in told.splitlines() if "`make test` failed" in one]
    assert "“error: no port”; overcome in 2 sessions" in line


@pytest.mark.parametrize(
    ("cause", "told"),
    [
        ("The lint config doesn't exclude `.cache/` or `.kettle/`.", 0),
        ("`make` needs the cache to be warm, because it never waits for it.", 1),
    ],
)
def test_a_reason_that_names_what_was_changed_is_over_with_the_change(brain, cause, told):
    session = Session(brain, "s1").ran("git push", "error: no port", failed=True).says(cause)
    session.edited("/w/lint.json").ran("git push", "ok")

    brief = brain.brief(BriefRequest(via="test"), scope=SHOP).text

    assert brief.count("`git push` failed") == told


@pytest.mark.row("I11")
def test_all_of_it_is_derived_from_the_episodes_and_goes_with_them(brain, human, store):
    session = Session(brain, "s1").ran("go build ./...", UNDEFINED, failed=True)
    session.edited("/w/cart.go").says(REASON).ran("go build ./...", "built").says("Done.")
    before = brain.fixes.list(scope=SHOP), brain.commands.list(is_all=True, scope=SHOP)

    human.rebuild()

    after = brain.fixes.list(scope=SHOP), brain.commands.list(is_all=True, scope=SHOP)
    assert after == before
    assert list(store.verify()) == []


def test_a_command_that_a_person_refuses_is_not_told_however_often_it_came_through(brain):
    for number in range(3):
        Session(brain, f"s{number}", day=number).ran("pip install -e .", "ok").ran(
            "make test", "ok"
        )
    assert shown(brain).keys() == {"pip install -e .", "make test"}

    Session(brain, "s4", day=4).asks("Always use `uv pip`, not `pip`, to install things here.")
    brain.distil(is_asked=True)

    assert shown(brain).keys() == {"make test"}
    assert (
        "pip install" not in brain.brief(BriefRequest(), scope=SHOP).text.partition("Commands")[2]
    )


@pytest.mark.on_sqlite(but=1)
@pytest.mark.row("KB-040")
@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("ssh-add ~/.ssh/harbour_ed25519", "ssh-add"),
        ("aws sso login --profile ana", "aws sso login"),
        ("docker login -u ana -p geheim registry.example", "docker login"),
        ("sudo service postgresql start", "service postgresql start"),
        ("pip install pyyaml", "pip install …"),
        ("git pull --rebase", "git pull --rebase"),
    ],
)
def test_what_a_command_needs_around_it_is_what_overcame_its_failure(brain, line, told):
    session = Session(brain, "s1").ran("just rollout", "denied: Größe 0", failed=True)
    session.ran("cat rollout.yml", "kiosks").ran(line, "ok").ran("just rollout", "rolled out")

    (fix,) = brain.fixes.list(is_all=True, scope=SHOP)

    assert fix.ran == [told]


_DENIED = "just: ./scripts/rollout.sh: Permission denied"


@pytest.mark.on_sqlite(but=1)
@pytest.mark.row("KB-040")
@pytest.mark.parametrize(
    ("line", "failure", "told"),
    [
        ("chmod +x scripts/rollout.sh", _DENIED, "chmod +x scripts/rollout.sh"),
        ("cp .env.example .env", "error: .env not found", "cp .env.example .env"),
        (
            "cd /srv/shop && rm -rf /tmp/stale.lock",
            "fatal: cannot lock '/tmp/stale.lock': File exists",
            "rm …",
        ),
        ("mkdir -p logs/", "error: cannot open 'logs/kiosk.log'", "mkdir -p logs/"),
        ("rm -rf dist/*", "error: stale output in dist/", "rm -rf dist/*"),
        ("chmod 644 rollout.yml", _DENIED, None),
        ("cp .env.example .env", _DENIED, None),
        ("rm -rf /tmp/scratch", _DENIED, None),
        ("mkdir -p build", "error: the build was denied", None),
        ("rm *", _DENIED, None),
    ],
)
def test_moving_files_overcomes_a_failure_that_names_them(brain, line, failure, told):
    session = Session(brain, "s1").ran("just rollout", failure, failed=True)
    session.ran(line, "ok").ran("just rollout", "rolled out")

    fixes = brain.fixes.list(is_all=True, scope=SHOP)

    assert [fix.ran for fix in fixes] == ([] if told is None else [[told]])


@pytest.mark.on_sqlite(but=1)
@pytest.mark.parametrize("line", ["ls -la", "git status", "cat rollout.yml", "kubectl get pods"])
def test_looking_overcomes_nothing(brain, line):
    session = Session(brain, "s1").ran("just rollout", "denied", failed=True)
    session.ran(line, "ok").ran("just rollout", "rolled out")

    assert brain.fixes.list(is_all=True, scope=SHOP) == []


def test_what_failed_itself_overcomes_nothing(brain):
    session = Session(brain, "s1").ran("just rollout", "denied", failed=True)
    session.ran("ssh-add key", "no such identity", failed=True).ran("just rollout", "rolled out")

    assert brain.fixes.list(is_all=True, scope=SHOP) == []
