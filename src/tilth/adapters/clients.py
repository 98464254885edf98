"""
Memory for a client of OpenAI's or Anthropic's kind: two lines, and the program stays as it is.

    client = remembering(OpenAI(), brain, session_id="support-17")
    client.chat.completions.create(model=..., messages=[...])

What answers the user's message goes out beside it, as data between markers; the message and the
answer are recorded. Sync and async, whole and streamed. What is wrong with the memory never
breaks a request: it goes out as it is, and the log says why.
"""

import asyncio
import inspect
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any, Self, TypeVar, cast

from tilth.adapters.agent_memory import as_agent, recalled
from tilth.core.dataclass import dataclass
from tilth.core.errors import TilthError
from tilth.core.scope import GLOBAL
from tilth.runtime.brain import Brain

logger = logging.getLogger(__name__)

Client = TypeVar("Client")

# The methods that ask a model: where the request holds its messages, and what a part is called.
_ASKS = {
    "chat.completions.create": ("messages", "text"),
    "responses.create": ("input", "input_text"),
    "messages.create": ("messages", "text"),
}


def remembering(
    client: Client, brain: Brain, *, session_id: str | None = None, scope: str = GLOBAL
) -> Client:
    """
    Return *client* with a memory.

    Args:
        client: Of the packages `openai` or `anthropic`, or one with their methods.
        brain: What is recalled and recorded in.
        session_id: The conversation; what it said is not recalled into it.
        scope: Where it belongs: global, project:KEY or domain:NAME.
    """
    memory = _Memory(as_agent(brain, "client"), session_id, scope)
    return cast(Client, _Wrapped(client, memory))


@dataclass(frozen=True, slots=True)
class _Memory:
    brain: Brain
    session_id: str | None
    scope: str

    def evidence(self, asked: str) -> str:
        try:
            return recalled(self.brain, asked, scope=self.scope, without=self.session_id)
        except TilthError as error:
            logger.warning("nothing was recalled for a request: code=%s", error.code)
            return ""

    def keep(self, asked: str, answered: str) -> None:
        common = {"session_id": self.session_id, "scope": self.scope}
        said = (("user", asked), ("assistant", answered))
        drafts = [{**common, "role": role, "text": text} for role, text in said if text.strip()]
        try:
            self.brain.remember_many(drafts)
        except TilthError as error:
            logger.warning("an exchange was not recorded: code=%s", error.code)


class _Wrapped:
    """A part of a client; what asks a model is asked with memory, all else is the client's own."""

    def __init__(self, part: object, memory: _Memory, path: str = "") -> None:
        self._part, self._memory, self._path = part, memory, path

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the client has there
        found = getattr(self._part, name)
        path = f"{self._path}.{name}".lstrip(".")
        if path in _ASKS:
            return _asking(found, self._memory, *_ASKS[path])
        leads_on = any(one.startswith(f"{path}.") for one in _ASKS)
        return _Wrapped(found, self._memory, path) if leads_on else found

    def __enter__(self) -> Self:
        cast(Any, self._part).__enter__()
        return self

    def __exit__(self, *told: object) -> None:
        cast(Any, self._part).__exit__(*told)

    async def __aenter__(self) -> Self:
        await cast(Any, self._part).__aenter__()
        return self

    async def __aexit__(self, *told: object) -> None:
        await cast(Any, self._part).__aexit__(*told)


def _asking(
    create: Callable[..., Any], memory: _Memory, where: str, part: str
) -> Callable[..., Any]:
    def asked(**request: Any) -> Any:  # noqa: ANN401 - the client's own
        said = _last_said(request.get(where))
        answer = create(**_with_evidence(request, where, part, memory.evidence(said)))
        if request.get("stream"):
            return _Stream(answer, lambda text: memory.keep(said, text))
        memory.keep(said, _words(answer))
        return answer

    async def asked_later(**request: Any) -> Any:  # noqa: ANN401 - the client's own
        said = _last_said(request.get(where))
        evidence = await asyncio.to_thread(memory.evidence, said)
        answer = await cast(
            Awaitable[Any], create(**_with_evidence(request, where, part, evidence))
        )
        if request.get("stream"):
            return _Stream(answer, lambda text: memory.keep(said, text))
        await asyncio.to_thread(memory.keep, said, _words(answer))
        return answer

    return asked_later if inspect.iscoroutinefunction(inspect.unwrap(create)) else asked


@dataclass(slots=True)
class _Stream:
    """A stream of the client's; what came through it is kept once it ends or is closed."""

    stream: Any
    keep: Callable[[str], None]
    _heard: list[str] = field(default_factory=list)
    _is_kept: bool = False

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 - whatever the stream has there
        return getattr(self.stream, name)

    def __iter__(self) -> Iterator[Any]:
        try:
            for event in self.stream:
                self._heard.append(_piece(event))
                yield event
        finally:
            self._end()

    async def __aiter__(self) -> AsyncIterator[Any]:
        try:
            async for event in self.stream:
                self._heard.append(_piece(event))
                yield event
        finally:
            await asyncio.to_thread(self._end)

    def __enter__(self) -> Self:
        self.stream.__enter__()
        return self

    def __exit__(self, *told: object) -> None:
        self.stream.__exit__(*told)
        self._end()

    async def __aenter__(self) -> Self:
        await self.stream.__aenter__()
        return self

    async def __aexit__(self, *told: object) -> None:
        await self.stream.__aexit__(*told)
        await asyncio.to_thread(self._end)

    def _end(self) -> None:
        if not self._is_kept:
            self._is_kept = True
            self.keep("".join(self._heard))


def _last_said(messages: object) -> str:
    """Return what the user said, if that is the last of *messages*; tools' answers are not."""
    if isinstance(messages, str):
        return messages
    last = messages[-1] if isinstance(messages, Sequence) and messages else None
    if not isinstance(last, Mapping) or last.get("role") != "user":
        return ""
    return _text(last.get("content"))


def _with_evidence(
    request: Mapping[str, Any], where: str, part: str, evidence: str
) -> Mapping[str, Any]:
    """Return *request* with *evidence* before what the user said; the caller's stays as it is."""
    if not evidence:
        return request
    if isinstance(request[where], str):
        return {**request, where: f"{evidence}\n\n{request[where]}"}
    *before, last = request[where]
    content = last["content"]
    if isinstance(content, str):
        content = f"{evidence}\n\n{content}"
    else:
        content = [{"type": part, "text": evidence}, *content]
    return {**request, where: [*before, {**last, "content": content}]}


def _words(answer: Any) -> str:  # noqa: ANN401 - of three APIs
    """Return what a model answered in words."""
    if choices := getattr(answer, "choices", None):
        return choices[0].message.content or ""
    return getattr(answer, "output_text", None) or _text(getattr(answer, "content", ""))


def _piece(event: Any) -> str:  # noqa: ANN401 - of three APIs
    """Return the words that one event of a stream adds."""
    if choices := getattr(event, "choices", None):
        return choices[0].delta.content or ""
    match getattr(event, "type", ""):
        case "response.output_text.delta":
            return str(event.delta)
        case "content_block_delta":
            return getattr(event.delta, "text", "") or ""
        case _:
            return ""


def _text(content: object) -> str:
    """Return the words of a message's content: a text, or parts of which some have one."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, Sequence) else ()
    told = [p.get("text") if isinstance(p, Mapping) else getattr(p, "text", None) for p in parts]
    return "\n".join(one for one in told if isinstance(one, str))
