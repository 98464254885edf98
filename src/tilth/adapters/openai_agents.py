"""
A session of the OpenAI Agents SDK: its items, kept as what was said and done in a session.

Taking an item back and clearing add a note each: the session forgets, the history does not.
"""

import asyncio
import json
from collections.abc import Mapping, Sequence
from typing import Any

from tilth.adapters.agent_memory import as_agent, missing
from tilth.core.scope import GLOBAL
from tilth.episodes.episode import Episode
from tilth.runtime.brain import Brain

try:
    from agents.items import TResponseInputItem
    from agents.memory import SessionSettings
except ImportError as error:
    raise missing("openai-agents", "openai-agents") from error

_MARK = "openai_agents"
_PAGE = 1000
_ROLES = {"user": "user", "assistant": "assistant", "system": "system", "developer": "system"}


class TilthSession:
    """
    The history of one conversation with an agent; a `Session` by its form, as the SDK asks.

    Args:
        session_id: Which conversation; the same ID goes on with it, in any process.
        brain: Where it is kept.
        scope: Where it belongs: global, project:KEY or domain:NAME.
        settings: How much of it a run sees.
    """

    def __init__(
        self,
        session_id: str,
        brain: Brain,
        *,
        scope: str = GLOBAL,
        settings: SessionSettings | None = None,
    ) -> None:
        self.session_id = session_id
        self.session_settings = settings or SessionSettings()
        self._brain = as_agent(brain, "openai-agents")
        self._scope = scope

    async def get_items(self, limit: int | None = None) -> list[TResponseInputItem]:
        """Return the last *limit* items, the oldest first; all, or what the settings say."""
        most = limit if limit is not None else getattr(self.session_settings, "limit", None)
        items = await asyncio.to_thread(self._items)
        return items if most is None else items[max(0, len(items) - most) :]

    async def add_items(self, items: Sequence[TResponseInputItem]) -> None:
        """Add *items*, all or none."""
        drafts = [self._draft(_told(item), {"item": item}) for item in items]
        await asyncio.to_thread(self._brain.remember_many, drafts)

    async def pop_item(self) -> TResponseInputItem | None:
        """Take the last item back, and return it; None if there is none."""
        return await asyncio.to_thread(self._pop)

    async def clear_session(self) -> None:
        """Forget all items."""
        note = self._draft(("note", "system", "The session was cleared."), {"act": "clear"})
        await asyncio.to_thread(self._brain.remember_many, [note])

    def _pop(self) -> TResponseInputItem | None:
        items = self._items()
        if items:
            said = ("note", "system", "The last item was taken back.")
            self._brain.remember_many([self._draft(said, {"act": "pop"})])
        return items[-1] if items else None

    def _items(self) -> list[TResponseInputItem]:
        items: list[TResponseInputItem] = []
        after, page = 0, list[Episode]()
        while not after or len(page) == _PAGE:
            page = list(
                self._brain.episodes.list(
                    session_id=self.session_id, limit=_PAGE, after=after, scope=self._scope
                )
            )
            for one in page:
                _apply(one.noted(_MARK), items)
            after = page[-1].seq if page else 1
        return items

    def _draft(self, said: tuple[str, str, str], told: Mapping[str, Any]) -> Mapping[str, object]:
        kind, role, text = said
        return {
            "text": text,
            "kind": kind,
            "role": role,
            "session_id": self.session_id,
            "scope": self._scope,
            "metadata": {_MARK: told},
        }


def _apply(told: Any, items: list[TResponseInputItem]) -> None:  # noqa: ANN401 - what JSON holds
    match told:
        case {"item": item}:
            items.append(item)
        case {"act": "pop"}:
            items.pop()
        case {"act": "clear"}:
            items.clear()
        case _:  # what another program said in this session
            pass


def _told(item: Any) -> tuple[str, str, str]:  # noqa: ANN401 - a union of some thirty shapes
    """Return what an item is, who it is from, and its words."""
    role, content = item.get("role"), item.get("content")
    if role in _ROLES:
        parts = [{"text": content}] if isinstance(content, str) else content or ()
        text = "\n".join(part["text"] for part in parts if part.get("text"))
        return "message", _ROLES[role], text or "(no text)"
    kind = "tool_result" if str(item.get("type", "")).endswith("_output") else "tool_call"
    words = f"{item.get('name', item.get('type', ''))}: {item.get('arguments', item.get('output'))}"
    if item.get("type") == "reasoning":
        return "note", "assistant", json.dumps(item.get("summary") or "(reasoning)")
    return kind, "tool" if kind == "tool_result" else "assistant", words
