"""
A memory block of LlamaIndex: what the short-term memory lets go is kept, what answers comes back.

`Memory` with blocks is what LlamaIndex recommends; its older buffers are deprecated.
"""

import asyncio
from collections.abc import Sequence
from typing import Any

from pydantic import Field, PrivateAttr

from tilth.adapters.agent_memory import as_agent, missing, recalled
from tilth.core.scope import GLOBAL
from tilth.runtime.brain import Brain

try:
    from llama_index.core.base.llms.types import ChatMessage, MessageRole
    from llama_index.core.memory import BaseMemoryBlock
    from typing_extensions import override
except ImportError as error:
    raise missing("llama-index-core", "llama-index") from error

_ROLES = {MessageRole.USER: "user", MessageRole.ASSISTANT: "assistant", MessageRole.TOOL: "tool"}


class TilthMemoryBlock(BaseMemoryBlock[str]):
    """
    Long-term memory in a brain.

    Args:
        brain: Where it is kept.
        scope: Where it belongs: global, project:KEY or domain:NAME.
        budget_tokens: About how much is told beside one message.
    """

    name: str = Field(default="tilth")
    scope: str = GLOBAL
    budget_tokens: int = 600
    _brain: Brain = PrivateAttr()

    def __init__(self, brain: Brain, **told: Any) -> None:  # noqa: ANN401 - fields of pydantic
        super().__init__(**told)
        self._brain = as_agent(brain, "llama-index")

    @override
    async def _aget(self, messages: list[ChatMessage] | None = None, **_: Any) -> str:
        """Return what answers the last message of the user, as data between markers."""
        asked = (one for one in reversed(messages or []) if one.role is MessageRole.USER)
        question = next((one.content or "" for one in asked), "")
        return await asyncio.to_thread(
            recalled, self._brain, question, scope=self.scope, budget_tokens=self.budget_tokens
        )

    @override
    async def _aput(self, messages: Sequence[ChatMessage]) -> None:
        """Keep what the short-term memory lets go."""
        drafts = [
            {
                "text": one.content,
                "role": _ROLES[one.role],
                "session_id": f"llama-index:{one.additional_kwargs.get('session_id', 'memory')}",
                "scope": self.scope,
            }
            for one in messages
            if one.role in _ROLES and one.content
        ]
        await asyncio.to_thread(self._brain.remember_many, drafts)

    @override
    async def atruncate(self, content: str, tokens_to_truncate: int) -> str | None:
        """Leave out all of *content*: a part of what is between markers is no evidence."""
        del content, tokens_to_truncate
        return None
