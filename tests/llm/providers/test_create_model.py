"""Which language model, with which key: read from settings, and never a guess."""

from decimal import Decimal

import pytest

from tests.model_server import Says
from tilth.core.errors import InvalidInputError, UnsupportedError
from tilth.llm.budget import Limits, Price, Usage, parse_limits, parse_price
from tilth.llm.providers.agent_cli import AgentCliModel
from tilth.llm.providers.anthropic import AnthropicModel
from tilth.llm.providers.create_model import model_of
from tilth.llm.providers.openai_chat import OpenAiChatModel
from tilth.llm.task import Provider, Strength, Task, parse_choice
from tilth.runtime.connect import model_pool_of
from tilth.runtime.settings import Settings, load

LOCAL = "openai qwen3:8b http://localhost:11434"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (LOCAL, "qwen3:8b"),
        ("anthropic big key=ANTHROPIC_API_KEY", "big"),
        ("claude", "claude"),
        ("codex gpt-5", "codex:gpt-5"),
    ],
)
def test_a_choice_is_a_provider_a_model_and_where(text, name):
    assert parse_choice(text).name == name


def test_no_words_choose_nobody():
    assert parse_choice(" ") is None


@pytest.mark.parametrize(
    "text",
    [
        "ollama qwen",
        "openai qwen",
        "openai http://h",
        "anthropic big",
        "claude a b",
        "openai a b c",
        "openai a ftp://h",
        "openai a http://",
        "openai a http://h:0",
        "anthropic a key=K http://h:port",
    ],
)
def test_a_choice_that_cannot_be_meant_is_refused_when_settings_are_read(text):
    with pytest.raises(InvalidInputError):
        load({"TILTH_MODEL_CHEAP": text})


@pytest.mark.parametrize("key", ["sk-ant-a1b2", "gsk_A1b2C3", "AIzaSyA1b2"])
def test_a_key_that_stands_in_the_settings_is_refused_and_not_repeated(key):
    with pytest.raises(InvalidInputError) as refused:
        load({"TILTH_MODEL_CHEAP": f"anthropic big key={key}"})

    assert key not in str(refused.value) + refused.value.hint


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TILTH_MODEL_TASKS", "dream=cheap"),
        ("TILTH_MODEL_TASKS", "tone=free"),
        ("TILTH_MODEL_PRICES", "qwen3:8b"),
        ("TILTH_MODEL_PRICES", "qwen3:8b=1"),
        ("TILTH_MODEL_PRICES", "qwen3:8b=-1/2"),
        ("TILTH_MODEL_PRICES", "=1/2"),
        ("TILTH_SPEND_DAY", "calls"),
        ("TILTH_SPEND_DAY", "calls=many"),
        ("TILTH_SPEND_RUN", "money=NaN"),
        ("TILTH_SPEND_PROJECT", "hours=2"),
        ("TILTH_MODEL_TIMEOUT_S", "0"),
    ],
)
def test_what_settings_say_wrongly_is_told_when_they_are_read(name, value):
    with pytest.raises(InvalidInputError):
        load({name: value})


@pytest.mark.row("I39")
def test_by_default_nobody_is_asked_and_nothing_may_be_spent():
    hired = model_pool_of(Settings(), {})

    assert hired.workers == {}
    assert hired.budget.is_off


def test_tasks_go_to_whom_the_settings_say():
    hired = model_pool_of(
        load(
            {
                "TILTH_MODEL_CHEAP": LOCAL,
                "TILTH_MODEL_STRONG": "anthropic big key=KEY",
                "TILTH_MODEL_TASKS": "tone=none, extract=strong",
                "TILTH_MODEL_PRICES": "qwen3:8b=0/0, big=3/15",
                "TILTH_SPEND_DAY": "calls=10, tokens=1e6, money=0.5",
            }
        ).settings,
        {"KEY": "sk-1"},
    )

    assert Task.TONE not in hired.workers
    assert hired.workers[Task.EXTRACT].name == "big"
    assert hired.workers[Task.IDLE].name == "qwen3:8b"
    assert hired.workers[Task.IDLE].price == Price(Decimal(0), Decimal(0))
    assert hired.budget.day == Limits(10, 1_000_000, 500_000)


def test_a_key_that_is_missing_keeps_one_worker_from_working_and_nothing_else():
    settings = Settings(model_strong="anthropic big key=KEY", model_prices=("big=3/15",))

    assert "variable KEY" in model_pool_of(settings, {}).workers[Task.ADJUDICATE].problem


def test_each_strength_is_one_of_two_workers_or_nobody():
    assert set(Settings(model_tasks=("gap=none",)).task_strengths.values()) == set(Strength)


def test_a_choice_becomes_its_model(tmp_path):
    program = tmp_path / "gemini"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o700)
    environ = {"KEY": "sk-1", "PATH": str(tmp_path)}

    assert isinstance(model_of(parse_choice(LOCAL), environ), OpenAiChatModel)
    assert isinstance(model_of(parse_choice("anthropic big key=KEY"), environ), AnthropicModel)
    assert isinstance(model_of(parse_choice("gemini"), environ), AgentCliModel)
    with pytest.raises(UnsupportedError, match="not installed"):
        model_of(parse_choice("codex"), environ)


def test_a_key_is_read_from_a_file_of_its_owner_alone(tmp_path):
    key = tmp_path / "key"
    key.write_text("sk-1\n")
    choice = parse_choice(f"anthropic big key={key}")
    key.chmod(0o644)
    with pytest.raises(UnsupportedError, match="others may read"):
        model_of(choice, {})

    key.chmod(0o600)
    assert isinstance(model_of(choice, {}), AnthropicModel)
    with pytest.raises(UnsupportedError, match="no key can be read"):
        model_of(parse_choice(f"anthropic big key={tmp_path}/none"), {})


def test_a_price_is_of_a_million_tokens_and_rounds_up():
    name, price = parse_price("a=b=0.25/1.5")

    assert name == "a=b"
    assert price.cost(Usage(1_000_000, 1_000_000)) == 1_750_000
    assert price.cost(Usage(1, 0)) == 1
    assert price.cost(Usage(0, 0)) == 0


def test_limits_that_are_not_named_are_those_that_are_told():
    assert parse_limits(("calls=3",)) == Limits(3, None, None)
    assert parse_limits(("money=1.5",), unnamed=0) == Limits(0, 0, 1_500_000)


def test_every_provider_has_a_model():
    words = {Provider.OPENAI: " m http://h", Provider.ANTHROPIC: " m key=K"}
    assert [parse_choice(one + words.get(one, "")).provider for one in Provider] == list(Provider)


@pytest.mark.row("KB-035")
@pytest.mark.parametrize("whose", ["none", "cheap"])
def test_where_a_task_is_nobodys_the_worker_does_it_without_a_model(ready, server, whose):
    server.script = [Says(status=500)]
    environ = {
        "TILTH_MODEL_CHEAP": f"openai m {server.url}/v1",
        "TILTH_MODEL_TASKS": ", ".join(f"{task}={whose}" for task in Task),
        "TILTH_MODEL_PRICES": "m=0/0",
        "TILTH_SPEND_DAY": "calls=50, tokens=1e6, money=1",
    }
    said = ("We decided to use PostgreSQL for the ledger because it has row security.", "Thanks!")
    for number in range(6):
        ready("remember", said[number > 0], "--session", "s1", "--role", "user", environ=environ)
    for command in (["distil"], ["worker", "--once"], ["reflect"], ["clean"], ["gap", "scan"]):
        done = ready(*command, environ=environ)
        assert "bug" not in done.err
        assert whose == "cheap" or done.code == 0, (command, done)

    facts = ready("fact", "list", "--json").answer["facts"]
    assert [one["said"]["text"] for one in facts if "PostgreSQL" in one["said"]["text"]]
    assert bool(server.requests) is (whose == "cheap")
