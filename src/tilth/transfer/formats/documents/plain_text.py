"""Plain text: a file is a session of its paragraphs, as many together as make a section."""

from collections.abc import Iterator

from tilth.core.io.projects import scope_of_document
from tilth.transfer.model import Item
from tilth.transfer.reading.conversation import conversation_in
from tilth.transfer.reading.documents import plain_sections, read_text, utterances
from tilth.transfer.reading.sample import Sample
from tilth.transfer.reading.source_file import SourceFile

HOST = "plain-text"
PROGRAM = "a text"
READS = "`.txt` and `.text`"
SESSION = "the file; whole paragraphs up to 8,000 characters are an episode"
_SUFFIXES = frozenset({".txt", ".text"})
# As older versions of Cursor wrote one: who said what there would be lost.
_TRANSCRIPT = "user:\n<user_query>"


def sniff(sample: Sample) -> bool:
    """Say whether this is text in a file that is named as text, and no transcript of Cursor's."""
    is_text = sample.suffix in _SUFFIXES and sample.is_text
    return is_text and not sample.text.startswith(_TRANSCRIPT)


def read(source: SourceFile) -> Iterator[Item]:
    """Yield what the file holds."""
    text, problems = read_text(source)
    yield from problems
    conversation = conversation_in(
        source, HOST, source.key, title=source.stem, scope=scope_of_document(source.path)
    )
    for said in utterances(plain_sections(text), source.label):
        yield from conversation.say(said)
