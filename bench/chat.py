"""
What a chat of people becomes: how much is stated of it, and who is known as a person.

    python -m bench.chat CHATS [--messages 1300] [--told 60]

CHATS is a file of conversations of two people, gzipped JSON lines (`locomo_haystacks.jsonl.gz`).
So many of their first messages are recorded as hooks would, each conversation in a scope of its
own, and looked through without a model. `--told` prints so many statements, in the order of their
digests, and every entity with its type, for whoever reads them. The report goes into
`bench/results/chat.json`, with what else is given as `--read`, and is printed on the last line.
"""

import argparse
import gzip
import hashlib
import json
import tempfile
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path

import tilth
from bench.machine import keep
from tilth.core.actor import HOOKS
from tilth.core.ids import SessionId
from tilth.core.scope import Scope
from tilth.episodes.episode import EpisodeDraft, Role
from tilth.knowledge.vocabulary.registries import EntityType

_BEGAN = datetime(2024, 1, 1, tzinfo=UTC)
_MANY = 1_000


def main() -> None:
    """Record, learn, and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("chats", type=Path)
    parser.add_argument("--messages", type=int, default=1_300)
    parser.add_argument("--told", type=int, default=0, help="print so many statements")
    parser.add_argument("--read", default="", help="what whoever read them found, for the report")
    options = parser.parse_args()
    drafts = list(islice(_messages(options.chats), options.messages))
    with (
        tempfile.TemporaryDirectory() as folder,
        tilth.connect(Path(folder) / "tilth.db", create=True, actor=HOOKS) as brain,
    ):
        brain.remember_many(drafts)
        brain.distil(is_asked=True)
        scopes = sorted({one.scope for one in drafts})
        facts = [one for scope in scopes for one in brain.facts.list(limit=_MANY, scope=scope)]
        known = [
            one
            for scope in scopes
            for one in brain.entities.list(limit=_MANY, scope=scope)
            if one.scope == scope
        ]
    facts.sort(key=lambda one: hashlib.sha256(one.said.text.encode()).hexdigest())
    for fact in facts[: options.told]:
        print(fact.grade, fact.said.text, sep="\t")
    for one in known if options.told else ():
        print(one.type.value, one.name, sep="\t")
    speakers = {(one.scope, one.speaker) for one in drafts}
    persons = {(one.scope, one.name) for one in known if one.type is EntityType.PERSON}
    report = {
        "messages": len(drafts),
        "statements": len(facts),
        "a message": round(len(facts) / len(drafts), 4),
        "speakers": len(speakers),
        "speakers known as persons": len(speakers & persons),
        "entities": dict(Counter(one.type.value for one in known)),
    }
    keep("chat", report | ({"read": options.read} if options.read else {}))


def _messages(chats: Path) -> Iterator[EpisodeDraft]:
    with gzip.open(chats, "rt", encoding="utf-8") as lines:
        for chat, line in enumerate(lines):
            for number, one in enumerate(json.loads(line)["docs"]):
                yield EpisodeDraft(
                    text=one["text"],
                    speaker=one["speaker"],
                    role=Role.USER,
                    session_id=SessionId(f"chat{chat}-{one['session']}"),
                    scope=Scope(f"project:chat{chat}"),
                    occurred_at=_BEGAN + timedelta(days=chat, minutes=number),
                )


if __name__ == "__main__":
    main()
