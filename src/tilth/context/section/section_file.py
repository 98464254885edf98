"""
What works here and what is to be kept to, written into a file that agents read, on a person's word.

It is a section between marks. The first mark tells how many line ends were put before it, or that
the file is ours from its first byte, so that taking the section out restores every byte. It tells
the digest of the lines, too: what somebody wrote among them is not lost with the section.
"""

import hashlib
import re
from collections.abc import Iterator, Sequence

from tilth.context.notes import persons_rules
from tilth.core.dataclass import dataclass
from tilth.core.errors import ConflictError, InvalidInputError
from tilth.core.io.atomic_file import Disk
from tilth.core.scope import Visibility
from tilth.knowledge.facts.filters import FactFilter
from tilth.knowledge.facts.life import Authority
from tilth.knowledge.facts.tables import Facts
from tilth.ledger.snapshot import Snapshot
from tilth.practice.practice import working_commands
from tilth.privacy.sanitize import sanitized
from tilth.privacy.terminal_text import one_line

RULES_MAX = 40
_RULE_CHARS = 300
_SUFFIX = ".md"
_NEW = "new"
_BEGIN = (
    "<!-- tilth:begin {how} {digest}: written from what was seen here; tilth command unwrite -->"
)
_END = "<!-- tilth:end -->"
_DIGEST_CHARS = 12
# An editor, or git, may have put other line ends into the file.
_SECTION = re.compile(
    r"<!-- tilth:begin (?P<how>new|[012])(?: (?P<digest>[0-9a-f]{12}))?: [^\n]*-->(?P<end>\r?\n)"
    r"(?P<lines>.*?)<!-- tilth:end -->(?:\r?\n|\Z)",
    re.DOTALL,
)
_MARK = re.compile(r"<!-- tilth:(?:begin|end)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """A file, the lines that stand or would stand in its section, and whether the file is there."""

    path: str
    lines: Sequence[str]
    is_written: bool
    is_there: bool = True


def read_markdown(path: str) -> str | None:
    """
    Return the text of a file; None if there is none.

    Raises:
        InvalidInputError: it is no markdown.
        ConflictError: it is not in UTF-8.
    """
    if not path.endswith(_SUFFIX):
        raise InvalidInputError(f"{path!r} is no markdown", hint="name AGENTS.md or CLAUDE.md")
    found = Disk().read(path)
    try:
        return None if found is None else found.decode()
    except UnicodeDecodeError as error:
        raise ConflictError(f"{path!r} is not in UTF-8, and stays as it is") from error


def section_lines(view: Snapshot, within: Visibility) -> Iterator[str]:
    """Yield the working commands and the current rules of a project, under their headings."""
    commands = working_commands(view, within)
    if commands:
        yield "## Commands"
        yield ""
        yield from (f"- {one.kind}: `{one.shown}`" for one in commands if "`" not in one.shown)
    rules = _rules(view, within)
    if rules:
        yield from ([""] if commands else [])
        yield "## Rules"
        yield ""
        yield from (f"- {_rule_line(one)}" for one in rules)


def _rules(view: Snapshot, within: Visibility) -> list[str]:
    """Return what persons laid down, then what they noted to hold always and no fact says."""
    which = FactFilter(within=within, authority=Authority.INSTRUCTION)
    laid_down = [one.said.text for one in Facts(view).select(which, limit=RULES_MAX)]
    return [*laid_down, *persons_rules(view, within, told=laid_down)][:RULES_MAX]


def _rule_line(text: str) -> str:
    return one_line(sanitized(text), _RULE_CHARS).replace("<!--", "").replace("-->", "")


def with_section(text: str | None, lines: Sequence[str]) -> str:
    """
    Return a file with the section, in the place of an earlier one.

    Args:
        text: What the file holds; None if there is none.
        lines: The section.

    Raises:
        ConflictError: its marks are not whole, or somebody wrote between them.
    """
    if text is None:
        return _render_section(_NEW, lines, "\n")
    found = _find_section(text)
    if found is not None:
        put = _render_section(found["how"], lines, found["end"])
        return f"{text[: found.start()]}{put}{text[found.end() :]}"
    end = "\r\n" if text.count("\r\n") * 2 > text.count("\n") else "\n"
    gap = 0 if not text else 1 if text.endswith("\n") else 2
    return f"{text}{end * gap}{_render_section(str(gap), lines, end)}"


def without_section(text: str) -> str | None:
    """
    Return a file without the section; None if it held nothing else and was ours.

    Raises:
        ConflictError: its marks are not whole, or somebody wrote between them.
    """
    found = _find_section(text)
    if found is None:
        return text
    before = text[: found.start()]
    for _ in range(0 if found["how"] == _NEW else int(found["how"])):
        # Of one line end that we put there, there are two unless somebody took it away.
        is_there = found["how"] != "1" or before.endswith(found["end"] * 2)
        before = before.removesuffix(found["end"]) if is_there else before
    after = text[found.end() :]
    if before and after and not before.endswith("\n") and not after.startswith(("\n", "\r")):
        before += found["end"]
    return None if found["how"] == _NEW and not before + after else before + after


def _find_section(text: str) -> re.Match[str] | None:
    """Return the section of a file; None if it has none."""
    marks = len(_MARK.findall(text))
    found = _SECTION.search(text)
    if marks and (found is None or marks != len(("begin", "end"))):
        raise ConflictError(
            "the marks of Tilth's section are not whole",
            hint="take what is left of it out by hand, and try again",
        )
    if found is not None and found["digest"] not in (None, _digest(found["lines"])):
        raise ConflictError(
            "somebody wrote between the marks of Tilth's section, where nothing is kept",
            hint="move it behind the last mark and put back what was there, or delete the section",
        )
    return found


def _render_section(how: str, lines: Sequence[str], end: str) -> str:
    begin = _BEGIN.format(how=how, digest=_digest("\n".join([*lines, ""])))
    return end.join([begin, *lines, _END, ""])


def _digest(lines: str) -> str:
    """Return by what it is seen that somebody wrote into the section; not by its line ends."""
    return hashlib.sha256(lines.replace("\r\n", "\n").encode()).hexdigest()[:_DIGEST_CHARS]
