"""A language model by script: a server on loopback that speaks the real protocols."""

import contextlib
import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

INPUT_TOKENS, OUTPUT_TOKENS = 300, 40


@dataclass(frozen=True, kw_only=True)
class Says:
    """One answer: what the model writes, or what the server says in its stead."""

    text: str = ""
    status: int = 200
    body: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    is_cut: bool = False
    declines: bool = False
    counts: bool = True


def says(answer: object) -> Says:
    """Return a model's answer in JSON."""
    return Says(text=json.dumps(answer))


def claim(episode_id: str, words: str, statement: str, **changes: object) -> dict[str, object]:
    """Return a claim of a model on *words* of an episode; *changes* are fields told otherwise."""
    return {
        "kind": "decision",
        "statement": statement,
        "subject": "",
        "predicate": "",
        "object": "",
        "confidence": 0.9,
        "quote": {"episode_id": episode_id, "text": words},
    } | changes


class Hangs:
    """Nothing is said until the test is over."""


class ModelServer(ThreadingHTTPServer):
    """
    Answers by its *script*, in order, and by the last of it from then on.

    A request that the protocol does not allow is refused with 400, as by the real ones.
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.script: list[Says | Hangs] = []
        self.requests: list[dict[str, Any]] = []
        self.headers: list[Mapping[str, str]] = []
        # Forms of a request that this server does not know: response formats, names of limits.
        self.unknown: Sequence[str] = ()
        self.over = threading.Event()
        self._lock = threading.Lock()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def taken(self) -> Says | Hangs:
        with self._lock:
            return self.script.pop(0) if len(self.script) > 1 else self.script[0]


@contextlib.contextmanager
def serving() -> Iterator[ModelServer]:
    """Serve until the end of the block."""
    with ModelServer() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield server
        finally:
            server.over.set()
            server.shutdown()
            thread.join()


class _Handler(BaseHTTPRequestHandler):
    server: ModelServer

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.headers.append(dict(self.headers.items()))
        self.server.requests.append(request)
        is_anthropic = self.path == "/v1/messages"
        if not is_anthropic and self.path != "/v1/chat/completions":
            return self._send(Says(status=404), b"{}")
        problem = (_wrong_messages if is_anthropic else self._wrong_chat)(request)
        if problem:
            return self._send(
                Says(status=400), json.dumps({"error": {"message": problem}}).encode()
            )
        step = self.server.taken()
        if isinstance(step, Hangs):
            self.server.over.wait(30)
            return None
        body = (_message if is_anthropic else _completion)(step)
        return self._send(step, json.dumps(body).encode() if step.body is None else step.body)

    def _wrong_chat(self, request: dict[str, Any]) -> str:
        told = [request.get("response_format", {}).get("type", "text"), *request]
        if unknown := [name for name in self.server.unknown if name in told]:
            return f"unsupported: {unknown[0]}, use max_completion_tokens instead"[
                : None if "max_tokens" in unknown else 30
            ]
        roles = [message["role"] for message in request["messages"]]
        return "" if request["model"] and roles == ["system", "user"] else "no such messages"

    def _send(self, step: Says, body: bytes) -> None:
        self.send_response(step.status)
        for name, value in step.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        with contextlib.suppress(ConnectionError):  # the client may have given up
            self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        """Stay silent."""


def _wrong_messages(request: dict[str, Any]) -> str:
    tools = {tool["name"]: tool["input_schema"]["type"] for tool in request.get("tools", [])}
    if tools.get(request["tool_choice"]["name"]) != "object" or request["max_tokens"] < 1:
        return "tool_choice: no such tool"
    return "" if [one["role"] for one in request["messages"]] == ["user"] else "messages: roles"


def _completion(step: Says) -> object:
    message: dict[str, object] = {"role": "assistant", "content": step.text}
    if step.declines:
        message = {"role": "assistant", "content": None, "refusal": "I would rather not."}
    choice = {"index": 0, "message": message, "finish_reason": "length" if step.is_cut else "stop"}
    body: dict[str, object] = {"object": "chat.completion", "choices": [choice]}
    if step.counts:
        body["usage"] = {
            "prompt_tokens": INPUT_TOKENS,
            "completion_tokens": OUTPUT_TOKENS,
            "total_tokens": INPUT_TOKENS + OUTPUT_TOKENS,
        }
    return body


def _message(step: Says) -> object:
    reason = "refusal" if step.declines else "max_tokens" if step.is_cut else "tool_use"
    block: dict[str, object] = {"type": "text", "text": step.text}
    with contextlib.suppress(ValueError, RecursionError):
        used = json.loads(step.text)
        block = {"type": "tool_use", "id": "toolu_1", "name": "answer", "input": used}
    return {
        "type": "message",
        "role": "assistant",
        "content": [{"type": "text", "text": "Here it is."}, block],
        "stop_reason": reason,
        "usage": {
            "input_tokens": INPUT_TOKENS - 50,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 50,
            "output_tokens": OUTPUT_TOKENS,
        },
    }
