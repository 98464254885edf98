"""
Slack's export: a zip with a folder for each channel, and in it a JSON file for each day.

A day of a channel is a session, and so is a thread, however long it goes on.
Texts stay as Slack has them; whom they mention by number is told beside them.
"""

import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import PurePosixPath

from tilth.core.errors import TilthError
from tilth.core.json import Json, JsonObject
from tilth.episodes.episode import Role
from tilth.transfer.model import Item, Skipped
from tilth.transfer.reading.agent_text import json_text
from tilth.transfer.reading.conversation import Conversation, Tally, Utterance, conversation_in
from tilth.transfer.reading.lenient_json import mapping, mappings, string
from tilth.transfer.reading.records import Parsed, Record, json_items, load
from tilth.transfer.reading.sample import Sample
from tilth.transfer.reading.source_file import SourceFile, ZipArchive

HOST = "slack"
PROGRAM = "Slack"
READS = "an export's zip"
SESSION = "a day of a channel; a thread"
_DAY = re.compile(r"(?:.*/)?(?P<channel>[^/]+)/(?P<day>\d{4}-\d\d-\d\d)\.json")
# Where channels, private channels, direct messages and group messages are listed.
_LISTS = ("channels.json", "groups.json", "dms.json", "mpims.json")
_USERS = "users.json"
_MENTION = re.compile(r"<@([UW][A-Z0-9]{1,20})(?:\|[^>\n]{0,80})?>")
# What Slack itself says of who came, went and was installed (api.slack.com/events/message).
_NOTICES = frozenset(
    {
        "app_conversation_join",
        "bot_add",
        "bot_disable",
        "bot_enable",
        "bot_remove",
        "channel_archive",
        "channel_convert_to_private",
        "channel_join",
        "channel_leave",
        "channel_name",
        "channel_unarchive",
        "group_archive",
        "group_join",
        "group_leave",
        "group_name",
        "group_unarchive",
        "pinned_item",
        "reminder_add",
        "tombstone",
        "unpinned_item",
    }
)


def sniff(sample: Sample) -> bool:
    """Say whether this is an archive with users and days."""
    names = {PurePosixPath(member).name for member in sample.members}
    return _USERS in names and any(map(_DAY.fullmatch, sample.members))


def read(source: SourceFile) -> Iterator[Item]:
    """Yield what the export holds."""
    export = _Export(source)
    with source.open_zip() as archive:
        yield from export.meet(archive)
        days = [match for match in map(_DAY.fullmatch, archive.names()) if match]
        for name, days_of_channel in groupby(days, lambda day: day["channel"]):
            channel = _Channel(export, name)
            for day in days_of_channel:
                label = f"{source.label}!{day[0]}"
                with archive.open(day[0]) as stream:
                    yield from channel.items(json_items(stream, label), day["day"])
    yield from export.tally.skipped(source.label)


class _Export:
    """What holds in all channels: who is who, and what they are called."""

    def __init__(self, source: SourceFile) -> None:
        self.tally = Tally()
        self.source = source
        self.people: dict[str, str] = {}
        self.channel_ids: dict[str, str] = {}

    def meet(self, archive: ZipArchive) -> Iterator[Skipped]:
        """Read the lists of people and channels; without one, numbers stand for names."""
        for member in archive.names():
            name = PurePosixPath(member).name
            if name not in _LISTS and name != _USERS:
                continue
            try:
                listed = mappings({name: load(archive.content(member))}, name)
            except TilthError as error:
                yield Skipped(f"{self.source.label}!{member}", str(error))
                continue
            for entry in listed:
                self._take_in(entry, is_person=name == _USERS)

    def _take_in(self, entry: JsonObject, *, is_person: bool) -> None:
        own = string(entry, "id")
        if is_person:
            profile = mapping(entry, "profile")
            name = string(profile, "display_name", "real_name")
            self.people[own] = name or string(entry, "real_name", "name") or own
        else:
            self.channel_ids[string(entry, "name") or own] = own

    def speaker(self, message: JsonObject) -> str:
        """Name who said *message*, as well as can be known."""
        own = string(message, "user") or string(mapping(message, "comment"), "user")
        bot = string(mapping(message, "bot_profile"), "name")
        return self.people.get(own) or string(message, "username") or bot or own

    def mentioned(self, text: str) -> list[Json]:
        """Return the names of those whom *text* mentions."""
        numbers = dict.fromkeys(_MENTION.findall(text))
        return [self.people[number] for number in numbers if number in self.people]


class _Channel:
    """One channel being read, day after day, with the threads that are open in it."""

    def __init__(self, export: _Export, name: str) -> None:
        self._export = export
        self._name = name
        self._id = export.channel_ids.get(name, name)
        self._conversations: dict[str, Conversation] = {}

    def items(self, records: Iterator[Parsed], day: str) -> Iterator[Item]:
        """Yield what was said on *day*."""
        for record in records:
            if isinstance(record, Skipped):
                yield record
            elif string(record.value, "subtype") in _NOTICES:
                self._export.tally.add(f"notices of type {string(record.value, 'subtype')!r}")
            else:
                yield from self._message(record, day)

    def _message(self, record: Record, day: str) -> Iterator[Item]:
        message = record.value
        text = _text(message)
        if not text.strip():
            self._export.tally.add("messages without words")
            return
        is_bots = string(message, "subtype") == "bot_message" or bool(string(message, "bot_id"))
        yield from self._session(string(message, "thread_ts"), day, text).say(
            Utterance(
                where=record.where,
                text=text,
                role=Role.SYSTEM if is_bots else Role.USER,
                speaker=self._export.speaker(message),
                at=message.get("ts"),
                id=string(message, "ts"),
                metadata=self._metadata(message, text),
            )
        )

    def _metadata(self, message: JsonObject, text: str) -> JsonObject:
        told: JsonObject = {
            "mentions": self._export.mentioned(text),
            "edited": bool(mapping(message, "edited")),
        }
        return {key: value for key, value in told.items() if value}

    def _session(self, thread: str, day: str, text: str) -> Conversation:
        place = thread or day
        if place not in self._conversations:
            title = f"#{self._name} {day}" + (f": {text}" if thread else "")
            self._conversations[place] = conversation_in(
                self._export.source,
                HOST,
                f"{self._id}/{place}",
                title=title,
                tags=(self._name,),
                began=day,
                transport="slack",
            )
        return self._conversations[place]


def _text(message: JsonObject) -> str:
    """Return the words of a message, then those of what is attached to it."""
    comment = mapping(message, "comment")
    files = [*mappings(message, "files"), mapping(message, "file")]
    parts = [string(message, "text") or string(comment, "comment")]
    parts += [_attached(attachment) for attachment in mappings(message, "attachments")]
    if not parts[0]:
        parts += [f"[file {string(file, 'name', 'title')}]" for file in files if file]
    return "\n".join(part for part in parts if part)


def _attached(attachment: JsonObject) -> str:
    fields = mappings(attachment, "fields")
    told = [string(attachment, key) for key in ("pretext", "author_name", "title", "text")]
    told += [f"{string(field, 'title')}: {json_text(field.get('value'))}" for field in fields]
    return "\n".join(part for part in told if part) or string(attachment, "fallback")
