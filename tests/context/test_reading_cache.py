"""What a brief reads of words is kept for the next one, and is never more than a short cut."""

import json
from dataclasses import replace

import pytest

from tests.practice.sessions import SHOP, Session
from tilth.context.model import BriefRequest
from tilth.context.work import extract
from tilth.context.work.reading_cache import KeptReadings, Readings
from tilth.runtime.brain import Brain

OPENING = BriefRequest(budget_tokens=900)
CANARY = "zx4711"


class Texts(dict):
    """Texts that are kept in memory."""

    def read(self, name):
        return self.get(name, "")

    def write(self, name, text):
        self[name] = text

    def remove(self, name):
        self.pop(name, None)


@pytest.fixture
def texts():
    return Texts()


def keeping(brain, texts, code="1"):
    kept = KeptReadings(texts, "here", lambda: code)
    return Brain(replace(brain.parts, readings=kept))


def worked(brain, name="s1", day=0):
    """Tell a session in which each form of speech stands that a card is made of."""
    session = Session(brain, name, day=day)
    session.asks("We use Redis for the queue of the imports.").says("The queue is on Redis.")
    session.asks(
        f"Ok, also don't print the code {CANARY} of the shed in the logs of the importer."
    ).edited("src/importer.py")
    session.says("Removed. The importer failed because the mirror `sync orders` refuses runners.")
    session.asks("We switched from Redis to RabbitMQ for the queue. Nobody should poll it.")
    session.says("The queue is on RabbitMQ, since Redis loses what nobody has read.")
    session.asks("Please remove the backend database code.").says("The database code is gone.")


def briefed(brain):
    return brain.brief(OPENING, scope=SHOP).blocks


@pytest.fixture
def unread(monkeypatch):
    """Let nothing be read anew."""

    def refuse(*texts):
        raise AssertionError(f"read anew: {texts}")

    for name in (
        "shown_ask",
        "wish",
        "end",
        "replacements",
        "taken_out",
        "said_next",
        "report_sentences",
    ):
        monkeypatch.setattr(extract, name, refuse)


def test_what_was_read_is_kept_and_tells_the_same(brain, texts, request):
    worked(brain)
    brain.distil()
    anew = briefed(brain)
    assert briefed(keeping(brain, texts)) == anew

    request.getfixturevalue("unread")

    assert briefed(keeping(brain, texts)) == anew


def test_what_is_new_is_read_and_added(brain, texts):
    worked(brain)
    briefed(keeping(brain, texts))
    (before,) = map(json.loads, texts.values())
    worked(brain, "s2", day=1)

    told = briefed(keeping(brain, texts))

    assert told == briefed(brain)
    (after,) = map(json.loads, texts.values())
    assert before["read"].items() <= after["read"].items()


def test_what_other_code_read_is_read_again(brain, texts, request):
    worked(brain)
    briefed(keeping(brain, texts))
    request.getfixturevalue("unread")

    with pytest.raises(AssertionError, match="read anew"):
        briefed(keeping(brain, texts, code="2"))


@pytest.mark.parametrize("text", ["", "[]", "{", '{"code": "1", "through": "x", "read": {}}'])
@pytest.mark.on_sqlite(but=2)
def test_what_cannot_be_read_is_nothing(brain, texts, text):
    worked(brain)
    told = briefed(keeping(brain, texts))
    texts.update(dict.fromkeys(texts, text))

    assert briefed(keeping(brain, texts)) == told
    assert all(json.loads(one)["read"] for one in texts.values())


def erase(human, brain):
    (found,) = [one for one in brain.episodes.list(scope=SHOP) if CANARY in one.text]
    plan = human.erase.plan(episodes=[found.id])
    human.erase.confirm(plan.digest, episodes=[found.id])


def test_what_was_read_before_an_erase_is_not_looked_at_and_goes(brain, human, texts):
    worked(brain)
    briefed(keeping(brain, texts))
    assert CANARY in str(texts)
    erase(human, brain)

    told = briefed(keeping(brain, texts))

    assert CANARY not in str(told)
    assert CANARY not in str(texts)


def test_what_is_kept_while_something_is_erased_goes(brain, human, texts):
    worked(brain)
    store, within = brain.parts.store, brain.parts.within(SHOP)
    kept = KeptReadings(texts, "here", str)
    with store.read() as view:
        readings = kept.of(view, within)
    readings.wish(f"Never print the code {CANARY} of the shed in the logs of the importer.")
    erase(human, brain)

    kept.keep(store, within, readings)

    assert not texts


def test_a_project_is_not_told_what_was_read_of_another(brain, texts):
    worked(brain)
    keeping(brain, texts).brief(OPENING, scope=SHOP)
    keeping(brain, texts).brief(OPENING, scope="project:other")
    assert len(texts) == 1


def test_so_much_is_kept_and_no_more(brain, texts):
    readings = Readings({str(number): [] for number in range(2000)})
    readings.wish("Name the importer of orders after what it imports, please.")
    assert len(readings.all) < 1000
    assert any(one for one in readings.all.values())
