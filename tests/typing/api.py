"""What a caller writes, checked by mypy and never run."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import assert_type

import tilth
from tilth.context import brief_verbs as context
from tilth.core.actor import Actor
from tilth.core.ids import EpisodeId
from tilth.episodes import verbs as episodes
from tilth.episodes.episode import Episode
from tilth.gaps import verbs as gaps
from tilth.gaps.model import Gap, GapKind
from tilth.gaps.record_gap import Noted
from tilth.knowledge.facts import verbs as facts
from tilth.llm import verbs as models
from tilth.people.verbs import conversation_verbs as conversations
from tilth.recall.model import Hit, Recall
from tilth.runtime.dependencies import Dependencies

with tilth.connect(Path("tilth.db"), create=True) as brain:
    assert_type(brain, tilth.Brain)
    assert_type(brain.remember("words", session_id="s", speaker="Ana"), EpisodeId)
    brain.remember_many([{"text": "words", "at": datetime(2026, 1, 1, tzinfo=UTC)}])
    answer = brain.recall("a question", limit=5, as_of=None, scope="project:a/b")
    assert_type(answer, Recall)
    assert_type(answer.hits, tuple[Hit, ...])
    assert_type(brain.fetch([hit.id for hit in answer.hits]), list[Episode])

    brain.remember("words", mood="glad")  # type: ignore[call-arg] # an episode has no mood
    brain.recall("a question", limit="ten")  # type: ignore[arg-type] # a limit is a number

    assert_type(brain.gaps.list(status="detected", limit=5), Sequence[Gap])
    assert_type(brain.gaps.add("words", kind=GapKind.UX_FRICTION), Noted)
    brain.gaps.list(limit="ten")  # type: ignore[arg-type] # a limit is a number
    brain.gaps.show("gap_1")  # type: ignore[attr-defined] # its name is `get`


def needs_of_verbs(
    parts: Dependencies,
) -> tuple[
    episodes.Embedding,
    facts.Needs,
    models.Needs,
    conversations.Needs,
    context.Needs,
    gaps.Needs,
]:
    """Hold what a brain is made of to what the verbs of each concept need."""
    return (parts, parts, parts, parts, parts, parts)


assert_type(tilth.Human("ana"), Actor)
