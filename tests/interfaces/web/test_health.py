"""Health: charts with a table twin, and the same numbers on every surface."""

import json
import re
import threading
import time
from datetime import date

import pytest

from tests.interfaces.http.served import Served, csrf_of
from tilth.core.actor import Human
from tilth.interfaces.http import call_verb
from tilth.interfaces.http.tokens import Role
from tilth.interfaces.to_json import to_json
from tilth.interfaces.web.charts import HEIGHT, WIDTH, by_day, chart, quantile
from tilth.interfaces.web.screens.look_after import health
from tilth.runtime.check import Check, Status


@pytest.mark.row("KB-069", "KB-070")
def test_the_page_its_twin_and_http_tell_the_same_numbers(served: Served):
    person = call_verb.acting(served.brain, Human("ana"))
    person.remember("Where is the router?", session_id="s1")
    person.facts.add("The router is at 192.0.2.1.", system="lab", component="router")
    served.brain.facts.add("The router is at 192.0.2.9.", system="lab", component="router")
    (proposal,) = person.review.list().proposals
    person.review.reject(proposal.id, digest=person.review.show(proposal.id).digest)
    browser = served.browser()
    told = browser.get("/health.json").json()["growth"]
    assert told == to_json(served.brain.growth(days=30))
    assert told == served.client(Role.AGENT).post("/v1/growth", json={"days": 30}).json()
    assert (told["episodes"], told["facts"], told["compression"]) == (3, 1, 3.0)
    (day,) = told["days"]
    assert (day["episodes"], day["facts"], day["decisions"]) == (3, 2, 1)
    page = browser.get("/health").text
    assert f"<strong>{told['nodes']}</strong> nodes" in page
    assert "<strong>0.0%</strong> of the facts said twice" in page
    for name, count in (("Episodes recorded", 3), ("Facts recorded", 2), ("Decisions of yours", 1)):
        figure = page.partition(f"<strong>{name}</strong>")[2].partition("</figure>")[0]
        assert f"{name}: {count}, at most {count}" in figure
        assert re.search(rf"<td>{day['date']}</td><td>{count}</td>", figure), name


def test_the_store_is_checked_beside_the_page_which_says_how_far_that_is(served: Served):
    browser, seen, go_on = served.browser(), threading.Event(), threading.Event()
    whole = served.brain.parts.store.verify

    def verify():
        seen.set()
        assert go_on.wait(30)
        return whole()

    served.brain.parts.store.verify = verify
    form = {"csrf": csrf_of(browser.get("/health").text), "verb": "health/check"}
    assert "Store unchanged" not in browser.get("/health").text

    browser.post("/act", data=form)

    assert seen.wait(30)
    assert "The store is being checked, since" in browser.get("/health").text
    browser.post("/act", data=form)
    assert "the store is being checked already" in browser.get("/health").text
    go_on.set()
    ends_at = time.monotonic() + 30
    while browser.get("/health.json").json()["store_check"]["ended_at"] is None:
        assert time.monotonic() < ends_at
        time.sleep(0.05)
    page = browser.get("/health").text
    assert "Store unchanged since written" in page
    assert "The store was checked" in page


def test_recalls_are_drawn_as_they_were_asked(served: Served):
    browser = served.browser()
    assert "Nobody asked since the server started." in browser.get("/health").text
    browser.get("/ask", params={"q": "where is the router"})
    served.client().post("/v1/recall", json={"question": "where is the router"})
    page = browser.get("/health").text
    assert "recall 2" in page
    assert browser.get("/health.json").json()["recall"]["0.5"] > 0


def test_a_chart_draws_each_point_and_nothing_as_nothing():
    drawn = chart("Things", [("a", 0), ("b", 5), ("c", 10_000)])
    assert [bar.height for bar in drawn.bars] == [0, 2.0, HEIGHT]
    assert [bar.value for bar in drawn.bars] == ["0", "5", "10,000"]
    assert (drawn.most, drawn.total) == ("10,000", "10,005")
    ends = [bar.x + bar.width for bar in drawn.bars]
    assert all(end < bar.x for end, bar in zip(ends, drawn.bars[1:], strict=False))
    assert ends[-1] <= WIDTH
    assert chart("Nothing", []).is_empty
    assert chart("Zeros", [("a", 0)]).is_empty


def test_a_day_without_anything_has_its_place():
    days = by_day({"2026-02-28": 3, "2026-01-01": 9}, date(2026, 3, 1), 3)
    assert days == [("2026-02-27", 0), ("2026-02-28", 3), ("2026-03-01", 0)]


@pytest.mark.parametrize(("share", "value"), [(0.5, 3), (0.95, 4), (0, 1), (1, 4)])
def test_a_quantile_is_one_of_the_values(share, value):
    assert quantile([4, 1, 3, 2], share) == value
    assert quantile([], share) == 0


def test_the_page_says_what_is_wrong_first(served: Served):
    checks = json.loads(served.browser().get("/health.json").text)["checks"]
    ranks = ["fail", "warn", "skip", "ok"]
    assert [one["status"] for one in checks] == sorted(
        (one["status"] for one in checks), key=ranks.index
    )


def test_secrets_that_were_left_out_and_the_last_backup_are_told(served: Served, home):
    browser = served.browser()
    page = browser.get("/health").text
    assert "No secret was found" in page
    assert "No backup of this store was made on this machine" in page
    served.brain.remember("The token is ghp_x7Kq2Zr9LmN4pTv8WsYb3CdEfGh6JkQa1Bc2", session_id="s1")
    drawn = browser.get("/health.json").json()["redacted"]
    assert [(bar["label"], bar["value"]) for bar in drawn["bars"]] == [("github_token", "1")]
    assert "ghp_" not in browser.get("/health").text


def test_it_says_first_which_checks_ask_for_a_look(served: Served, monkeypatch):
    checks = [
        Check("disk", Status.WARN, "200 MiB are free", "make room"),
        Check("settings", Status.OK, "every setting is understood"),
    ]
    monkeypatch.setattr(health, "examine_machine", lambda machine: checks)
    page = served.browser().get("/health").text
    assert page.index("1 of 2 checks asks for a look") < page.index("In numbers")
    assert '<a href="#checks">Disk space</a>' in page
    checks.pop(0)
    assert "Nothing is amiss in 1 check." in served.browser().get("/health").text
