"""
The reference memory server's `memory.jsonl`: a graph of entities and relations.

Every observation of an entity is a note of the agent that made it, and every
relation is one. The file tells no times, so they are of the time when it was
changed last. One that lies in a repository is of that project.
"""

from collections.abc import Iterator
from dataclasses import replace

from tilth.core.io.projects import scope_of_document
from tilth.core.json import JsonObject
from tilth.episodes.episode import EpisodeKind, Role
from tilth.transfer.model import Item
from tilth.transfer.reading.conversation import Tally, Utterance, conversation_in
from tilth.transfer.reading.lenient_json import sequence, string
from tilth.transfer.reading.records import Record, read_lines
from tilth.transfer.reading.sample import Sample
from tilth.transfer.reading.source_file import SourceFile

HOST = "mcp-memory"
PROGRAM = "the MCP memory server"
READS = "`memory.jsonl` of the reference memory server"
SESSION = "the file; every observation and every relation is a note"


def sniff(sample: Sample) -> bool:
    """Say whether these are entities and relations."""
    return any(
        (string(line, "type") == "entity" and "observations" in line)
        or (string(line, "type") == "relation" and "relationType" in line)
        for line in sample.records
    )


def read(source: SourceFile) -> Iterator[Item]:
    """Yield what the graph holds."""
    tally = Tally()
    conversation = conversation_in(
        source, HOST, source.key, title=source.name, scope=scope_of_document(source.path)
    )

    def noted(record: Record) -> Iterator[Item]:
        note = Utterance(where=record.where, text="", kind=EpisodeKind.NOTE, role=Role.ASSISTANT)
        for text in _notes(record.value, tally):
            yield from conversation.say(replace(note, text=text))

    yield from read_lines(source, noted, tally)


def _notes(line: JsonObject, tally: Tally) -> Iterator[str]:
    kind = string(line, "type")
    if kind == "entity":
        yield from _observations(line, tally)
    elif kind == "relation":
        ends = string(line, "from", "from_entity"), string(line, "to", "to_entity")
        if all(ends):
            yield f"{ends[0]} {string(line, 'relationType')} {ends[1]}"
        else:
            tally.add("relations of nothing")
    else:
        tally.add(f"lines of type {kind[:40]!r}")


def _observations(entity: JsonObject, tally: Tally) -> Iterator[str]:
    kind = string(entity, "entityType")
    name = string(entity, "name") + (f" ({kind})" if kind else "")
    seen = [text for text in sequence(entity, "observations") if isinstance(text, str)]
    if not seen:
        tally.add("entities of which nothing was observed")
    for observation in seen:
        yield f"{name}: {observation}"
