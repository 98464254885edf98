"""The forms of a question that servers of OpenAI's API know differ; the client finds out which."""

import threading

import pytest

from tests.model_server import Says, says, serving
from tilth.core.errors import InvalidInputError, UnavailableError
from tilth.llm.budget import Usage
from tilth.llm.model import Again, ModelRequest, Reply
from tilth.llm.providers.openai_chat import OpenAiChatModel
from tilth.runtime.system import SystemPatience

REQUEST = ModelRequest(
    instructions="Read.", data="DATA begins", schema={"type": "object"}, output_tokens=99
)


def patience(seconds=10.0):
    return SystemPatience(seconds, threading.Event())


@pytest.fixture
def server():
    with serving() as running:
        running.script = [says({})]
        yield running


@pytest.fixture
def model(server):
    made = OpenAiChatModel(server.url, "small")
    yield made
    made.close()


def asked(model):
    """Ask until there is an answer, and count how often."""
    for count in range(1, 9):
        got = model.ask(REQUEST, patience())
        if isinstance(got, Reply):
            return count
    raise AssertionError(got)


def test_a_question_is_held_to_its_schema(server, model):
    assert model.ask(REQUEST, patience()) == Reply(text="{}", usage=Usage(300, 40))
    assert server.requests[0] == {
        "model": "small",
        "messages": [
            {"role": "system", "content": "Read."},
            {"role": "user", "content": "DATA begins"},
        ],
        "max_tokens": 99,
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": "answer", "strict": True, "schema": {"type": "object"}},
        },
    }


@pytest.mark.parametrize(
    ("unknown", "tries", "form"),
    [
        (["json_schema"], 2, {"type": "json_object"}),
        (["json_schema", "json_object"], 3, None),
    ],
)
def test_what_a_server_does_not_know_is_not_asked_of_it_twice(server, model, unknown, tries, form):
    server.unknown = unknown

    assert asked(model) == tries
    assert asked(model) == 1
    assert server.requests[-1].get("response_format") == form
    assert '{"type": "object"}' in server.requests[-1]["messages"][0]["content"]


def test_the_limit_of_length_goes_by_the_name_that_the_server_knows(server, model):
    server.unknown = ["max_tokens"]

    assert asked(model) == 2
    assert server.requests[-1]["max_completion_tokens"] == 99
    assert server.requests[-1]["response_format"]["type"] == "json_schema"


def test_a_question_that_is_refused_in_every_form_is_refused(server, model):
    server.script = [Says(status=400, body=b"{}")]

    assert isinstance(model.ask(REQUEST, patience()), Again)
    assert isinstance(model.ask(REQUEST, patience()), Again)
    with pytest.raises(InvalidInputError):
        model.ask(REQUEST, patience())
    server.script = [says({})]
    assert asked(model) == 1
    assert server.requests[-1]["response_format"]["type"] == "json_schema"


def test_a_server_says_how_long_it_wants_to_be_left_alone(server, model):
    server.script = [Says(status=429, headers={"Retry-After": "7"})]
    assert model.ask(REQUEST, patience()).after_s == 7

    server.script = [Says(status=429, headers={"Retry-After": "Wed, 21 Oct 2026 07:28:00 GMT"})]
    assert model.ask(REQUEST, patience()).after_s is None


def test_without_patience_nobody_is_asked(server, model):
    with pytest.raises(UnavailableError):
        model.ask(REQUEST, patience(0))


@pytest.mark.parametrize("count", [-1, 1.5, "300", None, True, 10**12])
def test_a_count_that_is_none_is_not_believed(server, model, count):
    body = b'{"choices": [{"message": {"content": "{}"}}], "usage": {"prompt_tokens": %b}}'
    told = {None: b"null", True: b"true", "300": b'"300"'}.get(count, str(count).encode())
    server.script = [Says(body=body % told)]

    assert model.ask(REQUEST, patience()).usage is None
