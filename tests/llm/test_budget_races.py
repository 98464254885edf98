"""A budget holds between processes, and no crash gives any of it back."""

import os
import signal
import subprocess
import sys
import time

import pytest

from tests.model_server import Hangs, says, serving
from tests.places import SqlitePlace
from tilth.core.scope import DEFAULT_OWNER
from tilth.llm.spending import Spending
from tilth.llm.tables import Budgets

TONE = {"formality": 0.2, "technical_level": 0.9, "sentiment": "neutral", "pace": "fast"}
# Asks ten times, once it is told to, and says how often it got an answer.
ASKER = """
import sys, tilth
from tilth.llm.answers import ToneDraft
from tilth.llm.client import Question, Thought

with tilth.connect(sys.argv[1]) as brain:
    print("ready", flush=True)
    sys.stdin.readline()
    question = Question(things={"fct_1": "the kettle is on"})
    got = [brain.models.think(ToneDraft, question) for _ in range(10)]
    print(sum(isinstance(one, Thought) for one in got), {str(one.reason) for one in got
          if not isinstance(one, Thought)})
"""


@pytest.fixture
def server():
    with serving() as running:
        yield running


@pytest.fixture
def start(place, server, tmp_path):
    """Start a process that asks, on the store at `place`, within *limits* of a day."""
    started = []

    def begin(limits):
        where = str(place.path) if isinstance(place, SqlitePlace) else place.url
        environ = {name: value for name, value in os.environ.items() if name[:6] != "TILTH_"}
        environ |= {
            "TILTH_HOME": str(tmp_path / "home"),
            "TILTH_MODEL_CHEAP": f"openai small {server.url}",
            "TILTH_MODEL_PRICES": "small=1/5",
            "TILTH_SPEND_DAY": limits,
        }
        process = subprocess.Popen(
            [sys.executable, "-c", ASKER, where],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environ,
            text=True,
        )
        started.append(process)
        assert process.stdout.readline() == "ready\n"
        return process

    yield begin
    for process in started:
        process.kill()
        process.communicate()


def spent(place):
    store = place.open()
    with store.read() as view:
        spending = Budgets(view).spent(DEFAULT_OWNER)
    store.close()
    return spending


def go(*processes):
    for process in processes:
        process.stdin.write("\n")
        process.stdin.flush()


@pytest.mark.parametrize(
    ("limits", "most"),
    [
        ("calls=7, tokens=1000000, money=1", Spending(7, 1_000_000, 1_000_000)),
        # Ten calls come to 5,000 millionths, and each must have some 5,000 free before it.
        ("calls=100, tokens=1000000, money=0.009", Spending(100, 1_000_000, 9_000)),
        ("calls=100, tokens=9000, money=1", Spending(100, 9_000, 1_000_000)),
    ],
)
@pytest.mark.on_sqlite(but=1)
def test_two_processes_that_race_for_the_last_cent_never_exceed_a_budget(
    place, server, start, limits, most
):
    server.script = [says(TONE)]
    first, second = start(limits), start(limits)

    go(first, second)
    told = [process.stdout.readline() for process in (first, second)]

    total = spent(place)
    answered = sum(int(line.split()[0]) for line in told)
    assert answered == len(server.requests) == total.calls
    assert answered < 20
    assert any("budget" in line for line in told)
    assert total.calls <= most.calls
    assert total.tokens <= most.tokens
    assert total.millionths <= most.millionths


def test_what_was_reserved_before_a_crash_stays_spent(place, server, start):
    server.script = [Hangs()]
    limits = "calls=1, tokens=1000000, money=1"
    asking = start(limits)
    go(asking)
    while not server.requests:
        time.sleep(0.01)
    asking.send_signal(signal.SIGKILL)
    asking.wait()

    assert spent(place).calls == 1
    server.script = [says(TONE)]
    after = start(limits)
    go(after)
    assert after.stdout.readline() == "0 {'budget'}\n"
    assert len(server.requests) == 1
