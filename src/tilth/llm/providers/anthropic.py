"""
Language models behind Anthropic's ``/v1/messages``.

The answer is the input of a tool that the model has to use: every model of
that API can do so, and the schema holds it.
"""

import json
from typing import Any

import httpx2

from tilth.core.io.endpoint import Endpoint, checked_key, url_of
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

DEFAULT_URL = "https://api.anthropic.com"
_VERSION = "2023-06-01"
_TOOL = "answer"
# What was read from a cache, or put into one, was read too.
_INPUT = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")


class AnthropicModel:
    """
    Asks Anthropic, or what speaks like it; safe to share between threads.

    Args:
        model: The model's name.
        api_key: Sent as ``x-api-key``.
        base_url: Where, without ``/v1``.
        transport: How requests are sent, where it is not over the network.
    """

    overhead_tokens = OVERHEAD_TOKENS

    def __init__(
        self,
        model: str,
        api_key: str,
        base_url: str = DEFAULT_URL,
        *,
        transport: httpx2.BaseTransport | None = None,
    ) -> None:
        self.name = model
        self._endpoint = Endpoint(
            "model endpoint",
            url_of(base_url, "messages"),
            {"x-api-key": checked_key(api_key), "anthropic-version": _VERSION},
            answer_bytes_max=ANSWER_BYTES_MAX,
            transport=transport,
        )

    def ask(self, request: ModelRequest, patience: Patience) -> Reply | Again:
        """See `tilth.llm.model.Model.ask`."""
        answer = post_request(self._endpoint, self._body(request), patience)
        if isinstance(answer, Again):
            return answer
        reply: Reply = read_body(self._endpoint, self.name, answer, _reply)
        return reply

    def close(self) -> None:
        """Close the connection. Calling it twice does no harm."""
        self._endpoint.close()

    def _body(self, request: ModelRequest) -> Json:
        tool: Json = {
            "name": _TOOL,
            "description": "Give the answer.",
            "input_schema": request.schema,
        }
        return {
            "model": self.name,
            "max_tokens": request.output_tokens,
            "system": request.instructions,
            "messages": [{"role": "user", "content": request.data}],
            "tools": [tool],
            "tool_choice": {"type": "tool", "name": _TOOL},
        }


def _reply(body: Any) -> Reply:  # noqa: ANN401 - JSON of others
    used = [block["input"] for block in body["content"] if block["type"] == "tool_use"]
    usage = body["usage"]
    return Reply(
        text=json.dumps(used[0]) if used else "",
        usage=usage_of(sum(usage.get(name) or 0 for name in _INPUT), usage.get("output_tokens")),
        is_cut=body["stop_reason"] == "max_tokens",
        is_declined=body["stop_reason"] == "refusal",
    )
