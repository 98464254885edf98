"""Write the text of a vault's pages, and read statements back from it, without any I/O."""

import hashlib
import json
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from enum import StrEnum
from urllib.parse import quote

from tilth.core.dataclass import dataclass

# Ends with the digest of what stands above it, so that a page says itself whether it was edited.
MARKER = "%% tilth:end: text below this line is yours and is never overwritten"
_MARK = re.compile(rf"^{re.escape(MARKER)}(?: \((?P<seal>[0-9a-f]+)\))? %%\n", re.MULTILINE)
_SEAL_CHARS = 16
LEFT_HEADING = "## Yours, and not taken over"
_LINE_MARK_CHARS = 8
_TITLE_CHARS = 80
# Of the 255 that a file's name has, the rest is for its mark, its suffix and its half-made copy.
_TITLE_BYTES = 200
_MARK_CHARS = 6
# What Obsidian or a file system does not take in a name.
_FORBIDDEN = re.compile(r'[\x00-\x1f\x7f:\\/#^\[\]|*"<>?%]+')
_RESERVED = re.compile(
    r"(?:con|prn|aux|nul|com[\d¹²³]|lpt[\d¹²³]|conin\$|conout\$)(?:\.|$)", re.IGNORECASE
)
# What would be a link, a tag, a comment, a block's name or a tag of HTML.
_LIVE = re.compile(r"\\|\[\[|\]\]|%%|<|(?<!\S)#(?=\S)|(?<!\S)\^(?=\S)")
_ESCAPED = re.compile(r"\\(\\|\[\[|\]\]|%%|<|#|\^)")
_BLOCK = r"\^(?P<block>[a-z]{3}-[0-9a-z]{26})"
_FACT = re.compile(rf"- (?P<text>.*) — \*(?P<label>[^*]*)\* {_BLOCK}")
# A sentence of a compiled page, with the one fact that it cites.
_CITING = re.compile(
    rf"- (?P<text>.*?) (?:\[\[[^\]|#]*#{_BLOCK}\|source\]\]"
    rf"|\[source\]\([^()]*#{_BLOCK.replace('block', 'linked')}\))"
)
_BRAIN_ID = re.compile(r'^brain_id: "([^"]+)"$', re.MULTILINE)


class Links(StrEnum):
    """How pages name one another."""

    WIKI = "wiki"
    MD = "md"


@dataclass(frozen=True, slots=True)
class Ref:
    """A link to a page of the vault, or to one of its blocks, by the IDs of the brain."""

    id: str
    block: str = ""
    label: str = ""


Parts = tuple[str | Ref, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """
    One page before it has a name.

    Attributes:
        id: That of the thing in the brain, or of a page that the vault always has.
        folder: Where it lies; empty for the vault itself.
        title: What it is called.
        properties: Its YAML block; a `Ref` in it becomes a quoted link.
        lines: What stands on it; read once, so that a long page need not be in memory.
        facts: The texts of the facts that may be edited on it, by ID.
        is_fixed: Whether its name is its title to the letter, wherever else that is taken.
        is_verbatim: Whether its one line is the file, byte by byte.
    """

    id: str
    folder: str
    title: str
    properties: Mapping[str, object] = field(default_factory=dict)
    lines: Iterable[Parts] = ()
    facts: Mapping[str, str] = field(default_factory=dict)
    is_fixed: bool = False
    is_verbatim: bool = False


@dataclass(frozen=True, slots=True)
class Bullet:
    """
    A line of a page that a person may have written: its text, and the fact that it was.

    `line` is what stands there.
    """

    text: str
    fact_id: str = ""
    line: str = ""


def properties_of(title: str, tags: Sequence[str], id_: str, type_: str) -> dict[str, object]:
    """Return the properties with which the YAML block of every page with a type begins."""
    return {"title": title, "tags": list(tags), "brain_id": id_, "type": type_}


def inert_line(text: str) -> str:
    """Return *text* in one line in which nothing is a link, a tag, a comment or HTML."""
    return inert_words(" ".join(text.split()))


def inert_words(text: str) -> str:
    """Return *text*, its lines kept, with every link, tag, comment and HTML escaped."""
    return _LIVE.sub(lambda found: f"\\{found[0]}", text)


def plain_line(line: str) -> str:
    """Undo `inert_line`."""
    return _ESCAPED.sub(lambda found: found[1], line).strip()


def block_of(id_: str) -> str:
    """Return the name of a block: letters, digits and a hyphen."""
    return id_.replace("_", "-").lower()


def fact_line(fact_id: str, text: str, label: str) -> str:
    """Return the line of a fact, which `bullets_in` reads back."""
    return f"- {inert_line(text)} — *{label}* ^{block_of(fact_id)}"


def bullets_in(head: str, *, is_compiled: bool = False) -> list[Bullet]:
    """
    Return the lines of a page that state a fact.

    Args:
        head: Tilth's part of the page.
        is_compiled: Whether it is a compiled page, where each sentence cites a fact. On any other,
            only the lines above the first second-level heading count.
    """
    bullets = []
    body = head.partition("\n---\n")[2] if head.startswith("---\n") else head
    for line in body.splitlines():
        if line.startswith("## ") and not is_compiled:
            break
        if found := (_CITING if is_compiled else _FACT).fullmatch(line.rstrip()):
            block = found["block"] or found["linked"] if is_compiled else found["block"]
            kind, _, ulid = block.partition("-")
            bullets.append(Bullet(plain_line(found["text"]), f"{kind}_{ulid.upper()}", line))
        elif line.startswith(("- ", "* ")) and (text := plain_line(line[2:])):
            bullets.append(Bullet(text, line=line))
    return bullets


def line_marks(head: str) -> list[str]:
    """Return the digest of each line of a page that is not empty."""
    return [line_mark(line) for line in head.splitlines() if line.strip()]


def line_mark(line: str) -> str:
    """Return the digest by which a line is recognised."""
    return hashlib.sha256(line.rstrip().encode()).hexdigest()[:_LINE_MARK_CHARS]


def brain_id_in(text: str) -> str:
    """Return the ID that a page names in its YAML block; empty if it names none."""
    found = _BRAIN_ID.search(text.partition("\n---\n")[0]) if text.startswith("---\n") else None
    return found[1] if found else ""


def split(text: str) -> tuple[str, str]:
    """Return Tilth's part of a file, with its marker, and the owner's part below it."""
    found = _MARK.search(text)
    end = found.end() if found else len(text)
    return text[:end], text[end:]


def is_ended(ours: str) -> bool:
    """Say whether Tilth's part of a page has its marker."""
    return _MARK.search(ours) is not None


def is_sealed(ours: str) -> bool:
    """Say whether Tilth's part of a page is exactly what an export wrote."""
    found = _MARK.search(ours)
    return found is not None and found["seal"] == _seal(ours[: found.start()])


def with_left(theirs: str, left: Sequence[str]) -> str:
    """Return the owner's part of a page with the lines added that could not be proposed."""
    if not left:
        return theirs
    above = theirs.rstrip("\n") + "\n\n" if theirs.strip() else "\n"
    return above + "\n".join([LEFT_HEADING, "", *left]) + "\n"


def safe_title(title: str) -> str:
    """Return *title* as the name of a file, anywhere."""
    # A backtick in a link begins code for some readers.
    name = unicodedata.normalize("NFC", _FORBIDDEN.sub("-", title.replace("`", "")))
    name = " ".join(name.split())[:_TITLE_CHARS]
    name = name.encode("utf-8", "replace")[:_TITLE_BYTES].decode("utf-8", "ignore").strip(" .-")
    return f"_{name}" if _RESERVED.match(name) else name or "unnamed"


def paths_for(
    pages: Iterable[Page], known: Mapping[str, str], others: Iterable[str] = ()
) -> dict[str, str]:
    """
    Return the path of each page, no two alike wherever case does not count.

    Args:
        pages: In an order that the same brain gives again.
        known: The paths that pages have: a page keeps its own while its title fits it.
        others: The paths of files that are no pages of ours.
    """
    pages = list(pages)
    paths: dict[str, str] = {}
    taken = {_stem(one).casefold() for one in others}
    for one in pages:
        name = one.title if one.is_fixed else safe_title(one.title)
        kept = known.get(one.id, "")
        if one.is_fixed or _fits(kept, one.folder, name):
            path = kept if not one.is_fixed else _join(one.folder, name)
            if one.is_fixed or _stem(path).casefold() not in taken:
                paths[one.id] = path
                taken.add(_stem(path).casefold())
    for one in pages:
        if one.id not in paths:
            name = safe_title(one.title)
            if name.casefold() in taken:
                name = f"{name} {hashlib.sha256(one.id.encode()).hexdigest()[:_MARK_CHARS]}"
            taken.add(name.casefold())
            paths[one.id] = _join(one.folder, name)
    return paths


def render(page: Page, paths: Mapping[str, str], links: Links) -> str:
    """Return Tilth's part of a page's file, which ends with its marker."""

    def link(ref: Ref) -> str:
        return _link(ref, page, paths, links)

    def line(parts: Parts) -> str:
        return "".join(link(one) if isinstance(one, Ref) else one for one in parts)

    if page.is_verbatim:
        # The one line is the whole file, without a marker.
        return line(next(iter(page.lines)))
    block = "".join(f"{name}: {_yaml(value, link)}\n" for name, value in page.properties.items())
    body = "".join(f"{line(parts)}\n" for parts in page.lines)
    head = f"---\n{block}---\n{body}" if block else body
    return f"{head}{MARKER} ({_seal(head)}) %%\n"


def _seal(head: str) -> str:
    return hashlib.sha256(head.encode()).hexdigest()[:_SEAL_CHARS]


def _fits(path: str, folder: str, name: str) -> bool:
    """Say whether a path is where a page of this name lies, maybe with its mark."""
    if not path or path.rpartition("/")[0] != folder:
        return False
    stem = _stem(path)
    return stem == name or (
        stem.startswith(f"{name} ") and len(stem) == len(name) + 1 + _MARK_CHARS
    )


def _stem(path: str) -> str:
    return path.rpartition("/")[2].removesuffix(".md")


def _join(folder: str, name: str) -> str:
    return f"{folder}/{name}.md" if folder else f"{name}.md"


def _link(ref: Ref, page: Page, paths: Mapping[str, str], links: Links) -> str:
    path = paths.get(ref.id)
    label = ref.label or ("" if path is None else _stem(path))
    if path is None:
        return inert_line(label)
    block = f"#^{block_of(ref.block)}" if ref.block else ""
    if links is Links.MD:
        ups = "../" * len([one for one in page.folder.split("/") if one])
        return f"[{label.replace(']', '')}]({quote(ups + path)}{block})"
    # A file that is called as hosts want it is found by its path alone.
    stem = _stem(path)
    target = path.removesuffix(".md") if stem == "SKILL" else stem
    shown = " ".join(re.sub(r"[\[\]|#^]", " ", label).split()) or target
    return f"[[{target}{block}]]" if shown == target else f"[[{target}{block}|{shown}]]"


def _yaml(value: object, link: Callable[[Ref], str]) -> str:
    """Write a value as YAML in one line: what JSON writes is YAML, too."""
    if isinstance(value, Ref):
        return _quoted(link(value))
    if isinstance(value, list | tuple):
        return f"[{', '.join(_yaml(one, link) for one in value)}]"
    if isinstance(value, str):
        return _quoted(value)
    return json.dumps(value)


def _quoted(text: str) -> str:
    # DEL, and what else YAML does not print, is escaped.
    return re.sub(
        "[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]",
        lambda found: f"\\u{ord(found[0]):04x}",
        json.dumps(text, ensure_ascii=False),
    )
