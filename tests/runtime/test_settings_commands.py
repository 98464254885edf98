"""Setting one setting at the command line."""

import os
import pty
import stat
import subprocess
import sys

import pytest

from tilth.core.actor import Actor, ActorKind
from tilth.interfaces.cli import invocation
from tilth.interfaces.cli.caller import AGENTS
from tilth_hook import agent_above

FILE = """\
# mine
recall_limit = 5  # few
excluded_terms = [
  "one",
  "two",
]
owner = "ada"
"""


@pytest.fixture
def as_human(monkeypatch):
    monkeypatch.setattr(invocation, "caller", lambda *_, **__: Actor("ana", ActorKind.HUMAN))


@pytest.fixture
def file(tilth):
    tilth.store.parent.mkdir(parents=True, exist_ok=True)
    return tilth.store.with_name("config.toml")


def value_of(tilth, name):
    rows = tilth("settings", "--json").answer["settings"]
    return next(row["value"] for row in rows if row["name"] == name)


@pytest.mark.usefixtures("as_human")
def test_one_setting_changes_and_the_rest_stays(tilth, file):
    file.write_text(FILE)

    assert tilth("settings", "set", "excluded_terms", "Project X, Ada").code == 0
    assert tilth("settings", "set", "recall_limit", "20", "--json").answer["setting"]["value"] == 20
    assert tilth("settings", "set", "injection", "none").code == 0

    assert file.read_text() == (
        '# mine\nrecall_limit = 20\nexcluded_terms = ["Project X", "Ada"]\nowner = "ada"\n'
        'injection = "none"\n'
    )
    assert value_of(tilth, "excluded_terms") == ["Project X", "Ada"]


@pytest.mark.usefixtures("as_human")
def test_a_setting_gets_its_default_again_and_the_rest_stays(tilth, file):
    file.write_text(FILE)

    told = tilth("settings", "unset", "excluded_terms", "--json").answer["setting"]

    assert (told["value"], told["origin"]) == ([], "default")
    assert file.read_text() == '# mine\nrecall_limit = 5  # few\nowner = "ada"\n'
    assert "local  (default)" in tilth("settings", "unset", "owner").out
    assert tilth("settings", "unset", "injection").code == 0
    assert file.read_text() == "# mine\nrecall_limit = 5  # few\n"


def test_nobody_but_a_person_takes_a_setting_back(tilth, file):
    file.write_text(FILE)

    assert tilth("settings", "unset", "owner").code == 5
    assert file.read_text() == FILE


@pytest.mark.usefixtures("as_human")
def test_the_file_is_made_for_its_owner_alone_and_a_secret_is_not_shown(tilth, file):
    told = tilth("settings", "set", "embedder_key", "-", stdin="s3cret\n")

    assert (told.code, "s3cret" in told.out) == (0, False)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert file.read_text() == 'embedder_key = "s3cret"\n'


def test_at_a_real_terminal_a_person_types_a_secret_that_is_not_shown(program, file):
    if agent_above(tuple(AGENTS), dict(os.environ)):
        pytest.skip("an agent runs the tests, and passes for no person")
    master, slave = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "tilth", "settings", "set", "embedder_key", "-"],
        stdin=slave, stdout=slave, stderr=slave, cwd=program.home, env=program.environ(),
        start_new_session=True,
    ) as process:  # fmt: skip
        os.close(slave)
        shown = b""
        while not shown.endswith(b"embedder_key: "):
            shown += os.read(master, 1024)
        os.write(master, b"s3cret\n")
        assert process.wait(20) == 0
    shown += os.read(master, 1024)
    os.close(master)
    assert b"s3cret" not in shown
    assert file.read_text() == 'embedder_key = "s3cret"\n'


@pytest.mark.usefixtures("as_human")
def test_where_nothing_is_typed_a_setting_stays_as_it_is(tilth, file):
    file.write_text(FILE)
    run = tilth("settings", "set", "owner", "-", stdin="")

    assert (run.code, file.read_text()) == (2, FILE)
    assert "owner stays as it is" in run.err


def test_whoever_redirects_into_a_settings_command_is_told_not_to(tilth):
    run = tilth("settings", "set", "embedder_key", "-", stdin="s3cret\n")

    assert run.code == 5
    assert "with nothing redirected into it" in run.err


@pytest.mark.usefixtures("as_human")
@pytest.mark.parametrize(
    ("name", "value"), [("recall_limit", "many"), ("recall_limit", "0"), ("embedder", "magic")]
)
def test_what_cannot_be_read_is_refused_and_not_written(tilth, file, name, value):
    file.write_text(FILE)

    assert tilth("settings", "set", name, value).code == 2
    assert file.read_text() == FILE
    assert list(file.parent.glob(".config*")) == []


def test_an_unknown_setting_is_answered_with_the_nearest(tilth):
    assert "recall_limit" in tilth("settings", "set", "recal_limit", "3").err


def test_only_a_person_sets(tilth, file):
    assert tilth("settings", "set", "recall_limit", "3").code == 5
    assert not file.exists()


@pytest.mark.row("KB-124")
@pytest.mark.usefixtures("as_person")
def test_recall_answers_while_the_embedder_of_a_live_brain_is_switched_and_back(ready):
    ready("settings", "set", "embedder", "none")
    for said in ("The kettle is on.", "The port of the kettle is 5433.", "The kettle sings."):
        ready("remember", said)

    def second():
        hits = ready("recall", "port of the kettle", "--json").answer["hits"]
        assert hits[0]["text"] == "The port of the kettle is 5433."
        return ["cosine_second" in hit["signals"] for hit in hits]

    assert second() == [False] * 3
    ready("settings", "set", "embedder", "minilm")
    assert second() == [False] * 3
    assert ready("worker", "--once", "--json").answer["embedded_count"] == 3
    assert second() == [True] * 3
    ready("settings", "set", "embedder", "none")
    assert second() == [False] * 3


@pytest.mark.usefixtures("as_human")
@pytest.mark.parametrize(
    ("setting", "value", "told"),
    [
        ("web_fetch", "maybe", "use true or false"),
        ("gap_threshold", "often", "use a whole number"),
        ("busy_timeout_s", "long", "use a number"),
    ],
)
def test_a_value_of_another_kind_is_answered_with_what_is_taken(tilth, setting, value, told):
    run = tilth("settings", "set", setting, value)

    assert run.code == 2
    assert f"setting '{setting}' cannot be '{value}'" in run.err
    assert told in run.err
