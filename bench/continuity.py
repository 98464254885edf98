"""
How much of a long conversation the context for its next reply keeps, and at which cost (EM-014).

    python -m bench.continuity [LOCOMO_HAYSTACKS_JSONL_GZ]

What is said in the first transcripts of `bench/data/capture/first.jsonl`, and in those held out,
becomes a conversation each, with talk between that decides nothing. It is summarised after each
session, as it would be in life.
Then fifty things are asked that the next reply may need: what was decided, corrected, promised, put
off, aimed at, preferred, and who is who. One is there if a line says it, with the words in which it
was said; the whole log is asked too. Of the file, each chat is a conversation, and the gold of a
question is looked for. The last line is one JSON object.
"""

import argparse
import gzip
import json
import re
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from random import Random  # noqa: TID251 - always seeded

import tilth
from bench.labelling import Found, has_values
from bench.machine import ROOT, store_environment
from bench.transcripts import Label, Transcript, passages, read_transcripts
from tilth.core.actor import Actor, ActorKind
from tilth.episodes.episode import EpisodeKind, Role
from tilth.people.extractive_summary import sentences_in
from tilth.recall.packing import token_estimate
from tilth.runtime.brain import Brain

QUESTIONS = 50
# How many transcripts a conversation is made of, and after how many of their turns there is talk,
# so many sentences: the log is to be ten times as long as a context.
_TRANSCRIPTS, _CHATTER, _SENTENCES = 23, 0.7, 5
_DATA = ROOT / "bench" / "data"
# What somebody still has to do, and how somebody is (EM-056).
OF_SOMEBODY = frozenset({"commitment", "deferral", "preference", "relationship"})
ANYTHING, SOMEBODY = "anything", "somebody"
# What a next reply may need; facts and milestones are for a search.
CONTINUITY = OF_SOMEBODY | {"correction", "decision", "gap", "goal"}
_WORD = re.compile(r"\w+")
# How many of the words in which it was said a line has at the least.
_SAME_WORDS = 0.5
_BEGINNING = datetime(2026, 1, 1, tzinfo=UTC)
_AGENT = Actor("bench", ActorKind.AGENT)


@dataclass(frozen=True, slots=True)
class Said:
    """A message."""

    speaker: str
    text: str
    at: datetime
    is_ours: bool


@dataclass(frozen=True, slots=True)
class Long:
    """A long conversation in its sessions, and what may be asked at its end, by what it is of."""

    sessions: Sequence[Sequence[Said]]
    questions: Mapping[str, Sequence[Callable[[str], bool]]]

    @property
    def log(self) -> str:
        """All that was said, a line for each message."""
        return "\n".join(_line(one) for session in self.sessions for one in session)


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("chats", nargs="?", type=Path, help="LoCoMo's haystacks")
    options = parser.parse_args()
    report: dict[str, object] = {}
    for name in ("first", "held_out"):
        report |= {f"{name}, of {of}": got for of, got in measured(written(name)).items()}
    if options.chats:
        report["locomo"] = [measured(one)[ANYTHING] for one in chats(options.chats)]
    for name, result in report.items():
        print(f"{name}: {result}")
    print(json.dumps(report | store_environment()))


def written(name: str) -> Long:
    """Make one conversation of the transcripts in a file, and ask for labels of either kind."""
    transcripts = read_transcripts(_DATA / "capture" / f"{name}.jsonl")[:_TRANSCRIPTS]
    talk = [
        sentence
        for passage in passages(_DATA / "continuity" / "chatter.txt")
        for sentence in sentences_in(passage)
        if sentence.endswith((".", "?", "!"))
    ]
    known = sorted(transcripts, key=_began)
    asked = {
        ANYTHING: _questions(known, CONTINUITY, rng := Random(14)),
        SOMEBODY: _questions(known, OF_SOMEBODY, Random(14)),
    }
    return Long([list(_talk(one, talk, rng)) for one in known], asked)


def _questions(
    said: Iterable[Transcript], kinds: Collection[str], rng: Random
) -> list[Callable[[str], bool]]:
    """Ask for labels of some kinds, by chance."""
    labels = [
        label
        for one in said
        for label in one.labels
        if label.kind in kinds and not label.is_optional
    ]
    return [_question(one) for one in rng.sample(labels, min(QUESTIONS, len(labels)))]


def _began(transcript: Transcript) -> datetime:
    return transcript.drafts[0].occurred_at or _BEGINNING


def _talk(transcript: Transcript, between: Sequence[str], rng: Random) -> Iterator[Said]:
    for draft in transcript.drafts:
        if draft.kind is not EpisodeKind.MESSAGE or draft.occurred_at is None:
            continue
        is_ours = draft.role is Role.ASSISTANT
        yield Said(draft.speaker or draft.role, draft.text, draft.occurred_at, is_ours)
        if rng.random() < _CHATTER:
            yield Said(draft.speaker or draft.role, _idle(between, rng), draft.occurred_at, is_ours)


def _idle(sentences: Sequence[str], rng: Random) -> str:
    """Say something: each sentence has the beginning of one and the end of another, so is new."""
    said = []
    for _ in range(_SENTENCES):
        one, other = rng.choice(sentences).split(), rng.choice(sentences).split()
        said.append(" ".join([*one[: (len(one) + 1) // 2], *other[len(other) // 2 :]]))
    return " ".join(said)


def _question(label: Label) -> Callable[[str], bool]:
    quote = _words(label.places[0].quote)

    def is_answered_by(text: str) -> bool:
        return any(
            has_values(label, Found(words=line, spans=()))
            and len(quote & _words(line)) >= _SAME_WORDS * len(quote)
            for line in text.splitlines()
        )

    return is_answered_by


def chats(path: Path) -> Iterator[Long]:
    """Read long chats between two people, and what is asked about them."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            chat = json.loads(line)
            text_of = {doc["id"]: doc["text"] for doc in chat["docs"]}
            golds = [
                [text_of[id_] for id_ in query["gold"] if id_ in text_of]
                for query in chat["queries"]
                if query["gold"]
            ]
            asked = Random(14).sample(golds, min(QUESTIONS, len(golds)))
            questions = [_gold_question(gold) for gold in asked]
            yield Long(list(_sessions(chat["docs"])), {ANYTHING: questions})


def _sessions(docs: Sequence[dict[str, str]]) -> Iterator[list[Said]]:
    ours = docs[0]["speaker"]
    for session in dict.fromkeys(doc["session"] for doc in docs):
        yield [
            Said(doc["speaker"], doc["text"], _BEGINNING, doc["speaker"] == ours)
            for doc in docs
            if doc["session"] == session
        ]


def _gold_question(gold: Sequence[str]) -> Callable[[str], bool]:
    """Ask for some of the words in which any of the gold was said: a sentence of three words."""
    wanted = [_words(sentence) for text in gold for sentence in re.split(r"[.!?\n]", text)]
    told = [words for words in wanted if len(words) >= 3]

    def is_answered_by(text: str) -> bool:
        lines = [_words(line) for line in text.splitlines()]
        return any(len(words & line) >= 0.8 * len(words) for words in told for line in lines)

    return is_answered_by


def measured(long: Long) -> dict[str, dict[str, object]]:
    """Hold a conversation, and ask its context and its log, by what the questions are of."""
    with _store() as brain:
        context = _context(brain, long)
    return {of: _answered(context, long.log, asked) for of, asked in long.questions.items()}


def _answered(
    context: str, log: str, questions: Sequence[Callable[[str], bool]]
) -> dict[str, object]:
    answered = [one for one in questions if one(log)]
    kept = sum(one(context) for one in answered)
    tokens, whole = token_estimate(context), token_estimate(log)
    return {
        "questions": len(questions),
        "answered_by_log": len(answered),
        "answered_by_context": kept,
        "continuity": round(kept / len(answered), 3),
        "context_tokens": tokens,
        "log_tokens": whole,
        "cost": round(tokens / whole, 3),
    }


@contextmanager
def _store() -> Iterator[Brain]:
    with (
        tempfile.TemporaryDirectory() as folder,
        tilth.connect(Path(folder) / "brain.db", create=True, actor=_AGENT) as brain,
    ):
        yield brain


def _context(brain: Brain, long: Long) -> str:
    entity = brain.entities.add("Robin", type="person")
    known = brain.conversations.create(str(entity.entity.id), "cli").conversation.id
    for session in long.sessions:
        for one in session:
            direction = "outbound" if one.is_ours else "inbound"
            brain.conversations.add(
                known, one.text, speaker=one.speaker, direction=direction, at=one.at
            )
        brain.conversations.summarise(known)
    return brain.conversations.context(known).text


def _line(one: Said) -> str:
    return f"{one.speaker}: {one.text}"


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text.casefold()))


if __name__ == "__main__":
    main()
