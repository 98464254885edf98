"""Texts and questions for the benches: real ones where there are some, and more made of them."""

import gzip
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random  # noqa: TID251 - always seeded

from tilth.core.errors import TilthError
from tilth.core.ids import SessionId
from tilth.episodes.episode import EpisodeDraft
from tilth.transfer.file_importer import FileImporter

# What is asked and said where there is no evaluation data.
_PLAIN = (
    "The deploy to staging failed because the disk was full, so we rolled it back.",
    "My sister moved to Lisbon in March and we will visit her over the summer.",
    "cargo test passes again after the index on sessions was added.",
    "Who is on call this weekend? The backup of the mail server needs a look.",
)
_BEGINNING = datetime(2020, 1, 1, tzinfo=UTC)
_TURNS_A_SESSION = 40
# One text in ten is as long as what agents' tools say.
_LONG_EVERY = 10


@dataclass(frozen=True, slots=True)
class Corpus:
    """What was said by people (short), by agents and their tools (long), and what was asked."""

    short: Sequence[str]
    long: Sequence[str]
    questions: Sequence[str]

    def drafts(self, count: int, rng: Random) -> Iterator[EpisodeDraft]:
        """
        Yield that many drafts, in sessions.

        The real texts come first; after them each is the beginning of one and
        the end of another, so that no two are alike and words keep their odds.
        """
        for number in range(count):
            is_long = bool(self.long) and number % _LONG_EVERY == 0
            texts = self.long if is_long else self.short
            place = number // _LONG_EVERY if is_long else number
            text = texts[place] if place < len(texts) else _mixed(rng, texts)
            yield EpisodeDraft(
                text=text,
                speaker=("Ana", "Ben")[number % 2],
                session_id=SessionId(f"session-{number // _TURNS_A_SESSION}"),
                occurred_at=_BEGINNING + timedelta(minutes=number),
            )


def _mixed(rng: Random, texts: Sequence[str]) -> str:
    one, other = rng.choice(texts).split(" "), rng.choice(texts).split(" ")
    return " ".join(
        [*one[: len(one) // 2 + 1], *other[len(other) // 2 :], str(rng.randrange(1000))]
    )


def evaluation_data() -> Path:
    """Return where evaluation data lies: `TILTH_EVAL_DATA`, or a folder next to the checkout."""
    beside = Path(__file__).parent.parent.parent / "shared" / "data"
    return Path(os.environ.get("TILTH_EVAL_DATA", beside))


def corpus(data: Path) -> Corpus:
    """Return LoCoMo's turns and questions and the transcripts in *data*, or a few plain texts."""
    haystacks, transcripts = data / "locomo" / "locomo_haystacks.jsonl.gz", data / "transcripts"
    if not haystacks.exists():
        return Corpus(_PLAIN, (), _PLAIN)
    with gzip.open(haystacks, "rt", encoding="utf-8") as lines:
        chats = [json.loads(line) for line in lines]
    return Corpus(
        short=[turn["text"] for chat in chats for turn in chat["docs"] if turn["text"].strip()],
        long=list(_said_in(transcripts)) if transcripts.exists() else (),
        questions=[query["question"] for chat in chats for query in chat["queries"]],
    )


def _said_in(folder: Path) -> Iterator[str]:
    importer = FileImporter()
    for source in importer.find(str(folder)):
        try:
            for item, _ in importer.read(source):
                if isinstance(item, EpisodeDraft):
                    yield item.text
        except TilthError as error:
            print(f"not read: {source.uri}: {error}")
