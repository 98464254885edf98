"""The APIs of OpenAI and Anthropic, played: one answer, whole or in pieces."""

import json

import httpx2

QUESTION, PIECES = "Where is the spare key?", ("Under the ", "blue pot.")
ANSWER = "".join(PIECES)
FACT = "The spare key is under the blue pot by the shed."
TEXT = {"type": "output_text", "text": ANSWER, "annotations": []}
OUTPUT = {"id": "m", "type": "message", "role": "assistant", "status": "completed"}
WHOLE = {
    "/v1/chat/completions": {
        "id": "c",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [
            {
                "index": 0,
                "finish_reason": "stop",
                "message": {"role": "assistant", "content": ANSWER},
            }
        ],
    },
    "/v1/responses": {
        "id": "r",
        "object": "response",
        "created_at": 1,
        "model": "m",
        "output": [{**OUTPUT, "content": [TEXT]}],
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
    },
    "/v1/messages": {
        "id": "m",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": [{"type": "text", "text": ANSWER}],
        "stop_reason": "end_turn",
        "usage": {"input_tokens": 1, "output_tokens": 1},
    },
}
PARTS = {
    "/v1/chat/completions": lambda text: {
        "id": "c",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "m",
        "choices": [{"index": 0, "delta": {"content": text}}],
    },
    "/v1/responses": lambda text: {
        "type": "response.output_text.delta",
        "delta": text,
        "item_id": "i",
        "output_index": 0,
        "content_index": 0,
        "sequence_number": 1,
    },
    "/v1/messages": lambda text: {
        "type": "content_block_delta",
        "index": 0,
        "delta": {"type": "text_delta", "text": text},
    },
}


class Api:
    """What is behind a client: it keeps the requests, and answers as the real one does."""

    def __init__(self):
        self.requests = []

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        body = json.loads(request.content)
        self.requests.append(body)
        path = request.url.path
        if not body.get("stream"):
            return httpx2.Response(200, json=WHOLE[path])
        told = [PARTS[path](text) for text in PIECES]
        events = [f"event: {one.get('type', '')}\ndata: {json.dumps(one)}\n\n" for one in told]
        head = {"content-type": "text/event-stream"}
        return httpx2.Response(200, text="".join(events).replace("event: \n", ""), headers=head)
