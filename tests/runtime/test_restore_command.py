"""Putting a backup in the place of a store: by a person, who is told what it is."""

import os
import shlex
import shutil
import signal
import subprocess
import sys

import pytest

from tests.program import Inside, acting

RULE = "Deploy on Mondays only."


def confirmed(program, text=RULE):
    """Let a person lay something down."""
    with acting("human"):
        done = program("fact", "add", text, "--about", "deployments", "--json")
    assert done.code == 0, done.out
    return done.answer


def restored(program, backup, *more):
    with acting("human"):
        return program("restore", backup, "--json", *more)


def same(program):
    """Return what doctor says of whether it is the store that was there."""
    checks = program("doctor", "--json").answer["checks"]
    return next(one for one in checks if one["id"] == "store.same")


@pytest.fixture
def other(tmp_path):
    """Another installation, where a person laid down something else."""
    home = tmp_path / "elsewhere"
    home.mkdir()
    theirs = Inside(home)
    assert theirs("init").code == 0
    confirmed(theirs, "Deploy whenever you like.")
    assert theirs("backup", tmp_path / "theirs.db").code == 0
    return tmp_path / "theirs.db"


def test_what_is_no_backup_is_told_with_what_reads_it(ready, tmp_path):
    for words in ((), ("--whole",)):
        with acting("human"):
            assert ready("export", tmp_path / "out.jsonl", *words, "--force").code == 0
        refused = restored(ready, tmp_path / "out.jsonl", "--replace")
        assert "`tilth import`" in refused.answer["error"]["hint"]

    told = ready("import", tmp_path / "out.jsonl", "--json")

    assert "tilth load FILE" in told.answer["error"]["hint"]


def test_a_backup_of_another_machine_is_told_how_to_bring_it(ready, other, tmp_path):
    with acting("human"):
        refused = ready("restore", other, "--store", tmp_path / "fresh.db", "--json")

    assert refused.answer["error"]["hint"].endswith(
        f"tilth restore {other} --store {tmp_path / 'fresh.db'} --accept another-installation"
    )


@pytest.mark.row("I20")
@pytest.mark.parametrize("words", [["--replace"], ["--store", "fresh.db"], []])
def test_an_agent_restores_nothing(ready, tmp_path, other, words):
    confirmed(ready)
    before = ready("fact", "list", "--json").answer
    mine = tmp_path / "mine.db"
    assert ready("backup", mine).code == 0

    for backup in (other, mine):
        refused = ready("restore", backup, *words, "--json")
        assert (refused.code, refused.answer["error"]["code"]) == (5, "forbidden")

    assert ready("fact", "list", "--json").answer == before
    assert not (ready.home / "fresh.db").exists()


@pytest.mark.row("I20")
@pytest.mark.parametrize("words", [["rebuild"], ["verify", "--accept"]])
def test_an_agent_neither_rebuilds_nor_accepts_a_store(ready, words):
    refused = ready(*words, "--json")

    assert (refused.code, refused.answer["error"]["code"]) == (5, "forbidden")


@pytest.mark.row("I20")
def test_a_backup_of_another_store_and_installation_wants_a_word_for_each(ready, other):
    confirmed(ready)

    refused = restored(ready, other, "--replace")
    error = refused.answer["error"]
    half = restored(ready, other, "--replace", "--accept", "another-store")

    assert refused.code == half.code == 4
    assert "of another store" in error["message"]
    assert "2 decisions of people that are not here" in error["message"]
    assert error["hint"].endswith(
        "--accept another-store --accept another-installation --accept lost-decisions"
    )
    words = [part for word in error["hint"].split("--accept ")[1:] for part in ["--accept", word]]
    whole = restored(ready, other, "--replace", *map(str.strip, words))
    assert whole.code == 0
    assert same(ready)["status"] == "ok"
    assert ready("verify").code == 0


@pytest.mark.row("I20")
def test_a_backup_from_before_a_decision_wants_a_word_of_its_own(ready, tmp_path):
    old = tmp_path / "old.db"
    assert ready("backup", old).code == 0
    confirmed(ready)

    refused = restored(ready, old, "--replace")

    assert refused.code == 4
    assert "lacks 2 decisions of people" in refused.answer["error"]["message"]
    assert refused.answer["error"]["hint"] == (
        f"if you mean it: tilth restore {old} --replace --accept lost-decisions"
    )
    assert ready("fact", "list", "--json").answer["facts"]
    assert restored(ready, old, "--replace", "--accept", "lost-decisions").code == 0


def test_a_copy_that_went_on_elsewhere_is_told_to_be_of_another_installation(ready, tmp_path):
    shutil.copytree(ready.home, tmp_path / "laptop")
    laptop = Inside(tmp_path / "laptop")
    for key in laptop.home.rglob("signing.key"):
        key.write_bytes(os.urandom(32))
    confirmed(laptop, "Deploy whenever you like.")
    assert laptop("backup", tmp_path / "theirs.db").code == 0

    refused = restored(ready, tmp_path / "theirs.db", "--replace")

    assert refused.code == 4
    assert "was not made by this installation" in refused.answer["error"]["message"]
    assert "holds 2 decisions of people that are not here" in refused.answer["error"]["message"]
    assert refused.answer["error"]["hint"].endswith("--replace --accept another-installation")


def test_a_machine_without_a_store_is_told_the_line_that_brings_one_from_another(ready, tmp_path):
    confirmed(ready)
    assert ready("backup", tmp_path / "brain.db").code == 0
    machine = Inside(tmp_path / "new")
    machine.home.mkdir()

    refused = restored(machine, tmp_path / "brain.db")
    error = refused.answer["error"]

    assert refused.code == 4
    assert "as it went on here" not in error["message"]
    line = f"tilth restore {tmp_path / 'brain.db'} --accept another-installation"
    assert error["hint"] == f"if it is from another machine or account of yours: {line}"
    done = restored(machine, tmp_path / "brain.db", *line.split()[3:])
    assert done.code == 0
    assert machine("fact", "list", "--json").answer["facts"]


def test_a_backup_of_what_is_there_wants_no_word(ready, tmp_path):
    confirmed(ready)
    assert ready("backup", tmp_path / "now.db").code == 0
    assert ready("remember", "the ferry leaves at nine").code == 0

    done = restored(ready, tmp_path / "now.db", "--replace")
    assert (done.code, done.answer["left"]) == (0, 1)
    ready.store.unlink()
    assert restored(ready, tmp_path / "now.db").code == 0


@pytest.mark.row("C-04")
def test_an_erasure_that_a_restore_applies_again_is_not_told_as_missing(ready, tmp_path):
    said = ready("remember", "the code is 4711", "--json").answer["episode_id"]
    assert ready("backup", tmp_path / "now.db").code == 0
    with acting("human"):
        assert ready("erase", "--episode", said, "--confirm").code == 0

    done = restored(ready, tmp_path / "now.db", "--replace")

    assert (done.code, done.answer["left"]) == (0, 0)
    assert ready("episode", "show", said).code != 0


def test_what_a_backup_lacks_is_told_and_comes_in_as_that_says(ready, tmp_path):
    assert ready("backup", tmp_path / "now.db").code == 0
    assert ready("remember", "the ferry leaves at nine").code == 0
    assert ready("fact", "add", "The quay is shut.", "--about", "quay").code == 0
    with acting("human"):
        told = ready("restore", tmp_path / "now.db", "--replace").out
    assert "events that the backup lacks" in told
    assert ready("recall", "ferry", "--json").answer["hits"] == []

    # Each on a line of its own, as it is copied.
    commands = [line for line in told.splitlines() if line.startswith("  tilth ")]
    assert len(commands) == 3
    for command in commands:
        assert ready(*shlex.split(command)[1:]).code == 0

    hit, *_ = ready("recall", "ferry", "--json").answer["hits"]
    assert hit["text"] == "the ferry leaves at nine"
    (fact,) = ready("fact", "list", "--lifecycle", "historical", "--json").answer["facts"]
    assert fact["said"]["text"] == "The quay is shut."


@pytest.mark.row("I5", "I43")
def test_doctor_tells_that_a_store_was_swapped_until_a_person_accepts_it(ready, tmp_path, other):
    confirmed(ready)
    theirs = tmp_path / "elsewhere" / "tilth"
    for name in ("tilth.db", "tilth.db.heads"):
        shutil.copy(theirs / name, ready.store.parent / name)
    shutil.copy(next(theirs.rglob("signing.key")), next(ready.store.parent.rglob("signing.key")))

    assert ready("remember", "written afterwards").code == 0
    assert (same(ready)["status"], ready("doctor").code) == ("fail", 1)
    assert "was in this place" in same(ready)["summary"]
    assert ready("verify").code == 8

    with acting("human"):
        assert ready("verify", "--accept").code == 0
    assert same(ready)["status"] == "ok"


def mended_as_told(program, check):
    """Do what doctor says of a check, the last of its suggestions."""
    checks = program("doctor", "--json").answer["checks"]
    fix = next(one["fix"] for one in checks if one["id"] == check)
    with acting("human"):
        assert program(*fix.rpartition("tilth ")[2].split()).code == 0, fix


@pytest.mark.parametrize("left", [None, b"no store" * 512])
def test_a_store_that_is_gone_comes_back_as_doctor_says(ready, tmp_path, left):
    confirmed(ready)
    assert ready("backup", tmp_path / "b.db").code == 0
    ready.store.unlink()
    if left:
        ready.store.write_bytes(left)
    else:
        assert "is gone" in ready("recall", "deploy").err
        examined = ready("doctor").out
        assert examined.count(str(ready.store)) == 1, "it is told once"

    mended_as_told(ready, "store.opens")

    assert same(ready)["status"] == "ok"
    assert RULE in ready("fact", "list").out


def test_a_store_begun_in_the_place_of_one_that_is_gone_gives_way_to_its_backup(ready, tmp_path):
    confirmed(ready)
    assert ready("backup", tmp_path / "b.db").code == 0
    ready.store.unlink()
    assert ready("init").code == 0

    mended_as_told(ready, "store.same")

    assert same(ready)["status"] == "ok"
    assert RULE in ready("fact", "list").out


@pytest.mark.row("I5")
def test_an_older_file_with_its_own_heads_is_told_and_takes_no_writes(ready, tmp_path):
    names = ("tilth.db", "tilth.db.heads")
    for name in names:
        shutil.copy(ready.store.parent / name, tmp_path / name)
    confirmed(ready)
    for name in names:
        shutil.copy(tmp_path / name, ready.store.parent / name)

    assert ready("remember", "written afterwards").code == 8
    assert (same(ready)["status"], ready("verify").code) == ("fail", 8)
    # Both ways out are named; one command does not send to the other.
    checks = {one["id"]: one for one in ready("doctor", "--json").answer["checks"]}
    assert checks["store.whole"]["fix"] == checks["store.same"]["fix"]

    with acting("human"):
        assert ready("verify", "--accept").code == 0
    assert ready("remember", "written afterwards").code == 0
    assert ready("verify").code == 0


@pytest.mark.row("I33")
@pytest.mark.parametrize("words", [["restore", "copy.db", "--replace"], ["backup", "again.db"]])
def test_what_a_killed_copy_leaves_is_gone_after_an_erase(ready, words):
    secret = "the wharf code is " + "wq7" * 3
    episode = ready("remember", secret, "--json").answer["episode_id"]
    assert ready("backup", ready.home / "copy.db").code == 0
    left = killed_in_the_middle(ready, words)
    assert any(secret.encode() in path.read_bytes() for path in left)

    with acting("human"):
        plan = ready("erase", "--episode", episode, "--json").answer
        words = ["--confirm", "--digest", plan["digest"], "--json"]
        erased = ready("erase", "--episode", episode, *words)
    assert erased.code == 0

    held = [path for path in ready.home.rglob("*") if path.is_file()]
    held = [str(path) for path in held if secret.encode() in path.read_bytes()]
    assert set(held) == set(erased.answer["copies"])
    assert not {str(path) for path in left} & set(held)


def killed_in_the_middle(program, words):
    """Run a command in a process that is killed when its copy is whole; return what it leaves."""
    code = f"""
import os, signal
from tests.program import acting
from tilth.interfaces.cli import main
from tilth.ledger import store
store.Store.verify = lambda self: os.kill(os.getpid(), signal.SIGKILL)
with acting("human"):
    main({words!r})
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=program.environ(PYTHONPATH=os.pathsep.join(sys.path)),
        cwd=program.home,
        check=False,
    )
    assert done.returncode == -signal.SIGKILL
    left = [path for path in program.home.rglob(".*.new*") if path.is_file()]
    assert left
    return left


@pytest.mark.row("I26")
def test_a_skill_that_the_backup_does_not_approve_is_installed_no_more(ready, tmp_path):
    texts = {one: f"---\nname: {one}\ndescription: x\n---\n\n1. Go.\n" for one in ("old", "new")}

    def approve(name):
        with acting("human"):
            made = ready("skill", "add", texts[name], "--json").answer["skill"]
            told = ("--digest", made["digest"], "--folder", tmp_path / "home")
            assert ready("skill", "approve", made["id"], *told).code == 0

    approve("old")
    assert ready("backup", tmp_path / "b.db").code == 0
    approve("new")

    done = restored(ready, tmp_path / "b.db", "--replace", "--accept", "lost-decisions")

    left = {one.parent.name for one in (tmp_path / "home").rglob("SKILL.md")}
    assert left == {"old"}
    assert len(done.answer["removed"]) == 2
