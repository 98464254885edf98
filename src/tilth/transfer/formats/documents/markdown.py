"""
Notes in markdown, as Obsidian and most others write them: a document is a session of its sections.

The words stay as they are, with links and emphasis. Front matter gives title,
tags and date; without a date the file's own time serves.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePosixPath
from urllib.parse import unquote

from tilth.core.io.projects import scope_of_document
from tilth.core.scope import Scope
from tilth.knowledge.entities.entity import ALIASES_MAX, EntityDraft
from tilth.knowledge.vocabulary.registries import EdgeKind, EntityType
from tilth.transfer.model import Item, Row, ToldEdge, ToldEntity
from tilth.transfer.reading.conversation import conversation_in
from tilth.transfer.reading.documents import Document, read_document, tags_of, utterances
from tilth.transfer.reading.sample import Sample
from tilth.transfer.reading.source_file import SourceFile

HOST = "markdown"
PROGRAM = "a document"
READS = "`.md` and `.markdown`, such as a vault of Obsidian"
SESSION = "the document; its sections are episodes"
# `[[Note#Heading|shown]]`, and no picture that is embedded.
_LINK = re.compile(r"(?<!!)\[\[([^\[\]|#\n]+)[^\[\]\n]*\]\]")
_CODE = re.compile(r"^(```|~~~).*?^\1[^\n]*$|`[^`\n]*`", re.MULTILINE | re.DOTALL)
_LINKS_MAX = 1000
_SUFFIXES = frozenset({".md", ".markdown"})


def sniff(sample: Sample) -> bool:
    """Say whether this is text in a file that is named as markdown."""
    return sample.suffix in _SUFFIXES and sample.is_text


def read(source: SourceFile) -> Iterator[Item]:
    """Yield what the document holds; its first section carries all that its front matter says."""
    document = read_document(source)
    yield from document.problems
    conversation = conversation_in(
        source,
        HOST,
        source.key,
        title=document.title or source.stem,
        tags=tags_of(document.properties),
        began=document.date,
        scope=scope_of_document(source.path),
    )
    said_before = {"properties": document.properties} if document.properties else {}
    for said in utterances(document.sections, source.label):
        yield from conversation.say(replace(said, metadata={**said.metadata, **said_before}))
        said_before = {}


def rows(source: SourceFile) -> Iterator[Row]:
    """
    Yield the thing that a note is, and an edge for each note that it links to.

    A note is what links to others as Obsidian does, has aliases, or lies in a vault; any other
    document is nothing but its words. A property that is called as an edge says of which kind.
    """
    document, scope = read_document(source), scope_of_document(source.path)
    links = dict.fromkeys(_LINK.findall(_CODE.sub("", document.body)))
    typed = [
        (EdgeKind(name), target)
        for name, said in document.properties.items()
        if name in set(EdgeKind)
        for target in _LINK.findall(str(said))
    ]
    aliases = _aliases(document)
    in_vault = any((folder / ".obsidian").is_dir() for folder in source.path.parents)
    if links or typed or aliases or in_vault:
        yield from named(source, source.stem, aliases, EntityType.THING, scope)
        said_kinds = {target for _, target in typed}
        plain = [(EdgeKind.ABOUT, one) for one in links if one not in said_kinds]
        yield from linked(source, [*typed, *plain], scope)


def named(
    source: SourceFile, name: str, aliases: list[str], kind: EntityType, scope: Scope
) -> Iterator[Row]:
    """Yield the thing that a document is, under its name, with where the document lies."""
    # Links that nobody mended yet still name the file as it was called before.
    former = PurePosixPath(unquote(source.key)).stem
    others = tuple(dict.fromkeys(one for one in (former, *aliases) if one != name))[:ALIASES_MAX]
    metadata = {"document": source.key}
    draft = EntityDraft(name=name, type=kind, aliases=others, scope=scope, metadata=metadata)
    yield ToldEntity(source.label, draft, "")


def linked(source: SourceFile, links: list[tuple[EdgeKind, str]], scope: Scope) -> Iterator[Row]:
    """Yield the edges from a document to what it links to."""
    own = source.stem
    for kind, target in links[:_LINKS_MAX]:
        name = PurePosixPath(target.strip()).name.removesuffix(".md")
        if name and name != own:
            yield ToldEdge(source.label, (own, name), kind.value, scope, "")


def _aliases(document: Document) -> list[str]:
    said = document.properties.get("aliases") or document.properties.get("alias") or []
    return [one for one in (said if isinstance(said, list) else [said]) if isinstance(one, str)]
