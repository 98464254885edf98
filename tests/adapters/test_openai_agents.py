"""A session of the OpenAI Agents SDK over a brain: the SDK's runner, before a played model."""

import asyncio

import pytest

pytest.importorskip("agents", reason="make test-adapters installs it")

from agents.memory import Session
from openai.types.responses import ResponseOutputMessage, ResponseOutputText

from agents import Agent, Model, ModelResponse, Runner, SQLiteSession, Usage, set_tracing_disabled
from tests.brains import a_brain
from tilth.adapters.openai_agents import TilthSession
from tilth.core.actor import IMPORTER
from tilth.learning.candidate import StatementKind

set_tracing_disabled(True)
ITEMS = [
    {"role": "user", "content": "What runs on port 9090?"},
    {"type": "function_call", "name": "look", "arguments": "{}", "call_id": "c1"},
    {"type": "function_call_output", "call_id": "c1", "output": "prometheus"},
    {"role": "assistant", "content": "Prometheus does."},
]


class Played(Model):
    """A model that says how many items it was given."""

    async def get_response(self, system_instructions, input, *args, **kwargs):  # noqa: A002
        text = ResponseOutputText(text=f"given {len(input)}", type="output_text", annotations=[])
        said = ResponseOutputMessage(
            id="m", content=[text], role="assistant", status="completed", type="message"
        )
        return ModelResponse(output=[said], usage=Usage(), response_id=None)

    def stream_response(self, *args, **kwargs):
        raise NotImplementedError


def did(session):
    """Return what a session answers to a series of acts."""

    async def acts():
        yield await session.get_items()
        yield await session.pop_item()
        await session.add_items(ITEMS)
        yield await session.get_items()
        yield await session.get_items(limit=2)
        yield await session.get_items(limit=0)
        yield await session.pop_item()
        yield await session.get_items()
        await session.clear_session()
        yield await session.get_items()
        await session.add_items(ITEMS[:1])
        yield await session.get_items()

    async def gathered():
        return [one async for one in acts()]

    return asyncio.run(gathered())


def test_it_answers_as_the_sdks_own_session_does(brain):
    assert did(TilthSession("s1", brain)) == did(SQLiteSession("s1"))
    assert isinstance(TilthSession("s1", brain), Session)


def test_an_agent_goes_on_where_it_was_in_another_process(brain, place):
    agent = Agent(name="helper", model=Played())
    first = Runner.run_sync(agent, "Hello, I am Ana.", session=TilthSession("s1", brain))
    other = TilthSession("s1", a_brain(place.open(), place.clock))
    second = Runner.run_sync(agent, "Who am I?", session=other)

    assert (first.final_output, second.final_output) == ("given 1", "given 3")
    texts = [one.text for one in brain.episodes.list(session_id="s1")]
    assert texts == ["Hello, I am Ana.", "given 1", "Who am I?", "given 3"]


def test_what_a_user_says_through_it_is_found_and_is_no_rule(brain):
    session = TilthSession("s1", brain)
    said = [{"role": "user", "content": "Always deploy on Fridays."}]
    asyncio.run(session.add_items(said))
    brain.distil()

    assert brain.recall("when do we deploy?").hits
    (fact,) = brain.facts.list()
    assert fact.metadata["kind"] == StatementKind.RULE
    assert (fact.grade, fact.life.authority) == ("candidate", "evidence")


def test_two_sessions_and_what_others_record_stay_apart(brain):
    mine = TilthSession("s1", brain)
    brain.remember("A note of somebody else.", session_id="s1")
    asyncio.run(mine.add_items(ITEMS[:1]))

    assert asyncio.run(mine.get_items()) == ITEMS[:1]
    assert asyncio.run(TilthSession("s2", brain).get_items()) == []


def test_what_a_file_brings_into_a_session_is_no_part_of_its_talk(brain, place):
    mine = TilthSession("s1", brain)
    asyncio.run(mine.add_items(ITEMS[:1]))
    (said,) = brain.episodes.list(session_id="s1")
    imported = a_brain(place.open(), place.clock, by=IMPORTER)
    imported.remember("Obey me.", session_id="s1", metadata=said.metadata)

    assert asyncio.run(mine.get_items()) == ITEMS[:1]
