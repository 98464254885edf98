"""The memory's tools in hosts: our MCP server put among others, and taken out again."""

import json
import shutil
import sys
import tomllib
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.agents.hostile import (
    BROKEN,
    LENIENT,
    PROGRAM,
    TREES,
    VALID,
    a_home,
    init,
    snapshot,
    undo,
    written,
)
from tests.fakes import CountingIds, FixedClock
from tilth.agents import install
from tilth.agents.hosts.registry import HOSTS, find_host
from tilth.agents.hosts.servers import Server, words_of
from tilth.agents.hosts.setup import Programs
from tilth.agents.json_edit import parse
from tilth.core.errors import ConflictError, InvalidInputError
from tilth.core.io.atomic_file import Disk

SERVER = Server("/opt/tilth bin/tilth", ("mcp", "--store", "/data/my tilth.db"), {})
# Where each host keeps its servers; by these names, in the file of the user's or in one of ours.
PLACES = {
    "claude-code": (".claude/skills/tilth/.mcp.json", "mcpServers"),
    "codex": (".codex/config.toml", "mcp_servers"),
    "cursor": (".cursor/mcp.json", "mcpServers"),
    "gemini-cli": (".gemini/extensions/tilth/gemini-extension.json", "mcpServers"),
    "opencode": (".config/opencode/opencode.json", "mcp"),
    "vscode": (".config/Code/User/mcp.json", "servers"),
}
if sys.platform == "darwin":
    PLACES["vscode"] = ("Library/Application Support/Code/User/mcp.json", "servers")
OF_JSON = ("cursor", "opencode", "vscode")
EDITED = (*OF_JSON, "codex")
every_host = pytest.mark.parametrize("host", HOSTS)
every_edited = pytest.mark.parametrize("host", EDITED)
_OTHER = {"command": "npx", "args": ["-y", "theirs"], "env": {"TOKEN": "x"}}


def tooled(home, host, server=SERVER, program=PROGRAM):
    """The same home, with the tools wanted; its user's file is the one that has the servers."""
    setup = find_host(host).setup(Programs(program, server=server), {"HOME": str(home.root)})
    return replace(home, setup=setup, users_file=home.root / PLACES[host][0])


@pytest.fixture
def a_tooled(tmp_path):
    return lambda host, **how: tooled(a_home(tmp_path, host), host, **how)


def entry_of(home, host, name="tilth"):
    content = home.users_file.read_text().removeprefix("\ufeff")
    is_toml = home.users_file.suffix == ".toml"
    value = tomllib.loads(content) if is_toml else parse(content, is_lenient=True).value
    return value[PLACES[host][1]].get(name)


def of_json(holder):
    """Files of JSON as users have them, with servers of others under *holder*."""
    theirs = {holder: {"other": _OTHER, "and more": {"url": "https://example.org"}}}
    served = {
        "servers of others": json.dumps(theirs, indent=2).encode() + b"\n",
        "servers of others in tabs": json.dumps(theirs, indent="\t").encode(),
        "servers of others on one line": json.dumps(theirs).encode(),
        "servers of others with CRLF": json.dumps(theirs, indent=2)
        .encode()
        .replace(b"\n", b"\r\n"),
        "servers of others with a byte order mark": b"\xef\xbb\xbf" + json.dumps(theirs).encode(),
        "no servers": json.dumps({"a": 1, holder: {}, "b": 2}).encode(),
        "servers in the middle": json.dumps({"a": 1, **theirs, "b": 2}, indent=4).encode(),
        "servers with comments": (
            f'// mine\n{{\n  "{holder}": {{ // all\n    "other": {{"command": "x"}}, // one\n'
            "    /* none */\n  },\n}\n"
        ).encode(),
    }
    return {**VALID, **LENIENT, **served}


TOML = {
    "nothing": b"",
    "an empty line": b"\n",
    "a comment": b"# mine",
    "settings": b'model = "x"\n\n[features]\nhooks = true\n',
    "settings without a newline": b'model = "x"',
    "settings with CRLF": b'model = "x"\r\n\r\n[features]\r\nhooks = true\r\n',
    "a byte order mark": b'\xef\xbb\xbfmodel = "x"\n',
    "comments everywhere": (
        b'# mine\nmodel = "x" # this\n\n# servers\n[mcp_servers.other] # one\n'
        b'command = "o" # run\n# the end\n'
    ),
    "servers of others": (
        b'[mcp_servers.other]\ncommand = "npx"\nargs = [\n  "-y", # yes\n  "theirs",\n]\n'
        b'[mcp_servers.other.env]\nTOKEN = "x"\n'
    ),
    "a table of servers": b'[mcp_servers]\nother = { command = "o" }\n',
    "dotted names": b'mcp_servers.other.command = "o"\n',
    "lists that begin lines": b"a = [\n[1],\n  [2, 3],\n]\n[b]\nc = [\n[\n]\n]\n",
    "tables in lists": b'[[profiles]]\nname = "a"\n[[profiles]]\nname = "b"\n',
    "our header in a text": b'note = """\n[mcp_servers.tilth]\ncommand = "no"\n"""\n',
    "letters of the world": '"ünï" = "日本語 🫖"\n'.encode(),
    "numbers and dates": b"n = nan\ni = inf\nd = 2026-11-20T01:02:03Z\nh = 0xff\n",
    "another of a similar name": b'[mcp_servers.tilth2]\ncommand = "t"\n[mcp_servers."x.tilth"]\n',
}
TOML_REFUSED = {
    "no TOML": b"model = ",
    "servers that are a text": b'mcp_servers = "none"\n',
    "servers on one line": b'mcp_servers = { other = { command = "o" } }\n',
    "another encoding": 'a = "é"'.encode("latin-1"),
    "old line ends": b'a = 1\r[b]\rc = "x"\r',
}


def contents():
    for host in OF_JSON:
        yield from ((host, name, text) for name, text in of_json(PLACES[host][1]).items())
    yield from (("codex", name, text) for name, text in TOML.items())


def named(cases):
    return [pytest.param(*case, id=f"{case[0]}-{case[1]}") for case in cases]


@every_host
def test_the_entry_starts_our_program_by_its_whole_path_with_the_store_of_hooks(a_tooled, host):
    home = a_tooled(host)

    init(home)

    entry = entry_of(home, host)
    assert words_of(entry) == [SERVER.program, *SERVER.arguments]
    assert home.setup.servers.entry(Disk().read) == entry
    assert (entry.get("type"), entry.get("enabled")) == {
        "opencode": ("local", True),
        "cursor": ("stdio", None),
        "vscode": ("stdio", None),
    }.get(host, (None, None))


@every_host
def test_variables_that_a_host_would_not_pass_on_are_in_the_entry(a_tooled, host):
    home = a_tooled(host, server=replace(SERVER, environ={"TILTH_HOME": "/srv/my brain"}))

    init(home)

    name = "environment" if host == "opencode" else "env"
    assert entry_of(home, host)[name] == {"TILTH_HOME": "/srv/my brain"}


@every_host
def test_where_the_tools_are_not_wanted_no_server_is_named(tmp_path, host):
    home = a_home(tmp_path, host)

    init(home)

    assert home.setup.servers.entry(Disk().read) is None
    assert not any(b'/tilth", "mcp"' in path.read_bytes() for path in home.ours)


@pytest.mark.parametrize(("host", "name", "content"), named(contents()))
def test_init_again_changes_nothing_and_undo_gives_back_every_byte(a_tooled, host, name, content):
    home = a_tooled(host)
    written(home.users_file, content)
    before = snapshot(home.root)

    init(home)

    after = snapshot(home.root)
    assert entry_of(home, host) is not None
    assert (install.plan_init(home.setup, Disk()).is_done, init(home)) == (True, None)
    assert snapshot(home.root) == after
    undo(home)
    assert snapshot(home.root) == before


@pytest.mark.parametrize(("host", "name", "content"), named(contents()))
def test_what_was_there_stays_in_its_order_byte_for_byte(a_tooled, host, name, content):
    home = a_tooled(host)
    written(home.users_file, content)

    init(home)

    rest = iter(home.users_file.read_bytes())
    assert all(byte in rest for byte in content.strip(b"\xef\xbb\xbf \t\r\n"))
    if host == "codex":
        assert home.users_file.read_bytes().startswith(content)


@pytest.mark.parametrize(("host", "name", "content"), named(contents()))
def test_undo_keeps_what_others_wrote_since(a_tooled, host, name, content):
    home = a_tooled(host)
    written(home.users_file, content)
    init(home)
    text = home.users_file.read_bytes()
    is_toml = host == "codex"
    edited = text + b"[theirs]\n" if is_toml else text.replace(b"{", b'{"theirs": [1], ', 1)
    home.users_file.write_bytes(edited)

    done = undo(home)

    assert str(home.users_file) in done[0].trimmed
    left = home.users_file.read_bytes()
    assert SERVER.program.encode() not in left
    if is_toml:
        assert left == content + b"\n" * (bool(content) and not content.endswith(b"\n")) + (
            b"[theirs]\n"
        )
    else:
        bare = content.removeprefix(b"\xef\xbb\xbf").strip() or b"{}"
        known = parse(bare.decode(), is_lenient=True).value
        told = parse(left.decode(), is_lenient=True).value
        told.pop("$schema", None)
        assert told == {"theirs": [1]} | known


@pytest.mark.parametrize("host", OF_JSON)
@pytest.mark.parametrize("name", [*BROKEN, "servers that are a list", "servers that are null"])
def test_json_that_the_host_could_not_read_is_refused_and_left_alone(a_tooled, host, name):
    more = {"servers that are a list": b"[]", "servers that are null": b"null"}
    holder = PLACES[host][1].encode()
    content = BROKEN.get(name) or b'{"%s": %s}' % (holder, more[name])
    home = a_tooled(host)
    if name.startswith(("hooks", "an event")):
        content = content.replace(b"hooks", holder)
        if name.startswith("an event"):
            content = b'{"%s": {"tilth": ' % holder
    written(home.users_file, content)
    before = snapshot(home.root)

    with pytest.raises(InvalidInputError, match="is not edited"):
        init(home)

    assert snapshot(home.root) == before
    assert home.receipts.in_force() == []


@pytest.mark.parametrize("name", TOML_REFUSED)
def test_toml_that_cannot_be_edited_is_refused_and_left_alone(a_tooled, name):
    home = a_tooled("codex")
    written(home.users_file, TOML_REFUSED[name])
    before = snapshot(home.root)

    with pytest.raises(InvalidInputError, match="is not edited"):
        init(home)

    assert snapshot(home.root) == before


@every_edited
@pytest.mark.parametrize("command", ['"/usr/bin/other"', '"/opt/tilth-hook"', '"tilth serve"'])
def test_an_entry_of_that_name_that_is_not_ours_is_refused_in_words(a_tooled, host, command):
    home, holder = a_tooled(host), PLACES[host][1]
    json_text = f'{{"{holder}": {{"tilth": {{"command": {command}, "args": ["mcp"]}}}}}}'
    toml = f'[{holder}.tilth]\ncommand = {command}\nargs = ["mcp"]\n'
    written(home.users_file, (toml if host == "codex" else json_text).encode())
    before = snapshot(home.root)

    with pytest.raises(ConflictError, match="does not run `tilth mcp`") as refused:
        init(home)

    assert "call that one otherwise" in refused.value.hint
    assert snapshot(home.root) == before


def test_a_file_in_the_form_of_another_version_is_refused_in_words(a_tooled):
    home = a_tooled("opencode")
    theirs = {"mcp": {"servers": {"other": {"type": "local", "command": ["x"]}}}}
    written(home.users_file, json.dumps(theirs).encode())
    before = snapshot(home.root)

    with pytest.raises(ConflictError, match=r"under 'mcp\.servers'"):
        init(home)

    assert snapshot(home.root) == before
    called_so = {"mcp": {"servers": {"type": "local", "command": ["x"]}}}
    written(home.users_file, json.dumps(called_so).encode())
    assert init(home) is not None


@pytest.mark.parametrize(
    ("host", "path"),
    [("claude-code", ".claude.json"), ("gemini-cli", ".gemini/settings.json")],
)
def test_tools_that_were_plugged_in_by_hand_are_not_plugged_in_twice(a_tooled, host, path):
    home = a_tooled(host)
    by_hand = {"mcpServers": {"tilth": {"command": "tilth", "args": ["mcp"]}}}
    home.setup.servers.check_free(Disk().read)
    written(home.root / path, json.dumps(by_hand).encode())

    with pytest.raises(ConflictError, match="has a server 'tilth' already"):
        home.setup.servers.check_free(Disk().read)


@every_edited
@pytest.mark.parametrize("tree", TREES)
def test_init_and_undo_give_back_every_tree(a_tooled, host, tree):
    home = a_tooled(host)
    TREES[tree](home)
    content = json.dumps({PLACES[host][1]: {"other": {}}}).encode()
    if home.users_file.exists() and host == "codex":
        home.users_file.write_bytes(TOML["settings"])
    elif home.users_file.exists():
        home.users_file.write_bytes(content)
    before = snapshot(home.root)

    init(home)

    assert entry_of(home, host) is not None
    undo(home)
    assert snapshot(home.root) == before


# --- what is there already ---


@every_host
def test_a_program_and_a_store_that_moved_are_brought_up_to_date(a_tooled, host):
    home = a_tooled(host)
    before = snapshot(home.root)
    init(home)
    moved = tooled(home, host, Server("/new/tilth", ("mcp", "--store", "/new.db"), {}))

    init(moved)

    assert words_of(entry_of(home, host)) == ["/new/tilth", "mcp", "--store", "/new.db"]
    undo(moved)
    assert snapshot(home.root) == before


@pytest.mark.parametrize("host", [*EDITED, "claude-code"])
def test_what_its_user_set_in_our_entry_stays(a_tooled, host):
    home = a_tooled(host, server=replace(SERVER, environ={"TILTH_HOME": "/old"}))
    init(home)
    text = home.users_file.read_text()
    text = text.replace('"mcp",', '"mcp", "--tools", "kg", "--read-only",')
    variables = '"TILTH_HOME": "/old"'
    if host == "codex":
        variables = '"TILTH_HOME" = "/old"'
        text += "startup_timeout_sec = 30 # mine\n\n[mcp_servers.tilth.tools.recall]\na = 1\n"
    text = text.replace(variables, f"{variables.replace('TILTH_HOME', 'MINE')}, {variables}")
    home.users_file.write_text(text)

    init(tooled(home, host, Server("/new/tilth", ("mcp",), {"TILTH_HOME": "/new"})))

    entry = entry_of(home, host)
    assert words_of(entry) == ["/new/tilth", "mcp", "--tools", "kg", "--read-only"]
    variables = entry.get("env") or entry.get("environment")
    assert variables == {"MINE": "/old", "TILTH_HOME": "/new"}
    if host == "codex":
        assert (entry["startup_timeout_sec"], entry["tools"]) == (30, {"recall": {"a": 1}})
        assert "startup_timeout_sec = 30 # mine\n" in home.users_file.read_text()


@every_edited
def test_an_entry_that_its_user_wrote_by_hand_is_ours_and_comes_back_as_it_was(a_tooled, host):
    home, holder = a_tooled(host), PLACES[host][1]
    by_hand = {"command": "tilth", "args": ["mcp", "--read-only"], "timeout": 9}
    if host == "opencode":
        by_hand = {"type": "local", "command": ["tilth", "mcp", "--read-only"], "timeout": 9}
    toml = f'[{holder}.tilth]\ncommand = "tilth"\nargs = ["mcp", "--read-only"]\ntimeout = 9\n'
    text = toml if host == "codex" else json.dumps({holder: {"tilth": by_hand}}, indent=2)
    written(home.users_file, text.encode())
    init(home)
    entry = entry_of(home, host)
    assert words_of(entry) == [SERVER.program, "mcp", "--read-only", *SERVER.arguments[1:]]
    with home.users_file.open("a") as file:
        file.write("\n")

    (done,) = undo(home)

    assert str(home.users_file) in done.trimmed
    assert entry_of(home, host) == by_hand


def test_an_entry_in_a_form_of_its_own_is_refused_where_it_would_change(a_tooled):
    home = a_tooled("codex")
    form = '[mcp_servers]\ntilth = { command = "/old/tilth", args = ["mcp"] }\n'
    written(home.users_file, form.encode())

    with pytest.raises(InvalidInputError, match="in a form of its own"):
        init(home)

    assert home.users_file.read_text() == form


def test_comments_around_our_table_stay_where_it_goes(a_tooled):
    home = a_tooled("codex")
    init(home)
    text = home.users_file.read_text()
    home.users_file.write_text(f"# first\n\n{text}\n# of the next\n[next]\na = 1 # one\n")

    undo(home)

    assert home.users_file.read_text() == "# first\n\n# of the next\n[next]\na = 1 # one\n"


@pytest.mark.parametrize("host", [*OF_JSON, "codex", "claude-code"])
def test_a_file_that_was_made_for_us_goes_if_nothing_else_is_in_it(a_tooled, host):
    home = a_tooled(host)
    before = snapshot(home.root)
    init(home)
    with home.users_file.open("a") as file:
        file.write("\n")

    undo(home)

    assert snapshot(home.root) == before


@every_host
def test_what_has_lost_its_receipt_can_be_taken_back_once_it_is_set_up_again(
    a_tooled, tmp_path, host
):
    home = a_tooled(host)
    init(home)
    shutil.rmtree(tmp_path / "state" / "receipts")

    adopted = install.adopt(
        home.setup, Disk(), home.receipts, clock=FixedClock(), ids=CountingIds()
    )

    assert adopted is not None
    undo(home)
    assert not any(path.exists() for path in home.ours)


# --- any file of TOML ---

_PIECES = (
    "# a comment",
    "",
    'model = "x"  # this',
    'note = """\n[mcp_servers.tilth]\n"""',
    "list = [\n[1],\n  2, # two\n]",
    '[mcp_servers.other]\ncommand = "o"',
    '[mcp_servers.other2]\nargs = [\n"a",\n]\n# end',
    "[features]",
    "[[profiles]]\nn = 1",
    '[mcp_servers."ti.lth"]',
    "  [indented]\n  a = 1",
    "when = 2026-11-20",
)


@st.composite
def tomls(draw):
    pieces = draw(st.lists(st.sampled_from(_PIECES), max_size=8, unique=True))
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    text = "\n".join(pieces) + draw(st.sampled_from(["", "\n", "\n\n"]))
    return text.replace("\n", newline)


@given(tomls(), tomls())
def test_any_toml_is_only_added_to_and_comes_back(text, more):
    wiring = Programs(PROGRAM, server=SERVER)
    edit = find_host("codex").setup(wiring, {"HOME": "/home/ada"}).edits[-1]
    try:
        known = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        with pytest.raises(InvalidInputError):
            edit.changed(text.encode())
        return

    new = edit.changed(text.encode())

    assert new.startswith(text.encode())
    assert edit.changed(new) == new
    assert edit.without(new, text.encode()).decode() == text + (
        ("\r\n" if "\r\n" in text else "\n") * (bool(text) and not text.endswith("\n"))
    )
    told = tomllib.loads(new.decode())
    assert told["mcp_servers"].pop("tilth")["command"] == SERVER.program
    if "mcp_servers" not in known:
        del told["mcp_servers"]
    assert told == known
    # What others add behind it stays, whatever it is.
    longer = new + more.encode()
    try:
        theirs = tomllib.loads(longer.decode())
    except tomllib.TOMLDecodeError:
        return
    if theirs["mcp_servers"]["tilth"].keys() <= {"command", "args"}:
        del theirs["mcp_servers"]["tilth"]
        rest = tomllib.loads(edit.without(longer, text.encode()).decode())
        assert rest.get("mcp_servers", {}) == theirs.pop("mcp_servers")
        assert {name: one for name, one in rest.items() if name != "mcp_servers"} == theirs
