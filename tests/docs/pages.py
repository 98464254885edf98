"""What the pages tell a reader to type, and what they say will be shown."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    path
    for path in (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"))
    if path.name not in {"CHANGELOG.md", "cli.md"}  # of the past, and generated
)
_BLOCK = re.compile(
    r"(?:^[ ]*<!-- (?P<note>[^>]*) -->\n)?"
    r"^(?P<indent>[ ]*)```(?P<kind>\w+)\n(?P<body>.*?)^[ ]*```$",
    re.MULTILINE | re.DOTALL,
)
_EXITS = re.compile(r"#.*exits with (\d+)")
_SPAN = re.compile(r"`(tilth [^`\n]+)`")
NOT_RUN = "not run: "


@dataclass
class Command:
    """A line that begins with `$`, and the lines shown below it."""

    line: str
    shown: list[str] = field(default_factory=list)

    @property
    def words(self) -> list[str]:
        return shlex.split(self.line, comments=True)

    @property
    def exit_code(self) -> int:
        found = _EXITS.search(self.line)
        return int(found[1]) if found else 0


@dataclass(frozen=True)
class Block:
    """A fenced block, and the comment in the line above it."""

    kind: str
    note: str
    lines: list[str]

    @property
    def is_run(self) -> bool:
        return not self.note.startswith(NOT_RUN)

    @property
    def commands(self) -> list[Command]:
        found: list[Command] = []
        for line in self.lines:
            if line.startswith("$ "):
                found.append(Command(line[2:]))
            elif found:
                found[-1].shown.append(line)
        return found


def blocks(page: Path, kind: str) -> Iterator[Block]:
    """Yield the fenced blocks of one kind on a page."""
    for found in _BLOCK.finditer(page.read_text(encoding="utf-8")):
        if found["kind"] == kind:
            indent = found["indent"]
            lines = [line.removeprefix(indent) for line in found["body"].splitlines()]
            yield Block(kind, found["note"] or "", lines)


def mentions(page: Path) -> Iterator[str]:
    """Yield each command that stands in the running text or in a table."""
    text = _BLOCK.sub("", page.read_text(encoding="utf-8"))
    for span in _SPAN.findall(text):
        yield span.replace("\\|", "|")
