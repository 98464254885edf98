"""
Conversations with questions and their gold, in one uniform shape.

A line of JSON for each haystack: `{hid, docs: [{id, session, date, speaker, text}],
queries: [{qid, category, question, date, gold: [doc id], gold_sessions: […]}]}`. A question's
date, where it has one, is when it is asked: "last week" counts from then.
"""

import gzip
import json
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tilth.core.ids import SessionId, is_word_for_nothing
from tilth.episodes.episode import EpisodeDraft, Role

# How the sets at hand write a date: LoCoMo, LongMemEval (its weekday left out), messengers'
# exports, and ISO by itself.
_DATE_FORMATS = (
    "%I:%M %p on %d %B, %Y", "%Y/%m/%d %H:%M", "%Y/%m/%d", "%B-%d-%Y", "%d %B, %Y",
    "%d.%m.%Y, %H:%M:%S", "%d.%m.%Y, %H:%M", "%d.%m.%Y",
)  # fmt: skip
_WEEKDAY = re.compile(r"\s*\([A-Za-z]+\)")


@dataclass(frozen=True, slots=True)
class Doc:
    """One turn of a conversation."""

    id: str
    session: str
    at: datetime | None
    speaker: str
    text: str

    @property
    def role(self) -> Role:
        """The part that the speaker plays, where the name says it; else a user's."""
        name = self.speaker.strip().lower()
        return Role(name) if name in set(Role) else Role.USER

    def draft(self) -> EpisodeDraft:
        """Return the turn as an agent's host would record it."""
        is_role = self.speaker.strip().lower() in set(Role)
        return EpisodeDraft(
            text=self.text,
            role=self.role,
            speaker="" if is_role else self.speaker,
            session_id=SessionId(self.session),
            occurred_at=self.at,
        )


@dataclass(frozen=True, slots=True)
class Query:
    """A question, the turns and sessions that answer it, and when it is asked, if that is said."""

    qid: str
    category: str
    question: str
    gold: frozenset[str]
    gold_sessions: frozenset[str]
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Haystack:
    """Conversations that go into one store, and the questions asked of it."""

    hid: str
    docs: Sequence[Doc]
    queries: Sequence[Query]


def read(path: Path) -> Iterator[Haystack]:
    """Yield the haystacks in *path*, JSON lines or gzipped JSON lines."""
    with gzip.open(path, "rt") if path.suffix == ".gz" else path.open() as lines:
        for line in lines:
            yield _haystack(json.loads(line))


def pooled(haystacks: Sequence[Haystack], hid: str) -> Haystack:
    """Return all of *haystacks* as one."""
    docs = [doc for haystack in haystacks for doc in haystack.docs]
    queries = [query for haystack in haystacks for query in haystack.queries]
    return Haystack(hid, docs, queries)


def _haystack(raw: dict[str, Any]) -> Haystack:
    hid = str(raw["hid"])
    docs = [_doc(doc, hid) for doc in raw["docs"] if not is_word_for_nothing(doc["text"])]
    known = {doc.id: doc.session for doc in docs}
    queries = [_query(query, hid, known) for query in raw["queries"]]
    return Haystack(hid, docs, [query for query in queries if query.gold_sessions])


def _doc(raw: dict[str, Any], hid: str) -> Doc:
    return Doc(
        id=f"{hid}|{raw['id']}",
        session=f"{hid}|{raw['session']}",
        at=_instant(raw.get("date")),
        speaker=str(raw.get("speaker") or ""),
        text=raw["text"],
    )


def _query(raw: dict[str, Any], hid: str, known: dict[str, str]) -> Query:
    """Read a question; gold that no turn has is left out."""
    gold = frozenset(f"{hid}|{doc_id}" for doc_id in raw["gold"]) & known.keys()
    sessions = {f"{hid}|{session}" for session in raw.get("gold_sessions") or ()}
    sessions = sessions & set(known.values()) or {known[doc_id] for doc_id in gold}
    return Query(
        qid=str(raw["qid"]),
        category=str(raw["category"]),
        question=raw["question"],
        gold=gold,
        gold_sessions=frozenset(sessions),
        at=_instant(raw.get("date") or raw.get("question_date")),
    )


def _instant(date: str | None) -> datetime | None:
    if not date:
        return None
    text = _WEEKDAY.sub("", date).strip()
    for form in _DATE_FORMATS:
        with suppress(ValueError):
            return datetime.strptime(text.title(), form).replace(tzinfo=UTC)
    with suppress(ValueError):
        instant = datetime.fromisoformat(text)
        return instant if instant.tzinfo else instant.replace(tzinfo=UTC)
    return None
