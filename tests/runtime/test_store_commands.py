import os
import signal
import stat
import subprocess
import sys
import textwrap
import time
from contextlib import closing

import apsw
import pytest

from tilth import connect
from tilth.interfaces.cli import program as program_module


def test_the_executable_runs(program):
    assert program("init", "--json").answer["is_new"] is True
    assert program("verify", "--json").answer["event_count"] == 1
    assert program("--version").out.startswith("tilth ")


def test_a_memory_goes_in_and_comes_back_word_for_word(ready):
    episode_id = ready("remember", "the ferry leaves at 07:10", "--session", "pier").out.strip()

    shown = ready("episode", "show", episode_id)

    assert shown.code == 0
    assert "  the ferry leaves at 07:10\n" in shown.out


def test_standard_input_is_remembered(ready):
    noted = ready("remember", "-", "--json", stdin="tåke\nover havnen")

    episode = ready("episode", "show", noted.answer["episode_id"], "--json").answer["episodes"][0]
    assert episode["text"] == "tåke\nover havnen"


@pytest.mark.row("I35")
def test_what_was_remembered_does_not_reach_the_terminal_as_a_command(ready):
    noted = ready("remember", "-", "--json", stdin="\x1b]0;owned\x07\r\u202e\x9b2J")

    shown = ready("episode", "show", noted.answer["episode_id"], environ={"FORCE_COLOR": "1"})

    assert r"\x1b]0;owned\x07\r\u202e\x9b2J" in shown.out
    assert "\x1b]" not in shown.out


def test_colour_appears_only_where_it_is_wanted(ready):
    ready("remember", "x", "--session", "s")

    plain = ready("session", "list")
    forced = ready("session", "list", environ={"FORCE_COLOR": "1"})
    refused = ready("session", "list", environ={"FORCE_COLOR": "1", "NO_COLOR": "1"})

    assert "\x1b[" in forced.out
    assert plain.out == refused.out
    assert "\x1b[" not in plain.out


@pytest.mark.row("I43")
def test_a_missing_store_is_refused_and_not_made(tilth):
    refused = tilth("remember", "x")

    assert refused.code == 3
    assert "tilth init" in refused.err
    assert not tilth.store.exists()


def test_init_twice_leaves_the_store_as_it_is(ready):
    again = ready("init", "--json")

    assert again.answer["is_new"] is False


@pytest.mark.row("I37")
def test_what_init_makes_is_readable_by_its_owner_alone(ready):
    made = [path for path in (ready.home / "tilth").rglob("*") if path.is_file()]

    assert made
    assert all(stat.S_IMODE(path.stat().st_mode) & 0o077 == 0 for path in made)


def test_a_store_that_was_tampered_with_does_not_verify(ready):
    ready("remember", "the real words")
    data = ready.store.read_bytes()
    assert b"the real words" in data
    ready.store.write_bytes(data.replace(b"the real words", b"the fake words"))

    verified = ready("verify", "--json")

    assert verified.code == 8
    assert verified.answer["is_whole"] is False
    assert verified.answer["findings"]


@pytest.mark.row("I41")
def test_a_backup_says_that_it_is_good_after_it_was_restored_and_verified(ready):
    ready("remember", "kept")
    target = ready.home / "backups" / "one.db"

    made = ready("backup", target, "--json").answer

    assert made["event_count"] == 2
    assert [path.name for path in target.parent.iterdir()] == ["one.db"]


KILLED_WHILE_VERIFYING = """
    import os, signal
    from tilth.interfaces.cli import main
    from tilth.ledger.store import Store
    Store.verify = lambda _store: os.kill(os.getpid(), signal.SIGKILL)
    main(["backup", "one.db"])
"""


@pytest.mark.row("I41")
def test_a_backup_that_was_killed_before_it_was_verified_has_no_name_and_leaves_nothing(ready):
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(KILLED_WHILE_VERIFYING)],
        env=ready.environ() | {"PYTHONPATH": os.pathsep.join(sys.path)},
        cwd=ready.home,
        check=False,
    )
    assert done.returncode == -signal.SIGKILL
    assert not (ready.home / "one.db").exists()
    assert [*ready.home.glob(".*one.db*")]

    assert ready("backup", "two.db").code == 0
    assert [*ready.home.glob(".*one.db*")] == []
    assert ready("backup", "one.db").code == 0


@pytest.mark.row("I41")
def test_a_copy_that_is_not_whole_is_no_backup(ready):
    ready("remember", "the real words")
    data = ready.store.read_bytes()
    ready.store.write_bytes(data.replace(b"the real words", b"the fake words"))

    refused = ready("backup", "one.db")

    assert refused.code == 8
    assert [path.name for path in ready.home.iterdir()] == ["tilth"]


@pytest.mark.row("I41")
@pytest.mark.usefixtures("as_person")
def test_a_restored_backup_holds_what_was_there(ready):
    kept = ready("remember", "kept", "--json").answer["episode_id"]
    ready("backup", ready.home / "one.db")
    other = ready.home / "other.db"

    restored = ready("restore", ready.home / "one.db", "--store", other, "--json").answer

    assert restored["event_count"] == 2
    assert ready("episode", "show", kept, "--store", other).code == 0
    assert ready("verify", "--store", other).code == 0


@pytest.mark.usefixtures("as_person")
def test_restoring_over_a_store_is_refused(ready):
    ready("backup", ready.home / "one.db")

    refused = ready("restore", ready.home / "one.db", "--json")

    assert refused.code == 4
    assert "--replace" in refused.answer["error"]["hint"]


@pytest.mark.usefixtures("as_person")
def test_a_store_that_is_replaced_is_kept_whole_beside(ready):
    ready("backup", ready.home / "one.db")
    later = ready("remember", "after the backup", "--json").answer["episode_id"]

    restored = ready("restore", ready.home / "one.db", "--replace", "--json").answer

    assert ready("episode", "show", later).code == 3
    aside = restored["replaced"]
    assert ready("episode", "show", later, "--store", aside).code == 0
    assert ready("verify", "--store", aside).code == 0


@pytest.mark.usefixtures("as_person")
def test_a_store_in_use_is_not_replaced(ready):
    kept = ready("remember", "kept", "--json").answer["episode_id"]
    ready("backup", ready.home / "one.db")

    with connect(ready.store):
        refused = ready("restore", ready.home / "one.db", "--replace")

    assert refused.code == 4
    assert ready("episode", "show", kept).code == 0
    assert ready("verify").code == 0


@pytest.mark.usefixtures("as_person")
def test_a_bad_backup_does_not_cost_the_store_that_is_there(ready):
    kept = ready("remember", "kept", "--json").answer["episode_id"]
    ready("backup", ready.home / "one.db")
    data = (ready.home / "one.db").read_bytes()
    (ready.home / "one.db").write_bytes(data.replace(b"kept", b"lost"))

    refused = ready("restore", ready.home / "one.db", "--replace")

    assert refused.code == 8
    assert ready("episode", "show", kept).code == 0
    assert ready("verify").code == 0


@pytest.mark.row("MP-12")
@pytest.mark.usefixtures("as_person")
def test_a_corrupt_index_is_found_and_made_again_with_every_row(ready):
    said = [f"the ferry to island {number} leaves at noon" for number in range(30)]
    for text in said:
        ready("remember", text)
    with closing(apsw.Connection(str(ready.store))) as raw:
        raw.execute("DELETE FROM episode_terms_data WHERE id > 10")

    assert ready("verify").code == 8
    assert ready("rebuild").code == 0

    assert ready("verify").code == 0
    hits = ready("recall", "ferry island noon", "--limit", "50", "--json").answer["hits"]
    assert {hit["text"] for hit in hits} == set(said)


@pytest.mark.row("MP-04", "MP-12")
@pytest.mark.usefixtures("as_person")
def test_without_a_row_of_vectors_words_answer_and_a_rebuild_mends_it(ready):
    ready("remember", "the ferry to the island leaves at noon")
    with closing(apsw.Connection(str(ready.store))) as raw:
        raw.create_scalar_function("tilth_alone_writes_this_table", lambda *_told: 1)
        raw.execute("DELETE FROM vectors")

    asked = ready("recall", "ferry to the island", "--json")
    assert [hit["text"] for hit in asked.answer["hits"]] == [
        "the ferry to the island leaves at noon"
    ]
    checks = {one["id"]: one for one in ready("doctor", "--json").answer["checks"]}
    assert checks["vectors.spaces"]["fix"] == "tilth rebuild"
    assert "no vector" in checks["vectors.spaces"]["summary"]

    assert ready("rebuild").code == 0
    assert ready("verify").code == 0


@pytest.mark.row("MP-12")
@pytest.mark.parametrize("share", [0.3, 0.7, 0.95])
@pytest.mark.usefixtures("as_person")
def test_a_part_of_a_backup_does_not_overwrite_the_store(ready, share):
    kept = [ready("remember", f"kept {n}", "--json").answer["episode_id"] for n in range(5)]
    whole = ready.home / "one.db"
    ready("backup", whole)
    data = whole.read_bytes()
    whole.write_bytes(data[: int(len(data) * share)])

    refused = ready("restore", whole, "--replace")

    assert refused.code != 0
    assert "Traceback" not in refused.err
    assert ready("verify").code == 0
    assert all(ready("episode", "show", one).code == 0 for one in kept)


@pytest.mark.usefixtures("as_person")
def test_rebuild_arrives_at_the_same_state(ready):
    ready("remember", "kept", "--session", "s")
    before = ready("session", "show", "s", "--json").answer

    rebuilt = ready("rebuild", "--json")

    assert rebuilt.answer == {"event_count": 2, "replaced": None}
    assert ready("session", "show", "s", "--json").answer == before
    assert ready("verify").code == 0


@pytest.mark.parametrize(
    ("words", "code", "error"),
    [
        (["recal", "x"], 2, "invalid_input"),
        (["episode", "show", "epi_nothing"], 2, "invalid_input"),
        (["episode", "show", "epi_01ARZ3NDEKTSV4RRFFQ69G5FAV"], 3, "not_found"),
        (["session", "show", "nowhere"], 3, "not_found"),
        (["session", "show", "undefined"], 2, "invalid_input"),
        (["remember", ""], 2, "invalid_input"),
        (["verify", "--owner", "../x"], 2, "invalid_input"),
        (["verify", "--store", "mysql://x/y"], 6, "unsupported"),
        (["backup", "/proc/nowhere/x.db"], 7, "unavailable"),
        (["restore", "nothing.db", "--store", "new.db"], 5, "forbidden"),
        (["import", "nothing"], 3, "not_found"),
    ],
)
def test_a_mistake_is_one_json_object_with_its_exit_code(ready, words, code, error):
    refused = ready(*words, "--json")

    assert refused.code == code
    assert refused.err == ""
    assert refused.answer["error"].keys() == {"code", "message", "hint"}
    assert refused.answer["error"]["code"] == error


def test_a_mistake_is_one_line_without_json(ready):
    refused = ready("session", "show", "nowhere")

    assert refused.out == ""
    assert refused.err.startswith("tilth: ")
    assert "Traceback" not in refused.err


def test_secrets_in_settings_are_not_shown(tilth):
    shown = tilth("settings", "--json", environ={"TILTH_EMBEDDER_KEY": "hush-hush"})

    rows = {row["name"]: row for row in shown.answer["settings"]}
    assert rows["embedder_key"]["value"] == "(hidden)"
    assert rows["embedder_key"]["origin"] == "environment"
    assert "hush-hush" not in shown.out + tilth("settings").out


def test_the_password_in_a_url_is_not_shown(tilth):
    password = "hush" * 2
    url = f"postgresql://ann:{password}@localhost/memory"

    shown = tilth("settings", "--json", environ={"TILTH_STORE": url})

    assert password not in shown.out
    assert "localhost/memory" in shown.answer["places"]["store"]


def test_settings_say_where_each_value_came_from(tilth):
    (tilth.home / "tilth").mkdir()
    (tilth.home / "tilth" / "config.toml").write_text("recall_limit = 7\n")

    shown = tilth("settings", "--json", "--owner", "ann", environ={"TILTH_BUSY_TIMEOUT_S": "5"})

    rows = {row["name"]: (row["value"], row["origin"]) for row in shown.answer["settings"]}
    assert rows["recall_limit"] == (7, "file")
    assert rows["busy_timeout_s"] == (5.0, "environment")
    assert rows["owner"] == ("ann", "argument")
    assert rows["embedder"] == ("minilm", "default")


def test_a_reader_that_closes_the_pipe_meets_no_traceback(ready):
    for number in range(3):
        ready("remember", "x" * 100_000, "--session", f"s{number}")
    done = subprocess.run(
        f"'{sys.executable}' -m tilth session show s1 | head -c 10",
        shell=True,
        capture_output=True,
        env=ready.environ(),
        check=False,
    )

    assert done.stderr == b""


def test_an_interruption_ends_quietly(ready):
    command = [sys.executable, "-m", "tilth", "worker"]
    with subprocess.Popen(
        command, env=ready.environ(), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as worker:
        while not (ready.home / "tilth" / "tilth.db.worker").exists():
            time.sleep(0.02)
        time.sleep(0.2)
        worker.send_signal(signal.SIGINT)
        out, err = worker.communicate(timeout=60)

    assert worker.returncode == 130
    assert out == b""
    assert b"Traceback" not in err, err.decode()


def a_bug(_args, _screen):
    raise ZeroDivisionError("of ours")


@pytest.mark.parametrize("flag", ["", "--debug"])
def test_a_bug_is_one_line_and_debug_shows_where(tilth, monkeypatch, flag):
    monkeypatch.setattr(program_module, "command", lambda _name: a_bug)

    met = tilth("verify", *filter(None, [flag]))

    assert met.code == 1
    assert "ZeroDivisionError: of ours" in met.err
    assert ("Traceback" in met.err) is (flag == "--debug")


def test_no_words_show_the_help(tilth):
    shown = tilth()

    assert shown.code == 0
    assert shown.out.startswith("usage: tilth")


@pytest.mark.row("I4", "MP-12")
def test_a_store_that_was_cut_anywhere_is_called_damaged_and_nothing_crashes(ready):
    for number in range(12):
        ready("remember", f"kept {number} " + "word " * (number * 337 % 4000), "--session", "s")
    whole = {path: path.read_bytes() for path in ready.store.parent.glob("tilth.db*")}
    content = whole[ready.store]

    # Pages have 8 KiB; a file may end in the middle of one.
    for cut in (len(content) - 4096, len(content) - 8192, len(content) // 2, 4096):
        ready.store.write_bytes(content[:cut])
        verified, checked = ready("verify"), ready("doctor")
        assert (verified.code, checked.code) == (8, 1), (cut, verified, checked)
        assert "bug" not in verified.err + checked.err
        for path in ready.store.parent.glob("tilth.db*"):
            path.unlink() if path not in whole else path.write_bytes(whole[path])


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["recall", "x", "--as-of", "0001-01-01T00:00:00+14:00"], 2, "years 1 to 9999"),
        (["remember", "x", "--at", "9999-12-31T23:59:59-14:00"], 2, "years 1 to 9999"),
        (["recall", "x", "--as-of", "9999-12-31"], 0, ""),
        (["changes", "--store", "link.db"], 7, "is a link"),
    ],
)
def test_what_lies_at_an_edge_is_told_in_words(ready, words, code, told):
    (ready.home / "link.db").symlink_to(ready.store)

    done = ready(*words)

    assert done.code == code
    assert told in done.err
    assert "bug" not in done.err


def test_a_home_that_is_reached_by_a_link_is_a_home(tilth, tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    home = {"TILTH_HOME": str(tmp_path / "link" / "tilth")}

    assert tilth("init", environ=home).code == 0
    assert tilth("remember", "The kettle is red.", environ=home).code == 0
    assert tilth("backup", str(tmp_path / "link" / "copy"), environ=home).code == 0
    assert "red" in tilth("recall", "kettle", environ=home).out
    real = {"TILTH_HOME": str(tmp_path / "real" / "tilth")}
    assert "red" in tilth("recall", "kettle", environ=real).out
    assert tilth("verify", environ=home).code == 0


@pytest.mark.parametrize("value", ["nan", "inf", "-1", "1e9"])
@pytest.mark.parametrize("name", ["TILTH_BUSY_TIMEOUT_S", "TILTH_MODEL_TIMEOUT_S"])
def test_a_time_that_is_no_number_is_refused(ready, name, value):
    refused = ready("changes", environ={name: value})

    assert (refused.code, "seconds" in refused.err) == (2, True)


def test_init_says_which_store_was_here_before_and_how_to_say_that_it_is_meant(ready):
    former = ready("init", "--json").answer["store_id"]
    ready("remember", "The kettle whistles.")
    for path in ready.store.parent.glob(f"{ready.store.name}*"):
        path.unlink()

    told = ready("init").err

    assert f"store {former} was in this place" in told
    assert "if you mean it: tilth verify --accept" in told
