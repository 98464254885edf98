"""
Language models behind an API that speaks OpenAI's ``/v1/chat/completions``.

OpenAI does, and Ollama, llama.cpp's server, vLLM and many hosted services.
They differ in how an answer is held to a schema and in the name of the limit
of its length, so what one refuses is not asked of it again.
"""

import json
import threading
from typing import Any

import httpx2

from tilth.core.io.endpoint import REFUSED_CONTENT, Endpoint, HttpAnswer, checked_key, url_of
from tilth.core.json import Json
from tilth.llm.cancellation import Patience
from tilth.llm.model import Again, ModelRequest, Reply
from tilth.llm.providers.api_reply import (
    ANSWER_BYTES_MAX,
    OVERHEAD_TOKENS,
    post_request,
    read_body,
    usage_of,
)

# From what holds an answer best to what every server knows.
_FORMATS = ("json_schema", "json_object", "")
# Older servers know the first; OpenAI's newer models want the second.
_LENGTHS = ("max_tokens", "max_completion_tokens")


class OpenAiChatModel:
    """
    Asks an endpoint; safe to share between threads.

    Args:
        base_url: Such as ``http://localhost:11434``; without a path, ``/v1`` is meant.
        model: The model's name, as the endpoint knows it.
        api_key: Sent as a bearer token.
        transport: How requests are sent, where it is not over the network.
    """

    overhead_tokens = OVERHEAD_TOKENS

    def __init__(
        self,
        base_url: str,
        model: str,
        api_key: str = "",
        *,
        transport: httpx2.BaseTransport | None = None,
    ) -> None:
        self.name = model
        self._endpoint = Endpoint(
            "model endpoint",
            url_of(base_url, "chat/completions"),
            {"Authorization": f"Bearer {checked_key(api_key)}"} if api_key else {},
            answer_bytes_max=ANSWER_BYTES_MAX,
            transport=transport,
        )
        self._lock = threading.Lock()
        self._format, self._length = 0, 0

    def ask(self, request: ModelRequest, patience: Patience) -> Reply | Again:
        """See `tilth.llm.model.Model.ask`."""
        form = (self._format, self._length)
        answer = post_request(self._endpoint, self._body(request, *form), patience)
        if isinstance(answer, Again):
            return answer
        if answer.status in REFUSED_CONTENT and self._takes_less(answer, form):
            return Again(f"{self._endpoint.said} wants another form", after_s=0)
        reply: Reply = read_body(self._endpoint, self.name, answer, _reply)
        return reply

    def close(self) -> None:
        """Close the connection. Calling it twice does no harm."""
        self._endpoint.close()

    def _body(self, request: ModelRequest, format_: int, length: int) -> Json:
        words = request.instructions
        # Only the first form tells the server the schema; the others have to tell the model.
        if format_:
            words += f"\n\nThe JSON schema of the answer: {json.dumps(request.schema)}"
        body: dict[str, Json] = {
            "model": self.name,
            "messages": [
                {"role": "system", "content": words},
                {"role": "user", "content": request.data},
            ],
            _LENGTHS[length]: request.output_tokens,
        }
        if kind := _FORMATS[format_]:
            body["response_format"] = {"type": kind}
        if kind == _FORMATS[0]:
            held: Json = {"name": "answer", "strict": True, "schema": request.schema}
            body["response_format"] = {"type": kind, kind: held}
        return body

    def _takes_less(self, answer: HttpAnswer, form: tuple[int, int]) -> bool:
        """Learn from a refusal of *form*, and say whether there is another to try."""
        with self._lock:
            if form != (self._format, self._length):
                return True  # somebody else has learnt meanwhile
            if self._length == 0 and _LENGTHS[1].encode() in answer.body:
                self._length = 1
                return True
            if self._format < len(_FORMATS) - 1:
                self._format += 1
                return True
            # It was the question that it refused, not the form.
            self._format = 0
            return False


def _reply(body: Any) -> Reply:  # noqa: ANN401 - JSON of others
    choice, usage = body["choices"][0], body.get("usage") or {}
    message = choice["message"]
    content = message.get("content")
    return Reply(
        text=content if isinstance(content, str) else "",
        usage=usage_of(usage.get("prompt_tokens"), usage.get("completion_tokens")),
        is_cut=choice.get("finish_reason") == "length",
        is_declined=bool(message.get("refusal")),
    )
