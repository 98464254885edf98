"""Homes as people really have them, and worse: what `init` must survive."""

import json
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.fakes import CountingIds, FixedClock
from tilth.agents import install as hosts
from tilth.agents.hosts.registry import find_host
from tilth.agents.hosts.setup import HostSetup, Programs
from tilth.agents.receipt_folder import ReceiptFolder
from tilth.core.io.atomic_file import Disk

PROGRAM = "/opt/tilth bin/tilth-hook"
# The file of each host's user that matters most: edited for two, and untouched for the rest.
USERS_FILE = {
    "claude-code": ".claude/settings.json",
    "codex": ".codex/hooks.json",
    "cursor": ".cursor/hooks.json",
    "gemini-cli": ".gemini/settings.json",
    "opencode": ".config/opencode/opencode.json",
    "vscode": ".copilot/hooks/own.json",
}
EDITED = ("codex", "cursor")
_GROUP = {"hooks": [{"type": "command", "command": "/usr/bin/mine --now", "timeout": 9}]}


def _dump(value: object, **how: object) -> bytes:
    return json.dumps(value, **how).encode()  # type: ignore[arg-type] # what json.dumps takes


_HOOKED = {"hooks": {"Stop": [_GROUP], "stop": [{"command": "mine"}], "PreToolUse": [_GROUP]}}
# Content that both readers take.
VALID: dict[str, bytes] = {
    "an empty object": b"{}",
    "an empty object and a newline": b"{}\n",
    "an empty object over lines": b"{\n}\n",
    "an empty file": b"",
    "an empty line": b"\n",
    "only spaces": b"  \t\r\n ",
    "other keys": _dump({"theme": "dark", "n": [1, 2]}, indent=2),
    "other keys on one line": _dump({"theme": "dark", "n": [1, 2]}),
    "no spaces at all": _dump({"theme": "dark", **_HOOKED}, separators=(",", ":")),
    "hooks of others": _dump(_HOOKED, indent=2) + b"\n",
    "hooks of others in tabs": _dump(_HOOKED, indent="\t"),
    "hooks of others in four spaces": _dump(_HOOKED, indent=4),
    "hooks of others on one line": _dump(_HOOKED),
    "hooks of others with CRLF": _dump(_HOOKED, indent=2).replace(b"\n", b"\r\n") + b"\r\n",
    "mixed line ends": _dump(_HOOKED, indent=2).replace(b"\n", b"\r\n", 3) + b"\n",
    "old line ends": _dump(_HOOKED, indent=2).replace(b"\n", b"\r"),
    "a byte order mark": b"\xef\xbb\xbf" + _dump(_HOOKED, indent=2),
    "only a byte order mark": b"\xef\xbb\xbf",
    "no hooks yet": b'{"hooks": {}}',
    "no hooks yet over lines": b'{\n  "hooks": {\n  }\n}\n',
    "empty events": b'{"hooks": {"Stop": [], "stop": []}}',
    "letters of the world": '{"ünï": "日本語 🫖", "hooks": {}}'.encode(),
    "escapes": b'{"a\\"b\\\\c\\/d\\u00e9": "\\n", "hooks": {}}',
    "a key twice": b'{"hooks": {"Stop": []}, "a": 1, "hooks": {}}',
    "great numbers": b'{"n": [1e999, -0.0, 123456789012345678901234567890], "hooks": {}}',
    "spaces at line ends": b'{  \n  "a" : 1 ,  \n  "hooks" : { }  \n}  \n\n\n',
    "deep values": b'{"a": ' + b"[" * 90 + b"]" * 90 + b"}",
    "a hundred hooks": _dump({"hooks": {"Stop": [_GROUP] * 100}}, indent=1),
    "our name in a text": b'{"note": "see /x/tilth-hook codex Stop", "hooks": {}}',
    "our name in another program": _dump(
        {"hooks": {"Stop": [{"hooks": [{"command": "not-tilth-hook codex Stop"}]}]}}
    ),
    "a version of its own": b'{"version": 7, "hooks": {}}',
}
# Content that only a lenient reader takes.
LENIENT: dict[str, bytes] = {
    "line comments": (
        b'// mine\n{\n  "a": 1, // one\n  "hooks": {} // none\n  // end\n}\n// after\n'
    ),
    "block comments": b'{ /* a, "b": { */ "hooks": { "stop": [ /* none */ ] } }',
    "commas before ends": (
        b'{\n  "a": [1, 2,],\n  "hooks": {\n    "stop": [\n      {"command": "x",},\n'
        b"    ],\n  },\n}\n"
    ),
    "a comment after the last": (
        b'{\n  "hooks": {\n    "stop": [\n      {"command": "x"} // mine\n    ]\n  }\n}'
    ),
    "comments like strings": b'{"url": "http://a//b", "c": "/* no */", "hooks": {}}//',
}
# Content that nobody takes.
BROKEN: dict[str, bytes] = {
    "half a file": b'{"hooks": {"Stop": [',
    "single quotes": b"{'hooks': {}}",
    "a list": b"[]",
    "a string": b'"hooks"',
    "hooks that are a list": b'{"hooks": []}',
    "hooks that are null": b'{"hooks": null}',
    "an event that is an object": b'{"hooks": {"Stop": {}, "stop": {}}}',
    "an event that is null": b'{"hooks": {"Stop": null, "stop": null}}',
    "another encoding": '{"a": "é"}'.encode("latin-1"),
    "UTF-16": '{"hooks": {}}'.encode("utf-16"),
    "zero bytes": b"\x00" * 100,
    "too deep": b'{"a": ' + b"[" * 5000 + b"]" * 5000 + b"}",
    "words after the end": b"{} {}",
    "a comment that never ends": b'{"hooks": {}} /* ',
}


@dataclass(frozen=True, slots=True)
class Home:
    """A user's home, and how one host is set up in it."""

    root: Path
    setup: HostSetup
    users_file: Path
    receipts: ReceiptFolder

    @property
    def ours(self) -> list[Path]:
        """The files that Tilth writes."""
        return [Path(edit.path) for edit in self.setup.edits]


def a_home(tmp_path: Path, host: str, name: str = "ada's höme") -> Home:
    """Return a home with nothing in it but one foreign file."""
    root = tmp_path / name
    root.mkdir()
    (root / "letter.txt").write_text("dear you")
    return Home(
        root,
        setup_in(root, host),
        root / USERS_FILE[host],
        ReceiptFolder(tmp_path / "state" / "receipts"),
    )


def setup_in(root: Path, host: str, program: str = PROGRAM) -> HostSetup:
    """Return how *host* is set up in the home *root*."""
    return find_host(host).setup(Programs(program), {"HOME": str(root)})


def init(home: Home, setup: HostSetup | None = None) -> hosts.Receipt | None:
    """Do what `tilth init` does once its user agreed."""
    disk = Disk()
    plan = hosts.plan_init(setup or home.setup, disk)
    clock, ids = FixedClock(), CountingIds()
    for _ in home.receipts.in_force():
        ids.ulid(clock.now())
    return hosts.init(plan, disk, home.receipts, clock=clock, ids=ids)


def undo(home: Home) -> list[hosts.Undone]:
    """Do what `tilth undo` does."""
    receipts = home.receipts.in_force(home.setup.name)
    return hosts.undo(receipts, home.setup, Disk(), home.receipts)


Snapshot = Mapping[str, tuple[str, int, object]]


def snapshot(root: Path) -> Snapshot:
    """Return everything below *root*: kinds, modes, contents and targets."""
    return {str(path.relative_to(root)): _look(path) for path in sorted(_walk(root))}


def _walk(root: Path) -> Iterator[Path]:
    for folder, folders, files in os.walk(root):
        for name in (*folders, *files):
            yield Path(folder) / name


def _look(path: Path) -> tuple[str, int, object]:
    found = path.lstat()
    if path.is_symlink():
        return "link", 0, str(path.readlink())
    if path.is_dir():
        return "folder", found.st_mode, None
    return "file", found.st_mode, path.read_bytes()


def written(path: Path, content: bytes, mode: int = 0o644) -> Path:
    """Write a file and the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    path.chmod(mode)
    return path


def _linked(path: Path, target: Path, content: bytes) -> None:
    written(target, content)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(target)


def _target(home: Home) -> Path:
    return home.ours[0]


def _absolute_link(home: Home) -> None:
    _linked(home.users_file, home.root / "dotfiles" / "conf.json", VALID["hooks of others"])


def _relative_link(home: Home) -> None:
    written(home.root / "dotfiles" / "conf.json", VALID["hooks of others"])
    home.users_file.parent.mkdir(parents=True)
    target = os.path.relpath(home.root / "dotfiles" / "conf.json", home.users_file.parent)
    home.users_file.symlink_to(target)


def _chain_of_links(home: Home) -> None:
    middle = home.root / "middle.json"
    _linked(middle, home.root / "dotfiles" / "conf.json", VALID["other keys"])
    home.users_file.parent.mkdir(parents=True)
    home.users_file.symlink_to(middle)


def _dangling_link(home: Home) -> None:
    home.users_file.parent.mkdir(parents=True)
    (home.root / "dotfiles").mkdir()
    home.users_file.symlink_to(home.root / "dotfiles" / "gone.json")


def _linked_folder(home: Home) -> None:
    top = home.root / home.users_file.relative_to(home.root).parts[0]
    (home.root / "dotfiles" / "folder").mkdir(parents=True)
    top.symlink_to(home.root / "dotfiles" / "folder")


def _private(home: Home) -> None:
    written(home.users_file, VALID["hooks of others"], 0o600)


def _odd_mode(home: Home) -> None:
    written(home.users_file, VALID["hooks of others"], 0o664)


def _siblings(home: Home) -> None:
    for name in ("notes.md", ".hidden", "hooks.json.bak", "tilth.txt", "x" * 200):
        written(home.users_file.parent / name, b"\x00\xff mine")


def _own_folder_with_strangers(home: Home) -> None:
    written(_target(home).parent / "mine.txt", b"mine")


def _nothing(home: Home) -> None:
    pass


# What `init` takes: each makes a home that must come back byte for byte.
TREES: dict[str, Callable[[Home], None]] = {
    "nothing there": _nothing,
    "an absolute link": _absolute_link,
    "a relative link": _relative_link,
    "a chain of links": _chain_of_links,
    "a link to nowhere": _dangling_link,
    "a linked folder": _linked_folder,
    "a private file": _private,
    "a file that a group may write": _odd_mode,
    "many siblings": _siblings,
    "strangers in our folder": _own_folder_with_strangers,
}


def _read_only_file(home: Home) -> None:
    written(_target(home), b'{"hooks": {}, "by": "tilth-hook"}', 0o444)


def _read_only_folder(home: Home) -> None:
    _target(home).parent.mkdir(parents=True)
    _target(home).parent.chmod(0o555)


def _folder_in_its_place(home: Home) -> None:
    _target(home).mkdir(parents=True)


def _file_in_its_folders_place(home: Home) -> None:
    written(_target(home).parent, b"a file")


def _two_names(home: Home) -> None:
    written(_target(home), b'{"hooks": {}, "by": "tilth-hook"}')
    os.link(_target(home), home.root / "other name")


def _loop(home: Home) -> None:
    _target(home).parent.mkdir(parents=True)
    _target(home).symlink_to(_target(home))


# What `init` refuses: each must be left as it is.
REFUSED: dict[str, Callable[[Home], None]] = {
    "a read-only file": _read_only_file,
    "a read-only folder": _read_only_folder,
    "a folder in its place": _folder_in_its_place,
    "a file in its folder's place": _file_in_its_folders_place,
    "a file with two names": _two_names,
    "a link to itself": _loop,
}
