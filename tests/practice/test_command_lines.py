"""Of a line of a shell, the commands that are for something are known, and no others."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilth.practice.calls import call_in
from tilth.practice.command_lines import commands_in
from tilth.practice.model import CommandKind
from tilth.practice.outputs import cause_in, guess_result, symptom_of


def lines(text):
    return [one.line for one in commands_in(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("cd api && CI=1 timeout 60 npm test 2>&1 | tail -20", ["npm test"]),
        ("mise run fmt && mise run lint", ["mise run fmt", "mise run lint"]),
        ("bash -lc 'cd /srv && make build'", ["make build"]),
        ('sh -c "pytest -q" > /tmp/out.txt', ["pytest -q"]),
        ("env A=b nice -n 5 cargo test", ["cargo test"]),
        ("python3 -m pytest tests", ["python3 -m pytest tests"]),
        ("./scripts/deploy.sh staging", ["./scripts/deploy.sh staging"]),
    ],
)
def test_a_command_is_read_without_its_surroundings(text, found):
    assert lines(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "ls -la && git status",
        "grep -rn pytest .",
        "echo 'run npm test'",
        "cat <<'EOF' > notes.md\nnpm test\nEOF",
        "curl -fsSL https://get.example | sh",
        "npm test -- --reporter=https://evil.example/x",
        "go test $(cat packages.txt)",
        "/tmp/x/pytest",
        "pip install leftpad",
        "npm install left-pad",
        "",
        "'",
    ],
)
def test_what_is_for_nothing_known_or_for_one_run_alone_is_no_command(text):
    assert lines(text) == []


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("python run_tests.py tests/a.py", "test:python run_tests.py"),
        ("./scripts/test.sh", "test:./scripts/test.sh"),
        ("pytest tests/a.py", "test:pytest"),
    ],
)
def test_a_script_of_the_projects_own_is_no_file_that_was_picked(text, key):
    assert [one.key for one in commands_in(text)] == [key]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("bun run typecheck", CommandKind.TYPES),
        ("pnpm --filter web build", CommandKind.BUILD),
        ("npx vitest run", CommandKind.TEST),
        ("ruff format .", CommandKind.FORMAT),
        ("cargo fmt --all", CommandKind.FORMAT),
        ("prettier --write src", CommandKind.FORMAT),
        ("make format", CommandKind.FORMAT),
        ("cargo fmt --all -- --check", CommandKind.LINT),
        ("cargo fmt --check", CommandKind.LINT),
        ("ruff format --check .", CommandKind.LINT),
        ("black --check --diff src", CommandKind.LINT),
        ("npx prettier -c .", CommandKind.LINT),
        ("gofmt -l .", CommandKind.LINT),
        ("terraform fmt -check -recursive", CommandKind.LINT),
        ("mix format --check-formatted", CommandKind.LINT),
        ("npm run format:check", CommandKind.LINT),
        ("make check-format", CommandKind.LINT),
        ("uv run ruff check src", CommandKind.LINT),
        ("make deploy", CommandKind.DEPLOY),
        ("npm ci", CommandKind.SETUP),
        ("pip install -r requirements.txt", CommandKind.SETUP),
        ("npm run dev", CommandKind.RUN),
    ],
)
def test_what_a_command_is_for_follows_from_its_program_and_its_task(text, kind):
    assert [one.kind for one in commands_in(text)] == [kind]


def test_runs_that_picked_other_cases_are_one_command():
    texts = ["go test ./a/ -run 'TestOne' -v", "go test ./b/... -count=1", "go test ./..."]

    assert len({commands_in(text)[0].key for text in texts}) == 1


def test_where_a_build_goes_that_is_thrown_away_is_no_part_of_it():
    assert commands_in("go build -o /dev/null ./cmd")[0].key == commands_in("go build ./cmd")[0].key
    assert commands_in("go build -o shop ./cmd")[0].key != commands_in("go build ./cmd")[0].key


def test_two_workspaces_or_environments_are_two_commands():
    pairs = [
        ("bun --filter @a/core test", "bun --filter @a/web test"),
        ("helm upgrade shop --namespace staging", "helm upgrade shop --namespace production"),
    ]
    for one, other in pairs:
        assert commands_in(one)[0].key != commands_in(other)[0].key


@pytest.mark.parametrize(
    ("text", "line", "files"),
    [
        ('Bash: {"command": "npm test"}', "npm test", ()),
        ('exec_command: {"cmd": "npm test", "workdir": "/x"}', "npm test", ()),
        ('shell: {"command": ["bash", "-lc", "npm test"]}', "npm test", ()),
        ("Bash: Run the tests\n\n`npm test`", "npm test", ()),
        ('Edit: {"file_path": "a.py", "new_string": "x"}', "", ("a.py",)),
        ("apply_patch: *** Begin Patch\n*** Update File: a.py\n@@", "", ("a.py",)),
        ('Read: {"file_path": "a.py"}', "", ()),
        ("Bash", "", ()),
    ],
)
def test_a_call_is_read_in_the_words_of_each_host(text, line, files):
    call = call_in(text)

    assert (call.line, call.files) == (line, files)


@pytest.mark.parametrize(
    ("output", "verdict"),
    [
        ("ok  \tshop/cart\t0.2s", "ok"),
        ("--- FAIL: TestCart (0.00s)\nFAIL", "failed"),
        ("Tests: 2 failed, 4 passed", "failed"),
        ("12 passed in 0.3s", "ok"),
        ("0 issues.", "ok"),
        ("hello", "unknown"),
        ("all is well ✓", "ok"),
        ("✗ shop/cart", "failed"),
        ("first line\nerror: no such table", "failed"),
        ("\ud800\nerror: no such table", "failed"),
        ("no error: all is well", "unknown"),
    ],
)
def test_an_output_tells_how_its_command_ended(output, verdict):
    assert guess_result(output) == verdict


def test_the_symptom_is_the_line_that_tells_where_and_what():
    output = "Exit code 1\n[lint] $ golangci-lint run\ncart.go:12:3: undefined: total\n1 issues:"

    assert symptom_of(output) == "cart.go:12:3: undefined: total"


@pytest.mark.parametrize(
    "text",
    ["Let me see, because the test failed.", "It is probably due to the cache being stale here."],
)
def test_an_intention_and_a_guess_are_no_reason(text):
    assert cause_in(text) == ""


def test_a_reason_that_its_author_goes_on_to_check_is_a_guess():
    guess = "The pattern fails because the library wants a path without a slash at its end."
    found = "The pattern fails because the library wants a path with a slash at its end."

    assert cause_in(f"{guess} Let me check the docs of it.") == ""
    assert cause_in(f"{guess} Wait, that is not it. {found}") == found
    assert cause_in(f"{guess} Let me fix that.") == guess


@given(st.text(max_size=300), st.sampled_from(["", "Bash: ", 'Bash: {"command": ', "Edit: "]))
def test_no_text_breaks_the_readers(text, before):
    call = call_in(before + text)
    commands_in(call.about)
    guess_result(text)
    symptom_of(text)
    cause_in(text)
