"""Coming into a host's configuration, and going out without a trace."""

import json
import shutil
from pathlib import Path

import pytest

from tests.agents.hostile import (
    BROKEN,
    EDITED,
    LENIENT,
    PROGRAM,
    REFUSED,
    TREES,
    VALID,
    a_home,
    init,
    setup_in,
    snapshot,
    undo,
    written,
)
from tests.fakes import CountingIds, FixedClock
from tilth.agents import install as hosts
from tilth.agents.hosts.registry import HOSTS, find_host
from tilth.agents.hosts.setup import Programs
from tilth.agents.json_edit import parse
from tilth.core.errors import ConflictError, InvalidInputError, TilthError, UnavailableError
from tilth.core.io.atomic_file import Disk

every_host = pytest.mark.parametrize("host", HOSTS)
CONTENTS = VALID | LENIENT | BROKEN


def is_taken(host, name):
    return host not in EDITED or name in VALID or (host == "cursor" and name in LENIENT)


def taken():
    return [(host, name) for host in HOSTS for name in CONTENTS if is_taken(host, name)]


def refused():
    return [(host, name) for host in HOSTS for name in CONTENTS if not is_taken(host, name)]


# Per host: hostile homes that come back byte for byte, and those that are refused and left alone.
COUNTS = {
    "claude-code": (60, 6),
    "codex": (41, 25),
    "cursor": (46, 20),
    "gemini-cli": (60, 6),
    "opencode": (60, 6),
    "vscode": (60, 6),
}


@every_host
def test_there_are_at_least_forty_hostile_round_trips_for_each_host(host):
    came_back = sum(of == host for of, _ in taken()) + len(TREES)
    left_alone = sum(of == host for of, _ in refused()) + len(REFUSED)

    assert (came_back, left_alone) == COUNTS[host]
    assert came_back >= 40


@pytest.mark.parametrize(("host", "name"), taken())
def test_init_again_changes_nothing_and_undo_gives_back_every_byte(tmp_path, host, name):
    home = a_home(tmp_path, host)
    written(home.users_file, CONTENTS[name])
    before = snapshot(home.root)

    init(home)

    after = snapshot(home.root)
    assert after != before
    plan = hosts.plan_init(home.setup, Disk())
    assert (plan.is_done, plan.diff(), init(home)) == (True, "", None)
    assert snapshot(home.root) == after
    undo(home)
    assert snapshot(home.root) == before


@pytest.mark.parametrize(("host", "name"), refused())
def test_what_the_host_could_not_read_is_refused_and_left_alone(tmp_path, host, name):
    home = a_home(tmp_path, host)
    written(home.users_file, CONTENTS[name])
    before = snapshot(home.root)

    with pytest.raises(InvalidInputError, match="is not edited"):
        init(home)

    assert snapshot(home.root) == before
    assert home.receipts.in_force() == []


@every_host
@pytest.mark.parametrize("tree", TREES)
def test_init_and_undo_give_back_every_tree(tmp_path, host, tree):
    home = a_home(tmp_path, host)
    TREES[tree](home)
    before = snapshot(home.root)

    init(home)

    assert all(path.exists() for path in home.ours)
    undo(home)
    assert snapshot(home.root) == before


@every_host
@pytest.mark.parametrize("tree", REFUSED)
def test_what_cannot_be_written_safely_is_refused_and_left_alone(tmp_path, host, tree):
    home = a_home(tmp_path, host)
    REFUSED[tree](home)
    before = snapshot(home.root)

    with pytest.raises(TilthError):
        init(home)

    assert snapshot(home.root) == before
    assert home.receipts.in_force() == []


@pytest.mark.parametrize("host", [host for host in HOSTS if host not in EDITED])
@pytest.mark.parametrize("name", CONTENTS)
def test_no_file_of_the_users_is_touched_where_the_host_takes_a_folder(tmp_path, host, name):
    home = a_home(tmp_path, host)
    written(home.users_file, CONTENTS[name])

    init(home)

    assert home.users_file.read_bytes() == CONTENTS[name]
    assert home.users_file not in home.ours


@pytest.mark.parametrize(
    ("host", "name"), [(host, name) for host, name in taken() if host in EDITED]
)
def test_an_edit_adds_and_changes_nothing_else(tmp_path, host, name):
    content = CONTENTS[name]
    home = a_home(tmp_path, host)
    written(home.users_file, content)

    init(home)

    # What was there is there, in its order, byte for byte: the edit only put something between.
    rest = iter(home.users_file.read_bytes())
    assert all(byte in rest for byte in content.strip(b"\xef\xbb\xbf \t\r\n"))
    value = parse(home.users_file.read_text(), is_lenient=True).value
    old = parse(
        content.decode() if content.strip(b"\xef\xbb\xbf \t\r\n") else "{}", is_lenient=True
    )
    for key, known in old.value.items():
        if key != "hooks":
            assert value[key] == known
    for event, groups in old.value.get("hooks", {}).items():
        assert value["hooks"][event][: len(groups)] == groups


def test_json_that_is_refused_is_named_by_line_and_column(tmp_path):
    home = a_home(tmp_path, "codex")
    written(home.users_file, b'{\n  "hooks": {},\n}\n')

    with pytest.raises(InvalidInputError, match="line 3, column 1"):
        init(home)


@every_host
def test_the_plan_is_shown_as_a_diff_and_one_line(tmp_path, host):
    home = a_home(tmp_path, host)

    plan = hosts.plan_init(home.setup, Disk())

    assert plan.diff().count("+++ b/") == len(home.ours)
    assert "tilth-hook" in plan.diff()
    count = len(home.ours)
    created = "1 file created" if count == 1 else f"{count} files created"
    assert plan.summary() == f"{host}: {created}, 0 existing files changed"
    assert not any(path.exists() for path in home.ours)


def test_the_diff_of_an_edit_shows_only_what_is_added(tmp_path):
    home = a_home(tmp_path, "codex")
    written(home.users_file, VALID["hooks of others"])

    lines = hosts.plan_init(home.setup, Disk()).diff().splitlines()[2:]

    taken_out = [line[1:].rstrip(",") for line in lines if line.startswith("-")]
    put_in = [line[1:].rstrip(",") for line in lines if line.startswith("+")]
    assert set(taken_out) <= set(put_in)


def test_a_file_that_changed_since_the_plan_is_not_overwritten(tmp_path):
    home = a_home(tmp_path, "codex")
    written(home.users_file, b"{}")
    plan = hosts.plan_init(home.setup, Disk())
    home.users_file.write_bytes(b'{"new": 1}')

    with pytest.raises(ConflictError, match="changed while its change was planned"):
        hosts.init(plan, Disk(), home.receipts, clock=FixedClock(), ids=CountingIds())

    assert home.users_file.read_bytes() == b'{"new": 1}'
    assert home.receipts.in_force() == []


@every_host
def test_a_write_that_fails_takes_back_the_ones_before_it(tmp_path, host):
    class Failing(Disk):
        def write(self, path, content):
            if path == str(home.ours[-1]):
                raise UnavailableError("the disk is full")
            super().write(path, content)

    home = a_home(tmp_path, host)
    before = snapshot(home.root)
    plan = hosts.plan_init(home.setup, Disk())

    with pytest.raises(UnavailableError):
        hosts.init(plan, Failing(), home.receipts, clock=FixedClock(), ids=CountingIds())

    assert snapshot(home.root) == before
    assert home.receipts.in_force() == []


@every_host
def test_undoing_twice_is_undoing_once(tmp_path, host):
    home = a_home(tmp_path, host)
    init(home)
    undo(home)
    before = snapshot(home.root)

    assert undo(home) == []
    assert snapshot(home.root) == before


@every_host
def test_what_has_lost_its_receipt_can_be_taken_back_once_it_is_set_up_again(tmp_path, host):
    home = a_home(tmp_path, host)
    written(home.users_file, VALID["hooks of others"])
    before = snapshot(home.root)
    init(home)
    shutil.rmtree(tmp_path / "state" / "receipts")
    ports = (home.setup, Disk(), home.receipts)

    adopted = hosts.adopt(*ports, clock=FixedClock(), ids=CountingIds())

    assert adopted is not None
    assert hosts.adopt(*ports, clock=FixedClock(), ids=CountingIds()) is None
    undo(home)
    # Folders of the host, which it would make itself, stay.
    assert _files(snapshot(home.root)) == _files(before)
    assert not [path for path in snapshot(home.root) if "tilth" in path]
    assert json.loads(home.users_file.read_bytes()) == json.loads(VALID["hooks of others"])


def _files(found):
    return [path for path, (kind, *_) in found.items() if kind == "file"]


@every_host
def test_copies_and_receipts_are_private(tmp_path, host):
    home = a_home(tmp_path, host)
    written(home.users_file, VALID["hooks of others"])
    receipt = init(home)

    folder = tmp_path / "state" / "receipts" / receipt.id
    assert oct(folder.stat().st_mode)[-3:] == "700"
    assert {oct(path.stat().st_mode)[-3:] for path in folder.iterdir()} == {"600"}


# --- after others have edited the file ---


@pytest.mark.parametrize(
    ("host", "name"), [(host, name) for host, name in taken() if host in EDITED]
)
def test_undo_keeps_what_others_wrote_since(tmp_path, host, name):
    content = CONTENTS[name]
    home = a_home(tmp_path, host)
    written(home.users_file, content)
    init(home)
    text = home.users_file.read_bytes().decode()
    at = text.index("{") + 1
    home.users_file.write_bytes((text[:at] + '"theirs": [1], ' + text[at:]).encode())

    (done,) = undo(home)

    assert done.trimmed == (str(home.users_file),)
    left = parse(home.users_file.read_bytes().decode(), is_lenient=host == "cursor").value
    was = parse(
        content.decode() if content.strip(b"\xef\xbb\xbf \t\r\n") else "{}", is_lenient=True
    )
    assert left == {"theirs": [1]} | was.value
    assert PROGRAM not in home.users_file.read_text()


@pytest.mark.parametrize("host", EDITED)
def test_undo_keeps_a_hook_that_others_put_beside_ours(tmp_path, host):
    home = a_home(tmp_path, host)
    init(home)
    value = json.loads(home.users_file.read_text())
    event = next(iter(value["hooks"]))
    if host == "codex":
        value["hooks"][event][0]["hooks"].append({"command": "theirs"})
    value["hooks"][event].append({"command": "also theirs"})
    home.users_file.write_text(json.dumps(value))

    undo(home)

    left = json.loads(home.users_file.read_text())["hooks"]
    assert str(left).count("theirs") == (2 if host == "codex" else 1)
    assert PROGRAM not in str(left)
    assert list(left) == [event]


@pytest.mark.parametrize("host", [host for host in HOSTS if host not in EDITED])
def test_a_file_of_ours_that_others_edited_is_moved_and_not_lost(tmp_path, host):
    home = a_home(tmp_path, host)
    before = snapshot(home.root)
    init(home)
    home.ours[-1].write_bytes(home.ours[-1].read_bytes() + b"\n// theirs")

    (done,) = undo(home)

    assert snapshot(home.root) == before
    (moved,) = done.moved
    assert Path(moved).read_bytes().endswith(b"// theirs")


@every_host
def test_undo_after_a_reinstall_elsewhere_still_gives_back_every_byte(tmp_path, host):
    home = a_home(tmp_path, host)
    written(home.users_file, VALID["hooks of others"])
    before = snapshot(home.root)
    init(home)
    moved = setup_in(home.root, host, "/elsewhere/bin/tilth-hook")

    init(home, moved)

    assert all(b"/elsewhere/bin/tilth-hook" in path.read_bytes() for path in home.ours[-1:])
    assert not any(PROGRAM.encode() in path.read_bytes() for path in home.ours)
    undo(home)
    assert snapshot(home.root) == before


@pytest.mark.parametrize("host", EDITED)
def test_an_entry_of_ours_is_brought_up_to_date_and_what_its_user_set_stays(tmp_path, host):
    home = a_home(tmp_path, host)
    init(home)
    value = json.loads(home.users_file.read_text())
    event = next(iter(value["hooks"]))
    entry = value["hooks"][event][0]
    (entry.get("hooks") or [entry])[0]["timeout"] = 77
    home.users_file.write_text(json.dumps(value, indent=2))

    init(home, setup_in(home.root, host, "/elsewhere/bin/tilth-hook"))

    entry = json.loads(home.users_file.read_text())["hooks"][event][0]
    kept = (entry.get("hooks") or [entry])[0]
    assert kept["timeout"] == 77
    assert kept["command"].startswith("/elsewhere/bin/tilth-hook ")


# --- what is written ---


@every_host
def test_the_hook_is_called_by_its_absolute_path_for_every_event(tmp_path, host):
    home = a_home(tmp_path, host)
    init(home)

    content = home.ours[-1].read_text()
    assert "/opt/tilth bin/tilth-hook" in content
    assert host in content


@every_host
def test_a_tilth_home_is_baked_in_where_it_is_set(tmp_path, host):
    setup = find_host(host).setup(Programs(PROGRAM, home="/srv/my brain"), {"HOME": str(tmp_path)})

    (*_, change) = setup.changes(lambda path: None)

    assert b"--home" in change.after
    assert b"/srv/my brain" in change.after


def test_claude_code_gets_one_folder_and_events_in_its_own_form(tmp_path):
    home = a_home(tmp_path, "claude-code")
    init(home)

    folder = home.root / ".claude" / "skills" / "tilth"
    manifest = json.loads((folder / ".claude-plugin" / "plugin.json").read_text())
    command = (folder / "commands" / "remember.md").read_text()
    assert command.startswith("---\ndescription: ")
    assert "$ARGUMENTS" in command
    hooks = json.loads((folder / "hooks" / "hooks.json").read_text())["hooks"]
    assert manifest["name"] == "tilth"
    assert set(hooks) == {
        *("SessionStart", "UserPromptSubmit", "PostToolUse", "PostToolUseFailure", "Stop"),
        *("SubagentStart", "SubagentStop", "PreCompact", "PostCompact", "SessionEnd"),
    }
    (hook,) = hooks["PostToolUse"][0]["hooks"]
    assert hook == {
        "type": "command",
        "command": PROGRAM,
        "args": ["claude-code", "PostToolUse"],
        "async": True,
        "timeout": 10,
    }


def test_claude_code_waits_for_what_it_tells_last():
    files = find_host("claude-code").setup(Programs(PROGRAM), {"HOME": "/home/ada"}).edits
    (content,) = [edit.content for edit in files if edit.path.endswith("hooks.json")]

    hooks = json.loads(content)["hooks"]
    beside = {event for event, (group,) in hooks.items() if group["hooks"][0].get("async")}

    # Whatever runs beside `claude -p` is killed when it ends.
    assert beside == {"PostToolUse"}


def test_claude_codes_own_folder_may_be_elsewhere(tmp_path):
    environ = {"HOME": str(tmp_path), "CLAUDE_CONFIG_DIR": str(tmp_path / "conf")}

    setup = find_host("claude-code").setup(Programs(PROGRAM), environ)

    assert all(edit.path.startswith(str(tmp_path / "conf")) for edit in setup.edits)


def test_something_foreign_in_the_place_of_a_file_of_ours_is_refused(tmp_path):
    home = a_home(tmp_path, "vscode")
    written(home.ours[0], b'{"hooks": {"Stop": []}}')

    with pytest.raises(ConflictError, match="is not ours"):
        init(home)


def test_an_unknown_host_is_refused_with_the_names_of_the_known_ones(tmp_path):
    with pytest.raises(InvalidInputError, match="emacs") as refused:
        find_host("emacs").setup(Programs(PROGRAM), {})

    assert "claude-code" in refused.value.hint
