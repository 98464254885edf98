"""
Notes in markdown, as Obsidian and most others write them: a document is a session of its sections.

The words stay as they are, with links and emphasis. Front matter gives title,
tags and date; without a date the file's own time serves.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePosixPath

from tilth.core.outside.projects import scope_of_document
from tilth.transfer.importing import Item
from tilth.transfer.reading.conversation import Conversation, session_id_of, session_info
from tilth.transfer.reading.documents import read_document, tags_of, utterances
from tilth.transfer.reading.sample import Sample
from tilth.transfer.reading.source_file import SourceFile

HOST = "markdown"
_SUFFIXES = frozenset({".md", ".markdown"})


def sniff(sample: Sample) -> bool:
    """Say whether this is text in a file that is named as markdown."""
    return sample.suffix in _SUFFIXES and sample.is_text


def read(source: SourceFile) -> Iterator[Item]:
    """Yield what the document holds; its first section carries all that its front matter says."""
    document = read_document(source)
    yield from document.problems
    title = document.title or PurePosixPath(source.name).stem
    conversation = Conversation(
        session_id_of(HOST, source.key),
        session_info(HOST, source.uri, title=title, tags=tags_of(document.properties)),
        started_at=document.date or source.modified_at,
        scope=scope_of_document(source.path),
    )
    said_before = {"properties": document.properties} if document.properties else {}
    for said in utterances(document.sections, source.label):
        yield from conversation.say(replace(said, metadata={**said.metadata, **said_before}))
        said_before = {}
