"""Transcripts that say what is to be remembered of them, and how one gets into a store."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

from tilth.core.ids import EpisodeId, parse_session_id
from tilth.core.scope import parse_scope
from tilth.episodes.episode import EpisodeDraft, EpisodeKind, Role
from tilth.runtime.brain import Brain

_BETWEEN_TURNS = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Place:
    """Words of a turn."""

    turn: int
    quote: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Label:
    """
    One thing worth remembering.

    A right statement has one spelling of each of `values`. What is told twice has two
    places. One that `is_optional` may be left out.
    """

    kind: str
    channels: Sequence[str]
    subject: str
    values: Sequence[Sequence[str]]
    places: Sequence[Place]
    old_value: str | None
    due: date | None
    is_optional: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript:
    """A conversation, and everything in it that is worth remembering."""

    id: str
    genre: str
    language: str
    drafts: Sequence[EpisodeDraft]
    labels: Sequence[Label]

    @property
    def required(self) -> int:
        """How many facts a perfect memory has at the least."""
        return sum(not label.is_optional for label in self.labels)


def read_transcripts(path: Path) -> list[Transcript]:
    """
    Read JSON lines; bench/data/capture/README.md has the format.

    A `.txt` has passages that state nothing, with an empty line between two.
    """
    if path.suffix == ".txt":
        return [_idle(number, text) for number, text in enumerate(passages(path), 1)]
    return [_transcript(json.loads(line)) for line in path.read_text("utf-8").splitlines()]


def passages(path: Path) -> list[str]:
    """Read what an empty line divides."""
    return path.read_text("utf-8").strip().split("\n\n")


def fill(brain: Brain, transcript: Transcript) -> list[EpisodeId]:
    """Record all turns, in their order."""
    return brain.remember_many(transcript.drafts)


def _idle(number: int, text: str) -> Transcript:
    id_ = f"passage-{number}"
    draft = EpisodeDraft(text=text, session_id=parse_session_id(id_))
    return Transcript(id=id_, genre="talk", language="en", drafts=[draft], labels=[])


def _transcript(line: Mapping[str, Any]) -> Transcript:
    return Transcript(
        id=line["id"],
        genre=line["genre"],
        language=line["language"],
        drafts=[_draft(line, number) for number in range(len(line["turns"]))],
        labels=[_label(label) for label in line["labels"]],
    )


def _draft(line: Mapping[str, Any], number: int) -> EpisodeDraft:
    turn = line["turns"][number]
    return EpisodeDraft(
        text=turn["text"],
        kind=EpisodeKind(turn.get("kind", EpisodeKind.MESSAGE)),
        role=Role(turn["role"]),
        speaker=turn.get("speaker", ""),
        session_id=parse_session_id(line["id"]),
        occurred_at=datetime.fromisoformat(line["began"]) + number * _BETWEEN_TURNS,
        scope=parse_scope(line["scope"]),
        transport=line["transport"],
    )


def _label(label: Mapping[str, Any]) -> Label:
    due = label.get("due")
    return Label(
        kind=label["kind"],
        channels=label["channels"],
        subject=label["subject"],
        values=label["values"],
        places=[Place(place["turn"], place["quote"]) for place in label["places"]],
        old_value=label.get("old_value"),
        due=None if due is None else date.fromisoformat(due),
        is_optional=label.get("is_optional", False),
    )
