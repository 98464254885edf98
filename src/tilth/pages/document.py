"""
Write a page as Markdown, and read an edited page back.

    # pve2
    ## What is so
    - pve2 runs Proxmox VE 9. [fct_01KB…]

Each compiled line ends with its citations, by which it is recognised in an edited page. A locked
section is free text under its heading.
"""

from collections.abc import Iterator, Sequence
from dataclasses import field

from tilth.core.dataclass import dataclass
from tilth.core.errors import InvalidInputError
from tilth.core.instant import written_day
from tilth.core.text.pattern import pattern
from tilth.pages.model import TEMPLATE, Page, PageSection, Sentence
from tilth.privacy.terminal_text import inert

_CITED = pattern(r"^[-*] (?P<text>.+?) \[(?P<cites>[a-z]{3}_[0-9A-Z]{26}(?:, [a-z]{3}_\w{26})*)\]$")
_HEADING = pattern(r"^## (?P<title>.+?)(?: \(locked\))?$")
_LOCKED = " (locked)"


@dataclass(slots=True)
class EditedSection:
    """One section of an edited page: its cited lines, and other text under its heading."""

    title: str
    lines: list[Sentence] = field(default_factory=list)
    free: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        """The text without citations."""
        return "\n".join(self.free).strip()


def page_lines(page: Page) -> Iterator[str]:
    """Yield a page as Markdown."""
    yield f"# {inert(page.title)}"
    yield f"_{standing(page)}_"
    for one in page.sections:
        yield ""
        yield from section_lines(one)


def section_lines(one: PageSection) -> Iterator[str]:
    """Yield a section as Markdown."""
    yield f"## {inert(one.section.title)}{_LOCKED if one.lock else ''}"
    if one.arranged.description:
        yield described(one)
    if one.lock is not None:
        yield from inert(one.lock.text).split("\n")
    else:
        yield from (cited_line(line) for line in one.section.sentences)


def described(one: PageSection) -> str:
    """Return the description of a section, as a line of its own."""
    return f"_{inert(one.arranged.description)}_"


def cited_line(line: Sentence) -> str:
    """Return a sentence with its citations."""
    return f"- {inert(line.text)} [{', '.join(line.cites)}]"


def standing(page: Page) -> str:
    """Return the state of a page on one line: when it was compiled, from what, whether it holds."""
    sources = source_count(page.compiled_from)
    told = [page.scope, f"compiled {page.generated_at:%Y-%m-%d %H:%M} from {sources}"]
    if page.is_foundational:
        told.append("every session reads it")
    if page.form != TEMPLATE:
        told.append(f"in the words of {page.form}: verify")
    if page.why:
        told.append(f"not put into words: {page.why}")
    if page.left_out:
        told.append("1 more is known" if page.left_out == 1 else f"{page.left_out} more are known")
    if page.stale_since is not None:
        told.append(f"stale since {page.stale_since:%Y-%m-%d %H:%M}")
    return " · ".join(told)


def source_count(cites: Sequence[str]) -> str:
    """Return the number of sources, in words."""
    return "1 source" if len(cites) == 1 else f"{len(cites)} sources"


def as_of(page: Page) -> str:
    """Return the date of a page, whether it holds, and whether a language model worded it."""
    told = [f"compiled {written_day(page.generated_at)}"]
    told += [f"stale since {written_day(page.stale_since)}"] if page.stale_since else []
    told += [f"in the words of {page.form}: verify"] if page.form != TEMPLATE else []
    return ", ".join(told)


def read_edited(text: str) -> Sequence[EditedSection]:
    """
    Read the sections of an edited page, in order.

    Raises:
        InvalidInputError: there is text before the first section.
    """
    found: list[EditedSection] = []
    for raw in text.replace("\r\n", "\n").split("\n"):
        line = raw.rstrip()
        if heading := _HEADING.match(line):
            found.append(EditedSection(heading["title"].strip()))
        elif not found:
            if line and not line.startswith(("# ", "_")):
                raise InvalidInputError(
                    f"{line[:60]!r} stands in no section", hint="put it under a heading: ## Notes"
                )
        elif cited := _CITED.match(line):
            cites = tuple(cited["cites"].split(", "))
            found[-1].lines.append(Sentence(" ".join(cited["text"].split()), cites))
        elif line or found[-1].free:
            found[-1].free.append(line)
    if not found:
        raise InvalidInputError("the text has no section", hint="begin from: tilth page show NAME")
    return found
