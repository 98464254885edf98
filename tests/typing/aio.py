"""What an asynchronous caller writes, checked by mypy and never run."""

from typing import assert_type

import tilth.aio
from tilth.core.ids import EpisodeId
from tilth.core.json import JsonObject
from tilth.knowledge.facts.write.write_fact import Stated
from tilth.recall.model import Recall


async def run() -> None:
    """Call some of the methods."""
    async with tilth.aio.connect("http://127.0.0.1:8738", token="t") as brain:
        assert_type(await brain.remember("words", session_id="s"), EpisodeId)
        assert_type(await brain.recall("a question", limit=5), Recall)
        assert_type(await brain.facts.add("words", system="s"), Stated)
        assert_type(await brain.changes(""), JsonObject)
        await brain.recall("a question", limit="ten")  # type: ignore[arg-type] # a limit is a number
        await brain.embed_backlog(progress=print)  # type: ignore[call-arg] # nobody calls back
        await brain.facts.import_rows([])  # type: ignore[attr-defined] # rows of a program
