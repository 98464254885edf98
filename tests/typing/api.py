"""What a caller writes, checked by mypy and never run."""

from datetime import UTC, datetime
from pathlib import Path
from typing import assert_type

import tilth
from tilth.core.ids import EpisodeId
from tilth.episodes.episode import Episode
from tilth.recall.model import Hit, Recall

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
