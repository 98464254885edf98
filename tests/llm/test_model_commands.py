"""Choosing a language model and trying it, at the command line and from Python."""

import tomllib
from datetime import timedelta

import pytest

import tilth as tilth_package
from tests.fakes import FixedClock
from tests.model_server import Says, claim, says, serving
from tilth.core.actor import Actor, ActorKind
from tilth.core.errors import ForbiddenError
from tilth.interfaces.cli import invocation
from tilth.llm.trial import SAID
from tilth.runtime import connect as bootstrap
from tilth.runtime.system import SystemClock

STATED = "Integration tests run against PostgreSQL, never SQLite."
FREE = ["calls=200", "tokens=5000000", "money=1"]


@pytest.fixture
def as_human(monkeypatch):
    monkeypatch.setattr(invocation, "caller", lambda *_, **__: Actor("ana", ActorKind.HUMAN))


@pytest.fixture
def set_up(tilth):
    """What the settings file says."""
    assert tilth("init").code == 0
    return lambda: tomllib.loads(tilth.store.with_name("config.toml").read_text())


class Reader:
    """Answers that quote what was shown."""

    def __init__(self, server):
        self.server = server
        server.taken = self.answer

    def answer(self):
        shown = self.server.requests[-1]["messages"][-1]["content"]
        episode_id = shown[shown.index("epi_") :][: len("epi_") + 26]
        return says({"claims": [claim(episode_id, SAID, STATED)], "over": []})


@pytest.fixture
def server():
    with serving() as server:
        server.script = [Says(status=500)]
        yield server


@pytest.mark.usefixtures("as_human")
def test_one_command_sets_a_model_its_price_and_what_a_day_may_cost(tilth, set_up, server):
    told = tilth("model", "use", "openai", "small", server.url)

    assert told.code == 0
    assert "may be asked" in told.out
    assert f"{server.url}, which is on this machine" in told.err
    assert set_up() == {
        "model_cheap": f"openai small {server.url}",
        "model_prices": ["small=0/0"],
        "spend_day": FREE,
    }
    assert not server.requests


@pytest.mark.usefixtures("as_human")
@pytest.mark.parametrize(
    ("set_to", "lacks"),
    [("calls=7", "no tokens"), ("tokens=7", "no calls"), ("money=1", "no calls and no tokens")],
)
def test_a_budget_that_allows_no_call_is_told_with_what_it_lacks(tilth, server, set_to, lacks):
    tilth("init")
    tilth("model", "use", "openai", "small", server.url)
    tilth("settings", "set", "spend_day", set_to)

    told = f"spend_day allows {lacks}; set it to such as calls=200, tokens=500000"
    assert told in tilth("model", "list").out
    assert f"spend_day allows {lacks}" in tilth("model", "try").out


@pytest.mark.usefixtures("as_human")
def test_what_was_told_of_prices_and_budgets_stays_until_it_is_told_otherwise(tilth, set_up):
    key = "key=ANTHROPIC_API_KEY"
    use = ("model", "use", "anthropic")
    assert tilth(*use, "large", key, "--price", "3/15", "--money", "2", "--strong").code == 0

    again = tilth("model", "use", "claude", "haiku", "--calls", "50")
    repriced = tilth(*use, "large", key, "--price", "4/20", "--strong")

    assert (again.code, repriced.code) == (0, 0)
    assert "haiku" in repriced.out, "the model that reads stays beside the one that judges"
    assert set_up() == {
        "model_cheap": "claude haiku",
        "model_strong": f"anthropic large {key}",
        "model_prices": ["claude:haiku=0/0", "large=4/20"],
        "spend_day": ["calls=50", "tokens=5000000", "money=2"],
    }


@pytest.mark.usefixtures("as_human")
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("anthropic", "large", "key=ANTHROPIC_API_KEY"), "nobody said what large costs"),
        (("openai", "large", "https://models.example"), "nobody said what large costs"),
        (("gpt",), "unknown provider"),
        (("openai", "small"), "openai needs a url"),
        (("claude", "--price", "cheap"), "is no price"),
        (("claude", "--money", "lots"), "is not an amount"),
        (("claude", "--calls", "0"), "--calls"),
        (("anthropic", "large", "key=sk-ant-1"), "key= names a variable"),
        ((" ",), "no model is named"),
    ],
)
def test_what_cannot_be_asked_is_refused_and_nothing_is_set(tilth, words, told):
    tilth("init")

    refused = tilth("model", "use", *words)

    assert refused.code != 0
    assert told in refused.err
    assert "sk-ant" not in refused.err
    assert not tilth.store.with_name("config.toml").exists()


@pytest.mark.usefixtures("as_human")
def test_off_asks_none_and_forgets_no_budget(tilth, set_up, server):
    tilth("model", "use", "openai", "small", server.url, "--calls", "7")

    assert tilth("model", "off").code == 0

    assert tilth("model", "--json").answer["models"] == []
    assert (set_up()["model_cheap"], set_up()["spend_day"][0]) == ("", "calls=7")


def test_only_a_person_has_sessions_sent_to_a_model(tilth, monkeypatch):
    monkeypatch.setattr(invocation, "caller", lambda *_, **__: Actor("codex", ActorKind.AGENT))
    tilth("init")

    refused = [tilth("model", *words) for words in (("use", "claude"), ("off",), ("try",))]

    assert all(one.code and "only a" in one.err for one in refused)
    assert not tilth.store.with_name("config.toml").exists()


@pytest.mark.usefixtures("as_human")
def test_a_model_is_tried_on_a_sentence_of_ours_within_the_budget(tilth, set_up, server):
    Reader(server)
    tilth("remember", "The vault code is 4711.")
    tilth("model", "use", "openai", "small", server.url, "--calls", "2")

    first = tilth("model", "try", "--json")
    told = tilth("model", "try")
    spent = tilth("model", "try")

    (tried,) = first.answer["trials"]
    assert (tried["model"], tried["statements"], tried["refusal"]) == ("small", [STATED], None)
    assert tried["spent"] == {"calls": 1, "tokens": 340, "millionths": 0}
    assert STATED in told.out
    assert (spent.code, "spend_day" in spent.out) == (1, True)
    assert all("4711" not in str(request) for request in server.requests)
    assert "2 of 2 calls" in tilth("model").out


@pytest.mark.usefixtures("as_human", "set_up")
def test_one_that_does_not_answer_is_told_with_its_reason_and_asked_again(tilth, server):
    Reader(server)
    tilth("model", "use", "openai", "small", "http://127.0.0.1:9")
    dead = tilth("model", "try")

    assert dead.code == 1
    assert "gave no answer: the model endpoint '127.0.0.1' cannot be reached" in dead.out

    tilth("model", "use", "openai", "small", server.url)
    assert tilth("model", "try").code == 0


def of_models(run):
    (check,) = [one for one in run.answer["checks"] if one["id"] == "models"]
    return check["status"], check["summary"], check["fix"]


@pytest.mark.usefixtures("as_human", "set_up")
@pytest.mark.parametrize("answer", [None, Says(status=401), Says(status=500)])
def test_doctor_tells_of_a_model_that_gave_no_answer_until_it_gives_one(tilth, server, answer):
    url = "http://127.0.0.1:9" if answer is None else server.url
    server.script = [answer or Says(status=500)]
    tilth("model", "use", "openai", "small", url)
    assert of_models(tilth("doctor", "--json"))[0] == "ok", "nobody asked it yet"
    tilth("model", "try")
    asked = len(server.requests)

    status, summary, fix = of_models(tilth("doctor", "--json"))

    assert (status, fix) == ("warn", "tilth model try")
    assert "small: it gave no answer when it was asked last" in summary
    assert "it gave no answer when it was asked last" in tilth("model").out
    assert len(server.requests) == asked, "a check asks nothing"
    Reader(server)
    tilth("model", "use", "openai", "small", server.url)
    tilth("model", "try")
    assert of_models(tilth("doctor", "--json"))[0] == "ok"
    assert "asked last" not in tilth("model").out


@pytest.mark.usefixtures("as_human", "set_up")
def test_clean_tells_in_words_why_a_model_gave_no_answer(tilth, server, monkeypatch):
    server.script = [Says(status=401)]
    tilth("model", "use", "openai", "small", server.url, "--strong")
    ana = invocation.caller
    monkeypatch.setattr(invocation, "caller", lambda *_, **__: Actor("codex", ActorKind.AGENT))
    tilth("fact", "add", "The kettle whistles.", "--about", "kettle")
    monkeypatch.setattr(invocation, "caller", ana)
    later = FixedClock(SystemClock().now() + timedelta(days=2))
    monkeypatch.setattr(bootstrap, "SystemClock", lambda: later)

    told = tilth("clean")

    assert "its name, its URL and its key right?" in told.err
    assert "unusable" not in told.err


@pytest.mark.usefixtures("as_human", "set_up")
def test_python_lists_and_tries_the_models_too(tilth, server, monkeypatch):
    Reader(server)
    monkeypatch.setenv("TILTH_HOME", str(tilth.store.parent))
    tilth("model", "use", "openai", "small", server.url)

    with tilth_package.connect(tilth.store, actor=tilth_package.Human("ana")) as brain:
        assert [one.name for one in brain.models.list().models] == ["small"]
        assert [one.statements for one in brain.models.try_all()] == [[STATED]]
    with (
        tilth_package.connect(tilth.store, actor=Actor("codex", ActorKind.AGENT)) as brain,
        pytest.raises(ForbiddenError),
    ):
        brain.models.try_all()
